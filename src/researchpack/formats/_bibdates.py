"""Dates of BibTeX entries: a year and a month in any wording, or one ISO date."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.formats._dates import read_date
from researchpack.places import Text

if TYPE_CHECKING:
    from researchpack.records import BibEntry

_MONTHS: Final = re.split(
    " ", "january february march april may june july august september october november december"
)
_SEASON: Final = re.compile(
    r"spring|summer|autumn|fall|winter|q[1-4]|quarter|trim|sem|michaelmas|easter|hilary", re.I
)
_ISO: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?[?~%]?")
_ACCESSED: Final = re.compile(
    r"\b(?:last\s+)?(?:accessed|visited|retrieved|consulted|checked|viewed)\b\s*(?:on|at)?\s*:?\s*"
    r"(?P<date>[^;()\[\]]{4,40})",
    re.IGNORECASE,
)
ACCESS_FIELDS: Final = (
    "urldate",
    "accessed",
    "lastaccessed",
    "lastchecked",
    "lastvisited",
    "visited",
)


def month_number(value: str) -> int | None:
    """1 to 12 for a number, a name or its beginning; 0 for a season; None for anything else.

    Of several months the first counts; a day beside the month plays no part.
    """
    words = re.findall(r"\d+|[^\W\d_]+", value.lower())
    for word in words:
        number = _of_word(word)
        if number is not None:
            return number
    numbers = [int(word) for word in words if word.isdecimal()]
    if numbers:
        return numbers[0] if 1 <= numbers[0] <= 12 else None
    if _SEASON.search(value):
        return 0
    iso = read_date(f"{value} 2000").iso
    return int(iso[5:7]) if iso is not None and len(iso) >= 7 else None


def _of_word(word: str) -> int | None:
    if len(word) < 3 or word.isdecimal():
        return None
    near = (at for at, name in enumerate(_MONTHS, 1) if name.startswith(word))
    return next(near, None)


def issued(entry: BibEntry) -> Text | None:
    """`date`, or year, month and day as one ISO date; a year that is none stays as written."""
    whole = entry.get("date")
    if whole is not None:
        match = _ISO.fullmatch(whole.split("/")[0].strip())
        return (
            Text("-".join(part for part in match.groups() if part), whole.place) if match else whole
        )
    year = entry.get("year")
    if year is None:
        return None
    bare = year.strip("()[]{}. ")
    if re.fullmatch(r"\d{4}", bare) is None:
        return year
    month = entry.get("month")
    number = month_number(month) if month is not None else None
    if not number:
        return Text(bare, year.place)
    day = entry.get("day")
    if day is not None and day.isdecimal() and 1 <= int(day) <= 31:
        return Text(f"{bare}-{number:02d}-{int(day):02d}", year.place)
    return Text(f"{bare}-{number:02d}", year.place)


def accessed(entry: BibEntry) -> Text | None:
    """The day on which its address was opened, from its own field or from a remark."""
    stated = entry.get(*ACCESS_FIELDS)
    if stated is not None:
        return Text(_iso(stated) or stated, stated.place)
    return remarked_access(entry)


def remarked_access(entry: BibEntry) -> Text | None:
    """The ISO date in `note = {Online; accessed 19-February-2019}`; None when there is none."""
    for name in ("note", "howpublished", "addendum"):
        field = entry.field(name)
        match = _ACCESSED.search(field.raw) if field is not None else None
        iso = _iso(match["date"]) if match is not None else None
        if field is not None and iso is not None:
            return Text(iso, field.raw.place)
    return None


def _iso(words: str) -> str | None:
    spaced = re.sub(r"(?<=\d)-(?=[A-Za-z])|(?<=[A-Za-z])-(?=\d)", " ", words)
    return read_date(spaced).iso
