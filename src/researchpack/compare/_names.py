"""One person's name against another spelling of it.

A written name has several readings: which words are the family name cannot be told from the words
alone (`Ma Yan`, `Silvio García Márquez`). All readings are tried, and the best one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from researchpack.compare._bodies import body_key, is_body
from researchpack.compare._given import Given, compare_given, fold, initials_only, words_of
from researchpack.compare._lists import word_set
from researchpack.compare._markup import strip_markup
from researchpack.compare._text import bare, distance, key, same_but_accents, scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Name

PARTICLES: Final = word_set(
    "van von vom der den de del della dello di da do dos das du la le les lo ter ten te 't zu zum "
    "zur zer af av al el ibn bin bint abu st san santa y e und op aan het"
)
_SUFFIXES: Final = word_set(
    "jr jnr sr snr ii iii iv 2nd 3rd 4th filho junior senior phd md dphil esq msc dr prof"
)
_MOST_WORDS: Final = 12


class Match(IntEnum):
    """How far two names are the same; the smaller the nearer."""

    SAME = 0
    NOTED = 1
    """The same, with a difference worth a note."""
    UNSURE = 2
    """They cannot be compared."""
    SPELLING = 3
    """The family names differ by a letter, the given names agree."""
    GIVEN = 4
    """The family names agree, the given names do not."""
    OTHER = 5


@dataclass(frozen=True, slots=True)
class Likeness:
    """The result for one pair of names."""

    match: Match
    notes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A name taken apart in one way: folded words of the family name, given names as written."""

    family: tuple[str, ...]
    given: tuple[str, ...]
    particles: frozenset[str] = frozenset()
    suffix: str = ""
    whole: str = ""
    """The family name with its particles, as one word: `De Vries` is DeVries."""
    sure: bool = True
    """Whether somebody said which words are the family name."""
    swapped: bool = False


def shown_name(name: Name) -> str:
    """A name of a record as it would be printed."""
    parts = (name.given, name.particle, name.family, name.suffix)
    return name.literal or " ".join(part for part in parts if part)


def compare_name(written: str, name: Name) -> Likeness:
    """A name as the author wrote it against one of a record."""
    shown = strip_markup(shown_name(name))
    written = strip_markup(written)
    orders = (shown, f"{name.family}{name.given}")  # the second one as in Chinese
    if "," not in written and key(written) in map(key, orders):
        return Likeness(Match.SAME)
    if scripts(written) and scripts(shown) and not scripts(written) & scripts(shown):
        return Likeness(Match.UNSURE, frozenset({"another script there"}))
    if name.literal and (is_body(written) or is_body(name.literal)):
        return _compare_bodies(written, shown)
    best = Likeness(Match.OTHER)
    theirs = list(_readings_of(name))
    for mine in _readings(written):
        for other in theirs:
            found = _compare(mine, other)
            if (found.match, len(found.notes)) < (best.match, len(best.notes)):
                best = found
    return best


def _compare_bodies(written: str, shown: str) -> Likeness:
    one, other = body_key(written), body_key(shown)
    if one == other or same_but_accents(one, other):
        return Likeness(Match.SAME)
    if min(len(one), len(other)) >= 6 and (one in other or other in one):
        return Likeness(Match.NOTED, frozenset({"a body under a shorter name"}))
    return Likeness(Match.OTHER)


def has_suffix(written: str) -> bool:
    """Whether a part between commas is `Jr.` and the like."""
    parts = (words_of(part) for part in written.split(","))
    return any(words and all(fold(word) in _SUFFIXES for word in words) for words in parts)


def _readings_of(name: Name) -> Iterator[_Reading]:
    if not name.family:
        yield from _readings(shown_name(name))
        return
    family = words_of(f"{name.particle} {name.family}")
    yield _reading(family, words_of(name.given), name.suffix)


def _readings(written: str) -> Iterator[_Reading]:
    parts = [part.strip() for part in written.split(",")]
    parts = [part for part in parts if part]
    suffix = next((p for p in parts[1:] if all(fold(w) in _SUFFIXES for w in words_of(p))), "")
    if suffix:
        parts.remove(suffix)
    if len(parts) == 2:
        yield _reading(words_of(parts[0]), words_of(parts[1]), suffix)
        return
    words = words_of(written if len(parts) != 1 else parts[0])
    while len(words) > 2 and fold(words[-1]) in _SUFFIXES:
        suffix = words.pop()
    if len(words) > _MOST_WORDS:
        return
    for at in range(len(words) - 1, 0 if len(words) > 1 else -1, -1):
        yield _reading(words[at:], words[:at], suffix, sure=False)
    for at in range(1, len(words)):  # Ma Yan; also Smith JD
        yield _reading(words[:at], words[at:], suffix, sure=False, swapped=True)


