"""Words that stand several times: which place of one revision became which of the next."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.anchors._chapter import Chapter
    from researchpack.prose import Span

CONTEXT: Final = 40
"""Characters of context that are compared on each side."""
AGREES: Final = 0.6
"""Similarity, from 0 to 1, from which a side of the context counts as the same."""
CLEAR: Final = 0.08
"""Two candidates that are nearer to each other than this are not told apart."""
_WIDE: Final = 4 * CONTEXT
_MOST: Final = 2500
"""Comparisons, above which places whose contexts are not equal are left to a person."""

Around = tuple[str, str]


@dataclass(slots=True, kw_only=True)
class _Open:
    """The places that have no partner yet, and the pairs that were made."""

    before: set[int]
    after: set[int]
    pairs: dict[int, int]

    def join(self, number: int, other: int) -> None:
        self.before.discard(number)
        self.after.discard(other)
        self.pairs[number] = other


def alike(one: str, two: str) -> float:
    """How alike two contexts are, from 0 to 1; 1 when both are empty, at an end of the text."""
    if one == two:
        return 1.0
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def pair(
    before: tuple[Span, ...], after: tuple[Span, ...], old: Chapter, new: Chapter
) -> dict[int, int]:
    """Numbers of places in `before` -> numbers in `after`; a place that nothing tells has none.

    Equal surroundings are paired first, wide ones before near ones and two sides before one; then
    those that are alike, unless another place is nearly as much alike.
    """
    found = _Open(before=set(range(len(before))), after=set(range(len(after))), pairs={})
    wide = [old.context(s, _WIDE) for s in before], [new.context(s, _WIDE) for s in after]
    near = [old.context(s, CONTEXT) for s in before], [new.context(s, CONTEXT) for s in after]
    _join_equal(found, *wide, lambda around: around)
    _join_equal(found, *near, lambda around: around)
    _join_equal(found, *near, lambda around: around[0])
    _join_equal(found, *near, lambda around: around[1])
    if len(found.before) * len(found.after) <= _MOST:
        _join_alike(found, *near)
    return found.pairs


def _join_equal(
    found: _Open,
    before: list[Around],
    after: list[Around],
    key: Callable[[Around], object],
) -> None:
    """Pair the places with equal keys in order, where there are as many on both sides."""
    groups: defaultdict[object, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for number in sorted(found.before):
        groups[key(before[number])][0].append(number)
    for number in sorted(found.after):
        groups[key(after[number])][1].append(number)
    for ours, theirs in groups.values():
        if len(ours) == len(theirs):
            for number, other in zip(ours, theirs, strict=True):
                found.join(number, other)


def _join_alike(found: _Open, before: list[Around], after: list[Around]) -> None:
    scored = []
    for number in found.before:
        for other in found.after:
            one, two = (alike(a, b) for a, b in zip(before[number], after[other], strict=True))
            if max(one, two) >= AGREES:
                scored.append((one + two, number, other))
    scored.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
    unclear: set[tuple[str, int]] = set()
    for total, number, other in scored:
        if number not in found.before or other not in found.after:
            continue
        rivals = [
            (n, o)
            for score, n, o in scored
            if (n == number) != (o == other)
            and total - score < CLEAR
            and n in found.before
            and o in found.after
        ]
        if rivals:
            unclear |= {("before", n) for n, _ in rivals} | {("after", o) for _, o in rivals}
            unclear |= {("before", number), ("after", other)}
        elif ("before", number) not in unclear and ("after", other) not in unclear:
            found.join(number, other)
