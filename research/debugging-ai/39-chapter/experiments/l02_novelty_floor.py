# %% [markdown]
# # L2: Lowest value of the printed novelty ratio
#
# The code that the chapter prints is cut out of its snapshot and run as it stands. What does
# `window_novelty` return for a window in which nothing new happens?

# %%
from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

chapter = Path("chapter-snapshot.txt").read_text(encoding="utf-8")
start = chapter.index("# non-progress detection")
printed_code = chapter[start : chapter.index("\n\n", start)]
assert "def window_novelty(steps):" in printed_code

# %%
printed: dict[str, Any] = {"__name__": "chapter"}
exec(compile(printed_code, "chapter-snapshot.txt", "exec", dont_inherit=True), printed)
window_novelty = printed["window_novelty"]
print("functions printed:", ", ".join(name for name in printed if not name.startswith("__")))
assert callable(window_novelty)


# %% [markdown]
# ## One state, windows of four sizes


# %%
class Step(NamedTuple):
    """A step, with the one field that the printed ratio looks at."""

    state_hash: str


def still(steps: int) -> list[Step]:
    """A window in which the state does not move."""
    return [Step("h7a1")] * steps


SIZES = (3, 5, 10, 20)
lowest = {size: window_novelty(still(size)) for size in SIZES}
for size, ratio in lowest.items():
    print(f"window of {size} steps, one state: {ratio:.3f}")
assert lowest == {size: 1 / size for size in SIZES}

# %% [markdown]
# ## Is that the lowest?
#
# Every window of one to six steps over three states is scored.

# %%
minima = {
    size: min(window_novelty(window) for window in itertools.product(map(Step, "abc"), repeat=size))
    for size in range(1, 7)
}
print("lowest over all windows:", {size: round(ratio, 3) for size, ratio in minima.items()})
assert minima == {size: 1 / size for size in range(1, 7)}

# %% [markdown]
# ## What the chapter's table prints, and an empty window

# %%
in_table = {
    float(number) for number in re.findall(r"states: h7a1 ×10 \(novelty ([\d.]+)\)", chapter)
}
print(f"the table prints {in_table} for ten copies of one state; the code gives {lowest[10]}")
assert in_table == {0.0}
assert window_novelty(still(10)) > max(in_table)

# %%
try:
    empty_window = str(window_novelty([]))
except ArithmeticError as error:
    empty_window = type(error).__name__
print("empty window:", empty_window)
assert empty_window == "ZeroDivisionError"


# %% [markdown]
# ## For comparison: a ratio against the history of the run


# %%
def new_share(window: Sequence[Step], before: Collection[str]) -> float:
    """Share of the steps that reach a state which the run had not reached before."""
    known = set(before)
    new = 0
    for step in window:
        new += step.state_hash not in known
        known.add(step.state_hash)
    return new / len(window)


against_history = new_share(still(10), {"h7a1"})
print(f"window of 10 steps, one known state, against history: {against_history}")
assert against_history == 0

# %% [markdown]
# ## Keep the results

# %%
values = {
    "lowest": {f"w{size}": round(ratio, 3) for size, ratio in lowest.items()},
    "printed_in_table": int(max(in_table)),
    "empty_window": empty_window,
    "against_history": int(against_history),
}
rows = [{"steps": size, "lowest": round(ratio, 3)} for size, ratio in lowest.items()]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "floors.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "floors.json").read_text(encoding="utf-8")) == rows
