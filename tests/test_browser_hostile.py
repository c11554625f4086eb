"""A pack whose authors attack its readers: everything that they wrote is shown and nothing runs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from playwright.sync_api import expect

import links
from researchpack.site import build_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from browsing import Served

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).resolve().parents[1]
PACK: Final = "books/evil/01-evil/"
SCRIPT: Final = "javascript:window.hit='address'"
RAW: Final = "<script>window.hit='script'</script>"


def evil(name: str) -> str:
    """A value that tries every way out of its place; `name` is the word to find it by."""
    return (
        f"{name} {RAW}<img src=x onerror=\"window.hit='image'\">\"'></title></textarea>"
        "<svg onload=window.hit='svg'></svg>{{7*7}}{% raw %} ![x](https://evil.example/p.png)"
        f" [y]({SCRIPT}) &lt;img src=x onerror=window.hit='entity'&gt; --> ]]>"
    )


LONG: Final = "Unbroken" * 40
"""A word that no line can hold."""

BOOK: Final = {"id": "evil", "title": evil("BookTitle"), "url": SCRIPT}
SNAPSHOT: Final = f"{evil('ChapterHead')}\n\n{evil('Passage')}\n\n{LONG} is a word.\n"
PACK_FILE: Final = {
    "id": evil("PackId"),
    "chapter": {
        "number": evil("ChapterNumber"),
        "title": evil("ChapterTitle"),
        "slug": evil("Slug"),
        "url": SCRIPT,
    },
    "pack_url": SCRIPT,
    "objective": evil("Objective"),
    "questions": [evil("Question")],
    "material": {"notebook": SCRIPT, "evidence": "https://evil.example/p.png", "browser": LONG},
    "snapshot": {
        "file": "chapter-snapshot.txt",
        "taken": evil("Taken"),
        "source": evil("SourceFile"),
    },
    "layout": {"headings": [evil("ChapterHead")]},
    "declared": {
        "fingerprint": evil("Fingerprint"),
        "references": evil("References"),
        "from": evil("DeclaredFrom"),
    },
    "passes": [
        {
            "date": evil("PassDate"),
            "researcher": {
                "name": evil("Researcher"),
                "kind": evil("ResearcherKind"),
                "tools": evil("Tools"),
            },
            "read": evil("ReadRevision"),
            "report": evil("Report"),
        }
    ],
}
SOURCES: Final = [
    {
        "id": "S1",
        "type": evil("SourceType"),
        "title": evil("SourceTitle"),
        "authors": [evil("Author")],
        "editors": [evil("Editor")],
        "issued": evil("Issued"),
        "container": evil("Container"),
        "url": SCRIPT,
        "also": ["data:text/html," + RAW, "https://evil.example/\"onmouseover=window.hit='x'"],
        "doi": '10.1/"><script>window.hit="doi"</script>',
        "arxiv": "1'onmouseover=window.hit='arxiv'",
        "publisher": evil("Publisher"),
        "reading_status": evil("ReadingStatus"),
        "read": evil("ReadHow"),
        "copy": {"url": SCRIPT, "date": evil("CopyDate")},
        "verified": {
            "by": evil("VerifiedBy"),
            "date": evil("VerifiedDate"),
            "fields": [evil("VerifiedField")],
            "unverified": [evil("UnverifiedField")],
        },
        "limitations": evil("Limitations"),
        "suggested": {"where": evil("SuggestedWhere"), "use": evil("SuggestedUse")},
        "bears_on": [
            {
                "claim": "C1",
                "relation": evil("Relation"),
                "because": evil("Because"),
                "quote": evil("SourceQuote"),
                "locator": evil("Locator"),
            },
            {
                "claim": evil("NoClaim"),
                "relation": "contradicts",
                "because": f"{evil('Because2')} {LONG}",
            },
        ],
    },
    {"id": "S2", "title": LONG, "url": f"https://example.org/{LONG}", "reading_status": "excerpt"},
]
PROPOSALS: Final = [
    {
        "id": "P1",
        "title": evil("ProposalTitle"),
        "kind": evil("ProposalKind"),
        "claims": ["C1"],
        "sources": ["S1", "S99", evil("NoSource")],
        "depends_on": ["P2", "P99"],
        "edits": [
            {"old": evil("Passage"), "new": evil("NewWords")},
            {"after": evil("ChapterHead"), "new": evil("Inserted")},
            {"old": evil("NotThere"), "new": LONG},
        ],
        "rationale": evil("Rationale"),
        "tradeoffs": evil("Tradeoffs"),
        "affects": [evil("Affects")],
        "recommend": {"decision": evil("Advice"), "reason": evil("AdviceReason")},
    },
    {"id": "P2", "title": LONG, "claims": ["C1"], "reason_no_text": evil("NoText")},
]
EXPERIMENTS: Final = [
    {
        "id": "X1",
        "title": evil("ExperimentTitle"),
        "question": evil("ExperimentQuestion"),
        "method": evil("Method"),
        "predictions": [{"text": evil("Prediction"), "written": evil("Written")}],
        "success": evil("Success"),
        "failure": evil("Failure"),
        "command": ["run", evil("Argument")],
        "reported": {
            "by": evil("ReportedBy"),
            "date": evil("ReportedDate"),
            "command": evil("ReportedCommand"),
            "outcome": evil("Outcome"),
            "output": evil("Output"),
        },
        "bears_on": [
            {"claim": "C1", "relation": evil("CheckRelation"), "because": evil("CheckBecause")}
        ],
    }
]
REVIEW: Final = [
    {
        "target": target,
        "decision": decision,
        "by": evil(f"DecidedBy{target}"),
        "date": evil(f"DecidedOn{target}"),
        "reason": f"{evil(f'DecidedWhy{target}')} {LONG}",
    }
    for target, decision in (("P1", evil("Decision")), ("C1", "dispute"))
]
CELLS: Final = ("Evidence", "Concern", "Priority", "Response", "Kind", "Verdict", "Class")
CLAIMS: Final = "\n".join(
    [
        "# Claim audit",
        "",
        evil("ClaimNote"),
        "",
        "| ID | Claim | Where | Current evidence | Concern | Priority | Response | Kind | Verdict"
        " | Class | Conflicts with |",
        "|---" * 11 + "|",
        f'| C1 | "{evil("Passage")}" | {evil("ChapterHead")} | '
        + " | ".join(evil(name) for name in CELLS)
        + f' | "{evil("Conflict").replace(";", "")}" |',
        f"| C2 | {evil('Paraphrase')} | {LONG} | {LONG} | {LONG} | low | no change | number"
        " | supported | hypothesis | |",
        f"| {evil('RowName')} | x | x | x | x | x | x | x | x | x | x |",
        "",
    ]
)
FINDINGS: Final = f"# Findings\n\n## Supporting\n\n- {evil('Finding')} [S1]\n\n{LONG}\n"
CONTEXT: Final = "# Context\n" + "".join(
    f'\n## {title}\n\n{evil("Context" + title.partition(" ")[0])}\n\n<div onclick="x()">\n'
    f"\n| a | b |\n|---|---|\n| {LONG} | <b>x</b> |\n"
    for title in ("Read", "Provenance notes", "Thesis", "Set aside", "Missing sources")
)


@pytest.fixture(scope="module")
def attacked(serving: Callable[[Path], Any], tmp_path_factory: Any) -> Iterator[Served]:
    """A site with nothing but the hostile pack."""
    root = tmp_path_factory.mktemp("hostile")
    shutil.copy(ROOT / "mkdocs.yml", root)
    for name in ("overrides", "docs"):
        shutil.copytree(ROOT / name, root / name)
    folder = root / "research/evil/01-evil"
    folder.mkdir(parents=True)
    texts = {
        "../book.yaml": BOOK,
        "pack.yaml": PACK_FILE,
        "sources.yaml": SOURCES,
        "proposals.yaml": PROPOSALS,
        "experiments.yaml": EXPERIMENTS,
        "review.yaml": REVIEW,
    }
    for name, data in texts.items():
        text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100_000)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "claims.md").write_text(CLAIMS, encoding="utf-8")
    (folder / "findings.md").write_text(FINDINGS, encoding="utf-8")
    (folder / "context.md").write_text(CONTEXT, encoding="utf-8")
    (folder / "chapter-snapshot.txt").write_text(SNAPSHOT, encoding="utf-8")
    build_site(root, root / "built")
    with serving(root / "built") as served:
        yield served


def squeezed(text: str) -> str:
    """The text without any white space: a page may break lines where it likes."""
    return "".join(text.split())


ACTIVE: Final = """() => {
  const found = [...document.querySelectorAll(
    '.rp script, .rp img, .rp iframe, .rp object, .rp embed, .rp form, .rp style, .rp base, ' +
    '.rp meta, .rp link, .rp title, .rp svg:not(.bar), article > img')];
  for (const e of document.querySelectorAll('.rp, .rp *, nav *, header *'))
    if ([...e.attributes].some(a => a.name.startsWith('on'))) found.push(e);
  for (const e of document.querySelectorAll('a[href]'))
    if (!['http:', 'https:', 'mailto:'].includes(e.protocol)) found.push(e);
  return found.map(e => e.outerHTML.slice(0, 120));
}"""
"""What could run or load something and came from the pack."""


def test_nothing_runs_and_nothing_is_asked_of_another_host(attacked: Served) -> None:
    assert len(attacked.pages) > 10
    with attacked.tab() as tab:
        for path in [*attacked.pages, "404.html"]:
            page = tab.go(path)
            assert page.evaluate(ACTIVE) == [], path
            for link in page.locator(".rp a[href^='https://evil']").all():
                link.hover()
            page.mouse.move(5, 5)
            assert page.evaluate("window.hit") is None, path


WANTED: Final = {
    "": ["BookTitle", "ChapterNumber", "ChapterTitle", "PassDate"],
    "books/evil/": ["BookTitle", "ChapterNumber", "ChapterTitle"],
    "books/evil/bibliography/": ["BookTitle", "ChapterTitle", "SourceTitle"],
    PACK: [
        *("BookTitle", "ChapterTitle", "ChapterNumber", "Objective", "Question", "Taken"),
        *("DeclaredFrom", "References", "PassDate", "Researcher", "ResearcherKind", "Tools"),
        *("ReadingStatus", "ProposalTitle", "NewWords", "NoText"),
    ],
    f"{PACK}chapter/": ["ChapterTitle", "Passage", "ChapterHead", "Concern", "Evidence"],
    f"{PACK}claims/": [
        *("Passage", "ChapterHead", "Evidence", "Concern", "Priority", "Response", "Paraphrase"),
        *("Relation", "ReadingStatus", "Because", "SourceQuote", "Locator", "ProposalTitle"),
        *("CheckBecause", "DecidedByC1"),
    ],
    f"{PACK}sources/": [
        *("SourceType", "SourceTitle", "Author", "Editor", "Issued", "Container", "Publisher"),
        *("ReadingStatus", "ReadHow", "CopyDate", "VerifiedBy", "VerifiedDate", "VerifiedField"),
        *("UnverifiedField", "Limitations", "SuggestedUse", "SuggestedWhere", "Relation"),
        *("NoClaim", "Because", "Because2", "SourceQuote", "Locator"),
    ],
    f"{PACK}findings/": [],
    f"{PACK}brief/": ["ChapterTitle", "Objective", "Question"],
    f"{PACK}proposals/": [
        *("ProposalTitle", "ProposalKind", "NewWords", "Inserted", "NotThere", "Rationale"),
        *("Tradeoffs", "Affects", "Advice", "AdviceReason", "NoText", "Decision"),
    ],
    f"{PACK}experiments/": [
        *("ExperimentTitle", "ExperimentQuestion", "Method", "Prediction", "Written", "Success"),
        *("Failure", "Argument", "ReportedBy", "ReportedDate", "ReportedCommand", "Outcome"),
        *("Output", "CheckRelation", "CheckBecause"),
    ],
    f"{PACK}review/": ["ProposalTitle", "Decision", "DecidedByP1", "DecidedWhyP1", "DecidedWhyC1"],
    f"{PACK}history/": ["PassDate", "Researcher", "Tools", "Report", "Taken", "DecidedWhyP1"],
}
"""What every page must show literally."""


def test_all_words_are_shown_as_they_were_written(attacked: Served) -> None:
    missing = []
    assert set(attacked.pages) == set(WANTED)
    with attacked.tab() as tab:
        for path, names in WANTED.items():
            page = tab.go(path)
            page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
            shown = squeezed(page.locator(".rp").inner_text())
            missing += [
                f"{path or 'home'}: {name}" for name in names if squeezed(evil(name)) not in shown
            ]
    assert not missing, "\n".join(missing)


def test_authored_markdown_shows_tags_as_words(attacked: Served) -> None:
    with attacked.tab() as tab:
        for path, names in {
            "findings/": ["Finding"],
            "claims/": ["ClaimNote"],
            "sources/": ["ContextSet", "ContextMissing"],
            "history/": ["ContextProvenance"],
            "": ["ContextRead", "ContextThesis"],
        }.items():
            prose = tab.go(PACK + path).locator(".prose").all_inner_texts()
            shown = squeezed("".join(prose))
            for name in names:
                assert squeezed(f"{name} {RAW}<img src=x onerror=") in shown, (path, name)
            assert "evil.example" not in shown, "an image is shown as its description"


def test_titles_of_windows_are_the_words_themselves(attacked: Served) -> None:
    title, book = squeezed(evil("ChapterTitle")), squeezed(evil("BookTitle"))
    end = squeezed(" - programmer.ie research")
    with attacked.tab() as tab:
        assert squeezed(tab.go("books/evil/").title()) == book + end
        assert squeezed(tab.go(PACK).title()) == title + end
        assert squeezed(tab.go(f"{PACK}claims/").title()) == squeezed(f"Claims · {title}") + end
        header = tab.page.locator(".md-header__title").text_content()
        assert title in squeezed(header or "")
        meta = tab.page.locator("meta[name=description]").get_attribute("content")
        assert title in squeezed(meta or "")


@pytest.mark.parametrize("query", ["ChapterTitle", "BookTitle"])
def test_the_search_shows_hostile_words_and_runs_nothing(attacked: Served, query: str) -> None:
    with attacked.tab() as tab:
        page = tab.search(query)
        results = page.locator(".md-search-result__list")
        expect(results.locator("article").first).to_be_visible()
        results.evaluate("e => e.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert squeezed(RAW) in squeezed(results.inner_text())
        inside = results.evaluate(
            "e => [...e.querySelectorAll('script, img, [onload], [onerror], title, textarea')]"
            ".map(e => e.outerHTML)"
        )
        assert inside == []
        results.locator("a").first.click()
        page.wait_for_load_state()
        assert page.evaluate("window.hit") is None


OVER: Final = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll('body *')]
    .filter(e => e.getBoundingClientRect().right > width + 1)
    .map(e => `${e.tagName}.${e.className} to ${e.getBoundingClientRect().right.toFixed(0)} px`)
    .slice(0, 12);
}"""
"""What makes a page wider than the screen."""


def test_endless_words_widen_no_page(attacked: Served) -> None:
    faults = []
    with attacked.tab() as tab:
        for path in attacked.pages:
            page = tab.go(path)
            for width in (1440, 390):
                tab.resize(width)
                found = page.evaluate(OVER)
                faults += [f"{path or 'home'} at {width}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


def test_every_link_of_the_hostile_site_leads_somewhere(attacked: Served) -> None:
    faults = links.broken(attacked.folder)
    assert not faults, "\n".join(faults)
