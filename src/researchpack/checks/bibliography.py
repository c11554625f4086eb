"""What registries say about the sources, field by field, and what has become of a source since.

The build and the check read stored records only. A field that a registry contradicts is an error:
both values, the registry and the day on which it was asked are shown. A letter that looks like a
slip of the keys, a publisher (registries name the house that owns a title today) and an ISBN (a
list of editions may lack one) are warnings. What could not be compared is never a problem: the
sources page says for each field why. An identifier that leads to another work is an error of its
own, and nothing else of that record is compared.

Retracted and withdrawn sources are errors. `status: retracted` with a reason in `status_reason`
makes a warning of it: the author knows. Concerns are warnings. Corrections, new versions and
published versions of preprints are told and never taken over; `preprint_ok: true` says that the
preprint is meant.

Rules: `meta.title`, `meta.title-markup`, `meta.entities`, `meta.author`, `meta.author-given`,
`meta.year`, `meta.container`, `meta.volume`, `meta.issue`, `meta.pages`, `meta.publisher`,
`meta.isbn`, `id.other-work`, `id.no-registry`, `status.retracted`, `status.withdrawn`,
`status.concern`, `status.corrected`, `status.notice-cited`, `status.updated`,
`status.published-version`, `status.arxiv-version`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from researchpack.checks._lives import life_of
from researchpack.compare import (
    OTHER_WORK,
    clean_title,
    from_shelf,
    has_entities,
    has_markup,
    is_covered,
    records_of,
    shelve,
    strip_markup,
)
from researchpack.problems import Level, Problem, error, info, warning
from researchpack.records import FieldState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.places import Text
    from researchpack.records import (
        FieldCheck,
        RegistryRecord,
        Source,
        View,
        Work,
    )

REGISTRIES: Final = {
    "crossref": "Crossref",
    "datacite": "DataCite",
    "arxiv": "arXiv",
    "openlibrary": "Open Library",
    "doi": "doi.org",
    "page": "the page itself",
}
_WORDS: Final = {
    "title": "title",
    "authors": "authors",
    "editors": "editors",
    "issued": "date of issue",
    "container": "container",
    "volume": "volume",
    "issue": "issue",
    "pages": "pages",
    "publisher": "publisher",
    "isbn": "ISBN",
}
_WARNED: Final = ("meta.publisher", "meta.isbn")
_NOTED: Final = (
    "accents differ",
    "particles differ",
    "suffix",
    "part of a double name",
    "given and family name are swapped",
    "unnamed author",
    "a body is left out",
    "spelled otherwise",
    "the page says otherwise",
)
"""Differences that contradict nothing and that the author may want to know."""
_LONGEST: Final = 300


def check(view: View) -> Iterator[Problem]:
    """What the stored records say about the sources and entries of one pack."""
    sources = {source.id.place: source for source in view.pack.sources}
    shelf = shelve(view.pack.records)
    for work, (_, checks) in zip(view.works, view.field_checks, strict=True):
        mine = from_shelf(work, shelf)
        yield from problems_of(work, mine, checks, sources.get(work.id.place))
        # The sources page of a pack says so for each field; a lone file has no page.
        if not view.pack.name and not is_covered(work):
            yield _not_covered(work)


def problems_of(
    work: Work,
    records: tuple[RegistryRecord, ...],
    checks: tuple[FieldCheck, ...],
    source: Source | None = None,
) -> Iterator[Problem]:
    """The problems of one work; `source` is its entry in the ledger, when it has one."""
    yield from _markup(work)
    for found in checks:
        yield from _of_field(work, found)
    mine = tuple(record for record in records_of(work, records) if record.found)
    other = any(found.rule == OTHER_WORK for found in checks)
    for problem in () if other else life_of(work, mine):
        if not _is_meant(problem, source):
            yield _accepted(problem, source)


def shown(value: str | None) -> str:
    """A value in quotation marks, cut at a sane length."""
    words = " ".join((value or "").split())
    return f'"{words[:_LONGEST]}…"' if len(words) > _LONGEST else f'"{words}"'


def asked(record: RegistryRecord | FieldCheck) -> str:
    """The registry and the day on which it was asked: `Crossref, asked 2026-11-30`."""
    name = REGISTRIES.get(record.registry or "", record.registry or "the registry")
    return f"{name}, asked {record.checked_at[:10]}" if record.checked_at else name


def _of_field(work: Work, found: FieldCheck) -> Iterator[Problem]:
    if found.rule == OTHER_WORK:
        yield error(
            found.place,
            "id.other-work",
            f"The {found.field.upper() if found.field != 'arxiv' else 'arXiv id'} of {work.id} "
            f"leads to another work: {shown(found.theirs)} ({asked(found)}) instead of "
            f"{shown(found.ours)}.",
            "Look up the identifier of the work that is meant, and replace this one.",
        )
    elif found.state is FieldState.CONTRADICTED:
        yield _contradicted(work, found)
    elif any(note in (found.why or "") for note in _NOTED):
        yield Problem(
            place=found.place,
            level=Level.INFO,
            rule=found.rule,
            what=f"The {_WORDS[found.field]} of {work.id}: {shown(found.ours)} here, "
            f"{shown(found.theirs)} there ({asked(found)}; {found.why}).",
            fix="Nothing has to be changed, unless the registry is right.",
        )


def _contradicted(work: Work, found: FieldCheck) -> Problem:
    why = found.why or ""
    mild = found.rule in _WARNED or why.startswith("spelling")
    both = f"{shown(found.ours)} here, {shown(found.theirs)} there ({asked(found)})"
    # What differs between two lists of names says more than the two lists.
    said = f"{why} ({asked(found)})" if ' here, "' in why else f"{both}; {why}" if why else both
    return Problem(
        place=found.place,
        level=Level.WARNING if mild else Level.ERROR,
        rule=found.rule,
        what=f"The {_WORDS[found.field]} of {work.id}: {said}.",
        fix=_advice(found),
    )


def _advice(found: FieldCheck) -> str:
    if not found.offer:
        return "Look which of the two is right."
    return f"If the registry is right, write: {'; '.join(found.offer)}"


def _markup(work: Work) -> Iterator[Problem]:
    """Tags and entities that a page would show as they are."""
    for field, value in (("title", work.title), ("subtitle", work.subtitle)):
        if value is not None and has_markup(value):
            yield _tags(work, field, value)
        elif value is not None and has_entities(value):
            yield _entity(work, field, value)
    named = [("container", work.container), ("publisher", work.publisher)]
    named += [("author", author) for author in work.authors]
    for field, value in named:
        if value is not None and (has_entities(value) or has_markup(value)):
            yield _entity(work, field, value)


def _tags(work: Work, field: str, value: Text) -> Problem:
    clean = clean_title(value, latex=work.place.path.lower().endswith(".bib"))
    return warning(
        value.place,
        "meta.title-markup",
        f"The {field} of {work.id} holds tags of a web page.",
        f"Write: {clean}",
    )


def _entity(work: Work, field: str, value: Text) -> Problem:
    return warning(
        value.place,
        "meta.entities",
        f"The {field} of {work.id} holds escapes of a web page: {shown(value)}.",
        f"Write: {strip_markup(value)}",
    )


def _not_covered(work: Work) -> Problem:
    return info(
        (work.type or work.id).place,
        "id.no-registry",
        f"No registry covers the type of {work.id} ({work.type}), so its fields are compared with "
        "nothing.",
        "Give an identifier if the work has one; the address is checked all the same.",
    )


def _is_meant(problem: Problem, source: Source | None) -> bool:
    """Whether the ledger says that the preprint is cited on purpose."""
    said = (source.other("preprint_ok") or "").lower() if source is not None else ""
    return problem.rule == "status.published-version" and said in ("true", "yes")


def _accepted(problem: Problem, source: Source | None) -> Problem:
    """A status that the ledger states with its reason is known, and no longer an error."""
    if source is None:
        return problem
    stated, reason = source.other("status"), source.other("status_reason")
    if problem.rule not in ("status.retracted", "status.withdrawn", "status.concern"):
        return problem
    if (stated or "").lower() != problem.rule.removeprefix("status.") or not reason:
        return problem
    said = f"{problem.what} The ledger knows: {shown(reason)}."
    fix = "Say so where the source is used."
    return replace(problem, level=Level.WARNING, what=said, fix=fix)
