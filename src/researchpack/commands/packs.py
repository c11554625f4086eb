"""The commands by which a pack comes about and leaves: new, brief, ingest, export."""

from __future__ import annotations

import json
from pathlib import Path

import click

from researchpack import disk
from researchpack.commands._shared import (
    FINE,
    PROBLEMS,
    clock,
    format_option,
    pack_name,
    project,
    today_option,
)
from researchpack.reports import REPORTS, summary


@click.command(epilog="Example: researchpack new debugging-ai/39-chapter chapter.txt --number 39")
@click.argument("name", metavar="BOOK/CHAPTER")
@click.argument("snapshot", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--title", help="Of the chapter; else its first heading.")
@click.option("--number", help="Of the chapter; else the digits that its name begins with.")
@click.option("--url", help="Where the chapter is published.")
@click.option("--book-title", help="Of the book, when it is new; else its name.")
@today_option
@click.pass_context
def new(
    context: click.Context,
    name: str,
    snapshot: Path,
    title: str | None,
    number: str | None,
    url: str | None,
    book_title: str | None,
    today: str | None,
) -> None:
    """Begin a pack: freeze a chapter, propose its layout, and make the files that people fill.

    The chapter is kept byte for byte. Look at `layout` in pack.yaml: which lines are headings is
    guessed.
    """
    from researchpack.starting import Beginning, begin

    said = Beginning(title=title, number=number, url=url, book_title=book_title)
    written = begin(project(context.obj), name, snapshot, said, today or clock())
    click.echo("".join(f"{path}\n" for path in written), nl=False)
    click.echo("Look at `layout` in pack.yaml, then write the brief.", err=True)


@click.command(epilog="Example: researchpack brief debugging-ai/39-chapter -o brief.md")
@click.argument("pack")
@click.option("--budget", type=click.IntRange(min=1), help="At most so many bytes.")
@click.option(
    "-o",
    "output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; else standard output.",
)
@click.pass_context
def brief(context: click.Context, pack: str, budget: int | None, output: Path | None) -> None:
    """Write the brief that is handed to a researcher, a person or a language model.

    The chapter is in it whole; with --budget its beginning, up to the end of a sentence.
    """
    from researchpack.briefing import brief_of

    told = brief_of(project(context.obj), pack, budget)
    if output is None:
        click.echo(told, nl=False)
    else:
        disk.write_bytes(output, told.encode())
        click.echo(f"{output}: {len(told.encode())} bytes", err=True)


@click.command(epilog="Example: researchpack ingest debugging-ai/39-chapter report.md --dry-run")
@click.argument("pack", required=False)
@click.argument("report", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Tell what is wrong and write nothing.")
@click.option("--accept-with-errors", is_flag=True, help="Take it in although it has errors.")
@click.option("--by", metavar="NAME", help="Who accepts the errors: a name or a role.")
@click.option(
    "--parse-only",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="REPORT",
    help="Print what a report says, and need no project.",
)
@click.option(
    "--chapter",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --parse-only: the chapter in which the claims are looked for.",
)
@format_option
@today_option
@click.pass_context
def ingest(
    context: click.Context,
    pack: str | None,
    report: Path | None,
    dry_run: bool,
    accept_with_errors: bool,
    by: str | None,
    parse_only: Path | None,
    chapter: Path | None,
    form: str,
    today: str | None,
) -> None:
    """Take in a report that came back, and merge it into the pack's own files.

    Everything that is wrong is told at once, in lines that can be sent back as they are. A report
    with errors is refused: it is kept with the list, and what stood before stays. Exit code 1:
    the report has errors.
    """
    from researchpack import ingesting as story

    if parse_only is not None:
        if pack is not None:
            raise click.UsageError("--parse-only takes one report and no pack.")
        words = disk.read_bytes(chapter) if chapter is not None else None
        data = disk.read_bytes(parse_only)
        told = story.parse_only(data, parse_only.as_posix(), today or clock(), words)
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    if pack is None or report is None or chapter is not None:
        raise click.UsageError("Name a pack and a report, or a report with --parse-only.")
    if accept_with_errors != (by is not None):
        raise click.UsageError("--accept-with-errors and --by NAME go together.")
    root = project(context.obj)
    found = story.ingest(root, pack_name(pack), report, today or clock(), accepted_by=by)
    if not dry_run:
        story.write(found)
    click.echo(REPORTS[form](found.problems), nl=False)
    click.echo(story.as_text(found), nl=False, err=True)
    kept = "Nothing was written" if dry_run else f"Kept as {found.report}"
    click.echo(f"{summary(found.problems)}. The report was {found.outcome}. {kept}.", err=True)
    context.exit(PROBLEMS if found.refused else FINE)


@click.command(
    epilog="Example: researchpack export debugging-ai/39-chapter --to report -o report.md"
)
@click.argument("pack")
@click.option(
    "--to",
    type=click.Choice(["report", "notebook"]),
    required=True,
    help="What the pack becomes: `report`, which `ingest` reads back, or `notebook`, which runs"
    " its experiments again.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; else standard output.",
)
@click.pass_context
def export(context: click.Context, pack: str, to: str, output: Path | None) -> None:
    """Write a pack as one file for other programs and people.

    The bytes depend on the pack's files only.
    """
    from researchpack.exporting import export as export_pack

    data = export_pack(project(context.obj), pack_name(pack), to)
    if output is None:
        click.echo(data.decode(), nl=False)
    else:
        disk.write_bytes(output, data)


COMMANDS: tuple[click.Command, ...] = (new, brief, ingest, export)
