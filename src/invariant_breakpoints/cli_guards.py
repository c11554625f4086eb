"""The commands about guards: trials, replay, calibration, and the hook pair."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import click

from invariant_breakpoints._cli import (
    FAILED,
    files_in,
    from_option,
    run_of,
    show,
    show_json,
    tell,
    trace_argument,
    write,
)
from invariant_breakpoints.calibrate import Labelled, calibrated
from invariant_breakpoints.calibrate_view import calibration_lines, calibration_svg
from invariant_breakpoints.guards import GUARDS, armed
from invariant_breakpoints.hook import POST, PRE, event_of, file_name, hooked
from invariant_breakpoints.reading import decoded, runs
from invariant_breakpoints.registration import BadRegistration, registered
from invariant_breakpoints.replay import forked, replayed
from invariant_breakpoints.trace import BadStep
from invariant_breakpoints.trials import rechecked, run_trials
from invariant_breakpoints.trials_view import form_lines, table_lines
from invariant_breakpoints.view import explanation, ruling_lines


@click.command("trials")
@click.argument(
    "configs",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="CONFIG…",
)
@click.option(
    "--format",
    "said",
    type=click.Choice(["text", "table", "form", "json"]),
    default="text",
    show_default=True,
    help="The table, the paper form, both (text), or the whole result.",
)
@click.option(
    "--result",
    "earlier",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Start no trial: print this earlier JSON result, marked if CONFIG does not belong to it.",
)
def trials_command(configs: tuple[Path, ...], said: str, earlier: Path | None) -> None:
    """Run registered trials with a guard off and on; several files are several series.

    \b
    Example:
      breakpoints trials tabu.toml
      breakpoints trials --format json tabu.toml > tabu.result.json
      breakpoints trials --result tabu.result.json tabu.toml
    """
    if earlier is not None and len(configs) != 1:
        raise click.UsageError("An earlier result belongs to one CONFIG.")
    results = [result for path in configs for result in _results(path, earlier)]
    if said == "json":
        show_json(results)
    if said in ("text", "table"):
        show(table_lines(results))
    for result in results if said in ("text", "form") else ():
        show(form_lines(result))


def _results(path: Path, earlier: Path | None) -> list[dict[str, Any]]:
    """The results for one registration: new ones, or the earlier ones checked again."""
    try:
        found = registered(path)
        written = path.stat().st_mtime
        if earlier is None:
            return [run_trials(found, registered_at=written)]
        told = decoded(earlier.read_bytes())
        listed = told if isinstance(told, list) else [told]
        return [rechecked(one, found.sha256, written) for one in listed]
    except BadRegistration as bad:
        for reason in bad.reasons:
            click.echo(f"{path}:1: error: {reason}", err=True)
        raise click.UsageError("No trial was started.") from None
    except ValueError as bad:
        raise click.UsageError(str(bad)) from None


@click.command("replay")
@trace_argument
@click.option("--until", "last", type=int, required=True, help="The last step to replay.")
@click.option(
    "--fork",
    "fork",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A step as JSON that replaces the recorded step of its number.",
)
@click.option(
    "--guard",
    "guard",
    type=click.Choice([name for name, _ in GUARDS if name != "limit"]),
    help="Arm this guard, with its defaults.",
)
@click.option(
    "--dump",
    "record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the whole record of the replay to this file, as JSON.",
)
@click.option("--run", "place", type=int, default=0, help="Which run of the file, from 0.")
@from_option
def replay_command(
    trace: Path,
    last: int,
    fork: Path | None,
    guard: str | None,
    record: Path | None,
    place: int,
    form: str,
) -> None:
    """Make a recorded run again, its tools answered from the trace, up to a step.

    \b
    Example:
      breakpoints replay run.jsonl --until 12
      breakpoints replay run.jsonl --until 12 --fork other-step.json --guard tabu
    """
    lines = list(run_of(trace, form, place).lines)
    tell(fault for line in lines for fault in line.faults)
    # The number that a step has by its place is written into it, so that all readers agree.
    steps = [{**line.raw, "step": line.step.step} for line in lines if line.step is not None]
    try:
        if fork is not None:
            steps = list(forked(steps, decoded(fork.read_bytes())))
    except BadStep as bad:
        raise click.UsageError(str(bad)) from None
    kept = [one for one in steps if one["step"] <= last]
    result = replayed(kept, guards=[armed(guard, {})] if guard else [])
    for verdict in result.timeline:
        show(explanation(verdict))
    show(ruling_lines(result))
    if record is not None:
        result.dump(record)


@click.command("calibrate")
@click.argument(
    "traces",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="TRACES…",
)
@click.option(
    "--labels",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help='JSON Lines, {"file": name, "first": step or null}: where each loop begins.',
)
@click.option(
    "--setting", default="same_halt", show_default=True, help="The threshold that is varied."
)
@click.option("--values", default="2,3,4,5,6,8", show_default=True, help="Its values.")
@click.option(
    "--format",
    "said",
    type=click.Choice(["table", "svg", "json"]),
    default="table",
    show_default=True,
    help="How the points are told.",
)
@from_option
def calibrate_command(
    traces: tuple[Path, ...], labels: Path, setting: str, values: str, said: str, form: str
) -> None:
    """Say what a threshold costs: delay before a halt against halts of healthy runs.

    \b
    Example:
      breakpoints calibrate runs/ --labels labels.jsonl
      breakpoints calibrate runs/ --labels labels.jsonl --setting flat_halt --format svg > f.svg
    """
    try:
        numbers = [int(one) for one in values.split(",")]
        known = _labels(labels)
        found = [
            Labelled(name=run.name, lines=list(run.lines), first=known[path.name])
            for path in files_in(traces)
            if path.name in known
            for run in runs(path, form)
        ]
        if not found:
            raise ValueError("No trace has a label.")
        points = list(calibrated(found, setting, numbers))
    except ValueError as bad:
        raise click.UsageError(str(bad)) from None
    if said == "json":
        show_json([point.as_json() for point in points])
    elif said == "svg":
        write(calibration_svg(setting, points))
    else:
        show(calibration_lines(setting, points))


def _labels(path: Path) -> dict[str, int | None]:
    """The first step of the loop by file name; raises `ValueError` for a line that says nothing."""
    known: dict[str, int | None] = {}
    for number, data in enumerate(path.read_bytes().splitlines(), 1):
        raw = decoded(data) if data.strip() else None
        if raw is None:
            continue
        first = raw.get("first", "") if isinstance(raw, dict) else ""
        if not isinstance(raw, dict) or not isinstance(raw.get("file"), str) or first == "":
            raise ValueError(f"{path}:{number}: A label needs `file` and `first`.")
        if first is not None and type(first) is not int:
            raise ValueError(f"{path}:{number}: `first` must be a whole number or null.")
        known[raw["file"]] = first
    return known


@click.command("hook")
@click.argument("when", type=click.Choice([PRE, POST]))
@click.option(
    "--guard",
    "guard",
    type=click.Choice([name for name, _ in GUARDS if name != "escalation"]),
    required=True,
    help="The guard to arm.",
)
@click.option("--option", "pairs", multiple=True, help="An option of the guard, as NAME=NUMBER.")
@click.option(
    "--events",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder in which the events of each session are kept, texts included.",
)
def hook_command(when: str, guard: str, pairs: tuple[str, ...], folder: Path) -> None:
    """Answer a tool hook of Claude Code: pre may refuse a call, post takes in its result.

    \b
    Example:
      breakpoints hook pre --guard tabu --events ~/.breakpoints
      breakpoints hook post --guard limit --option steps=80 --events ~/.breakpoints
    """
    try:
        named = (pair.partition("=") for pair in pairs)
        options = {name: decoded(value.encode()) for name, _, value in named}
        raw = decoded(sys.stdin.buffer.read())
        event = event_of(when, raw, time.time())
        path = folder / file_name(raw)
        past = [decoded(line) for line in path.read_bytes().splitlines()] if path.exists() else []
        reply = hooked(past, event, guard, options)
    except ValueError as bad:
        # Not 2: a hook that cannot read its input must not block every call.
        click.echo(f"error: {bad}", err=True)
        sys.exit(FAILED)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(json.dumps(event, ensure_ascii=True).encode() + b"\n")
    if reply.out is not None:
        write(json.dumps(reply.out, ensure_ascii=True))
    if reply.err:
        click.echo(reply.err, err=True)
    sys.exit(reply.code)


COMMANDS: tuple[click.Command, ...] = (
    trials_command,
    replay_command,
    calibrate_command,
    hook_command,
)
