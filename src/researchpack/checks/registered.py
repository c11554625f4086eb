"""A source is known to the registry that its identifier belongs to.

Registries are asked by `researchpack refresh`, never by a check: this looks at the records that it
left. A DOI is unknown only when Crossref does not have it and the agency look-up says that it does
not exist; a DOI of an agency whose metadata are not read is only noted. An ISBN that Open Library
does not have is noted too, because it does not have all. A registry that could not be asked says
nothing about a source: that a work was retracted is then unknown, and never ruled out.

An address is looked at once: a page that is gone, one that says so with status 200, and one that
leads to the front page of its site are three ways of being gone.

Rules: `id.not-found`, `id.arxiv-error`, `id.doi-agency`, `url.dead`, `url.soft-404`,
`url.home-page`, `cache.miss`, `records.stale`, `records.not-asked`, `status.unknown`.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from researchpack.dates import parse_age
from researchpack.problems import Problem, error, info, warning
from researchpack.prose import normalise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Failure, Identifier, RegistryRecord, View, Work

    Key = tuple[str, str, int | None]

ASKED: Final = ("doi", "arxiv", "isbn", "url")
"""Schemes that a registry answers for, the surest first."""
OLD: Final = "90d"
"""When the settings say nothing."""
_NO_CLOCK: Final = "9000"
"""Pages are made with a day that never comes, since they print dates and no ages."""
_SAID: Final = {
    "crossref": "Crossref",
    "datacite": "DataCite",
    "arxiv": "arXiv",
    "openlibrary": "Open Library",
    "doi": "doi.org",
    "page": "The page",
    "wayback": "The Wayback Machine",
}


def check(view: View) -> Iterator[Problem]:
    """What the records say about the works of one pack, and which of them are old or missing."""
    records = {(one.scheme, one.id, one.asked_version): one for one in view.pack.records}
    failures = {(one.scheme, one.id, one.asked_version): one for one in view.pack.failures}
    if not records and not failures:
        return  # nobody has asked yet; every field of every source says so on its page
    for work in view.works:
        identifier = asked_by(work)
        if identifier is not None:
            yield from _work(work, identifier, records, failures)
    yield from _old(view)


def asked_by(work: Work) -> Identifier | None:
    """The identifier by which a registry is asked about a work; None when none covers it."""
    for scheme in ASKED:
        for identifier in work.identifiers:
            if identifier.scheme == scheme:
                return identifier
    return None


def _work(
    work: Work,
    identifier: Identifier,
    records: dict[Key, RegistryRecord],
    failures: dict[Key, Failure],
) -> Iterator[Problem]:
    key = (identifier.scheme, identifier.value, identifier.version)
    record, failure = records.get(key), failures.get(key)
    unpinned = records.get((identifier.scheme, identifier.value, None))
    if record is not None:
        yield from of_record(work, record, records.get(("archive", identifier.value, None)))
    elif failure is not None:
        yield from _unknown(work, identifier, failure)
    elif unpinned is not None:
        yield from misses(identifier, unpinned)
    else:
        yield info(
            identifier.written.place,
            "records.not-asked",
            f"No registry was asked about {identifier.value} ({work.id}) yet.",
            "Run `researchpack refresh`.",
        )


def _unknown(work: Work, identifier: Identifier, failure: Failure) -> Iterator[Problem]:
    """Nobody could look. Only what is published can be retracted, so a page is just not checked."""
    said = _SAID.get(failure.registry, failure.registry)
    what = f"{said} could not be asked about {work.id} on {failure.at[:10]}: {failure.reason}."
    if identifier.scheme in ("doi", "arxiv"):
        yield warning(
            identifier.written.place,
            "status.unknown",
            f"Whether {work.id} was retracted is unknown. {what}",
            "Run `researchpack refresh` again.",
        )
    else:
        yield info(
            identifier.written.place,
            "records.not-asked",
            what,
            "Run `researchpack refresh` again.",
        )


def misses(identifier: Identifier, other: RegistryRecord) -> Iterator[Problem]:
    """A version was cited, and only the record of the newest one is there.

    What holds for the newest version need not hold for the one that was cited.
    """
    days = dict(other.years)
    day = days.get("updated") or days.get("submitted")
    newest = f", latest v{other.version}" if other.version else ""
    of = f" of {day}" if newest and day else ""
    yield error(
        identifier.written.place,
        "cache.miss",
        f"{identifier.value}v{identifier.version} is not in the cache and has no record (only the "
        f"unpinned record{newest}{of}, is).",
        "Run `researchpack refresh`, so that the version itself is asked about.",
    )


def of_record(
    work: Work, record: RegistryRecord, copy: RegistryRecord | None = None
) -> Iterator[Problem]:
    """What one record says about the work itself; `copy` is the record of an archived copy."""
    identifier = asked_by(work)
    if identifier is None:
        return
    if not record.found:
        by_scheme = {"doi": _no_doi, "arxiv": _no_arxiv, "isbn": _no_isbn}
        if identifier.scheme in by_scheme:
            yield from by_scheme[identifier.scheme](work, identifier, record)
        else:
            yield from _no_page(work, identifier, record, copy)
    elif record.registry == "doi":
        yield info(
            identifier.written.place,
            "id.doi-agency",
            f"{identifier.value} is registered with {record.remark}, whose metadata are not read.",
            "Compare the fields by hand, and say so in `verified`.",
        )


def _no_doi(work: Work, identifier: Identifier, record: RegistryRecord) -> Iterator[Problem]:
    said = f" ({record.remark})" if record.remark else ""
    yield error(
        identifier.written.place,
        "id.not-found",
        f"The DOI {identifier.value} of {work.id} does not exist, as of {record.checked_at[:10]}"
        f"{said}.",
        "Look it up by the title; a DOI is easily cut short or mistyped.",
    )


def _no_arxiv(work: Work, identifier: Identifier, record: RegistryRecord) -> Iterator[Problem]:
    version = f"v{identifier.version}" if identifier.version else ""
    shown = f"{identifier.value}{version}"
    if record.remark and not record.remark.startswith("there is no version"):
        yield error(
            identifier.written.place,
            "id.arxiv-error",
            f"arXiv calls the number {shown} of {work.id} an error ({record.checked_at[:10]}): "
            f"{record.remark}.",
            "Correct the number.",
        )
        return
    said = f": {record.remark}" if record.remark else ""
    yield error(
        identifier.written.place,
        "id.not-found",
        f"arXiv does not have {shown} ({work.id}), as of {record.checked_at[:10]}{said}.",
        "Look it up by the title.",
    )


def _no_isbn(work: Work, identifier: Identifier, record: RegistryRecord) -> Iterator[Problem]:
    yield info(
        identifier.written.place,
        "id.not-found",
        f"Open Library does not have the ISBN {identifier.value} of {work.id}, as of "
        f"{record.checked_at[:10]}. It does not have all books.",
        "Compare the fields by hand, and say so in `verified`.",
    )


def _no_page(
    work: Work, identifier: Identifier, record: RegistryRecord, copy: RegistryRecord | None
) -> Iterator[Problem]:
    place, day = identifier.written.place, record.checked_at[:10]
    fix = "Find out where the page has gone, or cite an archived copy in `archive`."
    if copy is not None and copy.archive:
        fix += f" There is one of {copy.archived_at}: {copy.archive}"
    if record.remark is None:
        what = f"The page of {work.id} is gone: it answered {record.status} on {day}."
        yield warning(place, "url.dead", what, fix)
    elif record.remark == "soft 404" and not _names(record.title, work):
        what = (
            f'The page of {work.id} looks like a not-found page: on {day} it said "{record.title}".'
        )
        yield warning(place, "url.soft-404", what, fix)
    elif record.remark != "soft 404":
        what = f"The page of {work.id} leads to {record.url}, a home page, as of {day}."
        yield warning(place, "url.home-page", what, fix)


def _names(title: str | None, work: Work) -> bool:
    """Whether a page names the work, so that it is the page however it sounds."""
    if not title or not work.title:
        return False
    ours = normalise(str(work.title)).text.casefold()
    return len(ours) > 3 and ours in normalise(title).text.casefold()


def _old(view: View) -> Iterator[Problem]:
    age = parse_age(view.pack.max_age or OLD)
    if age is None or view.today >= _NO_CLOCK:
        return
    last = (date.fromisoformat(view.today) - age).isoformat()
    used = {(one.scheme, one.value): (work, one) for work in view.works for one in work.identifiers}
    for record in view.pack.records:
        pair = used.get((record.scheme, record.id))
        if pair is not None and record.checked_at[:10] < last:
            said = _SAID.get(record.registry, record.registry)
            yield info(
                pair[1].written.place,
                "records.stale",
                f"{said} was last asked about {pair[0].id} on {record.checked_at[:10]}.",
                f"Run `researchpack refresh --older-than {view.pack.max_age or OLD}`.",
            )
