"""The guards by name. A guard acts only where somebody arms it; none is armed by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from invariant_breakpoints._guards.cap import WindowCap
from invariant_breakpoints._guards.limit import Limit, calibrated_limit
from invariant_breakpoints._guards.person import Answer, Escalation, Question
from invariant_breakpoints._guards.recovery import RECOVERY, Recovery
from invariant_breakpoints._guards.retry import RetryBudget, growing, jittered
from invariant_breakpoints._guards.tabu import Tabu
from invariant_breakpoints.decisions import Guard

__all__ = [
    "GUARDS",
    "RECOVERY",
    "Answer",
    "BadGuard",
    "Escalation",
    "Limit",
    "Question",
    "Recovery",
    "RetryBudget",
    "Tabu",
    "WindowCap",
    "armed",
    "calibrated_limit",
    "growing",
    "jittered",
]

GUARDS: tuple[tuple[str, Callable[..., Guard]], ...] = (
    (Tabu.name, Tabu),
    (WindowCap.name, WindowCap),
    (RetryBudget.name, RetryBudget),
    (Limit.name, Limit),
    (Escalation.name, Escalation),
    (Recovery.name, Recovery),
)


class BadGuard(ValueError):
    """A guard that does not exist, or options that it does not have."""


def armed(name: str, options: Mapping[str, Any]) -> Guard:
    """A fresh guard; raises `BadGuard` with the reason in one sentence."""
    make = dict(GUARDS).get(name)
    if make is None:
        known = ", ".join(one for one, _ in GUARDS)
        raise BadGuard(f"There is no guard `{name}`; there are: {known}.")
    try:
        return make(**options)
    except (TypeError, ValueError) as bad:
        raise BadGuard(f"The guard `{name}` cannot be armed: {bad}.") from None
