"""A work against all records of its identifiers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from researchpack.compare._authors import compare_authors
from researchpack.compare._containers import compare_containers, is_archive
from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.compare._lists import word_set
from researchpack.compare._numbers import compare_numbers
from researchpack.compare._pages import compare_pages
from researchpack.compare._publishers import compare_publishers
from researchpack.compare._titles import compare_titles, likeness
from researchpack.compare._years import compare_dates
from researchpack.records import FieldCheck, FieldState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from researchpack.places import Place
    from researchpack.records import Identifier, RegistryRecord, Work

NOT_ASKED: Final = "not asked yet"
NO_IDENTIFIER: Final = "no identifier"
NOT_COVERED: Final = "type not covered"
NOT_THERE: Final = "not in the registry"
OTHER_WORK: Final = "id.other-work"

_RULES: Final = {
    "title": "meta.title",
    "authors": "meta.author",
    "editors": "meta.author",
    "issued": "meta.year",
    "container": "meta.container",
    "volume": "meta.volume",
    "issue": "meta.issue",
    "pages": "meta.pages",
    "publisher": "meta.publisher",
    "isbn": "meta.isbn",
}
_UNCOVERED: Final = word_set(
    "legal law legislation statute bill act case court standard norm rfc specification patent "
    "dataset data software code program webpage website web online page documentation manual "
    "report techreport video film podcast audio talk presentation lecture post blog newspaper "
    "magazine interview letter email personal unpublished misc hearing treaty regulation "
    "thesis phdthesis mastersthesis forum map artwork"
)
_NO_METADATA: Final = ("doi", "wayback")
"""doi.org names an agency, an archive has copies; neither says anything about the work."""
_ASKED: Final = ("doi", "arxiv", "isbn", "pmid")
_FOREIGN: Final = 0.4
"""Share of words in common up to which two titles are those of two works."""


def is_covered(work: Work) -> bool:
    """Whether some registry lists works of this kind; one with an identifier is in a registry."""
    if any(identifier.scheme in _ASKED for identifier in work.identifiers):
        return True
    folded = (work.type or "").lower().replace("-", " ").replace("_", " ").split()
    return not _UNCOVERED.intersection(folded)


def records_of(work: Work, records: tuple[RegistryRecord, ...]) -> tuple[RegistryRecord, ...]:
    """The records of the work's own identifiers, in the order of these."""
    return tuple(found for identifier in work.identifiers for found in _of(identifier, records))


def _of(identifier: Identifier, records: tuple[RegistryRecord, ...]) -> list[RegistryRecord]:
    """The records of one identifier; of an arXiv id that of its version, when there is one."""
    found = [record for record in records if _identifies(identifier, record)]
    exact = [record for record in found if record.asked_version == identifier.version]
    return exact or found


def _identifies(identifier: Identifier, record: RegistryRecord) -> bool:
    one, other = identifier.value, record.id
    same = one == other or (identifier.scheme != "url" and one.casefold() == other.casefold())
    return same and identifier.scheme == record.scheme


def compare(work: Work, records: tuple[RegistryRecord, ...]) -> tuple[FieldCheck, ...]:
    """Every field that the work states, in a fixed order; one check a field.

    Of several records the one that confirms a field counts; a record that is about another work
    altogether confirms and contradicts nothing, and gives one check of its own, for the identifier.
    """
    mine = records_of(work, records)
    found = [record for record in mine if record.found and record.registry not in _NO_METADATA]
    about = [record for record in found if not _is_other_work(work, record)]
    checks = [_other_work(work, record) for record in found if record not in about]
    for field, place, ours, look in _fields(work):
        options = [(record, _weak(work, field, record, look(record))) for record in about]
        if not options:
            checks.append(_without(work, field, place, ours, mine))
            continue
        record, finding = min(options, key=lambda option: _rank(option[1]))
        checks.append(_check(field, place, ours, record, finding))
    return tuple(checks)


def _rank(finding: Finding) -> tuple[int, bool]:
    order = (FieldState.CONFIRMED, FieldState.CONTRADICTED, FieldState.NOT_CONFIRMED)
    return order.index(finding.state), finding.theirs is None


def _weak(work: Work, field: str, record: RegistryRecord, finding: Finding) -> Finding:
    """What some records say may confirm, and contradicts nobody.

    A page's templates and menus speak too; and the record of a preprint says nothing about the
    journal that the author names.
    """
    if finding.state is not FieldState.CONTRADICTED:
        return finding
    if record.registry == "page":
        return unsure("the page says otherwise", finding.theirs)
    journal = work.container is not None and not is_archive(work.container)
    if field not in ("title", "authors", "editors", "isbn") and journal and _is_preprint(record):
        return unsure("the record is about the preprint", finding.theirs)
    return finding


def _is_preprint(record: RegistryRecord) -> bool:
    posted = record.registry == "crossref" and record.type == "article"
    return record.registry == "arxiv" or posted or (record.doi or "").startswith("10.48550/")


