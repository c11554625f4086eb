"""What the commands share: options, and how things are printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from invariant_breakpoints.adapters import BY_NAME
from invariant_breakpoints.reading import AUTO, runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from invariant_breakpoints.reading import Fault, Run

FINE, LOOP, USAGE, FAILED = 0, 1, 2, 3

from_option = click.option(
    "--from",
    "form",
    type=click.Choice([AUTO, *BY_NAME]),
    default=AUTO,
    show_default=True,
    help="The format of the trace.",
)
trace_argument = click.argument(
    "trace", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


def files_in(traces: Iterable[Path]) -> Iterator[Path]:
    """The files that are named, and those in the folders that are named."""
    for path in traces:
        if path.is_dir():
            yield from sorted(inner for inner in path.iterdir() if inner.is_file())
        else:
            yield path


def run_of(trace: Path, form: str, place: int) -> Run:
    """One run of a file; a usage error when there is none of this place."""
    found = list(runs(trace, form))
    if not 0 <= place < len(found):
        raise click.UsageError(f"The file has {len(found)} runs; there is no run {place}.")
    return found[place]


def tell(faults: Iterable[Fault]) -> None:
    """Faults on standard error."""
    for fault in faults:
        click.echo(str(fault), err=True)


def show(lines: Iterable[str]) -> None:
    """Lines on standard output."""
    for line in lines:
        write(line)


def show_json(value: object) -> None:
    """A value as JSON on standard output."""
    write(json.dumps(value, ensure_ascii=True, indent=1))


def write(line: str) -> None:
    """A line on standard output, flushed at once."""
    # A trace may hold half a surrogate pair, which no encoding takes.
    click.echo(line.encode("utf-8", "backslashreplace").decode("utf-8"))
