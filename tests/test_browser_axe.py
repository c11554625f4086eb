"""Every page type with axe in both colour schemes, and what axe cannot see: print, zoom, motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import axe_playwright_python
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

SCRIPT: Final = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
TAGS: Final = (
    "wcag2a",
    "wcag2aa",
    "wcag21a",
    "wcag21aa",
    "wcag22aa",
    "best-practice",
)
COLOURS: Final = ("color-contrast", "link-in-text-block")
"""The rules whose answer can differ between the two schemes."""
CANNOT_BE_MENDED: Final[dict[str, str]] = {}
"""Rule -> why the theme leaves us no way. Empty: what it lacks is in `overrides/` and the style."""
PACK: Final = "books/debugging-ai/39-chapter/"
SMALL: Final = "books/river-craft/03-locks/"

AUDIT: Final = """async ([values, colours]) => {
  const found = await axe.run(document, {
    runOnly: {type: colours ? 'rule' : 'tag', values},
    rules: colours === false ? {'color-contrast': {enabled: false}} : {},
    resultTypes: ['violations'],
  });
  return {passed: found.passes.length, faults: found.violations.flatMap((v) =>
    v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.html.slice(0, 90)}: ` +
      [...n.any, ...n.all, ...n.none].map((c) => c.message).join('; ').slice(0, 140)))};
}"""


def audited(page: Page, *, colours: bool | None = None) -> list[str]:
    """What axe finds on a page, with all cards open: all rules, or with or without colours only."""
    page.evaluate("() => document.querySelectorAll('.rp details').forEach((d) => d.open = true)")
    page.evaluate(SCRIPT)
    told: Any = page.evaluate(AUDIT, [list(COLOURS if colours else TAGS), colours])
    assert told["passed"] >= (1 if colours else 10), "axe has looked at something"
    faults = [line for line in told["faults"] if line.split(":")[0] not in CANNOT_BE_MENDED]
    return [f"{page.url.partition('/research/')[2] or 'home'}: {line}" for line in faults]


@pytest.fixture(scope="module")
def small(
    tmp_path_factory: pytest.TempPathFactory,
    serving: Callable[[Path], AbstractContextManager[Served]],
) -> Iterator[Served]:
    """The small project, with a disputed finding, a decision and an error: what few packs have."""
    root = tmp_path_factory.mktemp("small") / "project"
    root.mkdir()
    project = ProjectFolder(root)
    project.write(
        "review.yaml",
        "- {target: C2, decision: dispute, by: x, date: 2026-11-20, reason: no}\n"
        "- {target: P1, decision: accept, by: x, date: 2026-11-20}\n",
    )
    project.change("claims.md", "| contradicted |", "| supported |")
    project.write("claims.md", project.read("claims.md") + "\n## Note\n\nA [link](https://a.b).\n")
    project.write("context.md", project.read("context.md") + "\n```\n" + "x" * 300 + "\n```\n")
    build_site(root, root / "site")
    with serving(root / "site") as served:
        yield served


@pytest.mark.parametrize("path", ["claims/", "proposals/"])
def test_axe_would_find_a_fault(small: Served, path: str) -> None:
    """The audit itself works: it sees what is broken on purpose."""
    with small.tab() as tab:
        page = tab.go(SMALL + path)
        page.evaluate(
            "() => { document.querySelector('.rp h1').insertAdjacentHTML('afterend',"
            ' \'<img src="data:,"><p style="color:#999;background:#fff">pale</p>\'); }'
        )
        told = " ".join(audited(page))
        assert "image-alt" in told
        assert "color-contrast" in told


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page_type(small: Served, scheme: Any) -> None:
    """In the width of a large screen, and in half of it, as with a zoom of 200 %."""
    faults = []
    with small.tab(scheme=scheme) as tab:
        for path in [*small.pages, "search/", "guide/", "404.html"]:
            page = tab.go(path)
            expect(page.locator("body")).to_have_attribute(
                "data-md-color-scheme", {"light": "default", "dark": "slate"}[scheme]
            )
            draft(page)
            faults += audited(page)
            if scheme == "light":
                tab.resize(720)
                faults += audited(page)
                tab.resize(1440)
    assert not faults, "\n".join(faults)


def draft(page: Page) -> None:
    """Something is decided, where that is possible, so that all controls are there."""
    for target, word in (("P1", "revise"), ("C2", "dispute")):
        select = page.get_by_label(f"Decide on {target}", exact=True).first
        if select.count():
            select.select_option(word)
            expect(page.get_by_role("region", name="Draft decisions")).to_be_visible()


def test_axe_finds_nothing_on_the_flagship(site: Served) -> None:
    """Every page of it; of the claims those that are urgent, which is every kind of row.

    Contrast takes most of the time; `test_browser_pages` measures it on every page.
    """
    faults = []
    with site.tab() as tab:
        for path in [
            *site.pages,
            "search/?find=retry",
            "guide/reading-a-pack/",
            "reference/rules/",
        ]:
            page = tab.go(path + ("?priority=high" if path.endswith("/claims/") else ""))
            faults += audited(page, colours=False)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "path", ["", "chapter/", "claims/?priority=high", "sources/", "proposals/"]
)
def test_axe_finds_no_pale_word_on_the_flagship_in_the_dark(site: Served, path: str) -> None:
    with site.tab(scheme="dark") as tab:
        assert audited(tab.go(PACK + path), colours=True) == []


# --- names --------------------------------------------------------------------------------------

NAMELESS: Final = """() => {
  const words = 'contradicted|internally inconsistent|unsupported|qualified|unverified|supported'
    + '|no source needed|not stated';
  const told = (e) => {
    const copy = e.cloneNode(true);
    copy.querySelectorAll('[aria-hidden=true]').forEach((part) => part.remove());
    return (e.getAttribute('aria-label') || copy.textContent).trim();
  };
  const faults = [];
  let seen = 0;
  for (const e of document.querySelectorAll('.rp .b, .rp a.cid, .rp mark .n')) {
    seen += 1;
    if (!new RegExp(words).test(told(e))) faults.push(e.outerHTML.slice(0, 120));
    const sign = e.matches('.n') || e.querySelector('i[aria-hidden=true]');
    if (!sign) faults.push('no sign: ' + told(e));
    if (e.matches('.cid, .n') && !/^C\\d+/.test(told(e))) faults.push('no id: ' + told(e));
  }
  for (const e of document.querySelectorAll('.rp svg'))
    if (e.getAttribute('aria-hidden') !== 'true' && !e.getAttribute('aria-label'))
      faults.push('a drawing without a name');
  return {seen, faults};
}"""
"""Marks and badges that do not say their verdict in words, or only in colour."""


def test_every_mark_and_badge_says_its_verdict_in_words(site: Served) -> None:
    seen, faults = 0, []
    with site.tab() as tab:
        for path in site.pages:
            told = tab.go(path).evaluate(NAMELESS)
            seen += told["seen"]
            faults += [f"{path}: {fault}" for fault in told["faults"]]
    assert seen > 500
    assert not faults, "\n".join(faults)


def test_screen_readers_hear_marks_cards_and_rows(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(f"{PACK}chapter/")
        expect(page.get_by_role("link", name="C56, contradicted", exact=True)).to_have_count(1)
        expect(page.get_by_role("note", name="Claims of this passage").first).to_be_visible()
        page = tab.go(f"{PACK}claims/?find=C56")
        table = page.get_by_role("table", name="Claims of Loops, Thrashing, and Retry Storms")
        row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name="C56"))
        expect(row).to_have_count(1)
        expect(row.get_by_label("Decide on C56")).to_be_visible()
        expect(page.locator(".shown")).to_have_attribute("aria-live", "polite")


# --- focus, zoom, motion, print -----------------------------------------------------------------

FOCUS: Final = """() => {
  const faults = [];
  const kinds = new Map();
  const all = 'a, button, input, select, summary, textarea';
  for (const e of document.querySelectorAll(`.rp :is(${all})`)) {
    if (!e.checkVisibility({visibilityProperty: true}) || !e.getClientRects().length) continue;
    const kind = `${e.tagName} ${e.type || ''} ${e.className} ${e.parentElement.className}`;
    if (!kinds.has(kind)) kinds.set(kind, e);
  }
  for (const [kind, e] of kinds) {
    e.focus();
    const style = getComputedStyle(e), box = e.getBoundingClientRect();
    if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 1)
      faults.push('no ring: ' + kind);
    const x = Math.min(Math.max(box.x + box.width / 2, 1), innerWidth - 2);
    const top = document.elementFromPoint(x, box.y + box.height / 2);
    if (!top || !(e.contains(top) || top.contains(e) || e.closest('label')?.contains(top)))
      faults.push(`covered by ${top?.className}: ${kind}`);
  }
  return {seen: kinds.size, faults};
}"""
"""Kinds of controls that show no focus, or are covered when they have it."""


@pytest.mark.parametrize("width", [1440, 720])
@pytest.mark.parametrize("path", ["claims/", "proposals/", "chapter/"])
def test_whatever_has_the_focus_shows_it_and_is_not_covered(
    small: Served, path: str, width: int
) -> None:
    with small.tab(width=width) as tab:
        page = tab.go(SMALL + path)
        draft(page)
        page.keyboard.press("Tab")
        told = page.evaluate(FOCUS)
        assert told["seen"] > 5
        assert told["faults"] == []


def test_a_zoom_of_200_percent_loses_nothing(site: Served) -> None:
    """A window of 1440 x 900 at 200 % has 720 x 450 pixels of the page."""
    with site.tab(width=720, height=450) as tab:
        page = tab.go(f"{PACK}claims/?find=C56")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        row = page.locator("tr#C56")
        for part in (
            page.get_by_role("searchbox", name="Filter claims by text"),
            page.locator(".facets input[name=verdict][value=contradicted]"),
            page.get_by_role("button", name="CSV of what is shown"),
            page.get_by_role("button", name="Switch keys off"),
            page.get_by_role("button", name="Verdict"),
            page.get_by_role("button", name="ID"),
            row.get_by_text("contradicted").first,
            row.locator("q").first,
            row.locator(".bearing").first,
            row.locator(".concern"),
            row.get_by_label("Decide on P1"),
        ):
            part.scroll_into_view_if_needed()
            expect(part).to_be_in_viewport()
        page.get_by_role("button", name="ID").click()
        expect(page.locator("th[data-sort=id]")).to_have_attribute("aria-sort", "ascending")
        label = row.locator(".concern").evaluate("e => getComputedStyle(e, '::before').content")
        assert "Concern" in label or "attr(" in label


def test_who_wants_less_motion_gets_none(site: Served) -> None:
    with site.tab() as tab:
        tab.page.emulate_media(reduced_motion="reduce")
        page = tab.go(f"{PACK}claims/")
        slow = page.evaluate(
            """() => [...document.querySelectorAll('*')].filter((e) => {
              const s = getComputedStyle(e);
              return [s.transitionDuration, s.animationDuration].some((list) =>
                list.split(',').some((one) => parseFloat(one) > 0.002)) ||
                s.scrollBehavior === 'smooth';
            }).map((e) => e.className)"""
        )
        assert slow == []


def test_print_gives_the_whole_audit_whatever_is_filtered(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(f"{PACK}claims/?verdict=contradicted&hide=evidence,concern")
        every = page.locator("table.claims tbody tr").count()
        expect(page.locator("tr#C01")).to_be_hidden()
        page.emulate_media(media="print")
        for name in ("tbody tr", "tbody .concern", "thead th", "tbody [data-label=Evidence]"):
            parts = page.locator(f"table.claims {name}")
            hidden = parts.evaluate_all("all => all.filter(e => !e.checkVisibility()).length")
            assert hidden == 0, name
        assert every > 100
        closed = page.locator("table.claims .ev p").evaluate_all(
            "all => all.filter(e => !e.getBoundingClientRect().height).length"
        )
        assert closed == 0
        for name in (".facets", ".tools", ".shown", ".decide"):
            expect(page.locator(name).first).to_be_hidden()
