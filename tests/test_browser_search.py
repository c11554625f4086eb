"""The search over all packs: claims, sources and proposals, each with its pack."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from conftest import ProjectFolder
from researchpack.site import build_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

    from browsing import Served

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.browser

PACK: Final = "books/debugging-ai/39-chapter/"


def find(page: Page, words: str) -> list[str]:
    """The hits for some words, once they are there."""
    page.get_by_label("Words, names or ids").fill(words)
    expect(page.locator(".rp [role=status]")).to_contain_text("found in")
    return page.locator(".hits li").all_inner_texts()


def test_a_claim_is_found_by_its_id_and_by_words_of_its_passage(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go("search/")
        first = find(page, "c56")[0]
        assert "claim C56" in first
        assert "✕ contradicted" in first
        assert first.endswith("Loops, Thrashing, and Retry Storms"), "it says which pack"
        hits = find(page, "three layers 243x")
        assert "claim C56" in hits[0]
        page.locator(".hits a").first.click()
        expect(page).to_have_url(f"{site.address}{PACK}claims/#C56")
        expect(page.locator("tr#C56 th")).to_be_in_viewport()


def test_a_source_is_found_by_its_author_and_a_proposal_by_its_new_words(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go("search/")
        assert any("source S2" in hit for hit in find(page, "Marc BROOKER timeouts"))
        page.locator(".hits a", has_text="source S2").click()
        expect(page).to_have_url(f"{site.address}{PACK}sources/#S2")
        page = tab.go("search/")
        assert any("proposal P1" in hit for hit in find(page, "tries at each of five layers"))


def test_a_search_is_a_link(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go("search/")
        hits = find(page, "tabu list")
        assert hits
        expect(page).to_have_url(f"{site.address}search/?find=tabu%20list")
        page.reload()
        expect(page.get_by_label("Words, names or ids")).to_have_value("tabu list")
        expect(page.locator(".hits li")).to_have_count(len(hits))
        expect(page.locator("#__search")).not_to_be_checked()
        page.get_by_label("Words, names or ids").fill("")
        expect(page.locator(".hits li")).to_have_count(0)
        expect(page).to_have_url(f"{site.address}search/")


def test_nothing_is_loaded_before_somebody_searches(site: Served) -> None:
    with site.tab() as tab:
        asked: list[str] = []
        tab.page.on("request", lambda request: asked.append(request.url))
        page = tab.go("search/")
        page.wait_for_load_state("networkidle")
        assert not [url for url in asked if "assets/search/" in url]
        assert find(page, "zzzz no such words") == []
        assert [url for url in asked if "assets/search/" in url] == [
            f"{site.address}assets/search/debugging-ai.json"
        ]
        expect(page.locator(".rp [role=status]")).to_have_text("0 found in 0 packs")


def test_no_pack_is_loaded_with_the_index_of_the_theme(site: Served) -> None:
    """Every page loads that index: 300 packs must not make each page wait."""
    told = json.loads((site.folder / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert not [doc for doc in told["docs"] if "/claims/" in doc["location"]]


@pytest.fixture(scope="module")
def two(
    tmp_path_factory: pytest.TempPathFactory,
    serving: Callable[[Path], AbstractContextManager[Served]],
) -> Iterator[Served]:
    """Two packs of two books, one of which has what a page could take for markup."""
    root = tmp_path_factory.mktemp("two") / "project"
    root.mkdir()
    project = ProjectFolder(root)
    other = root / "research" / "mills" / "01-wheels"
    other.mkdir(parents=True)
    (other.parent / "book.yaml").write_text("id: mills\ntitle: Mills\n")
    (other / "pack.yaml").write_text(
        "id: mills-01\nchapter: {number: 1, title: Wheels, slug: 01-wheels}\n"
        "snapshot: {file: chapter-snapshot.txt}\n"
    )
    (other / "chapter-snapshot.txt").write_text("A wheel at the Orla turns – “at once”.\n")
    (other / "claims.md").write_text(
        project.read("claims.md").split("| C1")[0]
        + '| C1 | "A wheel at the Orla turns – “at once”." | | [S1] | <b>bold</b> | low |'
        " no change | number | qualified | reported by a source |\n"
    )
    (other / "sources.yaml").write_text(
        "- {id: S1, type: report, title: '<img src=x onerror=alert(1)>', authors: [Zoë Ångström]}\n"
    )
    build_site(root, root / "site")
    with serving(root / "site") as served:
        yield served


def test_hits_of_several_packs_say_which(two: Served) -> None:
    with two.tab() as tab:
        page = tab.go("search/")
        hits = find(page, "orla")
        assert {hit.rpartition(" ")[2] for hit in hits} == {"Wheels", "weirs"}
        expect(page.locator(".rp [role=status]")).to_contain_text("in 2 packs")
        assert [hit for hit in find(page, '"at once"') if "claim C1" in hit]
        assert [hit for hit in find(page, "turns - ") if "Wheels" in hit]


def test_accents_and_markup_are_only_words(two: Served) -> None:
    with two.tab() as tab:
        page = tab.go("search/")
        (hit,) = find(page, "zoe angstrom")
        assert "<img src=x onerror=alert(1)>" in hit
        assert find(page, "<b>bold</b>")
        assert page.locator(".hits img, .hits b b").count() == 0


def test_without_scripts_the_page_says_what_to_do(two: Served) -> None:
    """Read from the file: with scripts switched off from outside, Chromium hides this part too."""
    html = (two.folder / "search" / "index.html").read_text(encoding="utf-8")
    (told,) = re.findall(r"<noscript>(.*?)</noscript>", html)
    assert "The search needs scripts." in told
