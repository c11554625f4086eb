"""The citation grammar of a pack: `[S2]`, `[C12]`, `[X1]`, `[L8]`, `[P3]`, also `[S2, S3]`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ID: Final = re.compile(r"[CSPXL]\d+[a-z]?")
"""One of the five letters, digits, at most one small letter."""

# What a link has behind its text, `](`, `][` or `]: address`, is none behind a citation.
_GROUP: Final = re.compile(
    rf"\[({ID.pattern}(?:\s*[,;]\s*{ID.pattern})*)\]"
    rf"(?!\(|\[(?!{ID.pattern})|:[ \t]*<?https?:)"
)
_CODE: Final = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cite:
    """One id in square brackets."""

    id: str
    start: int
    """Offset of the id itself, without the bracket."""
    end: int


def find_cites(text: str) -> Iterator[Cite]:
    """The citations in `text`, in order. What stands in a code span or is a link is none."""
    code = [match.span() for match in _CODE.finditer(text)]
    for group in _GROUP.finditer(text):
        if any(start <= group.start() < end for start, end in code):
            continue
        for found in ID.finditer(text, group.start(1), group.end(1)):
            yield Cite(id=found.group(), start=found.start(), end=found.end())


def is_id(word: str, letters: str = "CSPXL") -> bool:
    """Whether `word` is a well-formed id that begins with one of `letters`."""
    return word[:1] in letters and ID.fullmatch(word) is not None


def id_order(word: str) -> tuple[str, int, str]:
    """Sorts ids as people count: S2 before S10, S9a before S9b."""
    digits = re.sub(r"\D", "", word)
    return (word[:1], int(digits or 0), word)
