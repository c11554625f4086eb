"""Given names: in full, as initials, glued, shortened, or another person's."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum
from typing import Final

from researchpack.compare._text import bare, distance, same_but_accents

_SHORT: Final = tuple(
    frozenset(group.split())
    for group in (
        "robert bob rob bobby bert",
        "william bill will billy liam",
        "richard dick rick rich ricky",
        "james jim jimmy jamie",
        "john jack johnny jon",
        "jonathan jon john",
        "michael mike mick misha",
        "edward ed ted eddie ned",
        "theodore ted theo",
        "anthony tony antony",
        "thomas tom tommy",
        "charles charlie chuck",
        "henry harry hank",
        "lawrence larry laurence",
        "andrew andy drew",
        "stephen steve steven stefan",
        "geoffrey jeff jeffrey geoff",
        "joseph joe",
        "david dave",
        "daniel dan danny",
        "samuel sam",
        "peter pete",
        "kenneth ken",
        "donald don",
        "ronald ron",
        "gerald jerry gerry",
        "francis frank fran",
        "franklin frank",
        "alexander alex sasha sandy alexandra",
        "elizabeth liz beth betty lisa eliza",
        "margaret peggy maggie meg greta",
        "katherine kate kathy katie catherine cathy kathryn",
        "patricia pat patty tricia",
        "patrick pat paddy",
        "susan sue susanna susie",
        "deborah debbie debora",
        "jennifer jen jenny",
        "rebecca becky",
        "barbara barb",
        "dorothy dot dolly",
        "victoria vicky",
        "nicholas nick niklas nicolas",
        "benjamin ben",
        "matthew matt",
        "gregory greg",
        "timothy tim",
        "philip phil phillip",
        "leonard len leo",
        "eugene gene",
        "vladimir volodya",
        "dmitri dmitry dima dmitriy",
        "sergey sergei sergej",
        "yuri yury juri iurii",
        "johannes hans johann",
        "maximilian max",
        "walter walt",
        "zachary zack zach",
        "albert al bert",
        "frederick fred friedrich fritz",
    )
)


class Given(Enum):
    """What two sets of given names come to; the value is the note."""

    SAME = "the same"
    INITIALS = "initials on one side"
    ABSENT = "none on one side"
    ACCENTS = "accents differ"
    SHORT = "a short form of the given name"
    SPELLING = "the given name is spelled otherwise"
    OTHER = "another given name"


_ORDER: Final = tuple(Given)


def compare_given(mine: tuple[str, ...], other: tuple[str, ...]) -> Given:
    """Given names, as written, against others. Initials agree with whatever begins with them."""
    if not mine or not other:
        return Given.SAME if mine == other else Given.ABSENT
    return min(
        (_align(one, two) for one in _forms(mine, len(other)) for two in _forms(other, len(mine))),
        key=_ORDER.index,
    )


def initials_only(given: tuple[str, ...]) -> bool:
    """Whether the given names are initials, glued ones (`JD`) included."""
    return all(len(word) == 1 or (len(word) <= 3 and word.isupper()) for word in given)


def _forms(given: tuple[str, ...], names_there: int) -> list[list[str]]:
    """The folded words as they stand, and with glued initials taken apart."""
    plain = [fold(word) for word in given]
    forms = [plain]
    split = [list(word) if _is_glued(word, names_there) else [word] for word in given]
    if any(len(parts) > 1 for parts in split):
        forms.append([fold(part) for parts in split for part in parts])
    return forms


def _is_glued(word: str, names_there: int) -> bool:
    """`JD`, `JRR`; a word that could be a name in capitals only when there are several names."""
    if not word.isupper() or not 1 < len(word) <= 4:
        return False
    return len(word) == 2 or names_there > 1 or not set(word) & set("AEIOUY")


def words_of(name: str) -> list[str]:
    """The words of a name as written; hyphens and full stops part words, apostrophes do not."""
    plain = unicodedata.normalize("NFC", name)
    plain = re.sub(r"(?<!\w)['’ʼ]t\b", "'t", plain)
    return re.sub(
        r"[.\s,;\u00a0‐‑‒–·・-]+", " ", re.sub(r"(?<=\w)['’ʼ`´](?=\w)", "", plain)
    ).split()


def fold(word: str) -> str:
    """A word without case; the dotted capital I is an i."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())
    return folded.replace("i\u0307", "i")


def _align(one: list[str], two: list[str]) -> Given:
    """The worst pair when the shorter list is found in the longer one, in order."""
    if same_but_accents("".join(one), "".join(two)):  # Xiao-Ming is Xiaoming
        return Given.SAME if "".join(one) == "".join(two) else Given.ACCENTS
    short, full = (one, two) if len(one) <= len(two) else (two, one)
    worst, at = Given.SAME, 0
    for number, name in enumerate(short):
        while at < len(full):
            found = _pair(name, full[at])
            at += 1
            # A middle name may be left out. A first one only where nothing else is said, or the
            # other is written in full: `Kenneth` and `K.` are `J. Kenneth`.
            sure = number or at == 1 or len(short) == len(name) == 1 or _certain(name, found)
            if found is not Given.OTHER and sure:
                break
        else:
            return Given.OTHER
        worst = max(worst, found, key=_ORDER.index)
    return worst


def _certain(name: str, found: Given) -> bool:
    return len(name) > 1 and found in (Given.SAME, Given.ACCENTS)


def _pair(one: str, two: str) -> Given:
    if one == two:
        return Given.SAME
    if same_but_accents(one, two):
        return Given.ACCENTS
    one, two = bare(one), bare(two)
    if len(one) == 1 or len(two) == 1:
        return Given.INITIALS if one[:1] == two[:1] else Given.OTHER
    if any(one in group and two in group for group in _SHORT) or _is_short(one, two):
        return Given.SHORT
    if min(len(one), len(two)) >= 5 and one[0] == two[0] and distance(one, two, 1) == 1:
        return Given.SPELLING
    return Given.OTHER


def _is_short(one: str, two: str) -> bool:
    """`Rob` for `Robert`, `Chr` for `Christian`."""
    short, full = sorted((one, two), key=len)
    return len(short) >= 3 and full.startswith(short)
