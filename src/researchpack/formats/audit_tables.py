"""The claim-audit and source tables of a report that came back -> rows.

A report is not the author's file: every way of writing a cell is read that leaves no doubt, and
what was read otherwise than it stands is told as an `Oddity`. A value that is not there, or that
nobody can tell, is None; its words stay beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.formats._audit_rows import (
    ClaimRow,
    Document,
    SourceRow,
    claim_row,
    source_row,
)
from researchpack.formats._cells import plain
from researchpack.formats._columns import (
    CLAIM_NAMES,
    SOURCE_NAMES,
    claim_fields,
    plain_name,
    source_fields,
)
from researchpack.formats._dates import read_date
from researchpack.formats._headers import Vocabulary
from researchpack.formats._links import read_footnotes, read_link_targets
from researchpack.formats._sheets import read_sheets
from researchpack.tables import Oddity, read_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from researchpack.formats._headers import Columns
    from researchpack.formats._sheets import Entry, Sheets
    from researchpack.tables import Prose, Table

__all__ = [
    "ClaimRow",
    "ClaimTables",
    "SourceRow",
    "SourceTables",
    "read_claim_tables",
    "read_footnotes",
    "read_link_targets",
    "read_source_tables",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimTables:
    """What the claim-audit section holds."""

    claims: tuple[ClaimRow, ...]
    oddities: tuple[Oddity, ...]
    """In the order of the text."""
    others: tuple[Table, ...]
    """Tables that are no claim audit, such as a legend."""
    prose: tuple[Prose, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTables:
    """What the source-ledger section holds."""

    sources: tuple[SourceRow, ...]
    oddities: tuple[Oddity, ...]
    others: tuple[Table, ...]
    prose: tuple[Prose, ...]


def _is_claim_table(columns: Columns) -> bool:
    known = columns.known
    return "claim" in known and bool(known & {"id", *_CLAIM_REQUIRED}) and not _is_ledger(columns)


def _is_source_table(columns: Columns) -> bool:
    known = columns.known
    return bool(known & {"identity", "url"}) and len(known) > 1 and not _is_audit(columns)


def _is_ledger(columns: Columns) -> bool:
    """Whether columns that could be an audit's are a ledger's: both have claims and sources."""
    fields = {SOURCE_NAMES.get(plain_name(header)) for header in columns.headers}
    return len(fields & {"url", "reading_status", "verified", "accessed"}) > 1


def _is_audit(columns: Columns) -> bool:
    fields = {CLAIM_NAMES.get(plain_name(header)) for header in columns.headers}
    return bool(fields & {"priority", "response"})


_CLAIM_REQUIRED: Final = ("evidence", "concern", "priority", "response")
_CLAIMS: Final = Vocabulary(
    fields_of=claim_fields,
    names=CLAIM_NAMES,
    is_kind=_is_claim_table,
    order=("id", "claim", "where", "evidence", "concern", "priority", "response"),
    notes="concern",
    required=_CLAIM_REQUIRED,
)
_SOURCES: Final = Vocabulary(
    fields_of=source_fields,
    names=SOURCE_NAMES,
    is_kind=_is_source_table,
    order=(
        "id",
        "identity",
        "url",
        "reading_status",
        "bears_on",
        "limitations",
        "verified",
        "accessed",
    ),
    notes="limitations",
    required=("url", "reading_status", "verified", "accessed"),
)


def read_claim_tables(
    text: str,
    *,
    first_line: int = 1,
    footnotes: Mapping[str, str] | None = None,
    targets: Mapping[str, str] | None = None,
) -> ClaimTables:
    """The rows of the claim-audit section of a report, in its order, duplicates included.

    `first_line` is the number of the first line of `text` in the report. `footnotes` and `targets`
    (`read_footnotes`, `read_link_targets`) are those of the whole report; without them, of `text`.
    No claims means that no table was found that has a claim column.
    """
    reading = read_tables(text, first_line=first_line)
    sheets = read_sheets(reading, _CLAIMS)
    document = Document(
        footnotes=read_footnotes(text) if footnotes is None else footnotes,
        targets=read_link_targets(text) if targets is None else targets,
    )
    claims = tuple(claim_row(entry, document) for entry in sheets.entries)
    ids = ((row.covers or ((row.id,) if row.id else ()), row) for row in claims)
    _tell_duplicates(ids, "claim", sheets)
    return ClaimTables(
        claims=claims,
        oddities=_sorted(reading.oddities, sheets.oddities),
        others=tuple(sheets.others),
        prose=reading.prose,
    )


def read_source_tables(
    text: str,
    *,
    first_line: int = 1,
    today: date | None = None,
    footnotes: Mapping[str, str] | None = None,
    targets: Mapping[str, str] | None = None,
) -> SourceTables:
    """The rows of the source-ledger section of a report, in its order, duplicates included.

    `today` decides which dates are in the future; without it none are. For the rest see
    `read_claim_tables`.
    """
    reading = read_tables(text, first_line=first_line)
    sheets = read_sheets(reading, _SOURCES)
    document = Document(
        footnotes=read_footnotes(text) if footnotes is None else footnotes,
        targets=read_link_targets(text) if targets is None else targets,
    )
    sources = tuple(
        source_row(entry, document, _dates(entry, today, sheets)) for entry in sheets.entries
    )
    ids = (((row.id,) if row.id else (), row) for row in sources)
    _tell_duplicates(ids, "source", sheets)
    return SourceTables(
        sources=sources,
        oddities=_sorted(reading.oddities, sheets.oddities),
        others=tuple(sheets.others),
        prose=reading.prose,
    )


def _dates(entry: Entry, today: date | None, sheets: Sheets) -> dict[str, str | None]:
    """The dates of a source, and what is wrong with them."""
    found = {}
    for name in ("verified", "accessed"):
        read = read_date(plain(entry.raw(name)), today)
        found[name] = read.iso
        if read.code:
            cell = entry.cells[name]
            what = _DATES[read.code].format(plain(cell.text))
            sheets.oddities.append(
                Oddity(line=cell.line, column=cell.column, code=read.code, what=what)
            )
    return found


_DATES: Final = {
    "ambiguous-date": '"{}" may mean more than one day, so no date was taken from it.',
    "bad-date": '"{}" is not a date that exists.',
    "future-date": 'The date "{}" is in the future.',
    "relative-date": '"{}" depends on the day on which it was written, so no date was taken.',
}


def _tell_duplicates(
    rows: Iterable[tuple[Sequence[str], ClaimRow | SourceRow]], kind: str, sheets: Sheets
) -> None:
    """Tells of every id that a row shares with one before it."""
    first: dict[str, int] = {}
    for ids, row in rows:
        for name in ids:
            if name in first:
                what = f'The id "{name}" stands on line {first[name]} too; both rows were kept.'
                code = f"duplicate-{kind}-id"
                sheets.oddities.append(
                    Oddity(line=row.line, column=row.column, code=code, what=what)
                )
            first.setdefault(name, row.line)


def _sorted(*lists: Iterable[Oddity]) -> tuple[Oddity, ...]:
    every = (oddity for oddities in lists for oddity in oddities)
    return tuple(sorted(every, key=lambda oddity: (oddity.line, oddity.column, oddity.code)))
