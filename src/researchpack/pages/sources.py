"""The source ledger: one entry a source, with what it says about each claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import escape

from researchpack.pages._parts import claim_cell
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.pages._text import outside

if TYPE_CHECKING:
    from markupsafe import Markup

NAMES: Final = {
    "doi": "DOI",
    "arxiv": "arXiv",
    "isbn": "ISBN",
    "issn": "ISSN",
    "pmid": "PMID",
    "subtitle": "Subtitle",
    "publisher": "Publisher",
    "volume": "Volume",
    "issue": "Issue",
    "pages": "Pages",
    "edition": "Edition",
    "version": "Version",
    "language": "Language",
}
_RESOLVERS: Final = {"doi": "https://doi.org/", "arxiv": "https://arxiv.org/abs/"}


def page(shown: Shown) -> Page:
    """The page `sources/`."""
    view = shown.view
    html = render(
        "sources.html.j2",
        "../",
        shown,
        names=NAMES,
        identifier=_identifier,
        claim_cell=claim_cell(view, "../"),
        context=view.pack.context,
    )
    return Page(
        path=f"{shown.path}/sources",
        title=f"Sources · {shown.title}",
        html=html,
        headings=tuple(
            Heading(id=source.id, title=f"{source.id} {source.title or ''}")
            for source in view.pack.sources
        ),
    )


def _identifier(key: str, words: str) -> Markup:
    """An identifier, linked to its resolver when it has the shape of one."""
    resolver = _RESOLVERS.get(key)
    bare = words.removeprefix("arXiv:")
    if resolver is None or not bare[:1].isdigit():
        return escape(words)
    return outside(resolver + bare, words)
