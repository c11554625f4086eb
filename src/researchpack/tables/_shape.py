"""Where a Markdown table begins, and how its rows are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from researchpack.tables._rows import BARS, Joined, bar_of, bars, cut, cut_row, dashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.tables._lines import Line

HEADS = {
    "blank-line-in-table": "An empty line stands between the header of this table and its row of "
    "dashes; the two were read as one table.",
    "missing-header": "This table begins with its row of dashes, so its columns have no names.",
    "missing-delimiter": "The row of dashes below the header is missing; the first row was read "
    "as the header.",
    "delimiter-count": "The row of dashes has another number of columns than the header; the "
    "header was followed.",
    "other-bars": "The columns of this table are parted by another sign than the bar `|`; it was "
    "read as a table.",
    "indented-table": "This table is indented by four columns or more, which plain Markdown shows "
    "as code; it was read as a table.",
}
"""Code of an odd head -> what is odd about it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The head of a table and how its rows are written."""

    start: int
    """Index of the first line, as is `body` of the first line below the head."""
    body: int
    bar: str
    header: Joined | None
    width: int
    leading: bool
    """Rows begin with a bar."""
    trailing: bool
    """Rows end with a bar."""
    code: str | None = None
    """What is odd about the head, if anything."""


def find_shape(lines: Sequence[Line], at: int) -> Shape | None:
    """The table that begins at line `at`, or None."""
    line = lines[at]
    if not any(bar in line.content for bar in BARS):
        return None
    return _with_dashes(lines, at) or _only_dashes(lines, at) or _without_dashes(lines, at)


def _with_dashes(lines: Sequence[Line], at: int) -> Shape | None:
    below = next_written(lines, at + 1)
    if below is None or lines[below].depth != lines[at].depth:
        return None
    bar = bar_of(lines[below].content)
    header = lines[at].after_list_marker() if bar else lines[at]
    if bar is None or not bars(header.content, bar) or dashes(header.content, bar):
        return None
    if below > at + 1 and not header.content.startswith(bar):
        return None
    shape = _shape(at, below + 1, bar, header, dashes(lines[below].content, bar))
    return shape if below == at + 1 else replace(shape, code="blank-line-in-table")


def _only_dashes(lines: Sequence[Line], at: int) -> Shape | None:
    content = lines[at].content
    bar = bar_of(content)
    if bar is None or at + 1 >= len(lines) or not lines[at + 1].content.startswith(bar):
        return None
    if not dashes(content, bar, long=True):
        return None
    leading, trailing = content.startswith(bar), content.endswith(bar)
    width = dashes(content, bar)
    return Shape(at, at + 1, bar, None, width, leading, trailing, "missing-header")


def _without_dashes(lines: Sequence[Line], at: int) -> Shape | None:
    """Two rows or more that look alike, enclosed in bars or with four columns at least."""
    head = lines[at]
    if at + 1 >= len(lines) or lines[at + 1].depth != head.depth:
        return None
    below = lines[at + 1].content
    if bar_of(below) or (at + 2 < len(lines) and bar_of(lines[at + 2].content)):
        return None
    spans = cut(head.content, bars(head.content, "|", in_code=False))
    same = len(spans) == len(cut(below, bars(below, "|", in_code=False)))
    enclosed = all(text[0] == "|" == text[-1] for text in (head.content, below) if text)
    if not below or not same or len(spans) < (2 if enclosed else 4) or head.starts_block:
        return None
    return replace(_shape(at, at + 1, "|", head, len(spans)), code="missing-delimiter")


def _shape(start: int, body: int, bar: str, header: Line, columns: int) -> Shape:
    text = Joined.of([header])
    spans = cut_row(text.text, bar, columns, outer=True)[0]
    code = None if len(spans) == columns else "delimiter-count"
    if code is None and bar != "|":
        code = "other-bars"
    leading, trailing = text.text.startswith(bar), text.text.endswith(bar)
    return Shape(start, body, bar, text, len(spans), leading, trailing, code)


def next_written(lines: Sequence[Line], at: int) -> int | None:
    return next((i for i in range(at, len(lines)) if lines[i].content), None)


def find_dashes(lines: Sequence[Line], at: int) -> bool:
    """Whether line `at` is a row of dashes as it stands under a header."""
    return at < len(lines) and bar_of(lines[at].content) is not None
