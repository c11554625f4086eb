"""The small set of traces: made by its script, labelled, readable, and what the labels say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from invariant_breakpoints.reading import runs

PACK = Path(__file__).parents[1] / "research" / "debugging-ai" / "39-chapter"
FOLDER = PACK / "experiments" / "traces"
CHAPTER = "chapter-constructed.jsonl"
NAMES = sorted(path.name for path in FOLDER.glob("*.jsonl") if path.name != "labels.jsonl")


def steps(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def labels() -> dict[str, dict[str, Any]]:
    return {one["file"]: one for one in steps("labels.jsonl")}


def test_the_script_makes_what_is_committed(tmp_path: Path) -> None:
    subprocess.run([sys.executable, FOLDER / "make.py", "--into", tmp_path], check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in FOLDER.glob("*.jsonl")}


def test_every_run_has_a_label_and_every_label_a_run() -> None:
    assert sorted(labels()) == NAMES
    for one in labels().values():
        assert list(one) == ["file", "first", "label", "shape", "about"]
        assert one["label"] == ("healthy" if one["first"] is None else "loop")
        assert (one["shape"] is None) == (one["first"] is None)
        assert one["file"].startswith(one["label"]) or one["file"] == CHAPTER
        assert one["about"].endswith(".")
    assert len([one for one in labels().values() if one["label"] == "healthy"]) == 7


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_in_the_trace_model(name: str) -> None:
    (run,) = runs(FOLDER / name, "jsonl")
    lines = list(run.lines)
    assert [line.faults for line in lines if line.faults or line.step is None] == []
    raw = steps(name)
    assert [one["step"] for one in raw] == list(range(len(raw)))
    times = [one["t"] for one in raw]
    assert times == sorted(set(times))
    assert 8 <= len(raw) <= (90 if name == CHAPTER else 30)


@pytest.mark.parametrize("name", [name for name, one in labels().items() if one["shape"] == "H1"])
def test_a_loop_begins_where_its_label_says(name: str) -> None:
    """From there on the calls come in laps, and the call before it is in none of them."""
    calls = [json.dumps([one["tool"], one["args"]]) for one in steps(name)]
    first = labels()[name]["first"]
    lap = calls.index(calls[first], first + 1) - first
    assert calls[first:] == (calls[first : first + lap] * len(calls))[: len(calls) - first]
    assert len(calls) - first >= 3 * lap
    assert calls[first - 1] not in calls[first:]


def test_the_run_of_the_chapter_has_what_the_chapter_prints() -> None:
    run = steps(CHAPTER)
    assert len(run) == 90
    shown = [{key: one[key] for key in ("tool", "args", "observation", "error")} for one in run]
    states = [one["state"]["working"] for one in run]
    assert len(set(states)) == 3
    assert [one["tool"] for one in run[12:15]] == ["search_papers", "fetch_pdf", "parse"]
    assert shown[12:42] == shown[12:15] * 10
    assert run[12]["args"] == {"query": "refund policy 2024"}
    assert run[14]["error"] == "parse_failed"
    assert set(states[12:52]) == {"h7a1"}
    assert len({one["args"]["query"] for one in run[42:52]}) == 6
    assert len({one["observation"] for one in run[42:52]}) == 1
    failed = [one for one in run[62:72] if one["error"] == "parse_failed"]
    assert [one["step"] for one in failed] == list(range(62, 70))
    assert len({json.dumps([one["tool"], one["args"]]) for one in failed}) == 1
    for start in (12, 42, 62):  # no state of these windows is a new one
        assert set(states[start : start + 10]) <= set(states[:start])
    about = labels()[CHAPTER]["about"]
    assert "not printed" in about
    assert "filled in" in about
