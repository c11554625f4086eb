"""Where the passages of a claim table stand in the snapshot that they were quoted from.

Here a person says what is meant, with a heading and `(2 of 3)` or `(2 places)`; nothing is
guessed, and a passage that merely resembles the quote is offered and never adopted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.anchors._chapter import Chapter
from researchpack.anchors._quotes import has_gap
from researchpack.anchors._target import Target, anchor
from researchpack.records import (
    Ambiguous,
    Anchored,
    Lost,
    NoSnapshot,
    Paraphrase,
    Quote,
)

if TYPE_CHECKING:
    from researchpack.prose import Span
    from researchpack.records import Claim, Snapshot, Standing, Where


class Finder:
    """Looks for quotes in one snapshot, which is made ready once."""

    def __init__(self, snapshot: Snapshot | None) -> None:
        self.chapter = Chapter.of(snapshot) if snapshot else None

    def claim(self, claim: Claim) -> Standing:
        """Where the passage of a claim stands."""
        if self.chapter is None:
            return NoSnapshot()
        if claim.quote is None:
            return Paraphrase()
        return self.quote(claim.quote, claim.where)

    def quote(self, quote: Quote, where: Where | None = None) -> Standing:
        """Where `quote` stands; `where` picks among several places, and must hold them."""
        if self.chapter is None:
            return NoSnapshot()
        for words in (str(quote.text), quote.marked):
            exact, others = self.chapter.passages(words)
            if exact or others:
                how = "exact" if exact else "normalised"
                return _choose(self.chapter, exact or others, how, where)
        return _otherwise(self.chapter, quote, where)


def _otherwise(chapter: Chapter, quote: Quote, where: Where | None) -> Standing:
    """A quote with gaps part by part; else lost, with the nearest passage."""
    heading = str(where.heading) if where is not None else None
    found = anchor(Target(exact=str(quote.text), section=heading), chapter)
    if isinstance(found, Lost):
        return found
    if not has_gap(str(quote.text)):
        return Lost()
    elsewhere = heading is not None and chapter.section(found.spans[0][0]) != heading
    if elsewhere and chapter.has_section(heading or "") and not isinstance(found, Ambiguous):
        return Lost(elsewhere=found.spans)
    return found


def _choose(chapter: Chapter, spans: tuple[Span, ...], how: str, where: Where | None) -> Standing:
    """The places that are meant, of those where the words stand."""
    if where is None:
        return Anchored(spans=spans, how=how) if len(spans) == 1 else Ambiguous(spans=spans)
    known = chapter.has_section(where.heading)  # an unknown one is reported by its own check
    inside = tuple(s for s in spans if not known or chapter.section(s[0]) == where.heading)
    if not inside:
        return Lost(elsewhere=spans)
    among = len(inside)
    if where.which is not None and 1 <= where.which <= among:
        return Anchored(spans=(inside[where.which - 1],), how=how, among=among)
    if (where.of is not None and where.which is None) or among == 1:
        return Anchored(spans=inside, how=how, among=among)
    return Ambiguous(spans=inside)
