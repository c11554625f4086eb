"""Calibration: what one threshold costs, as delay before a halt and as halts of healthy runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from statistics import median
from typing import Any

from invariant_breakpoints.reading import Line, Run
from invariant_breakpoints.scan import scan
from invariant_breakpoints.verdicts import HALT, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A run with what a reader says of it."""

    name: str
    lines: Sequence[Line]
    first: int | None
    """The step at which its loop begins; None: it is healthy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What one value of the threshold does."""

    value: int
    delays: tuple[int, ...]
    """Steps from the label to the halt, for each loop that was halted after it began."""
    missed: int
    false_halts: int
    """Healthy runs that were halted, and loops halted before they began."""
    healthy: int
    loops: int

    @property
    def delay(self) -> float | None:
        """The median delay; None when no loop was halted."""
        return median(self.delays) if self.delays else None

    def as_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "value": self.value,
            "median_delay": self.delay,
            "delays": list(self.delays),
            "missed": self.missed,
            "loops": self.loops,
            "false_halts": self.false_halts,
            "healthy": self.healthy,
        }


def _halt_at(run: Labelled, settings: Settings) -> int | None:
    report = scan(Run(name=run.name, lines=run.lines), settings)
    return next((said.step for said in report.timeline if said.action == HALT), None)


def calibrated(
    runs: Sequence[Labelled], setting: str, values: Sequence[int], base: Settings | None = None
) -> Iterator[Point]:
    """One point for each value of the threshold, all others as in `base`.

    Raises `ValueError` when there is no such threshold.
    """
    if setting not in {one.name for one in fields(Settings)}:
        raise ValueError(f"There is no threshold `{setting}`.")
    healthy = sum(run.first is None for run in runs)
    for value in values:
        settings = replace(base or Settings(), **{setting: value})
        delays, missed, wrong = [], 0, 0
        for run in runs:
            at = _halt_at(run, settings)
            if at is None:
                missed += run.first is not None
            elif run.first is None or at < run.first:
                wrong += 1
            else:
                delays.append(at - run.first)
        yield Point(
            value=value,
            delays=tuple(delays),
            missed=missed,
            false_halts=wrong,
            healthy=healthy,
            loops=len(runs) - healthy,
        )
