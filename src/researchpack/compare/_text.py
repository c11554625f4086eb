"""What titles, names and journals are compared by: keys that keep meaning and drop dress."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from researchpack.compare._lists import word_list
from researchpack.compare._markup import strip_markup

_PLAIN_LETTERS: Final = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
    "ŧ": "t", "ŋ": "ng", "ß": "ss", "ə": "e",
}  # fmt: skip
_DIGRAPHS: Final = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
_KEPT: Final = frozenset("+#%*@")
_BETWEEN_DIGITS: Final = frozenset("./-")
_DROPPED: Final = frozenset("™®©^~`$|<>")
_GREEK: Final = {
    chr(0x3B1 + at): name
    for at, name in enumerate(
        word_list(
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi "
            "rho sigma sigma tau upsilon phi chi psi omega"
        )
    )
}
_DASH: Final = re.compile(r"[‐‑‒–—―−⁄∕]")
_LONG: Final = 400
ELLIPSIS: Final = re.compile(r"\s*(?:…|\.{3,}|\[\s*(?:…|\.{3,})\s*\])\s*$")


@lru_cache(maxsize=4096)
def key(text: str) -> str:
    """The letters, digits and meaningful signs of `text`, without case and space.

    Every script and every accent is kept; so are mathematics, `C++`, `A*`, and what stands between
    digits. What has nothing but other signs is kept as it is: nothing is equal to nothing.
    """
    plain = strip_markup(text)
    for sign in "™®©":
        plain = plain.replace(sign, "")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold())
    folded = _DASH.sub(lambda match: "/" if match[0] in "⁄∕" else "-", folded)
    kept = "".join(_kept(folded, at) for at in range(len(folded)))
    return kept or "".join(folded.split())


def _kept(text: str, at: int) -> str:
    char = text[at]
    if char in _GREEK:
        around = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
        return char if any(_is_greek(other) for other in around) else _GREEK[char]
    if char.isalnum() or unicodedata.category(char)[0] == "M" or char in _KEPT:
        return char
    if char == "&":
        return "and"
    if char in _BETWEEN_DIGITS and text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit():
        return char
    if char not in _DROPPED and unicodedata.category(char) in ("Sm", "So", "Sc"):
        return char
    return ""


def _is_greek(char: str) -> bool:
    return "\u0370" <= char <= "\u03ff" or "\u1f00" <= char <= "\u1fff"


@lru_cache(maxsize=4096)
def bare(folded: str) -> str:
    """A folded text without accents: Latin, Greek and Cyrillic only, for in other scripts marks
    are letters."""
    kept: list[str] = []
    for char in unicodedata.normalize("NFD", folded):
        if unicodedata.category(char) == "Mn":
            if not kept or not _has_accents(kept[-1][-1]):
                kept.append(char)
        else:
            kept.append(_PLAIN_LETTERS.get(char, char))
    return unicodedata.normalize("NFC", "".join(kept))


def _has_accents(char: str) -> bool:
    return char < "\u0530" or "\u1e00" <= char <= "\u1fff"


@lru_cache(maxsize=4096)
def spelled(folded: str) -> str:
    """A folded text with ö as oe and the like: the other way to do without accents."""
    composed = unicodedata.normalize("NFC", folded)
    return bare("".join(_DIGRAPHS.get(char, char) for char in composed))


def same_but_accents(one: str, other: str) -> bool:
    """Whether two folded texts are equal when accents are left out in one way or the other."""
    if bare(one) == bare(other):
        return True
    return spelled(one) in (bare(other), spelled(other)) or bare(one) == spelled(other)


_LATIN: Final = frozenset({"LATIN"})


def scripts(text: str) -> frozenset[str]:
    """The scripts of the letters of `text`; the Japanese and Chinese ones are one."""
    if text.isascii():
        return _LATIN if any(map(str.isalpha, text)) else frozenset()
    found = set()
    for char in set(text):
        if not char.isalpha():
            continue
        name = unicodedata.name(char, "").split(" ")[0].split("-")[0]
        found.add("HAN" if name in ("CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH") else name)
    return frozenset(found)


def other_script(one: str, other: str) -> bool:
    """Whether two texts share no script, so that they cannot be compared."""
    first, second = scripts(one), scripts(other)
    return bool(first) and bool(second) and not first & second


def distance(one: str, other: str, most: int) -> int:
    """How many letters were put in, left out, replaced, or swapped with their neighbour; `most + 1`
    when more, and for texts that are too long to be compared letter by letter."""
    if abs(len(one) - len(other)) > most or len(one) > _LONG:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row, before_last = row, [i], before
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        before = last
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The folded words of `text`; marks that belong to a letter stay with it."""
    plain = unicodedata.normalize("NFKC", strip_markup(text)).casefold().replace("&", " and ")
    kept = (char if _in_word(char) else " " for char in plain)
    return tuple(word for part in "".join(kept).split() if (word := part.strip("'’")))


def _in_word(char: str) -> bool:
    return char.isalnum() or char in "'’" or unicodedata.category(char)[0] == "M"
