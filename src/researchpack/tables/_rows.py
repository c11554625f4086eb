"""Cutting one row, which may stand on several lines, into cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

from researchpack.tables._records import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.tables._lines import Line

BARS = "|｜│"
_CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_DASHES = re.compile(r":?[-–—―−─=]+:?$")
_LONG_DASHES = re.compile(r":?[-–—―−─=]{3,}:?$")


@dataclass(frozen=True, slots=True)
class Joined:
    """The text of a row, and where each of its pieces comes from."""

    text: str
    pieces: tuple[tuple[int, Line], ...]
    """Offset in `text` at which the content of the line begins."""

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Joined:
        pieces = []
        offset = 0
        for line in lines:
            pieces.append((offset, line))
            offset += len(line.content) + 1
        return cls(" ".join(line.content for line in lines), tuple(pieces))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of the character at `offset`."""
        start, line = max((p for p in self.pieces if p[0] <= offset), key=lambda p: p[0])
        return line.number, line.start + offset - start + 1

    def cell(self, span: tuple[int, int]) -> Cell:
        line, column = self.place(span[0])
        text = self.text[span[0] : span[1]].replace("\\|", "|")
        return Cell(text=text, line=line, column=column)


def bars(text: str, bar: str, *, in_code: bool = True) -> list[int]:
    """Offsets of the bars that part cells; those in code spans only when `in_code`."""
    found = [at for at, char in enumerate(text) if char == bar and text[at - 1 : at] != "\\"]
    if in_code or "`" not in text:
        return found
    spans = [match.span() for match in _CODE.finditer(text)]
    return [at for at in found if not any(start < at < end for start, end in spans)]


def cut(text: str, at: Sequence[int], *, outer: bool = True) -> list[tuple[int, int]]:
    """The trimmed spans between the bars; with `outer`, bars at the very ends enclose only."""
    edges = [-1, *at, len(text)]
    spans = [_trim(text, left + 1, right) for left, right in pairwise(edges)]
    if outer and at and not text[: at[0]].strip():
        spans = spans[1:]
    if outer and len(spans) > 1 and not text[at[-1] + 1 :].strip():
        spans = spans[:-1]
    return spans


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def dashes(text: str, bar: str, *, long: bool = False) -> int:
    """How many columns a row of dashes has; 0 when `text` is none. `long` asks for three each."""
    if bar not in text:
        return 0
    pattern = _LONG_DASHES if long else _DASHES
    cells = [cell.strip() for cell in re.split(f"[+┼{bar}]", text.strip().strip(f"+{bar}"))]
    if not any(cells) or not all(pattern.match(cell) for cell in cells if cell):
        return 0
    return len(cells)


def bar_of(text: str) -> str | None:
    """The bar with which a row of dashes is written, or None when it is no such row."""
    return next((bar for bar in BARS if dashes(text, bar)), None)


class Code(Enum):
    """What bars in code spans did to a row."""

    NOTHING = "nothing"
    KEPT = "kept"
    """They were read as text of the code."""
    DOUBTFUL = "doubtful"
    """The row was cut there, but the code spans say otherwise."""


def cut_row(text: str, bar: str, width: int, *, outer: bool) -> tuple[list[tuple[int, int]], Code]:
    """The spans of a row's cells, and what bars in code did.

    A bar in a code span is text when that gives exactly `width` cells. When leaving the bars of
    code out gives too few, the plain cut stays, but the row is doubtful.
    """
    every = bars(text, bar)
    plain = cut(text, every, outer=outer)
    if not outer and len(plain) != width:
        plain = cut(text, every)
    if "`" not in text:
        return plain, Code.NOTHING
    aware = cut(text, bars(text, bar, in_code=False))
    if len(plain) > width == len(aware):
        return aware, Code.KEPT
    return plain, Code.DOUBTFUL if len(plain) == width > len(aware) else Code.NOTHING
