"""Lists of words as they are read best: in one string."""

from __future__ import annotations


def word_list(listed: str) -> tuple[str, ...]:
    """The words of `listed`, in order."""
    return tuple(listed.split())


def word_set(listed: str) -> frozenset[str]:
    """The words of `listed`."""
    return frozenset(word_list(listed))
