# %% [markdown]
# # L14: A proposed replacement for the detector sketch
#
# A sketch of the pack's own, and not the author's. It measures novelty against the history of the
# run, for states and for observations; it answers UNKNOWN when a hash is missing; a declared policy
# explains a repeat; and it returns a set of shapes instead of the first that fits.

# %%
from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Step(NamedTuple):
    """One step; arguments, observation and state are hashes, None where one is missing."""

    tool: str
    arguments: str
    observation: str | None
    state: str | None = "h7a1"
    error: str | None = None
    backoff: int = 0
    policy: str | None = None


Window = Sequence[Step]
ENOUGH = 3
assert Step("a", "b", "c").policy is None

# %% [markdown]
# ## Is there anything new?


# %%
def anything_new(window: Window, before: Window, channel: str) -> bool | None:
    """Whether a hash of this channel is new to the run; None when one is missing."""
    hashes = [getattr(step, channel) for step in window]
    if not hashes or None in hashes:
        return None
    return not set(hashes) <= {getattr(step, channel) for step in before}


old = [Step("a", "x", "o")]
assert anything_new(old, old, "state") is False
assert anything_new([Step("a", "x", "new")], old, "observation") is True
assert anything_new([Step("a", "x", None)], old, "observation") is None


# %% [markdown]
# ## Three shapes, each tested on its own


# %%
def exact_loop(window: Window) -> bool:
    """Whether the window ends with enough complete cycles of call and observation."""
    marks = [(step.tool, step.arguments, step.observation) for step in window]
    return any(
        marks[-length:] * ENOUGH == marks[-length * ENOUGH :]
        for length in range(1, len(marks) // ENOUGH + 1)
    )


def thrash(window: Window) -> bool:
    """Whether calls differ while the state and the outcome stay the same."""
    calls = {(step.tool, step.arguments) for step in window}
    outcomes = {(step.state, step.observation, step.error) for step in window}
    return len(calls) > 1 and len(outcomes) == 1


def storm(window: Window) -> bool:
    """Whether one action keeps failing with one error and does not wait longer each time."""
    errors = [step for step in window if step.error is not None]
    if len(errors) < ENOUGH or len({(step.tool, step.error) for step in errors}) != 1:
        return False
    return not all(a.backoff < b.backoff for a, b in itertools.pairwise(errors))


SHAPES = {"H1": exact_loop, "H2": thrash, "H3": storm}
assert exact_loop([Step("a", "x", "o")] * ENOUGH)
assert not exact_loop([Step("a", "x", "o")] * (ENOUGH - 1))

# %% [markdown]
# ## The verdict


# %%
def verdict(window: Window, before: Window) -> str:
    """Progressing, waiting, the shapes that fit, or UNKNOWN with its reason."""
    new = [anything_new(window, before, channel) for channel in ("state", "observation")]
    if None in new:
        return "UNKNOWN (missing hash)"
    if any(new):
        return "progressing"
    if all(step.policy is not None for step in window):
        return "waiting or retrying (declared policy)"
    shapes = [name for name, fits in SHAPES.items() if fits(window)]
    return " and ".join(shapes) or "UNKNOWN (flat, no known shape)"


assert verdict([], []) == "UNKNOWN (missing hash)"

# %% [markdown]
# ## Eight synthetic windows
#
# The same run went before each of them: it met the states, the search result, the file, the error
# and the pending answer once.

# %%
FAILED = "parse_failed"
search, fetch = Step("search_papers", "q", "list"), Step("fetch_pdf", "url", "file")
parse = Step("parse_pdf", "file", FAILED, error=FAILED)
retry = Step("fetch_pdf", "url", FAILED, error=FAILED)
poll = Step("job_status", "job", "pending")
tour = [Step("visit", f"place {n}", "list", state=f"state {n}") for n in range(10)]
before = [search, fetch, parse, retry, poll, *tour]

WINDOWS: dict[str, list[Step]] = {
    "opening": list(itertools.islice(itertools.cycle([search, fetch, parse]), 10)),
    "new_pages": [Step("read", f"page {n}", f"fact {n}") for n in range(10)],
    "reworded": [search._replace(arguments=f"wording {n}") for n in range(10)],
    "storm": [retry] * 10,
    "poll_with_lease": [poll._replace(policy="lease")] * 10,
    "poll_without_lease": [poll] * 10,
    "missing_hash": [search._replace(state=None)] * 10,
    "long_cycle": tour,
}
verdicts = {name: verdict(window, before) for name, window in WINDOWS.items()}
for name, said in verdicts.items():
    print(f"{name}: {said}")
assert verdicts == {
    "opening": "H1 and H3",
    "new_pages": "progressing",
    "reworded": "H2",
    "storm": "H1 and H3",
    "poll_with_lease": "waiting or retrying (declared policy)",
    "poll_without_lease": "H1",
    "missing_hash": "UNKNOWN (missing hash)",
    "long_cycle": "UNKNOWN (flat, no known shape)",
}

# %% [markdown]
# ## The long cycle in a longer window
#
# A window that holds the cycle three times shows it, so the answer above is about the window.

# %%
longer = verdict(tour * ENOUGH, before)
print(f"the long cycle in a window of {len(tour) * ENOUGH} steps: {longer}")
assert longer == "H1"

# %% [markdown]
# ## Keep the results

# %%
NAMES = {
    "opening": "the opening cycle, steps 12–21",
    "new_pages": "ten new pages, state not yet updated",
    "reworded": "ten reworded queries, the same old result",
    "storm": "ten times the same fetch with parse_failed, no backoff",
    "poll_with_lease": "polling with a declared wait",
    "poll_without_lease": "polling without one",
    "missing_hash": "a state hash is missing",
    "long_cycle": "a cycle of ten known states",
}
values = {
    "windows": len(WINDOWS),
    "verdict": verdicts,
    "long_cycle_longer_window": {"steps": len(tour) * ENOUGH, "verdict": longer},
}
rows = [{"window": NAMES[name], "verdict": said} for name, said in verdicts.items()]
out = Path("out")
out.mkdir(exist_ok=True)
for file, content in {"values.json": values, "verdicts.json": rows}.items():
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (out / file).write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
assert json.loads((out / "verdicts.json").read_text(encoding="utf-8")) == rows
