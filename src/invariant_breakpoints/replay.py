"""Replay: a recorded run again, its tools answered from the trace, with at most one step forked.

Nothing here asks a clock, a network or chance, so the same trace gives the same replay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from invariant_breakpoints.around import Act, Done, Move, Turn, run_guarded
from invariant_breakpoints.decisions import Guard
from invariant_breakpoints.keys import canonical
from invariant_breakpoints.session import Result
from invariant_breakpoints.trace import BadStep, parse_step, seconds
from invariant_breakpoints.verdicts import Settings

RESULT = (
    *("observation", "error", "state", "lease", "progress", "retry_policy", "round", "tools"),
    *("thought", "agent", "digests"),
)
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


class NotRecorded(LookupError):
    """A call that the trace has no answer for; to make one up would be no replay."""


class MockTools:
    """Tools that answer from a trace: the n-th equal call gets the n-th recorded answer.

    Equal means the same tool and the same arguments, to the last character. Give an object of this
    class to `run_guarded` as its `call`, to run a real agent against a recording.
    """

    def __init__(self, steps: Sequence[Mapping[str, Any]]) -> None:
        self._answers: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for step in reversed(steps):
            self._answers[_key(step.get("tool"), step.get("args"))].append(step)

    def __call__(self, tool: str, args: Any) -> Mapping[str, Any]:
        """The next recorded answer to this call; raises `NotRecorded` when there is none left."""
        left = self._answers.get(_key(tool, args))
        if not left:
            raise NotRecorded(f"The trace has no further answer to this call of {tool}.")
        step = left.pop()
        return {name: step[name] for name in RESULT if name in step}


def _key(tool: Any, args: Any) -> str:
    return canonical([tool, args])


def forked(steps: Sequence[dict[str, Any]], fork: Any) -> list[dict[str, Any]]:
    """The steps with the one of the fork's number replaced; all others stay as recorded.

    Raises `BadStep` when the fork is no step or the trace has no step of its number.
    """
    number = parse_step(fork).step
    found = [at for at, step in enumerate(steps) if step.get("step", at) == number]
    if number is None or len(found) != 1:
        raise BadStep(f"The fork must have the number of one step of the trace, not {number}.")
    return [fork if at == found[0] else step for at, step in enumerate(steps)]


def replayed(
    steps: Sequence[Mapping[str, Any]],
    *,
    guards: Sequence[Guard] = (),
    settings: Settings | None = None,
) -> Result:
    """Judge the recorded calls again, under guards where some are given.

    The calls that are made are numbered one after the other from the first recorded number on.
    """
    script = Script(steps)
    first = parse_step(steps[0]).step if steps else None
    return run_guarded(
        script.step,
        guards,
        call=script.call,
        settings=settings,
        budget=script.length,
        first=first or 0,
        clock=script.clock,
        sleep=script.clock.sleep,
    )
