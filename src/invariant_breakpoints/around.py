"""Guards around an agent loop: a function, its asynchronous twin, and a context manager.

The agent is asked for its next call; a guard may refuse it, let it wait, or end the run. Nothing
halts unless a guard is armed; `budget` is the harness's own limit, not a guard.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeAlias

from invariant_breakpoints.decisions import Allow, Branch, Decision, Guard, Halt, Wait
from invariant_breakpoints.session import BUDGET, Result, Session
from invariant_breakpoints.verdicts import Settings

SHORTEST_WAIT = 0.001
"""A guard that waits for a moment already past still gives way to the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """The next call that the agent wants to make."""

    tool: str
    args: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The agent is finished, with its own answer."""

    answer: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the agent is told before it names its next call."""

    step: int
    last: Mapping[str, Any] | None
    """The last step in the trace model; None at the start."""
    notice: str | None
    """The note of a guard. After a refusal the last step is still the one before."""


Move: TypeAlias = Act | Done
AgentStep: TypeAlias = Callable[[Turn], Move]
CallTool: TypeAlias = Callable[[str, Any], Mapping[str, Any]]


def _turn(session: Session) -> Turn:
    last = session.trace[-1] if session.trace else None
    return Turn(step=len(session.trace), last=last, notice=session.told())


def _pause(session: Session, decision: Wait) -> float:
    return max(decision.until - session.clock(), SHORTEST_WAIT)


def run_guarded(
    agent_step: AgentStep,
    guards: Sequence[Guard] = (),
    *,
    call: CallTool,
    settings: Settings | None = None,
    budget: int | None = None,
    first: int = 0,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> Result:
    """Run an agent until it is done, a guard halts it, or the budget of turns is spent.

    `call` makes a call and returns what the step knows: `observation`, `error`, and where there is
    one `state`, `lease`, `progress`, `cost`. A refused call costs a turn, too. `first` is the
    number of the first step.
    """
    session = Session(guards=guards, settings=settings, clock=clock, first=first)
    turns = 0
    while budget is None or turns < budget:
        turns += 1
        move = agent_step(_turn(session))
        if isinstance(move, Done):
            return session.result(answer=move.answer)
        decision = session.propose(move.tool, move.args)
        while isinstance(decision, Wait):
            sleep(_pause(session, decision))
            decision = session.propose(move.tool, move.args)
        if isinstance(decision, Allow):
            decision = session.record(move.tool, move.args, call(move.tool, move.args))
        if isinstance(decision, Halt):
            return session.result()
    return session.result(stop=BUDGET)


async def run_guarded_async(
    agent_step: Callable[[Turn], Awaitable[Move]],
    guards: Sequence[Guard] = (),
    *,
    call: Callable[[str, Any], Awaitable[Mapping[str, Any]]],
    settings: Settings | None = None,
    budget: int | None = None,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Result:
    """The same as `run_guarded` for an agent and tools that are awaited."""
    session = Session(guards=guards, settings=settings, clock=clock)
    turns = 0
    while budget is None or turns < budget:
        turns += 1
        move = await agent_step(_turn(session))
        if isinstance(move, Done):
            return session.result(answer=move.answer)
        decision = session.propose(move.tool, move.args)
        while isinstance(decision, Wait):
            await sleep(_pause(session, decision))
            decision = session.propose(move.tool, move.args)
        if isinstance(decision, Allow):
            made = await call(move.tool, move.args)
            decision = session.record(move.tool, move.args, made)
        if isinstance(decision, Halt):
            return session.result()
    return session.result(stop=BUDGET)


class Halted(Exception):
    """A guard ended the run; `guarded` takes it at the end of its block."""

    def __init__(self, halt: Halt) -> None:
        super().__init__(f"{halt.reason}: {halt.why}")
        self.halt = halt


class guarded:
    """A context manager around somebody else's loop; a halt leaves the block.

    Inside, `allows` is asked before each call and `record` is given each result. After the block
    `result` says how it ended. Other exceptions pass.
    """

    def __init__(
        self,
        guards: Sequence[Guard] = (),
        *,
        settings: Settings | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.session = Session(guards=guards, settings=settings, clock=clock)
        self._sleep = sleep
        self._answer: Any = None
        self.result: Result | None = None

    def __enter__(self) -> guarded:
        """The object whose methods the loop calls."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Take a halt, and nothing else."""
        stop = None if kind is None else "error"
        self.result = self.session.result(answer=self._answer, stop=stop)
        return isinstance(raised, Halted)

    def allows(self, tool: str, args: Any) -> bool:
        """Whether to make the call; False means: tell the model `notice()` and ask it again."""
        decision = self.session.propose(tool, args)
        while isinstance(decision, Wait):
            self._sleep(_pause(self.session, decision))
            decision = self.session.propose(tool, args)
        return not isinstance(_raised(decision), Branch)

    def record(self, tool: str, args: Any, result: Mapping[str, Any]) -> None:
        """Take in the result of a call that was made."""
        _raised(self.session.record(tool, args, result))

    def notice(self) -> str | None:
        """The note for the model, once."""
        return self.session.told()

    def done(self, answer: Any) -> None:
        """The agent's own answer."""
        self._answer = answer


def _raised(decision: Decision) -> Decision:
    if isinstance(decision, Halt):
        raise Halted(decision)
    return decision
