"""Crossref: one DOI -> `GET /works/{doi}`.

Never a `filter=` of DOIs: a comma in a DOI splits it, and DOIs that are not there are left out
without a word. An unknown DOI is a 404 with plain text and means no more than that the DOI is not
one of Crossref's; another agency may have it.
"""

from __future__ import annotations

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
    plain,
    plain_text,
    read_json,
    record,
    text,
    texts,
    unique,
)

if TYPE_CHECKING:
    from researchpack.sources._shared import Answer, Reading

NAME: Final = "crossref"
TITLE: Final = "Crossref"
BASE: Final = "https://api.crossref.org"

TYPES: Final = {
    "journal-article": "article-journal",
    "proceedings-article": "paper-conference",
    "posted-content": "article",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-set": "book",
    "book-series": "book",
    "book-chapter": "chapter",
    "book-part": "chapter",
    "book-section": "chapter",
    "book-track": "chapter",
    "reference-entry": "entry",
    "dissertation": "thesis",
    "report": "report",
    "report-component": "report",
    "report-series": "report",
    "standard": "standard",
    "dataset": "dataset",
    "database": "dataset",
    "peer-review": "review",
    "journal": "periodical",
    "journal-issue": "periodical",
    "journal-volume": "periodical",
    "proceedings": "book",
}
"""Crossref's types as CSL types; others stay as they are."""

KINDS: Final = {
    "retraction": NoticeKind.RETRACTION,
    "partial_retraction": NoticeKind.PARTIAL_RETRACTION,
    "withdrawal": NoticeKind.WITHDRAWAL,
    "removal": NoticeKind.REMOVAL,
    "expression_of_concern": NoticeKind.EXPRESSION_OF_CONCERN,
    "correction": NoticeKind.CORRECTION,
    "corrigendum": NoticeKind.CORRECTION,
    "erratum": NoticeKind.CORRECTION,
    "addendum": NoticeKind.CORRECTION,
    "clarification": NoticeKind.CORRECTION,
    "new_version": NoticeKind.NEW_VERSION,
    "new_edition": NoticeKind.NEW_VERSION,
}


def request(identifier: str, base: str = BASE) -> Request:
    """What is asked about a DOI."""
    return Request(url=f"{base}/works/{escaped(identifier)}", accept="application/json")


def agency_request(identifier: str, base: str = BASE) -> Request:
    """Which agency registered a DOI, as far as Crossref knows."""
    return Request(url=f"{base}/works/{escaped(identifier)}/agency", accept="application/json")


def parse_agency(answer: Answer) -> str | Unknown | Broken:
    """The agency's id, such as `datacite`."""
    if answer.status == 404:  # says JSON and is plain text
        return Unknown()
    value = read_json(answer)
    if isinstance(value, Broken):
        return value
    message = value.get("message") if isinstance(value, dict) else None
    agency = message.get("agency") if isinstance(message, dict) else None
    found = text(agency.get("id") or agency.get("label")) if isinstance(agency, dict) else None
    return found if found else Broken(reason="the answer names no agency")


def parse(answer: Answer) -> Reading:
    """The record of a work."""
    if answer.status == 404:
        return Unknown()
    value = read_json(answer)
    if isinstance(value, Broken):
        return value
    work = value.get("message") if isinstance(value, dict) else None
    if not isinstance(work, dict) or "DOI" not in work:
        return Broken(reason="the answer holds no work")
    titles = [plain(one) for one in texts(work.get("title"))]
    return record(
        answer,
        NAME,
        type=TYPES.get(str(work.get("type")), text(work.get("type"))),
        title=titles[0] or None if titles else None,
        subtitle=plain_text(work.get("subtitle")),
        short_title=plain_text(work.get("short-title")),
        original_title=plain_text(work.get("original-title")),
        authors=_people(work.get("author")),
        editors=_people(work.get("editor")),
        years=_dates(work),
        containers=_containers(work),
        volume=text(work.get("volume")),
        issue=text(work.get("issue")),
        pages=text(work.get("page")) or text(work.get("article-number")),
        publisher=plain_text(work.get("publisher")),
        isbn=unique([_bare(one) for one in texts(work.get("ISBN"))]),
        issn=unique(texts(work.get("ISSN"))),
        doi=(text(work["DOI"]) or answer.id).lower(),
        url=_address(work),
        notices=tuple(_notice(one) for one in maps(work.get("updated-by"))),
        is_notice_for=unique(
            [doi_in(one.get("DOI")) or "" for one in maps(work.get("update-to")) if _says(one)]
        ),
        published_as=_published(work),
    )


