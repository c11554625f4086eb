"""What changes of both kinds of files share."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.problems import Problem

BOM: Final = "\ufeff"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class CannotWrite(Exception):
    """The change cannot be made so that nothing else changes; its words are a whole sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A stretch of a text and what replaces it."""

    start: int
    end: int
    new: str
    where: tuple[int | str, str]
    """Number of the entry in the ledger, or its key in the .bib file, and the name of the field."""
    value: str | tuple[str, ...]
    """What the field then says."""
    shown: tuple[str, str] = ("", "")
    """The whole value before and after, as it stands in the file."""


def opened(data: bytes, path: str) -> tuple[str, str]:
    """The byte order mark of a file, if it has one, and its text with its own line ends."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise CannotWrite(f"{path} is not UTF-8, so nothing was written.") from fault
    return (BOM, text[1:]) if text.startswith(BOM) else ("", text)


def clean(words: str, name: str) -> str:
    """A value of a record on one line.

    Raises `CannotWrite` for characters that no text has: control characters, half a character.
    """
    told = " ".join(words.split())
    for char in told:
        if unicodedata.category(char) in ("Cc", "Cs") or _is_no_character(ord(char)):
            raise CannotWrite(
                f"The {name} holds the character U+{ord(char):04X}, which no text has."
            )
    return told


def _is_no_character(code: int) -> bool:
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def newline_of(text: str) -> str:
    """The line end that stands last in a text."""
    found = _LINE_END.findall(text[-100_000:])
    return found[-1] if found else "\n"


def ended(text: str) -> str:
    """The text with a line end behind its last line."""
    return text if not text or text.endswith(("\n", "\r")) else text + newline_of(text)


def told(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    """Problems without their places and the numbers of lines in their words, which move."""
    return sorted((one.rule, re.sub(r"\bline \d+", "line", one.what)) for one in problems)


def is_worse(before: Iterable[Problem], after: Iterable[Problem]) -> bool:
    """Whether something is wrong that was not wrong before."""
    left = told(before)
    for one in told(after):
        if one not in left:
            return True
        left.remove(one)
    return False


def same_words(one: str, other: str) -> bool:
    """Whether two names have the same words, in whatever order: `Ames, Ida` and `Ida Ames`."""
    first, second = (sorted(re.findall(r"\w+", name.casefold())) for name in (one, other))
    return first == second
