"""Golden anchor cases: where words stand in a text, or in the next revision of one.

A folder of `cases/anchors` holds `text.txt`, into which bare quotes are anchored, or `old.txt` and
`new.txt`, from one of which passages are followed into the other; `targets.yaml` says what is
looked for, and `expected.json` what has to come out, in the same order.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from researchpack.anchors import Chapter, Target, anchor, follow
from researchpack.records import Ambiguous, Changed, Partial, Standing
from researchpack.resnapshot import state_of
from researchpack.standings import spans_of

CASES = sorted((Path(__file__).parent / "cases" / "anchors").iterdir())
STATES = {
    "exact",
    "normalised",
    "moved",
    "changed",
    "multipart",
    "partial",
    "ambiguous",
    "orphan",
}


def chapter_of(text: str, headings: list[str]) -> Chapter:
    """A chapter whose sections begin at the lines that are named, as far as they stand there."""
    sections, at = [], 0
    for line in text.splitlines(keepends=True):
        if line.strip() in headings:
            sections.append((at, line.strip()))
        at += len(line)
    return Chapter(text, tuple(sections))


def found_in(folder: Path, asked: dict[str, Any]) -> tuple[str, list[Standing]]:
    """The text that was looked into, and what was found."""

    def chapter(name: str) -> Chapter:
        return chapter_of((folder / name).read_bytes().decode(), asked.get("headings", []))

    if (folder / "text.txt").exists():
        into = chapter("text.txt")
        return into.text, [anchor(Target(**entry), into) for entry in asked["targets"]]
    old, into = chapter("old.txt"), chapter("new.txt")
    return into.text, [
        follow(old.exact(entry["exact"])[entry.get("place", 1) - 1], old, into)
        for entry in asked["targets"]
    ]


def told(standing: Standing, text: str) -> dict[str, Any]:
    """A standing as `expected.json` writes it."""
    spans = standing.spans if isinstance(standing, Ambiguous) else spans_of(standing)
    words: dict[str, Any] = {
        "state": state_of(standing),
        "places": [{"start": a, "end": b, "words": text[a:b]} for a, b in spans],
    }
    if isinstance(standing, Changed):
        words["diff"] = [
            {"old": change.old, "new": change.new, "raised": change.raised}
            for change in standing.changes
        ]
    if isinstance(standing, Partial):
        words["missing"] = list(standing.missing)
    return words


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_words_stand_where_the_case_says(folder: Path) -> None:
    asked = yaml.safe_load((folder / "targets.yaml").read_text(encoding="utf-8"))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    text, standings = found_in(folder, asked)
    assert [told(standing, text) for standing in standings] == expected


def test_the_cases_show_every_state() -> None:
    shown = {
        entry["state"]
        for folder in CASES
        for entry in json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    }
    assert shown == STATES
