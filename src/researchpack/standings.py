"""Where the claims of a pack stand: in the revision that the pass read, or followed from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.anchors import Chapter, Finder, follow
from researchpack.prose import find_all
from researchpack.records import (
    Ambiguous,
    Anchored,
    Changed,
    Lost,
    NoSnapshot,
    Paraphrase,
    Partial,
    PlacedEdit,
    Quote,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from researchpack.prose import Span
    from researchpack.records import Claim, Edit, Pack, Snapshot, Standing

_WORST: Final = (Lost, Ambiguous, Partial, Changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A quote and where it stands now."""

    standing: Standing
    old_passage: str | None = None
    """The words of the earlier revision, when they no longer stand so."""


def base_of(pack: Pack) -> Snapshot | None:
    """The revision that the last pass read, when it is not this one and is kept."""
    if not pack.file.passes or pack.snapshot is None:
        return None
    read = pack.file.passes[-1].read
    if read == pack.snapshot.sha256:
        return None
    return next((snapshot for snapshot in pack.earlier if snapshot.sha256 == read), None)


def _earlier(pack: Pack) -> tuple[Snapshot, ...]:
    """The kept snapshots, the one that was read last first."""
    read = [str(entry.read) for entry in pack.file.passes]
    order = {digest: number for number, digest in enumerate(read)}
    return tuple(sorted(pack.earlier, key=lambda old: -order.get(old.sha256, -1)))


class Places:
    """Looks for the quotes and edits of one pack, in one revision or from one into the next."""

    def __init__(self, pack: Pack) -> None:
        self._now = Finder(pack.snapshot)
        self.base = base_of(pack)
        earlier = (self.base,) if self.base is not None else _earlier(pack)
        self._before = [Finder(snapshot) for snapshot in earlier]

    def claim(self, claim: Claim) -> Placed:
        """Where the passage of a claim stands."""
        now = self._now.claim(claim)
        if claim.quote is None:
            return Placed(standing=now)
        return self._from_before(lambda finder: finder.claim(claim), now)

    def conflict(self, quote: Quote) -> Placed:
        """Where a passage stands that a claim is in conflict with."""
        return self._from_before(lambda finder: finder.quote(quote), self._now.quote(quote))

    def _from_before(self, look: Callable[[Finder], Standing], now: Standing) -> Placed:
        """From where a passage stood into this revision.

        When the last pass read this revision, only what does not stand in it is looked for in the
        earlier ones: it was audited there, and nobody has taken it out of the table.
        """
        if self.base is None and not isinstance(now, Lost):
            return Placed(standing=now)
        for finder in self._before:
            before = look(finder)
            if isinstance(before, Anchored):
                return self._followed(finder, before)
        return Placed(standing=now)

    def edits(self, pack: Pack) -> Iterator[PlacedEdit]:
        """Where the edits of all proposals would be made, or whether they have been."""
        for proposal in pack.proposals:
            for edit in proposal.edits:
                yield self.placed(str(proposal.id), edit)

    def _followed(self, finder: Finder, before: Anchored) -> Placed:
        old, new = finder.chapter, self._now.chapter
        if old is None or new is None:
            return Placed(standing=NoSnapshot())
        found = [follow(span, old, new) for span in before.spans]
        worst = _worst(found)
        if worst is not None:
            words = " … ".join(old.text[start:end] for start, end in before.spans[:1])
            return Placed(standing=worst, old_passage=words)
        ways = {one.how for one in found if isinstance(one, Anchored)}
        how = next((way for way in ("moved", "normalised") if way in ways), before.how)
        spans = tuple(span for one in found if isinstance(one, Anchored) for span in one.spans)
        return Placed(standing=Anchored(spans=spans, how=how))

    def placed(self, proposal: str, edit: Edit) -> PlacedEdit:
        """Where one edit would be made, of a proposal or in the author's own wording."""
        chapter = self._now.chapter
        places = tuple(find_all(chapter.text, edit.anchor or "")) if chapter else ()
        old = next(
            (
                finder.chapter
                for finder in self._before
                if finder.chapter and len(finder.chapter.exact(edit.anchor or "")) == 1
            ),
            None,
        )
        stood = old is not None
        return PlacedEdit(
            proposal=proposal,
            edit=edit,
            span=_span(edit, places[0]) if len(places) == 1 else None,
            occurrences=len(places),
            applied=stood and _is_applied(edit, chapter, old),
            earlier=stood and not places,
        )


def _worst(found: list[Anchored | Changed | Partial | Ambiguous | Lost]) -> Standing | None:
    """Of several places the one that needs a person most; None when all stand."""
    for kind in _WORST:
        for standing in found:
            if isinstance(standing, kind):
                return standing
    return None


def _span(edit: Edit, at: int) -> Span:
    end = at + len(edit.anchor or "")
    return (at, end) if edit.old is not None else (end, end)


def _is_applied(edit: Edit, now: Chapter | None, old: Chapter | None) -> bool:
    """Whether the new words stand in this revision and did not in the earlier one."""
    if now is None or old is None:
        return False
    words = str(edit.new)
    if not words.strip():
        return not now.exact(str(edit.anchor))
    return len(now.normalised(words)) > len(old.normalised(words))


def spans_of(standing: Standing) -> tuple[Span, ...]:
    """Where a claim is shown in the text: also a changed or partial passage; else nowhere."""
    match standing:
        case Anchored(spans=spans) | Changed(spans=spans) | Partial(spans=spans):
            return spans
        case Ambiguous() | Lost() | Paraphrase() | NoSnapshot():
            return ()
