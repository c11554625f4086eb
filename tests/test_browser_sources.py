"""The sources page in a real browser: one state at a time, and sorted by state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from browsing import Served

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.browser
PACK: Final = "books/debugging-ai/39-chapter/"


def test_sources_are_filtered_and_sorted_by_state(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(f"{PACK}sources/")
        states = page.locator(".src-states")
        wanted = states.locator("dd").first.locator("a").all_inner_texts()
        shown = page.locator("article.src:visible")
        everything = page.locator("article.src").count()
        expect(shown).to_have_count(everything)
        states.locator("dt button").first.click()
        expect(shown).to_have_count(len(wanted))
        assert [one.get_attribute("id") for one in shown.all()] == wanted
        hidden = page.locator("article.src:not(:visible)").first.get_attribute("id")
        page.evaluate("id => { location.hash = id; }", hidden)
        expect(shown).to_have_count(everything)
        page.get_by_role("button", name="Sort by state").click()
        order = [str(one.get_attribute("id")) for one in page.locator("article.src").all()]
        assert order == states.locator("dd a").all_inner_texts()
