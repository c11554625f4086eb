"""What each threshold costs by itself: solved or healthy runs that its rule alone would stop.

Needs `LOOP_TRACES`, as `loops.py` does. Each row switches all rules off but one, at its default and
one step tighter. It counts the solved InterCode and tau-bench runs that the rule calls (branch) or
stops (halt) before their success, and the healthy labelled runs that it calls at all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from loops import wilson
from loops_sources import Step, intercode, labelled, tau

from invariant_breakpoints import Detector, Settings, parse_step

NEVER = 10**9
RULES: dict[str, tuple[str, ...]] = {
    "equal pairs in a row": ("same_branch", "same_halt"),
    "laps of a cycle, one tool": ("laps_one_tool",),
    "laps of a cycle, more tools": ("laps_more_tools",),
    "known pairs in a row": ("flat_branch", "flat_halt"),
    "rewordings with one answer": ("reworded_branch", "reworded_halt"),
    "one error text": ("same_error_branch", "same_error_halt"),
    "failures on one target": ("target_error_branch", "target_error_halt"),
    "denials of one operation": ("denied_branch", "denied_halt"),
    "tools that do not exist": ("unknown_tool_branch", "unknown_tool_halt"),
    "thoughts without an action": ("texts_branch", "texts_halt"),
}
OFF = replace(Settings(), **{name: NEVER for names in RULES.values() for name in names})
Runs = Sequence[tuple[tuple[Step, ...], int | None]]
"""Steps, and the step of the success; None when every call of a loop is false."""


def _count(settings: Settings, runs: Runs) -> tuple[int, int]:
    """Runs with a false call, and runs with a false halt."""
    calls = halts = 0
    for steps, solved_at in runs:
        detector = Detector(settings)
        said = [detector.observe(parse_step(step)) for step in steps[:solved_at]]
        calls += any(one.verdict == "stuck_loop" for one in said)
        halts += any(one.action == "halt" for one in said)
    return calls, halts


def table(solved: Runs, healthy: Runs) -> Iterator[str]:
    """One row for each rule and value."""
    yield "| rule | thresholds | solved runs called | solved runs halted | healthy runs called |"
    yield "|---|---|---|---|---|"
    for rule, names in RULES.items():
        for tighter in (0, 1):
            values = {name: getattr(Settings(), name) - tighter for name in names}
            settings = replace(OFF, **values)
            calls, halts = _count(settings, solved)
            wrong, _ = _count(settings, healthy)
            said = ", ".join(str(value) for value in values.values())
            shown = f"{said} (default)" if not tighter else said
            cells = (wilson(calls, len(solved)), wilson(halts, len(solved)))
            yield f"| {rule} | {shown} | {' | '.join(cells)} | {wilson(wrong, len(healthy))} |"


def main() -> int:
    """Print the table, or one line when there are no traces."""
    named = os.environ.get("LOOP_TRACES")
    if not named or not (Path(named) / "labels.jsonl").is_file():
        print("thresholds: skipped, because LOOP_TRACES names no folder of traces.")
        return 0
    folder = Path(named)
    graded = [*intercode(folder), *tau(folder)]
    solved = [(run.steps, run.solved_at) for run in graded if run.solved_at is not None]
    healthy = [(run.steps, None) for run in labelled(folder) if run.label == "healthy"]
    for line in table(solved, healthy):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
