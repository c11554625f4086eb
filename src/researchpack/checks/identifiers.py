"""Identifiers are written plainly, and one work stands in the bibliography once.

A DOI stands without a resolver, a label, a final full stop or an escape of LaTeX; an arXiv number
in the style of its year; an ISBN with a right check digit; an address without the parameters that
tell where a reader came from. Whatever its wrapping, an identifier is looked up in its plain form.

Two entries with one identifier are one work, in the ledger, in the .bib file, or one in each:
upper and lower case, a DOI and its address, the DOI of an arXiv work and its number, ten and
thirteen digits of an ISBN are the same. Parts of a book may share its ISBN. Where one work stands
twice on purpose, such as two versions of a preprint, `same_work_as` says so.

Rules: `id.doi-form`, `id.doi-escape`, `id.arxiv-form`, `id.isbn`, `id.issn`, `id.pmid`,
`id.duplicate`, `url.tracking`, `url.form`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.identifiers import canonical
from researchpack.problems import Problem, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Identifier, View, Work

_AREAS: Final = ("id.", "url.")


def check(view: View) -> Iterator[Problem]:
    """What is wrong with the identifiers of one pack, or of one file."""
    for work in view.works:
        yield from (problem for problem in work.problems if problem.rule.startswith(_AREAS))
    yield from _duplicates(view.works)


def _duplicates(works: tuple[Work, ...]) -> Iterator[Problem]:
    first: dict[str, tuple[Work, Identifier]] = {}
    for work in works:
        told = False
        for identifier in work.identifiers:
            other, twin = first.setdefault(canonical(identifier), (work, identifier))
            if other is not work and not told and not _meant(work, other):
                yield _duplicate(work, identifier, other, twin)
                told = True


def _meant(work: Work, other: Work) -> bool:
    """Whether one of the two says that they are the same work."""
    return bool(
        {str(key) for key in work.same_as} & {str(other.id), str(other.entry)}
        or {str(key) for key in other.same_as} & {str(work.id), str(work.entry)}
    )


def _duplicate(work: Work, identifier: Identifier, other: Work, twin: Identifier) -> Problem:
    place, first = work.id.place, other.id.place
    where = f"line {first.line}" if first.path == place.path else f"{first.path}:{first.line}"
    what = f'"{work.id}" is the same work as "{other.id}" on {where}: {canonical(identifier)}.'
    if identifier.version != twin.version and "url" not in (identifier.scheme, twin.scheme):
        what += f" They name {_version(identifier)} and {_version(twin)}."
    if first.path != place.path and other.entry is None:
        return warning(
            first,
            "id.duplicate",
            f'"{other.id}" and the entry "{work.id}" of {place.path} are the same work:'
            f" {canonical(identifier)}.",
            f"Write `bib: {work.id}` in the source.",
            place,
        )
    fix = "Merge the two; when both are wanted, write `same_work_as` in one of them."
    if identifier.scheme == twin.scheme == "doi":
        return error(place, "id.duplicate", what, fix, first)
    return warning(place, "id.duplicate", what, fix, first)


def _version(identifier: Identifier) -> str:
    return f"version {identifier.version}" if identifier.version is not None else "no version"
