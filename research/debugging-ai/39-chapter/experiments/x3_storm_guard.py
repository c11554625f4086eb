"""X3: the storm guard taken apart into backoff, retry cap and branch rule.

One agent fetches one page until it has it. The page fails for good, until an outage ends by the
clock, or with a chance at each try. All waiting is on a simulated clock, and every arm meets the
same errors.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from invariant_breakpoints.around import Act, Done, Move, Turn, run_guarded
from invariant_breakpoints.decisions import (
    ALLOW,
    Branch,
    Call,
    Decision,
    Guard,
    Halt,
    Outcome,
    Wait,
    notice,
    operation,
)
from invariant_breakpoints.session import COMPLETED, Result
from invariant_breakpoints.toys import ToyClock

OUT = Path("out")
BUDGET = 30
"""Turns of a run; a refused call costs one, too."""
CALL_S = 1.0
TRIES = 5
"""Tries of one operation that the cap allows."""
SAME_ERRORS = 3
"""Identical errors after which the branch rule refuses the operation."""
REFUSALS = 2
"""The first refusal is told to the agent, this one ends the run."""
BASE_S, LONGEST_S = 1.0, 60.0
CHANCE = 0.25
"""That a try succeeds, where an error passes by chance."""
OUTAGE_S = (2.0, 60.0)
"""The length of an outage is drawn evenly from here."""

PERMANENT, OUTAGE, BY_CHANCE = "permanent", "outage", "chance"
ERRORS = (PERMANENT, OUTAGE, BY_CHANCE)
HEEDLESS, HEEDS, IN_VAIN = "heedless", "heeds", "heeds in vain"
"""What the agent does with a note: nothing; another way that works; another way that fails."""

Json = dict[str, Any]


class Backoff:
    """Lets each retry wait: a random part of a bound that doubles. Refuses nothing."""

    name = "backoff"

    def __init__(self, seed: int) -> None:
        # A stream of its own, so that the errors are the same with and without waiting.
        self._random = random.Random(f"jitter {seed}")
        self._errors: dict[str, int] = {}
        self._ready: dict[str, float] = {}

    def before(self, call: Call) -> Decision:
        """`Wait` until the drawn time is over."""
        ready = self._ready.get(call.operation, 0.0)
        if call.t < ready:
            return Wait(until=ready, why="The backoff is not over.")
        return ALLOW

    def after(self, outcome: Outcome) -> Decision:
        """Draw the wait before the next try."""
        key = operation(outcome.facts)
        if outcome.facts.failed:
            self._errors[key] = errors = self._errors.get(key, 0) + 1
            bound = min(LONGEST_S, BASE_S * 2**errors)
            self._ready[key] = outcome.t + self._random.uniform(0, bound)
        return ALLOW


class Cap:
    """Ends the run after so many failed tries of one operation, and says nothing before."""

    name = "cap"

    def __init__(self) -> None:
        self._errors: dict[str, int] = {}

    def before(self, call: Call) -> Decision:
        """Nothing is known of a call that was not made."""
        return ALLOW

    def after(self, outcome: Outcome) -> Decision:
        """`Halt` at the last allowed try that failed."""
        key = operation(outcome.facts)
        if not outcome.facts.failed:
            return ALLOW
        self._errors[key] = self._errors.get(key, 0) + 1
        if self._errors[key] < TRIES:
            return ALLOW
        return Halt(reason=self.name, why=f"The operation failed in {TRIES} tries.")


class BranchRule:
    """Refuses an operation after its third identical error, and says so; then it ends the run."""

    name = "branch"

    def __init__(self) -> None:
        self._same: dict[str, tuple[str | None, int]] = {}
        self._refused = 0

    def before(self, call: Call) -> Decision:
        """`Branch` for what failed alike often enough, `Halt` when it is asked for again."""
        if self._same.get(call.operation, ("", 0))[1] < SAME_ERRORS:
            return ALLOW
        self._refused += 1
        if self._refused >= REFUSALS:
            return Halt(reason=self.name, why="The refused operation was asked for again.")
        what = f"The same call brought the same error {SAME_ERRORS} times."
        return Branch(message=notice(what, "Take another way."))

    def after(self, outcome: Outcome) -> Decision:
        """Count identical errors in a row of each operation."""
        key, error = operation(outcome.facts), outcome.facts.error
        before, count = self._same.get(key, (None, 0))
        same = outcome.facts.failed and error == before
        self._same[key] = (error, count + 1 if same else int(outcome.facts.failed))
        return ALLOW


@dataclass(slots=True, kw_only=True)
class Storm:
    """An agent that wants one page, and the world in which it fails."""

    error: str
    agent: str
    seed: int
    clock: ToyClock = field(default_factory=ToyClock)
    outage_s: float = field(init=False)
    tried_other: bool = False
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """The errors depend on the seed alone, whatever the guards and the agent do."""
        self._random = random.Random(f"errors {self.seed}")
        self.outage_s = self._random.uniform(*OUTAGE_S)

    def step(self, turn: Turn) -> Move:
        """Fetch until it works; after a note, another way once, if the agent heeds it."""
        if turn.last is not None and turn.last["error"] is None:
            return Done(answer=turn.last["observation"])
        if turn.notice is not None and self.agent != HEEDLESS and not self.tried_other:
            self.tried_other = True
            return Act(tool="read_copy", args={"of": "page"})
        return Act(tool="fetch", args={"url": "page"})

    def call(self, tool: str, args: Any) -> Mapping[str, Any]:
        """The result; each call takes a second."""
        self.clock.now += CALL_S
        if tool == "read_copy":
            failed = self.agent == IN_VAIN
            return {
                "observation": "no copy" if failed else "the page, from a copy",
                "error": "not_found" if failed else None,
            }
        if self._fails():
            known = self.error == PERMANENT
            return {
                "observation": "no text layer" if known else "503 service unavailable",
                "error": "parse_failed" if known else "http_503",
            }
        return {"observation": "the page", "error": None}

    def _fails(self) -> bool:
        if self.error == OUTAGE:
            return self.clock.now < self.outage_s
        return self.error == PERMANENT or self._random.random() >= CHANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Which guards are armed, and how the agent takes a note."""

    name: str
    title: str
    guards: Callable[[int], Sequence[Guard]]
    agent: str = HEEDLESS


