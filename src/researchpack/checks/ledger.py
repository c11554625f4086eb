"""A source says what it is, how deep it was read, and when; what is cited says what it cites.

An entry needs a title, a reading status, and `accessed` (the day its own address was opened) or
`copy` (when a copy was read instead). A source that the chapter itself cites, because it has a
key in the book's bibliography, and that is silent on the claim for which it is cited is a wrong
citation. Keys of the bibliography and of the ledger belong together.

Rules: `ledger.title`, `ledger.reading-status`, `ledger.accessed-or-copy`, `ledger.copy`,
`ledger.address`, `claims.wrong-citation`, `ledger.bib-key`, `bib.not-in-ledger`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.problems import Problem, did_you_mean, error, info, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Source, View


def check(view: View) -> Iterator[Problem]:
    """What is missing from the ledger of one pack, and what does not fit."""
    for source in view.pack.sources:
        yield from _missing(source)
        yield from _copy(source)
        yield from _silent(source)
    yield from _bibliography(view)


def _missing(source: Source) -> Iterator[Problem]:
    if source.title is None:
        what = f"Source {source.id} has no title."
        yield error(source.id.place, "ledger.title", what, "Add `title: …`.")
    if source.reading_status is None:
        yield error(
            source.id.place,
            "ledger.reading-status",
            f"Source {source.id} does not say how deep it was read.",
            "Add `reading_status`, such as full_text, abstract_only or not_accessible.",
        )
    if source.accessed is None and source.copy is None:
        yield error(
            source.id.place,
            "ledger.accessed-or-copy",
            f"Source {source.id} has neither `accessed` nor `copy`.",
            "Add the day on which its address was opened, or the copy that was read.",
        )
    if source.url is not None and not source.url.lower().startswith(("http://", "https://")):
        yield error(
            source.url.place,
            "ledger.address",
            f'"{source.url}" is not a web address.',
            "Write it with https://, or leave `url` out and say in `limitations` what is known.",
        )


def _copy(source: Source) -> Iterator[Problem]:
    copy = source.copy
    if copy is None:
        return
    if copy.date is None:
        what = f"The copy of source {source.id} does not say when it was read."
        yield error(copy.place, "ledger.copy", what, "Add `date`.")
    if copy.url is None and copy.file is None:
        yield error(
            copy.place,
            "ledger.copy",
            f"The copy of source {source.id} has neither `url` nor `file`.",
            "Add one; when the address of the copy was not kept, write `url: not kept`.",
        )


def _silent(source: Source) -> Iterator[Problem]:
    if source.bib is None:
        return
    for bearing in source.bears_on:
        if bearing.relation == "silent":
            yield warning(
                bearing.relation.place,
                "claims.wrong-citation",
                f"The chapter cites {source.id}, which is silent on claim {bearing.claim}.",
                "Propose a source that says it, or a change of the sentence.",
            )


def _bibliography(view: View) -> Iterator[Problem]:
    pack = view.pack
    if pack.book.bibliography is None or not pack.bibliography_read:
        return
    keys = {str(entry.key): entry.key for entry in pack.bibliography if entry.type != "xdata"}
    used = set()
    for source in pack.sources:
        if source.bib is None:
            continue
        used.add(str(source.bib))
        if source.bib not in keys:
            yield error(
                source.bib.place,
                "ledger.bib-key",
                f'"{source.bib}" is not a key of {pack.book.bibliography}.',
                did_you_mean(source.bib, keys),
            )
    if pack.sources and not pack.is_broken("sources.yaml"):
        for key, place in keys.items():
            if key not in used:
                yield info(
                    place.place,
                    "bib.not-in-ledger",
                    f'No source of {pack.name} points at the entry "{key}".',
                    "Add `bib: …` to its source, if the chapter cites it.",
                )
