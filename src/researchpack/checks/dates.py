"""Dates are ISO dates that exist, lie not in the future, and do not contradict each other.

The precision that was written is kept: 2019, 2019-12 and 2019-12-22 are all dates, and `issued`
may say `n.d.`. A day of tolerance allows for time zones. A source cannot have been read before it
was issued, where the kept precision decides it. What is "the future" is judged by `--today`, or
by the clock.

Rules: `date.form`, `date.future`, `date.read-before-issued`.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from researchpack.dates import UNDATED, parse_date
from researchpack.problems import Problem, error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.places import Text
    from researchpack.records import Source, View


def check(view: View) -> Iterator[Problem]:
    """Problems with the dates of one pack."""
    latest = _later(date.fromisoformat(view.today))
    for words in _dates(view):
        if words is None or words == UNDATED:
            continue
        found = parse_date(words)
        if found is None:
            yield error(
                words.place,
                "date.form",
                f'"{words}" is not an ISO date that exists.',
                "Write YYYY, YYYY-MM or YYYY-MM-DD; for an undated work `n.d.`.",
            )
        elif found.first > latest:
            yield error(
                words.place,
                "date.future",
                f'"{words}" lies in the future.',
                "Write the day on which it happened.",
            )
    for source in view.pack.sources:
        yield from _order(source)


def _dates(view: View) -> Iterable[Text | None]:
    pack = view.pack
    yield pack.file.snapshot_taken
    yield from (entry.date for entry in pack.file.passes)
    for source in pack.sources:
        yield source.issued
        yield from _readings(source)
        yield source.verified.date if source.verified else None
    for experiment in pack.experiments:
        yield from (prediction.written for prediction in experiment.predictions)
        yield experiment.reported.date if experiment.reported else None
    yield from (decision.date for decision in pack.decisions)


def _readings(source: Source) -> Iterable[Text]:
    for words in (source.accessed, source.copy.date if source.copy else None):
        if words is not None:
            yield words


def _order(source: Source) -> Iterator[Problem]:
    issued = parse_date(source.issued or "")
    for words in _readings(source):
        read = parse_date(words)
        if issued is None or read is None or source.issued is None:
            continue
        if _later(read.last) < issued.first:
            yield error(
                words.place,
                "date.read-before-issued",
                f"{source.id} was read on {words}, before it was issued ({source.issued}).",
                "Correct one of the two dates.",
                source.issued.place,
            )


def _later(day: date) -> date:
    """The next day, which allows for time zones; the last day there is has none."""
    return day if day == date.max else day + timedelta(days=1)
