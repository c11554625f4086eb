"""JSON-LD of a web page: the one thing in it that is the work."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from researchpack.records import Name
from researchpack.sources._shared import Json, iso_date, plain, plain_text, text, unique

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPES: Final = {
    "ScholarlyArticle": "article-journal",
    "MedicalScholarlyArticle": "article-journal",
    "NewsArticle": "article-newspaper",
    "BlogPosting": "post-weblog",
    "Book": "book",
    "Chapter": "chapter",
    "Report": "report",
    "Thesis": "thesis",
    "Dataset": "dataset",
    "SoftwareSourceCode": "software",
    "SoftwareApplication": "software",
    "VideoObject": "motion_picture",
    "TechArticle": "webpage",
    "Article": "webpage",
    "CreativeWork": "webpage",
    "WebPage": "webpage",
}
"""Types of works as CSL types, the telling ones first."""
_MOST: Final = 500
"""Things of one page that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What linked data say about the work."""

    type: str | None = None
    title: str | None = None
    authors: tuple[Name, ...] = ()
    day: str | None = None
    containers: tuple[str, ...] = ()
    publisher: str | None = None


def read_linked(scripts: list[str]) -> Linked:
    """The most telling work in the scripts; nothing when there is none that can be read."""
    things = [thing for script in scripts for thing in _things(script)][:_MOST]
    for kind, csl in TYPES.items():
        for thing in things:
            if kind in _kinds(thing):
                return _linked(thing, csl)
    return Linked()


def _things(script: str) -> Iterator[Json]:
    words = re.sub(r"^\s*<!--|-->\s*$", "", script)
    try:
        value = json.loads(words, strict=False)
    except (ValueError, RecursionError):
        return
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield one
            graph = one.get("@graph")
            inner = graph if isinstance(graph, list) else [one.get("mainEntity")]
            yield from (thing for thing in inner if isinstance(thing, dict))


def _kinds(thing: Json) -> list[str]:
    kinds = thing.get("@type")
    found = kinds if isinstance(kinds, list) else [kinds]
    return [str(kind).rpartition("/")[2] for kind in found]


def _linked(thing: Json, csl: str) -> Linked:
    publisher = _name(thing.get("publisher"))
    return Linked(
        type=csl,
        title=plain_text(thing.get("headline")) or plain_text(thing.get("name")),
        authors=tuple(_people(thing.get("author") or thing.get("creator"))),
        day=_day(text(thing.get("datePublished"))),
        containers=unique([_name(thing.get("isPartOf")) or "", publisher or ""]),
        publisher=publisher,
    )


def _people(value: Any) -> Iterator[Name]:
    for one in value if isinstance(value, list) else [value]:
        family = plain_text(one.get("familyName")) if isinstance(one, dict) else None
        given = plain_text(one.get("givenName")) if isinstance(one, dict) else None
        words = _name(one)
        if family:
            yield Name(family=family, given=given or "")
        elif words and not re.match(r"https?://", words):
            yield Name(literal=words)


def _name(value: Any) -> str | None:
    one = value[0] if isinstance(value, list) and value else value
    found = one.get("name") if isinstance(one, dict) else one
    return plain(found) or None if isinstance(found, str) else None


def _day(words: str | None) -> str | None:
    return iso_date(re.split(r"[-T/ ]", words or "")[:3])
