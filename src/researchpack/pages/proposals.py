"""The proposals, in order of repair, with old words and new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.pages._parts import decided, decision_words, edits_json, proposal_views
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from researchpack.pages._parts import ProposalView
    from researchpack.records import PlacedEdit, Snapshot


def page(shown: Shown) -> Page:
    """The page `proposals/`."""
    view = shown.view
    entries = [_entry(found, view.pack.snapshot) for found in proposal_views(view)]
    return Page(
        path=f"{shown.path}/proposals",
        title=f"Proposals · {shown.title}",
        html=render(
            "proposals.html.j2",
            "../",
            shown,
            entries=entries,
            decision=decision_words(view),
            decided=decided(view),
            edits_json=edits_json,
            target_state=dict(view.target_states).get,
        ),
        headings=tuple(
            Heading(id=proposal.id, title=f"{proposal.id} {proposal.title or ''}")
            for proposal in view.pack.proposals
        ),
    )


def _entry(found: ProposalView, snapshot: Snapshot | None) -> dict[str, object]:
    edits: list[tuple[PlacedEdit, Markup, str]] = [
        (placed, diff, _section(placed, snapshot)) for placed, diff in found.edits
    ]
    return {"proposal": found.proposal, "claims": found.claims, "edits": edits}


def _section(placed: PlacedEdit, snapshot: Snapshot | None) -> str:
    """The heading that an edit stands under; empty when it has no place."""
    if snapshot is None or placed.span is None:
        return ""
    at = placed.span[0]
    under = [block.section for block in snapshot.blocks if block.start <= at]
    return under[-1] if under else ""
