"""The commands about decisions, revisions and passes: review, patch, resnapshot, pass."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from researchpack import disk
from researchpack.commands._shared import (
    FINE,
    PROBLEMS,
    clock,
    pack_name,
    project,
    today_option,
    told_as_option,
)
from researchpack.problems import UsageFault

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command(epilog="Example: researchpack patch debugging-ai/39-chapter -o changes.patch")
@click.argument("pack")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Make it for this Markdown file of the chapter, as far as the passages can be mapped; else"
    " for snapshot.source, where the settings say in which folder it is, or for the snapshot.",
)
@click.option(
    "-o",
    "output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; else standard output.",
)
@today_option
@click.pass_context
def patch(
    context: click.Context, pack: str, against: Path | None, output: Path | None, today: str | None
) -> None:
    """Write the accepted and revised proposals as one unified diff.

    `git apply` takes it at the project's root. Proposals that overlap, or need one that is not
    accepted, are refused with both named.
    """
    from researchpack.patching import make_patch

    made = make_patch(project(context.obj), pack, today or clock(), against)
    for line in (*made.notes, *made.refusals, *made.left_out):
        click.echo(line, err=True)
    if made.refusals:
        click.echo("No patch was made.", err=True)
        context.exit(PROBLEMS)
    if output is None:
        click.echo(made.text, nl=False)
    else:
        disk.write_bytes(output, made.text.encode())
    click.echo(f"In the patch: {', '.join(made.proposals) or 'nothing'}.", err=True)
    context.exit(PROBLEMS if made.left_out else FINE)


@click.group()
def review() -> None:
    """Decisions on proposals and findings."""


@review.command("apply", epilog="Example: researchpack review apply debugging-ai/39-chapter r.yaml")
@click.argument("pack")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@today_option
@click.pass_context
def review_apply(context: click.Context, pack: str, file: Path, today: str | None) -> None:
    """Merge decisions that were made in the browser into the pack's review.yaml.

    A decision on something that has changed since is refused; where somebody has decided
    otherwise since, the conflict is listed and left to you. Exit code 1: one of these.
    """
    from researchpack.reviewing import apply_file

    merged = apply_file(project(context.obj), pack, file, today or clock())
    click.echo(f"added: {', '.join(merged.added) or 'none'}")
    if merged.already:
        click.echo(f"there already: {', '.join(merged.already)}")
    for line in merged.refused:
        click.echo(f"refused: {line}")
    for line in merged.conflicts:
        click.echo(f"conflict: {line}")
    context.exit(PROBLEMS if merged.refused or merged.conflicts else FINE)


@review.command("status", epilog="Example: researchpack review status --require P1,P2")
@click.argument("packs", metavar="[PACK]...", nargs=-1)
@click.option("--require", default="", metavar="IDS", help="Proposals that must be decided: P1,P2.")
@told_as_option
@today_option
@click.pass_context
def review_status(
    context: click.Context, packs: Sequence[str], require: str, form: str, today: str | None
) -> None:
    """Tell what is open: pack, state, book file, undecided, disputed, oldest access.

    Exit code 1: a required decision is open.
    """
    from researchpack.reviewing import status_json, status_text, statuses

    found = statuses(project(context.obj), [pack_name(p) for p in packs], today or clock())
    click.echo(status_json(found) if form == "json" else status_text(found), nl=False)
    wanted = {word.strip() for word in require.split(",") if word.strip()}
    unknown = wanted - {name for s in found for name in s.proposals}
    if unknown:
        raise UsageFault(f"No pack that was named has a proposal {', '.join(sorted(unknown))}.")
    still = [
        f"{s.pack}: {', '.join(w for w in s.undecided if w in wanted)}"
        for s in found
        if wanted & set(s.undecided)
    ]
    for line in still:
        click.echo(f"still undecided in {line}", err=True)
    context.exit(PROBLEMS if still else FINE)


@review.command("walk", epilog="Example: researchpack review walk debugging-ai/39-chapter")
@click.argument("pack")
@click.option("--undecided", is_flag=True, help="Only what has no valid decision yet.")
@click.option("--by", help="Your name or role; else asked once.")
@today_option
@click.pass_context
def review_walk(
    context: click.Context, pack: str, undecided: bool, by: str | None, today: str | None
) -> None:
    """Decide proposal by proposal in the terminal.

    Every decision is written at once, so that nothing is lost when you stop.
    """
    from researchpack.walking import walk

    walk(project(context.obj), pack, undecided=undecided, by=by, today=today or clock())


@click.command(epilog="Example: researchpack resnapshot debugging-ai/39-chapter new.txt --dry-run")
@click.argument("pack")
@click.argument("new_file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Tell what would happen and write nothing.")
@click.option("--accept", default="", metavar="IDS", help="Take over the changed wording: C12,C15.")
@told_as_option
@today_option
@click.pass_context
def resnapshot(
    context: click.Context,
    pack: str,
    new_file: Path,
    dry_run: bool,
    accept: str,
    form: str,
    today: str | None,
) -> None:
    """Take a new revision of the chapter, and follow every claim into it.

    The old revision is kept. A claim whose words stand in the new one follows; every other claim
    keeps its old passage until a person accepts the new wording. Exit code 1: a claim needs a
    person.
    """
    from researchpack import resnapshot as story

    ids = [word.strip() for word in accept.split(",") if word.strip()]
    data = disk.read_bytes(new_file)
    planned = story.resnapshot(project(context.obj), pack, data, ids, today or clock())
    if not dry_run:
        story.write(planned)
    click.echo(story.as_json(planned) if form == "json" else story.as_text(planned), nl=False)
    if form == "text" and dry_run:
        click.echo("Nothing was written.", err=True)
    context.exit(PROBLEMS if planned.open else FINE)


@click.group("pass")
def pass_group() -> None:
    """Research passes of a pack."""


@pass_group.command("close", epilog="Example: researchpack pass close debugging-ai/39-chapter")
@click.argument("pack")
@click.option("--record", is_flag=True, help="Also add the entry of this pass to pack.yaml.")
@click.pass_context
def close(context: click.Context, pack: str, record: bool) -> None:
    """Freeze a pack as it is now, so that a later pass can show what changed since."""
    from researchpack.passing import close_pass

    closed = close_pass(project(context.obj), pack, datetime.now(tz=UTC), record=record)
    click.echo(f"Frozen as {closed.path}\nPass id {closed.id}")
    if not closed.has_entry:
        click.echo("pack.yaml has no entry of this pass: add one, or use --record.", err=True)


COMMANDS: tuple[click.Command, ...] = (patch, review, resnapshot, pass_group)
