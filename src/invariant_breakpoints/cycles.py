"""H1: the same pairs of call and result in laps (`Laps`), or in any order (`Circling`)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from invariant_breakpoints.facts import COMPACT, GUARD, TOOL, Facts
from invariant_breakpoints.keys import TRANSIENT
from invariant_breakpoints.periods import Periods
from invariant_breakpoints.verdicts import Alarm, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    step: int
    kind: str
    tool: str
    failed: bool
    passing: bool
    """The error may pass by itself."""
    pair: str


class _Track:
    """One projected sequence of steps, with its periods and what is known of its last steps."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.clear()

    def clear(self) -> None:
        self._periods = Periods(self.longest)
        self.marks: deque[_Mark] = deque(maxlen=self.longest + 1)
        self._begun: dict[int, int] = {}

    def push(self, key: str, mark: _Mark) -> dict[int, int]:
        alive = self._periods.push(key)
        self.marks.append(mark)
        for period, run in alive.items():
            if run == 1:
                self._begun[period] = self.marks[-1 - period].step
        return alive

    def first(self, period: int) -> int:
        return self._begun[period]

    def lap(self, period: int) -> list[_Mark]:
        return [self.marks[i] for i in range(-period, 0)]


class Laps:
    """Full laps of the same pairs, up to the longest period."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self._calls = _Track(settings.longest_period)
        self._whole = _Track(settings.longest_period)
        self._compactions = False
        self._in_order = False

    def clear(self) -> None:
        """Progress was made: all laps before it are history."""
        self._calls.clear()
        self._whole.clear()

    @property
    def in_order(self) -> bool:
        """Whether the last calls are two laps of something, be they enough for an alarm or not."""
        return self._in_order

    def observe(self, facts: Facts) -> Alarm | None:
        """The shortest cycle that has enough laps, if there is one."""
        if facts.kind == GUARD:
            return None
        mark = _Mark(
            step=facts.step,
            kind=facts.kind,
            tool=facts.tool,
            failed=facts.failed,
            passing=facts.family in TRANSIENT,
            pair=facts.pair,
        )
        # After a compaction everything may be read once more; only whole rounds of compacting and
        # doing the same again count, in the sequence that keeps the texts, by their kind.
        key = facts.pair if facts.kind == TOOL else facts.kind
        whole: dict[int, int] = {}
        if facts.kind == COMPACT:
            self._compactions = True
            self._calls.clear()
        if self._compactions:
            whole = self._whole.push(key, mark)
        if facts.kind == TOOL:
            alive = self._calls.push(key, mark)
            self._in_order = any(run >= period for period, run in alive.items())
            alarm = self._alarm(self._calls, alive)
            if alarm is not None:
                return alarm
        return self._compacted(whole)

    def _compacted(self, alive: dict[int, int]) -> Alarm | None:
        for period, run in alive.items():
            lap = self._whole.lap(period)
            kinds = {mark.kind for mark in lap}
            laps = run // period + 1
            if COMPACT in kinds and TOOL in kinds and laps >= self._set.laps_more_tools:
                return self._say(self._whole, period, run, {"H1", "post_compaction"}, True)
        return None

    def _alarm(self, track: _Track, alive: dict[int, int]) -> Alarm | None:
        for period, run in alive.items():
            lap = track.lap(period)
            laps = run // period + 1
            tools = {mark.tool for mark in lap}
            if laps < self._needed(period, len(tools)):
                continue
            shapes = {"H1"}
            if all(mark.failed for mark in lap):
                shapes |= {"H3", "retry_storm"}
            if period == 2 and len(tools) == 2:
                shapes.add("tool_oscillation")
            return self._say(track, period, run, shapes, self._halts(period, laps, lap))
        return None

    def _needed(self, period: int, tools: int) -> int:
        if period > 1:
            return self._set.laps_one_tool if tools == 1 else self._set.laps_more_tools
        return self._set.same_branch

    def _halts(self, period: int, laps: int, lap: list[_Mark]) -> bool:
        if period > 1 or laps >= self._set.same_halt:
            return True
        # The same failure from the same call: nothing that the agent can see will change it.
        return lap[0].failed and not lap[0].passing

    def _say(self, track: _Track, period: int, run: int, shapes: set[str], halt: bool) -> Alarm:
        lap = track.lap(period)
        laps = run // period + 1
        evidence: dict[str, Any] = {
            "rule": "laps",
            "period": period,
            "laps": laps,
            "steps": [mark.step for mark in lap],
            "pairs": [mark.pair[:12] for mark in lap],
        }
        what = f"a cycle of {period} calls" if period > 1 else "the same call with the same result"
        return Alarm(
            shapes=frozenset(shapes),
            halt=halt,
            why=f"{laps} times {what}.",
            first=track.first(period),
            evidence=evidence,
        )


class Circling:
    """Known pairs one after the other, in no fixed order: nothing new is learnt."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self.clear()

    def clear(self) -> None:
        """Something new was learnt."""
        self._count = 0
        self._first = 0
        self._far = 0
        self._pairs: dict[str, int] = {}
        self._tools: set[str] = set()

    def observe(self, facts: Facts, ago: int, thrash: bool) -> Alarm | None:
        """The alarm, if this known pair, last seen `ago` steps before, is one too many."""
        self._first = self._first if self._count else facts.step
        self._count += 1
        self._far += ago > self._set.rot_distance
        if len(self._pairs) <= self._set.longest_period:
            self._pairs[facts.pair] = facts.step
            self._tools.add(facts.tool)
        least = self._set.flat_branch + (len(self._pairs) < 3)
        if self._count < least or len(self._pairs) < 2:
            return None
        shapes = {"H2"} if thrash else {"H1"}
        if self._far * 2 > self._count:
            shapes.add("context_rot")
        if len(self._pairs) == len(self._tools) == 2:
            shapes.add("tool_oscillation")
        return Alarm(
            shapes=frozenset(shapes),
            halt=self._count >= self._set.flat_halt,
            why=f"{self._count} calls in a row brought only results that were known.",
            first=self._first,
            evidence={
                "rule": "circling",
                "count": self._count,
                "different": len(self._pairs),
                "steps": sorted(self._pairs.values()),
            },
        )
