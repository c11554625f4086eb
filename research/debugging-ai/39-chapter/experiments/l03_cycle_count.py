# %% [markdown]
# # L3: What a three-action cycle does in the printed steps
#
# The chapter counts repetitions in steps 12 to 41 and in its first window. The steps are filled
# with the chapter's cycle in three readings, and the calls are counted.

# %%
from __future__ import annotations

import json
import re
from itertools import cycle, islice
from pathlib import Path

chapter = Path("chapter-snapshot.txt").read_text(encoding="utf-8")
assert chapter.count("search_papers → fetch_pdf → parse_failed → search_papers") == 1

# %% [markdown]
# ## The printed numbers

# %%
found = re.search(r"steps (\d+)–(\d+) contain (\d+) repetitions", chapter)
assert found, "the observation no longer counts repetitions"
first, last, repetitions = map(int, found.groups())
print(f"steps {first}-{last}, {repetitions} repetitions")
assert (first, last, repetitions) == (12, 41, 10)

# %%
found = re.search(r"steps (\d+)-(\d+) \| .*args: q-hash identical ×(\d+)", chapter)
assert found, "the table no longer has a row with one query hash"
window_first, window_last, identical = map(int, found.groups())
print(f"window {window_first}-{window_last}, query hash identical x{identical}")
assert (window_first, window_last, identical) == (12, 21, 10)

# %% [markdown]
# ## Three readings of the cycle
#
# `parse_failed` may be a step of its own or what the second step observes. A cycle of one action
# is counted as well, because it is the only one in which every step is a search.

# %%
READINGS: dict[str, list[str]] = {
    "actions_3": ["search_papers", "fetch_pdf", "parse_pdf"],
    "actions_2": ["search_papers", "fetch_pdf"],
    "actions_1": ["search_papers"],
}
counts: dict[str, dict[str, int]] = {}
for name, actions in READINGS.items():
    trace = dict(enumerate(islice(cycle(actions), last - first + 1), start=first))
    window = [trace[step] for step in range(window_first, window_last + 1)]
    counts[name] = {
        "calls": list(trace.values()).count("search_papers"),
        "calls_in_window": window.count("search_papers"),
        "cycles_in_window": min(window.count(action) for action in actions),
    }
    print(name, counts[name])
assert [c["calls"] for c in counts.values()] == [10, 15, 30]
assert [c["calls_in_window"] for c in counts.values()] == [4, 5, 10]
assert [c["cycles_in_window"] for c in counts.values()] == [3, 5, 10]

# %% [markdown]
# ## Which readings agree with the printed numbers?

# %%
fits_repetitions = [name for name in READINGS if counts[name]["calls"] == repetitions]
fits_window = [name for name in READINGS if counts[name]["calls_in_window"] == identical]
print("as many repetitions as printed:", fits_repetitions)
print("as many identical query hashes as printed:", fits_window)
assert fits_repetitions == ["actions_3"]
assert fits_window == ["actions_1"]

# %% [markdown]
# ## Keep the results

# %%
values = {
    "chapter": {
        "steps": last - first + 1,
        "repetitions": repetitions,
        "window_steps": window_last - window_first + 1,
        "identical_in_window": identical,
    },
    **counts,
}
out = Path("out")
out.mkdir(exist_ok=True)
text = json.dumps(values, indent=1, ensure_ascii=False)
(out / "values.json").write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
