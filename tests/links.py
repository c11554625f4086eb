"""The links of a built site, read from its files as a browser would read them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

HOME: Final = "https://programmer.ie/research/"
"""`site_url`: what stands below it must be a file of the site."""


@dataclass(slots=True)
class Document:
    """The ids and the addresses of one page."""

    ids: Counter[str] = field(default_factory=Counter)
    links: list[str] = field(default_factory=list)
    """Where a reader can go."""
    loads: list[str] = field(default_factory=list)
    """What a browser fetches by itself."""


class _Reader(HTMLParser):
    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self._document.ids[found["id"]] += 1
        if "href" in found:
            passive = tag == "link" and found.get("rel") not in ("canonical", "prev", "next")
            (self._document.loads if passive else self._document.links).append(found["href"])
        for name in ("src", "data", "poster", "action"):
            if name in found:
                self._document.loads.append(found[name])


@cache
def read(path: Path) -> Document:
    """One page of the site."""
    document = Document()
    _Reader(document).feed(path.read_text(encoding="utf-8"))
    return document


def pages(site: Path) -> list[Path]:
    """All pages, the one for errors included."""
    return sorted(site.rglob("*.html"))


def broken(site: Path) -> list[str]:
    """The addresses that lead nowhere, each with the page that it stands on."""
    faults = []
    for page in pages(site):
        here = page.relative_to(site).as_posix()
        document = read(page)
        for address in document.links:
            why = _fault(site, here, address)
            faults += [f"{here}: {address}: {why}"] if why else []
        for address in document.loads:
            outside = not urljoin(HOME + here, address).startswith(HOME)
            why = "is asked of another host" if outside else _fault(site, here, address)
            faults += [f"{here}: {address}: {why}"] if why else []
    return faults


def _fault(site: Path, here: str, address: str) -> str:
    """What is wrong with an address; nothing for one of another site."""
    parts = urlsplit(urljoin(HOME + here, address))
    if parts.scheme not in ("http", "https", "mailto"):
        return "has a scheme that no link should have"
    place = parts._replace(query="", fragment="").geturl()
    if not place.startswith(HOME):
        return ""
    target = site / unquote(place.removeprefix(HOME))
    if target.is_dir():
        target = target / "index.html" if place.endswith("/") else target
    if not target.is_file():
        return "is no file"
    name = unquote(parts.fragment)
    if name and target.suffix == ".html" and name not in read(target).ids:
        return "has no such id"
    return ""
