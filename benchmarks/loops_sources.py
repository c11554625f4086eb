"""The trace folder of the benchmark: labelled runs, and the raw runs of InterCode and tau-bench."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from invariant_breakpoints.adapters import BY_NAME

Step = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A run that a person labelled."""

    name: str
    source: str
    label: str
    spans: tuple[tuple[int, int], ...]
    reader: int | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """A run with the grade of its task, which no detector sees."""

    name: str
    steps: tuple[Step, ...]
    solved_at: int | None
    """The step that solved the task; None when nothing did."""


def labelled(folder: Path) -> Iterator[Labelled]:
    """The labelled runs, in the order of their file."""
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        text = (folder / entry["file"]).read_text(encoding="utf-8")
        yield Labelled(
            name=entry["id"],
            source=entry["source"].split("/")[1],
            label=entry["label"],
            spans=tuple((first, last) for first, last in entry["spans"]),
            reader=entry["reader_first_call"],
            steps=tuple(json.loads(step) for step in text.splitlines()),
        )


def _plain(value: Any) -> Any:
    return ast.literal_eval(value) if isinstance(value, str) else value


def _error(said: str, valid: bool) -> str | None:
    if said.startswith("Error executing query"):
        return "sql_error"
    return None if valid else "invalid_action"


def intercode(folder: Path) -> Iterator[Graded]:
    """InterCode runs. The error is the harness's own flag, or the text of the database."""
    for path in sorted((folder / "raw" / "intercode").glob("*.json")):
        tool = path.name.split("_", 1)[0]
        for name, run in json.loads(path.read_text(encoding="utf-8")).items():
            turns = _plain(run["turn_history"])
            valid = turns.get("valid_action") or []
            steps = [
                {
                    "step": at,
                    "tool": tool,
                    "args": {"command": action},
                    "observation": str(said),
                    "error": _error(str(said), valid[at] if at < len(valid) else True),
                }
                for at, (action, said) in enumerate(
                    zip(turns["actions"], turns["observations"], strict=False)
                )
            ]
            rewards = [float(reward or 0) for reward in turns["rewards"]]
            solved = next((at for at, reward in enumerate(rewards) if reward == 1), None)
            yield Graded(name=f"{path.stem}#{name}", steps=tuple(steps), solved_at=solved)


def tau(folder: Path) -> Iterator[Graded]:
    """tau-bench runs, read by the adapter for OpenAI messages; solved means at their last step."""
    for path in sorted((folder / "raw" / "tau-bench").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        runs = BY_NAME["openai"].runs(document)
        for entry, steps in zip(document, runs, strict=True):
            last = len(steps) - 1 if entry["reward"] == 1 else None
            name = f"task {entry['task_id']} trial {entry['trial']}"
            yield Graded(name=name, steps=tuple(steps), solved_at=last)


def fingerprint(folder: Path) -> str:
    """One digest over the digests of all files that are read, so that a table names its data."""
    files = [folder / "labels.jsonl", *sorted((folder / "unified").glob("*.jsonl"))]
    for name in ("intercode", "tau-bench"):
        files += sorted((folder / "raw" / name).glob("*.json"))
    whole = hashlib.sha256()
    for path in files:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{digest}  {path.relative_to(folder).as_posix()}\n".encode())
    return whole.hexdigest()
