"""Works -> identifiers -> registries -> records: what `refresh` does with works and a folder.

Each work is asked about once, at the one registry that is responsible for it. What comes back is
written as it arrives, so that an interrupted run loses only what was on its way.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, assert_never

from researchpack.asking import Asker, Failed, Refused, Told, Wanted
from researchpack.checks.registered import asked_by, misses, of_record
from researchpack.problems import Problem, error, warning
from researchpack.recording import ARCHIVE
from researchpack.records import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from researchpack.places import Place
    from researchpack.recording import Records
    from researchpack.records import RegistryRecord, Work

    Progress = Callable[[int, int], None]

LANES: Final = (("doi", 4), ("arxiv", 1), ("isbn", 2), ("url", 8))
"""Schemes that a registry answers for, and how many identifiers may be on their way at once.
How fast one host is asked is decided further down."""


@dataclass(slots=True, kw_only=True)
class Refreshed:
    """What a run has done."""

    asked: int = 0
    answered: int = 0
    changed: int = 0
    written: int = 0
    new_enough: int = 0
    unregistered: int = 0
    """Works without an identifier that any registry covers."""
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What is wrong with the cache."""

    @property
    def all_failed(self) -> bool:
        """Whether there was something to ask, and nobody answered."""
        return self.asked > 0 and self.answered == 0

    @property
    def lines(self) -> list[str]:
        """What was done, in a few sentences. `0 of 42` is never told as if it were fine."""
        told = f"{self.answered} of {self.asked} answered, {self.changed} with something new."
        if self.asked == 0:
            told = "Nobody was asked."
        more = [f"{self.new_enough} records are new enough."] if self.new_enough else []
        if self.unregistered:
            more.append(f"{self.unregistered} works have no identifier that a registry covers.")
        return [*self.notes, " ".join([told, *more])]


def wanted(works: Iterable[Work]) -> tuple[list[Wanted], int]:
    """What is to be asked, each identifier once, and how many works have none."""
    found: dict[tuple[str, str, int | None], Wanted] = {}
    without = 0
    for work in works:
        identifier = asked_by(work)
        if identifier is None:
            without += 1
            continue
        key = (identifier.scheme, identifier.value, identifier.version)
        if key in found:
            found[key] = replace(found[key], works=(*found[key].works, work))
        else:
            found[key] = Wanted(identifier=identifier, works=(work,))
    return list(found.values()), without


def refresh(
    works: Iterable[Work],
    store: Records,
    asker: Asker,
    *,
    older_than: timedelta | None = None,
    now: datetime,
    progress: Progress = lambda done, of: None,
) -> Refreshed:
    """Ask about every work whose record is older than `older_than` on the day `now`.

    Without `older_than` all are asked about, as far as the cache is not new enough. Raises
    `Unwritable` when a record cannot be written; what was written before stays whole.
    """
    every, without = wanted(works)
    done = Refreshed(unregistered=without)
    known = {one.key: store.record(*one.key) for one in every}
    due = [one for one in every if older_than is None or is_old(known[one.key], older_than, now)]
    done.new_enough, done.asked = len(every) - len(due), len(due)
    before = now - older_than if older_than is not None else None
    progress(0, len(due))
    for count, (one, results) in enumerate(_ask_all(due, known, asker, before), start=1):
        for result in results:
            _settle(one, result, store, asker, done)
        progress(count, len(due))
    done.problems.sort(key=lambda problem: problem.order)
    return done


def is_old(record: RegistryRecord | None, age: timedelta, now: datetime) -> bool:
    """Whether a record is missing, or was checked longer than `age` before `now`."""
    return record is None or moment(record.checked_at) <= now - age


def moment(stamp: str) -> datetime:
    """The moment that a record's time means."""
    return datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


Result = Told | Failed | Refused


def _ask_all(
    due: list[Wanted],
    known: dict[tuple[str, str, int | None], RegistryRecord | None],
    asker: Asker,
    before: datetime | None,
) -> Iterator[tuple[Wanted, tuple[Result, ...]]]:
    """The results as they come. The threads are daemons: an interrupted run ends at once."""
    results: queue.SimpleQueue[tuple[Wanted, tuple[Result, ...]] | Exception] = queue.SimpleQueue()

    def ask(one: Wanted) -> tuple[Result, ...]:
        return tuple(asker.ask(one, known[one.key], before))

    for scheme, at_once in LANES:
        lane = deque(one for one in due if one.identifier.scheme == scheme)
        for _ in range(min(at_once, len(lane))):
            threading.Thread(target=_work, args=(lane, ask, results), daemon=True).start()
    for _ in due:
        found = results.get()
        if isinstance(found, Exception):
            raise found
        yield found


