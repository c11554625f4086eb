"""Pages: ranges in any spelling, abbreviated ends, article numbers, a page out of a range."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure

_LABEL: Final = re.compile(
    r"\b(?:pages?|pp?|s|article(?:\s+(?:no|number|id))?|art(?:\s+no)?|id|no|paper|seiten?)"
    r"(?:\.\s*|\s+)|^\s*\#",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"n/?a|n\.?\s*pag\.?|in press|to appear|ahead of print|forthcoming|[-–?]+"
)
_COUNT: Final = re.compile(r"(\d+)\s*(?:pages?|pp?\.?|seiten|s\.)", re.IGNORECASE)
_DASH: Final = re.compile(r"\s*[-‐‑‒–—―−]+\s*")
_STEM: Final = re.compile(r"(.*?)(\d*)")


@dataclass(frozen=True, slots=True)
class _Range:
    """First and last page as written, in lower case; equal for one page."""

    first: str
    last: str

    def numbers(self) -> tuple[str, int, int] | None:
        """The letters before the number, and both numbers; None for Roman ones and the like."""
        one, other = _split(self.first), _split(self.last)
        if one is None or other is None or one[0] != other[0]:
            return None
        return one[0], one[1], other[1]


def compare_pages(ours: str, theirs: str | None) -> Finding:
    """Our pages against the record's pages or article number."""
    if not theirs:
        return unsure(ABSENT)
    if _NONE.fullmatch(ours.strip().lower()):
        return unsure("no pages here", theirs)
    if _COUNT.fullmatch(ours.strip()):
        return unsure("a number of pages, not a range", theirs)
    mine, other = _ranges(ours), _ranges(theirs)
    if not mine or not other:
        return unsure("uncertain form", theirs)
    if mine == other:
        return confirmed(theirs)
    if _without_e(mine) == _without_e(other):
        return confirmed(theirs, "another form of the article number")
    if len(mine) > 1 and mine[0] in other:
        return confirmed(theirs, "also continued elsewhere")
    return _one_range(mine[0], other[0], theirs)


def _one_range(mine: _Range, other: _Range, theirs: str) -> Finding:
    if mine.first == other.first and (mine.first == mine.last or other.first == other.last):
        return confirmed(theirs, "first page only")
    alone = (mine.first == mine.last, other.first == other.last)
    if alone in ((True, False), (False, True)) and _looks_like_number(mine, other):
        return unsure("an article number on one side", theirs)
    one, two = mine.numbers(), other.numbers()
    if one and two and one[0] == two[0] and two[1] <= one[1] and one[2] <= two[2]:
        return unsure("lies within the pages of the work", theirs)
    return contradicted(theirs)


def _looks_like_number(mine: _Range, other: _Range) -> bool:
    """Whether the one without a range may be an article number: pages then begin at 1, or the
    number is no page of the range and has letters or many digits."""
    single, ranged = (mine, other) if mine.first == mine.last else (other, mine)
    numbers = ranged.numbers()
    return not single.first.isdigit() or len(single.first) >= 5 or (numbers or ("", 0, 0))[1] == 1


def _ranges(text: str) -> list[_Range]:
    plain = unicodedata.normalize("NFKC", text).lower()
    plain = _DASH.sub("-", _LABEL.sub("", plain))
    found = []
    for part in re.split(r"[,;&+]|\band\b", plain):
        ends = [end for end in part.strip().rstrip(".").replace(" ", "").split("-") if end]
        if len(ends) == 2:
            first = ends[0].rpartition(":")[2] if ":" in ends[1] else ends[0]
            found.append(_Range(first, _full_end(first, ends[1].rpartition(":")[2])))
        elif ends:
            found.append(_Range("-".join(ends), "-".join(ends)))
    return found


def _full_end(first: str, last: str) -> str:
    """The last page in full: `1234-9` and `e123-45` leave out what is the same."""
    one, other = _split(first), _split(last)
    if one is None or other is None:
        return last
    if other[0] in ("", one[0]) and len(str(other[1])) < len(str(one[1])):
        digits = str(one[1])
        return f"{one[0]}{digits[: -len(str(other[1]))]}{other[1]}"
    return last if other[0] else f"{one[0]}{other[1]}"


def _split(page: str) -> tuple[str, int] | None:
    match = _STEM.fullmatch(page)
    if match is None or not match[2].isdecimal() or len(match[2]) > 15:
        return None
    return match[1], int(match[2])


def _without_e(ranges: list[_Range]) -> list[tuple[str, str]]:
    """Without the letter and the zeros that some write before an article number."""
    return [(_plain(found.first), _plain(found.last)) for found in ranges]


def _plain(page: str) -> str:
    return re.sub(r"^e?0*(?=\d)", "", page)
