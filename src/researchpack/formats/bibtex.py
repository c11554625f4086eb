"""A `.bib` file -> the keys of its entries. Fields are read elsewhere, later."""

from __future__ import annotations

import re
from typing import Final

from researchpack.formats._shared import Notes, Parsed
from researchpack.places import Lines, Text
from researchpack.problems import error
from researchpack.records import BibEntry

_ENTRY: Final = re.compile(r"@\s*([A-Za-z]+)\s*[{(]")
_KEY: Final = re.compile(r"\s*([^\s,{}()=\"#%~\\]+)\s*,")
_NO_ENTRY: Final = ("string", "preamble", "comment")


def read_bib(text: str, path: str) -> Parsed[tuple[BibEntry, ...]]:
    """The entries in file order; of two with one key (whatever its case) the first counts."""
    notes, lines = Notes(), Lines(text, path)
    found: dict[str, BibEntry] = {}
    at = 0
    while (match := _ENTRY.search(text, at)) is not None:
        at = match.end()
        kind = match[1].lower()
        if kind in _NO_ENTRY:
            at = _closing(text, match.end() - 1)
            continue
        named = _KEY.match(text, match.end())
        if named is None:
            notes.problems.append(
                error(
                    lines.place(match.start()),
                    "bib.syntax",
                    f"This @{match[1]} entry has no key.",
                    "Write a key and a comma behind the brace: `@article{smith2020,`.",
                )
            )
            continue
        key = Text(named[1], lines.place(named.start(1)))
        first = found.get(key.lower())
        if first is None:
            found[key.lower()] = BibEntry(key=key, type=kind)
        else:
            notes.problems.append(
                error(
                    key.place,
                    "bib.duplicate-key",
                    f'Key "{key}" is already used on line {first.key.place.line}.',
                    "Rename one of the two; until then the first one counts.",
                    first.key.place,
                )
            )
        at = _closing(text, match.end() - 1)
    return notes.parsed(tuple(found.values()))


def _closing(text: str, opening: int) -> int:
    """The offset behind the bracket that closes the one at `opening`.

    An entry that is never closed ends where the next one begins at the start of a line.
    """
    close = "}" if text[opening] == "{" else ")"
    depth = 0
    for match in re.finditer(r"\\.|[{}()]|^@", text[opening:], re.MULTILINE | re.DOTALL):
        char = match.group()
        if char == "@":
            return opening + match.start()
        if char == "{" or (char == "(" and match.start() == 0):
            depth += 1
        elif char == "}" or (char == close and depth == 1):
            depth -= 1
        if depth == 0 and len(char) == 1:
            return opening + match.end()
    return len(text)
