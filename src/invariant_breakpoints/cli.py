"""The command `breakpoints`: arguments, printing, and exit codes.

Exit codes: 0 no loop; 1 a loop was called; 2 usage; 3 a file could not be opened, or the tool
failed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from invariant_breakpoints import __version__
from invariant_breakpoints._cli import (
    FAILED,
    FINE,
    LOOP,
    files_in,
    from_option,
    run_of,
    show,
    show_json,
    tell,
    trace_argument,
    write,
)
from invariant_breakpoints.adapters import ADAPTERS, BY_NAME, recognise
from invariant_breakpoints.cli_guards import COMMANDS
from invariant_breakpoints.detect import Detector
from invariant_breakpoints.reading import AUTO, PLAIN, decoded, plain_lines, runs
from invariant_breakpoints.redact import KEY_LIMIT, Redactor
from invariant_breakpoints.scan import judged, scan
from invariant_breakpoints.strip import Strip, listed, strip
from invariant_breakpoints.strip_view import page, svg
from invariant_breakpoints.trace import BadStep
from invariant_breakpoints.view import explanation, report_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from invariant_breakpoints.scan import Report

STRIPS = {"html": page, "svg": svg, "strip": listed}

_key = click.option(
    "--key",
    "keyfile",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Make the digests in the evidence with the key in this file, so that nobody can guess.",
)


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
@from_option
@click.option(
    "--format",
    "said",
    type=click.Choice(["text", "json", "html", "svg", "strip"]),
    default="text",
    show_default=True,
    help="How the verdicts are told; html and svg are one file to look at, strip is its data.",
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
    files = list(files_in(traces))
    reports: list[Report] = []
    strips: list[Strip] = []
    closed = False
    for path in _watched(files):
        try:
            if said in STRIPS:
                strips += [strip(run, key=key) for run in runs(path, form)]
            else:
                reports += [scan(run, key=key) for run in runs(path, form)]
        except OSError as bad:
            closed = True
            click.echo(f"{path}:1: error: The file cannot be read: {bad.strerror}.", err=True)
    reports += [one.report for one in strips]
    for report in reports:
        tell(report.faults)
    if said == "json":
        show_json([report.as_json() for report in reports])
    elif said in STRIPS:
        write(STRIPS[said](strips))
    else:
        for report in reports:
            show(report_lines(report))
    called = any(report.spans for report in reports)
    sys.exit(FAILED if closed else LOOP if called else FINE)


@cli.command("explain")
@trace_argument
@click.option("--step", "wanted", type=int, required=True, help="The number of the step.")
@click.option("--run", "place", type=int, default=0, help="Which run of the file, from 0.")
@from_option
@_key
def explain_command(trace: Path, wanted: int, place: int, form: str, keyfile: Path | None) -> None:
    """Say why a step got its verdict: the rule, the deciding evidence, and what was not recorded.

    \b
    Example:
      breakpoints explain run.jsonl --step 12
    """
    report = scan(run_of(trace, form, place), key=_read_key(keyfile))
    tell(report.faults)
    found = [said for said in report.timeline if said.step == wanted]
    if not found:
        numbers = (
            f"{report.timeline[0].step} to {report.timeline[-1].step}" if report.timeline else ""
        )
        raise click.UsageError(f"The trace has no step {wanted}; it has {numbers or 'none'}.")
    for said in found:
        show(explanation(said))


@cli.command("convert")
@trace_argument
@from_option
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
    run = run_of(trace, form, place)
    for line in run.lines:
        tell(line.faults)
        if line.step is None:
            continue
        try:
            out = redactor.redact(line.raw, line.step, line.index) if redactor else line.raw
        except BadStep as bad:
            click.echo(f"{run.name}:{line.index + 1}: error: {bad}", err=True)
            continue
        write(json.dumps(out, ensure_ascii=True))
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
        tell(faults)
        write(json.dumps(verdict.as_json(), ensure_ascii=True))  # flushes, too


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


for _command in COMMANDS:
    cli.add_command(_command)


def _read_key(keyfile: Path | None) -> bytes:
    """The key in a file; empty when there is none."""
    if keyfile is None:
        return b""
    key = keyfile.read_bytes().strip()
    if not 16 <= len(key) <= KEY_LIMIT:
        raise click.UsageError(f"The key must have 16 to {KEY_LIMIT} bytes.")
    return key


def _watched(files: list[Path]) -> Iterator[Path]:
    """The files, with a progress bar where somebody sees it."""
    if len(files) < 2 or not sys.stderr.isatty():
        yield from files
        return
    with click.progressbar(files, label="Scanning", file=sys.stderr) as bar:
        yield from bar


def _named(trace: Path, form: str) -> str:
    """The format that a file was read in."""
    if form != AUTO:
        return form
    try:
        adapter = recognise(decoded(trace.read_bytes()))
    except BadStep:
        adapter = None
    return adapter.name if adapter else PLAIN


def main() -> None:
    """Run the command; whatever goes wrong in the tool itself is exit code 3."""
    try:
        cli()
    except BrokenPipeError:
        sys.exit(FINE)
    except Exception as bad:  # the edge: one line instead of a traceback
        click.echo(f"error: breakpoints failed: {type(bad).__name__}: {bad}", err=True)
        sys.exit(FAILED)
