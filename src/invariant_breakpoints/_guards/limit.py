"""A hard limit on steps and cost, and how to find one that fits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from invariant_breakpoints.decisions import ALLOW, Call, Decision, Halt, Outcome


def calibrated_limit(steps: Sequence[int], *, factor: float = 1.5) -> int:
    """A limit from the step counts of runs that succeeded: their 95th percentile times 1.5.

    The percentile is the nearest rank, so it is a count that occurred. Raises `ValueError` when
    there is no run.
    """
    if not steps:
        raise ValueError("No successful run to calibrate on.")
    ranked = sorted(steps)
    return math.ceil(ranked[math.ceil(0.95 * len(ranked)) - 1] * factor)


class Limit:
    """Halts before the step that would be one too many, or once the cost is spent."""

    name = "limit"

    def __init__(self, *, steps: int, cost: float = math.inf) -> None:
        if steps < 1:
            raise ValueError("The limit must allow at least one step.")
        self._steps, self._cost = steps, cost
        self._made, self._spent = 0, 0.0

    def before(self, call: Call) -> Decision:
        """`Halt` when the budget is spent; the call that would exceed it is not made."""
        if self._made < self._steps and self._spent < self._cost:
            return ALLOW
        why = f"{self._made} steps were made for a cost of {self._spent:g}; the limit is reached."
        evidence = {"steps": self._made, "cost": self._spent}
        return Halt(reason=self.name, why=why, evidence=evidence)

    def after(self, outcome: Outcome) -> Decision:
        """Count the step."""
        self._made += 1
        self._spent += outcome.cost
        return ALLOW
