"""The decisions: what was decided, and what is still open."""

from __future__ import annotations

from researchpack.pages._parts import decided, edits_json, proposal_views
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render


def page(shown: Shown) -> Page:
    """The page `review/`."""
    view = shown.view
    decisions = dict(view.decisions)
    rows = [
        {
            "proposal": found.proposal,
            "claims": found.claims,
            "decision": decisions.get(found.proposal.id),
        }
        for found in proposal_views(view)
    ]
    return Page(
        path=f"{shown.path}/review",
        title=f"Review · {shown.title}",
        html=render(
            "review.html.j2",
            "../",
            shown,
            rows=rows,
            undecided=sum(row["decision"] is None for row in rows),
            decided=decided(view),
            edits_json=edits_json,
            target_state=dict(view.target_states).get,
            disputed=[found for found in view.claims if found.disputed is not None],
        ),
        headings=(Heading(id="how", title="How to decide"),),
    )