def _fields(
    work: Work,
) -> Iterator[tuple[str, Place, str, Callable[[RegistryRecord], Finding]]]:
    """The fields that the work states: name, place, value, and how to compare it."""
    title, subtitle = work.title, work.subtitle
    if title is not None:
        shown = f"{title}: {subtitle}" if subtitle else str(title)
        yield "title", title.place, shown, lambda r: compare_titles(title, subtitle, r)
    if work.authors:
        yield "authors", work.authors[0].place, "; ".join(work.authors), lambda r: _authors(work, r)
    if work.editors:
        names = "; ".join(work.editors)
        place = work.editors[0].place
        yield "editors", place, names, lambda r: compare_authors(work.editors, r.editors)
    issued, container, publisher = work.issued, work.container, work.publisher
    if issued is not None:
        yield "issued", issued.place, issued, lambda r: compare_dates(issued, r)
    if container is not None:
        yield "container", container.place, container, lambda r: compare_containers(container, r)
    yield from _numbers(work)
    if publisher is not None:
        yield (
            "publisher",
            publisher.place,
            publisher,
            lambda r: compare_publishers(publisher, r.publisher),
        )
    yield from _isbn(work)


def _numbers(
    work: Work,
) -> Iterator[tuple[str, Place, str, Callable[[RegistryRecord], Finding]]]:
    volume, issue, pages = work.volume, work.issue, work.pages
    if volume is not None:
        yield "volume", volume.place, volume, lambda r: compare_numbers(volume, r.volume)
    if issue is not None:
        yield "issue", issue.place, issue, lambda r: compare_numbers(issue, r.issue)
    if pages is not None:
        yield "pages", pages.place, pages, lambda r: compare_pages(pages, r.pages)


def _isbn(work: Work) -> Iterator[tuple[str, Place, str, Callable[[RegistryRecord], Finding]]]:
    for identifier in work.identifiers:
        if identifier.scheme == "isbn":
            value = identifier.value
            yield "isbn", identifier.written.place, value, partial(_compare_isbn, value)


def _compare_isbn(value: str, record: RegistryRecord) -> Finding:
    if not record.isbn:
        return unsure(ABSENT)
    known = [_thirteen(isbn) for isbn in record.isbn]
    shown = ", ".join(known)
    return confirmed(shown) if _thirteen(value) in known else contradicted(shown)


def _thirteen(isbn: str) -> str:
    """An ISBN in its form of thirteen digits."""
    bare = "".join(char for char in isbn if char.isdecimal() or char in "xX")
    if len(bare) != 10:
        return bare
    digits = f"978{bare[:9]}"
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits))
    return f"{digits}{-total % 10}"


def _authors(work: Work, record: RegistryRecord) -> Finding:
    """Editors of a volume are often given as its authors."""
    finding = compare_authors(work.authors, record.authors)
    if finding.state is FieldState.CONFIRMED or not record.editors or work.editors:
        return finding
    as_editors = compare_authors(work.authors, record.editors)
    if as_editors.state is FieldState.CONFIRMED:
        return confirmed(as_editors.theirs or "", "they are the editors")
    return finding


def _is_other_work(work: Work, record: RegistryRecord) -> bool:
    """Whether the record is about something else: nothing that tells a work agrees."""
    if work.title is None or record.registry == "page":
        return False
    title = compare_titles(work.title, work.subtitle, record)
    if title.state is not FieldState.CONTRADICTED or title.why == "spelling":
        return False
    authors = _authors(work, record).state if work.authors else None
    if authors is FieldState.CONFIRMED:
        return False
    foreign = likeness(work.title, record.title or "") <= _FOREIGN
    if authors is FieldState.CONTRADICTED:
        return foreign or not _any_author(work, record)
    issued = compare_dates(work.issued, record).state if work.issued else None
    return foreign and issued is FieldState.CONTRADICTED


def _any_author(work: Work, record: RegistryRecord) -> bool:
    return any(
        compare_authors((mine,), (name,)).state is FieldState.CONFIRMED
        for mine in work.authors
        for name in record.authors
    )


def _other_work(work: Work, record: RegistryRecord) -> FieldCheck:
    written = next(i.written for i in work.identifiers if _identifies(i, record))
    authors = compare_authors(work.authors, record.authors).theirs or ""
    theirs = ", ".join(part for part in (f"{record.title}", authors) if part)
    ours = ", ".join(part for part in (f"{work.title}", "; ".join(work.authors)) if part)
    return FieldCheck(
        field=record.scheme,
        state=FieldState.CONTRADICTED,
        ours=ours,
        theirs=theirs,
        why="another work",
        rule=OTHER_WORK,
        registry=record.registry,
        checked_at=record.checked_at,
        place=written.place,
    )


def _without(
    work: Work, field: str, place: Place, ours: str, mine: tuple[RegistryRecord, ...]
) -> FieldCheck:
    """A field for which there is no record to compare it with, and why."""
    missed = next((record for record in mine if not record.found), None)
    agency = next((r for r in mine if r.found and r.registry == "doi"), None)
    if any(record.found and record.registry not in _NO_METADATA for record in mine):
        why = "the record is about another work"
    elif agency is not None:
        why = f"registered with {agency.remark or 'another agency'}, whose metadata is not read"
    elif missed is not None:
        why = NOT_THERE
    elif not is_covered(work):
        why = NOT_COVERED
    else:
        why = NOT_ASKED if work.identifiers else NO_IDENTIFIER
    return FieldCheck(
        field=field,
        state=FieldState.NOT_CONFIRMED,
        ours=ours,
        theirs=None,
        why=why,
        rule=_RULES[field],
        registry=missed.registry if missed else None,
        checked_at=missed.checked_at if missed else None,
        place=place,
    )


def _check(
    field: str, place: Place, ours: str, record: RegistryRecord, finding: Finding
) -> FieldCheck:
    return FieldCheck(
        field=field,
        state=finding.state,
        ours=ours,
        theirs=finding.theirs,
        why=finding.why,
        rule=finding.rule or _RULES[field],
        registry=record.registry,
        checked_at=record.checked_at,
        place=finding.place or place,
    )
