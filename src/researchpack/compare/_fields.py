"""The fields of a work, and which comparison each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from researchpack.compare._authors import compare_authors
from researchpack.compare._containers import compare_containers
from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.compare._numbers import compare_numbers
from researchpack.compare._pages import compare_pages
from researchpack.compare._publishers import compare_publishers
from researchpack.compare._titles import compare_titles
from researchpack.compare._years import compare_dates
from researchpack.places import Place
from researchpack.records import FieldState, RegistryRecord

if TYPE_CHECKING:
    from researchpack.records import Work

FieldLook = tuple[str, Place, str, Callable[[RegistryRecord], Finding]]
"""Name, place and value of a field, and how to compare it with a record."""


def fields_of(
    work: Work,
) -> Iterator[FieldLook]:
    """The fields that the work states: name, place, value, and how to compare it."""
    title, subtitle = work.title, work.subtitle
    if title is not None:
        shown = f"{title}: {subtitle}" if subtitle else str(title)
        yield "title", title.place, shown, lambda r: compare_titles(title, subtitle, r)
    if work.authors:
        yield (
            "authors",
            work.authors[0].place,
            "; ".join(work.authors),
            lambda r: compare_creators(work, r),
        )
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
) -> Iterator[FieldLook]:
    volume, issue, pages = work.volume, work.issue, work.pages
    if volume is not None:
        yield "volume", volume.place, volume, lambda r: compare_numbers(volume, r.volume)
    if issue is not None:
        yield "issue", issue.place, issue, lambda r: compare_numbers(issue, r.issue)
    if pages is not None:
        yield "pages", pages.place, pages, lambda r: compare_pages(pages, r.pages)


def _isbn(work: Work) -> Iterator[FieldLook]:
    for identifier in work.identifiers:
        if identifier.scheme == "isbn":
            value = identifier.value
            yield "isbn", identifier.written.place, value, partial(_compare_isbn, value)


def _compare_isbn(value: str, record: RegistryRecord) -> Finding:
    if not record.isbn:
        return unsure(ABSENT)
    known = [_thirteen(isbn) for isbn in record.isbn]
    shown = ", ".join(known)
    if _thirteen(value) in known:
        return confirmed(shown)
    return replace(contradicted(shown), offer=tuple(known) if len(known) == 1 else ())


def _thirteen(isbn: str) -> str:
    """An ISBN in its form of thirteen digits."""
    bare = "".join(char for char in isbn if char.isdecimal() or char in "xX")
    if len(bare) != 10:
        return bare
    digits = f"978{bare[:9]}"
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits))
    return f"{digits}{-total % 10}"


def compare_creators(work: Work, record: RegistryRecord) -> Finding:
    """Editors of a volume are often given as its authors."""
    finding = compare_authors(work.authors, record.authors)
    if finding.state is FieldState.CONFIRMED or not record.editors or work.editors:
        return finding
    as_editors = compare_authors(work.authors, record.editors)
    if as_editors.state is FieldState.CONFIRMED:
        return confirmed(as_editors.theirs or "", "they are the editors")
    return finding
