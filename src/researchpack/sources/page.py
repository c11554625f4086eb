"""A web page: what it says about itself.

`citation_*` tags come before JSON-LD, that before OpenGraph, that before the title. A page that
says `not found` with status 200, and one that leads to the front page of its site, are no record of
the work; neither is one that only asks whether the reader is a person.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from researchpack.records import Name
from researchpack.sources._html import Head, read_head
from researchpack.sources._linked import Linked, read_linked
from researchpack.sources._shared import (
    Broken,
    Request,
    Unknown,
    doi_in,
    first,
    iso_date,
    one_line,
    record,
    unique,
)

if TYPE_CHECKING:
    from researchpack.sources._shared import Answer, Reading

NAME: Final = "page"
TITLE: Final = "the page"
BASE: Final = ""

SOFT_404: Final = "soft 404"
HOME_PAGE: Final = "redirects to a home page"

_NOT_FOUND: Final = re.compile(
    r"^\W*(?:error\s*:?\s*)?40[34]\W*$|^\W*404\s*[-|:–—·»]|\b404\W+(?:error|not\s+found|page)\b"
    r"|\b(?:error|fehler|erreur|http)\W*404\b"
    r"|\b(?:page|file|document|article|content|resource|site|url|address|link)\s+"
    r"(?:(?:was|were|is|has|have|could|can|you\b.{0,40}?)\s*)?(?:n[o']t|not\s+be(?:en)?|cannot\s+be)"
    r"\s*(?:be\s+|been\s+)?(?:found|exist)"
    r"|\b(?:page|file|document|article|content|resource)\s+(?:does\s+not|doesn['’]t)\s+exist"
    r"|\b(?:page|file|document|article|content)\s+(?:is\s+|has\s+been\s+|was\s+)?"
    r"(?:no\s+longer\s+(?:available|exists|here)|removed|deleted|unavailable|missing)\b"
    r"|^\W*not\s+found\W*(?:$|[|–—-])|\bcan(?:no|['’])t\s+(?:be\s+found|find\s+(?:that|the|this)\s+page)"
    r"|\bnichts?\s+gefunden\b|\bseite\s+(?:wurde\s+)?nicht\s+gefunden\b|\bpage\s+(?:introuvable|non\s+trouvée)\b"
    r"|\bp[áa]gina\s+(?:no|n[ãa]o)\s+encontrada\b|\bpagina\s+(?:non\s+trovata|niet\s+gevonden)\b"
    r"|\bstrona\s+nie\s+(?:została\s+)?znaleziona\b|ページが見つかりません|页面不存在|страница\s+не\s+найдена"
    r"|\b(?:domain|website)\b.{0,40}\b(?:is\s+for\s+sale|is\s+parked|has\s+expired)\b",
    re.I,
)
_ROBOTS: Final = re.compile(
    r"^\W*(?:just\s+a\s+moment|attention\s+required|access\s+denied|forbidden|security\s+check|"
    r"are\s+you\s+a\s+(?:robot|human)|verify(?:ing)?\s+(?:that\s+)?you\s+are|captcha|"
    r"checking\s+your\s+browser|human\s+verification|request\s+(?:blocked|rejected)|"
    r"please\s+(?:enable\s+(?:cookies|javascript)|wait)|bot\s+verification)\b",
    re.I,
)
_HOME: Final = re.compile(
    r"/?(?:(?:index|home|default|start)(?:\.[a-z]{2,5})?|[a-z]{2}(?:[-_][a-z]{2})?|home)?/?", re.I
)
_ADDRESS: Final = re.compile(r"https?://|^www\.|^@", re.I)


def request(identifier: str, base: str = BASE) -> Request:
    """A page is asked at its own address, so there is no base."""
    return Request(url=f"{base}{identifier}", accept="text/html, application/xhtml+xml, */*;q=0.5")


def parse(answer: Answer) -> Reading:
    """What the page says about itself; a file that is no page has a record without fields."""
    if answer.status in (404, 410):
        return Unknown()
    if answer.status not in (200, 203):
        return Broken(reason=f"it answered with status {answer.status}")
    if home_instead(answer.id, answer.url):
        return record(answer, NAME, found=False, url=answer.url, remark=HOME_PAGE)
    kind = answer.content_type.partition(";")[0].strip().lower()
    if kind not in ("", "text/html", "application/xhtml+xml"):
        return record(answer, NAME, url=answer.url)
    head = read_head(answer.body)
    if not answer.body.strip():
        return Broken(reason="the page is empty")
    titles = [one for one in (head.title, head.heading) if one]
    if any(_NOT_FOUND.search(one) for one in titles):
        return record(answer, NAME, found=False, title=titles[0], url=answer.url, remark=SOFT_404)
    if titles and _ROBOTS.search(titles[0]):
        return Broken(reason=f'it shows robots another page ("{titles[0][:60]}")')
    return _record(answer, head, read_linked(head.linked))


def home_instead(asked: str, got: str) -> bool:
    """Whether an address below a site led to the front page of a site."""
    try:
        before, after = urlsplit(asked), urlsplit(got)
    except ValueError:
        return False
    deep = not _HOME.fullmatch(before.path) or bool(before.query)
    return deep and _HOME.fullmatch(after.path) is not None and not after.query


def _record(answer: Answer, head: Head, linked: Linked) -> Reading:
    journal = [
        *head.all("citation_journal_title", "citation_conference_title", "citation_inbook_title"),
        *head.all("prism.publicationname", "citation_journal_abbrev"),
    ]
    day = first(
        head.all("citation_publication_date", "citation_date", "citation_cover_date")
        or head.all("dc.date.issued", "dcterms.issued", "article:published_time")
    )
    online = first(head.all("citation_online_date"))
    title = _title(head, linked)
    return record(
        answer,
        NAME,
        type="article-journal" if head.all("citation_journal_title") else linked.type or "webpage",
        title=title,
        authors=_authors(head, linked),
        years=_years(("issued", _day(day) or linked.day), ("online", _day(online))),
        containers=unique([*journal, *linked.containers, *head.all("og:site_name")]),
        volume=first(head.all("citation_volume")),
        issue=first(head.all("citation_issue")),
        pages=_pages(head),
        publisher=first(head.all("citation_publisher", "dc.publisher")) or linked.publisher,
        isbn=unique([one.replace("-", "") for one in head.all("citation_isbn")]),
        issn=unique(head.all("citation_issn")),
        doi=doi_in(first(head.all("citation_doi", "dc.identifier.doi", "prism.doi"))),
        url=head.canonical or answer.url,
    )


def _title(head: Head, linked: Linked) -> str | None:
    """The site's name behind a bar or a dash belongs to the window, not to the work."""
    stated = first(head.all("citation_title", "dc.title", "dcterms.title"))
    if stated:
        return stated
    found = linked.title or first(head.all("og:title")) or head.title or head.heading
    for site in head.all("og:site_name"):
        found = re.sub(rf"\s*[-|:–—·»]\s*{re.escape(site)}\s*$", "", found or "", flags=re.I)
    return found or None


def _authors(head: Head, linked: Linked) -> tuple[Name, ...]:
    stated = head.all("citation_author")
    if len(stated) == 1 and ";" in stated[0]:
        stated = [one.strip() for one in stated[0].split(";")]
    if not stated and linked.authors:
        return linked.authors
    stated = stated or head.all("dc.creator", "dcterms.creator") or head.all("author")
    return tuple(person(one) for one in stated if one and not _ADDRESS.search(one))


def person(words: str) -> Name:
    """A name as a page gives it: `Ames, Ida` is taken apart, everything else is left whole."""
    family, comma, given = words.partition(",")
    if comma and given.strip() and "," not in given:
        return Name(family=family.strip(), given=given.strip())
    return Name(literal=words)


def _day(words: str | None) -> str | None:
    return iso_date(re.split(r"[-/T ]", one_line(words or ""))[:3])


def _years(*found: tuple[str, str | None]) -> tuple[tuple[str, str], ...]:
    return tuple((kind, day) for kind, day in found if day)


def _pages(head: Head) -> str | None:
    start = first(head.all("citation_firstpage"))
    end = first(head.all("citation_lastpage"))
    return f"{start}-{end}" if start and end and start != end else start
