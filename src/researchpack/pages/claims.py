"""The claim audit: one row a claim, the most urgent first."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from researchpack.pages._parts import (
    change_of,
    decided,
    decision_words,
    own_edits,
    remark,
    severity,
    verdict_counts,
)
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.records import (
    Ambiguous,
    Anchored,
    Changed,
    Lost,
    NoSnapshot,
    Paraphrase,
    Partial,
    Quote,
    RunStatus,
)
from researchpack.standings import spans_of
from researchpack.verdicts import SEVERITY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from researchpack.places import Text
    from researchpack.records import ClaimView, Standing, View

_PRIORITIES: Final = ("high", "medium", "low")
_HOW: Final = {
    "normalised": "same words, different marks",
    "moved": "moved",
    "multipart": "in parts",
}
_LOUD: Final = SEVERITY[:3]


def page(shown: Shown) -> Page:
    """The page `claims/`."""
    view = shown.view
    groups: dict[str, list[ClaimView]] = defaultdict(list)
    for found in view.claims:
        groups[found.stated or "not stated"].append(found)
    html = render(
        "claims.html.j2",
        "../",
        shown,
        counts=verdict_counts(view.claims),
        groups=[(verdict, groups[verdict]) for verdict in _LOUD if verdict in groups]
        or list(groups.items()),
        ordered=sorted(view.claims, key=_urgency),
        differing=[found for found in view.claims if not found.agrees],
        place=_place,
        remark=remark,
        change=change_of,
        own_edits=partial(own_edits, view),
        conflicts=_conflicts,
        reproduced=_reproduced(view),
        decision=decision_words(view),
        decided=decided(view),
        decided_words=_decided_words(view),
        evidence_ids=_evidence_ids,
        position=_position,
        target_state=dict(view.target_states).get,
    )
    return Page(
        path=f"{shown.path}/claims",
        title=f"Claims · {shown.title}",
        html=html,
        headings=(Heading(id="top", title="Claim audit"),),
    )


def _decided_words(view: View) -> Callable[[ClaimView], list[str]]:
    """What was decided about the proposals of a claim and about the finding, for the filter."""
    word = decided(view)

    def words(found: ClaimView) -> list[str]:
        about = [word(str(proposal.id)) or "undecided" for proposal in found.proposals]
        finding = word(str(found.claim.id))
        return list(dict.fromkeys([*about, *([finding] if finding else [])]))

    return words


def _evidence_ids(found: ClaimView) -> list[str]:
    ids = [str(source.id) for source, _ in found.evidence]
    return ids + [str(check.id) for check, _ in found.checks]


def _position(found: ClaimView) -> int:
    """Where the passage stands in the chapter; what stands nowhere comes last."""
    spans = spans_of(found.standing)
    return spans[0][0] if spans else 10**9


def _urgency(found: ClaimView) -> tuple[int, int]:
    priority = found.claim.priority
    rank = _PRIORITIES.index(priority) if priority in _PRIORITIES else len(_PRIORITIES)
    return rank, severity(found)


def _place(found: ClaimView) -> Markup | str:
    """Where the passage stands, as a link into the chapter when it does."""

    match found.standing:
        case Anchored(spans=spans, how=how):
            words = "in the chapter" if len(spans) == 1 else f"in the chapter, {len(spans)} places"
            marks = "" if how == "exact" else f" ({_HOW.get(how, how)})"
            link = Markup('<a href="../chapter/#{}">{}</a>').format(found.claim.id, words)
            return link + escape(marks)
        case Changed():
            return Markup('<a href="../chapter/#{}">reads differently now</a>').format(
                found.claim.id
            )
        case Partial():
            return "only parts of it stand in this revision"
        case Ambiguous(spans=spans):
            return f"stands {len(spans)} times; which one is meant is not said"
        case Lost():
            return "does not stand in this revision"
        case Paraphrase():
            return "a paraphrase"
        case NoSnapshot():
            return "there is no snapshot to look into"


def _conflicts(found: ClaimView) -> Iterator[tuple[Quote | Text, Standing | None]]:
    return zip(found.claim.conflicts, found.conflicts, strict=True)


_STANDS_ON: Final = {
    RunStatus.RUN: "run here",
    RunStatus.REPORTED: "only reported",
    RunStatus.STALE: "run here, and changed since",
    RunStatus.FAILED: "the run failed",
    RunStatus.UNRUN: "not run",
}


def _reproduced(view: View) -> Callable[[ClaimView], str]:
    """What "reproduced locally" rests on: per status the experiments and checks that have it."""
    statuses = dict(view.statuses)

    def words(found: ClaimView) -> str:
        seen: dict[RunStatus, list[str]] = {}
        for check, _ in found.checks:
            seen.setdefault(statuses[check.id], []).append(str(check.id))
        if not seen:
            return "no check is recorded"
        if len(seen) == 1:
            return _STANDS_ON[next(iter(seen))]
        return "; ".join(f"{', '.join(ids)} {_STANDS_ON[status]}" for status, ids in seen.items())

    return words