def _reading(
    family: list[str], given: list[str], suffix: str, *, sure: bool = True, swapped: bool = False
) -> _Reading:
    """The parts without particles and suffixes, wherever they were put."""
    folded = [fold(word) for word in family]
    while len(folded) > 1 and folded[-1] in _SUFFIXES:
        suffix = folded.pop()
    start = 0
    while start < len(folded) - 1 and folded[start] in PARTICLES:
        start += 1
    end = len(given)
    while end > 1 and len(given[end - 1]) > 1 and fold(given[end - 1]) in PARTICLES:
        end -= 1
    particles = [*folded[:start], *(fold(word) for word in given[end:])]
    kept = [word for word in given[:end] if fold(word) not in ("jr", "sr", "iii", "phd", "md")]
    return _Reading(
        family=tuple(folded[start:]),
        given=tuple(kept),
        particles=frozenset(particles),
        suffix=fold("".join(words_of(suffix))),
        whole="".join([*(fold(word) for word in given[end:]), *folded]),
        sure=sure,
        swapped=swapped,
    )


def _compare(mine: _Reading, other: _Reading) -> Likeness:
    family = _compare_families(mine, other)
    if family is None:
        return _swapped(mine, other)
    given, notes = compare_given(mine.given, other.given), set(family.notes)
    if given is Given.OTHER:
        said = family.match <= Match.NOTED and not mine.swapped
        return Likeness(Match.GIVEN if said else Match.OTHER)
    if given is Given.ACCENTS:
        notes.add("accents differ")
    if given in (Given.SHORT, Given.SPELLING):
        notes.add(given.value)
    notes |= _dressing(mine, other)
    if mine.swapped and not initials_only(mine.given) and mine.given:
        notes.add("the family name stands first")
    match = max(family.match, Match.NOTED) if notes else family.match
    return Likeness(match, frozenset(notes))


def _dressing(mine: _Reading, other: _Reading) -> set[str]:
    notes = set()
    if mine.particles != other.particles and mine.whole != other.whole:
        notes.add("particles differ")
    if mine.suffix != other.suffix:
        notes.add("suffix on one side only" if not (mine.suffix and other.suffix) else "suffix")
    return notes


def _swapped(mine: _Reading, other: _Reading) -> Likeness:
    """Both said which words are the family name, and said the opposite."""
    if mine.sure and other.sure and mine.given and other.given:
        turned = _Reading(tuple(map(fold, mine.given)), mine.family)
        if turned.family == other.family and tuple(map(fold, other.given)) == mine.family:
            return Likeness(Match.NOTED, frozenset({"given and family name are swapped"}))
    return Likeness(Match.OTHER)


def _compare_families(mine: _Reading, other: _Reading) -> Likeness | None:
    """None when the family names are not the same."""
    one, two = "".join(mine.family), "".join(other.family)
    if one == two or mine.whole == other.whole:
        return Likeness(Match.SAME)
    if same_but_accents(one, two):
        return Likeness(Match.NOTED, frozenset({"accents differ"}))
    if _is_part(mine, other) or _is_part(other, mine):
        return Likeness(Match.NOTED, frozenset({"part of a double name"}))
    if min(len(one), len(two)) >= 5 and distance(bare(one), bare(two), 1) == 1:
        return Likeness(Match.SPELLING)
    return None


def _is_part(short: _Reading, full: _Reading) -> bool:
    """Whether one has a part of the other's double name.

    Of a name that nobody took apart only its beginning can be meant: what stands before the last
    word may as well be a middle name.
    """
    size = len(short.family)
    if not short.given or not full.given or size >= len(full.family):
        return False
    if min(map(len, full.family)) < 3:
        return False
    one, other = bare("".join(short.family)), [bare(word) for word in full.family]
    return one == "".join(other[:size]) or (full.sure and one == "".join(other[-size:]))
