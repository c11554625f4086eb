"""The one normaliser of running text, with its map back to offsets.

Anchoring, the fingerprint of a snapshot and the search for quotes all use it, so that "the same
words in different marks" means one thing everywhere. What it makes equal: typographic and straight
quotation marks, kinds of dash, ligatures and full-width forms, case, soft hyphens and invisible
marks, emphasis marks, list markers at the start of a line, and runs of white space. What it keeps:
everything that carries meaning, such as digits, superscripts (10² is not 102), negations,
operators, accents, every script, and the joiners inside words that need them.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION: Final = "prose-1"
"""Name and version of the rule. It is stored with every fingerprint and normalised place; any
change of what the rule makes equal needs a new one."""

Span = tuple[int, int]
"""Half-open offsets, in code points of the text as it stands in the file."""

_SAME: Final = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "×": "x",
    "…": "...",
}
_INVISIBLE: Final = frozenset("\u00ad\u200b\u2060\ufeff\u180e\u200e\u200f\u061c") | frozenset(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
_ZWNJ: Final = "\u200c"
_ZWJ: Final = "\u200d"
# 10² must not become 102, nor x₁ become x1: these compatibility forms carry meaning.
_KEPT_FORMS: Final = ("<super>", "<sub>", "<fraction>")
_LIST_MARKER: Final = re.compile(r"[ \t]*(?:[•‣◦▪*+–-]|\d{1,3}[.)])[ \t]+", re.UNICODE)
_EMPHASIS: Final = re.compile(r"(\*{1,3}|_{1,3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A text after normalisation."""

    text: str
    """Normalised; no white space at either end, single spaces inside."""
    starts: tuple[int, ...]
    """Per character of `text`: the offset in the source of the character that it came from."""
    ends: tuple[int, ...]
    """Per character of `text`: the offset in the source just behind that character."""

    def span(self, start: int, end: int) -> Span:
        """The stretch of the source that `text[start:end]` came from; `start < end`."""
        return self.starts[start], self.ends[end - 1]

    def find_all(self, needle: str) -> tuple[Span, ...]:
        """All places, in source offsets, where the normalised `needle` stands; none if empty."""
        return tuple(self.span(at, at + len(needle)) for at in find_all(self.text, needle))


def find_all(text: str, needle: str) -> Iterator[int]:
    """The offsets of all occurrences of `needle`, overlapping ones included."""
    at = text.find(needle) if needle else -1
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)


def normalise(text: str) -> Prose:
    """Apply the rule `VERSION` to `text`."""
    dropped = _markers(text) | _emphasis(text)
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        if start in dropped:
            continue
        for char in _fold(text, start, end):
            if char == " " and (not chars or chars[-1] == " "):
                continue
            chars.append(char)
            starts.append(start)
            ends.append(end)
    if chars and chars[-1] == " ":
        del chars[-1], starts[-1], ends[-1]
    return Prose(text="".join(chars), starts=tuple(starts), ends=tuple(ends))


def fingerprint(text: str) -> str:
    """`prose-1:` and the SHA-256, in hex, of the normalised text in UTF-8."""
    return f"{VERSION}:{hashlib.sha256(normalise(text).text.encode()).hexdigest()}"


def fingerprints(text: str) -> dict[str, str]:
    """SHA-256 digests of `text` under the rules that a publisher is likely to have used, by name.

    They are only compared with a declared fingerprint whose rule is not known; ours is
    `fingerprint`.
    """
    collapsed = " ".join(text.split())
    forms = {
        "the file's text": text,
        "without white space at its ends": text.strip(),
        "line ends as LF": text.replace("\r\n", "\n"),
        "NFC": unicodedata.normalize("NFC", text),
        "white space collapsed": collapsed,
        "collapsed, lower case": collapsed.lower(),
        "collapsed, case folded": collapsed.casefold(),
        "collapsed, NFKC": unicodedata.normalize("NFKC", collapsed),
        "collapsed, NFKC, lower case": unicodedata.normalize("NFKC", collapsed).lower(),
        "without any white space": "".join(text.split()),
        "letters and digits only": "".join(char for char in text if char.isalnum()),
        "letters and digits only, lower case": "".join(c for c in text if c.isalnum()).lower(),
        VERSION: normalise(text).text,
    }
    return {name: hashlib.sha256(form.encode()).hexdigest() for name, form in forms.items()}


def _markers(text: str) -> set[int]:
    """Offsets of list markers, which renumbering changes and quoting leaves out."""
    found: set[int] = set()
    at = 0
    for line in text.splitlines(keepends=True):
        match = _LIST_MARKER.match(line)
        if match and line[match.end() :].strip():
            found.update(range(at, at + match.end()))
        at += len(line)
    return found


def _emphasis(text: str) -> set[int]:
    """Offsets of `*` and `_` that only emphasise.

    A run with a word on one side and none on the other does; `a*b`, `2 * 3` and `state_hash` keep
    theirs, for they carry meaning.
    """
    found: set[int] = set()
    for run in _EMPHASIS.finditer(text):
        before = text[run.start() - 1 : run.start()]
        after = text[run.end() : run.end() + 1]
        if _is_word(before) != _is_word(after) and (_touches(before) or _touches(after)):
            found.update(range(*run.span()))
    return found


def _is_word(char: str) -> bool:
    return bool(char) and (char.isalnum() or char == "_")


def _touches(char: str) -> bool:
    return bool(char) and not char.isspace()


def _clusters(text: str) -> Iterator[Span]:
    """Base characters with the marks that combine with them, so that é in two forms is one."""
    at, size = 0, len(text)
    while at < size:
        end = at + 1
        while end < size and not text[at].isspace() and unicodedata.combining(text[end]):
            end += 1
        if "\u1100" <= text[at] <= "\u11ff":  # Hangul written in its parts composes too
            while end < size and "\u1100" <= text[end] <= "\u11ff":
                end += 1
        yield at, end
        at = end


def _fold(text: str, start: int, end: int) -> str:
    """What the characters of one cluster become; empty when they are dropped."""
    cluster = text[start:end]
    if cluster.isascii():
        if cluster.isspace():
            return " "
        return "" if cluster == "`" else cluster.lower()
    if cluster in _INVISIBLE:
        return ""
    if cluster in (_ZWNJ, _ZWJ):
        return cluster if _joins(text, start, end) else ""
    if cluster.isspace():
        return " "
    if unicodedata.decomposition(cluster[0]).startswith(_KEPT_FORMS):
        return cluster
    composed = unicodedata.normalize("NFC", _SAME.get(cluster, cluster))
    folded = unicodedata.normalize("NFKC", composed).casefold()
    return "".join(_SAME.get(char, char) for char in unicodedata.normalize("NFKC", folded))


def _joins(text: str, start: int, end: int) -> bool:
    """Whether a joiner stands inside a word, where it changes the word."""
    return _is_part(text[start - 1 : start]) and _is_part(text[end : end + 1])


def _is_part(char: str) -> bool:
    """A letter, a digit, or a mark such as a virama, behind which a joiner decides the form."""
    return bool(char) and (char.isalnum() or unicodedata.category(char).startswith("M"))
