"""Replay: a recorded run again, its tools answered from the trace, with at most one step forked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from invariant_breakpoints.around import Act, Done, Move, Turn
from invariant_breakpoints.trace import seconds

RESULT = ("observation", "error", "state", "lease", "progress", "retry_policy", "round", "tools")
"""What a step knows besides its call; all of it comes from the trace."""


@dataclass(slots=True)
class ScriptClock:
    """The recorded times; where none are recorded, a second a step."""

    now: float = 0.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.now += seconds


class Script:
    """A recorded run as an agent: it makes the recorded calls in their order and heeds no note.

    After a refused call it goes on with the next recorded one, so what follows a refusal is what
    the recorded agent did, not what it would have done.
    """

    def __init__(self, steps: Sequence[Mapping[str, Any]]) -> None:
        self._steps = steps
        self.length = len(steps)
        self._next = 0
        self._current: Mapping[str, Any] = {}
        self.clock = ScriptClock()

    def step(self, turn: Turn) -> Move:
        """The next recorded call."""
        if self._next >= len(self._steps):
            return Done(answer=None)
        self._current = self._steps[self._next]
        self._next += 1
        recorded = seconds(self._current.get("t"))
        self.clock.now = max(self.clock.now + (recorded is None), recorded or 0.0)
        return Act(tool=self._current.get("tool") or "", args=self._current.get("args"))

    def call(self, tool: str, args: Any) -> Mapping[str, Any]:
        """The recorded result of that call."""
        return {name: self._current[name] for name in RESULT if name in self._current}
