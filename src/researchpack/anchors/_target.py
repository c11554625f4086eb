"""A quote with its context, and the place it has in a chapter."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from researchpack.anchors._changes import changed
from researchpack.anchors._quotes import find_parts, has_gap, parts_of
from researchpack.prose import normalise
from researchpack.records import Ambiguous, Anchored, Changed, Lost, Partial

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.anchors._chapter import Chapter
    from researchpack.anchors._search import Near
    from researchpack.prose import Span

CONTEXT: Final = 40
"""Characters of context that are compared on each side."""
AGREES: Final = 0.6
"""Similarity, from 0 to 1, from which a side of the context counts as the same."""
_MOVED: Final = 40
"""Characters below which words in a new surrounding may be anybody's."""
_LEAST: Final = 12
"""Characters below which nothing is looked for by similarity."""
_SIMILAR: Final = 0.8
_CLEAR: Final = 0.08
"""Two candidates that are nearer to each other than this are not told apart."""

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


def anchor(
    target: Target, chapter: Chapter, *, is_heir: Callable[[Near], bool] | None = None
) -> Found:
    """Where the target stands in the chapter.

    `is_heir` tells, for a passage that merely resembles the target, whether it came from it and
    from nothing else; without it both sides of the context must agree.
    """
    for how, spans in (
        ("exact", chapter.exact(target.exact)),
        ("normalised", chapter.normalised(target.exact)),
    ):
        if spans:
            return _choose(target, chapter, spans, how)
    if has_gap(target.exact):
        parts = _multipart(target, chapter)
        if parts is not None:
            return parts
    return _similar(target, chapter, is_heir)


def sides(target: Target, chapter: Chapter, span: Span) -> tuple[float, float]:
    """How alike the contexts are, before and behind; 0 where either has none, 1 at both ends."""
    before, behind = chapter.context(span, CONTEXT)
    prefix = normalise(target.prefix).text[-CONTEXT:].strip()
    suffix = normalise(target.suffix).text[:CONTEXT].strip()
    return _alike(prefix, before), _alike(suffix, behind)


def _alike(one: str, two: str) -> float:
    if not one and not two:
        return 1.0
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def _choose(target: Target, chapter: Chapter, spans: tuple[Span, ...], how: str) -> Found:
    """Which of the places where the words stand is meant."""
    if not (target.prefix or target.suffix):
        return _by_section(target, chapter, spans, how)
    scored = sorted(((*_rank(target, chapter, span), span) for span in spans), reverse=True)
    agreeing = [(total, span) for best, total, span in scored if best >= AGREES]
    if not agreeing:
        if len(spans) == 1 and len(target.exact) >= _MOVED:
            return Anchored(spans=spans, how="moved")
        return Ambiguous(spans=spans)
    near = [span for total, span in agreeing if agreeing[0][0] - total < _CLEAR]
    if len(near) > 1:
        near = _nearest(target, chapter, near)
    if len(near) > 1:
        return Ambiguous(spans=tuple(sorted(near)))
    return _placed(target, chapter, near[0], how)


def _rank(target: Target, chapter: Chapter, span: Span) -> tuple[float, float]:
    before, behind = sides(target, chapter, span)
    return max(before, behind), before + behind


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


def _placed(target: Target, chapter: Chapter, span: Span, how: str) -> Anchored:
    """The words at one place; moved when that is in another section that was there before."""
    section = target.section
    elsewhere = (
        section is not None
        and chapter.section(span[0]) != section
        and (chapter.has_section(section) or not section)
    )
    return Anchored(spans=(span,), how="moved" if elsewhere else how)


def _by_section(target: Target, chapter: Chapter, spans: tuple[Span, ...], how: str) -> Found:
    """Without any context the section decides, and nothing is guessed."""
    if target.section is not None and chapter.has_section(target.section):
        inside = tuple(s for s in spans if chapter.section(s[0]) == target.section)
        if len(inside) == 1:
            return Anchored(spans=inside, how=how)
        if len(inside) > 1:
            return Ambiguous(spans=inside)
    return _placed(target, chapter, spans[0], how) if len(spans) == 1 else Ambiguous(spans=spans)


def _multipart(target: Target, chapter: Chapter) -> Found | None:
    """A quote with gaps: all parts in order, some of them, or None for none."""
    parts = parts_of(target.exact)
    ways = find_parts(chapter.prose, parts, 0, len(chapter.prose.text))
    if not ways:
        return None
    missing = [sum(offset is None for offset in way) for way in ways]
    best = [way for way, gone in zip(ways, missing, strict=True) if gone == missing[0]]
    found = [_spans(chapter, parts, way) for way in best]
    if len(found) > 1:
        return Ambiguous(spans=tuple((spans[0][0], spans[-1][1]) for spans in found))
    if missing[0]:
        gone = tuple(p for p, at in zip(parts, best[0], strict=True) if at is None)
        return Partial(spans=found[0], missing=gone)
    return Anchored(spans=found[0], how="multipart")


def _spans(chapter: Chapter, parts: list[str], way: list[int | None]) -> tuple[Span, ...]:
    return tuple(
        chapter.prose.span(at, at + len(part))
        for part, at in zip(parts, way, strict=True)
        if at is not None
    )


def _similar(
    target: Target, chapter: Chapter, is_heir: Callable[[Near], bool] | None
) -> Changed | Ambiguous | Lost:
    """A passage that resembles the target, when it is certain that it came from it."""
    words = normalise(target.exact).text
    if len(words) < _LEAST:
        return Lost()
    found = chapter.index.near(words, 1 - _SIMILAR + 0.2)
    if not found:
        return Lost()
    nearest = chapter.prose.span(found[0].start, found[0].end)
    sure = [near for near in found if _is_sure(near, words, target, chapter, is_heir)]
    if not sure:
        return Lost(nearest=nearest)
    best = _similarity(sure[0], words)
    rivals = [near for near in sure if best - _similarity(near, words) < _CLEAR]
    spans = tuple(chapter.prose.span(near.start, near.end) for near in rivals)
    if len(rivals) > 1:
        return Ambiguous(spans=tuple(sorted(spans)))
    start, end = whole_words(chapter.text, spans[0])
    return changed(target.exact, chapter.text[start:end], ((start, end),))


def _is_sure(
    near: Near,
    words: str,
    target: Target,
    chapter: Chapter,
    is_heir: Callable[[Near], bool] | None,
) -> bool:
    similarity = _similarity(near, words)
    if similarity < _SIMILAR:
        return False
    if not (target.prefix or target.suffix) and is_heir is None:
        return False
    before, behind = sides(target, chapter, chapter.prose.span(near.start, near.end))
    if is_heir is None:
        return min(before, behind) >= AGREES
    return (max(before, behind) >= AGREES or similarity >= 0.9) and is_heir(near)


def _similarity(near: Near, words: str) -> float:
    return 1 - near.errors / len(words)


def whole_words(text: str, span: Span) -> Span:
    """`span` grown to the ends of the words that it cuts."""
    start, end = span
    while start > 0 and _inside(text, start):
        start -= 1
    while end < len(text) and _inside(text, end):
        end += 1
    return start, end


def _inside(text: str, at: int) -> bool:
    """Whether a word of an alphabet that separates words goes on across `at`."""
    return _letter(text[at - 1]) and _letter(text[at])


def _letter(char: str) -> bool:
    return char.isalnum() and not "\u2e80" <= char <= "\ud7a3"
