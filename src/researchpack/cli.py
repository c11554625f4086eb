"""The command line: arguments, printing and exit codes. The work is done elsewhere.

Exit codes: 0 fine; 1 problems in the inputs; 2 usage; 3 the tool itself failed.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from researchpack import __version__, disk
from researchpack._cli import (
    FAILED,
    FINE,
    PROBLEMS,
    USAGE,
    clock,
    format_option,
    pack_name,
    project,
    records_option,
    today_option,
    told_as_option,
)
from researchpack.checking import check_file, check_packs, fails, in_order
from researchpack.cli_experiment import COMMANDS as EXPERIMENTS
from researchpack.cli_review import COMMANDS as REVIEW
from researchpack.problems import PackError, UsageFault
from researchpack.reports import REPORTS, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.problems import Problem


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="researchpack")
@click.option(
    "-C",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The project's folder; else the nearest one upwards with mkdocs.yml and research/.",
)
@click.pass_context
def cli(context: click.Context, folder: Path | None) -> None:
    """Turn the working files of a chapter audit into a browsable, verifiable research pack.

    A pack is named by book and chapter, such as debugging-ai/39-chapter. No name means all.
    """
    context.obj = folder


@cli.command(epilog="Example: researchpack new debugging-ai/39-chapter chapter.txt --number 39")
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


@cli.command(epilog="Example: researchpack brief debugging-ai/39-chapter -o brief.md")
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


@cli.command(epilog="Example: researchpack ingest debugging-ai/39-chapter report.md --dry-run")
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


@cli.command(epilog="Example: researchpack export debugging-ai/39-chapter --to report -o report.md")
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


@cli.command(epilog="Example: researchpack check debugging-ai/39-chapter --format github")
@click.argument("targets", metavar="[PACK or FILE]...", nargs=-1)
@records_option
@format_option
@click.option("--strict", is_flag=True, help="Let a warning fail the check too.")
@click.option("--fix", is_flag=True, help="First offer what registries say instead, one by one.")
@click.option("--yes", is_flag=True, help="With --fix: take everything that is offered.")
@today_option
@click.pass_context
def check(
    context: click.Context,
    targets: Sequence[str],
    records: Path | None,
    form: str,
    strict: bool,
    fix: bool,
    yes: bool,
    today: str | None,
) -> None:
    """Tell everything that is wrong with packs or files, in file order.

    A file inside a pack is checked with its pack, and only its own problems are told. A file that
    belongs to no project is checked by the rules that need nothing else.
    """
    if yes and not fix:
        raise click.UsageError("--yes belongs to --fix.")
    if fix:
        _fix(context.obj, targets, today or clock(), records, yes=yes)
    problems = _check(context.obj, targets, today or clock(), records)
    click.echo(REPORTS[form](problems), nl=False)
    click.echo(f"{summary(problems)}.", err=True)
    context.exit(PROBLEMS if fails(problems, strict=strict) else FINE)


@cli.command(epilog="Example: researchpack refresh debugging-ai/39-chapter --older-than 30d")
@click.argument("targets", metavar="[PACK or FILE]...", nargs=-1)
@click.option("--older-than", metavar="AGE", help="Only what was checked longer ago, such as 30d.")
@click.option("--offline", is_flag=True, help="Ask nobody; use what the cache holds.")
@click.option("--only", default="", metavar="IDS", help="Only these sources or keys: S2,S8.")
@records_option
@format_option
@today_option
@click.pass_context
def refresh(
    context: click.Context,
    targets: Sequence[str],
    older_than: str | None,
    offline: bool,
    only: str,
    records: Path | None,
    form: str,
    today: str | None,
) -> None:
    """Ask registries about the sources, and keep what they say in bib/records.

    Crossref, DataCite, arXiv, Open Library, or the page itself, by the identifier of each source.
    Beside cite, no other command reaches the network. What cannot be asked keeps its record. Exit
    code 1: an identifier does not exist, or nobody could be asked at all.
    """
    from researchpack.refreshing import Order, run

    order = Order(
        targets=tuple(targets),
        records=records,
        older_than=older_than,
        offline=offline,
        only=tuple(word.strip() for word in only.split(",") if word.strip()),
    )
    with _Progress() as progress:
        told = run(context.obj, order, dict(os.environ), datetime.now(tz=UTC), today, progress)
    click.echo(REPORTS[form](told.problems), nl=False)
    click.echo("".join(f"{line}\n" for line in told.lines), nl=False, err=True)
    failed = told.all_failed or fails(told.problems, strict=False)
    context.exit(PROBLEMS if failed else FINE)


@cli.command(epilog="Example: researchpack cite 10.1287/inte.20.4.74 --bib")
@click.argument("identifier")
@click.option("--pack", help="Whose ledger or bibliography; else the only one of the project.")
@click.option("--bib", is_flag=True, help="Into the book's .bib file instead of the ledger.")
@click.option("--offline", is_flag=True, help="Ask nobody; use the records and the cache.")
@records_option
@format_option
@today_option
@click.pass_context
def cite(
    context: click.Context,
    identifier: str,
    pack: str | None,
    bib: bool,
    offline: bool,
    records: Path | None,
    form: str,
    today: str | None,
) -> None:
    """Add a source to the ledger of a pack, from what the registry says about its identifier.

    A DOI, an arXiv number, an ISBN or the address of a page, in any wrapping. Nothing else of the
    file changes. The entry says that nobody has read the source yet, and the problems that are
    told are what a person has to add. Exit code 1: nothing could be added.
    """
    from researchpack.citing import Order, run

    order = Order(
        identifier=identifier,
        pack=pack_name(pack) if pack is not None else None,
        bib=bib,
        offline=offline,
        records=records,
    )
    cited = run(project(context.obj), order, dict(os.environ), today or clock())
    click.echo(REPORTS[form](cited.problems), nl=False)
    for line in (*cited.lines, *([cited.entry] if cited.entry else [])):
        click.echo(line, err=True)
    context.exit(PROBLEMS if cited.outcome == "refused" else FINE)


class _Progress:
    """A bar on a terminal; elsewhere a line for every tenth of the work."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._told = 0

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def __call__(self, done: int, of: int) -> None:
        """So many of so many are done."""
        if sys.stderr.isatty():
            if self._bar is None:
                self._bar = click.progressbar(length=of, label="Asking", file=sys.stderr)
            self._bar.update(done - self._bar.pos)
        elif done and (done == of or done * 10 // of > self._told):
            self._told = done * 10 // of
            click.echo(f"Asked about {done} of {of}.", err=True)


@cli.command(epilog="Example: researchpack build --strict")
@click.option("--strict", is_flag=True, help="Build nothing when a check finds an error.")
@click.option(
    "--site",
    "site",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the site goes; else as mkdocs.yml says.",
)
@format_option
@today_option
@click.pass_context
def build(
    context: click.Context, strict: bool, site: Path | None, form: str, today: str | None
) -> None:
    """Build the site.

    A pack with a broken file shows the rest and says what is wrong. With --strict an error stops
    the build before anything is written.
    """
    from researchpack.site import build_site  # MkDocs takes half a second to import

    root = project(context.obj)
    problems = check_packs(root, (), today or clock(), drafts=False)
    click.echo(REPORTS[form](problems), nl=False)
    if strict and fails(problems, strict=False):
        click.echo(f"{summary(problems)}. Nothing was built.", err=True)
        context.exit(PROBLEMS)
    pages = build_site(root, site)
    click.echo(f"{summary(problems)}. Built {pages} pages.", err=True)


@cli.command(epilog="Example: researchpack serve --port 8123")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Where it listens on 127.0.0.1; 0 takes a free one.",
)
@click.pass_context
def serve(context: click.Context, port: int) -> None:
    """Show the site on this machine, and build it again whenever a file is saved.

    Drafts are shown. An error is told in the page and in the terminal, and the last good state
    stays. Only this machine can open it.
    """
    from researchpack.live import LiveServer
    from researchpack.serving import serve_project, take_decisions
    from researchpack.site import build_site, site_prefix

    root = project(context.obj)
    folder = root / ".cache" / "serve"
    review = take_decisions(root, clock())
    server = LiveServer(folder, site_prefix(root), port, review)
    serve_project(root, server, lambda site: build_site(root, folder, site=site), click.echo)


