"""`crossref` and `xdata`: what an entry takes over from others, as BibTeX and biblatex do it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from researchpack.formats._shared import word_set
from researchpack.places import Text
from researchpack.problems import Problem, error, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import BibEntry, BibField

_PARTS: Final = word_set(
    "inbook bookinbook suppbook incollection suppcollection inproceedings conference inreference"
    " article suppperiodical"
)
"""Types whose title is never the title of what they stand in."""
_IN_A_BOOK: Final = {
    "title": "booktitle",
    "subtitle": "booksubtitle",
    "titleaddon": "booktitleaddon",
}
_IN_A_JOURNAL: Final = {"title": "journaltitle", "subtitle": "journalsubtitle"}
_OWN: Final = word_set(
    "crossref xref xdata entryset ids related key label options presort sortkey shorthand"
    " doi url urldate eprint eprinttype eprintclass archiveprefix primaryclass isbn pmid"
    " pages abstract keywords file note annote annotation same_work_as"
)
"""What is of one work alone. An identifier of the whole is none of its parts."""


def with_inherited(entries: tuple[BibEntry, ...]) -> tuple[tuple[BibEntry, ...], list[Problem]]:
    """The entries with what they inherit, and what they point at in vain."""
    by_key = {entry.key.lower(): entry for entry in entries}
    problems = [
        _missing(key, by_key)
        for entry in entries
        for key in _targets(entry)
        if key.lower() not in by_key
    ]
    if not any(entry.field("crossref") or entry.field("xdata") for entry in entries):
        return entries, problems
    return tuple(
        replace(entry, inherited=_inherited(entry, by_key, frozenset())) for entry in entries
    ), problems


def _targets(entry: BibEntry) -> Iterator[Text]:
    for name in ("xdata", "crossref"):
        field = next((field for field in entry.fields if field.name == name), None)
        if field is not None:
            for key in field.value.split(","):
                if key.strip():
                    yield Text(key.strip(), field.value.place)


def _missing(key: Text, by_key: dict[str, BibEntry]) -> Problem:
    near = nearest(key, [str(entry.key) for entry in by_key.values()])
    return error(
        key.place,
        "bib.crossref",
        f'There is no entry "{key}" from which fields could be taken over.',
        f'Did you mean "{near}"?' if near is not None else "Add it, or write the fields out.",
    )


def _inherited(
    entry: BibEntry, by_key: dict[str, BibEntry], seen: frozenset[str]
) -> tuple[BibField, ...]:
    """Fields of the entries that `entry` points at, the nearest first, each name once."""
    found: dict[str, BibField] = {}
    own = {str(field.name) for field in entry.fields}
    for key in _targets(entry):
        parent = by_key.get(key.lower())
        if parent is None or key.lower() in seen or parent is entry:
            continue
        further = _inherited(parent, by_key, seen | {entry.key.lower()})
        for field in _passed_on(entry, parent, (*parent.fields, *further)):
            if field.name not in own:
                found.setdefault(field.name, field)
    return tuple(found.values())


def _passed_on(
    entry: BibEntry, parent: BibEntry, fields: tuple[BibField, ...]
) -> Iterator[BibField]:
    if parent.type == "xdata":
        yield from (field for field in fields if field.name not in ("crossref", "xdata"))
        return
    names = {}
    if entry.type in _PARTS and parent.type != entry.type:
        names = _IN_A_JOURNAL if parent.type == "periodical" else _IN_A_BOOK
    # a parent that says `booktitle` itself says how its parts should call it
    for field in sorted(fields, key=lambda field: field.name in names):
        if field.name not in _OWN:
            name = names.get(field.name, str(field.name))
            yield replace(field, name=Text(name, field.name.place))