def _people(value: Any) -> tuple[Name, ...]:
    """In order. An item without any name stays as an empty name, so that the count is theirs."""
    found = []
    for one in maps(value):
        family, given = plain_text(one.get("family")), plain_text(one.get("given"))
        literal = plain_text(one.get("name"))
        if family or given:
            found.append(name(family, given, plain_text(one.get("suffix"))))
        else:
            found.append(Name(literal=literal or ""))
    return tuple(found)


def _date(value: Any) -> str | None:
    parts = value.get("date-parts") if isinstance(value, dict) else None
    if not isinstance(parts, list) or not parts or not isinstance(parts[0], list):
        return None
    return iso_date(parts[0])


def _dates(work: Json) -> tuple[tuple[str, str], ...]:
    """By kind. `created` is the day of the deposit and says nothing about the work."""
    issue = work.get("journal-issue")
    issue = issue if isinstance(issue, dict) else {}
    found = [
        ("issued", work.get("issued")),
        ("print", work.get("published-print")),
        ("online", work.get("published-online")),
        ("issue", issue.get("published-print")),
        ("issue", issue.get("published-online")),
        ("posted", work.get("posted")),
        ("other", work.get("published-other")),
    ]
    dated = [(kind, _date(value)) for kind, value in found]
    return tuple(dict.fromkeys((kind, day) for kind, day in dated if day is not None))


def _containers(work: Json) -> tuple[str, ...]:
    """Every title of the container; the institution of a preprint; short titles last."""
    names = [*texts(work.get("container-title"))]
    if not names:
        names = [text(one.get("name")) or "" for one in maps(work.get("institution"))]
    names += texts(work.get("short-container-title"))
    return unique([plain(one) for one in names])


def _bare(isbn: str) -> str:
    """An ISBN without address, label and hyphens."""
    return "".join(char for char in isbn.rpartition("/")[2] if char.isdigit() or char in "xX")


def _address(work: Json) -> str | None:
    resource = work.get("resource")
    primary = resource.get("primary") if isinstance(resource, dict) else None
    found = text(primary.get("URL")) if isinstance(primary, dict) else None
    return found or text(work.get("URL"))


def _notice(update: Json) -> Notice:
    """A type that is not known yet is kept in the label, and is not taken for a harmless one."""
    kind = str(update.get("type") or "").strip().lower().replace("-", "_").replace(" ", "_")
    return Notice(
        kind=KINDS.get(kind, NoticeKind.UNKNOWN),
        doi=doi_in(update.get("DOI")),
        date=_date(update.get("updated")),
        source=text(update.get("source")),
        label=text(update.get("label")) if kind in KINDS else kind or text(update.get("label")),
    )


def _says(update: Json) -> bool:
    """Whether an update makes its own record a notice about another work.

    A new version or edition is a work of its own.
    """
    kind = str(update.get("type") or "").strip().lower().replace("-", "_")
    return KINDS.get(kind) is not NoticeKind.NEW_VERSION


def _published(work: Json) -> tuple[str, ...]:
    """DOIs of what this preprint became. `is-version-of` says nothing about being published."""
    relation = work.get("relation")
    found = maps(relation.get("is-preprint-of")) if isinstance(relation, dict) else []
    return unique([doi_in(one.get("id")) or "" for one in found])
