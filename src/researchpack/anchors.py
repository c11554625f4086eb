"""Where quoted words stand in a snapshot: exactly, or the same words in different marks.

Nothing is ever anchored to a look-alike: what is neither exact nor normalised is `Lost`, and what
stands in several places without the author having said which is `Ambiguous`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.prose import Prose, find_all, normalise
from researchpack.records import (
    Ambiguous,
    Anchored,
    Claim,
    Lost,
    NoSnapshot,
    Paraphrase,
    Snapshot,
    Standing,
)

if TYPE_CHECKING:
    from researchpack.prose import Span
    from researchpack.records import Quote, Where


class Finder:
    """Looks for quotes in one snapshot, which is normalised once."""

    def __init__(self, snapshot: Snapshot | None) -> None:
        self._snapshot = snapshot
        self._prose: Prose | None = None
        self._sections = _sections(snapshot) if snapshot else {}

    def claim(self, claim: Claim) -> Standing:
        """Where the passage of a claim stands."""
        if self._snapshot is None:
            return NoSnapshot()
        if claim.quote is None:
            return Paraphrase()
        return self.quote(claim.quote, claim.where)

    def quote(self, quote: Quote, where: Where | None = None) -> Standing:
        """Where `quote` stands; `where` picks among several places, and must hold them."""
        if self._snapshot is None:
            return NoSnapshot()
        for words in (str(quote.text), quote.marked):
            for how, spans in (("exact", self._exact(words)), ("normalised", self._like(words))):
                if spans:
                    return self._choose(spans, how, where)
        return Lost()

    def passages(self, words: str) -> tuple[Span, ...]:
        """All places at which `words` stand exactly or normalised; for cells that quote nothing."""
        if self._snapshot is None:
            return ()
        return self._exact(words) or self._like(words)

    def _exact(self, words: str) -> tuple[Span, ...]:
        text = self._snapshot.text if self._snapshot else ""
        return tuple((at, at + len(words)) for at in find_all(text, words))

    def _like(self, words: str) -> tuple[Span, ...]:
        if self._prose is None:
            self._prose = normalise(self._snapshot.text if self._snapshot else "")
        return self._prose.find_all(normalise(words).text)

    def _choose(self, spans: tuple[Span, ...], how: str, where: Where | None) -> Standing:
        """The places that are meant, of those where the words stand."""
        if where is None:
            return Anchored(spans=spans, how=how) if len(spans) == 1 else Ambiguous(spans=spans)
        stretches = self._sections.get(where.heading)
        inside = (
            spans
            if stretches is None  # an unknown heading is reported by a check of its own
            else tuple(s for s in spans if any(a <= s[0] and s[1] <= b for a, b in stretches))
        )
        if not inside:
            return Lost(elsewhere=spans)
        if where.which is not None and where.which <= len(inside):
            return Anchored(spans=(inside[where.which - 1],), how=how)
        if where.of is not None and where.which is None:
            return Anchored(spans=inside, how=how)
        if len(inside) == 1:
            return Anchored(spans=inside, how=how)
        return Ambiguous(spans=inside)


def _sections(snapshot: Snapshot) -> dict[str, list[Span]]:
    """Per heading the stretches of text that stand under it, the heading's own line included."""
    found: dict[str, list[Span]] = {}
    for block in snapshot.blocks:
        stretches = found.setdefault(block.section, [])
        if stretches and block.kind.value != "heading":
            stretches[-1] = (stretches[-1][0], block.end)
        else:
            stretches.append((block.start, block.end))
    return found
