"""The systems of the two articles and of the chapter, reproduced with the corrected rules."""

from __future__ import annotations

import pytest
from bp_runs import PATTERNS, SIX, called, chapter, judged, shapes


@pytest.mark.parametrize("name", SIX)
def test_the_six_snapshots(name: str) -> None:
    run, verdict = SIX[name]
    assert judged(run)[-1].verdict == verdict


@pytest.mark.parametrize(
    ("name", "period"), [("the same search", 1), ("search and read in turn", 2)]
)
def test_the_period_is_named(name: str, period: int) -> None:
    assert judged(SIX[name][0])[-1].evidence["period"] == period


def test_the_run_of_the_chapter_has_its_three_shapes() -> None:
    said = judged(chapter())
    stuck = {
        verdict.step: set(verdict.shapes) for verdict in said if verdict.verdict == "stuck_loop"
    }
    assert set(stuck) == {*range(17, 42), *range(45, 52), *range(64, 70)}
    assert all(stuck[at] == {"H1"} for at in range(17, 42))
    assert all(stuck[at] == {"H2"} for at in range(45, 52))
    assert all("H3" in stuck[at] for at in range(64, 70))


@pytest.mark.parametrize("shape", PATTERNS)
def test_a_pattern_is_found(shape: str) -> None:
    assert shape in shapes(PATTERNS[shape][0])


@pytest.mark.parametrize("shape", PATTERNS)
def test_a_near_miss_is_not_that_pattern(shape: str) -> None:
    assert shape not in shapes(PATTERNS[shape][1])


@pytest.mark.parametrize("shape", sorted(set(PATTERNS) - {"context_rot"}))
def test_a_near_miss_is_no_loop_at_all(shape: str) -> None:
    # Reading the same again soon is circling, only not because something was forgotten.
    assert called(PATTERNS[shape][1]) is None
