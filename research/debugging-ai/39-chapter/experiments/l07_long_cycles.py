# %% [markdown]
# # L7: Long cycles, and reading with an unchanged state
#
# The novelty ratio that the chapter prints is cut out of its snapshot and run as it stands, on
# cycles of several lengths and on a window of ten new pages.

# %%
from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

chapter = Path("chapter-snapshot.txt").read_text(encoding="utf-8")
start = chapter.index("# non-progress detection")
printed_code = chapter[start : chapter.index("\n\n", start)]
printed: dict[str, Any] = {"__name__": "chapter"}
exec(compile(printed_code, "chapter-snapshot.txt", "exec", dont_inherit=True), printed)
window_novelty = printed["window_novelty"]
assert callable(window_novelty)


# %%
class Step(NamedTuple):
    """A step, with the one field that the printed ratio looks at."""

    state_hash: str


STEPS, WINDOW = 60, 10
PERIODS = range(1, 16)


def new_share(window: Sequence[Step], before: Sequence[Step]) -> float:
    """Share of the steps that reach a state which the run had not reached before."""
    known = {step.state_hash for step in before}
    new = 0
    for step in window:
        new += step.state_hash not in known
        known.add(step.state_hash)
    return new / len(window)


assert new_share([Step("a"), Step("a"), Step("b")], [Step("b")]) == 1 / 3

# %% [markdown]
# ## Cycles of one to fifteen states
#
# Each cycle runs for 60 steps; the last ten are scored.

# %%
scores: dict[int, tuple[float, float]] = {}
for period in PERIODS:
    run = [Step(f"state {n % period}") for n in range(STEPS)]
    before, window = run[:-WINDOW], run[-WINDOW:]
    scores[period] = (window_novelty(window), new_share(window, before))
for period in (3, 5, 9, 10, 12):
    ratio, against_history = scores[period]
    print(f"{period} states: {ratio:.2f} as printed, {against_history:.2f} against history")
assert all(scores[period] == (min(period, WINDOW) / WINDOW, 0) for period in PERIODS)

# %% [markdown]
# ## Two complete cycles in one window

# %%
holds_two = {}
for period in PERIODS:
    window = [Step(f"state {n % period}") for n in range(STEPS)][-WINDOW:]
    one, two = window[-period:], window[-2 * period : -period]
    holds_two[period] = 2 * period <= len(window) and one == two
longest = max(period for period in PERIODS if holds_two[period])
print(f"the longest cycle that a window of {WINDOW} holds twice has {longest} states")
assert longest == WINDOW // 2
assert all(holds_two[period] == (period <= longest) for period in PERIODS)

# %% [markdown]
# ## Ten new pages while the state stays the same

# %%
states = [Step("h7a1")] * WINDOW
observations = [Step(f"page {n}") for n in range(WINDOW)]
reading = {
    "states": window_novelty(states),
    "states_against_history": new_share(states, states[:1]),
    "observations": window_novelty(observations),
}
print("reading:", reading)
assert reading == {"states": 1 / WINDOW, "states_against_history": 0, "observations": 1}
assert reading["states"] == min(ratio for ratio, _ in scores.values())

# %% [markdown]
# ## Keep the results


# %%
def tidy(number: float) -> float | int:
    """The number with two decimals, and without any when it is whole."""
    rounded = round(number, 2)
    return int(rounded) if rounded == int(rounded) else rounded


values = {
    "window": WINDOW,
    "steps": STEPS,
    "cycle": {
        f"p{period}": {
            "printed": tidy(ratio),
            "against_history": tidy(against_history),
            "holds_two": holds_two[period],
        }
        for period, (ratio, against_history) in scores.items()
    },
    "longest_held_twice": longest,
    "reading": {name: tidy(ratio) for name, ratio in reading.items()},
}
rows = [
    {"states": period, "printed": tidy(ratio), "against_history": tidy(against_history)}
    for period, (ratio, against_history) in scores.items()
]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "cycles.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "cycles.json").read_text(encoding="utf-8")) == rows
