"""Dates as people write them: ISO, with the precision kept. Never an age, never a guess."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

UNDATED: Final = "n.d."
"""What `issued` says when the work carries no date."""

_ISO: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialDate:
    """A year, a month or a day."""

    first: date
    """The first day that it may mean."""
    last: date
    """The last day that it may mean; equal to `first` when the day is known."""


def parse_date(words: str) -> PartialDate | None:
    """The date that `words` give, or None when they are not an ISO date that exists."""
    match = _ISO.fullmatch(words.strip())
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        if year is None or month is None:
            return PartialDate(first=date(year or 0, 1, 1), last=date(year or 0, 12, 31))
        if day is None:
            end = calendar.monthrange(year, month)[1]
            return PartialDate(first=date(year, month, 1), last=date(year, month, end))
        return PartialDate(first=date(year, month, day), last=date(year, month, day))
    except (ValueError, calendar.IllegalMonthError):
        return None


_AGE: Final = re.compile(r"(\d{1,5})\s*([dwmy])", re.IGNORECASE)
_DAYS: Final = {"d": 1, "w": 7, "m": 30, "y": 365}


def parse_age(words: str) -> timedelta | None:
    """The span that `30d`, `6w`, `3m` or `1y` give, or None; a month has 30 days, a year 365."""
    match = _AGE.fullmatch(words.strip())
    return timedelta(days=int(match[1]) * _DAYS[match[2].lower()]) if match else None
