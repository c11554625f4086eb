"""The bibliography of a book: the formatted references of all its packs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    References = list[tuple[str, Markup]]


def page(packs: Sequence[tuple[Shown, References]]) -> Page:
    """The page `books/<book>/bibliography/`; the references are safe HTML."""
    book = packs[0][0].view.pack.book
    slug = packs[0][0].view.pack.name.partition("/")[0]
    html = render("bibliography.html.j2", "", None, book=book, packs=packs)
    return Page(
        path=f"books/{slug}/bibliography",
        title=f"Bibliography · {book.title}",
        html=html,
        headings=tuple(
            Heading(id=shown.view.pack.chapter, title=shown.title) for shown, _ in packs
        ),
    )
