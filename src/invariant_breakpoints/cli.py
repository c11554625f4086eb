"""The command `breakpoints`: arguments, printing, and exit codes.

Exit codes: 0 no loop; 1 a loop was called; 2 usage; 3 a file could not be opened, or the tool
failed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from invariant_breakpoints import __version__
from invariant_breakpoints.adapters import ADAPTERS, BY_NAME, recognise
from invariant_breakpoints.calibrate import Labelled, calibrated
from invariant_breakpoints.calibrate_view import calibration_lines, calibration_svg
from invariant_breakpoints.detect import Detector
from invariant_breakpoints.guards import GUARDS, armed
from invariant_breakpoints.reading import AUTO, PLAIN, decoded, plain_lines, runs
from invariant_breakpoints.redact import KEY_LIMIT, Redactor
from invariant_breakpoints.registration import BadRegistration, registered
from invariant_breakpoints.replay import forked, replayed
from invariant_breakpoints.scan import judged, scan
from invariant_breakpoints.strip import Strip, strip
from invariant_breakpoints.strip_view import page, svg
from invariant_breakpoints.trace import BadStep
from invariant_breakpoints.trials import rechecked, run_trials
from invariant_breakpoints.trials_view import form_lines, table_lines
from invariant_breakpoints.view import explanation, report_lines, ruling_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from invariant_breakpoints.reading import Fault, Run
    from invariant_breakpoints.scan import Report

FINE, LOOP, USAGE, FAILED = 0, 1, 2, 3
DRAWINGS = {"html": page, "svg": svg}

_from = click.option(
    "--from",
    "form",
    type=click.Choice([AUTO, *BY_NAME]),
    default=AUTO,
    show_default=True,
    help="The format of the trace.",
)
_key = click.option(
    "--key",
    "keyfile",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Make the digests in the evidence with the key in this file, so that nobody can guess.",
)
_trace = click.argument("trace", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="breakpoints")
def cli() -> None:
    """Say of each step of an agent trace whether it works, retries, waits, or is in a loop."""


@cli.command("scan")
@click.argument(
    "traces",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="TRACE…",
)
@_from
@click.option(
    "--format",
    "said",
    type=click.Choice(["text", "json", "html", "svg"]),
    default="text",
    show_default=True,
    help="How the verdicts are told; html and svg are one file to look at.",
)
@_key
def scan_command(traces: tuple[Path, ...], form: str, said: str, keyfile: Path | None) -> None:
    """Judge whole traces; a folder stands for all files in it.

    \b
    Example:
      breakpoints scan runs/*.jsonl
      breakpoints scan --from openai --format json chat.json
      breakpoints scan --format html run.jsonl > run.html
    """
    key = _read_key(keyfile)
    files = list(_files(traces))
    reports: list[Report] = []
    strips: list[Strip] = []
    closed = False
    for path in _watched(files):
        try:
            if said in DRAWINGS:
                strips += [strip(run, key=key) for run in runs(path, form)]
            else:
                reports += [scan(run, key=key) for run in runs(path, form)]
        except OSError as bad:
            closed = True
            click.echo(f"{path}:1: error: The file cannot be read: {bad.strerror}.", err=True)
    reports += [one.report for one in strips]
    for report in reports:
        _tell(report.faults)
    if said == "json":
        _print_json([report.as_json() for report in reports])
    elif said in DRAWINGS:
        _write(DRAWINGS[said](strips))
    else:
        for report in reports:
            _print(report_lines(report))
    called = any(report.spans for report in reports)
    sys.exit(FAILED if closed else LOOP if called else FINE)


@cli.command("explain")
@_trace
@click.option("--step", "wanted", type=int, required=True, help="The number of the step.")
@click.option("--run", "place", type=int, default=0, help="Which run of the file, from 0.")
@_from
@_key
def explain_command(trace: Path, wanted: int, place: int, form: str, keyfile: Path | None) -> None:
    """Say why a step got its verdict: the rule, the deciding evidence, and what was not recorded.

    \b
    Example:
      breakpoints explain run.jsonl --step 12
    """
    report = scan(_run(trace, form, place), key=_read_key(keyfile))
    _tell(report.faults)
    found = [said for said in report.timeline if said.step == wanted]
    if not found:
        numbers = (
            f"{report.timeline[0].step} to {report.timeline[-1].step}" if report.timeline else ""
        )
        raise click.UsageError(f"The trace has no step {wanted}; it has {numbers or 'none'}.")
    for said in found:
        _print(explanation(said))


@cli.command("convert")
@_trace
@_from
@click.option("--run", "place", type=int, default=0, help="Which run of the file, from 0.")
@click.option(
    "--redact",
    "keyfile",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Replace all texts by digests under the key in this file; the verdicts stay the same.",
)
def convert_command(trace: Path, form: str, place: int, keyfile: Path | None) -> None:
    """Print a trace in the trace model, one JSON object a line.

    \b
    Example:
      breakpoints convert --from swe-agent task.traj > task.jsonl
      breakpoints convert --redact key.bin run.jsonl > shareable.jsonl
    """
    key = _read_key(keyfile)
    redactor = Redactor(key) if key else None
    run = _run(trace, form, place)
    for line in run.lines:
        _tell(line.faults)
        if line.step is None:
            continue
        try:
            out = redactor.redact(line.raw, line.step, line.index) if redactor else line.raw
        except BadStep as bad:
            click.echo(f"{run.name}:{line.index + 1}: error: {bad}", err=True)
            continue
        _write(json.dumps(out, ensure_ascii=True))
    name = _named(trace, form)
    if name in BY_NAME and BY_NAME[name].lacks:
        lacks = ", ".join(BY_NAME[name].lacks)
        click.echo(f"note: the format {name} has no field for: {lacks}.", err=True)


@cli.command("watch")
@_key
def watch_command(keyfile: Path | None) -> None:
    """Read steps from standard input and print one JSON verdict a line, at once.

    \b
    Example:
      tail -f run.jsonl | breakpoints watch
    """
    detector = Detector(key=_read_key(keyfile))
    for line in plain_lines("<stdin>", iter(sys.stdin.buffer.readline, b"")):
        verdict, faults = judged(detector, line, "<stdin>")
        _tell(faults)
        _write(json.dumps(verdict.as_json(), ensure_ascii=True))  # flushes, too


@cli.command("trials")
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
        _print_json(results)
    if said in ("text", "table"):
        _print(table_lines(results))
    for result in results if said in ("text", "form") else ():
        _print(form_lines(result))


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


@cli.command("replay")
@_trace
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
@_from
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
    lines = list(_run(trace, form, place).lines)
    _tell(fault for line in lines for fault in line.faults)
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
        _print(explanation(verdict))
    _print(ruling_lines(result))
    if record is not None:
        result.dump(record)


@cli.command("calibrate")
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
@_from
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
            for path in _files(traces)
            if path.name in known
            for run in runs(path, form)
        ]
        if not found:
            raise ValueError("No trace has a label.")
        points = list(calibrated(found, setting, numbers))
    except ValueError as bad:
        raise click.UsageError(str(bad)) from None
    if said == "json":
        _print_json([point.as_json() for point in points])
    elif said == "svg":
        _write(calibration_svg(setting, points))
    else:
        _print(calibration_lines(setting, points))


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


@cli.command("formats")
def formats_command() -> None:
    """List the formats that can be read, and what each cannot tell.

    \b
    Example:
      breakpoints formats
    """
    for adapter in ADAPTERS:
        lacks = f" (no {', '.join(adapter.lacks)})" if adapter.lacks else ""
        click.echo(f"{adapter.name}: {adapter.about}{lacks}")


def _read_key(keyfile: Path | None) -> bytes:
    """The key in a file; empty when there is none."""
    if keyfile is None:
        return b""
    key = keyfile.read_bytes().strip()
    if not 16 <= len(key) <= KEY_LIMIT:
        raise click.UsageError(f"The key must have 16 to {KEY_LIMIT} bytes.")
    return key


def _files(traces: Iterable[Path]) -> Iterator[Path]:
    for path in traces:
        if path.is_dir():
            yield from sorted(inner for inner in path.iterdir() if inner.is_file())
        else:
            yield path


def _watched(files: list[Path]) -> Iterator[Path]:
    """The files, with a progress bar where somebody sees it."""
    if len(files) < 2 or not sys.stderr.isatty():
        yield from files
        return
    with click.progressbar(files, label="Scanning", file=sys.stderr) as bar:
        yield from bar


def _run(trace: Path, form: str, place: int) -> Run:
    found = list(runs(trace, form))
    if not 0 <= place < len(found):
        raise click.UsageError(f"The file has {len(found)} runs; there is no run {place}.")
    return found[place]


def _named(trace: Path, form: str) -> str:
    """The format that a file was read in."""
    if form != AUTO:
        return form
    try:
        adapter = recognise(decoded(trace.read_bytes()))
    except BadStep:
        adapter = None
    return adapter.name if adapter else PLAIN


def _tell(faults: Iterable[Fault]) -> None:
    for fault in faults:
        click.echo(str(fault), err=True)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        _write(line)


def _print_json(value: object) -> None:
    _write(json.dumps(value, ensure_ascii=True, indent=1))


def _write(line: str) -> None:
    # A trace may hold half a surrogate pair, which no encoding takes.
    click.echo(line.encode("utf-8", "backslashreplace").decode("utf-8"))


def main() -> None:
    """Run the command; whatever goes wrong in the tool itself is exit code 3."""
    try:
        cli()
    except BrokenPipeError:
        sys.exit(FINE)
    except Exception as bad:  # the edge: one line instead of a traceback
        click.echo(f"error: breakpoints failed: {type(bad).__name__}: {bad}", err=True)
        sys.exit(FAILED)
