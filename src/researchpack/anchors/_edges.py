"""Where a passage cuts into a word or a number, so that it says something else than the whole.

`able` stands in `unable`, `4x` in `64x`, `zero` in `non-zero` and `can` in `can't`: the same
characters, and another statement.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NEGATED: Final = re.compile(r"\b(?:non|un|in|anti)-$")
_UNSPACED: Final = (
    ("\u0e00", "\u0eff"),  # Thai, Lao
    ("\u1000", "\u109f"),  # Burmese
    ("\u1780", "\u17ff"),  # Khmer
    ("\u2e80", "\ud7a3"),  # Chinese, Japanese, and Korean, whose particles follow without a space
    ("\uf900", "\ufaff"),
    ("\uff66", "\uff9f"),
    ("\U00020000", "\U0003ffff"),
)
"""Scripts that do not separate words, so that nothing can be told from the neighbours."""


def is_cut(text: str, at: int) -> bool:
    """Whether a word or a number goes on across `at`."""
    if not 0 < at < len(text):
        return False
    before, behind = text[at - 1], text[at]
    if splits_letter(text, at):
        return True
    if _letter(before) and _letter(behind):
        return True
    if _letter(behind):
        return _goes_on_before(text, at, before, behind)
    return _letter(before) and _goes_on_behind(text, at, before, behind)


def splits_letter(text: str, at: int) -> bool:
    """Whether an accent stands at `at`, which belongs to the letter before it."""
    return 0 < at < len(text) and unicodedata.category(text[at]).startswith("M")


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch grown to the ends of the words and numbers that it cuts."""
    while start > 0 and is_cut(text, start):
        start -= 1
    while end < len(text) and is_cut(text, end):
        end += 1
    return start, end


def _goes_on_before(text: str, at: int, before: str, behind: str) -> bool:
    """Whether what stands before the mark at `at - 1` belongs to the word behind it."""
    further = text[at - 2 : at - 1]
    if before in ".,":
        return behind.isdigit() and further.isdigit()
    if before == "_":
        return further.isalnum()
    if before in "-+−" and behind.isdigit() and not further.isalnum():
        return True  # a sign
    return before == "-" and bool(_NEGATED.search(text[max(0, at - 6) : at].lower()))


def _goes_on_behind(text: str, at: int, before: str, behind: str) -> bool:
    """Whether what stands behind the mark at `at` belongs to the word before it."""
    further = text[at + 1 : at + 2]
    if behind in ".,":
        return before.isdigit() and further.isdigit()
    if behind == "_":
        return further.isalnum()
    if behind == "%":
        return before.isdigit()
    return behind in "'’" and further in ("t", "T") and not text[at + 2 : at + 3].isalnum()


def _letter(char: str) -> bool:
    return char.isalnum() and not any(first <= char <= last for first, last in _UNSPACED)
