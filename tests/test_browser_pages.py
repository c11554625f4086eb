"""Every page of the built site: its width, contrast and print, in both schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from browsing import Served

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.browser

PACK: Final = "books/debugging-ai/39-chapter/"
SCHEMES: Final = {"light": "default", "dark": "slate"}
"""The preference of a reader and the theme's name of the scheme that follows from it."""
WIDTHS: Final = (1440, 390)
PAPER: Final = 718
"""Pixels of an A4 sheet between its margins."""

LAYOUT: Final = """() => {
  const width = document.documentElement.clientWidth, faults = [];
  const name = e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '')
    + (e.classList.length ? '.' + [...e.classList].join('.') : '');
  const over = document.documentElement.scrollWidth - width;
  if (over > 0) faults.push(`the document is ${over} px too wide`);
  // What scrolls in its own box may be wide; for the rest the theme would only cut it off.
  const boxed = e => {
    for (let up = e.parentElement; up && !up.matches('.rp'); up = up.parentElement)
      if (getComputedStyle(up).overflowX !== 'visible') return true;
    return false;
  };
  const wide = [...document.querySelectorAll('.rp, .rp *')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width > 1 && (box.right > width + 0.5 || box.left < -0.5) && !boxed(e);
  });
  for (const e of wide.slice(0, 5)) {
    const box = e.getBoundingClientRect();
    faults.push(`${name(e)} stands at ${box.left.toFixed(0)}-${box.right.toFixed(0)} px`);
  }
  const heads = [...document.querySelectorAll('h1')].filter(e => e.checkVisibility());
  if (heads.length !== 1) faults.push(`${heads.length} first headings`);
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  const twice = ids.filter((id, n) => ids.indexOf(id) !== n);
  if (twice.length) faults.push(`ids used twice: ${twice}`);
  return faults;
}"""
"""What is wrong with the layout of a page."""

CONTRAST: Final = """() => {
  // The browser itself resolves colours and lays them over each other, on a canvas of one pixel.
  const pad = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const over = (below, colours, alpha = 1) => {
    pad.globalAlpha = 1;
    pad.fillStyle = below;
    pad.fillRect(0, 0, 1, 1);
    pad.globalAlpha = alpha;
    for (const colour of colours) { pad.fillStyle = colour; pad.fillRect(0, 0, 1, 1); }
    const [r, g, b] = pad.getImageData(0, 0, 1, 1).data;
    return `rgb(${r},${g},${b})`;
  };
  const paper = matchMedia('print').matches;
  const grounds = new Map([[null, 'rgb(255,255,255)']]);
  const ground = e => {
    if (!grounds.has(e)) {
      const own = paper ? 'transparent' : getComputedStyle(e).backgroundColor;
      grounds.set(e, over(ground(e.parentElement), [own]));
    }
    return grounds.get(e);
  };
  const veil = e => e ? parseFloat(getComputedStyle(e).opacity) * veil(e.parentElement) : 1;
  const light = colour => {
    const [r, g, b] = colour.match(/[0-9]+/g).map(n => n / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Map();
  let seen = 0;
  const measure = (e, style, words) => {
    seen += 1;
    const behind = ground(e), ink = over(behind, [style.color], veil(e));
    const [a, b] = [light(behind), light(ink)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const where = `${e.tagName.toLowerCase()}.${[...e.classList].join('.')} ${ink} on ${behind}`;
    if (ratio < 4.5 && !found.has(where))
      found.set(where, `${ratio.toFixed(2)}: ${where}: ${words.trim().slice(0, 30)}`);
  };
  for (const e of document.querySelectorAll('.rp details')) e.open = true;
  const walk = document.createTreeWalker(document.querySelector('article'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const words = walk.currentNode.data, e = walk.currentNode.parentElement;
    if (words.trim() && e.checkVisibility({visibilityProperty: true}))
      measure(e, getComputedStyle(e), words);
  }
  for (const e of document.querySelectorAll('.rp *')) {
    for (const part of ['::before', '::after']) {
      const style = getComputedStyle(e, part);
      if (/[^\\s"]/.test(style.content) && !/^(none|normal)$/.test(style.content)
          && style.display !== 'none' && e.checkVisibility({visibilityProperty: true}))
        measure(e, style, part + style.content);
    }
  }
  return {seen, faults: [...found.values()]};
}"""
"""How many texts there are, and which stand out less than 4.5 : 1 from what is behind them."""

PRINTED: Final = """() => {
  const hidden = [];
  for (const e of document.querySelectorAll('.rp details > *:not(summary)')) {
    // What one can only click is of no use on paper.
    if (e.querySelector('input, select, button')) continue;
    if (!e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})
        || e.textContent.trim() && e.getBoundingClientRect().height < 1)
      hidden.push(e.id || e.outerHTML.slice(0, 60));
  }
  const cut = [...document.querySelectorAll('.rp pre, .rp .scroll')]
    .filter(e => e.scrollWidth > e.clientWidth + 1)
    .map(e => `cut off by ${e.scrollWidth - e.clientWidth} px: ${e.innerText.slice(0, 40)}`);
  const shorn = [...document.querySelectorAll('.rp table')]
    .filter(e => e.tHead && e.tHead.getBoundingClientRect().height < 5)
    .map(e => `column heads not printed: ${e.className}`);
  return [...hidden.slice(0, 5), ...cut, ...shorn];
}"""
"""What a printed page would lack."""


def dressed(page: Page, scheme: str) -> None:
    """The page has the scheme that the reader prefers; without this the tests look at one twice."""
    assert page.evaluate("document.body.dataset.mdColorScheme") == SCHEMES[scheme]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_page_is_wider_than_the_screen_and_each_has_one_heading(
    site: Served, scheme: Any
) -> None:
    faults = []
    with site.tab(scheme=scheme) as tab:
        for path in site.pages:
            page = tab.go(path)
            dressed(page, scheme)
            for width in WIDTHS:
                tab.resize(width)
                found = page.evaluate(LAYOUT)
                faults += [f"{path or 'home'} at {width}, {scheme}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_text_stands_out_from_its_background(site: Served, scheme: Any) -> None:
    faults = []
    with site.tab(scheme=scheme) as tab:
        for path in site.pages:
            page = tab.go(path)
            dressed(page, scheme)
            found = page.evaluate(CONTRAST)
            assert found["seen"] > 10
            faults += [f"{path or 'home'}, {scheme}: {fault}" for fault in found["faults"]]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("scheme", "scripts"), [("light", False), ("dark", True)])
def test_a_printed_page_lacks_nothing(site: Served, scheme: Any, scripts: bool) -> None:
    """Closed cards are printed open, nothing is cut off at the edge, ink is dark on white paper.

    The theme has a script that opens cards for the printer; without scripts the style must do it.
    """
    faults = []
    with site.tab(scheme=scheme, scripts=scripts, width=PAPER) as tab:
        tab.page.emulate_media(media="print", color_scheme=scheme)
        for path in site.pages:
            page = tab.go(path)
            found = [*page.evaluate(PRINTED), *page.evaluate(LAYOUT)]
            found += page.evaluate(CONTRAST)["faults"]
            faults += [f"{path or 'home'} printed, {scheme}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


def test_the_visible_text_of_the_chapter_is_the_snapshot(site: Served, built: Path) -> None:
    snapshot = (built / PACK / "chapter-snapshot.txt").read_text(encoding="utf-8")
    with site.tab() as tab:
        page = tab.go(f"{PACK}chapter/")
        shown = page.locator(".rp .chapter .t").all_inner_texts()
    assert "".join("".join(shown).split()) == "".join(snapshot.split())
