"""Sources of a ledger and entries of a `.bib` file -> `Work`: one shape for both.

Identifiers come from the fields that are made for them, and from the address; never from an
abstract, a note or keywords, which name other works.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.formats._bibdates import accessed, issued, month_number, remarked_access
from researchpack.formats._bibnames import name_problems
from researchpack.formats._shared import word_set
from researchpack.formats.names import bibtex_name, shown, split_names
from researchpack.identifiers import Reading, issn_problem, of_address, read, without_tracking
from researchpack.latex import plain_text
from researchpack.places import Text
from researchpack.problems import Problem, warning
from researchpack.records import Identifier, Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.records import BibEntry, BibField, Source

_TYPES: Final = {
    **dict.fromkeys(("article", "suppperiodical"), "article"),
    **dict.fromkeys(("book", "mvbook", "collection", "mvcollection", "booklet"), "book"),
    **dict.fromkeys(
        ("inbook", "bookinbook", "suppbook", "incollection", "suppcollection", "inreference"),
        "chapter",
    ),
    **dict.fromkeys(("inproceedings", "conference", "proceedings", "mvproceedings"), "proceedings"),
    **dict.fromkeys(("thesis", "phdthesis", "mastersthesis"), "thesis"),
    **dict.fromkeys(("report", "techreport"), "report"),
    **dict.fromkeys(("online", "electronic", "www", "webpage"), "web page"),
    **dict.fromkeys(("video", "movie", "audio", "music"), "video"),
    "manual": "documentation",
    "software": "software",
    "dataset": "dataset",
    "patent": "patent",
    "standard": "standard",
    "legislation": "legal",
    "jurisdiction": "legal",
    "legal": "legal",
    "letter": "letter",
    "artwork": "artwork",
}
_PARTS: Final = word_set("article chapter preprint")
"""Their ISBN is that of the volume they stand in, so it identifies another work."""
_NO_WORKS: Final = ("xdata", "set")
"""Entries that only lend their fields to others."""
_ARXIV_JOURNAL: Final = re.compile(r"(?:arxiv|corr\b)", re.IGNORECASE)
_ARCHIVE: Final = re.compile(r"[a-z]+(?:-[a-z]+)?", re.IGNORECASE)


def works_of(sources: Iterable[Source], bibliography: Iterable[BibEntry]) -> tuple[Work, ...]:
    """Every source with what its entry adds, then the entries that no source points at."""
    entries = {str(entry.key): entry for entry in bibliography}
    folded = {key.lower(): entry for key, entry in entries.items()}
    works, used = [], set()
    for source in sources:
        entry = folded.get(source.bib.lower()) if source.bib is not None else None
        if entry is not None:
            used.add(str(entry.key))
        works.append(work_of_source(source, entry))
    works += [
        work_of_entry(entry)
        for key, entry in entries.items()
        if key not in used and entry.type not in _NO_WORKS
    ]
    return tuple(works)


def work_of_source(source: Source, entry: BibEntry | None = None) -> Work:
    """A source of the ledger. A field that it has wins; what it lacks its .bib entry gives."""
    other = work_of_entry(entry) if entry is not None else Work(id=source.id, place=source.place)
    fields = {str(key): value for key, value in source.others}
    is_part = source.type in _PARTS or (
        source.type in ("proceedings", "paper") and source.container is not None
    )
    readings = _readings(
        [
            *(
                (scheme, fields[scheme])
                for scheme in ("doi", "arxiv", "isbn", "pmid")
                if scheme in fields
            ),
        ],
        source.url,
        is_part=is_part,
    )
    own = _each_once(readings[0])
    schemes = {identifier.scheme for identifier in own}
    problems = [*readings[1], *(p for also in source.also for p in read("url", also).problems)]
    if "issn" in fields:
        problems += [p for p in (issn_problem(fields["issn"]),) if p is not None]
    stated = "same_work_as" in fields
    return Work(
        id=source.id,
        type=source.type or other.type,
        title=source.title or other.title,
        subtitle=fields.get("subtitle") or (None if source.title else other.subtitle),
        authors=source.authors or other.authors,
        editors=source.editors or other.editors,
        issued=source.issued or other.issued,
        container=source.container or other.container,
        publisher=fields.get("publisher") or other.publisher,
        volume=fields.get("volume") or other.volume,
        issue=fields.get("issue") or other.issue,
        pages=fields.get("pages") or other.pages,
        edition=fields.get("edition") or other.edition,
        identifiers=_ordered(
            (*own, *(one for one in other.identifiers if one.scheme not in schemes))
        ),
        accessed=source.accessed or other.accessed,
        entry=entry.key if entry is not None else None,
        same_as=(*_keys(fields["same_work_as"] if stated else None), *other.same_as),
        problems=(*problems, *other.problems),
        place=source.place,
    )


def work_of_entry(entry: BibEntry) -> Work:
    """An entry of a `.bib` file with what it inherits."""
    kind = _kind(entry)
    fields = list(_identifying(entry))
    is_part = kind in _PARTS or entry.type in ("inproceedings", "conference")
    identifiers, problems = _readings(fields, _address(entry), is_part=is_part)
    authors = entry.field("author")
    editors = entry.field("editor")
    return Work(
        id=entry.key,
        type=Text(kind, entry.key.place) if kind is not None else None,
        title=entry.get("title"),
        subtitle=entry.get("subtitle"),
        authors=_names(authors),
        editors=_names(editors),
        issued=issued(entry),
        container=entry.get("journaltitle", "journal", "booktitle", "maintitle"),
        publisher=entry.get("publisher", "institution", "school", "organization"),
        volume=entry.get("volume"),
        issue=entry.get("number", "issue"),
        pages=entry.get("pages", "eid", "articleno"),
        edition=entry.get("edition"),
        identifiers=_ordered(_each_once(identifiers)),
        accessed=accessed(entry),
        entry=entry.key,
        same_as=_keys(entry.get("same_work_as")),
        problems=(*_own(entry, problems), *_entry_problems(entry)),
        place=entry.key.place,
    )


def _own(entry: BibEntry, problems: list[Problem]) -> Iterator[Problem]:
    """Without those of inherited fields: they are told where the fields stand."""
    lines = {field.raw.place for field in entry.inherited}
    return (problem for problem in problems if problem.place not in lines)


def _kind(entry: BibEntry) -> str | None:
    kind = _TYPES.get(entry.type)
    container = entry.get("journal", "journaltitle", "howpublished") or ""
    if kind in (None, "article") and (_is_arxiv(entry) or _ARXIV_JOURNAL.match(container)):
        return kind if kind and container and not _ARXIV_JOURNAL.match(container) else "preprint"
    if kind is None and _address(entry) is not None and entry.type in ("misc", "unpublished"):
        return "web page" if entry.type == "misc" else None
    return kind


def _is_arxiv(entry: BibEntry) -> bool:
    archive = entry.get("eprinttype", "archiveprefix") or ""
    doi = (entry.get("doi") or "").lower()
    return archive.lower() == "arxiv" or "10.48550/arxiv" in doi


def _identifying(entry: BibEntry) -> Iterator[tuple[str, Text]]:
    """Scheme and value of the fields that are made for identifiers."""
    doi = entry.field("doi")
    if doi is not None and doi.value:
        yield "doi", doi.value
    yield from _eprint(entry)
    for scheme in ("isbn", "pmid"):
        field = entry.field(scheme)
        if field is not None and field.value:
            yield scheme, field.value


def _eprint(entry: BibEntry) -> Iterator[tuple[str, Text]]:
    stated = entry.get("arxiv", "arxivid")
    if stated is not None:
        yield "arxiv", stated
        return
    number = entry.get("eprint")
    archive = (entry.get("eprinttype", "archiveprefix") or "").lower()
    if number is None:
        yield from _in_journal(entry)
    elif archive in ("pubmed", "pmid"):
        yield "pmid", number
    elif archive == "arxiv" or (not archive and read("arxiv", number).identifiers):
        yield "arxiv", number
    elif re.fullmatch(r"\d{7}(?:v\d+)?", number) and _ARCHIVE.fullmatch(archive):
        yield "arxiv", Text(f"{archive}/{number}", number.place)  # archivePrefix = {hep-th}


def _in_journal(entry: BibEntry) -> Iterator[tuple[str, Text]]:
    """`journal = {arXiv preprint arXiv:1706.03762}` and `{CoRR}, volume = {abs/1706.03762}`."""
    for name in ("journal", "journaltitle", "volume", "howpublished"):
        value = entry.get(name)
        if value is None or not re.match(r"(?:arxiv|corr|abs/)", value, re.IGNORECASE):
            continue
        if re.search(r"\d{4}\.\d{4,5}|/\d{7}", value) and read("arxiv", value).identifiers:
            yield "arxiv", value
            return


def _address(entry: BibEntry) -> Text | None:
    """`url`, or the one address in `howpublished`."""
    url = entry.field("url")
    if url is not None and url.value:
        inner = re.fullmatch(r"\\url\s*\{(.*)\}", url.value)
        return Text(inner[1], url.value.place) if inner else url.value
    how = entry.field("howpublished")
    if how is None:
        return None
    found = re.search(r"\\url\s*\{([^{}]*)\}", how.raw) or re.search(
        r"(https?://[^\s{},]+)", how.raw
    )
    return Text(found[1].strip(), how.raw.place) if found else None


def _readings(
    fields: list[tuple[str, Text]], url: Text | None, *, is_part: bool
) -> tuple[list[Identifier], list[Problem]]:
    identifiers: list[Identifier] = []
    problems: list[Problem] = []
    for scheme, value in fields:
        reading = read(scheme, value)
        problems += reading.problems
        if not (scheme == "isbn" and is_part):
            identifiers += reading.identifiers
    if url is not None:
        address = of_address(url) if not _is_local(url) else Reading()
        identifiers += address.identifiers
        problems += address.problems
    return identifiers, problems


def _is_local(url: str) -> bool:
    """`not kept`, a path, a name: `ledger.address` speaks about these."""
    return "." not in url and "://" not in url


def _each_once(identifiers: Iterable[Identifier]) -> tuple[Identifier, ...]:
    found: dict[tuple[str, str], Identifier] = {}
    for one in identifiers:
        found.setdefault((one.scheme, one.value), one)
    return tuple(found.values())


def _ordered(identifiers: tuple[Identifier, ...]) -> tuple[Identifier, ...]:
    order = ("doi", "arxiv", "isbn", "pmid", "url")
    return tuple(sorted(identifiers, key=lambda one: order.index(one.scheme)))


def _names(field: BibField | None) -> tuple[Text, ...]:
    """One text a name; braces that group words are turned into the form with a comma."""
    if field is None:
        return ()
    place = field.raw.place
    return tuple(Text(_name(name), place) for name in split_names(field.raw))


def _name(raw: str) -> str:
    groups = re.search(r"(?:^|[\s,])\{(?!\\)[^{}]*\s[^{}]*\}", raw) or raw.startswith("{{")
    whole = raw.startswith("{") and raw.endswith("}") and bibtex_name(raw).literal
    return shown(bibtex_name(raw)) if groups or whole else plain_text(raw).rstrip(",")


def _keys(value: Text | None) -> tuple[Text, ...]:
    if value is None:
        return ()
    return tuple(Text(key.strip(), value.place) for key in value.split(",") if key.strip())


def _entry_problems(entry: BibEntry) -> Iterator[Problem]:
    for field in entry.fields:
        if field.name in ("author", "editor", "translator"):
            yield from name_problems(field)
        elif field.name == "month":
            yield from _month(field)
        elif field.name == "issn" and field.value:
            found = issn_problem(field.value)
            if found is not None:
                yield found
        elif field.name in ("url", "howpublished") and "\\" in field.raw:
            yield from _escapes(entry, field)
    yield from _remarked(entry)


def _month(field: BibField) -> Iterator[Problem]:
    if field.value and month_number(field.value) is None:
        yield warning(
            field.value.place,
            "bib.month",
            f'"{field.value}" is no month.',
            "Write one of the macros jan, feb … dec without braces, or a number from 1 to 12.",
        )


def _escapes(entry: BibEntry, field: BibField) -> Iterator[Problem]:
    """LaTeX inside an address, which is copied as it stands."""
    address = _address(entry)
    if address is None or "\\" not in address or address.place != field.raw.place:
        return
    found = read("url", address).identifiers
    clean = without_tracking(found[0].value) if found else address.replace("\\", "")
    yield warning(
        field.raw.place,
        "bib.verbatim-field",
        "The address holds an escape of LaTeX, which is no part of it.",
        f"Write `{clean}`.",
    )


def _remarked(entry: BibEntry) -> Iterator[Problem]:
    day = remarked_access(entry)
    if day is not None and not any(field.name == "urldate" for field in entry.fields):
        yield warning(
            day.place,
            "bib.verbatim-field",
            "The day on which the address was opened stands in a remark.",
            f"Move it into a field of its own: `urldate = {{{day}}}`.",
        )
