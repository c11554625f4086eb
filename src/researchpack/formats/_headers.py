"""Headers -> fields: which column of a table is what, and whether the table is of a kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from researchpack.formats._cells import is_id, plain
from researchpack.formats._columns import NOTES, plain_name
from researchpack.tables import Oddity, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from researchpack.tables import Cell, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """What tells one kind of table from another."""

    names: Mapping[str, str]
    """Plain name of a header -> field."""
    fields_of: Callable[[str], tuple[str, ...]]
    """The fields that a header names, by hints too."""
    is_kind: Callable[[Columns], bool]
    """Whether a table with these columns is of the kind."""
    order: tuple[str, ...]
    """Fields in the order of the brief, for a table without names."""
    notes: str
    """The field that a column of notes stands for when no column is named for it."""
    required: tuple[str, ...]
    """Fields whose column is missed when it is not there."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Per column its fields, which may be none or several, and its header."""

    fields: tuple[tuple[str, ...], ...]
    headers: tuple[str, ...]

    @property
    def known(self) -> frozenset[str]:
        """All fields that have a column."""
        return frozenset(name for fields in self.fields for name in fields)


Found = tuple[Columns, tuple[Row, ...], tuple[Oddity, ...]]
"""The columns of a table, its rows, and what is odd about its header."""


def find_columns(table: Table, vocabulary: Vocabulary, before: Columns | None) -> Found | None:
    """How to read a table; None when it is of another kind.

    `before` are the columns of the last table of the kind, which a table without names repeats.
    """
    card = _card(table, vocabulary)
    if card is not None:
        return card
    columns = name_columns(table.header, vocabulary, table.rows)
    if vocabulary.is_kind(columns):
        return columns, table.rows, _missing(table.line, columns, vocabulary)
    return _unnamed(table, vocabulary, before)


def name_columns(
    header: Sequence[Cell], vocabulary: Vocabulary, rows: Sequence[Row] = ()
) -> Columns:
    """Columns by their names. A whole known name goes before one that only hints at a field."""
    whole = [vocabulary.names.get(plain_name(cell.text)) for cell in header]
    taken = {name for name in whole if name}
    fields: list[tuple[str, ...]] = []
    for at, cell in enumerate(header):
        own = whole[at]
        if own is not None:
            found: tuple[str, ...] = () if own in whole[:at] else (own,)
        else:
            found = tuple(name for name in vocabulary.fields_of(cell.text) if name not in taken)
            taken.update(found)
        fields.append(found)
    _use_notes(header, fields, vocabulary)
    _use_first_as_id(whole, fields, rows)
    return Columns(tuple(fields), tuple(plain(cell.text) for cell in header))


def _use_notes(
    header: Sequence[Cell], fields: list[tuple[str, ...]], vocabulary: Vocabulary
) -> None:
    if any(vocabulary.notes in found for found in fields):
        return
    for at, cell in enumerate(header):
        if not fields[at] and plain_name(cell.text) in NOTES:
            fields[at] = (vocabulary.notes,)
            return


def _use_first_as_id(
    whole: Sequence[str | None], fields: list[tuple[str, ...]], rows: Sequence[Row]
) -> None:
    """`Claim | Statement | …` with C1 in the first column: there the first is the id."""
    if "id" in whole or len(whole) < 2 or whole[0] is None or whole[0] != whole[1]:
        return
    firsts = [plain(row.cells[0].text) for row in rows if row.cells and not row.spanning]
    if firsts and all(is_id(first) for first in firsts):
        fields[1], fields[0] = fields[0], ("id",)


def _missing(line: int, columns: Columns, vocabulary: Vocabulary) -> tuple[Oddity, ...]:
    return tuple(
        Oddity(
            line=line,
            column=1,
            code=f"missing-column:{name}",
            what=f"This table has no column for the {name.replace('_', ' ')}, which is not the "
            "same as an empty one.",
        )
        for name in vocabulary.required
        if name not in columns.known
    )


def _unnamed(table: Table, vocabulary: Vocabulary, before: Columns | None) -> Found | None:
    """A table without names: its first row has an id where a header should stand."""
    rows = table.rows
    if any(cell.text for cell in table.header):
        rows = (Row(line=table.line, cells=table.header), *rows)
    if not rows or not rows[0].cells or not is_id(plain(rows[0].cells[0].text)):
        return None
    width = max(len(row.cells) for row in rows)
    if before and len(before.fields) == width:
        columns, order = before, "the order of the table above"
    elif width == len(vocabulary.order):
        columns = Columns(tuple((name,) for name in vocabulary.order), vocabulary.order)
        order = "the usual order"
    else:
        return None
    what = f"This table has no names for its columns; they were taken in {order}."
    oddity = Oddity(line=table.line, column=1, code="missing-header", what=what)
    return columns, rows, (oddity,)


def _card(table: Table, vocabulary: Vocabulary) -> Found | None:
    """A table of name and value about one entry, turned into one row."""
    pairs = [table.header, *(row.cells for row in table.rows if not row.overflow)]
    if len(pairs) != len(table.rows) + 1 or any(len(pair) != 2 for pair in pairs):
        return None
    columns = name_columns([pair[0] for pair in pairs], vocabulary)
    if len(columns.known) < 3 or not vocabulary.is_kind(columns):
        return None
    row = Row(line=table.line, cells=tuple(pair[1] for pair in pairs))
    return columns, (row,), _missing(table.line, columns, vocabulary)
