"""Tables -> entries: which column is which field, and which rows are entries at all.

Nothing here knows claims from sources; a `Vocabulary` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import is_id, plain, value
from researchpack.formats._columns import plain_name
from researchpack.formats._groups import BOLD, Groups
from researchpack.formats._headers import find_columns, name_columns
from researchpack.tables import Cell, Oddity, Row, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from researchpack.formats._headers import Columns, Vocabulary
    from researchpack.tables import Reading

_DITTO: Final = re.compile(
    r"(?:same(?: as (?:above|before|previous))?|as above|see above|ditto|idem|ibid|do\.|id\."
    r"|[〃″\"”“]|''|,,|„|↑|dito|wie oben|ebenso|ebd|siehe oben|voir ci-dessus|ci-dessus|même"
    r"|ídem|igual|同上|同前|상동)\.?\s*(?:[(（].*[)）])?",
    re.IGNORECASE | re.DOTALL,
)
_SUMMARY: Final = re.compile(
    r"(?:grand |sub-?)?(?:totals?|sums?|subtotals?)(?: \(?\d+\)?)?"
    r"(?: (?:of )?(?:claims?|entries|items?|rows?|sources?))?"
    r"|(?:zwischen)?summe|gesamt|insgesamt|total général|somme|suma|total general|Σ|∑"
    r"|合计|合計|总计|總計|小计|小計|計|总数|합계|총계",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"[(（\[]?\s*(?:none|nothing|no (?:claims?|sources?|rows?|entries|items|experiments?|data)"
    r"|not applicable|empty|keine|nichts|aucune?|rien|ninguno|ninguna|nada|无|無|没有|なし|없음)"
    r"(?![\w])(?: (?:so far|yet|found|recorded|here))?\.?\s*"
    r"(?:(?:[-–—:;,.].*)?[)）\]]|[-–—:;].*|\.?)$",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row that is an entry, its cells as written."""

    cells: Mapping[str, Cell]
    """Field -> cell. A field without column or cell is not there."""
    extra: tuple[tuple[str, str], ...]
    """Header and raw text of cells that belong to no field."""
    overflow: tuple[str, ...]
    group: str | None
    """What the row stands under: a row that names a group, a caption, or a heading."""
    line: int
    column: int

    def raw(self, name: str) -> str:
        """The cell of a field as written; empty when it is not there."""
        return self.cells[name].text if name in self.cells else ""


@dataclass(slots=True)
class Sheets:
    """What the tables of one kind hold."""

    entries: list[Entry] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)
    others: list[Table] = field(default_factory=list)
    """Tables of another kind."""


def read_sheets(reading: Reading, vocabulary: Vocabulary) -> Sheets:
    """The entries of all tables of a kind, in the order of the text."""
    sheets = Sheets()
    groups = Groups(reading)
    columns: Columns | None = None
    for table in reading.tables:
        found = find_columns(table, vocabulary, columns)
        if found is None:
            sheets.others.append(table)
            continue
        columns, rows, oddities = found
        sheets.oddities += oddities
        _Sheet(columns, vocabulary, groups.above(table), sheets).read(rows)
    return sheets


class _Sheet:
    """Reads the rows of one table."""

    def __init__(
        self, columns: Columns, vocabulary: Vocabulary, group: str | None, sheets: Sheets
    ) -> None:
        self._columns = columns
        self._vocabulary = vocabulary
        self._group = group
        self._sheets = sheets
        self._above: Mapping[str, Cell] = {}

    def read(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if not self._is_other(row):
                self._entry(row)

    def _is_other(self, row: Row) -> bool:
        """Whether a row is no entry; takes from it what it says about the others."""
        written = [at for at, cell in enumerate(row.cells) if value(plain(cell.text)) is not None]
        if not written and not row.overflow:
            return True
        if self._is_header(row):
            return True
        if not written:
            return False
        first = plain(row.cells[written[0]].text)
        if _SUMMARY.fullmatch(first.rstrip(": ")):
            self._skipped(row, "summary-row-skipped", "sums up the table")
            return True
        if len(written) > 1 or row.overflow:
            return False
        return self._is_lone(row, written[0], first)

    def _is_lone(self, row: Row, at: int, text: str) -> bool:
        """Whether a row with one written cell is a remark or the name of a group."""
        if _NONE.match(text) and not is_id(text):
            self._skipped(row, "none-row-skipped", "says that there is nothing to list")
            return True
        fields = self._columns.fields[at] if at < len(self._columns.fields) else ()
        names_group = row.spanning or BOLD.fullmatch(row.cells[at].text) is not None
        if is_id(text) or not (names_group or fields == ("id",)):
            return False
        self._group = text
        return True

    def _is_header(self, row: Row) -> bool:
        """Whether a row names columns, as the header of a second table glued to the first does."""
        known = [self._vocabulary.names.get(plain_name(cell.text)) for cell in row.cells]
        found = [name for name in known if name]
        if len(found) < max(3, (len(row.cells) + 1) // 2) or len(set(found)) < len(found) - 1:
            return False
        columns = name_columns(row.cells, self._vocabulary)
        if not self._vocabulary.is_kind(columns):
            return False
        self._columns = columns
        what = "The columns are named again in the middle of the table; the new names were taken."
        self._odd(row, "repeated-header", what)
        return True

    def _skipped(self, row: Row, code: str, reason: str) -> None:
        words = " ".join(plain(cell.text) for cell in row.cells if cell.text)
        self._odd(row, code, f'The row "{words}" {reason}; it was not read as an entry.')

    def _entry(self, row: Row) -> None:
        cells: dict[str, Cell] = {}
        extra: list[tuple[str, str]] = []
        for cell, fields, header in zip(
            row.cells, self._columns.fields, self._columns.headers, strict=False
        ):
            for name in fields:
                cells[name] = self._resolved(name, cell, extra, row)
            if not fields and value(plain(cell.text)) is not None:
                extra.append((header, cell.text))
        self._above = cells
        # A second header in the body may have fewer columns than the table.
        past = (*row.cells[len(self._columns.fields) :], *row.overflow)
        first = row.cells[0] if row.cells else row.overflow[0]
        self._sheets.entries.append(
            Entry(
                cells=cells,
                extra=tuple(extra),
                overflow=tuple(plain(cell.text) for cell in past if cell.text),
                group=self._group,
                line=row.line,
                column=first.column,
            )
        )

    def _resolved(self, name: str, cell: Cell, extra: list[tuple[str, str]], row: Row) -> Cell:
        """The cell, or the one above when it only says "same"."""
        text = plain(cell.text)
        if name == "id" or not _DITTO.fullmatch(text):
            return cell
        if name not in self._above:
            what = f'"{text}" repeats the cell above, but there is none.'
            self._odd(row, "ditto-unresolved", what)
            return cell
        self._odd(row, "ditto-resolved", f'"{text}" was replaced by the words of the cell above.')
        if "(" in text or "（" in text:
            extra.append((name, cell.text))
        return replace(self._above[name], line=cell.line, column=cell.column)

    def _odd(self, row: Row, code: str, what: str) -> None:
        column = row.cells[0].column if row.cells else 1
        self._sheets.oddities.append(Oddity(line=row.line, column=column, code=code, what=what))
