# %% [markdown]
# # L5: Which label the printed detector sketch returns
#
# The code that the chapter prints is cut out of its snapshot and run as it stands. The chapter
# leaves five helpers undefined; they are supplied below, each in one plain reading.

# %%
from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

chapter = Path("chapter-snapshot.txt").read_text(encoding="utf-8")
start = chapter.index("# non-progress detection")
printed_code = chapter[start : chapter.index("\n\n", start)]
assert "def repetition_shape(window):" in printed_code


# %%
class Step(NamedTuple):
    """One step of a trace; arguments, observation and state stand for their hashes."""

    tool: str
    arguments: str
    observation: str
    state_hash: str = "h7a1"
    error: str | None = None
    backoff: int = 0


Window = Sequence[Step]


def printed(helpers: Mapping[str, Callable[[Window], object]]) -> dict[str, Any]:
    """The namespace in which the printed code was run, with the helpers that it calls."""
    namespace: dict[str, Any] = {"__name__": "chapter", **helpers}
    exec(compile(printed_code, "chapter-snapshot.txt", "exec", dont_inherit=True), namespace)
    return namespace


UNDEFINED = (
    "equivalent_cycles",
    "surface_varies",
    "state_fixed",
    "error_triggered_repeats",
    "backoff_grows",
)
assert not any(f"def {name}" in printed_code for name in UNDEFINED)
assert all(f"{name}(window)" in printed_code for name in UNDEFINED)

# %% [markdown]
# ## The order of the tests, whatever the helpers are
#
# The helpers are replaced by answers, so that each of the eight combinations of true and false
# tests is met once.


# %%
def label_when(h1: bool, h2: bool, h3: bool) -> str:
    """What the printed code returns when its three tests have these outcomes."""
    answers = (2 if h1 else 1, h2, h2, h3, False)
    helpers = {
        name: (lambda window, answer=answer: answer)
        for name, answer in zip(UNDEFINED, answers, strict=True)
    }
    return str(printed(helpers)["repetition_shape"]([]))


table = {tests: label_when(*tests) for tests in itertools.product((False, True), repeat=3)}
overlapping = [tests for tests in table if sum(tests) > 1]
storm_rows = [label for tests, label in table.items() if tests[2]]
for tests in overlapping:
    names = " and ".join(name for name, true in zip(("H1", "H2", "H3"), tests, strict=True) if true)
    print(f"{names} true: {table[tests]}")
print(f"more than one true: {len(overlapping)} of {len(table)}; H3 true: {len(storm_rows)} rows,")
print(f"H3 returned: {storm_rows.count('H3-retry-storm')}")
assert len(overlapping) == 4
assert len(storm_rows) == 4
assert storm_rows.count("H3-retry-storm") == 1

# %% [markdown]
# ## One plain reading of the helpers


