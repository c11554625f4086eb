"""What a reading of tables consists of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of one row."""

    text: str
    """As written, trimmed, `\\|` undone. From HTML: entities undone, `<br>` and blocks as line
    breaks, list items as `- ` lines; links, code and struck text as Markdown."""
    line: int
    """From 1, as is `column`: where the first character stands, or where it would."""
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row below the header."""

    line: int
    cells: tuple[Cell, ...]
    """At most as many as the table has columns. A cell that was not written is not there."""
    overflow: tuple[Cell, ...] = ()
    """Cells past the last column. The row has them because nobody can tell which bar was meant
    as text."""
    spanning: bool = False
    """One HTML cell went over all columns; it is the only one in `cells`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table. `line` and `end_line` include its header and its last row."""

    line: int
    end_line: int
    header: tuple[Cell, ...]
    """Empty when the table begins with its row of dashes."""
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """Something that was read otherwise than the plain rule for tables would read it."""

    line: int
    column: int
    code: str
    """A short name that never changes, such as `long-row`."""
    what: str
    """What happened: a whole sentence, without the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A stretch outside of tables, as written, without empty lines at its ends."""

    line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything that was found, each list in the order of the text."""

    tables: tuple[Table, ...]
    oddities: tuple[Oddity, ...]
    prose: tuple[Prose, ...]
