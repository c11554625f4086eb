"""Bounded memories: what is old is forgotten, so that no run can fill the machine."""

from __future__ import annotations

from typing import Generic, TypeVar

V = TypeVar("V")


class Seen:
    """Keys with the number of the last step that had them; the first forgotten is the oldest."""

    __slots__ = ("_at", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._at: dict[str, int] = {}

    def add(self, key: str, at: int) -> int | None:
        """Where the key was seen last, or None when it is new (or long forgotten)."""
        before = self._at.pop(key, None)
        self._at[key] = at
        if before is None and len(self._at) > self._limit:
            del self._at[next(iter(self._at))]
        return before


class Recent(Generic[V]):
    """A mapping of limited size; the entry longest unused goes first."""

    __slots__ = ("_entries", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: dict[str, V] = {}

    def get(self, key: str) -> V | None:
        """The entry, now the most recent one."""
        value = self._entries.pop(key, None)
        if value is not None:
            self._entries[key] = value
        return value

    def put(self, key: str, value: V) -> None:
        """Keep an entry."""
        self._entries.pop(key, None)
        self._entries[key] = value
        if len(self._entries) > self._limit:
            del self._entries[next(iter(self._entries))]

    def drop(self, key: str) -> None:
        """Forget an entry, if it is there."""
        self._entries.pop(key, None)

    def clear(self) -> None:
        """Forget all."""
        self._entries.clear()
