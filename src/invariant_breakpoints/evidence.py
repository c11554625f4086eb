"""Whether a step can be used at all: its parts, its place in the order, its round, its clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from invariant_breakpoints.facts import TOOL, Facts
from invariant_breakpoints.verdicts import UNCERTAIN, Verdict

if TYPE_CHECKING:
    from invariant_breakpoints.trace import Step


@dataclass(slots=True, kw_only=True)
class Entry:
    """What the gate says of one step."""

    t: float | None
    """The time, or None when there is none or the clock ran backwards."""
    notes: list[str] = field(default_factory=list)
    refused: Verdict | None = None
    """The verdict on a step that no count may use."""
    late: bool = False
    """The step stands behind one with a higher number."""


class Gate:
    """Looks at the form of each step before any rule looks at what it says."""

    def __init__(self) -> None:
        self._highest: int | None = None
        self._t: float | None = None
        self._round: str | None = None
        self._calls: set[str] = set()

    def enter(self, step: Step, facts: Facts) -> Entry:
        """Check one step."""
        entry = Entry(t=step.t, notes=list(step.faults))
        self._clock(entry)
        again = self._order(facts.step, entry)
        lacking = [
            name
            for name, value in (("args", facts.call), ("observation", facts.result))
            if value is None
        ]
        if lacking:
            why = "What was called or what came back is not recorded."
            entry.refused = self._refusal(facts, why, *lacking)
        elif again:
            why = "A step with this number was judged already."
            entry.refused = self._refusal(facts, why, "order")
        elif self._same_round(step.round, facts):
            why = "The same call was made twice in one round, before any result was seen."
            entry.refused = self._refusal(facts, why)
        return entry

    def _clock(self, entry: Entry) -> None:
        before, now = self._t, entry.t
        if now is None:
            return
        self._t = now
        if before is not None and now < before:
            entry.notes.append(f"The clock jumps back from {before:g} to {now:g}.")
            entry.t = None

    def _order(self, at: int, entry: Entry) -> bool:
        """Whether a step with this number was there already."""
        before = self._highest
        self._highest = at if before is None else max(before, at)
        if before is None or at > before:
            return False
        if at == before:
            entry.notes.append(f"Step {at} comes again.")
            return True
        entry.notes.append(f"Step {at} comes after step {before}.")
        entry.late = True
        return False

    def _same_round(self, turn: str | None, facts: Facts) -> bool:
        if turn is None or turn != self._round:
            self._round, self._calls = turn, set()
        if turn is None or facts.kind != TOOL or facts.call is None:
            return False
        if facts.call in self._calls:
            return True
        self._calls.add(facts.call)
        return False

    def _refusal(self, facts: Facts, why: str, *lacking: str) -> Verdict:
        return Verdict(step=facts.step, verdict=UNCERTAIN, why=why, lacking=lacking)
