"""A work against all records of its identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.compare._authors import compare_authors
from researchpack.compare._containers import is_archive
from researchpack.compare._fields import compare_creators, fields_of
from researchpack.compare._finding import Finding, unsure
from researchpack.compare._lists import word_set
from researchpack.compare._titles import compare_titles, likeness
from researchpack.compare._years import compare_dates
from researchpack.records import FieldCheck, FieldState

if TYPE_CHECKING:
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


Shelf = dict[tuple[str, str], tuple["RegistryRecord", ...]]
"""Records by scheme and folded identifier."""


def shelve(records: tuple[RegistryRecord, ...]) -> Shelf:
    """The records in an order in which those of one work are found without looking at all."""
    found: Shelf = {}
    for record in records:
        label = (record.scheme, record.id.casefold())
        found[label] = (*found.get(label, ()), record)
    return found


def from_shelf(work: Work, shelf: Shelf) -> tuple[RegistryRecord, ...]:
    """Every record that may be one of the work's."""
    labels = {(one.scheme, one.value.casefold()): None for one in work.identifiers}
    return tuple(record for label in labels for record in shelf.get(label, ()))


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
    for field, place, ours, look in fields_of(work):
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


def _is_other_work(work: Work, record: RegistryRecord) -> bool:
    """Whether the record is about something else: nothing that tells a work agrees."""
    if work.title is None or record.registry == "page":
        return False
    title = compare_titles(work.title, work.subtitle, record)
    if title.state is not FieldState.CONTRADICTED or title.why == "spelling":
        return False
    authors = compare_creators(work, record).state if work.authors else None
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


def _offer(finding: Finding) -> tuple[str, ...]:
    if finding.offer is not None:
        return finding.offer
    return (finding.theirs,) if finding.theirs else ()


def _check(
    field: str, place: Place, ours: str, record: RegistryRecord, finding: Finding
) -> FieldCheck:
    return FieldCheck(
        field=field,
        state=finding.state,
        ours=ours,
        theirs=finding.theirs,
        offer=_offer(finding),
        why=finding.why,
        rule=finding.rule or _RULES[field],
        registry=record.registry,
        checked_at=record.checked_at,
        place=finding.place or place,
    )
