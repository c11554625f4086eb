"""Toy agents that show one behaviour each; none of them heeds a note, unless its name says so.

They run on a clock of their own, so that a backoff takes no time. The seed decides how much honest
work they do before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from invariant_breakpoints.around import Act, Done, Move, Turn

HEALTHY, LOOPING = "healthy", "looping"


@dataclass(slots=True)
class ToyClock:
    """A clock that only moves when told to."""

    now: float = 0.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.now += seconds


@dataclass(slots=True, kw_only=True)
class Toy:
    """An agent and its world. `lure` is the part that loops, or works, once the prelude is over."""

    prelude: int
    lure: Callable[[Toy, Turn], Move]
    world: Callable[[Toy, str, Any], Mapping[str, Any]]
    clock: ToyClock = field(default_factory=ToyClock)
    state: dict[str, Any] = field(default_factory=lambda: {"notes": 0})
    tries: int = 0
    over: float = 0.0
    """When the outage ends; 0 before the first call that meets it."""

    def step(self, turn: Turn) -> Move:
        """The next call."""
        if self.state["notes"] < self.prelude:
            return Act(tool="read", args={"path": f"notes/{self.state['notes']}"})
        return self.lure(self, turn)

    def call(self, tool: str, args: Any) -> Mapping[str, Any]:
        """The result of a call; each takes a tenth of a second."""
        self.clock.now += 0.1
        if tool == "read":
            self.state = {**self.state, "notes": self.state["notes"] + 1}
            return {"observation": f"text of {args['path']}", "error": None, "state": self.state}
        self.tries += 1
        return {"error": None, "state": self.state, **self.world(self, tool, args)}


def _search(toy: Toy, turn: Turn) -> Move:
    return Act(tool="search", args={"query": "refund policy"})


def _hits(toy: Toy, tool: str, args: Any) -> Mapping[str, Any]:
    return {"observation": "3 papers: p1 p2 p3"}


_WORDINGS = (
    "refund policy 2024",
    "2024 refund policy",
    "policy 2024 refund",
    "the refund policy of 2024",
    "refund policy for 2024",
    "policy on refund, 2024",
)


def _reworded(toy: Toy, turn: Turn) -> Move:
    return Act(tool="search", args={"query": _WORDINGS[toy.tries % len(_WORDINGS)]})


def _parse(toy: Toy, turn: Turn) -> Move:
    return Act(tool="parse", args={"path": "p9.pdf"})


def _unparsed(toy: Toy, tool: str, args: Any) -> Mapping[str, Any]:
    return {"observation": "no text layer", "error": "parse_failed"}


def _fetch(toy: Toy, turn: Turn) -> Move:
    if turn.last is not None and turn.last["tool"] == "fetch" and turn.last["error"] is None:
        return Done(answer="fetched")
    return Act(tool="fetch", args={"url": "u"})


OUTAGE_S = 6.0


def _outage(toy: Toy, tool: str, args: Any) -> Mapping[str, Any]:
    toy.over = toy.over or toy.clock.now + OUTAGE_S
    if toy.clock.now < toy.over:
        return {"observation": "503 service unavailable", "error": "http_503"}
    return {"observation": "page of u"}


LOOKS = 8


def _poll(toy: Toy, turn: Turn) -> Move:
    if turn.last is not None and turn.last["observation"] == "finished":
        return Done(answer="job finished")
    toy.clock.now += 10.0
    return Act(tool="job_status", args={"id": "job-4"})


def _status(toy: Toy, tool: str, args: Any) -> Mapping[str, Any]:
    lease = {"owner": "job-4", "poll_min_s": 5, "deadline_t": 600}
    seen = "finished" if toy.tries >= LOOKS else "still running"
    return {"observation": seen, "lease": lease}


PAGES = 12


def _page(toy: Toy, turn: Turn) -> Move:
    if toy.tries >= PAGES:
        return Done(answer=f"{PAGES} pages")
    return Act(tool="list_rows", args={"cursor": toy.tries})


def _rows(toy: Toy, tool: str, args: Any) -> Mapping[str, Any]:
    return {"observation": f"rows {args['cursor'] * 50} to {args['cursor'] * 50 + 49}"}


def _search_until_told(toy: Toy, turn: Turn) -> Move:
    if turn.notice is not None:
        return Done(answer="no paper found; I was told that nothing changed")
    return _search(toy, turn)


TOYS: tuple[tuple[str, str, Any, Any], ...] = (
    ("exact loop", LOOPING, _search, _hits),
    ("exact loop, heeds", LOOPING, _search_until_told, _hits),
    ("thrash", LOOPING, _reworded, _hits),
    ("permanent storm", LOOPING, _parse, _unparsed),
    ("transient storm", LOOPING, _fetch, _outage),
    ("polling", HEALTHY, _poll, _status),
    ("paging", HEALTHY, _page, _rows),
)


def toy(name: str, seed: int) -> Toy:
    """A fresh toy agent; raises `KeyError` when there is none of this name."""
    for one, _, lure, world in TOYS:
        if one == name:
            # No secret hangs on this number; it must only be the same for the same seed.
            prelude = 2 + random.Random(seed).randrange(4)
            return Toy(prelude=prelude, lure=lure, world=world)
    raise KeyError(name)
