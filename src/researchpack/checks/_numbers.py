"""Numbers that stand in running text, and whether a record has them.

What only looks like a figure is left out: ids, dates, years, versions, ordinals, references to
chapters and pages, levels of confidence, forms such as 2x2, 3+3 and 90-step, and what is quoted
or code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.coverage import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from researchpack.prose import Span

_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)"
)
_LISTED: Final = r"\d+(?:\.\d+)*(?:\s*(?:(?:,|[-–—]|and|or|to)\s*)+\d+(?:\.\d+)*)*"
"""One number or several: `29, 38 and 40`."""
_MARKS: Final = (
    r"`[^`]+`",  # code
    r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|(?<!\w)'[^'\n]+'(?!\w)|‘[^’\n]+’(?!\w)",
    r"\{[^{}\n]*\}",  # a reference to a measured value
    r"\[[^\[\]\n]{1,200}\](?!\()",  # a citation
    r"\]\([^()\s]*\)|<https?:[^>\s]*>|https?://\S+",
)
_NONE: Final = (
    r"\b[A-Za-z_]*\d+[A-Za-z_]\w*|\b[A-Za-z_]+\d[\w.]*",  # ids, names, ordinals: C12, 3rd, sha256
    r"(?<=[A-Za-z]-)\d[\w.]*|\b\d+(?:\.\d+)?-(?=[A-Za-z])",  # SHA-256, 90-step
    r"\b\d{4}-\d{2}(?:-\d{2})?\b",
    rf"\b\d{{1,2}}\.?\s+{_MONTH}(?:\s+\d{{4}})?|\b{_MONTH}\s+\d{{1,2}}(?:,?\s+\d{{4}})?\b",
    # A year, unless its unit says that it counts something.
    r"(?<![\d.,])(?:19|20)\d\d(?![\d,.]*\d|\s*(?:%|steps\b|runs\b|calls\b|tokens\b|trials\b))",
    r"(?<![\w.])\d+(?:\.\d+){2,}",  # a version
    r"\b(?:[Vv]ersions?|[Cc]?[Pp]ython|[Rr]elease|NumPy)\s+\d[\d.]*\d|\b(?:v|V)\d[\d.]*",
    rf"\b(?i:chapters?|ch\.|sections?|sec\.|figures?|fig\.|tables?|pages?|pp?\.|lines?|rows?"
    rf"|columns?|equations?|eq\.|parts?|volumes?|vol\.|issues?|nos?\.|articles?|lab|appendix"
    rf"|snippets?|rules?|notes?|footnotes?|labs?|experiments?|claims?|sources?)\s*{_LISTED}",
    r"\b\d+(?:\.\d+)?\s?(?:%|per cent)(?=\s+(?:(?:one|two)-sided|confidence|lower|upper|interval"
    r"|bound|limit|CI\b|Clopper|Wilson|level|percentile))",
    r"\b\d+(?:\s?[x×^*+]\s?\d+)+\b",  # 2x2, 3+3, 3^5
    r"§+\s*\d[\d.]*|^\s*(?:#+\s+\d[\d.]*|\d{1,3}[.)]\s)",
)
_NO_FIGURE: Final = re.compile("|".join((*_MARKS, *_NONE)), re.MULTILINE)
_NUMBER: Final = re.compile(
    r"(?<![\w.,/])[-−+]?(?P<digits>\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:/(?P<of>\d+)(?![\d/]))?(?P<percent>\s?%|\s?per ?cent\b)?(?!\w|/[A-Za-z])"
)
_ANY: Final = re.compile(r"(?<![\w.])\d+(?:[,\u00a0\u2009\u202f]\d{3})*(?:\.\d+)?(?!\w)")
_RANGE: Final = re.compile(r"(?<![\w.,])(\d+)[-–](\d+)(?![\w])")
_BREAK: Final = re.compile(
    r"\n[ \t]*(?=\n)|\n(?=[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|#+[ \t]|>|\|))"
)
"""Where a block of Markdown ends: an empty line, the next item, heading, quotation or row."""
_FENCE: Final = re.compile(r"^ {0,3}(```+|~~~+).*?^ {0,3}\1[ \t]*$", re.MULTILINE | re.DOTALL)
_LEADING: Final = re.compile(r"(?:\s*\[[^\[\]\n]*\])+(?=\.?(?:\s+[\"“*]*[A-Z]|\s*$))")
"""Citations behind a full stop: they belong to the sentence before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A number that somebody wrote."""

    words: str
    start: int
    value: float
    decimals: int
    digits: int
    """How many of them."""
    is_percent: bool
    of: float | None = None
    """What is written behind a stroke: 8 in 3/8."""


def find_sentences(text: str) -> Iterator[Span]:
    """The sentences of a Markdown text, each with the citations that stand behind its full stop."""
    text = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    start = 0
    for end in [*(match.start() for match in _BREAK.finditer(text)), len(text)]:
        yield from _with_citations(text, list(sentences(text, start, end)))
        start = end


def _with_citations(text: str, spans: list[Span]) -> Iterator[Span]:
    for number, (start, end) in enumerate(spans):
        own = _LEADING.match(text, start, end) if number else None
        following = spans[number + 1] if number + 1 < len(spans) else None
        taken = _LEADING.match(text, *following) if following else None
        first = own.end() if own else start
        if first < end:
            yield first, (taken.end() if taken else end)


def ranges_in(text: str) -> Iterator[str]:
    """The ranges of numbers in `text`, such as `12–41`, with one kind of dash."""
    yield from (f"{match[1]}–{match[2]}" for match in _RANGE.finditer(text))


def find_literals(text: str, ranges: Set[str] = frozenset()) -> Iterator[Literal]:
    """The numbers in `text` that are figures of its author, in order.

    `ranges`: those that name a place of the chapter, such as its steps `12–41`.
    """
    bare = _NO_FIGURE.sub(lambda match: " " * len(match.group()), text)
    for match in _RANGE.finditer(bare):
        if f"{match[1]}–{match[2]}" in ranges:
            bare = bare[: match.start()] + " " * len(match.group()) + bare[match.end() :]
    for match in _NUMBER.finditer(bare):
        digits = re.sub(r"[^\d.]", "", match["digits"])
        yield Literal(
            words=text[match.start() : match.end()].strip(),
            start=match.start(),
            value=float(digits),
            decimals=len(digits.partition(".")[2]),
            digits=len(digits.replace(".", "").lstrip("0")),
            is_percent=match["percent"] is not None,
            of=float(match["of"]) if match["of"] else None,
        )


def numbers_in(text: str) -> Iterator[float]:
    """Every number in `text`, whatever it stands for; `100,200` may be one number or two."""
    for match in _ANY.finditer(text):
        yield float(re.sub(r"[^\d.]", "", match.group()))
        parts = re.split(r"[^\d.]", match.group())
        yield from (float(part) for part in parts if len(parts) > 1)


def is_known(literal: Literal, known: Set[float]) -> bool:
    """Whether a number is among those that are known: as it is, as per cent, or rounded.

    One digit says too little to be a rounded value.
    """
    if literal.of is not None:
        one, of = literal.value, literal.of
        share = of and _has(one / of, 6, known)
        return bool(share) or ({one, of} <= known)
    wanted = [(literal.value, literal.decimals)]
    if literal.is_percent:
        wanted.append((literal.value / 100, literal.decimals + 2))
    rounds = literal.digits > 1
    return any(_has(value, places, known, rounds=rounds) for value, places in wanted)


def _has(value: float, places: int, known: Iterable[float], *, rounds: bool = True) -> bool:
    near = 0.5 * 10**-places * 1.000001 if rounds else 1e-9
    return any(abs(value - abs(one)) <= near for one in known)
