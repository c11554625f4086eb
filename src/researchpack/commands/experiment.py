"""The commands about experiments: list, show, run."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from researchpack import experimenting as story
from researchpack.commands._shared import (
    FINE,
    INTERRUPTED,
    PROBLEMS,
    pack_name,
    project,
    told_as_option,
)
from researchpack.outcomes import command_text
from researchpack.problems import UsageFault
from researchpack.reports import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from researchpack.experimenting import Done, Planned
    from researchpack.records import Pack, RunRecord


@click.group()
def experiment() -> None:
    """Experiments and local checks of a pack: what was run, and what was not."""


@experiment.command(
    "list", epilog="Example: researchpack experiment list debugging-ai/39-chapter --format json"
)
@click.argument("pack")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@told_as_option
@click.pass_context
def list_command(context: click.Context, pack: str, ids: Sequence[str], form: str) -> None:
    """Tell the status of each experiment, and why it has it.

    UNRUN, REPORTED (a person states to have run it elsewhere), RUN, STALE (what it was made of
    changed since), FAILED. The exit code is 0 whatever the statuses are.
    """
    found, views = story.views_of(project(context.obj), pack_name(pack), ids)
    _warn(found)
    click.echo(story.list_json(views) if form == "json" else story.list_text(views), nl=False)


@experiment.command(
    "show", epilog="Example: researchpack experiment show debugging-ai/39-chapter X1"
)
@click.argument("pack")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@told_as_option
@click.pass_context
def show_command(context: click.Context, pack: str, ids: Sequence[str], form: str) -> None:
    """Tell everything about experiments: command, criteria, the run that counts, its values."""
    found, views = story.views_of(project(context.obj), pack_name(pack), ids)
    _warn(found)
    if form == "json":
        click.echo(story.show_json(views), nl=False)
    else:
        click.echo("\n".join(story.show_text(view) for view in views), nl=False)


@experiment.command(
    "run", epilog="Example: researchpack experiment run debugging-ai/39-chapter X1 --yes"
)
@click.argument("pack")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--yes", is_flag=True, help="Run without asking.")
@click.option(
    "--outside",
    "places",
    multiple=True,
    metavar="NAME=PATH",
    help="Where the files lie that an experiment reads and that are no part of the project.",
)
@told_as_option
@click.pass_context
def run_command(
    context: click.Context,
    pack: str,
    ids: Sequence[str],
    yes: bool,
    places: Sequence[str],
    form: str,
) -> None:
    """Run the declared commands, each in a clean folder with its inputs, and record what came out.

    A command gets no shell, no network, a bare environment, and limits of time, memory and
    output; where the network cannot be kept away the record says so. It is shown first, and
    asked about. Exit code 1: a run failed, or differs from the last one that was made of the same.
    """
    root = project(context.obj)
    found, views = story.views_of(root, pack_name(pack), ids)
    planned = story.plan(found, views, _places(places), named=bool(ids))
    ready = [one for one in planned if isinstance(one, story.Planned)]
    failed = False
    for refused in planned:
        if isinstance(refused, story.Refused):
            click.echo(visible(refused.why), err=True)
            failed |= refused.fault
    if ready:
        _agree(ready, yes=yes)
    done: list[Done] = []
    for one in ready:
        result = _carry_out(root, found, one)
        done.append(result)
        failed |= result.record.outcome != "completed" or bool(result.differs)
        if result.record.outcome == "interrupted":
            click.echo("Interrupted; what came after it was not run.", err=True)
            break
    if form == "json":
        _, after = story.views_of(root, pack_name(pack), [one.record.experiment for one in done])
        click.echo(story.list_json(after if done else []), nl=False)
    if done and done[-1].record.outcome == "interrupted":
        context.exit(INTERRUPTED)
    context.exit(PROBLEMS if failed else FINE)


def _warn(pack: Pack) -> None:
    """Say that the list may be short."""
    if pack.is_broken("experiments.yaml"):
        click.echo("A part of experiments.yaml cannot be read; `check` says which.", err=True)


def _places(words: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for word in words:
        name, sign, path = word.partition("=")
        if not sign or not name or not path:
            raise click.UsageError(f'--outside "{word}" is not NAME=PATH.')
        if name in found:
            raise click.UsageError(f'--outside names "{name}" twice.')
        found[name] = Path(path)
    return found


def _agree(ready: Sequence[Planned], *, yes: bool) -> None:
    """Show the commands, and ask."""
    for one in ready:
        own, limits = one.view.experiment.id, one.view.experiment.limits
        click.echo(f"{own}: {visible(command_text(one.view.experiment))}", err=True)
        files = f"{len(one.inputs)} input{'' if len(one.inputs) == 1 else 's'}"
        outside = "".join(f", outside/{name}" for name, _ in one.outside)
        click.echo(
            f"    {files}{outside}; at most {limits.seconds} s, {limits.memory_mb} MB of memory,"
            f" {limits.output_mb} MB of output; no network, where it can be kept away",
            err=True,
        )
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageFault("Nothing is run without a terminal to ask at; --yes runs it.")
    if not click.confirm("Run this?", err=True):
        click.echo("Nothing was run.", err=True)
        raise click.Abort


def _carry_out(root: Path, pack: Pack, one: Planned) -> Done:
    own = str(one.view.experiment.id)
    live = sys.stderr.isatty()
    if not live:
        click.echo(f"{own}: started", err=True)

    def tick(seconds: float) -> None:
        if live:
            click.echo(f"\r{own}: {seconds:.0f} s", nl=False, err=True)

    done = story.carry_out(root, pack, one, lambda: datetime.now(tz=UTC), tick)
    click.echo("\r" if live else "", nl=False, err=True)
    for line in _told(done):
        click.echo(visible(line), err=True)
    return done


def _told(done: Done) -> Iterator[str]:
    """What came of a run, in lines."""
    record = done.record
    yield f"{record.experiment}: {_ending(record)}"
    yield f"    {done.path}"
    if record.outcome != "completed" and done.complaint:
        yield f"    {done.complaint[:200]}"
    for what, why in record.skipped:
        yield f"    skipped {what}: {why}"
    for line in done.faults:
        yield f"    {line}"
    for line in done.differs:
        yield f"    differs from the last run of the same: {line}"
    for criterion in record.criteria:
        yield f"    {criterion.kind} {criterion.outcome}: {criterion.because}"


def _ending(record: RunRecord) -> str:
    told = f"{record.outcome} in {record.seconds} s"
    if record.limits_hit:
        told += f", limit of {', '.join(record.limits_hit)}"
    elif record.outcome == "failed":
        told += f", exit status {record.exit_status}"
    if record.reproduces:
        told += f", reproduces run {record.reproduces} bit for bit"
        told += " in all that it did" if record.skipped else ""
    return told


COMMANDS: tuple[click.Command, ...] = (experiment,)
