"""A passage of one revision of a chapter, looked for in the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.anchors._chapter import plain
from researchpack.anchors._edges import whole_words
from researchpack.anchors._pairs import AGREES, CLEAR, CONTEXT, pair
from researchpack.anchors._target import (
    SURE,
    Found,
    choose,
    placed,
    sides,
    similar,
    target_at,
)
from researchpack.records import Ambiguous, Anchored, Changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.anchors._chapter import Chapter
    from researchpack.anchors._search import Near
    from researchpack.prose import Span


def follow(span: Span, old: Chapter, new: Chapter) -> Found:
    """Where the passage at `span` of `old` stands in `new`.

    What is known of the old revision is used: words that stood several times are paired with
    their new places one by one, and a passage that resembles the lost one is its heir only if it
    resembles no other passage of the old text more. An ellipsis or a bracket in the passage is
    the chapter's own and leaves nothing out.
    """
    target, cuts = target_at(old, span), old.cuts(span)
    exact, others = new.passages(target.exact, cuts)
    before = tuple(sorted(place for places in old.passages(target.exact, cuts) for place in places))
    if len(before) > 1 and span in before:
        return _repeated(span, before, exact, others, old, new)
    around = old.context(span, CONTEXT)
    found = choose(target, around, new, exact, others)
    if found is not None:
        return found
    return similar(target.exact, around, new, _heir_of(span, old, new, ()))


def _repeated(
    span: Span,
    before: tuple[Span, ...],
    exact: tuple[Span, ...],
    others: tuple[Span, ...],
    old: Chapter,
    new: Chapter,
) -> Found:
    """What became of one of several places where the same words stood."""
    after = tuple(sorted((*exact, *others)))
    pairs = pair(before, after, old, new)
    ours = before.index(span)
    if ours in pairs:
        place = after[pairs[ours]]
        return placed(old.section(span[0]), new, place, "exact" if place in exact else "normalised")
    words = old.text[span[0] : span[1]]
    rest = tuple(s for number, s in enumerate(before) if number not in pairs and number != ours)
    paired = tuple(before[number] for number in pairs)
    around = old.context(span, CONTEXT)
    found = similar(words, around, new, _heir_of(span, old, new, rest, paired))
    free = tuple(s for number, s in enumerate(after) if number not in pairs.values())
    if isinstance(found, Changed) or not free:
        return found
    if len(free) == 1 and not rest and len(words) >= SURE:
        return Anchored(spans=free, how="moved")
    return Ambiguous(spans=free)


def _heir_of(
    span: Span,
    old: Chapter,
    new: Chapter,
    rest: tuple[Span, ...],
    paired: tuple[Span, ...] = (),
) -> Callable[[Near, float], bool]:
    """Tells whether a passage of the new text came from `span` and from nothing else.

    `rest` and `paired` are the other places where the same words stood: those of which is not
    known what became of them, and those that stand in the new text and have no other heir.
    """
    around = old.context(span, CONTEXT)
    rivals = [old.context(place, CONTEXT) for place in rest]

    def is_heir(near: Near, similarity: float) -> bool:
        raw = new.prose.span(near.start, near.end)
        ratios = sides(around, new, raw)
        needs_context = similarity < 0.9 or rest or paired
        if needs_context and max(ratios) < AGREES:
            return False
        if any(sum(sides(rival, new, raw)) > sum(ratios) - CLEAR for rival in rivals):
            return False
        return _came_from(span, (*rest, *paired), old, new, raw)

    return is_heir


def _came_from(
    span: Span, twins: tuple[Span, ...], old: Chapter, new: Chapter, place: Span
) -> bool:
    """Whether the words at `place` of the new text resemble those at `span` of the old one most.

    Words that stood in the old text elsewhere, unchanged or nearer to these, are theirs.
    """
    start, end = whole_words(new.text, *place)
    words = plain(new.text[start:end])
    origins = old.index.near(words, 0.4)
    if not origins:
        return False
    best = origins[0].errors
    for origin in origins:
        if origin.errors > best + len(words) // 25:
            continue
        at = old.prose.span(origin.start, origin.end)
        if not _overlap(at, span) and not any(_overlap(at, twin) for twin in twins):
            return False
    return any(_overlap(old.prose.span(o.start, o.end), span) for o in origins)


def _overlap(one: Span, two: Span) -> bool:
    return one[0] < two[1] and two[0] < one[1]
