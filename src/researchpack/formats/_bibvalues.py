"""Values of BibTeX: parts in braces or quotation marks, numbers and macros, joined by `#`.

Braces are counted as BibTeX counts them: a backslash in front of one changes nothing. They are
matched once for the whole file, so that a brace that is never closed costs no second reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from researchpack.formats._bibfaults import Faults

_WORD: Final = re.compile(r"[^\s,#{}()\"=%@\\']+")
_SPACE: Final = re.compile(r"\s*")


@dataclass(slots=True)
class Part:
    """One part of a value; parts are joined by `#`."""

    kind: str
    """braced, quoted or word."""
    text: str
    """Without its delimiters."""
    start: int
    end: int


class Values:
    """Reads values out of one text."""

    def __init__(self, text: str, faults: Faults) -> None:
        self._text = text
        self._faults = faults
        self._match = _matches(text, r"[{}]")
        self._lenient: dict[int, int] | None = None

    def partner(self, brace: int) -> int | None:
        """The offset of the brace that closes the one at `brace`; None when none does."""
        return self._match.get(brace)

    def space(self, at: int) -> int:
        """The offset of the first character from `at` on that is no white space."""
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def value(self, at: int) -> tuple[list[Part] | None, int]:
        """The parts of a value and where it ends; None for a part that is never closed."""
        parts: list[Part] = []
        while True:
            part, end = self._part(at)
            if part is None:
                return (None, at) if end < 0 else (parts, at)
            parts.append(part)
            at = self.space(part.end)
            if self._text[at : at + 1] != "#":
                return parts, part.end
            at = self.space(at + 1)

    def _part(self, at: int) -> tuple[Part | None, int]:
        char = self._text[at : at + 1]
        if char in ("{", '"') and char:
            end = self.closing(at) if char == "{" else self._quote(at)
            if end is None:
                return None, -1
            kind = "braced" if char == "{" else "quoted"
            return Part(kind, self._text[at + 1 : end - 1], at, end), end
        word = _WORD.match(self._text, at)
        if word is None:
            return None, at
        return Part("word", word[0], at, word.end()), word.end()

    def closing(self, at: int) -> int | None:
        """The offset behind the bracket that closes the one at `at`; None when none does."""
        if self._text[at] == "(":
            return self._round(at)
        end = self._match.get(at)
        if end is not None:
            return end + 1
        if self._lenient is None:
            self._lenient = _matches(self._text, r"(?<!\\)[{}]") if "\\" in self._text else {}
        end = self._lenient.get(at)
        following = self.space(end + 1) if end is not None else len(self._text)
        if end is None or self._text[following : following + 1] not in (",", "}", ")", "#"):
            return None
        self._faults.escaped_brace(at)
        return end + 1

    def _round(self, at: int) -> int | None:
        stops = re.compile(r"[{)]")
        here = at + 1
        while (stop := stops.search(self._text, here)) is not None:
            if stop[0] == ")":
                return stop.end()
            here = self._match.get(stop.start(), len(self._text)) + 1
        return None

    def _quote(self, at: int) -> int | None:
        """The offset behind the quotation mark that closes the one at `at`."""
        here = at + 1
        stops = re.compile(r'["{}]')
        while (stop := stops.search(self._text, here)) is not None:
            if stop[0] == '"':
                return stop.end()
            if stop[0] == "}":
                return None
            end = self._match.get(stop.start())
            if end is None:
                return None
            here = end + 1
        return None


def escaped_end(part: Part) -> str:
    """The delimiter of a value that ends behind a backslash, where its author meant more."""
    if not part.text.endswith("\\"):
        return ""
    return "}" if part.kind == "braced" else '"'


def _matches(text: str, form: str) -> dict[int, int]:
    """The offset of every opening brace that is closed, and of its closing one."""
    stack: list[int] = []
    found: dict[int, int] = {}
    for match in re.finditer(form, text):
        if match[0] == "{":
            stack.append(match.start())
        elif stack:
            found[stack.pop()] = match.start()
    return found
