"""Every quoted passage stands in the snapshot, and it is clear where.

A claim cell in quotation marks is a passage: it must stand under the heading that `Where` names,
exactly or in other marks. When it stands there several times, `Where` says which one is meant,
`(2 of 3)`, or that all are, `(2 places)`. Any other cell is a paraphrase and anchored nowhere;
when its words happen to stand in the text, that is said. Passages in `Conflicts with` likewise.

After a new revision the passages that the last pass read are followed into it; one that reads
differently there, or is gone, is stale until somebody looked at it again.

Rules: `claims.stale`, `claims.passage-lost`, `claims.passage-ambiguous`, `claims.passage-marks`,
`claims.paraphrase-stands`, `claims.heading-unknown`, `claims.where-count`,
`claims.conflict-lost`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.problems import Problem, did_you_mean, error, info, warning
from researchpack.prose import normalise
from researchpack.records import (
    Ambiguous,
    Anchored,
    BlockKind,
    Changed,
    Claim,
    ClaimView,
    Lost,
    NoSnapshot,
    Paraphrase,
    Partial,
    Quote,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.prose import Span
    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Passages of one pack that do not stand where they are said to."""
    snapshot = view.pack.snapshot
    if snapshot is None:
        return
    headings = [
        snapshot.text[block.start : block.end].strip()
        for block in snapshot.blocks
        if block.kind is BlockKind.HEADING
    ]
    prose = normalise(snapshot.text).text
    for found in view.claims:
        yield from _where(found, headings)
        if found.old_passage is not None:
            yield _stale(found)
        else:
            yield from _standing(found, prose, snapshot.text)
        yield from _conflicts(found)


def _where(view: ClaimView, headings: list[str]) -> Iterator[Problem]:
    heading = view.claim.where.heading
    if heading and headings and heading not in headings:
        yield error(
            heading.place,
            "claims.heading-unknown",
            f'"{heading}" is not a heading of the chapter.',
            f"Write it exactly as in `layout.headings`. {did_you_mean(heading, headings)}",
        )


def _stale(view: ClaimView) -> Problem:
    settled = f" It is settled by {', '.join(view.settled_by)}." if view.settled_by else ""
    return warning(
        view.claim.cell.place,
        "claims.stale",
        f"The passage of {view.claim.id} stood in the revision that the last pass read, and in"
        f" this one it does not stand so.{settled}",
        "Evaluate the claim anew; `resnapshot --accept` takes over a changed wording.",
    )


def _standing(view: ClaimView, prose: str, text: str) -> Iterator[Problem]:
    claim = view.claim
    match view.standing:
        case Anchored(how=how, among=among):
            yield from _count(view, among)
            if how == "normalised":
                yield info(
                    claim.cell.place,
                    "claims.passage-marks",
                    f"The passage of {claim.id} stands in the chapter in other marks.",
                    "Copy it from the snapshot if it is meant character by character.",
                )
        case Ambiguous(spans=spans):
            yield error(
                claim.cell.place,
                "claims.passage-ambiguous",
                f"The passage of {claim.id} stands {len(spans)} times there.",
                f"Add `(1 of {len(spans)})` to `Where`, or `({len(spans)} places)` for all,"
                " or quote more words.",
            )
        case Changed() | Partial():
            yield error(
                claim.cell.place,
                "claims.passage-lost",
                f"Not all words of the passage of {claim.id} stand in the snapshot.",
                "Copy the words from the snapshot.",
            )
        case Lost():
            yield _lost(claim, view.standing, text)
        case Paraphrase():
            yield from _paraphrase(claim, prose)
        case NoSnapshot():
            return


def _lost(claim: Claim, standing: Lost, text: str) -> Problem:
    if standing.elsewhere:
        return error(
            claim.cell.place,
            "claims.passage-lost",
            f"The passage of {claim.id} does not stand under this heading; it stands elsewhere.",
            "Correct the column `Where`.",
        )
    return error(
        claim.cell.place,
        "claims.passage-lost",
        f"The passage of {claim.id} does not stand in the snapshot.",
        f"{_offer(text, standing.nearest)}Copy the words from the snapshot, or write the cell"
        " without quotation marks if it is a paraphrase.",
    )


def _paraphrase(claim: Claim, prose: str) -> Iterator[Problem]:
    words = normalise(claim.cell).text
    if len(words) > 11 and words in prose:
        yield info(
            claim.cell.place,
            "claims.paraphrase-stands",
            f"The cell of {claim.id} is no quotation, and its words stand in the chapter.",
            "Put the cell into quotation marks to anchor the claim there.",
        )


def _offer(text: str, nearest: Span | None) -> str:
    """The passage that resembles a lost one most; a person decides whether it is meant."""
    if nearest is None:
        return ""
    start, end = nearest
    words = " ".join(text[start:end].split())
    return f"The nearest passage is “{words}”. "


def _count(view: ClaimView, number: int | None) -> Iterator[Problem]:
    where = view.claim.where
    if where.of is None or number is None:
        return
    if where.of != number:
        yield warning(
            where.heading.place,
            "claims.where-count",
            f"The passage of {view.claim.id} stands {_times(number)} there, not"
            f" {_times(where.of)}.",
            f"Write `({number} places)`."
            if where.which is None
            else f"Write `({min(max(where.which, 1), number)} of {number})`."
            if number > 1
            else "Write the heading alone.",
        )
    if where.which is not None and not 1 <= where.which <= where.of:
        yield error(
            where.heading.place,
            "claims.where-count",
            f"Place {where.which} of {where.of} does not exist.",
            f"Write a number from 1 to {where.of}.",
        )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _conflicts(view: ClaimView) -> Iterator[Problem]:
    for entry, standing in zip(view.claim.conflicts, view.conflicts, strict=True):
        if isinstance(entry, Quote) and isinstance(standing, Lost):
            yield error(
                entry.text.place,
                "claims.conflict-lost",
                f"The passage that {view.claim.id} is in conflict with is not in the snapshot.",
                "Copy the words from the snapshot, or name a claim, `[C70]`.",
            )
        if isinstance(entry, Quote) and isinstance(standing, Ambiguous):
            yield warning(
                entry.text.place,
                "claims.passage-ambiguous",
                f"The passage that {view.claim.id} is in conflict with stands"
                f" {len(standing.spans)} times in the chapter.",
                "Quote more words.",
            )
