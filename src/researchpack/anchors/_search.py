"""Approximate search: where a text holds something near to some words, and how near.

Seeds (short pieces that occur in both) say where it is worth looking; there the edit distance is
worked out with Myers' bit-parallel algorithm (1999), in one Python integer, so that neither the
length of the pattern nor the alphabet has a limit. Everything here is on normalised text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Final

_SEED: Final = 5
_SHORT_SEED: Final = 3
_SHORT: Final = 30
"""Characters below which a pattern is too short for long seeds."""
_WINDOWS: Final = 12
"""How many places are looked at, those with the most seeds first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A stretch of the text that resembles the pattern."""

    start: int
    end: int
    errors: int
    """Insertions, deletions and replacements of characters between the two."""


class Index:
    """The seeds of one text, worked out when they are needed first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._seeds: dict[int, dict[str, list[int]]] = {}

    def near(self, pattern: str, most: float) -> list[Near]:
        """Stretches with at most `most * len(pattern)` errors, the best first; they do not overlap.

        A stretch in which not even a short piece of the pattern stands unchanged is not found.
        """
        limit = int(len(pattern) * most)
        found: list[Near] = []
        windows = self._windows(pattern, limit)
        while windows:
            start, end = windows.pop()
            best = best_match(pattern, self.text[start:end], limit)
            if best is not None:
                near = Near(start=start + best.start, end=start + best.end, errors=best.errors)
                found.append(near)
                # A neighbour may be as near, and nobody must take one of two for the only one.
                rest = ((start, near.start), (near.end, end))
                windows += [(a, b) for a, b in rest if b - a >= len(pattern) - limit]
        kept: list[Near] = []
        for near in sorted(found, key=lambda n: (n.errors, n.start)):
            if not any(near.start < other.end and other.start < near.end for other in kept):
                kept.append(near)
        return kept

    def _windows(self, pattern: str, limit: int) -> list[tuple[int, int]]:
        """Stretches that hold seeds of the pattern in the right order and distance."""
        size = _SHORT_SEED if len(pattern) < _SHORT else _SEED
        seeds = self._of(size)
        bucket = max(limit, 8)
        votes: Counter[int] = Counter()
        for at in range(len(pattern) - size + 1):
            places = seeds.get(pattern[at : at + size], ())
            if len(places) <= 400:  # a seed that stands everywhere says nothing
                votes.update({(place - at) // bucket for place in places})
        merged = Counter({key: votes[key] + votes[key + 1] for key in votes})
        windows = []
        ranked = merged.most_common(_WINDOWS)
        for key, number in ranked:
            if 4 * number < ranked[0][1]:  # chance, beside a place with so many more
                break
            start = max(0, key * bucket - limit - size)
            end = min(len(self.text), (key + 2) * bucket + len(pattern) + limit + size)
            windows.append((start, end))
        return windows

    def _of(self, size: int) -> dict[str, list[int]]:
        if size not in self._seeds:
            seeds: dict[str, list[int]] = defaultdict(list)
            for at in range(len(self.text) - size + 1):
                seeds[self.text[at : at + size]].append(at)
            self._seeds[size] = dict(seeds)
        return self._seeds[size]


def best_match(pattern: str, text: str, limit: int) -> Near | None:
    """The stretch of `text` nearest to `pattern`, or None when it has more than `limit` errors.

    The longest of equally near ones: a word that was put in belongs to it.
    """
    end, errors = _best_end(pattern, text)
    if errors > limit:
        return None
    reach = max(0, end - len(pattern) - errors)
    back, _ = _best_end(pattern[::-1], text[reach:end][::-1], anchored=True)
    return Near(start=end - back, end=end, errors=errors)


def _best_end(pattern: str, text: str, *, anchored: bool = False) -> tuple[int, int]:
    """Where the best match ends, and its errors; of several equally good ones the first, grown.

    `anchored`: the match must begin where the text begins.
    """
    size = len(pattern)
    masks: dict[str, int] = defaultdict(int)
    for at, char in enumerate(pattern):
        masks[char] |= 1 << at
    full, top = (1 << size) - 1, 1 << (size - 1)
    plus, minus, errors = full, 0, size
    best, best_end = size, 0
    for at, char in enumerate(text, 1):
        equal = masks.get(char, 0)
        diagonal = (((equal & plus) + plus) ^ plus) | equal | minus
        rises = minus | ~(diagonal | plus)
        falls = plus & diagonal
        if rises & top:
            errors += 1
        elif falls & top:
            errors -= 1
        rises = (rises << 1) | (1 if anchored else 0)
        falls <<= 1
        plus = (falls | ~(diagonal | rises)) & full
        minus = rises & diagonal & full
        if errors < best or (errors == best and at - best_end <= best):
            best, best_end = errors, at
    return best_end, best
