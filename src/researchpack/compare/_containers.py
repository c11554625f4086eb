"""Journals, proceedings and series: abbreviations, several titles, archives that are none."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.compare._lists import word_set
from researchpack.compare._markup import strip_markup
from researchpack.compare._text import (
    bare,
    key,
    other_script,
    same_but_accents,
    words,
)
from researchpack.compare._titles import is_typing_slip

if TYPE_CHECKING:
    from researchpack.records import RegistryRecord

_ARCHIVE: Final = re.compile(
    r"\s*(?:arxiv|corr|computing research repository|biorxiv|medrxiv|chemrxiv|psyarxiv|socarxiv"
    r"|edarxiv|eartharxiv|ssrn|research square|preprints(?:\.org)?|zenodo|hal|osf|figshare"
    r"|techrxiv|repec|eprint archive|cryptology eprint archive)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_SERIES: Final = re.compile(
    r"\b(?:lncs|lnai|lnbip|lecture notes in|pmlr|proceedings of machine learning research|ccis"
    r"|communications in computer and information science|aict|ifip advances|lipics"
    r"|leibniz international proceedings|ceur|ceur-ws|icps|procedia|advances in intelligent"
    r"|springer proceedings|studies in)\b",
    re.IGNORECASE,
)
_MEETING: Final = re.compile(
    r"\b(?:proc|proceedings|conf|conference|symp|symposium|workshop|wksp|congress|meeting"
    r"|colloquium|transactions of the .* conference|advances in|tagung|actes)\b",
    re.IGNORECASE,
)
_SMALL: Final = word_set(
    "the of and for in on a an to with from at by de la le les des du et en der die das und für "
    "del della dei di e y el los las do da dos"
)
_NOISE: Final = word_set(
    "proceedings proc annual international int conference conf symposium symp workshop meeting "
    "acm ieee sigplan usenix first second third fourth fifth sixth seventh eighth ninth tenth "
    "companion extended abstracts on"
)
_ACRONYM: Final = re.compile(r"\(?([A-Z][A-Za-z&/+-]*[A-Z][A-Za-z]*)\)?(?:\s*['’]?\d{2,4})?")
_NO_JOURNAL: Final = "the name of an archive, not of a journal"
_PAREN: Final = re.compile(r"\s*\([^()]*\)")
_SUBTITLE: Final = re.compile(r"\s*[:;=]\s+|\s+[-–—]\s+|\.\s+(?=[A-Z])")


def compare_containers(container: str, record: RegistryRecord) -> Finding:
    """Our container against every title that the record gives for it, in whatever order."""
    theirs = list({key(name): strip_markup(name) for name in reversed(record.containers)}.values())
    theirs.reverse()
    if is_archive(container):
        archive = next((name for name in theirs if is_archive(name)), None)
        return confirmed(archive) if archive else unsure(_NO_JOURNAL, "; ".join(theirs) or None)
    if not theirs:
        return unsure(ABSENT)
    for name in theirs:
        how = _same(container, name)
        if how is not None:
            return confirmed(name, _also(how, [other for other in theirs if other != name]))
    return _unequal(strip_markup(container), theirs)


def is_archive(container: str) -> bool:
    """Whether a container is only the archive that a preprint lies in."""
    return _ARCHIVE.fullmatch(container) is not None


def _also(how: str, others: list[str]) -> str | None:
    listed = f"also listed as {'; '.join(others)}" if others else ""
    return ", ".join(part for part in (how, listed) if part) or None


def _same(ours: str, theirs: str) -> str | None:
    """In which way both name the same; empty for equal, None for not at all."""
    one, other = _key(ours), _key(theirs)
    if one == other:
        return ""
    if same_but_accents(one, other):
        return "accents differ"
    if _key(_PAREN.sub("", ours)) == _key(_PAREN.sub("", theirs)):
        return "addition in brackets left out"
    if is_abbreviation(ours, theirs) or is_abbreviation(theirs, ours):
        return "abbreviated"
    if one in _mains(theirs) or other in _mains(ours):
        return "subtitle left out"
    if _meets(ours, theirs):
        return "the same meeting"
    return None


def _key(name: str) -> str:
    folded = [word for word in words(name) if word not in ("the", "and", "und", "et")]
    return key(" ".join(folded) or name)


def _mains(name: str) -> list[str]:
    """The main title, when there is a subtitle and the main title is more than a word.

    `Physics: A Journal` is not Physics, and Nature Communications is not Nature.
    """
    main = _SUBTITLE.split(name, maxsplit=1)[0]
    return [_key(main)] if main != name and len(words(main)) > 1 else []


def is_abbreviation(short: str, full: str) -> bool:
    """Whether every word of `short` shortens the words of `full` in order: `J. Demo Res.`.

    As in ISO 4: the end of a word, or letters inside it, are left out (`Natl.`), small words too.
    """
    cut = [word for word in words(_PAREN.sub("", short)) if word not in _SMALL]
    whole = [word for word in words(_PAREN.sub("", full)) if word not in _SMALL]
    if len(cut) == 1 and _is_initials(short, full):
        return True
    if len(cut) != len(whole) or not cut:
        return False
    return cut != whole and all(map(_shortens, cut, whole))


def _is_initials(short: str, full: str) -> bool:
    letters = strip_markup(short).strip()
    if len(letters) < 3 or not letters.isupper() or not letters.isalpha():
        return False
    every = [word[0] for word in words(full)]
    large = [word[0] for word in words(full) if word not in _SMALL]
    return letters.lower() in ("".join(every), "".join(large))


def _shortens(cut: str, whole: str) -> bool:
    cut, whole = bare(cut), bare(whole)
    if whole.startswith(cut):
        return True
    if not whole.startswith(cut[:1]) or len(cut) < 2:
        return False
    rest = iter(whole)
    return len(cut) < len(whole) and all(char in rest for char in cut)


def _meets(ours: str, theirs: str) -> bool:
    """Whether two names of proceedings differ in numbers, years, sponsors and the like only."""
    if not (_MEETING.search(ours) or _MEETING.search(theirs)):
        return False
    mine, other = _subject(ours), _subject(theirs)
    return bool(mine) and len(mine) == len(other) and all(map(_near, mine, other))


def _near(one: str, other: str) -> bool:
    return one == other or _shortens(one, other) or _shortens(other, one)


def _subject(name: str) -> list[str]:
    return [
        word
        for word in words(_PAREN.sub("", name))
        if word not in _SMALL
        and word not in _NOISE
        and not re.fullmatch(r"\d+(?:st|nd|rd|th)?|[ivx]+|'?\d\d", word)
    ]


def _unequal(ours: str, theirs: list[str]) -> Finding:
    shown = "; ".join(theirs)
    if all(map(is_archive, theirs)):
        return unsure(_NO_JOURNAL, shown)
    if all(other_script(ours, name) for name in theirs):
        return unsure("another language or script there", shown)
    if _SERIES.search(ours) or all(_SERIES.search(name) for name in theirs):
        return unsure("a series on one side", shown)
    if any(_ACRONYM.fullmatch(name.strip()) for name in (ours, *theirs)):
        return unsure("an acronym on one side", shown)
    if any(_may_be_one_meeting(ours, name) for name in theirs):
        return unsure("the meeting is named otherwise", shown)
    slip = "spelling" if any(is_typing_slip(ours, name) for name in theirs) else None
    return replace(contradicted(shown, slip), offer=(theirs[0],))


def _may_be_one_meeting(ours: str, theirs: str) -> bool:
    if not (_MEETING.search(ours) and _MEETING.search(theirs)):
        return False
    mine, other = set(_subject(ours)), set(_subject(theirs))
    if not mine or not other:
        return True
    matched = sum(any(_near(word, there) for there in other) for word in mine)
    return matched * 2 >= min(len(mine), len(other))
