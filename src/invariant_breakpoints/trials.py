"""Trials: each arm with the guard off and on, one trial a seed, and what the difference shows."""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any, Protocol

from invariant_breakpoints import __version__
from invariant_breakpoints.around import AgentStep, CallTool, run_guarded
from invariant_breakpoints.decisions import UNKNOWN, Guard
from invariant_breakpoints.exact import (
    LEVEL,
    fisher_p,
    least_p,
    rank_sum_p,
    share_interval,
    shift_interval,
)
from invariant_breakpoints.facts import Reader
from invariant_breakpoints.guards import RetryBudget, armed
from invariant_breakpoints.keys import NORMALISER
from invariant_breakpoints.reading import runs
from invariant_breakpoints.registration import Arm, BadRegistration, Registration
from invariant_breakpoints.replay import Script
from invariant_breakpoints.session import COMPLETED, Result
from invariant_breakpoints.toys import LOOPING, toy
from invariant_breakpoints.trace import parse_step
from invariant_breakpoints.verdicts import RETRYING, STUCK, UNCERTAIN, WAITING

SCHEMA = "breakpoints.trials.v1"
SMOKE = 3
"""Trials a side up to which the series is named a smoke test: p cannot go below 0.05."""

LONGEST_LAP = 32


class Subject(Protocol):
    """An agent and its world, made fresh for one trial."""

    @property
    def step(self) -> AgentStep:
        """The agent."""
        ...

    @property
    def call(self) -> CallTool:
        """Its tools."""
        ...

    @property
    def clock(self) -> Any:
        """A clock with a method `sleep`; time of the trial, not of the machine."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One run of one arm."""

    arm: str
    on: bool
    seed: int
    outcome: str
    stop_reason: str
    steps: int
    span: int
    """The longest stretch of calls without progress, its first lap included; 0: none."""
    refused: int
    waits: int
    first: int | None
    """Where that stretch begins."""
    shapes: tuple[str, ...]
    novelty: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "arm": self.arm,
            "guard": "on" if self.on else "off",
            "seed": self.seed,
            "outcome": self.outcome,
            "stop_reason": self.stop_reason,
            "steps": self.steps,
            "span": self.span,
            "first": self.first,
            "refused": self.refused,
            "waits": self.waits,
            "shapes": list(self.shapes),
            "novelty": list(self.novelty),
        }


def longest_stretch(result: Result) -> tuple[int | None, int]:
    """Where the longest stretch without progress begins, and how many calls it has.

    A call counts when it is inside a loop that the detector called, from where that loop began, or
    when it is an `uncertain` repetition. The lap that the first of them repeats is counted, too, so
    that a stretch which was cut short before any loop could be called is measured alike.
    """
    reader = Reader()
    pairs = [reader.facts(parse_step(raw), at).pair for at, raw in enumerate(result.trace)]
    flat = [said.verdict in (STUCK, UNCERTAIN) for said in result.timeline]
    for span in result.loops:
        flat[span.first : span.last + 1] = [True] * (span.last + 1 - span.first)
    first, best, count = None, 0, 0
    for at, one in enumerate([*flat, False]):
        if one:
            count += 1
            continue
        begun = at - count
        if count:
            near = range(begun - 1, max(begun - 1 - LONGEST_LAP, -1), -1)
            begun = next((back for back in near if pairs[back] == pairs[begun]), begun)
        if at - begun > best:
            first, best = begun, at - begun
        count = 0
    return first, best


def window_novelty(result: Result, window: int) -> tuple[float, ...]:
    """For each window in turn: the share of its steps that are new in the whole run before them.

    New is the state where one is recorded, else the pair of call and result; a declared wait or
    retry that is kept counts as nothing missed. Shares of new against the run can reach 0; the
    number of different hashes in a window cannot.
    """
    reader, seen, new = Reader(), set[str](), list[bool]()
    for at, (raw, said) in enumerate(zip(result.trace, result.timeline, strict=True)):
        facts = reader.facts(parse_step(raw), at)
        key = facts.state or facts.pair
        new.append(key not in seen or said.verdict in (WAITING, RETRYING))
        seen.add(key)
    parts = [new[at : at + window] for at in range(0, len(new), window)]
    return tuple(round(sum(part) / len(part), 2) for part in parts)


def _subject(registration: Registration, arm: Arm) -> Callable[[int], Subject]:
    """What makes a fresh agent for a seed; raises `BadRegistration` when there is none."""
    kind, _, name = arm.agent.partition(":")
    if kind == "toy":
        try:
            toy(name, 0)
        except KeyError:
            raise BadRegistration([f"There is no toy agent `{name}`."]) from None
        return lambda seed: toy(name, seed)
    if kind == "trace":
        path = registration.folder / name
        try:
            (run,) = runs(path)
            lines = [line for line in run.lines if line.step is not None]
        except (OSError, ValueError) as bad:
            raise BadRegistration([f"The trace `{name}` cannot be used: {bad}."]) from None
        steps = [line.raw for line in lines][arm.first : arm.last and arm.last + 1]
        if not steps:
            raise BadRegistration([f"The trace `{name}` has none of the steps that are named."])
        return lambda seed: Script(steps)
    try:
        found = getattr(importlib.import_module(kind), name)
    except (ImportError, AttributeError, ValueError) as bad:
        raise BadRegistration([f"The agent `{arm.agent}` cannot be loaded: {bad}."]) from None
    made: Callable[[int], Subject] = found
    return made


