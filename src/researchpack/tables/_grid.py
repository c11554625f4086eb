"""HTML cells -> rows: spans expanded, header rows joined."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from researchpack.tables._records import Cell, Oddity, Row, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACE = re.compile(r"\s+")

# Spans make a table no wider than this, whatever they say.
_MOST_COLUMNS = 200


@dataclass(slots=True)
class Draft:
    """A cell while it is read."""

    line: int
    column: int
    rowspan: int = 1
    colspan: int = 1
    is_header: bool = False
    parts: list[str] = field(default_factory=list)
    placed: bool = False

    def finish(self) -> Cell:
        lines = (_SPACE.sub(" ", line).strip() for line in "".join(self.parts).split("\n"))
        text = "\n".join(line for line in lines if line)
        return Cell(text=text, line=self.line, column=self.column)


def expand(rows: Sequence[Sequence[Draft]]) -> tuple[list[list[Draft]], set[str]]:
    """The rows with every cell in each place that it covers, and what had to be repeated."""
    grid: list[list[Draft]] = []
    spans: set[str] = set()
    hanging: dict[int, tuple[Draft, int]] = {}
    for row in rows:
        if not row and not hanging:
            continue
        grid.append(_expand_row(row, hanging, spans))
    return grid, spans


def _expand_row(
    row: Sequence[Draft], hanging: dict[int, tuple[Draft, int]], spans: set[str]
) -> list[Draft]:
    placed: list[Draft] = []
    waiting = list(row)
    while waiting or len(placed) in hanging:
        column = len(placed)
        if column in hanging:
            placed.append(_use(hanging, column))
            spans.add("rowspan-expanded")
            continue
        draft = waiting.pop(0)
        width = max(1, min(draft.colspan, _MOST_COLUMNS - column))
        if draft.rowspan > 1 and column < _MOST_COLUMNS:
            hanging |= dict.fromkeys(range(column, column + width), (draft, draft.rowspan - 1))
        if width > 1:
            spans.add("colspan-expanded")
        placed += [draft] * width
    for column in [column for column in hanging if column >= len(placed)]:
        _use(hanging, column)  # a row that ends early uses the span up all the same
    return placed


def _use(hanging: dict[int, tuple[Draft, int]], column: int) -> Draft:
    """The cell that hangs down into `column`, one row of its span used up."""
    draft, left = hanging.pop(column)
    if left > 1:
        hanging[column] = (draft, left - 1)
    return draft


def make_table(
    grid: list[list[Draft]], line: int, end_line: int, oddities: list[Oddity]
) -> Table | None:
    if not grid:
        return None
    heads = 1
    while heads < len(grid) and all(draft.is_header for draft in grid[heads]):
        heads += 1
    if not all(draft.is_header for draft in grid[0]):
        heads = 1
    header = _header(grid[:heads])
    rows = []
    for drafts in grid[heads:]:
        row = _row(drafts, len(header), line)
        rows.append(row)
        oddities += _told(row, len(header))
    return Table(line=line, end_line=end_line, header=header, rows=tuple(rows))


def _header(rows: list[list[Draft]]) -> tuple[Cell, ...]:
    """The names of the columns; names on several rows are joined from top to bottom."""
    width = max(len(row) for row in rows)
    names = []
    for column in range(width):
        drafts = list({id(row[column]): row[column] for row in rows if column < len(row)}.values())
        cells = [draft.finish() for draft in drafts]
        text = " ".join(cell.text for cell in cells if cell.text)
        names.append(Cell(text=text, line=cells[-1].line, column=cells[-1].column))
    return tuple(names)


def _row(drafts: list[Draft], width: int, table_line: int) -> Row:
    if len(drafts) >= width > 1 and len({id(draft) for draft in drafts}) == 1:
        cell = drafts[0].finish()
        return Row(line=cell.line, cells=(cell,), spanning=True)
    cells = [draft.finish() for draft in drafts]
    overflow = [cell for cell in cells[width:] if cell.text]
    own = max((cell.line for cell in cells), default=table_line)
    return Row(line=own, cells=tuple(cells[:width]), overflow=tuple(overflow))


def _told(row: Row, width: int) -> list[Oddity]:
    if row.spanning or (len(row.cells) == width and not row.overflow):
        return []
    column = row.cells[0].column if row.cells else 1
    count = len(row.cells) + len(row.overflow)
    code = "long-row" if row.overflow else "short-row"
    what = f"This row has {count} cells under {width} headers; nothing was shifted."
    return [Oddity(line=row.line, column=column, code=code, what=what)]
