"""What the tests in a real browser share: a served site, one Chromium, tabs that notice faults.

Each module of such tests names this one in `pytest_plugins`, so that there is one browser for all.
"""

from __future__ import annotations

import shutil
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

import pytest
import yaml
from playwright.sync_api import expect, sync_playwright

import chromium
from researchpack.site import build_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Browser, BrowserContext, Page, Response, Route

ROOT: Final = Path(__file__).resolve().parents[1]
PREFIX: Final = "/research/"
"""The path of `site_url`: the site must work below it."""
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The browser itself must not look any name up, whatever a page makes it do.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
SETTLED: Final = """async () => {
  for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
  await Promise.all(document.getAnimations().map(a => a.finished.catch(() => null)));
}"""


class Below(SimpleHTTPRequestHandler):
    """Serves a folder below the prefix, and nothing beside it."""

    def send_head(self) -> Any:
        """Answer 404 outside of the prefix, and as usual below it."""
        if self.path.startswith(PREFIX):
            return super().send_head()
        self.send_error(404)
        return None

    def translate_path(self, path: str) -> str:
        """The file of an address."""
        return super().translate_path("/" + path.removeprefix(PREFIX))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests look at the answers."""


class Server(ThreadingHTTPServer):
    """Answers a browser that may turn away in the middle of an answer."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell what went wrong, unless the browser only closed a page."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A page of the browser on one site, and everything that went wrong in it."""

    page: Page
    home: str
    """Address of the site's home page."""
    faults: list[str]

    def go(self, path: str = "") -> Page:
        """Open a page of the site; `path` is below it."""
        self.page.goto(self.home + path)
        return self.page

    def search(self, words: str) -> Page:
        """Type into the search of the home page, once the theme has read its index."""
        page = self.go()
        field = page.get_by_role("textbox", name="Search")
        field.click()
        ready = page.locator(".md-search-result__meta", has_text="Type to start searching")
        ready.wait_for()
        field.press_sequentially(words)
        return page

    def resize(self, width: int) -> None:
        """Change the width, and wait until the theme has moved its parts."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.evaluate(SETTLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A built site behind an address on this machine."""

    folder: Path
    address: str
    """Of its home page, with the prefix."""
    browser: Browser = field(repr=False)

    @property
    def pages(self) -> list[str]:
        """The addresses of all generated pages, below the site; the home page is the empty one."""
        found = sorted(self.folder.glob("books/**/index.html"))
        return ["", *(f"{path.parent.relative_to(self.folder).as_posix()}/" for path in found)]

    @contextmanager
    def tab(
        self,
        *,
        width: int = 1440,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
        scripts: bool = True,
    ) -> Iterator[Tab]:
        """A fresh tab. When it is closed, whatever went wrong in it fails the test."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            java_script_enabled=scripts,
            service_workers="block",
        )
        context.set_default_timeout(30_000)
        tab = Tab(page=context.new_page(), home=self.address, faults=[])
        self._watch(context, tab)
        try:
            yield tab
        finally:
            context.close()
        assert tab.faults == []

    def _watch(self, context: BrowserContext, tab: Tab) -> None:
        host = urlsplit(self.address).netloc

        def gate(route: Route) -> None:
            if urlsplit(route.request.url).netloc == host:
                route.continue_()
            else:
                tab.faults.append(f"asked another host: {route.request.url}")
                route.abort()

        def answered(response: Response) -> None:
            if response.status >= 400:
                tab.faults.append(f"HTTP {response.status}: {response.url}")

        def said(kind: str) -> Callable[[Any], None]:
            return lambda event: tab.faults.append(f"{kind}: {_words(event)} ({tab.page.url})")

        context.route("**/*", gate)
        context.on("response", answered)
        context.on("console", lambda m: said(m.type)(m) if m.type in ("error", "warning") else None)
        context.on("weberror", said("exception"))
        context.on("page", said("second window"))
        context.on("dialog", said("dialog"))


def _words(event: Any) -> str:
    """What a message, a dialog or an exception says."""
    for name in ("text", "message", "error", "url"):
        if hasattr(event, name):
            return str(getattr(event, name))
    return str(event)


@contextmanager
def serve(folder: Path, browser: Browser) -> Iterator[Served]:
    """A folder behind an address, as long as the block lasts."""
    with Server(("127.0.0.1", 0), partial(Below, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}{PREFIX}"
        try:
            yield Served(folder=folder, address=address, browser=browser)
        finally:
            server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The one Chromium of the whole run. Without one the tests fail: not looked is not passed."""
    path = chromium.find()
    if path is None:
        pytest.fail('There is no Chromium: run `make browser`, or select -m "not browser".')
    with sync_playwright() as playwright:
        expect.set_options(timeout=20_000)  # other work on the machine is no fault of a page
        started = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the site of this project was built."""
    target = tmp_path_factory.mktemp("real") / "site"
    build_site(ROOT, target)
    return target


@pytest.fixture(scope="session")
def serving(browser: Browser) -> Callable[[Path], AbstractContextManager[Served]]:
    """Serves another built site to the same browser."""
    return lambda folder: serve(folder, browser)


@pytest.fixture(scope="session")
def seen_at(browser: Browser) -> Callable[[Path, str], Served]:
    """What another server shows: a folder and the address of its home page."""
    return lambda folder, address: Served(folder=folder, address=address, browser=browser)


@pytest.fixture(scope="session")
def site(browser: Browser, built: Path) -> Iterator[Served]:
    """The site of this project, served."""
    with serve(built, browser) as served:
        yield served


# --- a pack of many claims ---------------------------------------------------------------------

MANY_PACK: Final = "many/01-claims"
VERDICTS: Final = (
    "contradicted",
    "internally inconsistent",
    "unsupported",
    "qualified",
    "unverified",
    "supported",
)
FORMULAS: Final = ("=1+1", "+1", "-1", "@sum", "\t=1")
"""What a spreadsheet would run, at the beginning of a concern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One claim of the made pack, as it was written."""

    id: str
    verdict: str
    priority: str
    response: str
    kinds: tuple[str, ...]
    section: str
    source: str
    proposal: str
    """Empty when nothing is proposed."""
    concern: str


def many_claims(number: int) -> list[Made]:
    """The claims of a made pack: every value occurs, in many combinations."""
    kinds = (("number",), ("cited fact", "number"), ("opinion",), ("definition",))
    return [
        Made(
            id=f"C{n + 1}",
            verdict=VERDICTS[n % 6],
            priority=("high", "medium", "low")[n % 5 % 3],
            response=("correction", "clarification", "no change")[n % 3],
            kinds=kinds[n % 4],
            section=f"Section {n % 20 + 1}",
            source=f"S{n % 25 + 1}",
            proposal=f"P{n % 40 + 1}" if n % 3 < 2 else "",
            concern=f"{FORMULAS[n % 7]} of {n}" if n % 7 < 5 else f'It says "{n}", or | more',
        )
        for n in range(number)
    ]


def write_many(root: Path, number: int) -> list[Made]:
    """A project with one pack of so many claims, made of nothing that anybody wrote."""
    claims = many_claims(number)
    folder = root / "research" / MANY_PACK
    folder.mkdir(parents=True)
    (root / "docs").mkdir(exist_ok=True)
    shutil.copy(ROOT / "mkdocs.yml", root)
    shutil.copytree(ROOT / "overrides", root / "overrides", dirs_exist_ok=True)
    sections = list(dict.fromkeys(claim.section for claim in claims))
    sections.sort(key=lambda name: int(name.split()[1]))
    words = {
        claim.id: f"Statement number {claim.id[1:]} holds for {len(claims)} cases out of a thousand"
        for claim in claims
    }
    text = "\n\n".join(
        f"{name}\n" + ". ".join(words[c.id] for c in claims if c.section == name) + "."
        for name in sections
    )
    rows = [
        f'| {c.id} | "{words[c.id]}" | {c.section} | [{c.source}] |'
        f" {c.concern.replace('|', chr(92) + '|')} | {c.priority} | {c.response} |"
        f" {'; '.join(c.kinds)} | {c.verdict} | reported by a source |"
        for c in claims
    ]
    head = "| ID | Claim | Where | Current evidence | Concern | Priority | Response | Kind |"
    files: dict[str, Any] = {
        "research/settings.yaml": "contact: https://example.org/\n",
        "research/many/book.yaml": {"id": "many", "title": "Many Claims"},
        f"research/{MANY_PACK}/chapter-snapshot.txt": text + "\n",
        f"research/{MANY_PACK}/claims.md": "\n".join(
            [f"{head} Verdict | Class |", "|" + "---|" * 10, *rows, ""]
        ),
        f"research/{MANY_PACK}/pack.yaml": {
            "id": "many-01-claims",
            "chapter": {"number": "1", "title": "Many claims", "slug": "01-claims"},
            "snapshot": {"file": "chapter-snapshot.txt"},
            "layout": {"headings": sections},
        },
        f"research/{MANY_PACK}/sources.yaml": [
            {
                "id": f"S{s}",
                "type": "report",
                "title": f"Report number {s}",
                "authors": [f"Author{chr(64 + s)} Éclair"],
                "issued": "2020",
                "url": f"https://example.org/{s}",
                "accessed": "2026-11-01",
                "reading_status": "full_text",
                "bears_on": [
                    {"claim": c.id, "relation": "supports", "because": f"table {c.id[1:]} says so"}
                    for c in claims
                    if c.source == f"S{s}"
                ],
            }
            for s in range(1, 26)
        ],
        f"research/{MANY_PACK}/proposals.yaml": [
            {
                "id": f"P{p}",
                "title": f"Proposal number {p}",
                "kind": "clarification",
                "claims": [c.id for c in claims if c.proposal == f"P{p}"],
                "edits": [
                    {"old": words[c.id], "new": words[c.id].replace("thousand", "million")}
                    for c in claims
                    if c.proposal == f"P{p}"
                ],
                "rationale": "A million is what the reports say.",
            }
            for p in range(1, 41)
            if any(c.proposal == f"P{p}" for c in claims)
        ],
    }
    for name, content in files.items():
        told = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
        (root / name).write_text(told, encoding="utf-8")
    return claims


@pytest.fixture(scope="session")
def many(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, list[Made]]]:
    """A served site with a pack of 400 claims, and these claims."""
    root = tmp_path_factory.mktemp("many") / "project"
    root.mkdir()
    claims = write_many(root, 400)
    build_site(root, root / "site")
    with serve(root / "site", browser) as served:
        yield served, claims
