"""The bytes of a report that came back -> its text, freed of what it was wrapped in.

A report arrives as an e-mail reply, inside a fence with chatter around it, with front matter or
with the line ends of another system. Lines keep their numbers: what does not belong to the report
is blanked, never taken out, and how many columns were cut off at the left is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from researchpack.formats._report_headings import is_section_line
from researchpack.tables import Oddity
from researchpack.yamltext import Mapping, Scalar, read_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

_FENCE: Final = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`]*)")
_QUOTE: Final = re.compile(r" {0,3}>[ \t]?")
_WRAPPING: Final = frozenset({"", "markdown", "md", "text", "txt", "plaintext", "plain"})
_FRONT_LINE: Final = re.compile(r"\s*(?:#.*|-\s.*|[\w.-]+\s*:.*|\s.*)?$")
_MOST_LINES: Final = 20_000
_LONGEST_LINE: Final = 100_000
_MOST_FRONT_LINES: Final = 200
_MOST_QUOTES: Final = 5
"""How often a report may have been quoted in a reply to a reply."""


@dataclass(slots=True)
class Cleaned:
    """The lines of a report, and what was taken off them."""

    lines: list[str]
    shifts: dict[int, int] = field(default_factory=dict)
    """Line number -> columns that were cut off at its left."""
    front_matter: tuple[tuple[str, str], ...] = ()
    oddities: list[Oddity] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The report with plain line ends."""
        return "\n".join(self.lines)

    def odd(self, line: int, code: str, what: str) -> None:
        """Tell what was read otherwise than it stands."""
        self.oddities.append(Oddity(line=line, column=1, code=code, what=what))


def clean(data: bytes) -> Cleaned:
    """The text of a report, whatever it was wrapped in."""
    text = data.decode("utf-8", errors="replace")
    marked = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    found = Cleaned(re.split(r"\r\n|\r|\n", text))
    if b"\x00" in data or not _is_utf8(data):
        found.odd(1, "encoding", "The report is not UTF-8 text; what is not was replaced.")
    if marked:
        found.odd(1, "bom", "The report begins with a byte order mark, which was dropped.")
    if "\r" in text:
        found.odd(1, "crlf", "The lines end as on another system; they were read all the same.")
    _bound(found)
    for _ in range(2):  # front matter may stand inside of a fence, and a fence behind it
        _take_front_matter(found)
        _unwrap(found)
        _unquote(found)
    return found


def _bound(found: Cleaned) -> None:
    """Cut what no report has: tens of thousands of lines, or a line as long as a book."""
    lines = found.lines
    for at, line in enumerate(lines):
        if len(line) > _LONGEST_LINE:
            lines[at] = line[:_LONGEST_LINE]
            what = "The line is far too long; only its beginning was read."
            found.odd(at + 1, "too-long", what)
    if len(lines) > _MOST_LINES:
        del lines[_MOST_LINES:]
        what = f"The report has more than {_MOST_LINES} lines; the rest was not read."
        found.odd(_MOST_LINES, "too-long", what)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _take_front_matter(found: Cleaned) -> None:
    first = next((at for at, line in enumerate(found.lines) if line.strip()), None)
    if first is None or found.lines[first].rstrip() != "---":
        return
    for end in range(first + 1, min(first + _MOST_FRONT_LINES, len(found.lines))):
        line = found.lines[end]
        if line.rstrip() in ("---", "..."):
            break
        if not _FRONT_LINE.match(line) or is_section_line(line):
            return
    else:
        return
    words = found.lines[first + 1 : end]
    if not any(":" in line for line in words):
        return
    node, _ = read_yaml("\n".join(words), "")
    if isinstance(node, Mapping):
        found.front_matter = tuple(
            (str(key), str(value.text)) for key, value in node.items if isinstance(value, Scalar)
        )
    found.lines[first : end + 1] = [""] * (end + 1 - first)
    what = "The report begins with front matter; nothing in it was followed."
    found.odd(first + 1, "front-matter", what)


def _unwrap(found: Cleaned) -> None:
    """Free the report from a fence that holds all of it."""
    lines = found.lines
    start = next((at for at, line in enumerate(lines) if _FENCE.match(line)), None)
    if start is None or any(is_section_line(line) for line in lines[:start]):
        return
    match = _FENCE.match(lines[start])
    if match is None or match[3].lower() not in _WRAPPING:
        return
    end = _fence_end(lines, start, match[2])
    inside = lines[start + 1 : end]
    if sum(map(is_section_line, inside)) < 2:
        return
    found.lines = ["" if not start < at < end else line for at, line in enumerate(lines)]
    what = "The whole report stands in a fence; it was taken out, what stands around it was not."
    found.odd(start + 1, "wrapped-in-fence", what)


def _fence_end(lines: Sequence[str], start: int, fence: str) -> int:
    """The line that closes the outer fence, which may hold fences that look the same."""
    inner = ""
    for at in range(start + 1, len(lines)):
        match = _FENCE.match(lines[at])
        if match is None or match[2][0] != (inner or fence)[0]:
            continue
        bare = not match[3]
        if inner:
            inner = "" if bare and len(match[2]) >= len(inner) else inner
        elif bare and len(match[2]) >= len(fence):
            if not any(is_section_line(line) for line in lines[at:]):
                return at
            inner = match[2]
        else:
            inner = match[2]
    ends = [at for at in range(start + 1, len(lines)) if lines[at].strip() == fence]
    return ends[-1] if ends else len(lines)


def _unquote(found: Cleaned) -> None:
    """Free the report from the marks of an e-mail reply."""
    told = False
    for _ in range(_MOST_QUOTES):
        heads = [_QUOTE.match(line) is not None for line in found.lines if _is_head(line)]
        if sum(heads) < 2 or not all(heads):
            return
        for at, line in enumerate(found.lines):
            if match := _QUOTE.match(line):
                found.shifts[at + 1] = found.shifts.get(at + 1, 0) + match.end()
                found.lines[at] = line[match.end() :]
        if not told:
            told = True
            what = "Every line of the report begins with >, as in a reply; the marks were cut off."
            found.odd(1, "blockquote-unwrapped", what)


def _is_head(line: str) -> bool:
    return is_section_line(re.sub(r"^[ >\t]*", "", line))
