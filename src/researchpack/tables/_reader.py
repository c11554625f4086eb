"""The walk over the lines: which of them are a table, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.tables._html import find_html_table, read_html_table
from researchpack.tables._lines import opaque_end, split_lines
from researchpack.tables._markdown import Body
from researchpack.tables._records import Oddity, Prose, Reading, Table
from researchpack.tables._shape import find_shape

if TYPE_CHECKING:
    from researchpack.tables._shape import Shape


class Reader:
    """Reads one text, once."""

    def __init__(self, text: str, first_line: int) -> None:
        self._lines = split_lines(text, first_line)
        self._at = 0
        self._tables: list[Table] = []
        self._oddities: list[Oddity] = []
        self._prose: list[Prose] = []
        self._open: list[tuple[int, str]] = []

    def read(self) -> Reading:
        """Everything in the text."""
        while self._at < len(self._lines):
            self._step()
        self._close_prose()
        return Reading(
            tables=tuple(self._tables),
            oddities=tuple(sorted(self._oddities, key=lambda odd: (odd.line, odd.column))),
            prose=tuple(self._prose),
        )

    def _step(self) -> None:
        opaque = opaque_end(self._lines, self._at)
        if opaque is not None:
            self._opaque(*opaque)
        elif find_html_table(self._lines[self._at]) is not None:
            self._html()
        elif shape := find_shape(self._lines, self._at):
            self._markdown(shape)
        else:
            self._text(self._at, self._at + 1)
            self._at += 1

    def _opaque(self, end: int, closed: bool) -> None:
        if not closed:
            self._odd(
                "unclosed-block",
                "The block of code or the comment that opens here is never closed, so everything "
                "below it counts as part of it and no table is read there.",
            )
        self._text(self._at, end)
        self._at = end

    def _html(self) -> None:
        found = read_html_table(self._lines, self._at)
        self._open.append(found.before)
        self._close_prose()
        self._tables += [found.table] if found.table else []
        self._oddities += found.oddities
        self._open += found.inside
        self._open.append(found.after)
        self._at = found.end

    def _markdown(self, shape: Shape) -> None:
        self._close_prose()
        body = Body(self._lines, shape)
        body.read()
        self._tables.append(body.table())
        self._oddities += body.oddities
        for start, end in body.text:
            self._text(start, end)
            self._close_prose()
        self._at = body.end

    def _odd(self, code: str, what: str) -> None:
        line = self._lines[self._at]
        self._oddities.append(Oddity(line=line.number, column=line.start + 1, code=code, what=what))

    def _text(self, start: int, end: int) -> None:
        self._open += [(line.number, line.raw) for line in self._lines[start:end]]

    def _close_prose(self) -> None:
        """Ends the stretch of prose that is open, if it holds anything but white space."""
        written = [at for at, (_, raw) in enumerate(self._open) if raw.strip()]
        if written:
            kept = self._open[written[0] : written[-1] + 1]
            text = "\n".join(raw for _, raw in kept)
            self._prose.append(Prose(line=kept[0][0], end_line=kept[-1][0], text=text))
        self._open = []