# %%
def equivalent_cycles(window: Window) -> int:
    """Most complete equal blocks of (tool, arguments, observation) that end the window."""
    marks = [(s.tool, s.arguments, s.observation) for s in window]
    most = min(len(marks), 1)
    for length in range(1, len(marks) // 2 + 1):
        blocks = [marks[end - length : end] for end in range(len(marks), length - 1, -length)]
        equal = next((n for n, block in enumerate(blocks) if block != blocks[0]), len(blocks))
        most = max(most, equal)
    return most


def surface_varies(window: Window) -> bool:
    """Whether the steps have more than one argument hash."""
    return len({step.arguments for step in window}) > 1


def state_fixed(window: Window) -> bool:
    """Whether all steps have one state hash."""
    return len({step.state_hash for step in window}) == 1


def error_triggered_repeats(window: Window) -> bool:
    """Whether errors recur, all with one code and all from one class of action."""
    errors = [step for step in window if step.error is not None]
    return len(errors) >= 2 and len({(step.error, step.tool) for step in errors}) == 1


def backoff_grows(window: Window) -> bool:
    """Whether each failed step waited longer than the failed step before it."""
    waits = [step.backoff for step in window if step.error is not None]
    return len(waits) >= 2 and all(a < b for a, b in itertools.pairwise(waits))


HELPERS: dict[str, Callable[[Window], object]] = {
    "equivalent_cycles": equivalent_cycles,
    "surface_varies": surface_varies,
    "state_fixed": state_fixed,
    "error_triggered_repeats": error_triggered_repeats,
    "backoff_grows": backoff_grows,
}
assert tuple(HELPERS) == UNDEFINED
assert equivalent_cycles([Step("a", "x", "o")] * 4) == 4

# %% [markdown]
# ## Seven windows of ten steps

# %%
FAILED = "parse_failed"
search, fetch = Step("search_papers", "q", "list"), Step("fetch_pdf", "url", "file")
parse = Step("parse_pdf", "file", FAILED, error=FAILED)
retry = Step("fetch_pdf", "url", FAILED, error=FAILED)
others = [Step("note", "x", "saved 1"), Step("note", "y", "saved 2")]

WINDOWS: dict[str, list[Step]] = {
    "opening": list(itertools.islice(itertools.cycle([search, fetch, parse]), 10)),
    "storm_others_last": [retry] * 8 + others,
    "storm_others_first": others + [retry] * 8,
    "storm_arguments_vary": [
        retry._replace(arguments=f"url {n}", observation=f"{FAILED} {n}") for n in range(10)
    ],
    "storm_all_vary": [
        retry._replace(arguments=f"url {n}", observation=f"{FAILED} {n}", state_hash=f"state {n}")
        for n in range(10)
    ],
    "storm_raw_texts": [retry._replace(observation=f"{FAILED} at {n} s") for n in range(10)],
    "ten_pages": [Step("read", f"page {n}", f"fact {n}") for n in range(10)],
}
assert len(WINDOWS) == 7
assert {len(window) for window in WINDOWS.values()} == {10}

# %%
sketch = printed(HELPERS)
repetition_shape, window_novelty = sketch["repetition_shape"], sketch["window_novelty"]
results: dict[str, dict[str, Any]] = {}
for name, window in WINDOWS.items():
    results[name] = {
        "h1": equivalent_cycles(window) >= 2,
        "h2": surface_varies(window) and state_fixed(window),
        "h3": error_triggered_repeats(window) and not backoff_grows(window),
        "label": repetition_shape(window),
    }
    true = [test.upper() for test in ("h1", "h2", "h3") if results[name][test]]
    print(f"{name}: true {', '.join(true)}; returned {results[name]['label']}")
labels = {name: result["label"].split("-")[0] for name, result in results.items()}
assert list(labels.values()) == ["H1", "H2", "H1", "H2", "H3", "H3", "H2"]
assert [name for name, r in results.items() if r["h3"] and labels[name] != "H3"] == [
    "opening",
    "storm_others_last",
    "storm_others_first",
    "storm_arguments_vary",
]

# %% [markdown]
# ## The gate, a growing backoff, and another reading
#
# The storm in which the state moves too is novel by the printed ratio, so that the gate stays
# shut. A storm whose backoff grows escapes the H3 test. And if a cycle may stand anywhere in the
# window and need not end it, the storm as printed changes from H2 to H1, and not to H3.


# %%
def cycles_anywhere(window: Window) -> int:
    """Most complete equal blocks in a row, wherever in the window they stand."""
    return max(equivalent_cycles(window[:end]) for end in range(1, len(window) + 1))


novelty_all_vary = window_novelty(WINDOWS["storm_all_vary"])
growing = [step._replace(backoff=2**n) for n, step in enumerate(WINDOWS["storm_raw_texts"])]
label_growing = repetition_shape(growing)
other_reading = printed({**HELPERS, "equivalent_cycles": cycles_anywhere})["repetition_shape"]
label_anywhere = other_reading(WINDOWS["storm_others_last"])
print(f"novelty when everything varies: {novelty_all_vary:g}")
print(f"growing backoff, raw error texts: {label_growing}")
print(f"storm as printed, others last, cycle anywhere: {label_anywhere}")
assert novelty_all_vary == 1
assert label_growing == "progressing-or-UNKNOWN"
assert label_anywhere == "H1-exact-loop"

# %% [markdown]
# ## Does the sketch ask for novelty?


# %%
calls: list[Window] = []


def counted(steps: Window) -> float:
    """The printed ratio, with each call noted."""
    calls.append(steps)
    return float(window_novelty(steps))


sketch["window_novelty"] = counted
for window in WINDOWS.values():
    repetition_shape(window)
print(f"calls of window_novelty while {len(WINDOWS)} windows were labelled: {len(calls)}")
assert not calls

# %% [markdown]
# ## Keep the results

# %%
NAMES = {
    "opening": "the opening cycle, steps 12–21",
    "storm_others_last": "storm as printed, the two other steps last",
    "storm_others_first": "storm as printed, the two other steps first",
    "storm_arguments_vary": "ten errors, arguments vary, state fixed",
    "storm_all_vary": "ten errors, arguments and state vary",
    "storm_raw_texts": "ten errors, same arguments, error texts with a time",
    "ten_pages": "ten pages with ten new facts, state fixed",
}
values = {
    "truth_table": {
        "rows": len(table),
        "overlapping": len(overlapping),
        "h3_true": len(storm_rows),
        "h3_returned": storm_rows.count("H3-retry-storm"),
    },
    "windows": len(WINDOWS),
    "label": labels,
    "test_true": {
        name: {test: result[test] for test in ("h1", "h2", "h3")}
        for name, result in results.items()
    },
    "all_three_true_windows": sum(r["h1"] and r["h2"] and r["h3"] for r in results.values()),
    "h3_true_windows": sum(result["h3"] for result in results.values()),
    "h3_returned_windows": list(labels.values()).count("H3"),
    "novelty_all_vary": int(novelty_all_vary),
    "label_growing_backoff": label_growing,
    "label_cycle_anywhere": label_anywhere.split("-")[0],
    "novelty_calls": len(calls),
}
rows = [
    {
        "window": NAMES[name],
        **{test.upper(): "true" if result[test] else "false" for test in ("h1", "h2", "h3")},
        "returned": result["label"],
    }
    for name, result in results.items()
]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "labels.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "labels.json").read_text(encoding="utf-8")) == rows
