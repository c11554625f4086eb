"""Plain text -> a value of a `.bib` file in braces that is read as the very same text.

What is in a registry's record is data: a backslash in it is a backslash and no macro. A text that
cannot be written so that it reads the same is not written at all: there are no halves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.latex import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_ESCAPES: Final = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    **{char: f"\\{char}" for char in "{}%&#_$"},
}
_MATHS: Final = re.compile(r"(?<!\\)\$(?=[^\s$])[^$%#]*(?<=[^\s\\])\$(?!\d)")
"""A formula as pandoc knows it, so that `$5 and $6` are two prices."""
_RANGE: Final = re.compile(r"(\w+)\s*[-‐‑‒–—]+\s*(\w+)")


def balanced(value: str) -> bool:
    """Whether every brace has its partner. For BibTeX one behind a backslash is a brace too."""
    depth = 0
    for char in value:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0


def prose(words: str) -> str | None:
    """The inside of a braced value that a reader sees as `words`; None when there is none.

    `words` are one line with single spaces.
    """
    for written in (_with_maths(words), _escaped(words)):
        if balanced(written) and plain_text(written) == words:
            return written
    return None


def verbatim(words: str) -> str | None:
    """The inside of a braced value that is copied as it stands: an identifier, an address."""
    return words if balanced(words) and not words.startswith("{") else None


def page_range(words: str) -> str:
    """Pages with the dash by which LaTeX makes a range."""
    match = _RANGE.fullmatch(words)
    return f"{match[1]}–{match[2]}" if match else words


def entry_lines(kind: str, key: str, fields: list[tuple[str, str]]) -> list[str]:
    """The lines of an entry; values with their braces, names in one column."""
    width = max((len(name) for name, _ in fields), default=0)
    told = [f"  {name:<{width}} = {value}" for name, value in fields]
    return [f"@{kind}{{{key},", *(f"{line}," for line in told[:-1]), *told[-1:], "}"]


def _escaped(words: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in words)


def _with_maths(words: str) -> str:
    return "".join(part if is_formula else _escaped(part) for part, is_formula in _parts(words))


def _parts(words: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for match in _MATHS.finditer(words):
        yield words[at : match.start()], False
        yield match[0], True
        at = match.end()
    yield words[at:], False
