"""Records -> views: everything that is worked out about a pack before it is checked or shown."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from researchpack.compare import compare, from_shelf, shelve
from researchpack.coverage import coverage
from researchpack.delta import delta
from researchpack.formats.works import works_of
from researchpack.outcomes import experiment_views
from researchpack.prose import fingerprints
from researchpack.quotes import check_quotes
from researchpack.records import (
    Ambiguous,
    Anchored,
    Changed,
    ClaimView,
    Coverage,
    Lost,
    Pack,
    Partial,
    PlacedEdit,
    Proposal,
    Quote,
    State,
    View,
    Vocabulary,
)
from researchpack.standings import Places, spans_of
from researchpack.verdicts import agree, derive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from researchpack.places import Text
    from researchpack.records import (
        Bearing,
        Claim,
        Decision,
        Experiment,
        ExperimentView,
        Source,
        Standing,
    )

T = TypeVar("T")


def view(pack: Pack, vocabulary: Vocabulary, today: str) -> View:
    """The view of one pack; `today` judges dates and is never printed."""
    works, shelf = works_of(pack.sources, pack.bibliography), shelve(pack.records)
    experiments = experiment_views(pack.experiments, pack.laboratory)
    places = Places(pack)
    edits = tuple(places.edits(pack))
    decisions = _decisions(pack)
    claims = _claims(pack, places, experiments, edits, decisions)
    state, reasons = _state(pack, places, claims)
    tried = fingerprints(pack.snapshot.text) if pack.snapshot else {}
    return View(
        pack=pack,
        vocabulary=vocabulary,
        today=today,
        state=state,
        state_reasons=reasons,
        claims=claims,
        edits=edits,
        experiments=experiments,
        decisions=tuple(decisions.items()),
        coverage=_coverage(pack, claims),
        base=places.base,
        target_states=_target_states(pack),
        reproduced_as=_reproduced(pack, tried),
        fingerprints_tried=tuple(tried),
        works=works,
        field_checks=tuple(
            (str(work.id), compare(work, from_shelf(work, shelf))) for work in works
        ),
        quote_checks=check_quotes(pack.sources, pack.copies),
    )


def with_delta(found: View, told: dict[str, object]) -> View:
    """The view with what changed since its last frozen pass; `told` is its pack.json."""
    frozen = [entry.content for entry in found.pack.frozen if entry.content is not None]
    return replace(found, delta=delta(frozen[-1], told)) if frozen else found


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


def claim_state(claim: Claim) -> str:
    """Eight hex digits that change with what an agreement or a dispute would be about."""
    told = [claim.cell, claim.verdict, claim.concern, claim.evidence, claim.response]
    words = json.dumps(told, ensure_ascii=False)
    return hashlib.sha256(words.encode()).hexdigest()[:8]


def _claims(
    pack: Pack,
    places: Places,
    experiments: tuple[ExperimentView, ...],
    edits: tuple[PlacedEdit, ...],
    decisions: dict[str, Decision],
) -> tuple[ClaimView, ...]:
    sources = _by_claim((source, source.bears_on) for source in pack.sources)
    checks = _by_claim(
        (one.experiment, one.experiment.bears_on) for one in experiments if one.has_result
    )
    proposals: dict[str, list[Proposal]] = defaultdict(list)
    for proposal in pack.proposals:
        for claim_id in proposal.claims:
            proposals[claim_id].append(proposal)
    settling = _settling(_in_force(edits, decisions, places), decisions)
    return tuple(
        _claim(
            claim,
            places,
            tuple(sources[claim.id]),
            tuple(checks[claim.id]),
            tuple(proposals[claim.id]),
            settling,
            decisions.get(claim.id),
        )
        for claim in pack.claims
    )


def _claim(
    claim: Claim,
    places: Places,
    evidence: tuple[tuple[Source, Bearing], ...],
    checks: tuple[tuple[Experiment, Bearing], ...],
    proposals: tuple[Proposal, ...],
    settling: Callable[[Standing, tuple[Proposal, ...]], Iterator[str]],
    last: Decision | None,
) -> ClaimView:
    placed = places.claim(claim)
    derived, because = derive(claim, evidence, checks)
    stated = str(claim.verdict) if claim.verdict else None
    return ClaimView(
        claim=claim,
        standing=placed.standing,
        conflicts=tuple(_conflict(places, entry) for entry in claim.conflicts),
        stated=stated,
        derived=derived,
        derived_because=because,
        agrees=agree(stated, derived),
        evidence=evidence,
        checks=checks,
        proposals=proposals,
        settled_by=tuple(dict.fromkeys(settling(placed.standing, proposals))),
        old_passage=placed.old_passage,
        disputed=last if last is not None and last.decision == "dispute" else None,
    )


def _conflict(places: Places, entry: Quote | Text) -> Standing | None:
    """Where a passage stands that a claim is in conflict with."""
    if not isinstance(entry, Quote):
        return None
    placed = places.conflict(entry)
    return placed.standing if placed.old_passage is None else None


def _by_claim(
    entries: Iterable[tuple[T, tuple[Bearing, ...]]],
) -> defaultdict[str, list[tuple[T, Bearing]]]:
    found: defaultdict[str, list[tuple[T, Bearing]]] = defaultdict(list)
    for entry, bearings in entries:
        for bearing in bearings:
            found[bearing.claim].append((entry, bearing))
    return found


def _in_force(
    edits: tuple[PlacedEdit, ...], decisions: dict[str, Decision], places: Places
) -> tuple[PlacedEdit, ...]:
    """The edits as they would go into the chapter: the author's own where a proposal is revised."""
    revised = {name: d.edits for name, d in decisions.items() if d.decision == "revise"}
    kept = tuple(edit for edit in edits if not revised.get(edit.proposal))
    return (*kept, *(places.placed(name, e) for name, own in revised.items() for e in own))


