# %% [markdown]
# # L10: What three trials against three can show
#
# Exact formulas, and no trial: how strong can the evidence of n trials off and n trials on be?

# %%
from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

ARMS = (3, 4, 5, 10)
LEVEL = 0.05
assert min(ARMS) == 3

# %% [markdown]
# ## The smallest p-value
#
# If all trials with the guard are better than all trials without it, one of the ways to choose n
# of 2n trials is as extreme. For the small arms the ways are counted one by one.


# %%
def ways(n: int) -> int:
    """Number of ways to choose which n of 2n trials had the guard."""
    return math.comb(2 * n, n)


p_smallest = {n: 1 / ways(n) for n in ARMS}
for n, p in p_smallest.items():
    print(f"{n}+{n} trials: smallest one-sided p = 1/{ways(n)} = {p:.2g}")
assert p_smallest[3] == LEVEL
assert p_smallest[4] < 0.015

# %%
for n in (3, 4, 5):
    spans = [1] * n + [2] * n  # shorter is better; the first n had the guard
    sums = [sum(spans[i] for i in chosen) for chosen in itertools.combinations(range(2 * n), n)]
    as_extreme = sum(total <= sum(spans[:n]) for total in sums)
    print(f"{n}+{n} trials: {as_extreme} of {len(sums)} arrangements is as extreme")
    assert (as_extreme, len(sums)) == (1, ways(n))
assert ways(10) == 184756


# %% [markdown]
# ## Bounds on a rate
#
# The lower end of the two-sided 95% interval of Clopper and Pearson after n successes of n, and
# the one-sided 95% upper bound after none of n.


# %%
def lower_after_all(n: int) -> float:
    """The rate at which n successes of n have a chance of 2.5%."""
    return math.pow(LEVEL / 2, 1 / n)


def upper_after_none(n: int) -> float:
    """The rate at which no event in n trials has a chance of 5%."""
    return 1 - math.pow(LEVEL, 1 / n)


for n in ARMS:
    print(f"{n} of {n}: rate at least {lower_after_all(n):.3f}; ", end="")
    print(f"0 of {n}: rate at most {upper_after_none(n):.3f}")
assert all(math.isclose(lower_after_all(n) ** n, LEVEL / 2) for n in ARMS)
assert all(math.isclose((1 - upper_after_none(n)) ** n, LEVEL) for n in ARMS)
assert [round(lower_after_all(n), 3) for n in ARMS] == [0.292, 0.398, 0.478, 0.692]
assert [round(upper_after_none(n), 3) for n in ARMS] == [0.632, 0.527, 0.451, 0.259]

# %% [markdown]
# ## How many trials without a false halt bound the rate by 10%?

# %%
enough = next(n for n in itertools.count(1) if upper_after_none(n) <= 0.1)
print(f"{enough} trials without a false halt bound its rate by 10%")
assert upper_after_none(enough) <= 0.1 < upper_after_none(enough - 1)

# %% [markdown]
# ## Keep the results

# %%
values = {
    **{
        f"n{n}": {
            "ways": ways(n),
            "p_smallest": float(f"{p_smallest[n]:.2g}"),
            "success_lower": round(lower_after_all(n), 3),
            "success_lower_percent": round(100 * lower_after_all(n)),
            "false_halt_upper": round(upper_after_none(n), 3),
            "false_halt_upper_percent": round(100 * upper_after_none(n)),
        }
        for n in ARMS
    },
    "trials_for_upper_10_percent": enough,
}
rows = [
    {
        "trials": n,
        "success_lower": round(lower_after_all(n), 3),
        "false_halt_upper": round(upper_after_none(n), 3),
    }
    for n in range(1, 31)
]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "bounds.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "bounds.json").read_text(encoding="utf-8")) == rows
