# %% [markdown]
# # L11: Legitimate polling under five repetition rules
#
# A job status call answers "pending" k times and then "done", always with the same arguments. At
# which call would each rule stop the agent? The rules restate published thresholds; they are not
# the code of any product.

# %%
from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PENDING = (1, 2, 3, 4, 6, 10)
Rule = Callable[[Sequence[str]], int | None]


def polling(pending: int) -> list[str]:
    """The answers of a job that is really still running for so many calls."""
    return ["pending"] * pending + ["done"]


assert polling(2) == ["pending", "pending", "done"]


# %% [markdown]
# ## The rules
#
# Each takes the answers and returns the number of the call at which it stops the agent, or None.


# %%
def refuse_third(answers: Sequence[str]) -> int | None:
    """The chapter: after two equal calls with equal answers the next such call is refused."""
    for call in range(3, len(answers) + 1):
        if answers[call - 3] == answers[call - 2]:
            return call
    return None


def equal_calls(limit: int) -> Rule:
    """Stops at so many identical calls in a row, whatever the answers are."""
    return lambda answers: limit if len(answers) >= limit else None


def equal_pairs(limit: int) -> Rule:
    """Stops when so many identical calls in a row got identical answers."""

    def rule(answers: Sequence[str]) -> int | None:
        for call in range(limit, len(answers) + 1):
            if len(set(answers[call - limit : call])) == 1:
                return call
        return None

    return rule


RULES: dict[str, Rule] = {
    "chapter": refuse_third,
    "s17": equal_calls(2),  # the first duplicate; the answer is not looked at
    "s18_s19": equal_pairs(4),
    "s20": equal_calls(5),
    "s11": equal_pairs(4),  # more than three cycles
}
assert refuse_third(["a", "b", "c", "d"]) is None
assert equal_pairs(2)(["a", "b", "b"]) == 3

# %% [markdown]
# ## Where they stop a poll

# %%
stops = {k: {name: rule(polling(k)) for name, rule in RULES.items()} for k in PENDING}
for k, at_call in stops.items():
    shown = ", ".join(f"{name} {call or 'never'}" for name, call in at_call.items())
    print(f"pending x{k}: {shown}")
assert [stops[k]["chapter"] for k in PENDING] == [None, 3, 3, 3, 3, 3]
assert [stops[k]["s17"] for k in PENDING] == [2] * 6
assert all(stops[k][name] is None for k in (1, 2, 3) for name in ("s18_s19", "s20", "s11"))
assert all(tuple(stops[k].values()) == (3, 2, 4, 5, 4) for k in (4, 6, 10))

# %% [markdown]
# ## The call that is refused
#
# With two pending answers, the call that the chapter's rule refuses is the one that would have
# been answered "done".

# %%
refused = stops[2]["chapter"]
assert refused is not None
would_answer = polling(2)[refused - 1]
print(f"pending x2: call {refused} is refused, and would have answered {would_answer!r}")
assert would_answer == "done"

# %% [markdown]
# ## Keep the results

# %%
values: dict[str, Any] = {f"pending_{k}": at_call for k, at_call in stops.items()}
values["fewest_pending_stopped"] = {
    name: min(k for k in PENDING if stops[k][name] is not None) for name in RULES
}
values["refused_would_answer"] = would_answer
NAMES = {
    "chapter": "chapter, third call",
    "s17": "S17, first duplicate",
    "s18_s19": "S18 and S19, 4 pairs",
    "s20": "S20, 5 calls",
    "s11": "S11, more than 3 cycles",
}
rows = [
    {"pending": k, **{NAMES[name]: call or "never" for name, call in at_call.items()}}
    for k, at_call in stops.items()
]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "polling.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "polling.json").read_text(encoding="utf-8")) == rows
