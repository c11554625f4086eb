"""Guards around agent loops: the function, its asynchronous twin, and the context manager."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from invariant_breakpoints.around import Act, Done, Move, Turn, guarded, run_guarded
from invariant_breakpoints.around import run_guarded_async as run_async
from invariant_breakpoints.guards import GUARDS, RetryBudget, Tabu, armed
from invariant_breakpoints.session import Result
from invariant_breakpoints.toys import TOYS, toy

OPTIONS: dict[str, dict[str, Any]] = {
    "limit": {"steps": 24},
    "retry_budget": {"random": lambda: 0.5},
}
BUDGET = 40
NAMES = [one[0] for one in TOYS]


def guarded_run(name: str, guard: str | None) -> Result:
    agent = toy(name, 1)
    guards = [armed(guard, OPTIONS.get(guard, {}))] if guard else []
    return run_guarded(
        agent.step,
        guards,
        call=agent.call,
        budget=BUDGET,
        clock=agent.clock,
        sleep=agent.clock.sleep,
    )


def async_run(name: str, guard: str | None) -> Result:
    agent = toy(name, 1)
    guards = [armed(guard, OPTIONS.get(guard, {}))] if guard else []

    async def step(turn: Turn) -> Move:
        return agent.step(turn)

    async def call(tool: str, args: Any) -> Mapping[str, Any]:
        return agent.call(tool, args)

    async def sleep(seconds: float) -> None:
        agent.clock.sleep(seconds)

    return asyncio.run(
        run_async(step, guards, call=call, budget=BUDGET, clock=agent.clock, sleep=sleep)
    )


def managed_run(name: str, guard: str | None) -> Result:
    agent = toy(name, 1)
    guards = [armed(guard, OPTIONS.get(guard, {}))] if guard else []
    last: Mapping[str, Any] | None = None
    with guarded(guards, clock=agent.clock, sleep=agent.clock.sleep) as run:
        for at in range(BUDGET):
            move = agent.step(Turn(step=at, last=last, notice=run.notice()))
            if isinstance(move, Done):
                run.done(move.answer)
                break
            if run.allows(move.tool, move.args):
                run.record(move.tool, move.args, agent.call(move.tool, move.args))
                last = run.session.trace[-1]
    assert run.result is not None
    return run.result


@pytest.mark.parametrize("guard", [None, *(name for name, _ in GUARDS)])
@pytest.mark.parametrize("name", NAMES)
def test_the_three_ways_around_a_loop_end_alike(name: str, guard: str | None) -> None:
    one, other = guarded_run(name, guard), async_run(name, guard)
    assert one.as_json() == other.as_json()
    managed = managed_run(name, guard)
    assert managed.trace == one.trace
    assert managed.rulings == one.rulings
    if one.stop_reason != "budget":  # the loop around a context manager has its own limit
        assert managed.as_json() == one.as_json()


@pytest.mark.parametrize("guard", [name for name, _ in GUARDS])
@pytest.mark.parametrize("name", NAMES)
def test_no_end_but_completed_has_an_answer(name: str, guard: str) -> None:
    result = guarded_run(name, guard)
    if result.stop_reason == "completed":
        assert (result.outcome, result.answer is None) == ("completed", False)
    else:
        assert (result.outcome, result.answer) == ("UNKNOWN", None)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_stopped_or_said_until_a_guard_is_armed(name: str) -> None:
    result = guarded_run(name, None)
    assert result.rulings == ()
    assert result.stop_reason in ("completed", "budget")


def test_a_halted_run_tells_its_reason_its_evidence_and_what_it_had_so_far(tmp_path: Path) -> None:
    result = guarded_run("exact loop", "tabu")
    assert (result.outcome, result.stop_reason) == ("UNKNOWN", "tabu")
    assert "steps 3 and 4" in result.why
    assert result.partial[0]["observation"] == "text of notes/0"
    result.dump(tmp_path / "run.json")
    told = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert told["rulings"][-1]["evidence"]["steps"] == [3, 4]
    assert [step["step"] for step in told["trace"]] == [0, 1, 2, 3, 4]


def test_an_answer_after_a_halt_is_not_taken() -> None:
    agent = toy("exact loop", 1)
    with guarded([Tabu()], clock=agent.clock) as run:
        run.done("a guess")
        while True:
            move = agent.step(Turn(step=0, last=None, notice=None))
            assert isinstance(move, Act)
            if run.allows(move.tool, move.args):
                run.record(move.tool, move.args, agent.call(move.tool, move.args))
    assert run.result is not None
    assert (run.result.outcome, run.result.answer) == ("UNKNOWN", None)


def test_an_error_of_the_loop_itself_passes_and_is_no_completion() -> None:
    run = guarded([Tabu()])
    with pytest.raises(KeyError), run:
        raise KeyError("x")
    assert run.result is not None
    assert (run.result.outcome, run.result.stop_reason) == ("UNKNOWN", "error")


def test_a_note_is_told_once_and_a_refused_call_is_not_made() -> None:
    agent = toy("exact loop", 1)
    notes: list[str | None] = []

    def step(turn: Turn) -> Move:
        notes.append(turn.notice)
        return agent.step(turn)

    guards = [Tabu(blocks=9)]
    result = run_guarded(step, guards, call=agent.call, budget=8, clock=agent.clock)
    assert len(result.trace) == 5
    assert [note is not None for note in notes] == [False] * 6 + [True] * 2
    result = run_guarded(
        lambda turn: notes.append(turn.notice) or Done(answer=1),  # type: ignore[func-returns-value]
        call=agent.call,
    )
    assert result.answer == 1


def test_a_transient_storm_waits_and_gets_through() -> None:
    agent = toy("transient storm", 1)
    result = run_guarded(
        agent.step,
        [RetryBudget(random=lambda: 0.0)],
        call=agent.call,
        clock=agent.clock,
        sleep=agent.clock.sleep,
    )
    assert result.answer == "fetched"
    waits = [one.as_json() for one in result.rulings]
    assert [one["decision"] for one in waits] == ["wait"] * 3
    assert waits[0]["owner"] == ""


def test_a_result_cannot_rename_the_step_it_belongs_to() -> None:
    moves = iter([Act(tool="a", args={}), Done()])
    result = run_guarded(lambda turn: next(moves), call=lambda t, a: {"step": 9, "tool": "b"})
    assert (result.trace[0]["step"], result.trace[0]["tool"]) == (0, "a")


@pytest.mark.parametrize("waits_first", [True, False])
def test_a_refusal_is_told_at_once_when_another_guard_would_wait(waits_first: bool) -> None:
    """The wait is for a call that is not made; asked again, the guard would count twice."""
    agent = toy("transient storm", 1)
    guards = [RetryBudget(random=lambda: 0.5, tokens=100), Tabu()]
    notices: list[str] = []

    def step(turn: Turn) -> Move:
        if turn.notice is not None:
            notices.append(turn.notice)
            return Done(answer="another way")
        return agent.step(turn)

    result = run_guarded(
        step,
        guards if waits_first else guards[::-1],
        call=agent.call,
        budget=BUDGET,
        clock=agent.clock,
        sleep=agent.clock.sleep,
    )
    assert result.outcome == "completed"
    assert len(notices) == 1
    refused = [ruling for ruling in result.rulings if ruling.as_json()["decision"] == "branch"]
    assert [ruling.guard for ruling in refused] == ["tabu"]
