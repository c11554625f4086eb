"""The brief as a page, to be read and copied."""

from __future__ import annotations

from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render


def page(shown: Shown, text: str) -> Page:
    """The page `brief/`; `text` is the brief in Markdown, shown as it is."""
    return Page(
        path=f"{shown.path}/brief",
        title=f"Brief · {shown.title}",
        html=render("brief.html.j2", "../", shown, text=text, size=len(text.encode())),
        headings=(Heading(id="brief-text", title="The brief"),),
    )
