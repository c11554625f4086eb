"""Years: a work has several, and any of them is right.

A journal issue is printed in one year and put online in another, in either order: back files were
digitised decades after they were printed. `created`, the day on which a record was made, is never
one of them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.dates import parse_date

if TYPE_CHECKING:
    from researchpack.records import RegistryRecord

_YEAR: Final = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_UNDATED: Final = re.compile(
    r"\s*\[?(?:n\.?\s?d\.?|undated|no date|s\.\s?a\.|o\.\s?J\.)\]?\s*", re.I
)
_NOT_YET: Final = re.compile(
    r"\b(?:forthcoming|in press|to appear|submitted|accepted|ahead of print)\b", re.I
)
_DIGITAL: Final = 1996
"""Before this year hardly anything was published online: a later online date is that of a scan."""
_BEST: Final = ("print", "issue", "issued", "posted", "submitted", "online")
"""The kinds of date by which a work is usually cited, the first one first."""
_APART: Final = 3
"""Years between the first and the last date within which a year between the two is no mistake."""


def compare_dates(issued: str, record: RegistryRecord) -> Finding:
    """Our date of issue, of any precision, against every date of the record."""
    dates = {kind: date for kind, date in record.years if _YEAR.match(date)}
    if not dates:
        return unsure(ABSENT)
    shown = ", ".join(f"{date} ({kind})" for kind, date in _distinct(dates))
    best = next(dates[kind] for kind in (*_BEST, *dates) if kind in dates)
    precise = len(issued.strip()) > 4
    return replace(_compare(issued, dates, shown), offer=(best if precise else best[:4],))


def _compare(issued: str, dates: dict[str, str], shown: str) -> Finding:
    if _UNDATED.fullmatch(issued):
        return unsure("undated here", shown)
    years = _YEAR.findall(unicodedata.normalize("NFKC", issued))
    if not years:
        why = "not published yet, it says here" if _NOT_YET.search(issued) else "no year here"
        return unsure(why, shown)
    same = [kind for kind, date in dates.items() if date[:4] in years]
    if same:
        return _same_year(issued, dates, same, shown)
    return _other_year(sorted(int(year) for year in years), dates, shown)


def _distinct(dates: dict[str, str]) -> list[tuple[str, str]]:
    """The dates without `issued` when another kind says the same."""
    others = {date[:4] for kind, date in dates.items() if kind != "issued"}
    return [(k, d) for k, d in dates.items() if k != "issued" or d[:4] not in others]


def _same_year(issued: str, dates: dict[str, str], same: list[str], shown: str) -> Finding:
    many = len({date[:4] for date in dates.values()}) > 1
    named = [kind for kind in same if kind != "issued"] or same
    why = f"{named[0]} year" if many and named[0] != "issued" else None
    if parse_date(issued) is None or len(issued.strip()) == 4:
        return confirmed(shown, why)
    day = issued.strip()
    precise = [dates[kind] for kind in same if len(dates[kind]) > 4]
    if precise and not any(day.startswith(d) or d.startswith(day) for d in precise):
        return unsure("the year agrees, the month or day does not", shown)
    return confirmed(shown, why)


def _other_year(years: list[int], dates: dict[str, str], shown: str) -> Finding:
    known = sorted(int(date[:4]) for date in dates.values())
    versions = "submitted" in dates and "updated" in dates
    near = versions or known[-1] - known[0] <= _APART
    if near and known[0] < years[0] < known[-1]:
        return unsure("between its first and its last date", shown)
    printed = {"print", "issue"} & set(dates)
    if "online" in dates and not printed and years == [int(dates["online"][:4]) + 1]:
        return unsure("one year after it was put online; the print date is not known", shown)
    if "online" in dates and not printed and years[-1] < _DIGITAL <= known[0]:
        return unsure("put online later; the print date is not known", shown)
    return contradicted(shown)
