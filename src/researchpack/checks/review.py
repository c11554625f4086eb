"""A decision names what it is about, what was decided, and what was decided on.

Proposals are accepted, revised (with the author's own wording), deferred or rejected; findings,
that is claims, are agreed with or disputed. A decision on a proposal that has changed since is
outdated and does not count.

Rules: `review.decision`, `review.revise-edits`, `review.outdated`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.problems import Problem, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Decision, View

_PROPOSAL = ("accept", "revise", "defer", "reject")
_FINDING = ("agree", "dispute")


def check(view: View) -> Iterator[Problem]:
    """Decisions of one pack that say nothing, or that no longer count."""
    counted = {id(decision) for _, decision in view.decisions}
    last = {str(decision.target): decision for decision in view.pack.decisions}
    for decision in view.pack.decisions:
        yield from _words(decision)
        if last[decision.target] is decision and id(decision) not in counted:
            yield warning(
                decision.target.place,
                "review.outdated",
                f"{decision.target} has changed since this decision, which is outdated.",
                "Decide again.",
            )


def _words(decision: Decision) -> Iterator[Problem]:
    allowed = _FINDING if decision.target.startswith("C") else _PROPOSAL
    words = decision.decision
    if words is not None and words in (*_PROPOSAL, *_FINDING) and words not in allowed:
        yield error(
            words.place,
            "review.decision",
            f'"{words}" cannot be decided about {decision.target}.',
            f"Write one of {', '.join(allowed)}.",
        )
    if words == "revise" and not decision.edits:
        yield error(
            decision.target.place,
            "review.revise-edits",
            f"{decision.target} is revised, and the author's own wording is missing.",
            "Add `edits`; the patch uses them.",
        )
