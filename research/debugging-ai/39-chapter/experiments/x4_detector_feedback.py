"""X4: the loop detector as feedback: halt at the first detection, or tell the agent first.

Three looping tasks, three kinds of simulated agents, two arms. Whoever heeds a note takes another
source, which brings something new, and then answers from it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from invariant_breakpoints.around import Act, Done, Move, Turn, run_guarded
from invariant_breakpoints.decisions import (
    ALLOW,
    UNKNOWN,
    Branch,
    Call,
    Decision,
    Halt,
    Outcome,
    notice,
)
from invariant_breakpoints.session import COMPLETED, Result
from invariant_breakpoints.toys import Toy, ToyClock, toy
from invariant_breakpoints.verdicts import STUCK

OUT = Path("out")
BUDGET = 40
HEED_CHANCE = 0.5
OTHER = "open_other_source"
FOUND = "the policy, in another source"

TASKS = (("exact_loop", "exact loop"), ("thrash", "thrash"), ("storm", "permanent storm"))
AGENTS = (("heeds", 1.0), ("heeds_none", 0.0), ("by_chance", HEED_CHANCE))
"""Each kind of agent with its chance of heeding a note."""
ARMS = (("halt", 0), ("feedback", 1))
"""Each arm with the number of notes that come before the halt."""

Json = dict[str, Any]


class Detected:
    """Acts on a called loop: first as many notes as it was given, then it ends the run."""

    name = "detected"

    def __init__(self, notes: int) -> None:
        self._notes = notes
        self.first: int | None = None
        """The step at which a loop was called for the first time."""
        self.told = 0

    def before(self, call: Call) -> Decision:
        """Nothing is known of a call that was not made."""
        return ALLOW

    def after(self, outcome: Outcome) -> Decision:
        """A note or a halt when the detector calls this step a loop."""
        verdict = outcome.verdict
        if verdict.verdict != STUCK:
            return ALLOW
        self.first = outcome.facts.step if self.first is None else self.first
        if self.told >= self._notes:
            return Halt(reason=self.name, why=verdict.why, evidence=dict(verdict.evidence))
        self.told += 1
        begun = outcome.facts.step if verdict.first is None else verdict.first
        what = f"From step {begun} to step {outcome.facts.step} nothing new was learnt."
        return Branch(message=notice(what, "Take another way, or say that you cannot go on."))


@dataclass(slots=True)
class Agent:
    """A toy agent that may heed a note, and a world that has another source."""

    inner: Toy
    chance: float
    """That it heeds a note."""
    dice: random.Random
    leaving: bool = False

    @property
    def clock(self) -> ToyClock:
        """The toy's own clock."""
        return self.inner.clock

    def step(self, turn: Turn) -> Move:
        """What the toy does, until a note is heeded; then the other source and its answer."""
        if turn.last is not None and turn.last["observation"] == FOUND:
            return Done(answer=FOUND)
        if turn.notice is not None and self.dice.random() < self.chance:
            self.leaving = True
        return Act(tool=OTHER, args={}) if self.leaving else self.inner.step(turn)

    def call(self, tool: str, args: Any) -> Mapping[str, Any]:
        """The toy's world; what the other source says goes into the working state."""
        if tool != OTHER:
            return self.inner.call(tool, args)
        self.inner.clock.now += 0.1
        self.inner.state = {**self.inner.state, "sources": 1}
        return {"observation": FOUND, "error": None, "state": self.inner.state}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is kept of one run."""

    outcome: str
    stop_reason: str
    steps: int
    steps_after: int
    """Calls that were made after the first called loop."""
    answered_right: bool
    answered_at_halt: bool


def one_run(task: str, agent: str, notes: int, seed: int) -> Run:
    """One run of one cell. Whether a note is heeded depends on task and seed, not on the arm."""
    dice = random.Random(f"{task} {seed}")
    subject = Agent(inner=toy(task, seed), chance=dict(AGENTS)[agent], dice=dice)
    guard = Detected(notes)
    result: Result = run_guarded(
        subject.step,
        [guard],
        call=subject.call,
        budget=BUDGET,
        clock=subject.clock,
        sleep=subject.clock.sleep,
    )
    made = len(result.trace)
    return Run(
        outcome=result.outcome,
        stop_reason=result.stop_reason,
        steps=made,
        steps_after=0 if guard.first is None else made - 1 - guard.first,
        answered_right=result.answer == FOUND,
        answered_at_halt=result.stop_reason != COMPLETED and result.answer is not None,
    )


def plain(value: float) -> float:
    """Three places; whole numbers without a point."""
    value = round(value, 3)
    return int(value) if value == int(value) else value


def cell(runs: Sequence[Run]) -> Json:
    """What some runs of one arm show."""
    halted = [one for one in runs if one.stop_reason == Detected.name]
    after = [one.steps_after for one in runs]
    return {
        "runs": len(runs),
        "completed": sum(one.outcome == COMPLETED for one in runs),
        "completed_share": plain(mean(one.outcome == COMPLETED for one in runs)),
        "answered_right": sum(one.answered_right for one in runs),
        "halted": len(halted),
        "halted_unknown": sum(one.outcome == UNKNOWN for one in halted),
        "answers_at_halts": sum(one.answered_at_halt for one in runs),
        "other_ends": sum(one.stop_reason not in (COMPLETED, Detected.name) for one in runs),
        "steps": {"mean": plain(mean(one.steps for one in runs))},
        "steps_after": {
            "median": plain(median(after)),
            "mean": plain(mean(after)),
            "max": max(after),
        },
    }


def rows(values: Json) -> list[Json]:
    """The cells as a table: one row for each arm, agent and task."""
    return [
        {
            "arm": arm,
            "agent": agent.replace("_", " "),
            "task": title,
            "runs": found["runs"],
            "completed": found["completed"],
            "halted_unknown": found["halted_unknown"],
            "answers_at_halts": found["answers_at_halts"],
            "steps": found["steps"]["mean"],
            "steps_after": found["steps_after"]["mean"],
        }
        for arm, _ in ARMS
        for agent, _ in AGENTS
        for name, title in TASKS
        for found in (values[arm][agent][name],)
    ]


def by_agent(values: Json) -> list[Json]:
    """Shares of completed runs: a row for each kind of agent, a column for each arm."""
    return [
        {
            "agent": agent.replace("_", " "),
            **{arm: values[arm][agent]["all"]["completed_share"] for arm, _ in ARMS},
        }
        for agent, _ in AGENTS
    ]


def write(name: str, data: object) -> None:
    """Write one artefact."""
    text = json.dumps(data, indent=1, ensure_ascii=False, sort_keys=False)
    (OUT / name).write_text(text + "\n", encoding="utf-8")


def measured(seeds: Sequence[int]) -> Json:
    """All cells, and for each arm and each agent its cells together."""
    values: Json = {"seeds": len(seeds), "heed_chance": HEED_CHANCE}
    for arm, notes in ARMS:
        values[arm], everything = {}, []
        for agent, _ in AGENTS:
            runs = {
                name: [one_run(task, agent, notes, seed) for seed in seeds] for name, task in TASKS
            }
            together = [one for found in runs.values() for one in found]
            everything += together
            cells = {name: cell(found) for name, found in runs.items()}
            values[arm][agent] = {**cells, "all": cell(together)}
        values[arm]["all"] = cell(everything)
    return values


def main() -> None:
    """Run both arms and write what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", required=True, help="whole numbers, by commas")
    seeds = [int(one) for one in parser.parse_args().seeds.split(",")]
    values = measured(seeds)
    write("values.json", values)
    write("cells.json", rows(values))
    write("completed.json", by_agent(values))
    for arm, notes in ARMS:
        print(f"arm {arm}, notes before the halt: {notes}")
        for agent in (*dict(AGENTS), "all"):
            found = values[arm]["all"] if agent == "all" else values[arm][agent]["all"]
            print(
                f"   agent {agent.replace('_', ' '):<10} completed {found['completed']:>3} of "
                f"{found['runs']}, UNKNOWN {found['halted_unknown']:>3}, "
                f"answers at halts {found['answers_at_halts']}, "
                f"calls after the first detection {found['steps_after']['mean']} (mean)"
            )


if __name__ == "__main__":
    main()
