"""How well loops are found: `make bench-loops` with `LOOP_TRACES` naming a folder of traces.

Prints Markdown tables, per source and with 95 % Wilson intervals, for the detector and for the
rules of `loops_rules.py` on the same steps. The thresholds were chosen with these traces in sight,
so the intervals say how few the traces are and not how well unseen ones will go.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from pathlib import Path

from loops_rules import RULES
from loops_sources import Graded, Labelled, Step, fingerprint, intercode, labelled, tau

from invariant_breakpoints import Detector, Verdict, parse_step

Fires = Callable[[Sequence[Step]], list[int]]
"""The steps at which a rule fires on a run."""


def wilson(hits: int, of: int) -> str:
    """`hits of all (low-high %)`, the 95 % interval of Wilson."""
    if of == 0:
        return "-"
    z, share = 1.96, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return f"{hits} of {of} ({100 * max(0, middle - half):.0f}-{100 * min(1, middle + half):.0f} %)"


def _verdicts(steps: Sequence[Step]) -> list[Verdict]:
    detector = Detector()
    return [detector.observe(parse_step(step)) for step in steps]


def called(steps: Sequence[Step]) -> list[int]:
    """The steps that the detector calls `stuck_loop`."""
    said = _verdicts(steps)
    return [at for at, verdict in enumerate(said) if verdict.verdict == "stuck_loop"]


def halted(steps: Sequence[Step]) -> list[int]:
    """The steps at which the detector says `halt`."""
    return [at for at, verdict in enumerate(_verdicts(steps)) if verdict.action == "halt"]


def _rule(make: Callable[[], Callable[[Step], bool]]) -> Fires:
    def fires(steps: Sequence[Step]) -> list[int]:
        rule = make()
        return [at for at, step in enumerate(steps) if rule(step)]

    return fires


ALL: list[tuple[str, Fires]] = [
    ("**breakpoints**, stuck_loop (branch or halt)", called),
    ("**breakpoints**, halt", halted),
    *((name, _rule(make)) for name, make in RULES),
]


def _inside(run: Labelled, fired: list[int]) -> bool:
    return bool(fired) and any(first <= fired[0] <= last for first, last in run.spans)


def labelled_table(runs: Sequence[Labelled]) -> Iterable[str]:
    """Every rule on the labelled runs; a loop counts when the first fire is inside a span."""
    yield "| rule | loops called | healthy runs fired on | uncertain runs fired on |"
    yield "|---|---|---|---|"
    for name, fires in ALL:
        fired = {run.name: fires(run.steps) for run in runs}
        loops = [run for run in runs if run.label == "loop"]
        hits = sum(_inside(run, fired[run.name]) for run in loops)
        cells = [wilson(hits, len(loops))]
        for label in ("healthy", "uncertain"):
            group = [run for run in runs if run.label == label]
            cells.append(wilson(sum(bool(fired[run.name]) for run in group), len(group)))
        yield f"| {name} | {' | '.join(cells)} |"


def source_table(runs: Sequence[Labelled]) -> Iterable[str]:
    """The detector per source."""
    yield "| source | loops called | healthy fired on | uncertain halted |"
    yield "|---|---|---|---|"
    by: dict[str, list[Labelled]] = defaultdict(list)
    for run in runs:
        by[run.source].append(run)
    for source, group in sorted(by.items()):
        loops = [run for run in group if run.label == "loop"]
        healthy = [run for run in group if run.label == "healthy"]
        unsure = [run for run in group if run.label == "uncertain"]
        yield (
            f"| {source} | {wilson(sum(_inside(r, called(r.steps)) for r in loops), len(loops))} "
            f"| {wilson(sum(bool(called(r.steps)) for r in healthy), len(healthy))} "
            f"| {wilson(sum(bool(halted(r.steps)) for r in unsure), len(unsure))} |"
        )


def delays(runs: Sequence[Labelled]) -> str:
    """Steps after (or before) the careful reader, over the loops that were called."""
    found = sorted(
        called(run.steps)[0] - run.reader
        for run in runs
        if run.reader is not None and _inside(run, called(run.steps))
    )
    late = sum(delay > 2 for delay in found)
    middle = found[len(found) // 2]
    return (
        f"Delay after the reader: {found[0]} to {found[-1]} steps, median {middle}; {late} above 2."
    )


def _tail(run: Graded) -> int:
    """Steps at the end that bring no new pair of call and result; 0 when there are fewer than 3."""
    known: set[str] = set()
    tail = 0
    for step in run.steps:
        pair = f"{step['args']}\x00{step['observation']}"
        tail = tail + 1 if pair in known else 0
        known.add(pair)
    return tail if tail >= 3 else 0


def _saved(run: Graded, tail: int, first: int) -> int:
    return min(len(run.steps) - 1 - first, tail)


def _lost(run: Graded, first: int | None) -> bool:
    return run.solved_at is not None and first is not None and first < run.solved_at


def intercode_table(runs: Sequence[Graded]) -> Iterable[str]:
    """Steps saved in the tails, and solved runs that a stop would have cost."""
    tails = [(run, tail) for run in runs if (tail := _tail(run))]
    solved = sum(run.solved_at is not None for run in runs)
    steps = sum(tail for _, tail in tails)
    yield f"{len(runs)} runs, {solved} solved; {len(tails)} tails with {steps} steps."
    yield ""
    yield "| rule | tails flagged | tail steps saved | solved runs stopped before their success |"
    yield "|---|---|---|---|"
    for name, fires in ALL:
        first = {run.name: next(iter(fires(run.steps)), None) for run in runs}
        flagged = [(run, tail, at) for run, tail in tails if (at := first[run.name]) is not None]
        saved = sum(_saved(run, tail, at) for run, tail, at in flagged)
        lost = sum(_lost(run, first[run.name]) for run in runs)
        yield f"| {name} | {wilson(len(flagged), len(tails))} | {saved} | {wilson(lost, solved)} |"


def tau_table(runs: Sequence[Graded]) -> Iterable[str]:
    """tau-bench: how often a rule fires on runs that were solved, and on those that were not."""
    solved = [run for run in runs if run.solved_at is not None]
    rest = [run for run in runs if run.solved_at is None]
    yield "| rule | solved runs fired on | unsolved runs fired on |"
    yield "|---|---|---|"
    for name, fires in ALL:
        good = sum(bool(fires(run.steps)) for run in solved)
        bad = sum(bool(fires(run.steps)) for run in rest)
        yield f"| {name} | {wilson(good, len(solved))} | {wilson(bad, len(rest))} |"


def main() -> int:
    """Print the tables, or one line when there are no traces."""
    named = os.environ.get("LOOP_TRACES")
    if not named or not (Path(named) / "labels.jsonl").is_file():
        print("bench-loops: skipped, because LOOP_TRACES names no folder of traces.")
        return 0
    folder = Path(named)
    runs = list(labelled(folder))
    parts: list[tuple[str, Iterable[str]]] = [
        ("Labelled runs", labelled_table(runs)),
        ("Per source", source_table(runs)),
        ("Delay", [delays(runs)]),
        ("InterCode", intercode_table(list(intercode(folder)))),
        ("tau-bench", tau_table(list(tau(folder)))),
        ("Data", [f"SHA-256 over all files read: `{fingerprint(folder)}`"]),
    ]
    for title, lines in parts:
        print(f"\n## {title}\n")
        for line in lines:
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
