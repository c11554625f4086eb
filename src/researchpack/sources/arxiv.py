"""arXiv: one id -> `GET /api/query?id_list={id}`.

An id that names a version is asked with and without it in one request: the first entry is the work
that was cited, the other tells the newest version. An error looks like a result: status 200 or
400 and one entry with the title `Error`. An unknown id is a feed without an entry, whatever its
count says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from researchpack.records import Name, Notice, NoticeKind
from researchpack.sources._shared import (
    DEEPEST,
    LARGEST,
    Broken,
    Request,
    Unknown,
    doi_in,
    iso_date,
    one_line,
    plain,
    record,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.sources._shared import Answer, Reading

NAME: Final = "arxiv"
TITLE: Final = "arXiv"
BASE: Final = "https://export.arxiv.org"
PAUSE: Final = 3.0
"""Seconds between two requests, and one at a time: what the service asks for."""

_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_OWN: Final = "{http://arxiv.org/schemas/atom}"
_ID: Final = re.compile(r"/abs/(.+?)(?:v(\d{1,4}))?$")
_WITHDRAWN: Final = re.compile(
    r"(?:this|the) (?:paper|article|manuscript|submission|work|preprint|version|note)s? "
    r"(?:has|have|had|is|was|were|being) (?:been |now )?(?:withdrawn|retracted)"
    r"|^\W*(?:withdrawn|retracted)\b|\bpaper withdrawn\b"
    r"|\b(?:withdrawn|retracted) by (?:the )?(?:arxiv|authors?|submitter)",
    re.I,
)


def request(identifier: str, base: str = BASE, version: int | None = None) -> Request:
    """What is asked about an id, and about the version that was cited."""
    ids = [f"{identifier}v{version}", identifier] if version else [identifier]
    words = quote(",".join(ids), safe=",/")
    url = f"{base}/api/query?id_list={words}&max_results={len(ids)}"
    return Request(url=url, accept="application/atom+xml")


def parse(answer: Answer) -> Reading:
    """The record of a preprint, or of the version that was asked for."""
    feed = _feed(answer)
    if isinstance(feed, Broken):
        return feed
    entries = list(feed.iter(f"{_ATOM}entry"))
    for entry in entries:
        if "/api/errors" in _text(entry, "id") or _text(entry, "title") == "Error":
            return Unknown(why=_text(entry, "summary") or "arXiv calls the id an error")
    if answer.status != 200:
        return Broken(reason=f"it answered with status {answer.status}")
    found = [entry for entry in entries if _same(answer.id, _id(entry)[0])]
    if not found:
        return Unknown()
    newest = max((_id(entry)[1] or 1 for entry in found), default=None)
    if answer.version is None:
        return _work(answer, found[0], newest)
    cited = next((entry for entry in found if _id(entry)[1] == answer.version), None)
    if cited is None:
        return Unknown(why=f"there is no version {answer.version}; the newest is {newest}")
    return _work(answer, cited, newest)


def _feed(answer: Answer) -> Element | Broken:
    """The feed; a document type definition, an entity or a broken document is no feed."""
    start = answer.body[:200].lstrip()
    if len(answer.body) > LARGEST:
        return Broken(reason="the answer is too large")
    if not start.startswith(b"<"):
        # `Rate exceeded.` comes with status 429, and now and then with 200.
        said = one_line(start.decode("utf-8", "replace"))[:60]
        return Broken(reason=f'it answered "{said}"' if said else "the answer is empty")
    try:
        feed: Element = fromstring(answer.body, forbid_dtd=True)
    except DefusedXmlException:
        return Broken(reason="the answer declares a document type or entities, so it was not read")
    except (ParseError, ValueError, LookupError, RecursionError):
        return Broken(reason="the answer breaks off or is not XML")
    if feed.tag != f"{_ATOM}feed" or _deeper(feed):
        return Broken(reason="it answered with a web page instead of data")
    return feed


def _deeper(feed: Element) -> bool:
    level, depth = [feed], 0
    while level and depth <= DEEPEST:
        level, depth = [inner for outer in level for inner in outer], depth + 1
    return bool(level)


def _text(entry: Element, tag: str, space: str = _ATOM) -> str:
    found = entry.find(f"{space}{tag}")
    return one_line("".join(found.itertext())) if found is not None else ""


def _id(entry: Element) -> tuple[str, int | None]:
    match = _ID.search(_text(entry, "id"))
    if match is None:
        return "", None
    return match[1], int(match[2]) if match[2] else None


def _same(ours: str, theirs: str) -> bool:
    """Old ids may carry a subject class on one side only: `math.GT/0309136`, `math/0309136`."""
    return _bare(ours) == _bare(theirs)


def _bare(words: str) -> str:
    return re.sub(r"^([a-z-]+)\.[a-z-]+/", r"\1/", words.lower())


def _work(answer: Answer, entry: Element, newest: int | None) -> Reading:
    days = (("submitted", _text(entry, "published")), ("updated", _text(entry, "updated")))
    doi = doi_in(_text(entry, "doi", _OWN))
    journal = _text(entry, "journal_ref", _OWN)
    return record(
        answer,
        NAME,
        type="article",
        title=plain(_text(entry, "title")) or None,
        authors=tuple(_authors(entry)),
        years=tuple((kind, day) for kind, words in days if (day := iso_date(_parts(words)))),
        containers=("arXiv", journal) if journal else ("arXiv",),
        publisher="arXiv",
        doi=doi,
        url=f"https://arxiv.org/abs/{answer.id}{f'v{answer.version}' if answer.version else ''}",
        version=newest,
        asked_version=answer.version,
        notices=tuple(_notices(entry)),
        published_as=(doi,) if doi else (),
    )


def _parts(moment: str) -> list[str]:
    return re.split(r"[-T]", moment)[:3]


def _authors(entry: Element) -> Iterator[Name]:
    """arXiv gives one string a name; what it says is not taken apart here beyond doubt."""
    for author in entry.iter(f"{_ATOM}author"):
        words = _text(author, "name")
        if words and words != ":":  # a stray colon parts the collaboration from its members
            yield _person(words)


_COLLECTIVE: Final = re.compile(
    r"\b(?:collaborations?|consortium|group|team|project|working|institute|university|society|"
    r"association|committee|network|initiative|authors?|on behalf)\b",
    re.I,
)
_SUFFIX: Final = re.compile(r"^(?:jr|sr|ii|iii|iv)\.?$", re.I)
_PARTICLE: Final = frozenset(
    {"af", "al", "bin", "da", "dal", "de", "del", "della", "den", "der", "di", "do", "dos", "du"}
    | {"el", "la", "le", "ten", "ter", "van", "von", "zu", "zum", "zur"}
)


def _person(words: str) -> Name:
    if _COLLECTIVE.search(words):
        return Name(literal=words)
    if "," in words:
        family, _, given = words.partition(",")
        return Name(family=family.strip(), given=given.strip())
    parts = words.split()
    suffix = parts.pop() if len(parts) > 2 and _SUFFIX.match(parts[-1]) else ""
    cut = len(parts) - 1
    while cut > 1 and parts[cut - 1] in _PARTICLE:
        cut -= 1
    return Name(
        family=parts[-1],
        given=" ".join(parts[:cut]),
        particle=" ".join(parts[cut:-1]),
        suffix=suffix,
    )


def _notices(entry: Element) -> Iterator[Notice]:
    """A withdrawn version says so in its comment, or instead of its abstract."""
    comment, summary = _text(entry, "comment", _OWN), _text(entry, "summary")
    for words in (comment, summary[:300]):
        if _WITHDRAWN.search(words):
            day = iso_date(_parts(_text(entry, "updated")))
            yield Notice(kind=NoticeKind.WITHDRAWAL, date=day, source=NAME, label=words[:300])
            return
