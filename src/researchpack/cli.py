"""The command line: arguments, printing and exit codes. The work is done elsewhere.

Exit codes: 0 fine; 1 problems in the inputs; 2 usage; 3 the tool itself failed.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from researchpack import __version__, disk
from researchpack.checking import check_file, check_packs, fails, in_order
from researchpack.problems import NoProject, PackError, UsageFault
from researchpack.reports import REPORTS, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.problems import Problem

FINE, PROBLEMS, USAGE, FAILED = 0, 1, 2, 3


class _Day(click.ParamType[str]):
    """An ISO date."""

    name = "DATE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            self.fail(f"{value!r} is not a date like 2026-11-30.", param, ctx)


_today = click.option(
    "--today",
    type=_Day(),
    envvar="RESEARCHPACK_TODAY",
    help="Judge dates as on this day, such as 2026-11-30; else by the clock.",
)
_format = click.option(
    "--format",
    "form",
    type=click.Choice(list(REPORTS)),
    default="text",
    show_default=True,
    help="How problems are told.",
)
_told_as = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is told.",
)
_records = click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the registries' records; else bib/records of the project.",
)


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
@_today
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
    written = begin(_project(context.obj), name, snapshot, said, today or _clock())
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

    told = brief_of(_project(context.obj), pack, budget)
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
@_format
@_today
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
        told = story.parse_only(data, parse_only.as_posix(), today or _clock(), words)
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    if pack is None or report is None or chapter is not None:
        raise click.UsageError("Name a pack and a report, or a report with --parse-only.")
    if accept_with_errors != (by is not None):
        raise click.UsageError("--accept-with-errors and --by NAME go together.")
    root = _project(context.obj)
    found = story.ingest(root, _name(pack), report, today or _clock(), accepted_by=by)
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
    type=click.Choice(["report"]),
    required=True,
    help="What the pack becomes: `report`, which `ingest` reads back.",
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

    data = export_pack(_project(context.obj), _name(pack), to)
    if output is None:
        click.echo(data.decode(), nl=False)
    else:
        disk.write_bytes(output, data)


@cli.command(epilog="Example: researchpack check debugging-ai/39-chapter --format github")
@click.argument("targets", metavar="[PACK or FILE]...", nargs=-1)
@_records
@_format
@click.option("--strict", is_flag=True, help="Let a warning fail the check too.")
@click.option("--fix", is_flag=True, help="First offer what registries say instead, one by one.")
@click.option("--yes", is_flag=True, help="With --fix: take everything that is offered.")
@_today
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
        _fix(context.obj, targets, today or _clock(), records, yes=yes)
    problems = _check(context.obj, targets, today or _clock(), records)
    click.echo(REPORTS[form](problems), nl=False)
    click.echo(f"{summary(problems)}.", err=True)
    context.exit(PROBLEMS if fails(problems, strict=strict) else FINE)


@cli.command(epilog="Example: researchpack refresh debugging-ai/39-chapter --older-than 30d")
@click.argument("targets", metavar="[PACK or FILE]...", nargs=-1)
@click.option("--older-than", metavar="AGE", help="Only what was checked longer ago, such as 30d.")
@click.option("--offline", is_flag=True, help="Ask nobody; use what the cache holds.")
@click.option("--only", default="", metavar="IDS", help="Only these sources or keys: S2,S8.")
@_records
@_format
@_today
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
@_records
@_format
@_today
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
        pack=_name(pack) if pack is not None else None,
        bib=bib,
        offline=offline,
        records=records,
    )
    cited = run(_project(context.obj), order, dict(os.environ), today or _clock())
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
@_format
@_today
@click.pass_context
def build(
    context: click.Context, strict: bool, site: Path | None, form: str, today: str | None
) -> None:
    """Build the site.

    A pack with a broken file shows the rest and says what is wrong. With --strict an error stops
    the build before anything is written.
    """
    from researchpack.site import build_site  # MkDocs takes half a second to import

    root = _project(context.obj)
    problems = check_packs(root, (), today or _clock(), drafts=False)
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

    root = _project(context.obj)
    folder = root / ".cache" / "serve"
    review = take_decisions(root, _clock())
    server = LiveServer(folder, site_prefix(root), port, review)
    serve_project(root, server, lambda site: build_site(root, folder, site=site), click.echo)


@cli.command(epilog="Example: researchpack resnapshot debugging-ai/39-chapter new.txt --dry-run")
@click.argument("pack")
@click.argument("new_file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Tell what would happen and write nothing.")
@click.option("--accept", default="", metavar="IDS", help="Take over the changed wording: C12,C15.")
@_told_as
@_today
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
    planned = story.resnapshot(_project(context.obj), pack, data, ids, today or _clock())
    if not dry_run:
        story.write(planned)
    click.echo(story.as_json(planned) if form == "json" else story.as_text(planned), nl=False)
    if form == "text" and dry_run:
        click.echo("Nothing was written.", err=True)
    context.exit(PROBLEMS if planned.open else FINE)


@cli.command(epilog="Example: researchpack patch debugging-ai/39-chapter -o changes.patch")
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
@_today
@click.pass_context
def patch(
    context: click.Context, pack: str, against: Path | None, output: Path | None, today: str | None
) -> None:
    """Write the accepted and revised proposals as one unified diff.

    `git apply` takes it at the project's root. Proposals that overlap, or need one that is not
    accepted, are refused with both named.
    """
    from researchpack.patching import make_patch

    made = make_patch(_project(context.obj), pack, today or _clock(), against)
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


@cli.group()
def review() -> None:
    """Decisions on proposals and findings."""


@review.command("apply", epilog="Example: researchpack review apply debugging-ai/39-chapter r.yaml")
@click.argument("pack")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_today
@click.pass_context
def review_apply(context: click.Context, pack: str, file: Path, today: str | None) -> None:
    """Merge decisions that were made in the browser into the pack's review.yaml.

    A decision on something that has changed since is refused; where somebody has decided
    otherwise since, the conflict is listed and left to you. Exit code 1: one of these.
    """
    from researchpack.reviewing import apply_file

    merged = apply_file(_project(context.obj), pack, file, today or _clock())
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
@_told_as
@_today
@click.pass_context
def review_status(
    context: click.Context, packs: Sequence[str], require: str, form: str, today: str | None
) -> None:
    """Tell what is open: pack, state, book file, undecided, disputed, oldest access.

    Exit code 1: a required decision is open.
    """
    from researchpack.reviewing import status_json, status_text, statuses

    found = statuses(_project(context.obj), [_name(p) for p in packs], today or _clock())
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
@_today
@click.pass_context
def review_walk(
    context: click.Context, pack: str, undecided: bool, by: str | None, today: str | None
) -> None:
    """Decide proposal by proposal in the terminal.

    Every decision is written at once, so that nothing is lost when you stop.
    """
    from researchpack.walking import walk

    walk(_project(context.obj), pack, undecided=undecided, by=by, today=today or _clock())


@cli.group("pass")
def pass_group() -> None:
    """Research passes of a pack."""


@pass_group.command("close", epilog="Example: researchpack pass close debugging-ai/39-chapter")
@click.argument("pack")
@click.option("--record", is_flag=True, help="Also add the entry of this pass to pack.yaml.")
@click.pass_context
def close(context: click.Context, pack: str, record: bool) -> None:
    """Freeze a pack as it is now, so that a later pass can show what changed since."""
    from researchpack.passing import close_pass

    closed = close_pass(_project(context.obj), pack, datetime.now(tz=UTC), record=record)
    click.echo(f"Frozen as {closed.path}\nPass id {closed.id}")
    if not closed.has_entry:
        click.echo("pack.yaml has no entry of this pass: add one, or use --record.", err=True)


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
            _project(folder), [_name(name) for name in names], today, records=records
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
    names = [_name(target) for target in targets if not Path(target).is_file()]
    root = folder if files and not names else _project(folder)

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


def _name(target: str) -> str:
    """The name of a pack, also when its folder was named."""
    folder = Path(target).resolve()
    if folder.is_dir() and folder.parent.parent.name == "research":
        return f"{folder.parent.name}/{folder.name}"
    return target


def _project(folder: Path | None) -> Path:
    if folder is not None:
        if (folder / "mkdocs.yml").is_file() and (folder / "research").is_dir():
            return folder.resolve()
        raise NoProject(f"{folder} is no project: it does not hold mkdocs.yml and research/.")
    return disk.find_project(Path.cwd())


def _clock() -> str:
    return datetime.now(tz=UTC).date().isoformat()
