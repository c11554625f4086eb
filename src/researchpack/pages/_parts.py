"""What several pages work out the same way: counts, edits with their differences, claim links."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from researchpack.pages._diff import word_diff
from researchpack.pages._recorded import recorded
from researchpack.pages._text import css, href, sign
from researchpack.records import (
    Ambiguous,
    Anchored,
    Changed,
    Lost,
    NoSnapshot,
    Paraphrase,
    Partial,
)
from researchpack.standings import spans_of
from researchpack.verdicts import AGAINST, FOR, SEVERITY, WEAKENING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from researchpack.pages._records import Shown
    from researchpack.records import ClaimView, PlacedEdit, Proposal, RunStatus, View

_LEADING_CITE: Final = re.compile(r"\s*\[([SLX]\d+[a-z]?)\]\s*")

STATUSES: Final = ("RUN", "STALE", "FAILED", "REPORTED", "UNRUN")
"""The statuses of experiments, from what is shown to what is only planned."""

DiffedEdit = tuple["PlacedEdit", Markup]

_RELATIONS: Final = {
    **dict.fromkeys(AGAINST, "contradicted"),
    **dict.fromkeys(WEAKENING, "qualified"),
    **dict.fromkeys(FOR, "supported"),
    "inconsistent": "inconsistent",
    "silent": "unsupported",
    "uncertain": "unverified",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalView:
    """A proposal with the claims that it answers and its edits."""

    proposal: Proposal
    claims: tuple[ClaimView, ...]
    edits: tuple[DiffedEdit, ...]


def relation_css(relation: str) -> str:
    """The CSS class of a relation; `notneeded` for one that decides nothing."""
    return _RELATIONS.get(relation, "notneeded")


def verdict_counts(claims: Iterable[ClaimView]) -> list[tuple[str, int]]:
    """Stated verdicts and how many claims have them, from the most severe to the mildest."""
    counts = Counter(claim.stated or "not stated" for claim in claims)
    known = [(verdict, counts.pop(verdict)) for verdict in SEVERITY if verdict in counts]
    return [*known, *counts.items()]


def severity(claim: ClaimView) -> int:
    """The rank of the stated verdict, 0 the most severe; unknown words come last."""
    return SEVERITY.index(claim.stated) if claim.stated in SEVERITY else len(SEVERITY)


def diffed(placed: PlacedEdit) -> DiffedEdit:
    """An edit with the difference by words between its old and its new text."""
    return placed, word_diff(placed.edit.old or "", placed.edit.new)


def proposal_views(view: View) -> list[ProposalView]:
    """All proposals, in order of repair."""
    claims = {str(found.claim.id): found for found in view.claims}
    return [
        ProposalView(
            proposal=proposal,
            claims=tuple(claims[name] for name in proposal.claims if name in claims),
            edits=tuple(diffed(edit) for edit in view.edits if edit.proposal == proposal.id),
        )
        for proposal in view.pack.proposals
    ]


def edits_json(proposal: Proposal) -> str:
    """The edits for the script that lets the author write another wording."""
    told = [
        {"old": edit.old, "new": edit.new}
        if edit.old is not None
        else {"after": edit.after, "new": edit.new}
        for edit in proposal.edits
    ]
    return json.dumps(told, ensure_ascii=False)


def own_edits(view: View, found: ClaimView) -> list[DiffedEdit]:
    """The edits that the proposals of a claim make in its own passage, or touching it."""
    spans = spans_of(found.standing)
    named = {str(proposal.id) for proposal in found.proposals}
    return [
        diffed(edit)
        for edit in view.edits
        if edit.proposal in named
        and edit.span is not None
        and any(a <= edit.span[1] and edit.span[0] <= b for a, b in spans)
    ]


def changes(view: View) -> list[tuple[str, str, list[ClaimView]]]:
    """What became of the claims in a new revision: words, a note, and the claims of each group.

    Empty when the pass read this revision.
    """
    if view.base is None:
        return []
    stale = [found for found in view.claims if found.old_passage is not None]
    moved = [
        found
        for found in view.claims
        if isinstance(found.standing, Anchored) and found.standing.how == "moved"
    ]
    settled = [found for found in view.claims if found.settled_by]
    groups = (
        ("settled by repairs that the chapter took over", settled),
        ("still to be evaluated anew", [f for f in stale if f not in settled]),
        ("moved", moved),
    )
    kept = [f for f in view.claims if f not in stale and f not in moved and f not in settled]
    return [
        *((words, "", group) for words, group in groups if group),
        ("stand unchanged", "their evidence holds as before", kept),
    ]


def change_of(found: ClaimView) -> str:
    """What became of a claim's passage, in a word or two."""
    match found.standing:
        case Anchored(how=how):
            return {"exact": "unchanged", "normalised": "other marks"}.get(how, how)
        case Changed():
            return "changed"
        case Partial():
            return "only parts left"
        case Ambiguous():
            return "ambiguous"
        case Lost():
            return "gone"
        case Paraphrase() | NoSnapshot():
            return "anchored nowhere"


