"""The body of a Markdown table: which lines are its rows, and where it ends."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from researchpack.tables._lines import is_indented_code
from researchpack.tables._records import Cell, Oddity, Row, Table
from researchpack.tables._rows import Code, Joined, bars, cut, cut_row, dashes
from researchpack.tables._shape import HEADS, find_dashes, next_written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.tables._lines import Line
    from researchpack.tables._shape import Shape

_ID = re.compile(r"[*_`\[]*([A-Z]{1,4})-?\d")
_MARKS = re.compile(r"[*_`~\s]+")

# An editor wraps a row to a few lines; looking further would only cost time.
_MOST_LINES = 40


class _Kind(Enum):
    BLANK = "blank"
    ROW = "row"
    TEXT = "text"
    END = "end"


class Body:
    """Reads the rows below a head."""

    def __init__(self, lines: Sequence[Line], shape: Shape) -> None:
        self._lines = lines
        self._shape = shape
        self._rows: list[Row] = []
        self._last = shape.body - 1
        self.end = shape.body
        """Index of the first line past the table."""
        self.text: list[tuple[int, int]] = []
        """Stretches of lines between the rows that are not rows."""
        self.oddities: list[Oddity] = []
        self._header = self._header_cells()
        if shape.code:
            self._odd(shape.start, shape.code, HEADS[shape.code])
        if is_indented_code(lines, shape.start):
            self._odd(shape.start, "indented-table", HEADS["indented-table"])

    def table(self) -> Table:
        return Table(
            line=self._lines[self._shape.start].number,
            end_line=self._lines[self._last].number,
            header=self._header,
            rows=tuple(self._rows),
        )

    def read(self) -> None:
        at: int | None = self._shape.body
        while at is not None:
            at = self._next_row(at)
            if at is not None:
                self._last = self._row(at) - 1
                at = self._last + 1
        self.end = self._last + 1

    def _header_cells(self) -> tuple[Cell, ...]:
        header = self._shape.header
        if header is None:
            return ()
        spans = cut_row(header.text, self._shape.bar, self._shape.width, outer=True)[0]
        return tuple(header.cell(span) for span in spans)

    # --- which line is a row

    def _kind(self, at: int) -> _Kind:
        if at >= len(self._lines) or self._lines[at].depth != self._lines[self._shape.start].depth:
            return _Kind.END
        line = self._lines[at]
        if not line.content:
            return _Kind.BLANK
        if line.content.startswith(self._shape.bar) or self._is_open_row(line):
            return _Kind.ROW
        return _Kind.END if line.starts_block else _Kind.TEXT

    def _is_open_row(self, line: Line) -> bool:
        """Whether a line that does not begin with a bar is a row all the same."""
        count = len(cut(line.content, bars(line.content, self._shape.bar, in_code=False)))
        if line.starts_block and (self._shape.leading or not line.is_list_item):
            return False
        if self._shape.leading or line.is_list_item:
            return count > 1 and count == self._shape.width
        return count > 1

    def _next_row(self, at: int) -> int | None:
        kind = self._kind(at)
        if kind is _Kind.BLANK:
            return self._after_blank(at)
        if kind is _Kind.TEXT:
            return self._after_text(at)
        return at if kind is _Kind.ROW else None

    def _after_blank(self, blank: int) -> int | None:
        at = next_written(self._lines, blank)
        if at is None or self._kind(at) is not _Kind.ROW or find_dashes(self._lines, at + 1):
            return None
        if not self._continues(at):
            return None
        self._odd(
            blank,
            "blank-line-in-table",
            "An empty line stands inside this table; the rows below it were read as part of it.",
        )
        return at

    def _continues(self, at: int) -> bool:
        """Whether a row that stands apart is a row of this table."""
        content = self._lines[at].content
        cells = len(cut(content, bars(content, self._shape.bar)))
        enclosed = content.startswith(self._shape.bar) and self._shape.leading
        return (enclosed and cells > 1) or cells == self._shape.width > 2

    def _after_text(self, text: int) -> int | None:
        self._odd(
            text,
            "text-after-table",
            "A line of text follows this table without an empty line; it was read as text, not as "
            "a row.",
        )
        at = text
        while self._kind(at) is _Kind.TEXT:
            at += 1
        if self._kind(at) is not _Kind.ROW or find_dashes(self._lines, at + 1):
            return None
        self.text.append((text, at))
        return at

    # --- one row

    def _row(self, at: int) -> int:
        """Reads the row that begins at line `at`; past its last line."""
        content = self._lines[at].content
        if dashes(content, self._shape.bar, long=True):
            return at + 1
        end = self._row_end(at)
        row = Joined.of(self._lines[at:end])
        if end > at + 1:
            self._odd(
                at,
                "wrapped-row",
                f"This row is spread over {end - at} lines; they were joined.",
            )
        self._add(at, row)
        return end

    def _add(self, at: int, row: Joined) -> None:
        spans, code = cut_row(row.text, self._shape.bar, self._shape.width, outer=self._outer)
        cells = [row.cell(span) for span in spans]
        if self._header and _same(cells, self._header):
            words = " | ".join(cell.text for cell in cells)
            self._odd(at, "repeated-header", f'The header "{words}" stands again; it is no row.')
            return
        width = self._shape.width
        overflow = cells[width:]
        while overflow and not overflow[-1].text:
            overflow.pop()
        self._rows.append(
            Row(
                line=self._lines[at].number,
                cells=tuple(cells[:width]),
                overflow=tuple(overflow),
            )
        )
        self._tell_code(row, code)
        self._tell_width(at, len(cells), overflow)

    @property
    def _outer(self) -> bool:
        """Whether bars at the ends of a row enclose it; without them, an end may be a cell."""
        return self._shape.leading or self._shape.trailing or self._shape.width == 1

    def _tell_code(self, row: Joined, code: Code) -> None:
        if code is Code.NOTHING:
            return
        outside = set(bars(row.text, self._shape.bar, in_code=False))
        inside = (at for at in bars(row.text, self._shape.bar) if at not in outside)
        line, column = row.place(next(inside, 0))
        self._say(line, column, "unescaped-pipe-in-code", _PIPES[code])

    def _tell_width(self, at: int, count: int, overflow: Sequence[Cell]) -> None:
        width = self._shape.width
        if overflow:
            self._say(
                overflow[0].line,
                overflow[0].column,
                "long-row",
                f"This row has {width + len(overflow)} cells under {width} headers; nothing was "
                "shifted, and what is past the last header is kept beside the row.",
            )
        elif count < width:
            self._odd(
                at,
                "short-row",
                f"This row has {count} cells under {width} headers; the last ones are absent, "
                "which is not the same as empty.",
            )

    # --- rows on several lines

    def _row_end(self, at: int) -> int:
        """Past the last line of the row that begins at `at`; `at + 1` for a row on one line.

        Lines are joined only when together they make exactly as many cells as there are headers.
        """
        first = self._lines[at].content
        count = self._count(first)
        if count > self._shape.width or (count == self._shape.width and self._closed(first)):
            return at + 1
        best = at + 1
        for end in range(at + 2, min(at + _MOST_LINES, len(self._lines)) + 1):
            if not self._may_continue(at, end - 1):
                break
            text = Joined.of(self._lines[at:end]).text
            if self._count(text) > self._shape.width:
                break
            if self._count(text) == self._shape.width and self._is_whole(text, count, end):
                best = end
        return best

    def _is_whole(self, text: str, count: int, end: int) -> bool:
        """Whether joined lines that make enough cells may be taken as one row."""
        if count < self._shape.width and bars(self._lines[end - 1].content, self._shape.bar):
            return True
        if not self._shape.trailing:
            return False
        return self._closed(text) or self._starts_with_bar(end)

    def _starts_with_bar(self, at: int) -> bool:
        return at < len(self._lines) and self._lines[at].content.startswith(self._shape.bar)

    def _may_continue(self, first: int, at: int) -> bool:
        line = self._lines[at]
        if self._kind(at) in (_Kind.END, _Kind.BLANK) or find_dashes(self._lines, at):
            return False
        if find_dashes(self._lines, at + 1):
            return False
        ids = [_ID.match(self._lines[i].content.lstrip(f"{self._shape.bar} ")) for i in (first, at)]
        if ids[0] and ids[1] and ids[0][1] == ids[1][1]:
            return False
        return not (line.content.startswith(self._shape.bar) and self._closed_line(at - 1))

    def _closed_line(self, at: int) -> bool:
        return self._closed(self._lines[at].content)

    def _closed(self, text: str) -> bool:
        return text.endswith(self._shape.bar) and not text.endswith("\\" + self._shape.bar)

    def _count(self, text: str) -> int:
        return len(cut_row(text, self._shape.bar, self._shape.width, outer=self._outer)[0])

    def _odd(self, at: int, code: str, what: str) -> None:
        line = self._lines[at]
        self._say(line.number, line.start + 1, code, what)

    def _say(self, line: int, column: int, code: str, what: str) -> None:
        self.oddities.append(Oddity(line=line, column=column, code=code, what=what))


_PIPES = {
    Code.DOUBTFUL: "A code span in this row seems to hold a bar without a backslash. The row was "
    "cut at every bar, so its cells may be shifted.",
    Code.KEPT: "A code span in this row holds a bar without a backslash; it was read as part of "
    "the code.",
}


def _same(cells: Sequence[Cell], header: Sequence[Cell]) -> bool:
    names = [[_MARKS.sub(" ", c.text).strip().casefold() for c in row] for row in (cells, header)]
    return names[0] == names[1] and any(names[0])
