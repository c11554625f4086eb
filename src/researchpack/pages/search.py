"""The search over all packs: claims, sources and proposals, each with its pack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from researchpack.pages._records import Heading, Page

if TYPE_CHECKING:
    from collections.abc import Sequence


def page(books: Sequence[str]) -> Page:
    """The page `search/`; `books` are the names of the index files."""
    html = Markup(
        '<h1 id="top">Search all packs</h1>'
        '<form class="find" data-books="{}" role="search"><label>Words, names or ids'
        ' <input type="search" name="find" autocomplete="off"></label></form>'
        '<p class="meta" role="status">Finds claims by their passage, concern and evidence,'
        " sources by title, people and address, and proposals by their new words.</p>"
        "<noscript><p>The search needs scripts. Every claim is also on the claims page of its"
        " pack.</p></noscript>"
        '<ol class="hits plain"></ol>'
    ).format(" ".join(books))
    return Page(
        path="search",
        title="Search",
        html=html,
        headings=(Heading(id="top", title="Search all packs"),),
        description="Search the claims, sources and proposals of all research packs",
    )