def _settling(
    edits: tuple[PlacedEdit, ...], decisions: dict[str, Decision]
) -> Callable[[Standing, tuple[Proposal, ...]], Iterator[str]]:
    """Tells which proposals settle a claim: accepted ones, and those the chapter took over."""
    accepted = {
        name for name, decision in decisions.items() if decision.decision in ("accept", "revise")
    }
    spans = [(e.proposal, e.span) for e in edits if e.span and e.proposal in accepted]
    of: dict[str, list[bool]] = defaultdict(list)
    for edit in edits:
        of[edit.proposal].append(edit.applied)
    applied = {name for name, taken in of.items() if all(taken)}

    def settling(standing: Standing, proposals: tuple[Proposal, ...]) -> Iterator[str]:
        if isinstance(standing, Anchored):
            for name, (start, end) in spans:
                if any(a < end and start < b for a, b in standing.spans):
                    yield name
        yield from (str(proposal.id) for proposal in proposals if proposal.id in applied)

    return settling


def _target_states(pack: Pack) -> tuple[tuple[str, str], ...]:
    """What a decision on each proposal and claim would be about now."""
    return (
        *((str(proposal.id), proposal_state(proposal)) for proposal in pack.proposals),
        *((str(claim.id), claim_state(claim)) for claim in pack.claims),
    )


def _decisions(pack: Pack) -> dict[str, Decision]:
    """Per target the last decision, without those on a proposal that has changed since."""
    states = dict(_target_states(pack))
    last = {str(decision.target): decision for decision in pack.decisions}
    return {
        target: decision
        for target, decision in last.items()
        if decision.of is None or decision.of == states.get(decision.target, decision.of)
    }


def _state(
    pack: Pack, places: Places, claims: tuple[ClaimView, ...]
) -> tuple[State, tuple[str, ...]]:
    """The state of a pack and, when it is stale or its newest report was refused, why."""
    if pack.reports and pack.reports[-1].outcome == "refused":
        last = pack.reports[-1]
        count = f"{last.errors} error{'' if last.errors == 1 else 's'}"
        reason = f"the newest report, reports/{last.name}, was refused: {count}"
        return State.FAILED_LATEST, (reason, *_stale(pack, places, claims))
    if not pack.file.passes:
        return State.NEVER_RESEARCHED, ()
    reasons = _stale(pack, places, claims)
    return (State.STALE if reasons else State.CURRENT), reasons


def _stale(pack: Pack, places: Places, claims: tuple[ClaimView, ...]) -> tuple[str, ...]:
    """Why what the last pass found may no longer hold."""
    if not pack.file.passes:
        return ()
    reasons = []
    if pack.snapshot is None:
        reasons.append("the snapshot cannot be read")
    elif places.base is not None:
        # Text that was only wrapped, numbered or punctuated anew was read by the pass.
        if places.base.fingerprint != pack.snapshot.fingerprint:
            reasons.append("the chapter's text changed since the last pass")
        reasons += [reason for found in claims if (reason := stale_reason(found))]
    elif pack.file.passes[-1].read != pack.snapshot.sha256:
        reasons.append("the last pass read another revision, which is not kept here")
    if pack.book_file == "changed":
        reasons.append("the book's file changed")
    return tuple(reasons)


def stale_reason(found: ClaimView) -> str | None:
    """Why a claim has to be looked at again in this revision, or None."""
    name = found.claim.id
    match found.standing:
        case Changed(changes=changes):
            raised = [change.raised for change in changes if change.raised]
            what = f" ({', '.join(dict.fromkeys(raised))})" if raised else ""
            return f"{name}: its passage reads differently{what}"
        case Partial():
            return f"{name}: only parts of its passage are left"
        case Ambiguous():
            return f"{name}: its words stand in several places"
        case Lost():
            return f"{name}: its passage is gone"
        case _:
            return None


def _reproduced(pack: Pack, tried: dict[str, str]) -> str | None:
    """The rule that gives the declared fingerprint, which may or may not name its own rule."""
    declared = (pack.file.declared_fingerprint or "").lower().rpartition(":")[2]
    return next((name for name, digest in tried.items() if digest == declared), None)


def _coverage(pack: Pack, claims: tuple[ClaimView, ...]) -> Coverage:
    if pack.snapshot is None:
        return Coverage()
    spans = [span for claim in claims for span in spans_of(claim.standing)]
    return coverage(pack.snapshot, spans)