@cli.command(epilog="Example: researchpack resnapshot debugging-ai/39-chapter new.txt --dry-run")
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


for _command in (*REVIEW, *EXPERIMENTS):
    cli.add_command(_command)


def main() -> None:
    """Run the command line; no fault of content or of the world ends in a traceback."""
    try:
        code = cli.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else FINE)
    except click.ClickException as fault:
        fault.show()
        sys.exit(fault.exit_code)
    except UsageFault as fault:
        click.echo(f"Error: {fault}", err=True)
        sys.exit(USAGE)
    except PackError as fault:
        click.echo(f"Error: {fault}", err=True)
        sys.exit(FAILED)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FINE)
    except Exception as fault:
        if os.environ.get("RESEARCHPACK_DEBUG"):
            raise
        words = f"researchpack itself failed: {type(fault).__name__}: {fault}"
        click.echo(f"{words}\nSet RESEARCHPACK_DEBUG=1 to see where.", err=True)
        sys.exit(FAILED)


def _check(
    folder: Path | None, targets: Sequence[str], today: str, records: Path | None
) -> list[Problem]:
    """The problems of the packs and files that were named; of all packs when none was."""
    files = [Path(target) for target in targets if Path(target).is_file()]
    names = [target for target in targets if not Path(target).is_file()]
    problems: list[Problem] = []
    if names or not files:
        problems += check_packs(
            project(folder), [pack_name(name) for name in names], today, records=records
        )
    for path in files:
        problems += check_file(path, folder, today, records)
    return in_order(problems)


def _fix(
    folder: Path | None, targets: Sequence[str], today: str, records: Path | None, *, yes: bool
) -> None:
    """Offer what registries say; without a terminal and without `yes` only show it."""
    from researchpack.fixing import fix, seen

    files = [Path(target) for target in targets if Path(target).is_file()]
    names = [pack_name(target) for target in targets if not Path(target).is_file()]
    root = folder if files and not names else project(folder)

    def ask() -> str:
        words = "Write this? [y]es [n]o [a]ll [q]uit"
        keys = click.Choice(["y", "n", "a", "q", "yes", "no", "all", "quit"], case_sensitive=False)
        return str(click.prompt(words, type=keys, show_choices=False, err=True))[0]

    answer = (lambda: "a") if yes else ask if sys.stdin.isatty() else None
    found = seen(root, names, files, today, records)
    done = fix(found, answer, lambda line: click.echo(line, err=True))
    told = f"{done.changed} changed, {done.left} left as they are."
    if answer is None and done.left:
        told += " Nothing is written without a terminal; --yes takes everything."
    click.echo(told, err=True)
