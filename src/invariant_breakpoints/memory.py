"""Bounded memories: what is old is forgotten, so that no run can fill the machine."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class Recent(Generic[V]):
    """A mapping of limited size; the entry longest unused goes first.

    An ordered dictionary and no plain one: the first key of a plain dictionary from which keys were
    taken is found by walking over all the gaps.
    """

    __slots__ = ("_entries", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: OrderedDict[str, V] = OrderedDict()

    def get(self, key: str) -> V | None:
        """The entry, now the most recent one."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: str, value: V) -> None:
        """Keep an entry."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._limit:
            self._entries.popitem(last=False)

    def drop(self, key: str) -> None:
        """Forget an entry, if it is there."""
        self._entries.pop(key, None)

    def clear(self) -> None:
        """Forget all."""
        self._entries.clear()


class Seen(Recent[int]):
    """Keys with the number of the last step that had them."""

    __slots__ = ()

    def add(self, key: str, at: int) -> int | None:
        """Where the key was seen last, or None when it is new (or long forgotten)."""
        before = self._entries.get(key)
        self.put(key, at)
        return before
