"""What a step costs, in time and memory: the detector, a naive rescan, and the other rules.

`python benchmarks/loops_cost.py [--million]`; with the flag also one trace of a million steps, and
how much memory the process took at most.
"""

from __future__ import annotations

import resource
import sys
from collections import deque
from collections.abc import Callable, Iterator
from time import process_time

from loops_rules import RULES, Rule, Step

from invariant_breakpoints import Detector, parse_step

STEPS = 20_000
WINDOW, LONGEST = 96, 32


def _step(number: int, file: int) -> Step:
    return {
        "step": number,
        "tool": "bash",
        "args": {"command": f"cat src/part{file}.py"},
        "observation": f"def part{file}():\n    return {file}\n" * 12,
        "error": None,
    }


def new(steps: int) -> Iterator[Step]:
    """Nothing comes twice."""
    return (_step(number, number) for number in range(steps))


def five(steps: int) -> Iterator[Step]:
    """A cycle of five."""
    return (_step(number, number % 5) for number in range(steps))


def same(steps: int) -> Iterator[Step]:
    """One call, again and again."""
    return (_step(number, 0) for number in range(steps))


def naive() -> Rule:
    """All periods up to 32, looked for in the last 96 steps, from the start at each step."""
    seen: deque[str] = deque(maxlen=WINDOW)

    def rule(step: Step) -> bool:
        seen.append(f"{step['tool']}{step['args']}{step['observation']}")
        tail = list(seen)
        found = False
        for period in range(1, LONGEST + 1):
            run = 0
            while run + period < len(tail) and tail[-1 - run] == tail[-1 - run - period]:
                run += 1
            found = found or run // period + 1 >= 3
        return found

    return rule


def ours() -> Rule:
    """The detector, from the JSON object of a step to the verdict."""
    detector = Detector()
    return lambda step: detector.observe(parse_step(step)).verdict == "stuck_loop"


def cost(make: Callable[[], Rule], steps: list[Step]) -> float:
    """Microseconds a step, the best of three passes."""
    best = float("inf")
    for _ in range(3):
        rule = make()
        start = process_time()
        for step in steps:
            rule(step)
        best = min(best, process_time() - start)
    return best / len(steps) * 1e6


def million() -> str:
    """One pass over a million steps, nine of ten of them new."""
    detector = Detector()
    start = process_time()
    for number in range(1_000_000):
        detector.observe(parse_step(_step(number, number if number % 10 else 0)))
    taken = process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"A million steps: {taken:.0f} s, at most {peak} MiB in the whole process."


def main() -> int:
    """Print the table."""
    print(f"Microseconds of processor time a step, best of three passes over {STEPS:,} steps.\n")
    print("| rule | all steps new | a cycle of five | one call |")
    print("|---|---|---|---|")
    kinds = [list(make(STEPS)) for make in (new, five, same)]
    mine = [("**breakpoints**", ours), (f"naive rescan of {WINDOW} steps", naive)]
    for name, make in (*mine, *RULES):
        cells = " | ".join(f"{cost(make, steps):.1f}" for steps in kinds)
        print(f"| {name} | {cells} |")
    if "--million" in sys.argv:
        print(f"\n{million()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
