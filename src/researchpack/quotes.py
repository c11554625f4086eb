"""Whether the words of a quote stand in the copy of a source.

A text that was wrapped, printed or turned from a PDF into plain words reads in more than one way:
a hyphen at the end of a line may belong to the word or not, `[12]` may be a citation mark that the
quoter left out, brackets may be the quoter's or the source's. Every reading that leaves the words
as they are counts as found; another digit, another word or another order does not. Found says
nothing about what the quote proves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from researchpack.prose import Prose, normalise
from researchpack.records import QuoteCheck, QuoteState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.prose import Span
    from researchpack.records import CopyText, Source

REACH: Final = 2000
"""Characters of the text, normalised, that one ellipsis may stand for."""
LEAST: Final = 12
"""Letters and digits below which one or two words could stand anywhere."""
MOST: Final = 3000
"""Characters of a quote, beyond which it is a copy."""
_TRIES: Final = 200
"""Places of a quote's first part from which the others are looked for."""

_WRAP: Final = "\ue000"
_FILLER: Final = "\u2060"  # dropped by the normaliser, so that offsets stay what they are
_BREAK: Final = re.compile(
    r"(?<=\w)[ \t]?[-‐\u00ad¬][ \t]*(?:\r\n|\n|\r)\s{0,40}(?=\w)"
    r"|(?<=[^\W\d_])[-‐] (?=[^\W\d_])|(?<=[^\W\d_])\u00ad\s+(?=[^\W\d_])"
)
_NUMBERS: Final = r"\d{1,3}[a-z]?(?:\s*[,;–‐-]\s*\d{1,3}[a-z]?)*"
_RAISED: Final = "[⁰¹²³⁴⁵⁶⁷⁸⁹]"
_MARK: Final = re.compile(
    rf"\s*\[\s*{_NUMBERS}\s*\]"
    rf"|(?:(?<=[^\W\d_]{{4}})|(?<=[.,;:)\]”\"'’]))\s?{_RAISED}+(?:[,⁻–-]{_RAISED}+)*"
    rf"|(?<=[^\W\d_]{{4}}[.,])\d{{1,3}}(?:[,–-]\d{{1,3}})*(?=\s|$)"
)
_GAP: Final = re.compile(r"\s*(?:\[\s*(?:…|\.{3,})\s*\]|\(\s*(?:…|\.{3,})\s*\)|…|\.{3,})\s*")
_REMARK: Final = re.compile(r"\s*\[(?![\d\s,;–-]+\])[^\]\[]{2,80}\]\s*")
_LOWERED: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_NOTHING, _SIGNS, _REMARKS = range(3)
"""How much is left out on both sides: see `_marked`."""
_CONTEXT: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a quote stands, or what resembles it."""

    state: QuoteState
    span: Span | None = None
    """Offsets in the text, from the beginning of the first part to the end of the last."""
    why: str | None = None
    nearest: str | None = None


def find_quote(quote: str, text: str) -> Found:
    """Look for `quote` in `text`."""
    if _is_short(quote):
        return Found(state=QuoteState.NOT_CHECKABLE, why="too short to prove anything")
    if len(quote) > MOST:
        return Found(state=QuoteState.NOT_CHECKABLE, why="too long for a quote")
    match = re.search(_edges(quote.strip(), re.escape(quote.strip())), text)
    if match is not None:
        return Found(state=QuoteState.VERBATIM, span=match.span())
    for why, span in _readings(quote, text):
        return Found(state=QuoteState.NORMALISED, span=span, why=why)
    return Found(state=QuoteState.NOT_FOUND, nearest=_nearest(quote, text))


def _is_short(quote: str) -> bool:
    words = quote.split()
    weight = sum(3 if char >= "\u2e80" else 1 for char in quote if char.isalnum())
    return weight < LEAST and len(words) < 3


def _readings(quote: str, text: str) -> Iterator[tuple[str | None, Span]]:
    """The places where some reading of the quote stands in some reading of the text."""
    for why, drop, parts in _ways(quote):
        marked = (normalise(_marked(part, drop)).text for part in parts)
        pieces = [words for words in marked if words]
        for flat in (True, False):
            span = _find_parts(pieces, _prepared(text, drop, flat))
            if span is not None and (not drop or _marks_agree(quote, text, span)):
                yield why, span


def _ways(quote: str) -> Iterator[tuple[str | None, int, list[str]]]:
    """Ways to read a quote, the plainest first: what to call it, what is left out on both sides
    (see `_marked`), and the parts that must stand in the text."""
    yield None, _NOTHING, [quote]
    yield "citation marks or brackets read otherwise", _SIGNS, [quote]
    yield "a remark in brackets is left out", _REMARKS, [quote]
    for parts in (_GAP.split(quote), _GAP.split(_REMARK.sub(" … ", quote))):
        if len(parts) > 1:
            yield "in parts", _NOTHING, parts
            yield "in parts", _SIGNS, parts


@lru_cache(maxsize=8)  # large texts; the quotes of one source come one after the other
def _prepared(text: str, drop: int, flat: bool) -> Prose:
    """The text, with its lines made one if `flat`: at the beginning of a line, `12.` is a list's
    number for the normaliser, though a wrapped sentence may have put it there."""
    marked = _marked(text, drop)
    return normalise(re.sub(r"[\r\n]", " ", marked) if flat else marked)


def _marked(text: str, drop: int) -> str:
    """`text` with its line wraps marked; every character keeps its offset.

    `_SIGNS`: without citation marks and the signs of brackets; `_REMARKS`: without what stands in
    square brackets, which may be the quoter's or the editor's.
    """
    text = re.sub("[\ue000-\uf8ff]", " ", text).translate(_LOWERED)
    text = _BREAK.sub(lambda match: _WRAP + _FILLER * (len(match[0]) - 1), text)
    if drop == _REMARKS:
        text = _REMARK.sub(lambda match: " " + _FILLER * (len(match[0]) - 1), text)
    if drop:
        text = _MARK.sub(lambda match: _FILLER * len(match[0]), text)
        text = re.sub(r"[\[\]]", _FILLER, text)
    return text


def _find_parts(pieces: list[str], prose: Prose) -> Span | None:
    """The parts in order, each within reach of the one before."""
    if not pieces or max(map(len, pieces)) < min(8, LEAST):
        return None
    patterns = [_pattern(piece) for piece in pieces]
    for first in islice(patterns[0].finditer(prose.text), _TRIES):
        at: int | None = first.end()
        for pattern in patterns[1:]:
            found = pattern.search(prose.text, at or 0, (at or 0) + REACH)
            at = found.end() if found else None
            if at is None:
                break
        if at is not None:
            return prose.span(first.start(), at)
    return None


@lru_cache(maxsize=256)
def _pattern(piece: str) -> re.Pattern[str]:
    """What finds a normalised piece, with wraps read both ways."""
    built = []
    for at, char in enumerate(piece):
        after = piece[at + 1 : at + 2]
        if char == _WRAP:
            built.append(f"(?:{_WRAP}|-)?")
        elif char == "-":
            built.append(f"(?:-|{_WRAP})")
        else:
            # A number that a wrap goes through is another number: 21-28 is not 2128.
            joins = char.isalnum() and after.isalnum() and not (char.isdigit() and after.isdigit())
            built.append(re.escape(char) + (f"{_WRAP}?" if joins else ""))
    return re.compile(_edges(piece, "".join(built)))


def _edges(words: str, pattern: str) -> str:
    """`pattern` at the edges of words only: `defaults to 25` is not `defaults to 250`."""
    before = r"(?<!\w)" if _has_edge(words[:1]) else ""
    return before + pattern + (r"(?!\w)" if _has_edge(words[-1:]) else "")


def _has_edge(char: str) -> bool:
    """Whether a character is of a script that puts spaces between words."""
    return char.isalnum() and char < "\u2e80"


def _marks_agree(quote: str, text: str, span: Span) -> bool:
    """Whether the citation marks are the same, in order, or stand on one side only."""
    ours, theirs = _marks(quote), _marks(text[span[0] : span[1] + 12])
    rest = iter(theirs)
    return not theirs or all(mark in rest for mark in ours)


def _marks(text: str) -> list[str]:
    return ["".join(m[0].split()).strip("[]").replace("–", "-") for m in _MARK.finditer(text)]


def _nearest(quote: str, text: str) -> str | None:
    """The passage that has the longest run of the quote's words; None when there is hardly one."""
    prose = _prepared(text, _SIGNS, True)
    words = normalise(_marked(quote, _SIGNS)).text.split()
    for size in (8, 5, 3):
        for start in range(len(words) - size + 1):
            run = " ".join(words[start : start + size])
            at = prose.text.find(run)
            if at >= 0:
                first, last = prose.span(at, at + len(run))
                return " ".join(text[max(0, first - _CONTEXT) : last + 2 * _CONTEXT].split())
    return None


