# %% [markdown]
# # L6: How much evidence two windows are
#
# The chapter asks for two flat windows of 10 steps and states no stride. Flat steps are counted
# until a second window is complete, for three strides.

# %%
from __future__ import annotations

import itertools
import json
from pathlib import Path

WINDOW = 10
STRIDES = (1, 5, 10)
assert max(STRIDES) == WINDOW


# %%
def second_window(stride: int) -> tuple[range, range]:
    """The first two windows of flat steps, as soon as both are complete."""
    for steps in itertools.count(1):
        windows = [range(s, s + WINDOW) for s in range(1, steps + 1, stride)]
        complete = [window for window in windows if window[-1] <= steps]
        if len(complete) == 2:
            return complete[0], complete[1]
    raise AssertionError("count never ends")


pairs = {stride: second_window(stride) for stride in STRIDES}
for stride, (one, two) in pairs.items():
    print(f"stride {stride}: steps {one[0]}-{one[-1]} and {two[0]}-{two[-1]}")
assert [two[-1] for _, two in pairs.values()] == [11, 15, 20]

# %% [markdown]
# ## Steps that both windows hold

# %%
shared = {stride: len(set(one) & set(two)) for stride, (one, two) in pairs.items()}
added = {stride: len(set(two) - set(one)) for stride, (one, two) in pairs.items()}
for stride in STRIDES:
    print(f"stride {stride}: {shared[stride]} steps shared, {added[stride]} new")
assert list(shared.values()) == [9, 5, 0]
assert list(added.values()) == [1, 5, 10]

# %% [markdown]
# ## Keep the results

# %%
values = {
    "window": WINDOW,
    **{
        f"stride_{stride}": {
            "complete_at": pairs[stride][1][-1],
            "shared": shared[stride],
            "new": added[stride],
        }
        for stride in STRIDES
    },
}
out = Path("out")
out.mkdir(exist_ok=True)
text = json.dumps(values, indent=1, ensure_ascii=False)
(out / "values.json").write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
