"""One chapter text, made ready to be looked into: normalised once, its sections known."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from researchpack.anchors._edges import is_cut, splits_letter
from researchpack.anchors._search import Index
from researchpack.prose import Prose, find_all, normalise
from researchpack.records import BlockKind

if TYPE_CHECKING:
    from researchpack.prose import Span
    from researchpack.records import Snapshot

Cuts = tuple[bool, bool]
"""Whether a passage begins, and whether it ends, inside a word or a number."""


@lru_cache(maxsize=1024)
def plain(words: str) -> str:
    """Normalised words; the same ones are looked for in one revision after the other."""
    return normalise(words).text


class Chapter:
    """A text with its sections; `sections` maps offsets to headings."""

    def __init__(self, text: str, sections: tuple[tuple[int, str], ...] = ()) -> None:
        """`sections`: where each begins, and its heading, in order."""
        self.text = text
        self._starts = [start for start, _ in sections]
        self._names = [name for _, name in sections]

    @classmethod
    def of(cls, snapshot: Snapshot) -> Chapter:
        """The chapter of a snapshot, with the sections of its layout."""
        heads = [block for block in snapshot.blocks if block.kind is BlockKind.HEADING]
        return cls(snapshot.text, tuple((block.start, block.section) for block in heads))

    @cached_property
    def prose(self) -> Prose:
        """The normalised text with its map back."""
        return normalise(self.text)

    @cached_property
    def index(self) -> Index:
        """For approximate search in the normalised text."""
        return Index(self.prose.text)

    def section(self, at: int) -> str:
        """The heading that the character at `at` stands under; empty before the first."""
        number = bisect_right(self._starts, at)
        return self._names[number - 1] if number else ""

    def has_section(self, name: str) -> bool:
        """Whether there is a heading with these words."""
        return name in self._names

    def exact(self, words: str) -> tuple[Span, ...]:
        """All places at which `words` stand character by character, also inside of words."""
        return tuple((at, at + len(words)) for at in find_all(self.text, words))

    def normalised(self, words: str) -> tuple[Span, ...]:
        """All places at which `words` stand in whatever marks, also inside of words."""
        return self.prose.find_all(plain(words))

    def passages(
        self, words: str, cuts: Cuts = (False, False)
    ) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """Where `words` stand exactly, and where they stand in other marks only.

        A place that cuts a word is none, at a side at which the words did not cut one themselves.
        """
        exact = self._uncut(self.exact(words), cuts)
        others = [
            span
            for span in self._uncut(self.normalised(words), cuts)
            # The marker of a list is part of the exact place and not of the normalised one.
            if not _inside(span, exact)
        ]
        return exact, tuple(others)

    def cuts(self, span: Span) -> Cuts:
        """Whether words go on at either end of `span`; marks that are not seen are looked over."""
        # Normalising puts a letter and its accent together, so the source is asked too.
        first, last = (
            splits_letter(self.text, at) or is_cut(self.prose.text, self.normal_offset(at))
            for at in span
        )
        return first, last

    def normal_offset(self, at: int) -> int:
        """The offset in `prose.text` of the first character that comes from `at` or behind it."""
        return bisect_right(self.prose.starts, at - 1)

    def context(self, span: Span, size: int) -> tuple[str, str]:
        """`size` normalised characters before and behind `span`."""
        start, end = self.normal_offset(span[0]), self.normal_offset(span[1])
        words = self.prose.text
        return words[max(0, start - size) : start].strip(), words[end : end + size].strip()

    def _uncut(self, spans: tuple[Span, ...], cuts: Cuts) -> tuple[Span, ...]:
        kept = []
        for span in spans:
            first, last = self.cuts(span)
            if first <= cuts[0] and last <= cuts[1]:
                kept.append(span)
        return tuple(kept)


def _inside(span: Span, places: tuple[Span, ...]) -> bool:
    number = bisect_right(places, (span[0], span[1])) - 1
    near = places[max(0, number) : number + 2]
    return any(start <= span[0] and span[1] <= end for start, end in near)
