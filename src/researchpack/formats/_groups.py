"""What stands above a table and names it: a caption, or a heading of a lower level."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import plain

if TYPE_CHECKING:
    from researchpack.tables import Prose, Reading, Table

BOLD: Final = re.compile(r"(\*\*|__).+\1:?|<(b|strong)>.+</\2>:?|(\*|_)[^*_]+\3:?", re.DOTALL)
"""A line or cell that is emphasised as a whole."""

_HEADING: Final = re.compile(r"[ \t>]*(#{1,6})\s+(.+?)\s*#*\s*$")
_CAPTION: Final = re.compile(
    r"(?:table|tabelle|tableau|tabla|tab\.|表|표)\s*[\w.]*\d\w*\b", re.IGNORECASE
)
# Headings above this level part sections; from it on, they group rows.
_GROUP_LEVEL: Final = 3


class Groups:
    """Headings and captions above tables."""

    def __init__(self, reading: Reading) -> None:
        self._prose = reading.prose
        self._ends = [table.end_line for table in reading.tables]

    def above(self, table: Table) -> str | None:
        """The caption right above a table, else the nearest heading of the third level or below."""
        before = [prose for prose in self._prose if prose.end_line < table.line]
        last_table = max((end for end in self._ends if end < table.line), default=0)
        if before and before[-1].end_line > last_table:
            caption = _caption(before[-1].text.splitlines()[-1])
            if caption:
                return caption
        return next(filter(None, map(_nearest_heading, reversed(before))), ("", None))[1]


def _caption(line: str) -> str | None:
    words = plain(line.lstrip("> \t"))
    if _HEADING.match(line) or not words:
        return None
    if _CAPTION.match(words) or BOLD.fullmatch(line.strip("> \t")):
        return words.rstrip(":")
    return None


def _nearest_heading(prose: Prose) -> tuple[str, str | None] | None:
    """The last heading in a stretch, and its words if it groups rows; None without a heading."""
    for line in reversed(prose.text.splitlines()):
        if match := _HEADING.match(line):
            return match[1], plain(match[2]) if len(match[1]) >= _GROUP_LEVEL else None
    return None
