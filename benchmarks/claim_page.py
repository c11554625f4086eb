"""What the claim page costs: its weight, the time until its rows are filtered, and each filter.

    .venv/bin/python benchmarks/claim_page.py

Builds the flagship and a made pack of 400 claims, and measures both in Chromium: from the moment
at which somebody follows a link with filters in it until the filtered rows are drawn, and from a
click on a filter until the new rows are drawn. Medians of several runs, in milliseconds of the
wall clock; what else runs on the machine counts.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import sync_playwright  # noqa: E402

import browsing  # noqa: E402
import chromium  # noqa: E402
from researchpack.site import build_site  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RUNS: Final = 7
LINK: Final = "?verdict=contradicted&priority=high"
WATCH: Final = """
document.addEventListener('rp:shown', () => { window.filtered ??= performance.now(); });
"""
DRAWN: Final = """async () => {
  // The frame behind the next one begins when the next one has been drawn.
  for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
  return {filtered: window.filtered, drawn: performance.now(),
    received: performance.getEntriesByType('navigation')[0].responseEnd};
}"""
CLICK: Final = """async (selector) => {
  const input = document.querySelector(selector);
  const start = performance.now();
  input.click();
  const ran = performance.now() - start;
  for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
  return {ran, drawn: performance.now() - start};
}"""
SORT: Final = "th[data-sort=id] button"
FILTER: Final = ".facets input[name=verdict][value=qualified]"


def main() -> None:
    """Build, measure and print a table."""
    path = chromium.find()
    if path is None:
        sys.exit("There is no Chromium: run `make browser`.")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        flagship, many = Path(name) / "flagship", Path(name) / "many"
        build_site(ROOT, flagship)
        many.mkdir()
        browsing.write_many(many, 400)
        build_site(many, many / "site")
        browser = playwright.chromium.launch(executable_path=path, args=list(browsing.FLAGS))
        columns = [
            measure(browser, flagship, "books/debugging-ai/39-chapter/claims/"),
            measure(browser, many / "site", f"books/{browsing.MANY_PACK}/claims/"),
        ]
        browser.close()
    for name in columns[0]:
        print(f"{name:44}" + "".join(f"{column[name]:>12}" for column in columns))


def measure(browser: Browser, site: Path, page: str) -> dict[str, str]:
    """The figures of one claim page."""
    html = (site / page / "index.html").read_bytes()
    loads: list[dict[str, float]] = []
    clicks: list[dict[str, float]] = []
    sorts: list[dict[str, float]] = []
    with browsing.serve(site, browser) as served:
        for _ in range(RUNS):
            with served.tab() as tab:
                tab.page.add_init_script(WATCH)
                tab.page.goto(served.address + page + LINK, wait_until="commit")
                tab.page.wait_for_function("window.filtered !== undefined")
                loads.append(tab.page.evaluate(DRAWN))
                whole: Any = tab.page
                whole.get_by_role("button", name="Clear filters").click()
                rows = whole.locator("table.claims tbody tr").count()
                clicks.append(whole.evaluate(CLICK, FILTER))
                whole.evaluate(CLICK, FILTER)
                sorts.append(whole.evaluate(CLICK, SORT))
    own = [site / "assets" / name for name in ("claims.js", "review.js", "researchpack.js")]
    own.append(site / "assets" / "researchpack.css")

    def median(entries: list[dict[str, float]], key: str) -> str:
        return f"{statistics.median(entry[key] for entry in entries):.0f} ms"

    return {
        "claims": str(rows),
        "page": kilobytes(len(html)),
        "page, packed": kilobytes(len(gzip.compress(html))),
        "our scripts and style sheet, packed": kilobytes(
            sum(len(gzip.compress(path.read_bytes())) for path in own)
        ),
        "link followed -> page received": median(loads, "received"),
        "link followed -> rows filtered": median(loads, "filtered"),
        "click on a filter, script": median(clicks, "ran"),
        "click on a filter -> rows drawn": median(clicks, "drawn"),
        "click on a column, all rows -> rows drawn": median(sorts, "drawn"),
    }


def kilobytes(size: int) -> str:
    return f"{size / 1024:.0f} KB"


if __name__ == "__main__":
    main()