ARMS = (
    Arm(name="none", title="no guard", guards=lambda seed: []),
    Arm(name="backoff", title="backoff", guards=lambda seed: [Backoff(seed)]),
    Arm(name="cap", title="cap", guards=lambda seed: [Cap()]),
    Arm(name="branch", title="branch", guards=lambda seed: [BranchRule()]),
    Arm(
        name="branch_heeded",
        title="branch, heeded",
        guards=lambda seed: [BranchRule()],
        agent=HEEDS,
    ),
    Arm(
        name="branch_in_vain",
        title="branch, heeded in vain",
        guards=lambda seed: [BranchRule()],
        agent=IN_VAIN,
    ),
    Arm(
        name="bundle",
        title="all three",
        guards=lambda seed: [Backoff(seed), Cap(), BranchRule()],
    ),
    Arm(
        name="bundle_heeded",
        title="all three, heeded",
        guards=lambda seed: [Backoff(seed), Cap(), BranchRule()],
        agent=HEEDS,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is kept of one run."""

    steps: int
    """Calls that were made; a refused call is none."""
    seconds: float
    solved: bool
    end: str


def one_run(error: str, arm: Arm, seed: int) -> Run:
    """One run of one arm on one kind of error."""
    storm = Storm(error=error, agent=arm.agent, seed=seed)
    result: Result = run_guarded(
        storm.step,
        arm.guards(seed),
        call=storm.call,
        budget=BUDGET,
        clock=storm.clock,
        sleep=storm.clock.sleep,
    )
    return Run(
        steps=len(result.trace),
        seconds=storm.clock.now,
        solved=result.outcome == COMPLETED,
        end=result.stop_reason,
    )


def plain(value: float, digits: int = 2) -> float:
    """Rounded; whole numbers without a point."""
    value = round(value, digits)
    return int(value) if value == int(value) else value


def spread(values: Sequence[float]) -> Json:
    """Mean, least and most."""
    return {"mean": plain(mean(values)), "min": plain(min(values)), "max": plain(max(values))}


def share(flags: Sequence[bool]) -> float:
    """The share of true ones."""
    return plain(sum(flags) / len(flags), 3)


def cell(runs: Sequence[Run], free: Sequence[Run]) -> Json:
    """The runs of one arm, and against the runs without a guard, seed by seed."""
    pairs = list(zip(runs, free, strict=True))
    return {
        "steps": spread([one.steps for one in runs]),
        "seconds": spread([one.seconds for one in runs]),
        "solved_runs": sum(one.solved for one in runs),
        "solved": share([one.solved for one in runs]),
        "halted": share([one.end not in (COMPLETED, "budget") for one in runs]),
        "fewer_steps": share([one.steps < other.steps for one, other in pairs]),
        "equal_steps": share([one.steps == other.steps for one, other in pairs]),
        "longer": share([one.seconds > other.seconds for one, other in pairs]),
        "won_runs": sum(one.solved and not other.solved for one, other in pairs),
        "lost_runs": sum(other.solved and not one.solved for one, other in pairs),
    }


def rows(values: Json) -> list[Json]:
    """All cells as a table."""
    return [
        {
            "error": error,
            "arm": arm.title,
            "steps": values[error][arm.name]["steps"]["mean"],
            "seconds": values[error][arm.name]["seconds"]["mean"],
            "solved": values[error][arm.name]["solved"],
            "fewer_steps": values[error][arm.name]["fewer_steps"],
            "lost_runs": values[error][arm.name]["lost_runs"],
        }
        for error in ERRORS
        for arm in ARMS
    ]


def by_arm(values: Json, read: Callable[[Json], float]) -> list[Json]:
    """One figure: a row for each arm, a column for each kind of error."""
    return [
        {"arm": arm.title, **{error: read(values[error][arm.name]) for error in ERRORS}}
        for arm in ARMS
    ]


def write(name: str, data: object) -> None:
    """Write one artefact."""
    text = json.dumps(data, indent=1, ensure_ascii=False, sort_keys=False)
    (OUT / name).write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Run every arm on every kind of error and write what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", required=True, help="whole numbers, by commas")
    seeds = [int(one) for one in parser.parse_args().seeds.split(",")]
    values: Json = {"runs": len(seeds), "budget": BUDGET, "tries": TRIES}
    for error in ERRORS:
        runs = {arm.name: [one_run(error, arm, seed) for seed in seeds] for arm in ARMS}
        values[error] = {name: cell(found, runs["none"]) for name, found in runs.items()}
    table = rows(values)
    write("values.json", values)
    write("cells.json", table)
    write("steps.json", by_arm(values, lambda found: found["steps"]["mean"]))
    write("seconds.json", by_arm(values, lambda found: found["seconds"]["mean"]))
    write("solved.json", by_arm(values, lambda found: found["solved"]))
    print(f"{len(seeds)} runs a cell, at most {BUDGET} turns; means")
    print(f"{'error':<10} {'arm':<23} {'steps':>6} {'seconds':>8} {'solved':>7}")
    for row in table:
        print(
            f"{row['error']:<10} {row['arm']:<23} {row['steps']:>6.2f} {row['seconds']:>8.1f} "
            f"{row['solved']:>7.2f}"
        )


if __name__ == "__main__":
    main()
