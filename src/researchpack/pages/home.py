"""The home page and the pages of books: every pack with its state."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from researchpack.pages._parts import status_counts, verdict_counts
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.records import State
from researchpack.verdicts import CONTRADICTED, INCONSISTENT, SEVERITY, UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.records import View

_PRIORITIES: Final = ("high", "medium", "low")
_LOUD: Final = (CONTRADICTED, UNSUPPORTED, INCONSISTENT)


def home(packs: Sequence[Shown]) -> Page:
    """The page at the root of the site."""
    claims = sum(len(shown.view.claims) for shown in packs)
    lead = (
        f"{_some(len(packs), 'research pack')} with {_some(claims, 'audited claim')}. Each claim"
        " points at an exact passage of one chapter revision; what could not be accounted for says"
        " so."
    )
    books = [_book(group, "books/") for group in _by_book(packs)]
    return Page(
        path="",
        title="Research packs",
        html='<h1 id="top">Research packs</h1>'
        + render("home.html.j2", "", None, lead=lead, books=books, work=_open_work(packs), root=""),
        headings=tuple(Heading(id=str(b["slug"]), title=str(b["title"])) for b, _ in books),
        description=lead,
    )


def books(packs: Sequence[Shown]) -> list[Page]:
    """One page a book."""
    pages = []
    for group in _by_book(packs):
        book, rows = _book(group, "../")
        lead = f"{_some(len(group), 'chapter')} of {book['title']}."
        pages.append(
            Page(
                path=f"books/{book['slug']}",
                title=str(book["title"]),
                html=str(Markup('<h1 id="top">{}</h1>').format(book["title"]))
                + render(
                    "home.html.j2",
                    "",
                    None,
                    lead=lead,
                    books=[(book, rows)],
                    work=_open_work(group),
                    root="../../",
                ),
                headings=(Heading(id=str(book["slug"]), title=str(book["title"])),),
            )
        )
    return pages


def _by_book(packs: Sequence[Shown]) -> list[list[Shown]]:
    groups: dict[str, list[Shown]] = {}
    for shown in packs:
        groups.setdefault(shown.view.pack.name.partition("/")[0], []).append(shown)
    return list(groups.values())


def _book(group: list[Shown], base: str) -> tuple[dict[str, object], list[dict[str, object]]]:
    pack = group[0].view.pack
    slug = pack.name.partition("/")[0]
    book: dict[str, object] = {
        "slug": slug,
        "title": pack.book.title,
        "href": f"{base}{slug}/",
    }
    return book, [_row(shown, base) for shown in group]


def _open_work(packs: Sequence[Shown]) -> dict[str, object]:
    """What is open over all packs, counted from the same records as the packs' own pages."""
    undecided: Counter[str] = Counter()
    loud: Counter[str] = Counter()
    days: list[tuple[str, str]] = []
    disputed = stale = unopened = 0
    for shown in packs:
        view = shown.view
        decided = dict(view.decisions)
        priorities = {str(found.claim.id): str(found.claim.priority) for found in view.claims}
        for proposal in view.pack.proposals:
            if proposal.id not in decided:
                ranks = [priorities.get(str(name), "") for name in proposal.claims]
                undecided[next((p for p in _PRIORITIES if p in ranks), "no priority")] += 1
        loud.update(found.stated for found in view.claims if found.stated in _LOUD)
        disputed += sum(found.disputed is not None for found in view.claims)
        stale += view.state is State.STALE
        unopened += sum(source.accessed is None for source in view.pack.sources)
        days += [(str(day), view.pack.name) for day in _reading_days(view)]
    return {
        "undecided": [(p, undecided[p]) for p in (*_PRIORITIES, "no priority") if undecided[p]],
        "loud": [(verdict, loud[verdict]) for verdict in _LOUD if loud[verdict]],
        "disputed": disputed,
        "stale": stale,
        "unopened": unopened,
        "oldest": min(days, default=None),
        "experiments": status_counts(
            status for shown in packs for _, status in shown.view.statuses
        ),
    }


def _reading_days(view: View) -> list[str]:
    """The days on which sources, or their copies, were read."""
    return [
        str(day)
        for source in view.pack.sources
        for day in (source.accessed, source.copy.date if source.copy else None)
        if day
    ]


def _row(shown: Shown, base: str) -> dict[str, object]:
    view = shown.view
    passes = view.pack.file.passes
    return {
        "href": f"{base}{view.pack.name}/",
        "number": view.pack.file.number,
        "title": shown.title,
        "state": view.state.value,
        "claims": len(view.claims),
        "counts": [c for c in verdict_counts(view.claims) if c[0] in SEVERITY[:4]],
        "experiments": status_counts(status for _, status in view.statuses),
        "decided": sum(name.startswith("P") for name, _ in view.decisions),
        "proposals": len(view.pack.proposals),
        "last": passes[-1].date if passes else None,
        "errors": len(shown.errors),
    }


def _some(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
