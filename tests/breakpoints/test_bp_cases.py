"""The public reports as minimal traces: each gives the right verdict at the right step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bp_runs import letters, shapes

CASES = Path(__file__).parents[1] / "cases" / "loop"
# One letter a step: Working, Retrying, waiting (w), Stuck, or uncertain (?).
RIGHT = {
    "L01": ("WwwwwW", ""),
    "L03": ("WWWWWW", ""),
    "L04": ("WWWWW", ""),
    "L06": ("WWWWWWWWWWWW", ""),
    "L07": ("wwwwwwwWWWW", ""),
    "L09": ("W", ""),
    "L10": ("WWWWW", ""),
    "L12": ("RRRW", ""),
    "L13": ("WW???S", "H1 tool_oscillation"),
    "L15": ("WWWWWWWWW???", ""),
    "L16": ("WWWW??W??SSS", "H2"),
    "L18": ("WWWWWWWWWW", ""),
    "L19": ("WWWSSS", "H2"),
    "L21": ("WWWWWSSS", "H3 retry_storm"),
    "L22": ("WW???SSS", "H1 H3 retry_storm tool_oscillation"),
    "L24": ("W?SSSS", "H1 H3 retry_storm"),
    "L25": ("W?SSS", "H1"),
    "L27": ("W?SSS", "H1 H3 guardrail_loop retry_storm"),
    "L28": ("wwwwwwww", ""),
    "L30": ("WWWW?WW?SSSS", "H1 post_compaction"),
    "L31": ("WW???S", "H1 tool_oscillation"),
    "L33": ("W?SSSSSSSSSS", "H1 H3 retry_storm"),
}
FILES = sorted(CASES.glob("L*.jsonl"))


def run_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_case_has_its_verdicts() -> None:
    assert {path.name[:3] for path in FILES} == set(RIGHT)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    said, named = RIGHT[path.name[:3]]
    run = run_of(path)
    assert letters(run) == said
    assert shapes(run) == set(named.split())
