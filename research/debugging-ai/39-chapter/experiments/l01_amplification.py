# %% [markdown]
# # L1: Load amplification through retry layers
#
# Every layer of a stack tries the layer below it a fixed number of times, and everything fails.
# How many calls reach the lowest layer? A first try and three retries are four tries.

# %%
from __future__ import annotations

import json
from pathlib import Path

STACKS: dict[str, tuple[int, int]] = {
    "three tries, three layers": (3, 3),
    "three retries, three layers": (4, 3),
    "three tries, five layers": (3, 5),
    "three retries, five layers": (4, 5),
}
assert {tries for tries, _ in STACKS.values()} == {3, 4}

# %% [markdown]
# ## Count, do not multiply
#
# The calls are sent down the stack one after the other and counted where they arrive.


# %%
def arrivals(tries: int, layers: int) -> int:
    """Calls that arrive below `layers` layers when each of them tries in vain `tries` times."""
    arrived = 0
    under_way = [layers]
    while under_way:
        layers_below = under_way.pop()
        if layers_below == 0:
            arrived += 1
        else:
            under_way.extend([layers_below - 1] * tries)
    return arrived


counted = {name: arrivals(tries, layers) for name, (tries, layers) in STACKS.items()}
for name, calls in counted.items():
    print(f"{name}: {calls} calls")
assert list(counted.values()) == [27, 64, 243, 1024]
assert all(counted[name] == tries**layers for name, (tries, layers) in STACKS.items())

# %% [markdown]
# ## Which stacks give 243?
#
# All stacks of two to ten tries and one to ten layers are looked at.

# %%
stacks_of_243 = [(t, n) for t in range(2, 11) for n in range(1, 11) if t**n == 243]
print(f"243 calls: {stacks_of_243} (tries, layers)")
assert stacks_of_243 == [(3, 5)]

# %% [markdown]
# ## Keep the results

# %%
values = {
    "three_tries": {
        "three_layers": counted["three tries, three layers"],
        "five_layers": counted["three tries, five layers"],
    },
    "three_retries": {
        "three_layers": counted["three retries, three layers"],
        "five_layers": counted["three retries, five layers"],
    },
    "stack_of_243": {"tries": stacks_of_243[0][0], "layers": stacks_of_243[0][1]},
}
rows = [
    {"stack": name, "tries": tries, "layers": layers, "calls": counted[name]}
    for name, (tries, layers) in STACKS.items()
]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "amplification.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "amplification.json").read_text(encoding="utf-8")) == rows
