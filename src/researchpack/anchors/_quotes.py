"""Quotes that leave something out: `…`, `...`, `[...]`, and the quoter's own `[T]he`."""

from __future__ import annotations

import re
from typing import Final

from researchpack.prose import Prose, normalise

_GAP: Final = re.compile(r"\s*(?:\[\s*(?:…|\.{3,})\s*\]|\(\s*(?:…|\.{3,})\s*\)|…|\.{3,})\s*")
_LETTER: Final = re.compile(r"\[(\w)\](?=\w)")
_INSERTED: Final = re.compile(r"\s*\[[^\]\[]{1,60}\]\s*")
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
    return [words for piece in pieces if len(words := normalise(piece).text.strip()) >= 1]


def has_gap(quote: str) -> bool:
    """Whether the quote leaves something out or puts something in."""
    return bool(_GAP.search(quote) or _INSERTED.search(quote) or _LETTER.search(quote))


def find_parts(prose: Prose, parts: list[str], start: int, end: int) -> list[list[int | None]]:
    """Ways to find the parts in order within `prose.text[start:end]`, best first.

    Each way has one offset in `prose.text` a part, or None for a part that is not there within
    reach. A way begins at one occurrence of the first part that is long enough.
    """
    lead = next((n for n, part in enumerate(parts) if len(part) >= _LEAST), None)
    if lead is None:
        return []
    ways = []
    at = prose.text.find(parts[lead], start, end)
    while at >= 0:
        way: list[int | None] = [None] * len(parts)
        way[lead] = at
        reach = at + len(parts[lead])
        for number in range(lead + 1, len(parts)):
            part = parts[number]
            found = prose.text.find(part, reach, min(end, reach + _REACH + len(part)))
            if found >= 0:
                way[number] = found
                reach = found + len(part)
        _look_back(prose, parts, way, lead, start)
        ways.append(way)
        at = prose.text.find(parts[lead], at + 1, end)
    return sorted(ways, key=lambda w: sum(offset is None for offset in w))


def _look_back(
    prose: Prose, parts: list[str], way: list[int | None], lead: int, start: int
) -> None:
    """Find the short parts before the leading one."""
    reach = way[lead] or 0
    for number in range(lead - 1, -1, -1):
        part = parts[number]
        found = prose.text.rfind(part, max(start, reach - _REACH - len(part)), reach)
        if found >= 0:
            way[number] = found
            reach = found
