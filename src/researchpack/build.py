"""The story of the site: project -> views -> pages and files, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack import disk
from researchpack.checks import check
from researchpack.dates import parse_date
from researchpack.exports import brief
from researchpack.exports.csl import bibtex, csl_json, formatted
from researchpack.exports.notebook import NoNotebook, notebook
from researchpack.exports.pack_json import pack_data, pack_json
from researchpack.exports.search_index import search_index
from researchpack.gather import gather
from researchpack.pages import PAGES, bibliography, evidence, home, overview, search
from researchpack.pages import brief as brief_page
from researchpack.pages._records import Page, Shown, published
from researchpack.views import view, with_delta

if TYPE_CHECKING:
    from pathlib import Path

    from researchpack.records import Project, View

END_OF_TIME: Final = "9998-12-31"
"""The day by which the pages judge dates: the site must not change because a day went by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Everything that the generated part of the site consists of."""

    pages: tuple[Page, ...]
    files: tuple[tuple[str, bytes], ...]
    """Path below the site and bytes."""
    last_day: str
    """The newest day on which anything was researched, ISO; the site's own date."""


def site_of(root: Path, *, drafts: bool = False) -> Site:
    """The site of a project; a pack with a broken file is shown as far as it can be read."""
    return site_with(shown_packs(gather(root)), drafts=drafts, template=own_template(root))


def own_template(root: Path) -> str | None:
    """The project's own template of the brief, or None."""
    data = disk.read_if_there(root / "overrides" / "brief.md.j2")
    return data.decode("utf-8") if data is not None else None


def site_with(found: list[Shown], *, drafts: bool, template: str | None = None) -> Site:
    """The site of packs that are worked out already; `template` is that of the brief."""
    packs = [shown for shown in found if drafts or not shown.view.pack.file.draft]
    books: dict[str, list[View]] = {}
    for shown in packs:
        books.setdefault(shown.view.pack.name.partition("/")[0], []).append(shown.view)
    pages = [home.home(packs), *home.books(packs), search.page(list(books))]
    pages += [_bibliography(packs, name) for name in books]
    files = [(f"assets/search/{name}.json", search_index(views)) for name, views in books.items()]
    for shown in packs:
        beside = downloads(shown)
        if shown.view.pack.snapshot is not None:
            text = brief.brief(shown.view, template=template)
            beside.append(("brief.md.txt", text.encode()))
            pages.append(brief_page.page(shown, text))
        pages.append(overview.page(shown, beside))
        if evidence.is_there(shown.view):
            pages.append(evidence.page(shown))
        pages += [module.page(shown) for module in PAGES]
        files += [(f"{shown.path}/{name}", data) for name, data in beside]
    return Site(pages=tuple(pages), files=tuple(files), last_day=_last_day(packs))


def shown_packs(project: Project) -> list[Shown]:
    """The packs with their problems, in the order of their names."""
    return [_shown(view(pack, project.vocabulary, END_OF_TIME)) for pack in project.packs]


def downloads(shown: Shown) -> list[tuple[str, bytes]]:
    """The files beside the overview: snapshot, pack.json, notebook, and the pack's own files.

    Markdown gets a second suffix, because what ends in `.md` is a page of the site; so does what a
    browser would run, because the artefacts of a run are untrusted.
    """
    pack = shown.view.pack
    found = []
    if pack.snapshot is not None:
        found.append(("chapter-snapshot.txt", pack.snapshot.data))
    found.append(("pack.json", pack_json(shown.view, shown.problems)))
    found += _notebook(shown.view)
    if pack.sources:
        found += [
            ("references.bib", bibtex(shown.view)),
            ("references.csl.json", csl_json(shown.view)),
        ]
    found += [(f"snapshots/{old.sha256[:12]}.txt", old.data) for old in pack.earlier]
    for name, data in pack.files:
        if name != pack.file.snapshot_file:
            found.append((published(name), data))
    return found


def _notebook(found: View) -> list[tuple[str, bytes]]:
    """The notebook, when one can be made; `check` and `export` say why not."""
    try:
        return [("notebook.ipynb", notebook(found.pack, found.experiments))]
    except NoNotebook:
        return []


def _bibliography(packs: list[Shown], book: str) -> Page:
    own = [shown for shown in packs if shown.view.pack.name.partition("/")[0] == book]
    return bibliography.page([(shown, formatted(shown.view)) for shown in own])


def _shown(found: View) -> Shown:
    problems = sorted({*found.pack.problems, *check(found)}, key=lambda problem: problem.order)
    changed = with_delta(found, pack_data(found, problems))
    return Shown(view=changed, problems=tuple(problems))


def _last_day(packs: list[Shown]) -> str:
    days = [
        parsed.last.isoformat()
        for shown in packs
        for entry in shown.view.pack.file.passes
        if (parsed := parse_date(entry.date or "")) is not None
    ]
    return max(days, default="2026-01-01")
