"""Titles: what has been done to one on its way through catalogues, and what makes it another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.compare._markup import strip_markup
from researchpack.compare._text import (
    ELLIPSIS,
    distance,
    key,
    other_script,
    same_but_accents,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import RegistryRecord

_MARKS: Final = (
    r"retracted(?:\s+(?:article|chapter|paper|manuscript))?"
    r"|retraction(?:\s+(?:notice|note))?(?:\s+(?:to|for|of))?"
    r"|withdrawn(?:\s+(?:article|paper))?|withdrawal(?:\s+notice)?(?:\s+(?:to|of))?"
    r"|(?:temporary\s+)?remov(?:ed|al)(?:\s+notice)?"
    r"|(?:editorial\s+)?expressions?\s+of\s+concern(?:\s+(?:to|for|about|on))?"
    r"|(?:author|publisher)(?:'s|’s)?\s+corrections?(?:\s+(?:to|for))?"
    r"|corrections?(?:\s+(?:to|for))?|corrigend(?:um|a)(?:\s+(?:to|for))?"
    r"|errat(?:um|a)(?:\s+(?:to|for))?|addend(?:um|a)(?:\s+(?:to|for))?"
)
_PREFIX: Final = re.compile(
    rf"\s*(?:[\[(]\s*(?P<inside>{_MARKS})\s*[\])]\s*:?|(?P<open>{_MARKS})\s*[:—–]|(?P<to>(?:"
    r"retraction(?:\s+(?:notice|note))?|expressions?\s+of\s+concern|corrections?|corrigendum"
    r"|erratum|addendum)\s+(?:to|for))\s+(?=[\"“'‘«]))\s*",
    re.IGNORECASE,
)
_SUFFIX: Final = re.compile(
    r"\s*[\[(]\s*(?P<inside>retracted|withdrawn|retracted article|expression of concern)\b"
    r"[^\])]{0,200}[\])]\s*$",
    re.IGNORECASE,
)
_EDITION: Final = re.compile(
    r"\s*[\[(,]\s*(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|revised|new)"
    r"\s+ed(?:ition|n|\.)?\s*[\])]?\s*$",
    re.IGNORECASE,
)
_FOOTNOTE: Final = re.compile(r"[*†‡§¶]+\s*$")
_SUBTITLE: Final = re.compile(r"\s*[:;?!]\s+|\s+[-‐-―]{1,2}\s+|\.\s+|\s*—\s*|\s*[：；？！—]\s*")
_TWO_TITLES: Final = re.compile(r"\s+[=/|]\s+|\s*[\[\]]\s*")
_SITE: Final = re.compile(r"\s+[|·•–—:«»/-]{1,2}\s+|\s*\|\s*")
_LEAST: Final = 10
"""Letters of the start of a title below which it could be the start of many."""


def mark_of(title: str) -> str | None:
    """The mark that a publisher put on the title of a work that is retracted and the like, or on
    that of a notice: `retracted`, `correction to`; None when there is none."""
    match = _PREFIX.match(strip_markup(title))
    match = match or _SUFFIX.search(strip_markup(title))
    if match is None:
        return None
    found = next(words for words in match.groups() if words)
    return " ".join(found.lower().split())


def without_mark(title: str) -> str:
    """The title as it was before the mark."""
    plain = strip_markup(title)
    bare_title = _SUFFIX.sub("", _PREFIX.sub("", plain, count=1))
    return bare_title.strip("\"“”'‘’«» ") if bare_title != plain else plain


def compare_titles(title: str, subtitle: str | None, record: RegistryRecord) -> Finding:
    """Our title, with or apart from its subtitle, against the record's."""
    if not record.title:
        return unsure(ABSENT)
    shown = _joined(strip_markup(record.title), record.subtitle)
    ours = [without_mark(title), *([_joined(without_mark(title), subtitle)] if subtitle else [])]
    theirs = _titles(record)
    for why, left, right in _forms(ours, theirs, record):
        if any(key(one) == key(other) for one in left for other in right):
            return confirmed(shown, why)
    if any(same_but_accents(key(one), key(other)) for one in ours for other in theirs):
        return confirmed(shown, "accents differ")
    return _unequal(ours, theirs, shown)


def _joined(title: str, subtitle: str | None) -> str:
    return f"{title}: {strip_markup(subtitle)}" if subtitle else title


def _titles(record: RegistryRecord) -> list[str]:
    found = []
    for title in (record.title, record.original_title):
        if title:
            main = without_mark(title)
            found += [main, *([_joined(main, record.subtitle)] if record.subtitle else [])]
    return found


def _forms(
    ours: list[str], theirs: list[str], record: RegistryRecord
) -> Iterator[tuple[str | None, list[str], list[str]]]:
    """Ways in which two titles may be the same, from the plainest on."""
    yield None, ours, theirs
    yield "footnote mark left out", _sub(_FOOTNOTE, ours), _sub(_FOOTNOTE, theirs)
    yield "edition left out", _sub(_EDITION, ours), _sub(_EDITION, theirs)
    if record.registry == "page":
        yield "name of the site left out", ours, [p for t in theirs for p in _SITE.split(t)]
    yield "one of two titles", ours, [p for t in theirs for p in _TWO_TITLES.split(t) if p]
    yield "subtitle left out", ours[:1], [_main(title) for title in theirs]
    if record.short_title:
        yield "short title", ours, [record.short_title]


def _sub(pattern: re.Pattern[str], titles: list[str]) -> list[str]:
    return [pattern.sub("", title) or title for title in titles]


def _main(title: str) -> str:
    """What stands before the subtitle, when that is enough to tell the work."""
    main = _SUBTITLE.split(title, maxsplit=1)[0]
    return main if len(key(main)) >= _LEAST else title


def _unequal(ours: list[str], theirs: list[str], shown: str) -> Finding:
    if any(_is_start(one, other) for one in ours for other in theirs):
        return confirmed(shown, "shortened")
    if any(key(_main(one)) == key(other) for one in ours for other in theirs):
        return unsure("the registry has no subtitle", shown)
    if any(_is_start(other, one) for one in ours for other in theirs):
        return unsure("shortened there", shown)
    if all(other_script(one, other) for one in ours for other in theirs):
        return unsure("another language or script there", shown)
    if any(is_typing_slip(one, other) for one in ours for other in theirs):
        return contradicted(shown, "spelling")
    return contradicted(shown)


def _is_start(short: str, full: str) -> bool:
    """Whether `short` ends in an ellipsis and is the beginning of `full`."""
    if not ELLIPSIS.search(short):
        return False
    start = key(ELLIPSIS.sub("", short))
    return len(start) >= _LEAST and key(full).startswith(start)


def is_typing_slip(one: str, other: str) -> bool:
    """Whether two titles differ by a letter or two in one long word; never by a digit or sign."""
    first, second = words(one), words(other)
    if len(first) != len(second) or distance(key(one), key(other), 3) > 3:
        return False
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return bool(pairs) and all(
        min(len(a), len(b)) >= 4 and _is_alphabetic(a + b) and distance(a, b, 2) <= 2
        for a, b in pairs
    )


def _is_alphabetic(word: str) -> bool:
    """Letters only, of a script in which one of them is no word by itself."""
    return word.isalpha() and max(word) < "\u2e80"


def likeness(one: str, other: str) -> float:
    """The share of words that two titles have in common."""
    first, second = set(words(one)), set(words(other))
    return len(first & second) / max(1, min(len(first), len(second)))