def check_quotes(sources: Iterable[Source], copies: Iterable[CopyText]) -> tuple[QuoteCheck, ...]:
    """Every quote of the ledger against the copy of its source, in file order."""
    known = {copy.file: copy for copy in copies}
    return tuple(found for source in sources for found in _of_source(source, known))


def _of_source(source: Source, known: dict[str, CopyText]) -> Iterator[QuoteCheck]:
    name = source.copy.file if source.copy is not None else None
    copy = known.get(name) if name is not None else None
    for bearing in source.bears_on:
        if bearing.quote is None:
            continue
        if copy is None or copy.text is None:
            found = Found(state=QuoteState.NOT_CHECKABLE, why=_no_text(name, copy))
        else:
            found = find_quote(bearing.quote, copy.text)
        yield QuoteCheck(
            source=str(source.id),
            claim=str(bearing.claim),
            quote=bearing.quote,
            state=found.state,
            why=found.why,
            copy=name,
            lines=copy.text.count("\n") + 1 if copy is not None and copy.text else 0,
            partial=copy is not None and copy.partial,
            nearest=found.nearest,
        )


def _no_text(name: str | None, copy: CopyText | None) -> str:
    if name is None:
        return "no copy is kept"
    if copy is None:
        return f"there is no file copies/{name} here"
    return copy.reason or "the copy holds no words"
