"""A quote with its context, and the place it has in a chapter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from researchpack.anchors._changes import changed
from researchpack.anchors._chapter import plain
from researchpack.anchors._edges import is_cut, whole_words
from researchpack.anchors._pairs import AGREES, CLEAR, CONTEXT, alike
from researchpack.anchors._quotes import find_parts, has_gap, parts_of
from researchpack.prose import normalise
from researchpack.records import Ambiguous, Anchored, Changed, Lost, Partial

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.anchors._chapter import Chapter, Cuts
    from researchpack.anchors._pairs import Around
    from researchpack.anchors._search import Near
    from researchpack.prose import Span

SURE: Final = 40
"""Characters below which words in a new surrounding may be anybody's."""
_LEAST: Final = 12
"""Characters below which nothing is looked for by similarity."""
_SIMILAR: Final = 0.8
_OFFERED: Final = 0.6
"""Similarity from which a passage is offered as the nearest one."""

_BOUND: Final = 12
"""Characters of context that bound a passage where they stand."""

Found = Anchored | Changed | Partial | Ambiguous | Lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is looked for: a TextQuoteSelector, its section, and where it stood earlier."""

    exact: str
    prefix: str = ""
    """As long as one likes; the last characters are compared."""
    suffix: str = ""
    section: str | None = None
    position: int | None = None
    """An offset, as a TextPositionSelector has it; only decides between equals."""

    @property
    def has_context(self) -> bool:
        """Whether anything is known of the surrounding."""
        return bool(self.prefix or self.suffix)

    def around(self) -> Around:
        """The context as it is compared."""
        prefix, suffix = normalise(self.prefix).text, normalise(self.suffix).text
        return prefix[-CONTEXT:].strip(), suffix[:CONTEXT].strip()

    def cuts(self) -> Cuts:
        """Whether the quote itself begins or ends inside a word, as far as its context tells."""
        text = self.prefix + self.exact + self.suffix
        start = len(self.prefix)
        return is_cut(text, start), is_cut(text, start + len(self.exact))


def target_at(chapter: Chapter, span: Span) -> Target:
    """The target of a passage that stands at `span`."""
    start, end = span
    return Target(
        exact=chapter.text[start:end],
        prefix=chapter.text[max(0, start - 4 * CONTEXT) : start],
        suffix=chapter.text[end : end + 4 * CONTEXT],
        section=chapter.section(start),
        position=start,
    )


def anchor(target: Target, chapter: Chapter) -> Found:
    """Where the target stands in the chapter.

    A passage that merely resembles it is taken only when both sides of the context agree.
    """
    exact, others = chapter.passages(target.exact, target.cuts())
    around = target.around()
    found = choose(target, around if target.has_context else None, chapter, exact, others)
    if found is not None:
        return found
    if has_gap(target.exact):
        parts = _multipart(target, chapter)
        if parts is not None:
            return parts

    def is_sure(near: Near, similarity: float) -> bool:
        place = chapter.prose.span(near.start, near.end)
        return target.has_context and min(sides(around, chapter, place)) >= AGREES

    return similar(target.exact, around, chapter, is_sure)


def sides(around: Around, chapter: Chapter, span: Span) -> tuple[float, float]:
    """How alike the contexts are, before and behind."""
    before, behind = chapter.context(span, CONTEXT)
    return alike(around[0], before), alike(around[1], behind)


def choose(
    target: Target,
    around: Around | None,
    chapter: Chapter,
    exact: tuple[Span, ...],
    others: tuple[Span, ...],
) -> Found | None:
    """Which of the places where the words stand is meant; None when there is none.

    `around` is the context of the target, normalised, or None when nothing is known of it.
    """
    if not (exact or others):
        return None
    if around is None:
        # Nothing but the marks tells them apart.
        return _by_section(target, chapter, exact or others, "exact" if exact else "normalised")
    spans = sorted((*exact, *others))
    near = _agreeing(target, around, chapter, spans)
    if not near:
        if len(spans) == 1 and len(target.exact) >= SURE:
            return Anchored(spans=(spans[0],), how="moved")
        return Ambiguous(spans=tuple(spans))
    if len(near) > 1:
        return Ambiguous(spans=tuple(near))
    return placed(target.section, chapter, near[0], "exact" if near[0] in exact else "normalised")


def _agreeing(target: Target, around: Around, chapter: Chapter, spans: list[Span]) -> list[Span]:
    """The places whose context agrees most with that of the target; several if equally much."""
    scored = []
    for span in spans:
        ratios = sides(around, chapter, span)
        if max(ratios) >= AGREES:
            scored.append((sum(ratios), span))
    best = max((total for total, _ in scored), default=0.0)
    return _nearest(target, chapter, [span for total, span in scored if best - total < CLEAR])


def placed(section: str | None, chapter: Chapter, span: Span, how: str) -> Anchored:
    """The words at one place; moved when that is in another section although theirs is there.

    A section whose heading is gone was renamed or taken into the one before, and nothing moved.
    """
    elsewhere = (
        section is not None
        and chapter.section(span[0]) != section
        and (chapter.has_section(section) or not section)
    )
    return Anchored(spans=(span,), how="moved" if elsewhere else how)


def similar(
    exact: str, around: Around, chapter: Chapter, is_sure: Callable[[Near, float], bool]
) -> Changed | Ambiguous | Lost:
    """A passage that resembles the words, when it is certain that it came from them.

    `around` is what stood before and behind them; `is_sure` gets a passage and its similarity,
    from 0 to 1.
    """
    words = plain(exact)
    if len(words) < _LEAST:
        return Lost()
    found = chapter.index.near(words, 1 - _OFFERED)
    if not found:
        return Lost()
    nearest = _grown(chapter, found[0])
    scored = [
        (1 - near.errors / len(words), between(near, around, chapter.prose.text, len(words) // 4))
        for near in found
    ]
    sure = [(score, near) for score, near in scored if score >= _SIMILAR and is_sure(near, score)]
    if not sure:
        return Lost(nearest=nearest)
    rivals = [near for score, near in sure if sure[0][0] - score < CLEAR]
    spans = tuple(sorted(_grown(chapter, near) for near in rivals))
    if len(rivals) > 1:
        return Ambiguous(spans=spans)
    start, end = spans[0]
    return changed(exact, chapter.text[start:end], spans)


def between(near: Near, around: Around, text: str, most: int) -> Near:
    """The passage from the end of the old words before it to the beginning of those behind it.

    By characters alone its ends are blurred: a word that was put in beside the first one would
    stand for it. Words that are more than `most` characters away bound nothing.
    """
    before, behind = around[0][-_BOUND:], around[1][:_BOUND]
    start, end = near.start, near.end
    if len(before) == _BOUND:
        at = text.rfind(before, max(0, start - most - _BOUND), start + most)
        if at >= 0:
            start = at + _BOUND + text.startswith(" ", at + _BOUND)
    if len(behind) == _BOUND:
        at = text.find(behind, max(start + 1, end - most), end + most + _BOUND)
        if at >= 0:
            end = at - (text[at - 1] == " ")
    return replace(near, start=start, end=end) if start < end else near


def _grown(chapter: Chapter, near: Near) -> Span:
    """The place of a passage in the source, in whole words."""
    return whole_words(chapter.text, *chapter.prose.span(near.start, near.end))


def _nearest(target: Target, chapter: Chapter, spans: list[Span]) -> list[Span]:
    """Of equally good places those of the same section, then the one at the earlier position."""
    same = [span for span in spans if chapter.section(span[0]) == target.section]
    left = same or spans
    if len(left) > 1 and target.position is not None:
        position = target.position
        ranked = sorted(left, key=lambda span: abs(span[0] - position))
        if abs(ranked[0][0] - position) < abs(ranked[1][0] - position):
            return ranked[:1]
    return left


def _by_section(target: Target, chapter: Chapter, spans: tuple[Span, ...], how: str) -> Found:
    """Without any context the section decides, and nothing is guessed."""
    if target.section is not None and chapter.has_section(target.section):
        inside = tuple(s for s in spans if chapter.section(s[0]) == target.section)
        if len(inside) == 1:
            return Anchored(spans=inside, how=how)
        if inside or len(target.exact) < SURE:
            return Ambiguous(spans=inside or spans)
    if len(spans) == 1:
        return placed(target.section, chapter, spans[0], how)
    return Ambiguous(spans=spans)


def _multipart(target: Target, chapter: Chapter) -> Found | None:
    """A quote with gaps: all parts in order, most of it, or None for less."""
    parts = parts_of(target.exact)
    ways = [way for way in find_parts(chapter.prose, parts) if _is_most(parts, way)]
    if not ways:
        return None
    missing = min(way.count(None) for way in ways)
    found = [(way, _spans(chapter, parts, way)) for way in ways if way.count(None) == missing]
    inside = [one for one in found if chapter.section(one[1][0][0]) == target.section]
    found = inside or found
    if len(found) > 1:
        return Ambiguous(spans=tuple((spans[0][0], spans[-1][1]) for _, spans in found))
    way, spans = found[0]
    if missing:
        gone = tuple(part for part, at in zip(parts, way, strict=True) if at is None)
        return Partial(spans=spans, missing=gone)
    return Anchored(spans=spans, how="multipart")


def _is_most(parts: list[str], way: list[int | None]) -> bool:
    """Whether at least half of the characters were found; less may be anybody's."""
    there = sum(len(part) for part, at in zip(parts, way, strict=True) if at is not None)
    return 2 * there >= sum(map(len, parts))


def _spans(chapter: Chapter, parts: list[str], way: list[int | None]) -> tuple[Span, ...]:
    return tuple(
        chapter.prose.span(at, at + len(part))
        for part, at in zip(parts, way, strict=True)
        if at is not None
    )
