"""`claims.md` -> `ClaimAudit`: the claim table(s), and what stands around them.

Header names decide, not positions. The rows are read by `tables`, which loses nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.cites import ID
from researchpack.formats._columns import claim_field
from researchpack.formats._shared import Notes, Parsed
from researchpack.places import Lines, Place, Text
from researchpack.problems import error, warning
from researchpack.records import Claim, ClaimAudit, Quote, Where
from researchpack.tables import read_tables

if TYPE_CHECKING:
    from researchpack.tables import Cell, Row, Table

REQUIRED: Final = ("id", "claim", "where", "evidence", "concern", "priority", "response")
_HEADERS: Final = {
    "id": "ID",
    "claim": "Claim",
    "where": "Where",
    "evidence": "Current evidence",
    "concern": "Concern",
    "priority": "Priority",
    "response": "Response",
}
_PAIRS: Final = (('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("‘", "’"), ("'", "'"))
_CODE: Final = re.compile(r"(`+)(?!`)(.*?)(?<!`)\1(?!`)", re.DOTALL)
_WHICH: Final = re.compile(r"\s*\((\d+)(?: of (\d+)| places)\)$")
_NEXT: Final = re.compile(r"(?<=[\"“”»’'`\]])\s*;\s*(?=[\"“„«‘'`\[])")
_CLAIM: Final = re.compile(rf"\[?({ID.pattern})\]?")


def read_claims(text: str, path: str) -> Parsed[ClaimAudit]:
    """The rows in file order; two rows with one id are both kept."""
    notes = Notes()
    reading = read_tables(text)
    for oddity in reading.oddities:
        place = Place(path, oddity.line, oddity.column)
        fix = "Put every claim on one line, and write a bar inside a cell as \\|."
        notes.problems.append(warning(place, f"table.{oddity.code}", oddity.what, fix))
    lines = Lines(text, path)
    rows: list[Claim] = []
    for table in reading.tables:
        rows += _table(table, path, lines, notes)
    prose = tuple(
        Text(part.text.strip("\r\n"), Place(path, part.line))
        for part in reading.prose
        if part.text.strip()
    )
    audit = any({"id", "claim"} & set(map(claim_field, _words(t))) for t in reading.tables)
    if not rows and not audit and "|" in text:
        notes.problems.append(
            error(
                Place(path),
                "claims.no-rows",
                "The file holds no claim that can be read.",
                f"Write a table with the columns {' | '.join(_HEADERS.values())}.",
            )
        )
    return notes.parsed(ClaimAudit(claims=tuple(rows), notes=prose))


def _words(table: Table) -> list[str]:
    return [cell.text for cell in table.header]


def _table(table: Table, path: str, lines: Lines, notes: Notes) -> list[Claim]:
    """The claims of one table; a table without a claim column holds none."""
    fields = [claim_field(cell.text) for cell in table.header]
    if "claim" not in fields and "id" not in fields:
        return []
    for field in REQUIRED:
        if field not in fields:
            notes.problems.append(
                error(
                    Place(path, table.line),
                    "table.missing-column",
                    f'The table has no column "{_HEADERS[field]}".',
                    f"Add the column; write `{' | '.join(_HEADERS.values())}` as the header.",
                )
            )
    fields = _once(table, fields, path, notes)
    found = []
    for row in table.rows:
        cells = {f: c for f, c in zip(fields, row.cells, strict=False) if f is not None}
        claim = _Row(row, cells, path, lines, notes).claim()
        if claim is not None:
            found.append(claim)
    return found


def _once(table: Table, fields: list[str | None], path: str, notes: Notes) -> list[str | None]:
    """The fields, each once: of two columns that mean the same the first one counts."""
    kept: list[str | None] = []
    for field, cell in zip(fields, table.header, strict=True):
        first = table.header[kept.index(field)] if field in kept and field else None
        if first is not None:
            notes.problems.append(
                warning(
                    Place(path, cell.line, cell.column),
                    "table.duplicate-column",
                    f'Two columns mean the same: "{first.text}" and "{cell.text}".',
                    "Keep one of the two; until then the first one counts.",
                )
            )
        kept.append(None if first is not None else field)
    return kept


class _Row:
    """One row with its cells by field."""

    def __init__(
        self, row: Row, cells: dict[str, Cell], path: str, lines: Lines, notes: Notes
    ) -> None:
        self._cells = cells
        self._path = path
        self._lines = lines
        self._notes = notes
        self._place = Place(path, row.line)

    def claim(self) -> Claim | None:
        """The claim, or None (and a problem) when the row has no id."""
        claim_id = self._text("id")
        bare = _CLAIM.fullmatch(claim_id.strip("*_` "))
        if not claim_id:
            self._notes.problems.append(
                error(
                    self._place,
                    "claims.no-id",
                    "This row has no id, so nothing can point at it.",
                    "Give it the next free id, such as C12.",
                )
            )
            return None
        cell = self._text("claim")
        return Claim(
            id=Text(bare[1], claim_id.place) if bare else claim_id,
            cell=cell,
            quote=self._quote(cell),
            where=self._where(),
            evidence=self._text("evidence"),
            concern=self._text("concern"),
            priority=self._text("priority"),
            response=self._text("response"),
            kinds=self._values("kind"),
            verdict=self._text("verdict") or None,
            classes=self._values("class"),
            conflicts=self._conflicts(),
            place=claim_id.place,
        )

    def _text(self, field: str) -> Text:
        cell = self._cells.get(field)
        if cell is None:
            return Text("", self._place)
        return Text(cell.text, Place(self._path, cell.line, cell.column))

    def _values(self, field: str) -> tuple[Text, ...]:
        cell = self._text(field)
        return tuple(_split(cell, re.compile(r"\s*;\s*")))

    def _quote(self, cell: Text) -> Quote | None:
        inner = unquote(cell)
        if inner is None:
            return None
        start = self._lines.offset(cell.place.line) + cell.place.column - 1
        # A bar is two characters in the file. Nothing else of the cell differs from it.
        self._notes.quoted.append((start, start + len(cell) + cell.count("|")))
        return Quote(text=Text(inner, cell.place), marked=str(cell))

    def _where(self) -> Where:
        cell = self._text("where")
        match = _WHICH.search(cell)
        if match is None:
            return Where(heading=cell)
        heading = Text(cell[: match.start()], cell.place)
        if match[2] is None:
            return Where(heading=heading, of=int(match[1]))
        return Where(heading=heading, which=int(match[1]), of=int(match[2]))

    def _conflicts(self) -> tuple[Quote | Text, ...]:
        found: list[Quote | Text] = []
        for part in _split(self._text("conflicts"), _NEXT):
            bare = _CLAIM.fullmatch(part)
            found.append(Text(bare[1], part.place) if bare else self._quote(part) or part)
        return tuple(found)


def unquote(cell: str) -> str | None:
    """What stands between the marks of a quoted cell; None when the cell is a paraphrase."""
    code = _CODE.fullmatch(cell)
    if code is not None and code[1] not in code[2]:
        inner = code[2]
        padded = len(inner) > 2 and inner[0] == inner[-1] == " " and "`" in inner
        return inner[1:-1] if padded else inner
    for opening, closing in _PAIRS:
        if len(cell) > 2 and cell.startswith(opening) and cell.endswith(closing):
            inner = cell[1:-1]
            return inner.strip() if opening == "«" else inner
    return None


def _split(cell: Text, at: re.Pattern[str]) -> list[Text]:
    """The parts of a cell that are not empty, each with its own place."""
    found, start = [], 0
    for end, following in [*(m.span() for m in at.finditer(cell)), (len(cell), len(cell))]:
        part = cell[start:end]
        if part.strip():
            shift = start + len(part) - len(part.lstrip())
            place = Place(cell.place.path, cell.place.line, cell.place.column + shift)
            found.append(Text(part.strip(), place))
        start = following
    return found
