"""Records -> views: everything that is worked out about a pack before it is checked or shown."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from researchpack.anchors import Finder
from researchpack.coverage import coverage
from researchpack.prose import find_all
from researchpack.records import (
    Anchored,
    Claim,
    ClaimView,
    Coverage,
    Edit,
    Pack,
    PlacedEdit,
    Proposal,
    Quote,
    RunStatus,
    State,
    View,
    Vocabulary,
)
from researchpack.verdicts import agree, derive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.prose import Span
    from researchpack.records import Bearing, Decision, Experiment, Source

T = TypeVar("T")


def view(pack: Pack, vocabulary: Vocabulary, today: str) -> View:
    """The view of one pack; `today` judges dates and is never printed."""
    statuses = {str(experiment.id): _status(experiment) for experiment in pack.experiments}
    edits = tuple(_placed(pack))
    decisions = _decisions(pack)
    claims = _claims(pack, statuses, edits, decisions)
    state, reasons = _state(pack)
    return View(
        pack=pack,
        vocabulary=vocabulary,
        today=today,
        state=state,
        state_reasons=reasons,
        claims=claims,
        edits=edits,
        statuses=tuple(statuses.items()),
        decisions=tuple(decisions.items()),
        coverage=_coverage(pack, claims),
    )


def proposal_state(proposal: Proposal) -> str:
    """Eight hex digits that change with what a decision about the proposal would be about."""
    told = {
        "kind": proposal.kind,
        "claims": proposal.claims,
        "edits": [[edit.old, edit.after, edit.new] for edit in proposal.edits],
        "reason_no_text": proposal.reason_no_text,
    }
    words = json.dumps(told, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(words.encode()).hexdigest()[:8]


def _claims(
    pack: Pack,
    statuses: dict[str, RunStatus],
    edits: tuple[PlacedEdit, ...],
    decisions: dict[str, Decision],
) -> tuple[ClaimView, ...]:
    finder = Finder(pack.snapshot)
    sources = _by_claim((source, source.bears_on) for source in pack.sources)
    checks = _by_claim(
        (experiment, experiment.bears_on)
        for experiment in pack.experiments
        if statuses[experiment.id] is not RunStatus.UNRUN
    )
    proposals: dict[str, list[Proposal]] = defaultdict(list)
    for proposal in pack.proposals:
        for claim_id in proposal.claims:
            proposals[claim_id].append(proposal)
    return tuple(
        _claim(
            claim,
            finder,
            tuple(sources[claim.id]),
            tuple(checks[claim.id]),
            tuple(proposals[claim.id]),
            edits,
            decisions,
        )
        for claim in pack.claims
    )


def _claim(
    claim: Claim,
    finder: Finder,
    evidence: tuple[tuple[Source, Bearing], ...],
    checks: tuple[tuple[Experiment, Bearing], ...],
    proposals: tuple[Proposal, ...],
    edits: tuple[PlacedEdit, ...],
    decisions: dict[str, Decision],
) -> ClaimView:
    standing = finder.claim(claim)
    derived, because = derive(claim, evidence, checks)
    stated = str(claim.verdict) if claim.verdict else None
    last = decisions.get(claim.id)
    return ClaimView(
        claim=claim,
        standing=standing,
        conflicts=tuple(
            finder.quote(entry) if isinstance(entry, Quote) else None for entry in claim.conflicts
        ),
        stated=stated,
        derived=derived,
        derived_because=because,
        agrees=agree(stated, derived),
        evidence=evidence,
        checks=checks,
        proposals=proposals,
        settled_by=tuple(dict.fromkeys(_settling(standing, edits, decisions))),
        disputed=last if last is not None and last.decision == "dispute" else None,
    )


def _by_claim(
    entries: Iterable[tuple[T, tuple[Bearing, ...]]],
) -> defaultdict[str, list[tuple[T, Bearing]]]:
    found: defaultdict[str, list[tuple[T, Bearing]]] = defaultdict(list)
    for entry, bearings in entries:
        for bearing in bearings:
            found[bearing.claim].append((entry, bearing))
    return found


def _placed(pack: Pack) -> Iterator[PlacedEdit]:
    """Where the edits of all proposals would be made in the unchanged snapshot."""
    text = pack.snapshot.text if pack.snapshot else ""
    for proposal in pack.proposals:
        for edit in proposal.edits:
            places = tuple(find_all(text, edit.anchor or ""))
            yield PlacedEdit(
                proposal=proposal.id,
                edit=edit,
                span=_span(edit, places[0]) if len(places) == 1 else None,
                occurrences=len(places),
            )


def _span(edit: Edit, at: int) -> Span:
    end = at + len(edit.anchor or "")
    return (at, end) if edit.old is not None else (end, end)


def _settling(
    standing: object, edits: tuple[PlacedEdit, ...], decisions: dict[str, Decision]
) -> Iterator[str]:
    """The accepted proposals that replace a passage."""
    if not isinstance(standing, Anchored):
        return
    for placed in edits:
        decision = decisions.get(placed.proposal)
        if placed.span is None or decision is None:
            continue
        if decision.decision in ("accept", "revise") and any(
            a < placed.span[1] and placed.span[0] < b for a, b in standing.spans
        ):
            yield placed.proposal


def _decisions(pack: Pack) -> dict[str, Decision]:
    """Per target the last decision, without those on a proposal that has changed since."""
    states = {proposal.id: proposal_state(proposal) for proposal in pack.proposals}
    last = {str(decision.target): decision for decision in pack.decisions}
    return {
        target: decision
        for target, decision in last.items()
        if decision.of is None or decision.of == states.get(decision.target, decision.of)
    }


def _status(experiment: Experiment) -> RunStatus:
    return RunStatus.UNRUN if experiment.reported is None else RunStatus.REPORTED


def _state(pack: Pack) -> tuple[State, tuple[str, ...]]:
    """The state of a pack and, when it is stale, why."""
    if not pack.file.passes:
        return State.NEVER_RESEARCHED, ()
    reasons = []
    if pack.snapshot is None:
        reasons.append("the snapshot cannot be read")
    elif pack.file.passes[-1].read != pack.snapshot.sha256:
        reasons.append("the last pass read another revision than this snapshot")
    if pack.book_file == "changed":
        reasons.append("the book's file changed")
    return (State.STALE if reasons else State.CURRENT), tuple(reasons)


def _coverage(pack: Pack, claims: tuple[ClaimView, ...]) -> Coverage:
    if pack.snapshot is None:
        return Coverage()
    spans = [
        span
        for claim in claims
        if isinstance(claim.standing, Anchored)
        for span in claim.standing.spans
    ]
    return coverage(pack.snapshot, spans)
