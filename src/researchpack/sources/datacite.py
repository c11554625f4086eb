"""DataCite: one DOI -> `GET /dois/{doi}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from researchpack.records import Name, Notice, NoticeKind
from researchpack.sources._shared import (
    Broken,
    Json,
    Request,
    Unknown,
    doi_in,
    escaped,
    iso_date,
    maps,
    name,
    plain_text,
    read_json,
    record,
    text,
    unique,
)

if TYPE_CHECKING:
    from researchpack.sources._shared import Answer, Reading

NAME: Final = "datacite"
TITLE: Final = "DataCite"
BASE: Final = "https://api.datacite.org"

DATES: Final = {
    "Issued": "issued",
    "Available": "online",
    "Submitted": "submitted",
    "Updated": "updated",
}
"""Their dates by our kinds. `Created` and `Copyrighted` say nothing about being published."""
_UNSAID: Final = frozenset(
    {":unav", ":unas", ":unkn", ":none", ":null", ":tba", "(:unav)", ":unap"}
)
"""Their code words for `not known`."""


def request(identifier: str, base: str = BASE) -> Request:
    """What is asked about a DOI."""
    return Request(url=f"{base}/dois/{escaped(identifier)}", accept="application/vnd.api+json")


def parse(answer: Answer) -> Reading:
    """The record of a work."""
    if answer.status == 404:
        return Unknown()
    value = read_json(answer)
    if isinstance(value, Broken):
        return value
    data = value.get("data") if isinstance(value, dict) else None
    work = data.get("attributes") if isinstance(data, dict) else None
    if not isinstance(work, dict):
        return Broken(reason="the answer holds no work")
    return record(
        answer,
        NAME,
        type=_type(work),
        title=_title(work, lambda kind: kind in ("", "none")) or _title(work, lambda _: True),
        subtitle=_title(work, lambda kind: kind == "subtitle"),
        original_title=_title(work, lambda kind: kind == "translatedtitle"),
        authors=_people(work.get("creators")),
        editors=_people(
            [
                one
                for one in maps(work.get("contributors"))
                if one.get("contributorType") == "Editor"
            ]
        ),
        years=_dates(work),
        containers=_containers(work),
        volume=_of_container(work, "volume"),
        issue=_of_container(work, "issue"),
        pages=_pages(work),
        publisher=_said(_name_of(work.get("publisher"))),
        isbn=_numbers(work, "ISBN"),
        issn=_numbers(work, "ISSN"),
        doi=doi_in(work.get("doi")) or answer.id,
        url=text(work.get("url")),
        version=_version(work),
        notices=_withdrawn(work),
        published_as=_published(work),
    )


def _type(work: Json) -> str | None:
    types = work.get("types")
    types = types if isinstance(types, dict) else {}
    return text(types.get("citeproc")) or text(types.get("resourceTypeGeneral"))


def _title(work: Json, wanted: Any) -> str | None:
    for one in maps(work.get("titles")):
        kind = (text(one.get("titleType")) or "").lower()
        found = plain_text(one.get("title"))
        if found and wanted(kind):
            return found
    return None


def _people(value: Any) -> tuple[Name, ...]:
    """A creator has a name, a given and a family name, or all three; `nameType` is often wrong."""
    return tuple(_person(one) for one in maps(value))


def _person(one: Json) -> Name:
    family, given = plain_text(one.get("familyName")), plain_text(one.get("givenName"))
    whole = _said(plain_text(one.get("name")))
    if family or given:
        return name(family, given)
    if whole and "," in whole and one.get("nameType") != "Organizational":
        before, _, behind = whole.partition(",")
        return name(before.strip(), behind.strip())
    return Name(literal=whole or "")


def _said(words: str | None) -> str | None:
    return None if words is None or words.lower() in _UNSAID else words


def _name_of(value: Any) -> str | None:
    """The publisher is a string, or a map when it was asked for so."""
    return plain_text(value.get("name") if isinstance(value, dict) else value)


def _dates(work: Json) -> tuple[tuple[str, str], ...]:
    found = [("issued", _day(work.get("publicationYear")))]
    for one in maps(work.get("dates")):
        kind = DATES.get(str(one.get("dateType")))
        if kind is not None:
            found.append((kind, _day(one.get("date"))))
    return tuple(dict.fromkeys((kind, day) for kind, day in found if day is not None))


def _day(value: Any) -> str | None:
    """The first day of a date, a moment or a span."""
    words = text(value) or ""
    return iso_date(list(re.split(r"[-T /]", words)[:3]))


def _containers(work: Json) -> tuple[str, ...]:
    names = [_of_container(work, "title") or ""]
    for one in maps(work.get("relatedItems")):
        if one.get("relationType") == "IsPublishedIn":
            names += [plain_text(t.get("title")) or "" for t in maps(one.get("titles"))]
    return unique(names)


def _of_container(work: Json, key: str) -> str | None:
    container = work.get("container")
    return plain_text(container.get(key)) if isinstance(container, dict) else None


def _pages(work: Json) -> str | None:
    start, end = _of_container(work, "firstPage"), _of_container(work, "lastPage")
    return f"{start}-{end}" if start and end and start != end else start


def _numbers(work: Json, kind: str) -> tuple[str, ...]:
    """ISBN or ISSN of the work itself."""
    found = [
        text(one.get("identifier")) or ""
        for one in maps(work.get("identifiers"))
        if str(one.get("identifierType")).upper() == kind
    ]
    return unique([one.replace("-", "") if kind == "ISBN" else one for one in found])


def _version(work: Json) -> int | None:
    """The newest version of an arXiv preprint: the highest of its dates, or what is said."""
    found = [
        int(match[1])
        for one in maps(work.get("dates"))
        if (match := re.fullmatch(r"v(\d{1,4})", str(one.get("dateInformation")))) is not None
    ]
    if not found and "arxiv" in str(work.get("doi")).lower():
        stated = text(work.get("version")) or ""
        found = [int(stated)] if stated.isdecimal() and len(stated) < 5 else []
    return max(found, default=None)


def _withdrawn(work: Json) -> tuple[Notice, ...]:
    return tuple(
        Notice(
            kind=NoticeKind.WITHDRAWAL,
            date=_day(one.get("date")),
            source=NAME,
            label=text(one.get("dateInformation")),
        )
        for one in maps(work.get("dates"))
        if one.get("dateType") == "Withdrawn"
    )


def _published(work: Json) -> tuple[str, ...]:
    """DOIs of the published article. For arXiv `IsVersionOf` names it; for others that relation
    leads to the same deposit under another number."""
    wanted = {"IsPreprintOf"}
    if "/arxiv." in str(work.get("doi")).lower():
        wanted.add("IsVersionOf")
    return unique(
        [
            doi_in(one.get("relatedIdentifier")) or ""
            for one in maps(work.get("relatedIdentifiers"))
            if one.get("relationType") in wanted and one.get("relatedIdentifierType") == "DOI"
        ]
    )
