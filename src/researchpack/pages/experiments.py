"""Experiments and local checks, each with its worked-out status."""

from __future__ import annotations

from researchpack.pages._parts import claim_cell
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render


def page(shown: Shown) -> Page:
    """The page `experiments/`."""
    view = shown.view
    entries = view.pack.experiments
    groups = (
        ("Experiments", "experiments", [entry for entry in entries if not entry.is_check]),
        ("Local checks", "checks", [entry for entry in entries if entry.is_check]),
    )
    return Page(
        path=f"{shown.path}/experiments",
        title=f"Experiments · {shown.title}",
        html=render(
            "experiments.html.j2", "../", shown, groups=groups, claim_cell=claim_cell(view, "../")
        ),
        headings=tuple(Heading(id=anchor, title=title) for title, anchor, _ in groups),
    )
