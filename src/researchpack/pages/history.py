"""The history of a pack: passes, chapter revisions, decisions."""

from __future__ import annotations

from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render


def page(shown: Shown) -> Page:
    """The page `history/`."""
    return Page(
        path=f"{shown.path}/history",
        title=f"History · {shown.title}",
        html=render("history.html.j2", "../", shown, context=shown.view.pack.context),
        headings=(
            Heading(id="passes", title="Research passes"),
            Heading(id="revisions", title="Chapter revisions"),
            Heading(id="decisions", title="Decisions"),
        ),
    )
