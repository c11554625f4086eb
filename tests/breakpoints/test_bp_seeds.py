"""The systems of the two articles and of the chapter, reproduced with the corrected rules."""

from __future__ import annotations

import pytest
from bp_runs import SIX, Raw, called, chapter, judged, shapes, step


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


def _oscillation(state: object) -> list[Raw]:
    """Tool A, undone by tool B, and again; the state is a function of the lap."""
    return [
        step(tool, {"path": "a"}, "ok", state={"tree": state, "open": tool})
        for _ in range(3)
        for tool in ("apply", "revert")
    ]


def _growing() -> list[Raw]:
    return [
        step(tool, {"path": "a"}, f"ok {n}", state={"tree": f"{tool}{n}"})
        for n in range(3)
        for tool in ("edit", "test")
    ]


def _rot(distance: int) -> list[Raw]:
    """Files read once, then other work, then the first files again, in another order."""
    first = [step("read", {"path": f"f{n}"}, f"text of f{n}") for n in range(5)]
    work = [step("read", {"path": f"g{n}"}, f"text of g{n}") for n in range(distance)]
    return first + work + [first[n] for n in (3, 0, 4, 1)]


def _thoughts(same: bool) -> list[Raw]:
    plans = ("read the error log", "list open files", "measure the queue", "ask for a key")
    said = ["I should first think about how to plan the work"] * 4 if same else plans
    return [step("think", {"thought": f"{text} ({n})"}, "") for n, text in enumerate(said)]


def _unknown(names: list[str]) -> list[Raw]:
    known = ["search"]
    return [
        step(
            name,
            {"q": n},
            f"hit {n}" if name in known else "There is no such tool.",
            None if name in known else "unknown_tool",
            tools=known,
        )
        for n, name in enumerate(names)
    ]


def _denied(paths: list[str]) -> list[Raw]:
    return [
        step(
            "shell",
            {"path": path, "cmd": f"write {path}", "justification": f"because {n}"},
            f"denied by policy ({n})",
            "sandbox_denied",
        )
        for n, path in enumerate(paths)
    ]


def _flaky(count: int) -> list[Raw]:
    calls = [step("fetch", {"url": "u", "n": n}, "503", "http_503") for n in range(count)]
    return [*calls, step("fetch", {"url": "u", "n": count}, "page", None)]


def _compacting(new: bool) -> list[Raw]:
    return [
        one
        for n in range(3)
        for one in (
            step("compact", {}, f"summary {n}"),
            step("read", {"path": "PLAN.md"}, f"plan {n}" if new else "plan"),
            step("assistant_text", {}, f"the plan in words {n}"),
        )
    ]


PATTERNS: dict[str, tuple[list[Raw], list[Raw]]] = {
    "tool_oscillation": (_oscillation("t0"), _growing()),
    "context_rot": (_rot(30), _rot(0)),
    "reflection_paralysis": (_thoughts(same=True), _thoughts(same=False)),
    "tool_hallucination": (
        _unknown(["find", "lookup", "query"]),
        _unknown(["find", "lookup", "search", "query"]),
    ),
    "guardrail_loop": (_denied(["a", "a", "a"]), _denied(["a", "b", "c"])),
    "retry_storm": (_flaky(4), _flaky(2)),
    "text_repetition": (
        [step("assistant_text", {}, "Let me look at the file again now. " * 30)],
        [step("assistant_text", {}, "\n".join(f"- /srv/data/part/{n}/index" for n in range(60)))],
    ),
    "post_compaction": (_compacting(new=False), _compacting(new=True)),
}
"""For each named pattern a run that shows it, and one that nearly does."""


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
