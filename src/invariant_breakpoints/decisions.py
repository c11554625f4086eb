"""What a guard may decide, what it is shown, and the note that it writes to the model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from invariant_breakpoints.facts import Facts
from invariant_breakpoints.keys import NOTICE
from invariant_breakpoints.trace import Step
from invariant_breakpoints.verdicts import WORKING, Verdict

UNKNOWN = "UNKNOWN"
"""The outcome of every halt: a halt is no answer, and nobody makes one up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allow:
    """Go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Do not make this call, or do not go on like this; the message is for the model."""

    message: str
    measure: str = ""
    """What the harness could do besides passing the message on, by name; see `Recovery`."""
    level: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Not before this time; then ask the guard again."""

    until: float
    why: str
    owner: str = ""
    """Who owns the next move until then; empty when nobody but the clock does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Halt:
    """Stop. The outcome is `UNKNOWN`."""

    reason: str
    """A name that programs may compare: `tabu`, `window_cap`, `retry_budget`, …"""
    why: str
    evidence: dict[str, Any] = field(default_factory=dict)


Decision = Allow | Branch | Wait | Halt
ALLOW = Allow()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that the agent wants to make and that has not been made."""

    step: int
    tool: str
    facts: Facts
    """Digests of the call and its target; a result is not known yet."""
    t: float

    @property
    def operation(self) -> str:
        """The tool and what it is used on, as the rules for errors count it."""
        return operation(self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A call that was made, with its result and the verdict on it."""

    step: Step
    facts: Facts
    verdict: Verdict
    t: float
    cost: float = 0.0

    @property
    def news(self) -> bool:
        """A success that brought something new: whatever was tried before may be tried again."""
        return self.verdict.verdict == WORKING and not self.facts.failed


class Guard(Protocol):
    """One guard. It sees every call before it is made and every result after it."""

    name: str

    def before(self, call: Call) -> Decision:
        """What to do about a call that was not made yet."""
        ...

    def after(self, outcome: Outcome) -> Decision:
        """What to do after a result; `Wait` has no meaning here and is not returned."""
        ...


def operation(facts: Facts) -> str:
    """The tool and its target; without a target the call itself."""
    return f"{facts.tool}\x00{facts.target or facts.call}"


def plain(name: str) -> str:
    """A name from a trace that may stand in a message: short, on one line, without brackets."""
    return re.sub(r"[^\w.:/-]+", " ", name)[:60].strip() or "a tool"


def listed(steps: Iterable[int]) -> str:
    """Step numbers as words: `step 4`, `steps 4 and 5`, `steps 1, 2, … and 9`."""
    numbers = [str(step) for step in steps]
    if len(numbers) == 1:
        return f"step {numbers[0]}"
    shown = numbers if len(numbers) <= 4 else [*numbers[:2], "…", numbers[-1]]
    return f"steps {', '.join(shown[:-1])} and {shown[-1]}"


def notice(what: str, instead: str) -> str:
    """Two sentences for the model, in the brackets that the detector takes for no news."""
    return f"{NOTICE} {what} {instead}]"
