"""Escalation: a person decides within a lease; when nobody answers, the run halts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from invariant_breakpoints.decisions import (
    ALLOW,
    Branch,
    Call,
    Decision,
    Halt,
    Outcome,
    Wait,
    notice,
)
from invariant_breakpoints.trace import Lease
from invariant_breakpoints.verdicts import HALT, STUCK, Verdict

DENIED = "guardrail_loop"
"""The one loop that the agent cannot leave: it does not see the policy that denies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the person is asked."""

    step: int
    tool: str
    why: str
    evidence: dict[str, Any]
    lease: Lease
    """Whose move it is, and until when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the person says."""

    go_on: bool
    instruction: str = ""
    """Words of the person for the model; shown as such, and never made up."""


def nobody() -> Answer | None:
    """The answer while there is none."""
    return None


def unheard(question: Question) -> None:
    """Tell nobody; a harness passes its own."""


class Escalation:
    """Asks a person at a halt of the detector, or as soon as a policy denies again and again."""

    name = "escalation"

    def __init__(
        self,
        *,
        ask: Callable[[Question], None] = unheard,
        answer: Callable[[], Answer | None] = nobody,
        owner: str = "operator",
        timeout_s: float = 300.0,
        poll_s: float = 5.0,
        shapes: frozenset[str] | None = None,
    ) -> None:
        self._ask, self._answer, self._owner = ask, answer, owner
        self._timeout_s, self._poll_s, self._shapes = timeout_s, poll_s, shapes
        self._open: Question | None = None
        self._quiet_until: int | None = None

    def before(self, call: Call) -> Decision:
        """`Wait` while a question is open; then what the person said."""
        question = self._open
        if question is None:
            return ALLOW
        said = self._answer()
        if said is None:
            return self._silence(question, call.t)
        self._open = None
        if not said.go_on:
            return Halt(reason="refused", why=f"{self._owner} said no.", evidence=question.evidence)
        if not said.instruction:
            return ALLOW
        words = " ".join(said.instruction.split()).replace("]", ")")[:300]
        what = f"At step {question.step} {self._owner} was asked about the same calls."
        return Branch(message=notice(what, f"{self._owner} says: {words}"), level=3)

    def _silence(self, question: Question, t: float) -> Decision:
        deadline = question.lease.deadline_t
        if t >= deadline:
            why = f"{self._owner} did not answer within {self._timeout_s:g} s."
            return Halt(reason="escalation_timeout", why=why, evidence=question.evidence)
        until = min(deadline, t + self._poll_s)
        return Wait(until=until, why=f"{self._owner} was asked.", owner=self._owner)

    def after(self, outcome: Outcome) -> Decision:
        """Open the question; the answer is waited for before the next call."""
        verdict = outcome.verdict
        if verdict.verdict != STUCK:
            self._quiet_until = None
        elif self._open is None and self._wanted(verdict):
            self._quiet_until = verdict.first
            self.open(outcome)
        return ALLOW

    def _wanted(self, verdict: Verdict) -> bool:
        # What a person was asked about and let go on is not asked again at every step.
        if self._quiet_until == verdict.first:
            return False
        if self._shapes is not None and self._shapes.isdisjoint(verdict.shapes):
            return False
        return verdict.action == HALT or DENIED in verdict.shapes

    def open(self, outcome: Outcome) -> None:
        """Ask about this step, and take a lease until the timeout."""
        lease = Lease(
            owner=self._owner, poll_min_s=self._poll_s, deadline_t=outcome.t + self._timeout_s
        )
        verdict = outcome.verdict
        self._open = Question(
            step=verdict.step,
            tool=outcome.facts.tool,
            why=verdict.why,
            evidence=dict(verdict.evidence),
            lease=lease,
        )
        self._ask(self._open)
