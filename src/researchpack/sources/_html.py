"""The head of a web page: its title, its first heading, its meta tags, its linked data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from researchpack.sources._shared import LONGEST, one_line, plain

LOOKED_AT: Final = 1024 * 1024
"""Characters. What a page says about itself stands at its beginning."""
_MOST: Final = 2000
"""Tags of one kind that are kept; a paper of a large experiment has that many authors."""


@dataclass(slots=True, kw_only=True)
class Head:
    """What a page says about itself, in its own words."""

    title: str = ""
    heading: str = ""
    """The first `h1`."""
    canonical: str | None = None
    meta: list[tuple[str, str]] = field(default_factory=list)
    """Name or property in lower case, and content as plain text, in order."""
    linked: list[str] = field(default_factory=list)
    """The texts of JSON-LD scripts."""

    def all(self, *names: str) -> list[str]:
        """The contents of the tags with these names: those of the first name first."""
        return [value for name in names for key, value in self.meta if key == name]


def read_head(body: bytes) -> Head:
    """The head of a page. Broken HTML is read as far as it goes."""
    parser = _Parser()
    parser.feed(body[: 4 * LOOKED_AT].decode("utf-8", "replace")[:LOOKED_AT])
    parser.finish()
    return parser.head


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.head = Head()
        self._kept: list[str] | None = None
        self._until = ""
        self._in_picture = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Meta tags and links are kept; the text of three kinds of element is collected."""
        said = {name: value or "" for name, value in attrs}
        if tag == "meta":
            self._meta(said)
        elif tag == "link" and "canonical" in said.get("rel", "").lower().split():
            self.head.canonical = self.head.canonical or _web(said.get("href", ""))
        elif tag == "svg":  # a picture's own title is no title of the page
            self._in_picture += 1
        elif self._kept is None and self._wanted(tag, said):
            self._kept, self._until = [], tag

    def _wanted(self, tag: str, said: dict[str, str]) -> bool:
        if tag == "title":
            return not self.head.title and not self._in_picture
        if tag == "h1":
            return not self.head.heading
        kind = said.get("type", "").partition(";")[0].strip().lower()
        return tag == "script" and kind == "application/ld+json"

    def _meta(self, said: dict[str, str]) -> None:
        name = (said.get("name") or said.get("property") or said.get("itemprop") or "").lower()
        value = plain(said.get("content", "")[:LONGEST])
        if name and value and len(self.head.meta) < _MOST:
            self.head.meta.append((name.strip(), value))

    def handle_endtag(self, tag: str) -> None:
        """What was collected has its end."""
        if tag == "svg":
            self._in_picture = max(0, self._in_picture - 1)
        if self._kept is not None and tag == self._until:
            self.finish()

    def handle_data(self, data: str) -> None:
        """Text of an element that is collected."""
        if self._kept is not None:
            self._kept.append(data)

    def finish(self) -> None:
        """Keep what was collected."""
        if self._kept is None:
            return
        words, self._kept = "".join(self._kept), None
        if self._until == "title":
            self.head.title = one_line(words)
        elif self._until == "h1":
            self.head.heading = one_line(words)
        elif len(self.head.linked) < 50:
            self.head.linked.append(words)


def _web(address: str) -> str | None:
    return address if re.match(r"https?://", address, re.I) else None
