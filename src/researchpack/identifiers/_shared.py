"""What the readers of identifiers share: the result, and what copying from a page leaves behind."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from researchpack.problems import Problem
    from researchpack.records import Identifier

_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−﹘﹣－", "-"))
_PAIRS: Final = (("<", ">"), ("{", "}"), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"))
_ESCAPES: Final = (
    (re.compile(r"\{?\\text(less|greater|underscore|asciitilde)\b\s*(?:\{\})?\}?"), "text"),
    (re.compile(r"\$\\(sim|less|greater)\$"), "text"),
    (re.compile(r"\$([<>])\$"), "char"),
    (re.compile(r"\{\\([_%&#$])\}|\$\\([_%&#$])\$|\\([_%&#$/{}^~])(?:\{\})?"), "char"),
    (re.compile(r"\{\}"), "none"),
)
_TEXT: Final = {
    "less": "<",
    "greater": ">",
    "underscore": "_",
    "asciitilde": "~",
    "sim": "~",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one field says."""

    identifiers: tuple[Identifier, ...] = ()
    """Well-formed ones, the first as the author put it first; none when the field is wrong."""
    problems: tuple[Problem, ...] = ()
    """At the place of the field."""
    clean: str | None = None
    """How it should be written, when it is written in another way and the right way is known."""


def unescaped(text: str) -> str:
    """`text` without LaTeX's escapes, which no identifier and no address contains."""
    if "\\" not in text and "$" not in text and "{}" not in text:
        return text
    for pattern, kind in _ESCAPES:
        text = pattern.sub(lambda match, kind=kind: _undone(match, kind), text)  # type: ignore[misc]
    return text


def _undone(match: re.Match[str], kind: str) -> str:
    if kind == "none":
        return ""
    found = next(group for group in match.groups() if group is not None)
    return _TEXT[found] if kind == "text" else found


def tidy(text: str) -> str:
    """`text` without invisible characters, HTML entities, odd dashes and outer white space."""
    words = text.translate(_INVISIBLE).translate(_DASHES).replace("\u00a0", " ")
    return html.unescape(words).strip() if "&" in words and ";" in words else words.strip()


def unwrapped(text: str) -> str:
    """`text` without the quotation marks, angle brackets or braces around the whole of it."""
    for _ in range(4):
        text = text.strip()
        pair = next((p for p in _PAIRS if len(text) > 1 and text[0] + text[-1] == "".join(p)), None)
        if pair is None:
            break
        text = text[1:-1]
    return text


def without_tail(text: str) -> str:
    """`text` without the full stop, comma, quotation mark or unmatched bracket behind it."""
    while text:
        last = text[-1]
        opening = {")": "(", "]": "[", "}": "{", ">": "<"}.get(last)
        if last in ".,;:'\"’”" or (opening and text.count(last) > text.count(opening)):
            text = text[:-1].rstrip()
        else:
            break
    return text
