"""The commands that ask registries: refresh, cite."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from researchpack.checking import fails
from researchpack.commands._shared import (
    FINE,
    PROBLEMS,
    clock,
    format_option,
    pack_name,
    project,
    records_option,
    today_option,
)
from researchpack.reports import REPORTS

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command(epilog="Example: researchpack refresh debugging-ai/39-chapter --older-than 30d")
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


@click.command(epilog="Example: researchpack cite 10.1287/inte.20.4.74 --bib")
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


COMMANDS: tuple[click.Command, ...] = (refresh, cite)
