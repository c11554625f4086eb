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
    "written",
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


_WORDS = ("owner", "irreversible")
"""The options that are no numbers and that a file can hold."""


def written(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options from a file or a command line; raises `BadGuard` for a value that is no number."""
    for name, value in options.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number and name not in _WORDS:
            raise BadGuard(f"The option `{name}` of a guard must be a number.")
    return options


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
