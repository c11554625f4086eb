# %% [markdown]
# # L4: The step counts 30/30/30
#
# The chapter prints three windows and says that their step counts are 30/30/30. Can the windows
# have 30 steps each?

# %%
from __future__ import annotations

import json
import re
from pathlib import Path

chapter = Path("chapter-snapshot.txt").read_text(encoding="utf-8")
assert chapter.count("PROGRESS WINDOWS") == 1

# %% [markdown]
# ## The printed numbers

# %%
rows = re.findall(r"^steps (\d+)-(\d+) \|", chapter, flags=re.MULTILINE)
windows = [range(int(first), int(last) + 1) for first, last in rows]
stated = [int(n) for n in re.findall(r"step counts \((\d+)/(\d+)/(\d+)\)", chapter)[0]]
run = int(re.findall(r"step count (\d+)", chapter)[0])
print("windows:", [(w[0], w[-1]) for w in windows], "stated:", stated, "steps of the run:", run)
assert [(w[0], w[-1]) for w in windows] == [(12, 21), (42, 51), (62, 71)]
assert stated == [30, 30, 30]
assert run == 90

# %%
lengths = [len(window) for window in windows]
print("steps in the printed windows:", lengths)
assert lengths == [10, 10, 10]

# %% [markdown]
# ## Spans of the stated length, from the printed starts

# %%
spans = [range(window[0], window[0] + n) for window, n in zip(windows, stated, strict=True)]
shared = sorted(set(spans[1]) & set(spans[2]))
beyond = [step for step in spans[2] if step > run]
print("spans:", [(s[0], s[-1]) for s in spans])
print(f"in the second and the third: {shared[0]}-{shared[-1]}; after step {run}: {beyond}")
assert [(s[0], s[-1]) for s in spans] == [(12, 41), (42, 71), (62, 91)]
assert shared == list(range(62, 72))
assert beyond == [91]

# %% [markdown]
# ## Steps that no printed window shows

# %%
covered = {step for window in windows for step in window}
hidden = [step for step in range(windows[0][0], run + 1) if step not in covered]
gaps = [step for step in hidden if step - 1 not in hidden]
ends = [step for step in hidden if step + 1 not in hidden]
print("not shown:", list(zip(gaps, ends, strict=True)))
assert list(zip(gaps, ends, strict=True)) == [(22, 41), (52, 61), (72, 90)]

# %% [markdown]
# ## Keep the results

# %%
ORDER = ("first", "second", "third")
values = {
    "chapter": {"stated": stated[0], "run": run},
    "window_steps": dict(zip(ORDER, lengths, strict=True)),
    "span": {
        name: {"start": span[0], "end": span[-1]} for name, span in zip(ORDER, spans, strict=True)
    },
    "overlap": {"start": shared[0], "end": shared[-1], "steps": len(shared)},
    "not_shown": {
        name: f"{start}–{end}" for name, start, end in zip(ORDER, gaps, ends, strict=True)
    },
}
out = Path("out")
out.mkdir(exist_ok=True)
text = json.dumps(values, indent=1, ensure_ascii=False)
(out / "values.json").write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
