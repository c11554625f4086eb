# %% [markdown]
# # L13: The loop detector printed in a supplied article
#
# The article is not in the repository. Whoever has it names its folder, and its first snippet is
# cut out and run as printed. Nothing of its text is kept, only what the detector does.

# %%
from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

files = sorted(Path("outside/article").glob("*.txt"))
assert len(files) == 1, "outside/article must hold one text file, the article"
article = files[0].read_text(encoding="utf-8")
assert "class CycleDetector" in article


# %% [markdown]
# ## Cut the snippet out
#
# From the first import on as many lines as are Python, up to the heading of the next snippet.


# %%
def first_snippet(text: str) -> str:
    """The longest run of lines that is Python, from the first import to the second snippet."""
    begin = text.index("\nimport hashlib\n") + 1
    lines = text[begin : text.index("\nSnippet 2", begin)].splitlines()
    for end in range(len(lines), 0, -1):
        code = "\n".join(lines[:end])
        try:
            ast.parse(code)
        except SyntaxError:
            continue
        return code
    raise AssertionError("no Python code after the first import")


code = first_snippet(article)
snippet: dict[str, Any] = {"__name__": "snippet_1"}
exec(compile(code, "snippet_1", "exec", dont_inherit=True), snippet)
assert {"AgentStep", "CycleDetector", "compute_state_hash"} <= set(snippet)


# %% [markdown]
# ## When does it fire?


# %%
def step(
    number: int = 1,
    *,
    thought: str = "again",
    tool: str = "search",
    args: Any = 0,
    result: Any = None,
) -> Any:
    """One step in the article's own record; only what a test is about differs from the rest."""
    return snippet["AgentStep"](number, thought, tool, {"value": args}, result)


def fires_at(steps: Iterable[Any], window: int = 10) -> int | None:
    """The number of the step at which the detector reports a cycle."""
    detector = snippet["CycleDetector"](window)
    for number, one in enumerate(steps, start=1):
        if detector.check(one)[0]:
            return number
    return None


fires = {
    "same_step": fires_at(step(n) for n in range(10)),
    "reworded_thought": fires_at(step(n, thought=f"attempt {n}") for n in range(10)),
    "polling": fires_at(
        step(n, tool="job_status", result="done" if n == 9 else "pending") for n in range(10)
    ),
    "new_results": fires_at(step(n, result=f"result {n}") for n in range(10)),
}
for name, number in fires.items():
    print(f"{name}: {'never fires' if number is None else f'fires at step {number}'}")
assert fires == {"same_step": 2, "reworded_thought": None, "polling": 2, "new_results": 2}

# %% [markdown]
# ## What goes into its hash?

# %%
plain = snippet["compute_state_hash"](step())
part_of_hash = {
    "number": snippet["compute_state_hash"](step(2)) != plain,
    "thought": snippet["compute_state_hash"](step(thought="anew")) != plain,
    "tool": snippet["compute_state_hash"](step(tool="fetch")) != plain,
    "arguments": snippet["compute_state_hash"](step(args=1)) != plain,
    "observation": snippet["compute_state_hash"](step(result="found")) != plain,
}
seen_characters = next(
    n
    for n in range(1000)
    if snippet["compute_state_hash"](step(thought="a" * n + "b"))
    == snippet["compute_state_hash"](step(thought="a" * n + "c"))
)
print("part of the hash:", ", ".join(name for name, part in part_of_hash.items() if part))
print(f"characters of the thought that count: {seen_characters}")
assert [name for name, part in part_of_hash.items() if part] == ["thought", "tool", "arguments"]
assert seen_characters == 200

# %% [markdown]
# ## Which cycles does a window find?


# %%
def lengths_found(window: int, longest: int = 24) -> list[int]:
    """The lengths of the cycles, up to the longest, that the detector finds in 60 steps."""
    return [
        length
        for length in range(1, longest + 1)
        if fires_at((step(n, args=n % length) for n in range(60)), window) is not None
    ]


found = {window: lengths_found(window) for window in (10, 20)}
for window, lengths in found.items():
    print(f"window of {window}: cycles of length {lengths[0]} to {lengths[-1]}")
assert found == {10: list(range(1, 11)), 20: list(range(1, 21))}

# %% [markdown]
# ## Under which name does the article file a hit?
#
# The guard that uses the detector is printed in its third snippet.

# %%
guard = article[article.index("\nSnippet 3") : article.index("\nSnippet 4")]
names = sorted(set(re.findall(r"\bDeadlockPattern\.([A-Z_]+)", guard)))
print("names of a hit:", ", ".join(names))
assert names == ["TOOL_OSCILLATION"]

# %% [markdown]
# ## Keep the results

# %%
values = {
    "fires_at": fires,
    "part_of_hash": part_of_hash,
    "thought_characters": seen_characters,
    "longest_cycle": {f"window_{window}": max(lengths) for window, lengths in found.items()},
    "filed_under": names[0],
}
out = Path("out")
out.mkdir(exist_ok=True)
text = json.dumps(values, indent=1, ensure_ascii=False)
(out / "values.json").write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
