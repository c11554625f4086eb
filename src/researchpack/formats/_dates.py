"""Dates in the tables of a report: many ways to write one, none of them guessed at."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from researchpack.dates import parse_date
from researchpack.formats._cells import ascii_digits
from researchpack.formats._columns import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS: Final = {
    plain_name(name): number
    for number, names in enumerate(
        (
            "january jan janvier januar jänner enero ene",
            "february feb février févr fevrier februar febrero",
            "march mar mars märz marzo",
            "april apr avril avr abril abr",
            "may mai mayo",
            "june jun juin juni junio",
            "july jul juillet juil juli julio",
            "august aug août aout agosto ago",
            "september sept sep septembre septiembre",
            "october oct octobre oktober okt octubre",
            "november nov novembre noviembre",
            "december dec décembre déc dezember dez diciembre dic",
        ),
        1,
    )
    for name in names.split()
}
_NAME: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE: Final = re.compile(
    r"(?<![\w.])(?:"
    r"(?P<y>\d{4})\s?[-/.‐‑–]\s?(?P<m>\d{1,2})(?:\s?[-/.‐‑–]\s?(?P<d>\d{1,2}))?(?=T\d|Z|(?![\w-]))"
    r"|(?P<cy>\d{4})\s*[年년](?:\s*(?P<cm>\d{1,2})\s*[月월](?:\s*(?P<cd>\d{1,2})\s*[日号號일])?)?"
    rf"|(?P<nd>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?\s+(?:(?:of|de)\s+)?(?P<nm>{_NAME})\b\.?,?"
    r"(?:\s+(?:de|del))?\s+(?P<ny>\d{4})"
    rf"|(?P<um>{_NAME})\b\.?\s+(?P<ud>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<uy>\d{{4}})"
    rf"|(?P<om>{_NAME})\b\.?,?(?:\s+(?:of|de|del))?\s+(?P<oy>\d{{4}})"
    r"|(?P<a>\d{1,2})\s?(?P<s>[-/.])\s?(?P<b>\d{1,2})\s?(?P=s)\s?(?P<ay>\d{4}|\d{2})"
    r"|(?P<yy>(?:19|20)\d{2})(?!\s?[-/.]\s?\d)"
    r")(?!\d)",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|now|soon|recently|lately"
    r"|(?:this|last|next) (?:week|month|year|night|morning)"
    r"|(?:an?|one|two|three|several|few|\d+) (?:hours?|days?|weeks?|months?|years?) ago"
    r"|earlier today|gestern|heute|vorgestern"
    r"|kurzlich|hier|aujourd'hui|avant-hier|recemment|ayer|hoy|recientemente)\b"
    r"|昨天|今天|今日|昨日|前天|最近|先日|上周|어제|오늘",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"[(（\[][^)）\]]*[)）\]]")


@dataclass(frozen=True, slots=True)
class CellDate:
    """What a date cell says."""

    iso: str | None
    """`2026-11-30`, `2026-11` or `2026`: as precise as it was written. None: not known."""
    code: str | None = None
    """ambiguous-date, bad-date, future-date or relative-date; None when nothing is wrong."""


def read_date(text: str, today: date | None = None) -> CellDate:
    """The date in a plain cell. Words that are no date at all ("yes") are None without a code.

    `today` decides what is in the future, with a day's tolerance for time zones; without it
    nothing is.
    """
    words = _bare(text)
    outside = _BRACKETS.sub(" ", words)
    found = list(_dates(outside)) or list(_dates(words))
    if not found:
        return _no_date(words)
    if len(set(found)) > 1 or "?" in found:
        return CellDate(None, "ambiguous-date")
    parsed = parse_date(found[0])
    if parsed is None:
        return CellDate(None, "bad-date")
    late = today is not None and parsed.first > today + timedelta(days=1)
    return CellDate(found[0], "future-date" if late else None)


def _bare(text: str) -> str:
    """`text` without accents and with plain digits."""
    split = unicodedata.normalize("NFKD", ascii_digits(text))
    return unicodedata.normalize("NFC", "".join(c for c in split if not unicodedata.combining(c)))


def _no_date(words: str) -> CellDate:
    if _RELATIVE.search(words):
        return CellDate(None, "relative-date")
    has_digits = any(char.isdecimal() for char in words)
    return CellDate(None, "bad-date" if has_digits else None)


def _dates(text: str) -> Iterator[str]:
    """Every date in `text` in ISO form, existing or not; `?` for one that may mean two days."""
    for match in _DATE.finditer(text):
        part = match.groupdict()
        if part["a"]:
            yield _day_or_month_first(part["a"], part["b"], part["ay"])
            continue
        name = part["nm"] or part["um"] or part["om"]
        month = str(_MONTHS[name.casefold()]) if name else part["m"] or part["cm"]
        year = next(filter(None, (part[key] for key in ("y", "cy", "ny", "uy", "oy", "yy"))))
        day = next(filter(None, (part[key] for key in ("d", "cd", "nd", "ud"))), None)
        yield "-".join([year, *(f"{int(number):02d}" for number in (month, day) if number)])


def _day_or_month_first(first: str, second: str, year: str) -> str:
    if len(year) == 2:
        return "?"
    day, month = int(first), int(second)
    if day <= 12 and month <= 12 and day != month:
        return "?"
    if month > 12:
        day, month = month, day
    return f"{year}-{month:02d}-{day:02d}"
