"""Every claim that asks for a change has a proposal, and every proposal says its text or why not.

A claim whose response is anything but "no change" is named by a proposal; until then the pages
show `no text yet`. A proposal has edits, or a `reason_no_text` that says what is missing to write
them, and not both.

Rules: `claims.no-proposal`, `proposals.no-text`, `proposals.text-and-reason`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.problems import Problem, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Claims without a proposal, and proposals without text."""
    for found in () if view.pack.is_broken("proposals.yaml") else view.claims:
        response = found.claim.response
        if response and response != "no change" and not found.proposals:
            yield warning(
                response.place,
                "claims.no-proposal",
                f'Claim {found.claim.id} asks for a "{response}", and no proposal names it.',
                "Name the claim in a proposal; one without edits needs a `reason_no_text`.",
            )
    for proposal in view.pack.proposals:
        if proposal.kind == "no_change":
            continue
        if not proposal.edits and proposal.reason_no_text is None:
            yield error(
                proposal.id.place,
                "proposals.no-text",
                f"Proposal {proposal.id} has no edits and does not say why.",
                "Add `edits`, or `reason_no_text` with what is missing to write them.",
            )
        if proposal.edits and proposal.reason_no_text is not None:
            yield warning(
                proposal.reason_no_text.place,
                "proposals.text-and-reason",
                f"Proposal {proposal.id} has edits and a reason for having none.",
                "Keep one of the two.",
            )