def remark(found: ClaimView) -> str:
    """The evidence cell without the citations at its beginning that are listed below it anyway."""
    words = str(found.claim.evidence)
    listed = {str(source.id) for source, _ in found.evidence}
    listed |= {str(check.id) for check, _ in found.checks}
    while (match := _LEADING_CITE.match(words)) and match[1] in listed:
        words = words[match.end() :]
    return words


def decision_words(view: View) -> Callable[[str], str]:
    """Tells what was decided about a proposal."""
    decisions = dict(view.decisions)

    def words(name: str) -> str:
        decision = decisions.get(name)
        if decision is None:
            return "undecided"
        return f"{decision.decision} by {decision.by or 'UNVERIFIED'}, {decision.date or 'undated'}"

    return words


def quote_words(view: View) -> Callable[[str, str], str]:
    """Tells where the quote of a source for a claim was found: a fact of its own."""
    found = {(check.source, check.claim): check for check in view.quote_checks}

    def words(source: str, claim: str) -> str:
        check = found.get((str(source), str(claim)))
        if check is None:
            return "not checked against a copy"
        why = f": {check.why}" if check.why else ""
        return f"{check.state.value}{why}"

    return words


def decided(view: View) -> Callable[[str], str]:
    """Tells the decision about a target in one word; empty when there is none that counts."""
    decisions = dict(view.decisions)

    def word(name: str) -> str:
        decision = decisions.get(name)
        return str(decision.decision) if decision is not None else ""

    return word


def claim_cell(view: View, base: str) -> Callable[[str], Markup]:
    """Tells a claim as a link with its verdict's sign; a name that is none stays plain."""
    claims = {str(found.claim.id): found for found in view.claims}
    known = ids(view)

    def cell(name: str) -> Markup:
        found = claims.get(name)
        if found is None or name not in known:
            return escape(name)
        return Markup(
            '<a class="cid {}" href="{}"><i aria-hidden="true">{}</i> {}'
            '<span class="vh">, {}</span></a>'
        ).format(css(found.stated), href(base, name), sign(found.stated), name, found.stated)

    return cell


def status_counts(statuses: Iterable[RunStatus]) -> list[tuple[str, int]]:
    """How many experiments have each status, in one order; without those that none has."""
    counts = Counter(status.value for status in statuses)
    return [(word, counts[word]) for word in STATUSES if counts[word]]


def tabs(shown: Shown) -> list[tuple[str, str, str]]:
    """The pages of a pack: key, words, and a note such as a count."""
    view = shown.view
    pack = view.pack
    loud = [
        f"{number} {word}"
        for word, number in status_counts(status for _, status in view.statuses)
        if word in ("STALE", "FAILED", "UNRUN")
    ]
    decided = sum(name.startswith("P") for name, _ in view.decisions)
    return [
        ("overview", "Overview", ""),
        ("chapter", "Chapter", ""),
        ("claims", "Claims", str(len(view.claims))),
        ("sources", "Sources", str(len(pack.sources))),
        ("findings", "Findings", ""),
        ("proposals", "Proposals", str(len(pack.proposals))),
        ("experiments", "Experiments", ", ".join(loud)),
        *([("evidence", "Evidence", "")] if recorded(view) else []),
        ("review", "Review", f"{decided} of {len(pack.proposals)} decided"),
        ("history", "History", ""),
        *([("brief", "Brief", "")] if pack.snapshot is not None else []),
    ]


@lru_cache(maxsize=64)
def ids(view: View) -> frozenset[str]:
    """All ids of a pack that a citation can point at."""
    pack = view.pack
    return frozenset(
        str(entry.id)
        for entries in (pack.claims, pack.sources, pack.proposals, pack.experiments)
        for entry in entries
    )
