# %% [markdown]
# # L9: Backoff and branch rule under a step budget
#
# A toy model, and not a run of an agent: one action is tried until it succeeds, until the guard
# stops it, or until 30 steps are used. A step takes one second.

# %%
from __future__ import annotations

import json
import random
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

RUNS, FIRST_SEED = 2000, 0
BUDGET, STEP_SECONDS = 30, 1
CLEARS = 0.25  # chance that one try meets no transient error, whatever happened before
LONGEST_WAIT = 60
BRANCH_AT = 3
JITTER_SEEDS = 10**6
assert FIRST_SEED + RUNS <= JITTER_SEEDS, "the two streams of a run must never share a seed"


# %%
class Run(NamedTuple):
    """How one run ended."""

    steps: int
    seconds: float
    solved: bool


def model(transient: bool, guard: str, seed: int) -> Run:
    """One run; outcomes and jitter come from streams of their own, so that arms are paired."""
    outcomes, jitter = random.Random(seed), random.Random(seed + JITTER_SEEDS)
    seconds = 0.0
    for step in range(1, BUDGET + 1):
        seconds += STEP_SECONDS
        if transient and outcomes.random() < CLEARS:
            return Run(step, seconds, True)
        if guard == "backoff":
            seconds += jitter.uniform(0, min(LONGEST_WAIT, 2**step))
        if guard == "branch" and step == BRANCH_AT:
            return Run(step, seconds, False)
    return Run(BUDGET, seconds, False)


assert model(transient=True, guard="backoff", seed=1) == model(True, "backoff", 1)

# %% [markdown]
# ## Two kinds of error, three arms
#
# Every arm has the same 2000 seeds. Every step that fails is an error, so the number of the step
# is also the number of errors so far.

# %%
ERRORS = {"permanent": False, "transient": True}
GUARDS = ("none", "backoff", "branch")
runs = {
    (error, guard): [model(transient, guard, seed) for seed in range(FIRST_SEED, FIRST_SEED + RUNS)]
    for error, transient in ERRORS.items()
    for guard in GUARDS
}
for (error, guard), arm in runs.items():
    steps, seconds = mean(r.steps for r in arm), mean(r.seconds for r in arm)
    solved = sum(r.solved for r in arm)
    print(f"{error}, {guard}: {steps:.2f} steps, {seconds:.1f} s, solved {solved} of {RUNS}")
assert {r.steps for r in runs["permanent", "none"]} == {BUDGET}
assert {r.steps for r in runs["permanent", "branch"]} == {BRANCH_AT}
assert not any(r.solved for guard in GUARDS for r in runs["permanent", guard])

# %% [markdown]
# ## Backoff changes no count of steps
#
# Run by run, and not only in the mean.

# %%
same_steps = {
    error: sum(
        a.steps == b.steps for a, b in zip(runs[error, "none"], runs[error, "backoff"], strict=True)
    )
    for error in ERRORS
}
print("runs with as many steps with backoff as without:", same_steps)
assert same_steps == {"permanent": RUNS, "transient": RUNS}

# %% [markdown]
# ## What the model predicts exactly
#
# The means above come from one list of seeds. The model is simple enough to be solved, and the
# formulas say how far this list lies from the expectation.

# %%
fails = 1 - CLEARS
exact = {
    "steps": sum(fails**n for n in range(BUDGET)),
    "branch_steps": sum(fails**n for n in range(BRANCH_AT)),
    "solved": 1 - fails**BUDGET,
    "branch_solved": 1 - fails**BRANCH_AT,
    "backoff_seconds_permanent": BUDGET * STEP_SECONDS
    + sum(min(LONGEST_WAIT, 2**n) / 2 for n in range(1, BUDGET + 1)),
}
branch_solved = sum(r.solved for r in runs["transient", "branch"]) / RUNS
spread = (exact["branch_solved"] * (1 - exact["branch_solved"]) / RUNS) ** 0.5
off_by = (branch_solved - exact["branch_solved"]) / spread
print({name: round(number, 4) for name, number in exact.items()})
print(f"branch rule, transient: {branch_solved:.1%} solved, {exact['branch_solved']:.1%} expected")
print(f"that is {off_by:.1f} standard errors above the expectation")
assert abs(mean(r.steps for r in runs["transient", "none"]) - exact["steps"]) < 0.3
assert abs(off_by) < 3
assert (
    abs(mean(r.seconds for r in runs["permanent", "backoff"]) - exact["backoff_seconds_permanent"])
    < 10
)

# %% [markdown]
# ## Keep the results


# %%
def tidy(number: float, digits: int) -> float | int:
    """The number with so many decimals, and without any when it is whole."""
    rounded = round(number, digits)
    return int(rounded) if rounded == int(rounded) else rounded


values: dict[str, Any] = {"runs": RUNS}
for (error, guard), arm in runs.items():
    values.setdefault(error, {})[guard] = {
        "steps": tidy(mean(r.steps for r in arm), 2),
        "seconds": tidy(mean(r.seconds for r in arm), 1),
        "solved": sum(r.solved for r in arm),
        "solved_percent": tidy(100 * sum(r.solved for r in arm) / RUNS, 2),
    }
values["same_steps"] = same_steps
values["exact"] = {
    "steps": tidy(exact["steps"], 2),
    "branch_steps": tidy(exact["branch_steps"], 2),
    "solved_percent": tidy(100 * exact["solved"], 2),
    "branch_solved_percent": tidy(100 * exact["branch_solved"], 2),
    "backoff_seconds_permanent": tidy(exact["backoff_seconds_permanent"], 1),
}
values["branch_solved_off_by"] = tidy(off_by, 1)
ARMS = {"none": "no guard", "backoff": "backoff", "branch": "branch rule"}
rows = [
    {"arm": f"{error}, {ARMS[guard]}", **values[error][guard]}
    for error in ERRORS
    for guard in GUARDS
]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "arms.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "arms.json").read_text(encoding="utf-8")) == rows
