"""What is wrong with a list of names in a `.bib` file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.formats.names import is_suffix, is_truncation, parts_at
from researchpack.latex import plain_text
from researchpack.problems import Problem, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import BibField

_JOINED: Final = re.compile(r";|\s\\?&\s")
"""What some people write between names instead of the word and."""


def name_problems(field: BibField) -> Iterator[Problem]:
    """Names that BibTeX reads in another way than they are meant."""
    names = parts_at(field.raw, "and")
    if not field.raw.strip():
        return
    if not all(names):
        yield error(
            field.raw.place,
            "bib.names",
            f'A name is missing beside an "and" in "{field.name}".',
            'Write "and" between two names only.',
        )
    for at, name in enumerate(names):
        yield from _one(field, name, is_last=at == len(names) - 1)


def _one(field: BibField, name: str, *, is_last: bool) -> Iterator[Problem]:
    words = " ".join(name.split())
    if not words:
        return
    if is_truncation(words):
        if words != "others" or not is_last:
            yield _others(field, words)
    elif re.search(r"\bet\.?\s+al\b", words, re.IGNORECASE):
        yield _others(field, words)
    elif _JOINED.search(re.sub(r"\{[^{}]*\}|&\w+;", "", words)):
        yield _separators(field, words, [p for p in _JOINED.split(words) if p.strip()])
    else:
        yield from _commas(field, words)


def _others(field: BibField, words: str) -> Problem:
    return warning(
        field.raw.place,
        "bib.names",
        f'"{plain_text(words)}" is read as a name.',
        "Where names are left out, end the list with `and others`.",
    )


def _separators(field: BibField, words: str, parts: list[str]) -> Problem:
    wanted = " and ".join(" ".join(part.split()) for part in parts)
    return error(
        field.raw.place,
        "bib.names",
        f'"{plain_text(words)}" is read as one person.',
        f"Names are joined by the word and: `{wanted}`.",
    )


def _commas(field: BibField, words: str) -> Iterator[Problem]:
    parts = parts_at(words, ",")
    if not all(parts):
        yield error(
            field.raw.place,
            "bib.names",
            f'A comma in "{plain_text(words)}" has no name on one side.',
            "Write `Family, Given`, and the word and between two persons.",
        )
        return
    if len(parts) == 2 and is_suffix(plain_text(parts[1])):
        given = parts[0].split()
        wanted = f"{given[-1]}, {parts[1]}, {' '.join(given[:-1])}"
        yield warning(
            field.raw.place,
            "bib.names",
            f'"{plain_text(words)}" is read as a person with the given name "{parts[1]}".',
            f"Write `{wanted}`.",
        )
    elif len(parts) > 3 or (len(parts) == 3 and not is_suffix(plain_text(parts[1]))):
        yield _separators(field, words, _persons(parts))


def _persons(parts: list[str]) -> list[str]:
    """The persons that were probably meant: `A B, C D`, or `B, A, D, C` in pairs."""
    if len(parts) % 2 == 0 and any(" " not in part for part in parts[::2]):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    return parts
