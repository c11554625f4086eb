"""The findings, as they were written."""

from __future__ import annotations

from researchpack.formats.markdown import FINDINGS
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render


def page(shown: Shown) -> Page:
    """The page `findings/`."""
    sections = [section for section in shown.view.pack.findings if section.title in FINDINGS]
    return Page(
        path=f"{shown.path}/findings",
        title=f"Findings · {shown.title}",
        html=render("findings.html.j2", "../", shown, sections=sections),
        headings=tuple(Heading(id=s.title.lower(), title=s.title) for s in sections),
    )
