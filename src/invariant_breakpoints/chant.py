"""A phrase said again and again inside one text, found by whole periods and not by chunks.

Lines that only share a long beginning are no chant: their ends differ, so no period repeats.
"""

from __future__ import annotations

import re

from invariant_breakpoints.periods import Periods

_TOKEN = re.compile(r"\w+|[^\w\s]+")
TOKEN_LIMIT = 4000
CHANT_LAPS = 6
CHANT_LENGTH = 120
"""Characters that the repeated stretch must cover, so that `no no no` is not a chant."""


def laps(text: str) -> int:
    """How often the most repeated phrase follows itself directly; 0 when there is no chant."""
    if len(text) < CHANT_LENGTH:
        return 0
    finder = Periods(32)
    best = 0
    lengths: list[int] = []
    for match in _TOKEN.finditer(text[: TOKEN_LIMIT * 12]):
        token = match.group()
        lengths.append(len(token) + 1 if token[0].isalnum() else 0)
        for period, run in finder.push(token).items():
            laps = run // period + 1
            if laps > max(best, CHANT_LAPS - 1) and _covers(lengths, run + period):
                best = laps
    return best


def _covers(lengths: list[int], tokens: int) -> bool:
    # Dividers such as `-----` have no length here: a table is no chant.
    return sum(lengths[-tokens:]) >= CHANT_LENGTH
