"""The source ledger: one entry a source, with what it says about each claim."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from researchpack.pages._parts import claim_cell
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.pages._text import outside, safe_address
from researchpack.records import FieldState

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.problems import Problem
    from researchpack.records import FieldCheck, Source, View

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
        fields=dict(view.field_checks).get,
        field_counts=field_counts,
        about=_about(shown),
        states=_states(view),
        versioned=_versioned,
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


def field_counts(checks: tuple[FieldCheck, ...] | None) -> list[tuple[str, str, int]]:
    """Words, CSS class and number: confirmed, contradicted, and each reason for neither."""
    counts: Counter[tuple[str, str]] = Counter()
    for check in checks or ():
        if check.state is FieldState.NOT_CONFIRMED:
            counts[(check.why or "not confirmed", "warn")] += 1
        else:
            css = "fine" if check.state is FieldState.CONFIRMED else "bad"
            counts[(check.state.value, css)] += 1
    return [(words, css, number) for (words, css), number in counts.items()]


def _states(view: View) -> list[tuple[str, list[str]]]:
    """The sources by what the registries said: what needs a person first."""
    groups: dict[str, list[str]] = {}
    for source in view.pack.sources:
        checks = dict(view.field_checks).get(str(source.id)) or ()
        states = {check.state for check in checks}
        whys = {check.why for check in checks if check.why}
        if FieldState.CONTRADICTED in states:
            name = "a field is contradicted"
        elif FieldState.CONFIRMED in states:
            name = "fields are confirmed"
        else:
            name = "not asked yet" if "not asked yet" in whys or not whys else sorted(whys)[0]
        groups.setdefault(name, []).append(str(source.id))
    return sorted(groups.items(), key=lambda group: ("contradicted" not in group[0], group[0]))


def _about(shown: Shown) -> Callable[[Source], list[Problem]]:
    """Tells what the check says about an entry of the ledger: problems on its lines."""
    starts = sorted(source.place.line for source in shown.view.pack.sources)

    def problems(source: Source) -> list[Problem]:
        first = source.place.line
        last = next((line for line in starts if line > first), 10**9)
        return [
            problem
            for problem in shown.problems
            if problem.place.path == source.place.path
            and first <= problem.place.line < last
            and problem.rule.partition(".")[0] in ("meta", "status", "id", "url", "quote", "date")
        ]

    return problems


def _versioned(source: Source) -> Markup:
    """The archived copy as a link with the attributes of Robust Links."""
    link, original = safe_address(source.archive), safe_address(source.url)
    if link is None:
        return escape(source.archive or "")
    if original is None:
        return outside(source.archive)
    day = f' data-versiondate="{source.accessed}"' if source.accessed else ""
    return Markup(
        '<a href="{}" data-originalurl="{}" data-versionurl="{}"{} rel="noopener noreferrer">{}</a>'
    ).format(link, original, link, Markup(day), link)


def _identifier(key: str, words: str) -> Markup:
    """An identifier, linked to its resolver when it has the shape of one."""
    resolver = _RESOLVERS.get(key)
    bare = words.removeprefix("arXiv:")
    if resolver is None or not bare[:1].isdigit():
        return escape(words)
    return outside(resolver + bare, words)