def _armed(registration: Registration, seed: int) -> Guard:
    options = dict(registration.options)
    if registration.guard == RetryBudget.name:
        options["random"] = random.Random(seed).random
    return armed(registration.guard, options)


def _trial(registration: Registration, arm: Arm, subject: Subject, seed: int, on: bool) -> Trial:
    budget = registration.budget
    if isinstance(subject, Script):
        # A recorded run that is at its end has not completed anything.
        budget = min(budget, subject.length)
    result = run_guarded(
        subject.step,
        [_armed(registration, seed)] if on else [],
        call=subject.call,
        settings=registration.settings,
        budget=budget,
        clock=subject.clock,
        sleep=subject.clock.sleep,
    )
    first, span = longest_stretch(result)
    if first is not None and isinstance(subject, Script):
        first += arm.first  # the numbers of the recorded run
    kinds = [ruling.as_json()["decision"] for ruling in result.rulings]
    return Trial(
        arm=arm.name,
        on=on,
        seed=seed,
        outcome=result.outcome,
        stop_reason=result.stop_reason,
        steps=len(result.trace),
        span=span,
        first=first,
        refused=kinds.count("branch"),
        waits=kinds.count("wait"),
        shapes=tuple(sorted({shape for one in result.loops for shape in one.shapes})),
        novelty=window_novelty(result, registration.window),
    )


def _compared(arm: Arm, off: list[Trial], on: list[Trial]) -> dict[str, Any]:
    """What the trials of one arm show: exact one-sided tests, and intervals with their coverage."""
    spans_off, spans_on = [one.span for one in off], [one.span for one in on]
    done_off = sum(one.outcome == COMPLETED for one in off)
    done_on = sum(one.outcome == COMPLETED for one in on)
    low, high, covers = shift_interval(spans_off, spans_on)
    # Equal trials are one trial told again: nothing was drawn, so no p means anything.
    varied = len({(one.steps, one.span) for one in off}) > 1
    return {
        "arm": arm.name,
        "kind": arm.kind,
        "predictions": {"off": arm.off, "on": arm.on},
        "span_off": median(spans_off),
        "span_on": median(spans_on),
        "shorter_by": [low, high],
        "shorter_by_covers": round(covers, 4),
        "p_span_shorter": _told_p(rank_sum_p(spans_on, spans_off)),
        "least_p": _told_p(least_p(len(on), len(off))),
        "completed_off": done_off,
        "completed_on": done_on,
        "completed_on_interval": [round(one, 3) for one in share_interval(done_on, len(on))],
        "p_fewer_completed": _told_p(fisher_p(done_on, len(on), done_off, len(off))),
        "trials": len(on),
        "varied": varied,
        "ends_off": sorted({_end(one) for one in off}),
        "ends_on": sorted({_end(one) for one in on}),
    }


def _told_p(p: float) -> float:
    """Six digits that count: a small probability is not told as 0."""
    return float(f"{p:.6g}")


def _end(one: Trial) -> str:
    return one.outcome if one.outcome == COMPLETED else f"{one.outcome} ({one.stop_reason})"


def next_action(compared: list[dict[str, Any]]) -> str:
    """`enforce`, `reformulate` or `replay`, as the chapter routes; never a bigger budget."""
    looping = [one for one in compared if one["kind"] == LOOPING]
    harmed = any(
        one["completed_on"] < one["completed_off"] for one in compared if one["kind"] != LOOPING
    )
    shorter = bool(looping) and all(one["span_on"] < one["span_off"] for one in looping)
    if harmed or not shorter:
        return "replay"
    halted = {end for one in looping for end in one["ends_on"]}
    return "reformulate" if halted == {f"{UNKNOWN} (window_cap)"} else "enforce"


def run_trials(
    registration: Registration, *, registered_at: float, clock: Callable[[], float] = time.time
) -> dict[str, Any]:
    """The result as JSON values; `registered_at` is when the registration was last written.

    Every agent is found before the first trial starts. Raises `BadRegistration`.
    """
    makers = [(arm, _subject(registration, arm)) for arm in registration.arms]
    began = clock()
    trials: list[Trial] = []
    compared = []
    for arm, make in makers:
        sides = [
            [_trial(registration, arm, make(seed), seed, on) for seed in registration.seeds]
            for on in (False, True)
        ]
        trials += [one for side in sides for one in side]
        compared.append(_compared(arm, *sides))
    return {
        "schema": SCHEMA,
        "name": registration.name,
        "version": __version__,
        "normaliser": NORMALISER,
        "registration": registration.sha256,
        "registered_at": registered_at,
        "began": began,
        "young": registered_at > began,
        "smoke_test": len(registration.seeds) <= SMOKE,
        "level": LEVEL,
        "guard": registration.guard,
        "options": dict(registration.options),
        "window": registration.window,
        "budget": registration.budget,
        "seeds": list(registration.seeds),
        "arms": compared,
        "next": next_action(compared),
        "trials": [one.as_json() for one in trials],
    }


def rechecked(result: dict[str, Any], sha256: str, registered_at: float) -> dict[str, Any]:
    """An earlier result against the registration as it is now: changed, or younger than the data.

    Raises `ValueError` when it is no result.
    """
    if result.get("schema") != SCHEMA or not isinstance(result.get("began"), int | float):
        raise ValueError(f"The file is no result of `trials` ({SCHEMA}).")
    young = bool(result.get("young")) or registered_at > result["began"]
    return {**result, "young": young, "changed": result.get("registration") != sha256}
