"""Tandem repeats at the end of a growing sequence, exactly, for all periods up to a bound.

A period p is alive as long as each new key equals the key p places before it. Only places where the
new key occurred among the last `longest` ones can be alive, so nothing else is looked at: constant
work for new keys, at most `longest` comparisons inside a loop.
"""

from __future__ import annotations

from collections import deque


class Periods:
    """The live periods of a sequence, each with the length of its match."""

    __slots__ = ("_alive", "_at", "_count", "_keys", "_longest")

    def __init__(self, longest: int = 32) -> None:
        self._longest = longest
        self.clear()

    def clear(self) -> None:
        """Forget everything: what comes next is compared with nothing before."""
        self._keys: deque[str] = deque()
        self._at: dict[str, deque[int]] = {}
        self._alive: dict[int, int] = {}
        self._count = 0

    def push(self, key: str) -> dict[int, int]:
        """Add a key. For each live period p: how many keys in a row equal the one p before them.

        A match of length m means m // p + 1 full laps. The result is ordered by period.
        """
        now = self._count
        self._count += 1
        if len(self._keys) > self._longest:
            self._drop_oldest()
        places = self._at.get(key)
        alive: dict[int, int] = {}
        if places is None:
            self._at[key] = deque((now,))
        else:
            before = self._alive
            for place in reversed(places):
                period = now - place
                alive[period] = before.get(period, 0) + 1
            places.append(now)
        self._keys.append(key)
        self._alive = alive
        return alive

    def _drop_oldest(self) -> None:
        key = self._keys.popleft()
        places = self._at[key]
        places.popleft()
        if not places:
            del self._at[key]
