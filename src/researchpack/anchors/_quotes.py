"""Quotes that leave something out: `…`, `...`, `[...]`, and the quoter's own `[T]he`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.anchors._edges import is_cut
from researchpack.prose import normalise

if TYPE_CHECKING:
    from researchpack.prose import Prose

_GAP: Final = re.compile(r"\s*(?:\[\s*(?:…|\.{3,})\s*\]|\(\s*(?:…|\.{3,})\s*\)|…|\.{3,})\s*")
_LETTER: Final = re.compile(r"\[([^\W\d_])\](?=\w)")
# A number in brackets is a reference of the text itself.
_INSERTED: Final = re.compile(r"\s*\[(?=[^\]\[]*[^\W\d_])[^\]\[]{1,60}\]\s*")
_REACH: Final = 600
"""Characters of the text, normalised, that one gap may stand for."""
_LEAST: Final = 8
"""Characters, normalised, below which a part could stand anywhere."""


def parts_of(quote: str) -> list[str]:
    """The pieces of a quote that must stand in the text as they are, normalised, in order.

    One piece when the quote leaves nothing out.
    """
    plain = _LETTER.sub(r"\1", quote)
    pieces = [p for piece in _GAP.split(plain) for p in _INSERTED.split(piece)]
    return [words for piece in pieces if (words := normalise(piece).text.strip())]


def has_gap(quote: str) -> bool:
    """Whether the quote leaves something out or puts something in."""
    return bool(_GAP.search(quote) or _INSERTED.search(quote) or _LETTER.search(quote))


def find_parts(prose: Prose, parts: list[str]) -> list[list[int | None]]:
    """Ways to find the parts in order, in whole words.

    Each way has one offset in `prose.text` a part, or None for a part that is not there within
    reach. A way begins at one occurrence of the first part that is long enough and stands there.
    """
    for lead, part in enumerate(parts):
        if len(part) < _LEAST:
            continue
        ways = []
        at = _find(prose.text, part, 0, len(prose.text))
        while at is not None:
            ways.append(_way(prose.text, parts, lead, at))
            at = _find(prose.text, part, at + 1, len(prose.text))
        if ways:
            return ways
    return []


def _way(text: str, parts: list[str], lead: int, at: int) -> list[int | None]:
    """The places of all parts, with the leading one at `at`."""
    way: list[int | None] = [None] * len(parts)
    way[lead] = at
    reach = at + len(parts[lead])
    for number in range(lead + 1, len(parts)):
        part = parts[number]
        found = _find(text, part, reach, reach + _REACH + len(part))
        if found is not None:
            way[number], reach = found, found + len(part)
    reach = at
    for number in range(lead - 1, -1, -1):
        part = parts[number]
        found = _find_back(text, part, max(0, reach - _REACH - len(part)), reach)
        if found is not None:
            way[number] = reach = found
    return way


def _find(text: str, part: str, start: int, end: int) -> int | None:
    at = text.find(part, start, end)
    while at >= 0:
        if _is_whole(text, part, at):
            return at
        at = text.find(part, at + 1, end)
    return None


def _find_back(text: str, part: str, start: int, end: int) -> int | None:
    at = text.rfind(part, start, end)
    while at >= 0:
        if _is_whole(text, part, at):
            return at
        at = text.rfind(part, start, at + len(part) - 1)
    return None


def _is_whole(text: str, part: str, at: int) -> bool:
    return not is_cut(text, at) and not is_cut(text, at + len(part))
