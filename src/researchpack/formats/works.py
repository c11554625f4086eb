"""Sources of a ledger and entries of a `.bib` file -> `Work`: one shape for both.

Identifiers come from the fields that are made for them, and from the address; never from an
abstract, a note or keywords, which name other works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.formats._bibdates import accessed, issued
from researchpack.formats._bibentry import (
    address,
    entry_problems,
    identifying,
    kind_of_entry,
    names,
)
from researchpack.formats._shared import word_set
from researchpack.identifiers import Reading, issn_problem, of_address, read
from researchpack.places import Text
from researchpack.problems import Problem
from researchpack.records import Identifier, Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.records import BibEntry, Source

_SCHEMES: Final = ("doi", "arxiv", "isbn", "pmid")
_PARTS: Final = word_set("article chapter preprint")
"""Their ISBN is that of the volume they stand in, so it identifies another work."""
_NO_WORKS: Final = ("xdata", "set")
"""Entries that only lend their fields to others."""


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
    stated = [(scheme, fields[scheme]) for scheme in _SCHEMES if scheme in fields]
    identifiers, problems = _readings(stated, source.url, is_part=is_part)
    own = _each_once(identifiers)
    schemes = {identifier.scheme for identifier in own}
    problems += [problem for also in source.also for problem in read("url", also).problems]
    odd_issn = issn_problem(fields["issn"]) if "issn" in fields else None
    problems += [odd_issn] if odd_issn is not None else []
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
        same_as=(*_keys(fields.get("same_work_as")), *other.same_as),
        problems=(*problems, *other.problems),
        place=source.place,
    )


def work_of_entry(entry: BibEntry) -> Work:
    """An entry of a `.bib` file with what it inherits."""
    kind = kind_of_entry(entry)
    fields = list(identifying(entry))
    is_part = kind in _PARTS or entry.type in ("inproceedings", "conference")
    identifiers, problems = _readings(fields, address(entry), is_part=is_part)
    return Work(
        id=entry.key,
        type=Text(kind, entry.key.place) if kind is not None else None,
        title=entry.get("title"),
        subtitle=entry.get("subtitle"),
        authors=names(entry.field("author")),
        editors=names(entry.field("editor")),
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
        problems=(*_own(entry, problems), *entry_problems(entry)),
        place=entry.key.place,
    )


def _own(entry: BibEntry, problems: list[Problem]) -> Iterator[Problem]:
    """Without those of inherited fields: they are told where the fields stand."""
    lines = {field.raw.place for field in entry.inherited}
    return (problem for problem in problems if problem.place not in lines)


def _readings(
    fields: Iterable[tuple[str, Text]], url: Text | None, *, is_part: bool
) -> tuple[list[Identifier], list[Problem]]:
    identifiers: list[Identifier] = []
    problems: list[Problem] = []
    for scheme, value in fields:
        reading = read(scheme, value)
        problems += reading.problems
        if not (scheme == "isbn" and is_part):
            identifiers += reading.identifiers
    if url is not None:
        found = of_address(url) if not _is_local(url) else Reading()
        identifiers += found.identifiers
        problems += found.problems
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


def _keys(value: Text | None) -> tuple[Text, ...]:
    if value is None:
        return ()
    return tuple(Text(key.strip(), value.place) for key in value.split(",") if key.strip())
