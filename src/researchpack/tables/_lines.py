"""Lines with their containers taken off, and the blocks in which nothing is a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_END_OF_LINE = re.compile(r"\r\n|\r|\n")
_CONTAINER = re.compile(r"[\s\ufeff]*(?:>[ \t]*)*")
_LIST_ITEM = re.compile(r"(?:[-*+•]|\d{1,9}[.)])[ \t]+")
_FENCE = re.compile(r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_RULE = re.compile(r"(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_TAG = re.compile(
    r"<!--|</?(?:article|blockquote|center|details|div|figure|h[1-6r]|[ou]l|p|pre|section|summary"
    r"|table)\b",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"\[[^\]]+\]:")
_OPAQUE_HTML = (("<!--", "-->"), ("<pre", "</pre>"))

# Four columns make indented code, unless a list item holds the line.
_CODE_INDENT = 4
# How many lines above an indented table its list item may stand.
_LOOK_BACK = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end."""

    number: int
    raw: str
    start: int
    """Where the content begins in `raw`, after white space and quotation marks (`>`)."""
    content: str
    """Without white space at its ends."""
    depth: int
    """How many quotation marks precede the content."""

    @property
    def indent(self) -> int:
        """Columns of white space before the content, the one after a `>` left out."""
        space = self.raw[: self.start].rpartition(">")[2]
        width = len(space.expandtabs(4))
        return max(width - 1, 0) if self.depth else width

    @property
    def is_list_item(self) -> bool:
        return _LIST_ITEM.match(self.content) is not None

    @property
    def starts_block(self) -> bool:
        """Whether something other than a paragraph or a table row begins here."""
        return any(
            pattern.match(self.content)
            for pattern in (_HEADING, _FENCE, _RULE, _TAG, _DEFINITION, _LIST_ITEM)
        )

    def after_list_marker(self) -> Line:
        """The line with a leading list marker counted as container."""
        marker = _LIST_ITEM.match(self.content)
        if marker is None:
            return self
        start = self.start + marker.end()
        return Line(self.number, self.raw, start, self.content[marker.end() :], self.depth)


def split_lines(text: str, first_line: int) -> list[Line]:
    """The lines of a text; LF, CRLF and CR end one, as in `places.Lines`."""
    lines = []
    for number, raw in enumerate(_END_OF_LINE.split(text), first_line):
        container = _CONTAINER.match(raw)
        start = container.end() if container else 0
        lines.append(Line(number, raw, start, raw[start:].rstrip(), raw[:start].count(">")))
    return lines


def is_heading(line: Line) -> bool:
    return _HEADING.match(line.content) is not None


def opaque_end(lines: Sequence[Line], at: int) -> tuple[int, bool] | None:
    """Past the block of code or comment that opens at `at`, and whether it was closed; or None."""
    content = lines[at].content
    fence = _FENCE.match(content)
    if fence:
        return _fence_end(lines, at, fence[1])
    for opening, closing in _OPAQUE_HTML:
        if content.lower().startswith(opening):
            for end in range(at, len(lines)):
                if closing in lines[end].content.lower():
                    return end + 1, True
            return len(lines), False
    return None


def _fence_end(lines: Sequence[Line], at: int, fence: str) -> tuple[int, bool]:
    closing = re.compile(f"{re.escape(fence)}{re.escape(fence[0])}*$")
    for end in range(at + 1, len(lines)):
        if lines[end].depth < lines[at].depth:
            return end, True
        if closing.match(lines[end].content):
            return end + 1, True
    return len(lines), False


def is_indented_code(lines: Sequence[Line], at: int) -> bool:
    """Whether plain Markdown would show line `at` as code because of its indent."""
    indent = lines[at].indent
    if indent < _CODE_INDENT:
        return False
    for line in reversed(lines[max(0, at - _LOOK_BACK) : at]):
        if not line.content or line.indent >= indent:
            continue
        if line.is_list_item:
            return False
        indent = line.indent
        if not indent:
            break
    return True
