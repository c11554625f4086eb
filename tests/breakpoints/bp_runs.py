"""Short ways to write runs, and the runs of the two articles and of the chapter."""

from __future__ import annotations

from typing import Any

from invariant_breakpoints import Detector, Settings, Verdict, parse_step

Raw = dict[str, Any]

LETTERS = {
    "working": "W",
    "retrying": "R",
    "waiting": "w",
    "stuck_loop": "S",
    "uncertain": "?",
}


def step(tool: str, args: Any, observation: Any, error: Any = None, **more: Any) -> Raw:
    """One step; a succeeded call unless an error is given."""
    return {"tool": tool, "args": args, "observation": observation, "error": error, **more}


def judged(run: list[Raw], settings: Settings | None = None) -> list[Verdict]:
    """The verdicts on a run whose steps are numbered from 0."""
    detector = Detector(settings)
    return [detector.observe(parse_step({"step": at, **raw})) for at, raw in enumerate(run)]


def letters(run: list[Raw]) -> str:
    """The verdicts of a run, one letter a step."""
    return "".join(LETTERS[said.verdict] for said in judged(run))


def shapes(run: list[Raw]) -> set[str]:
    """The shapes of all steps that are called a loop."""
    return {shape for said in judged(run) if said.verdict == "stuck_loop" for shape in said.shapes}


def called(run: list[Raw]) -> int | None:
    """The first step that is called a loop."""
    return next((said.step for said in judged(run) if said.verdict == "stuck_loop"), None)


POLICY = {"errors": ["rate_limit"], "max_attempts": 4, "base_s": 2, "factor": 2}
SIX: dict[str, tuple[list[Raw], str]] = {
    "pages of a catalogue": (
        [
            step("fetch_page", {"page": n}, f"{rows} rows", state={"rows": rows})
            for n, rows in enumerate((50, 100, 150, 182))
        ],
        "working",
    ),
    "backing off from a provider": (
        [
            step("call", {"q": 1}, "429", "rate_limit", state={"n": 0}, t=t, retry_policy=POLICY)
            for t in (0, 2, 6)
        ],
        "retrying",
    ),
    "the same search": (
        [step("search", {"q": "timeout"}, "3 hits", state={"brief": "4"}) for _ in range(4)],
        "stuck_loop",
    ),
    "search and read in turn": (
        [
            step(*call, state={"brief": "4"})
            for _ in range(3)
            for call in (("search", {"q": "x"}, "hit a"), ("read", {"id": "a"}, "text of a"))
        ],
        "stuck_loop",
    ),
    "waiting for approval": (
        [
            step(
                "approval_status",
                {"change": 7},
                "no answer yet",
                state={"approved": False},
                t=60.0 * n,
                lease={"owner": "release manager", "deadline_t": 3600},
            )
            for n in range(4)
        ],
        "waiting",
    ),
    "redacted evidence": (
        [step("write", {"path": "a"}, "[redacted]") for _ in range(4)],
        "uncertain",
    ),
}
"""The six snapshots of the second article, with the verdict on their last step."""


def chapter() -> list[Raw]:
    """The chapter's run of 90 steps: an exact loop, a thrash, and a storm, and work between."""
    run: list[Raw] = []
    fixed = {"working": "h7a1"}

    def work(count: int) -> None:
        for _ in range(count):
            at = len(run)
            state = {"working": f"w{at}"}
            run.append(step("fetch_pdf", {"url": f"u/{at}"}, f"text {at}", state=state))

    work(12)
    lap = (
        ("search_papers", {"query": "refund policy 2024"}, "3 papers: p1 p2 p3", None),
        ("fetch_pdf", {"url": "p1"}, "%PDF 118 kB", None),
        ("parse", {"url": "p1"}, "no text layer", "parse_failed"),
    )
    run += [step(*call, state=fixed) for _ in range(10) for call in lap]
    asked = (
        "refund policy 2024",
        "2024 refund policy",
        "policy 2024 refund",
        "the refund policy of 2024",
        "refund policy for 2024",
        "policy on refund, 2024",
    )
    run += [
        step("search_papers", {"query": asked[n % 6], "window": "y1"}, "p1 p2 p3", state=fixed)
        for n in range(10)
    ]
    work(10)
    fixed = {"working": "h9c4"}
    run += [
        step("parse", {"url": "p9"}, "no text layer", "parse_failed", state=fixed, t=900.0 + n)
        for n in range(8)
    ]
    work(20)
    assert len(run) == 90
    return run


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
PATTERN_RUNS = {
    f"{shape}, {name}": run
    for shape, pair in PATTERNS.items()
    for name, run in zip(("found", "near miss"), pair, strict=True)
}
"""All of these runs by name."""
