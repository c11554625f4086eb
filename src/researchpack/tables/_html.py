"""HTML tables: finding one, and reading it with the standard parser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from researchpack.tables._grid import Draft, expand, make_table
from researchpack.tables._lines import is_heading
from researchpack.tables._records import Oddity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.tables._lines import Line
    from researchpack.tables._records import Table

_OPEN = re.compile(r"<table\b", re.IGNORECASE)
_OPEN_OR_CLOSE = re.compile(r"<(/?)table\b[^>]*>?", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_MARKS = {"code": "`", "kbd": "`", "tt": "`", "del": "~~", "s": "~~", "strike": "~~"}
_BLOCKS = frozenset({"p", "div", "ul", "ol", "dl", "dd", "dt", "blockquote", "pre", "table"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One HTML table and its surroundings on the same lines."""

    table: Table | None
    """None when it has no rows."""
    oddities: tuple[Oddity, ...]
    before: tuple[int, str]
    """Line number and text in front of the table, as are `after` and `inside`, which holds text
    between the tags of the table but in no cell, such as a caption."""
    inside: tuple[tuple[int, str], ...]
    after: tuple[int, str]
    end: int
    """Index of the first line past the table."""


def find_html_table(line: Line) -> int | None:
    """Where in the content an HTML table begins, or None. Only a line of HTML can hold one."""
    if not line.content.startswith("<"):
        return None
    match = _OPEN.search(line.content)
    return match.start() if match else None


def read_html_table(lines: Sequence[Line], at: int) -> Found:
    """The table that `find_html_table` found on line `at`."""
    start = find_html_table(lines[at]) or 0
    last, stop, closed = _extent(lines, at, start)
    parser = _TableParser(lines[at : last + 1], start, stop)
    grid, spans = expand(parser.rows)
    first = lines[at]
    after = lines[last].content[stop:] if closed else ""
    said = [("html-table", "This table is written in HTML; it was read like the others.")]
    said += [(code, _SPANS[code]) for code in sorted(spans)]
    said += [("nested-table", _NESTED)] if parser.nested else []
    said += [] if closed else [("unclosed-html-table", _UNCLOSED)]
    oddities = [
        Oddity(line=first.number, column=first.start + start + 1, code=code, what=what)
        for code, what in said
    ]
    table = make_table(grid, first.number, lines[last].number, oddities)
    return Found(
        table=table,
        oddities=tuple(oddities),
        before=(first.number, first.content[:start]),
        inside=tuple(parser.loose),
        after=(lines[last].number, after),
        end=last + 1,
    )


_SPANS = {
    "rowspan-expanded": "A cell of this table goes over several rows; it was repeated in each.",
    "colspan-expanded": "A cell of this table goes over several columns; it was repeated in each.",
}
_NESTED = "A cell of this table holds another table, which was read as lines of that cell."
_UNCLOSED = "This HTML table is never closed; it was read up to the next heading."


def _extent(lines: Sequence[Line], at: int, start: int) -> tuple[int, int, bool]:
    """Index of the last line, where the table ends on it, and whether it was closed."""
    depth = 0
    for index in range(at, len(lines)):
        if index > at and is_heading(lines[index]):
            return index - 1, len(lines[index - 1].content), False
        for tag in _OPEN_OR_CLOSE.finditer(lines[index].content, start if index == at else 0):
            depth += -1 if tag[1] else 1
            if depth == 0:
                return index, tag.end(), True
    return len(lines) - 1, len(lines[-1].content), False


class _TableParser(HTMLParser):
    """Collects the cells of one table. What stands in a nested table goes to its outer cell."""

    def __init__(self, lines: Sequence[Line], start: int, stop: int) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[Draft]] = []
        self.loose: list[tuple[int, str]] = []
        self.nested = False
        self._lines = lines
        self._depth = 0
        self._head = False
        self._cell: Draft | None = None
        self._links: list[str] = []
        contents = [line.content for line in lines]
        contents[-1] = contents[-1][:stop]
        contents[0] = " " * start + contents[0][start:]
        self.feed("\n".join(contents))
        self.close()

    def _place(self, text: str = "") -> tuple[int, int]:
        """Line and column of the first visible character of `text`, which begins here."""
        index, column = self.getpos()
        lead = text[: len(text) - len(text.lstrip())]
        index += lead.count("\n")
        column = len(lead.rpartition("\n")[2]) + (0 if "\n" in lead else column)
        line = self._lines[min(index, len(self._lines)) - 1]
        return line.number, line.start + column + 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._depth += 1
            self.nested |= self._depth > 1
        if self._depth > 1:
            self._nested_tag(tag)
        elif tag in ("thead", "tbody", "tfoot"):
            self._head = tag == "thead"
            self._cell = None
        elif tag == "tr":
            self._cell = None
            self.rows.append([])
        elif tag in ("td", "th"):
            self._start_cell(tag, dict(attrs))
        self._inline(tag, dict(attrs))

    def _start_cell(self, tag: str, attrs: dict[str, str | None]) -> None:
        if not self.rows:
            self.rows.append([])
        line, column = self._place()
        self._cell = Draft(
            line,
            column,
            _number(attrs.get("rowspan"), zero=1_000_000),
            _number(attrs.get("colspan"), zero=1),
            tag == "th" or self._head,
        )
        self.rows[-1].append(self._cell)

    def _nested_tag(self, tag: str) -> None:
        self._put({"tr": "\n", "td": " | ", "th": " | "}.get(tag, ""))

    def _inline(self, tag: str, attrs: dict[str, str | None]) -> None:
        if tag == "br" or tag in _BLOCKS:
            self._put("\n")
        elif tag == "li":
            self._put("\n- ")
        elif tag == "a":
            self._links.append(attrs.get("href") or "")
            self._put("[" if self._links[-1] else "")
        elif tag == "img":
            self._put(attrs.get("alt") or "")
        else:
            self._put(_MARKS.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._depth -= 1
        if self._depth == 1 and tag in ("td", "th", "tr", "thead"):
            self._cell = None
            self._head = self._head and tag != "thead"
        elif tag == "a" and self._links:
            target = self._links.pop()
            self._put(f"]({target})" if target else "")
        elif tag in _BLOCKS:
            self._put("\n")
        else:
            self._put(_MARKS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        if self._cell is None:
            if data.strip():
                self.loose.append((self._place(data)[0], _SPACE.sub(" ", data).strip()))
            return
        if data.strip() and not self._cell.placed:
            self._cell.placed = True
            self._cell.line, self._cell.column = self._place(data)
        self._put(_SPACE.sub(" ", data))

    def _put(self, text: str) -> None:
        if self._cell is not None and text:
            self._cell.parts.append(text)


def _number(value: str | None, *, zero: int) -> int:
    """A span as written. `zero` stands for 0, which means "to the end" for rows."""
    digits = (value or "").strip()
    number = int(digits[:6]) if digits.isdecimal() else 1
    return number or zero