def _work(
    lane: deque[Wanted],
    ask: Callable[[Wanted], tuple[Result, ...]],
    results: queue.SimpleQueue[tuple[Wanted, tuple[Result, ...]] | Exception],
) -> None:
    """One thread: what is left of a lane. A fault of the program ends the whole run."""
    while True:
        try:
            one = lane.popleft()
        except IndexError:
            return
        try:
            results.put((one, ask(one)))
        except Exception as fault:
            results.put(fault)
            return


def _settle(one: Wanted, result: Result, store: Records, asker: Asker, done: Refreshed) -> None:
    """Write what was told, or say that nobody could look."""
    match result:
        case Told():
            done.answered += result.main
            _write(one, result, store, done)
        case Failed():
            _failed(one, result, store, done)
        case Refused():
            done.problems += _missed(one, store)
        case _:
            assert_never(result)


def _write(one: Wanted, told: Told, store: Records, done: Refreshed) -> None:
    record = told.record
    previous = store.record(record.scheme, record.id, record.asked_version)
    found = merged(previous, record)
    if previous is None or found != previous:
        store.save(found)
        done.written += 1
    if previous is None or not same_content(previous, found):
        done.changed += told.main
    if told.main:
        for work in one.works:
            done.problems += of_record(work, found)
    if told.stale is not None:
        done.problems += _unreachable(one, told.stale, found)


def merged(previous: RegistryRecord | None, told: RegistryRecord) -> RegistryRecord:
    """What is kept: of an unchanged answer only the day of the check is new.

    The hash belongs to the body in which the content was first seen. Bodies change with every
    request (they count citations), and a hash that changed alone would be a difference without
    any meaning.
    """
    if previous is None or not same_content(previous, told):
        if previous is not None and previous.checked_at > told.checked_at:
            return previous  # an older answer out of the cache
        return told
    return replace(previous, checked_at=max(previous.checked_at, told.checked_at))


def same_content(one: RegistryRecord, other: RegistryRecord) -> bool:
    """Whether two records say the same, times and hash of the body apart."""
    return _bare(one) == _bare(other)


def _bare(record: RegistryRecord) -> RegistryRecord:
    return replace(record, retrieved_at="", checked_at="", sha256="")


def _failed(one: Wanted, result: Failed, store: Records, done: Refreshed) -> None:
    scheme, value, version = one.key
    scheme = scheme if result.main else ARCHIVE
    previous = store.record(scheme, value, version if result.main else None)
    done.problems += _unreachable(one, result, previous)
    if previous is None and result.main:
        store.save_failure(
            Failure(
                scheme=scheme,
                id=value,
                asked_version=version,
                registry=result.registry,
                request=result.request,
                at=result.at,
                reason=result.reason,
            )
        )


def _unreachable(one: Wanted, result: Failed, previous: RegistryRecord | None) -> Iterator[Problem]:
    ids = ", ".join(str(work.id) for work in one.works)
    what = (
        f"{result.title} could not be asked about {one.identifier.value} ({ids}): {result.reason}."
    )
    if previous is not None:
        what += f" The record of {previous.checked_at[:10]} stays."
    elif result.main:
        what += " There is no record yet."
    yield warning(_place(one), "records.unreachable", what, "Run refresh again later.")


def _missed(one: Wanted, store: Records) -> Iterator[Problem]:
    """Offline, and the answer is not at hand. A record that is there is enough."""
    if store.record(*one.key) is not None:
        return
    scheme, value, version = one.key
    other = store.record(scheme, value) if version is not None else None
    if other is not None:
        yield from misses(one.identifier, other)
        return
    yield error(
        _place(one),
        "cache.miss",
        f"{value} is not in the cache, and there is no record of it.",
        "Run refresh without --offline.",
    )


def _place(one: Wanted) -> Place:
    return one.identifier.written.place
