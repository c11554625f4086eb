"""How often one host is asked: what it says in its headers, and what is known of it before.

One object for a whole run; threads take turns through it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

LONGEST_PAUSE: Final = 60.0
"""Seconds. A host that asks for more is not asked again in this run."""
MOST_AT_ONCE: Final = 5
"""Requests to one host, whatever it allows."""
PATIENCE: Final = 5
"""Requests in a row that may fail before a host counts as down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many requests in so many seconds, and so many at once."""

    requests: int = 1
    seconds: float = 1.0
    at_once: int = 1


@dataclass(slots=True)
class _Host:
    rate: Rate
    running: int = 0
    failed: int = 0
    closed: str | None = None
    not_before: float = 0.0
    starts: deque[float] = field(default_factory=deque)


class Manners:
    """Keeps the pace for every host."""

    def __init__(
        self,
        rates: Mapping[str, Rate],
        otherwise: Callable[[str], Rate],
        pause: Callable[[float], None],
        clock: Callable[[], float],
    ) -> None:
        self._rates = rates
        self._otherwise = otherwise
        self._pause = pause
        self._clock = clock
        self._hosts: dict[str, _Host] = {}
        self._change = threading.Condition()

    @contextmanager
    def turn(self, name: str) -> Iterator[None]:
        """Wait until `name` may be asked, and hold one of its places meanwhile."""
        host = self._take(name)
        try:
            self._wait(host)
            yield
        finally:
            with self._change:
                host.running -= 1
                self._change.notify_all()

    def _take(self, name: str) -> _Host:
        with self._change:
            host = self._host(name)
            while host.running >= host.rate.at_once:
                self._change.wait()
            host.running += 1
            return host

    def _host(self, name: str) -> _Host:
        if name not in self._hosts:
            self._hosts[name] = _Host(rate=self._rates.get(name) or self._otherwise(name))
        return self._hosts[name]

    def _wait(self, host: _Host) -> None:
        while True:
            with self._change:
                now, rate = self._clock(), host.rate
                while host.starts and now - host.starts[0] >= rate.seconds:
                    host.starts.popleft()
                left = host.not_before - now
                if len(host.starts) >= rate.requests:
                    left = max(left, host.starts[-rate.requests] + rate.seconds - now)
                if left <= 0:
                    host.starts.append(now)
                    return
            self._pause(left)

    def closed(self, name: str) -> str | None:
        """Why this host is not asked any more in this run; None when it is."""
        with self._change:
            return self._host(name).closed

    def close(self, name: str, reason: str) -> None:
        """Ask this host no more in this run."""
        with self._change:
            self._host(name).closed = reason

    def hold(self, name: str, seconds: float) -> None:
        """Nobody asks this host before so many seconds are over."""
        with self._change:
            host = self._host(name)
            host.not_before = max(host.not_before, self._clock() + seconds)

    def went(self, name: str, fault: str | None) -> None:
        """How a request ended. A host that fails time after time is not asked any more."""
        with self._change:
            host = self._host(name)
            host.failed = host.failed + 1 if fault else 0
            if host.failed >= PATIENCE and host.closed is None:
                host.closed = f"{fault}, as did the {PATIENCE - 1} requests before"

    def learn(self, name: str, headers: Mapping[str, str]) -> None:
        """Take over what a host says about its limits."""
        found = stated_rate(headers)
        at_once = _number(headers.get("x-concurrency-limit"))
        with self._change:
            host = self._host(name)
            requests, seconds = found or (host.rate.requests, host.rate.seconds)
            allowed = max(1, min(int(at_once), MOST_AT_ONCE)) if at_once else host.rate.at_once
            host.rate = Rate(requests=requests, seconds=seconds, at_once=allowed)
            self._change.notify_all()


def stated_rate(headers: Mapping[str, str]) -> tuple[int, float] | None:
    """Requests and seconds of `x-rate-limit-limit` and `x-rate-limit-interval`."""
    requests = _number(headers.get("x-rate-limit-limit"))
    words = (headers.get("x-rate-limit-interval") or "").strip().lower()
    units = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
    unit = next((one for one in units if words.endswith(one) and words != one), "")
    seconds = _number(words.removesuffix(unit))
    if not requests or not seconds or requests < 1:
        return None
    return int(requests), seconds * units.get(unit, 1.0)


def pause_asked(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds of `Retry-After`, which is a number or a date; None when it says nothing."""
    words = (headers.get("retry-after") or "").strip()
    number = _number(words)
    if number is not None:
        return number
    try:
        until = parsedate_to_datetime(words)
    except (TypeError, ValueError, IndexError):
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())


def _number(words: str | None) -> float | None:
    try:
        found = float((words or "").strip())
    except ValueError:
        return None
    return found if 0 <= found < 1e9 else None
