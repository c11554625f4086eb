"""A passage of one revision of a chapter, looked for in the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.anchors._target import (
    AGREES,
    Found,
    anchor,
    sides,
    target_at,
    whole_words,
)
from researchpack.prose import normalise
from researchpack.records import Ambiguous, Anchored, Lost

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.anchors._chapter import Chapter
    from researchpack.anchors._search import Near
    from researchpack.prose import Span

_SAME: Final = 40
"""Characters from which repeated words without any known context may be paired in order."""


def follow(span: Span, old: Chapter, new: Chapter) -> Found:
    """Where the passage at `span` of `old` stands in `new`.

    What is known of the old revision is used: words that stood several times are paired with
    their new places one by one, and a passage that resembles the lost one is its heir only if it
    resembles no other passage of the old text more.
    """
    target = target_at(old, span)
    found = anchor(target, new, is_heir=_heir_of(span, old, new))
    if not isinstance(found, Anchored | Ambiguous):
        return found
    how = found.how if isinstance(found, Anchored) else "exact"
    if how == "multipart":
        return found
    return _paired(span, old, new, found)


def _paired(span: Span, old: Chapter, new: Chapter, found: Anchored | Ambiguous) -> Found:
    """`found`, corrected by what became of the other places where the same words stood."""
    words = old.text[span[0] : span[1]]
    before = old.normalised(words) or (span,)
    after = new.normalised(words)
    if len(before) == 1:
        return found
    pairs = _pairs(before, after, old, new)
    ours = next((n for n, place in enumerate(before) if _same(place, span)), None)
    if ours is None:
        return found
    partner = pairs.get(ours)
    if partner is None:
        return Lost() if len(after) < len(before) else Ambiguous(spans=after)
    at, agrees = partner
    place = after[at]
    if not agrees and len(words) < _SAME and len(before) != len(after):
        return Ambiguous(spans=after)
    exact = new.text[place[0] : place[1]] == words
    moved = old.section(span[0]) != new.section(place[0]) and new.has_section(old.section(span[0]))
    how = "moved" if moved else "exact" if exact else "normalised"
    return Anchored(spans=(place,), how=how)


def _pairs(
    before: tuple[Span, ...], after: tuple[Span, ...], old: Chapter, new: Chapter
) -> dict[int, tuple[int, bool]]:
    """Old place -> new place and whether a context agrees; those that agree most are paired first.

    What is left is paired in order when as many are left on both sides.
    """
    scored = []
    for number, place in enumerate(before):
        target = target_at(old, place)
        for other, candidate in enumerate(after):
            one, two = sides(target, new, candidate)
            scored.append((one + two, max(one, two), number, other))
    pairs: dict[int, tuple[int, bool]] = {}
    used: set[int] = set()
    for _, best, number, other in sorted(scored, key=lambda s: (-s[0], s[2], s[3])):
        if best >= AGREES and number not in pairs and other not in used:
            pairs[number] = (other, True)
            used.add(other)
    left = [n for n in range(len(before)) if n not in pairs]
    free = [n for n in range(len(after)) if n not in used]
    if len(left) == len(free):
        pairs.update({number: (other, False) for number, other in zip(left, free, strict=True)})
    return pairs


def _same(one: Span, two: Span) -> bool:
    return one[0] < two[1] and two[0] < one[1]


def _heir_of(span: Span, old: Chapter, new: Chapter) -> Callable[[Near], bool]:
    """Tells whether a passage of the new text came from `span` and from nothing else."""
    start, end = old.normal_offset(span[0]), old.normal_offset(span[1])

    def is_heir(near: Near) -> bool:
        place = whole_words(new.text, new.prose.span(near.start, near.end))
        words = normalise(new.text[place[0] : place[1]]).text
        origins = old.index.near(words, 0.4)
        if not origins:
            return False
        # Words that stood in the old text elsewhere, unchanged or nearer to these, are theirs.
        best = origins[0].errors
        return all(
            origin.start < end and start < origin.end
            for origin in origins
            if origin.errors <= best + len(words) // 25
        )

    return is_heir
