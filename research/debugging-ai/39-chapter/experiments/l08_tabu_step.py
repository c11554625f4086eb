# %% [markdown]
# # L8: The step at which the H1 tabu fires, and the span that is left
#
# The guard of the chapter refuses the third equivalent `search_papers` call. At which step is
# that, and how many steps have run by then?

# %%
from __future__ import annotations

import json
import re
from itertools import cycle, islice
from pathlib import Path

chapter = Path("chapter-snapshot.txt").read_text(encoding="utf-8")
assert chapter.count("fires at the third equivalent search_papers call") == 1

# %% [markdown]
# ## The printed numbers

# %%
first, last = map(int, re.findall(r"steps (\d+)–(\d+) contain", chapter)[0])
off, on = map(int, re.findall(r"span shortens from (\d+) steps to ≤(\d+)", chapter)[0])
run = int(re.findall(r"step count (\d+)", chapter)[0])
print(f"loop in steps {first}-{last} of {run}; span said to fall from {off} to at most {on}")
assert (first, last, run) == (12, 41, 90)
assert (off, on) == (30, 3)

# %% [markdown]
# ## The loop, with the guard on the third call

# %%
CYCLE = ("search_papers", "fetch_pdf", "parse_pdf")
trace = dict(enumerate(islice(cycle(CYCLE), last - first + 1), start=first))
searches = [step for step, action in trace.items() if action == "search_papers"]
third_call = searches[2]
print("search_papers is called at", searches)
print(f"the third call is attempted at step {third_call}")
assert third_call == 18

# %% [markdown]
# ## Spans from two origins
#
# The span may be counted from the first cycle, or from the first cycle that repeats another one.

# %%
spans: dict[str, dict[str, int]] = {}
for name, origin in {"first_cycle": searches[0], "first_repeat": searches[1]}.items():
    guarded = [step for step in trace if origin <= step < third_call]
    unguarded = [step for step in trace if origin <= step]
    spans[name] = {"origin": origin, "off": len(unguarded), "on": len(guarded)}
    print(f"from step {origin}: {len(unguarded)} steps without the guard, {len(guarded)} with it")
assert spans["first_cycle"] == {"origin": 12, "off": 30, "on": 6}
assert spans["first_repeat"] == {"origin": 15, "off": 27, "on": 3}
assert (off, on) not in {(span["off"], span["on"]) for span in spans.values()}

# %% [markdown]
# ## To the end of the budget

# %%
to_budget = len(range(first, run + 1))
print(f"from step {first} to the end of the budget: {to_budget} steps")
assert to_budget == 79

# %% [markdown]
# ## Keep the results

# %%
values = {
    "chapter": {"off": off, "on": on},
    "third_call": third_call,
    "cycles_before": len(range(first, third_call)) // len(CYCLE),
    **spans,
    "to_budget": to_budget,
}
out = Path("out")
out.mkdir(exist_ok=True)
text = json.dumps(values, indent=1, ensure_ascii=False)
(out / "values.json").write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
