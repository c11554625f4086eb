"""Readers' ways through the built site, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browsing import Served

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.browser

PACK: Final = "books/debugging-ai/39-chapter/"
FOLDER: Final = Path(__file__).resolve().parents[1] / "research/debugging-ai/39-chapter"

IN_SIGHT: Final = """e => {
  const box = e.getClientRects()[0];
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + 3);
  return top !== null && (e.contains(top) || top.contains(e) && top.closest('header') === null);
}"""
"""Whether an element's first line begins on the screen and nothing stands before it."""


def in_sight(found: Locator) -> None:
    """The element is on the screen, and the theme's fixed header does not cover it."""
    expect(found).to_be_in_viewport()
    assert found.evaluate(IN_SIGHT), f"covered: {found}"


def squeezed(text: str) -> str:
    """The text with each run of white space as one space."""
    return " ".join(text.split())


# --- the walk ---------------------------------------------------------------------------------


def test_from_the_home_page_to_a_passage_its_claim_its_source_and_back(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go()
        main = page.locator(".rp")
        main.get_by_role("link", name="Debugging AI", exact=True).click()
        main.get_by_role("link", name="Loops, Thrashing, and Retry Storms").click()
        expect(page).to_have_url(site.address + PACK)
        expect(main.get_by_role("heading", level=1)).to_have_text(
            "Loops, Thrashing, and Retry Storms"
        )

        main.get_by_role("navigation").get_by_role("link", name="Claims").click()
        row = page.locator("tr#C56")
        row.locator("th").get_by_role("link", name="C56", exact=True).click()
        in_sight(row.locator("th"))
        quoted = squeezed(row.locator("td.q > q").first.inner_text()).strip("“”\"'")

        row.get_by_role("link", name="in the chapter").click()
        expect(page).to_have_url(f"{site.address}{PACK}chapter/#C56")
        passage = page.locator("#C56")
        in_sight(passage)
        assert squeezed(passage.inner_text()) == quoted

        passage.get_by_role("link", name="C56, contradicted").click()
        card = page.locator("#card-C56")
        in_sight(card)

        card.get_by_role("link", name="C56 in the claim audit").click()
        expect(page).to_have_url(f"{site.address}{PACK}claims/#C56")
        in_sight(row.locator("th"))
        row.locator(".bearing").get_by_role("link", name="S2", exact=True).click()
        expect(page).to_have_url(f"{site.address}{PACK}sources/#S2")
        source = page.locator("article#S2")
        in_sight(source.get_by_role("heading"))

        bearing = source.locator(".bears tr").filter(has_text="C56")
        expect(bearing).to_contain_text("contradicts")
        bearing.get_by_role("link", name="C56").click()
        expect(page).to_have_url(f"{site.address}{PACK}claims/#C56")
        in_sight(row.locator("th"))


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("name", ["C01", "C56", "C106"])
def test_a_deep_link_shows_the_passage_below_the_header(
    site: Served, name: str, width: int
) -> None:
    with site.tab(width=width) as tab:
        in_sight(tab.go(f"{PACK}chapter/#{name}").locator(f"#{name}"))
        in_sight(tab.go(f"{PACK}claims/#{name}").locator(f"tr#{name} th"))


def test_a_deep_link_to_a_card_opens_it(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(f"{PACK}chapter/#card-C02")
        in_sight(page.locator("#card-C02"))


def test_the_overview_alone_tells_what_is_wrong_and_the_first_repair(site: Served) -> None:
    """Within three screens, without a script and without opening anything."""
    with site.tab(scripts=False) as tab:
        page = tab.go(PACK)
        first = page.locator(".repairs > li").first
        for words in (first.locator(".diff").first, first.locator(".diff del").first):
            expect(words).to_be_in_viewport(ratio=1)
        expect(first.locator(".diff ins").first).to_be_in_viewport()
        told = page.locator("#contradicted + ul > li")
        names = [squeezed(text) for text in told.locator(".cid").all_inner_texts()]
        assert [name.split()[1].strip(",") for name in names] == contradicted()
        last = told.last.bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= 3 * 900


def contradicted() -> list[str]:
    """The ids of the rows of `claims.md` with this verdict, read without the code under test."""
    rows = [
        [cell.strip() for cell in line.split(" | ")]
        for line in (FOLDER / "claims.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| C")
    ]
    return [row[0].strip("| ") for row in rows if row[8] == "contradicted"]


# --- scripts off ------------------------------------------------------------------------------


def test_without_scripts_the_chapter_its_cards_and_its_links_work(site: Served) -> None:
    with site.tab(scripts=False) as tab:
        page = tab.go(f"{PACK}chapter/")
        expect(page.locator("#C02")).to_be_visible()
        card = page.locator("#card-C02")
        expect(card).to_be_hidden()
        page.locator(".card", has=card).locator("summary").click()
        expect(card).to_be_visible()
        card.get_by_role("link", name="C02 in the claim audit").click()
        in_sight(page.locator("tr#C02 th"))
        evidence = page.locator("tr#C05 .ev").first
        expect(evidence.locator("p").first).to_be_hidden()
        evidence.locator("summary .rel").click()
        expect(evidence.locator("p").first).to_be_visible()


def test_without_scripts_every_page_shows_its_content(site: Served) -> None:
    with site.tab(scripts=False) as tab:
        for path in site.pages:
            page = tab.go(path)
            expect(page.locator("h1"), path).to_be_visible()
            # Tables inside of folded parts are one click away, which needs no script either.
            for table in page.locator(".rp table:not(details table)").all():
                expect(table, path).to_be_visible()


# --- keyboard ---------------------------------------------------------------------------------

FOCUSED: Final = """() => {
  const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
  return {
    tag: e.tagName, href: e.getAttribute('href') || '', inside: e.closest('.rp') !== null,
    ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
      && style.outlineColor !== 'rgba(0, 0, 0, 0)',
    seen: box.bottom > 0 && box.top < innerHeight && box.width > 0 && box.height > 0,
    words: e.innerText.trim().slice(0, 40) || e.getAttribute('aria-label') || '',
  };
}"""


def tab_stops(page: Page, number: int) -> list[dict[str, object]]:
    """The next elements that the Tab key reaches, as `FOCUSED` tells them."""
    found = []
    for _ in range(number):
        page.keyboard.press("Tab")
        found.append(page.evaluate(FOCUSED))
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_keyboard_reaches_tabs_cards_and_links_of_the_chapter(
    site: Served, scheme: Any
) -> None:
    with site.tab(scheme=scheme) as tab:
        page = tab.go(f"{PACK}chapter/")
        stops = [stop for stop in tab_stops(page, 45) if stop["inside"]]
        assert [s for s in stops if not (s["ring"] and s["seen"])] == []
        assert {"../", "../claims/", "../history/"} <= {s["href"] for s in stops}
        assert {"#card-C01", "../chapter-snapshot.txt"} <= {s["href"] for s in stops}
        assert "SUMMARY" in {s["tag"] for s in stops}


@pytest.mark.parametrize("path", ["", "claims/", "sources/", "proposals/", "review/"])
def test_whatever_the_keyboard_reaches_has_a_visible_ring(site: Served, path: str) -> None:
    with site.tab() as tab:
        page = tab.go(PACK + path)
        stops = [stop for stop in tab_stops(page, 40) if stop["inside"]]
        assert [s for s in stops if not (s["ring"] and s["seen"])] == []
        assert len(stops) > 20


def test_the_keyboard_opens_a_card(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(f"{PACK}chapter/")
        card = page.locator("#card-C02")
        page.locator(".card", has=card).locator("summary").focus()
        page.keyboard.press("Enter")
        expect(card).to_be_visible()
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        assert (stop["tag"], stop["ring"], stop["seen"]) == ("A", True, True)


def test_the_first_stop_leads_past_the_frame_of_the_page(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(f"{PACK}claims/")
        first = tab_stops(page, 1)[0]
        assert first["href"] == "#top"
        page.keyboard.press("Enter")
        in_sight(page.locator("h1"))


# --- search -----------------------------------------------------------------------------------


def test_the_search_finds_the_chapter(site: Served) -> None:
    with site.tab() as tab:
        # The theme's search knows the overviews; claims and sources have the search page.
        page = tab.search("thrashing")
        results = page.locator(".md-search-result__link")
        expect(results.first).to_be_visible()
        page.locator(f'.md-search-result__link[href*="{PACK}"]').first.click()
        expect(page.locator(".rp h1")).to_have_text("Loops, Thrashing, and Retry Storms")
