"""The recovery map: mild measures first, one step to see whether they help, then stronger ones."""

from __future__ import annotations

from collections.abc import Sequence

from invariant_breakpoints._guards.person import DENIED, Escalation
from invariant_breakpoints.decisions import ALLOW, Branch, Call, Decision, Halt, Outcome, notice
from invariant_breakpoints.verdicts import STUCK

RECOVERY: dict[str, tuple[str, str]] = {
    "tool_hallucination": ("inject_tool_schema", "Call only tools from the list you were given."),
    "reflection_paralysis": ("force_action", "Make one call now, or say that you cannot go on."),
    "tool_oscillation": ("state_latch", "Keep one of the two results and do not undo it."),
    "context_rot": ("objective_anchor", "Read the objective again and take its next open part."),
    "retry_storm": ("circuit_breaker", "Leave this operation alone and take another way."),
    "H1": ("forbid_call", "Make another call, or say that you cannot go on."),
    "H2": ("reformulate", "Ask something different in kind, or say that you cannot go on."),
}
"""Level 1: the measure, by name, and what the model is told. The first shape that fits counts."""
LEVEL_2 = "summarize_and_reset"
OTHER = ("branch", "Do something else, or say that you cannot go on.")


class Recovery:
    """Level 1, then 2, then 3, each only when the loop goes on a step after the one before.

    Level 3 is a person when a tool that cannot be undone is in the loop, or when a policy denies;
    else it is a halt. The measures are names: the harness carries them out.
    """

    name = "recovery"

    def __init__(
        self, *, irreversible: Sequence[str] = (), person: Escalation | None = None
    ) -> None:
        self._irreversible = frozenset(irreversible)
        self._person = person or Escalation()
        self._level = 0
        self._at = 0
        self._tools: set[str] = set()

    def before(self, call: Call) -> Decision:
        """What the person says, when one was asked."""
        return self._person.before(call)

    def after(self, outcome: Outcome) -> Decision:
        """The next measure, when a loop stands and the last measure had its step."""
        verdict = outcome.verdict
        if verdict.verdict != STUCK:
            self._tools.clear()
            return ALLOW
        self._tools.add(outcome.facts.tool)
        if self._level and outcome.facts.step - self._at < 2:
            return ALLOW  # one step to show whether the measure helps
        denied = DENIED in verdict.shapes
        self._level = 3 if denied else min(self._level + 1, 3)
        self._at = outcome.facts.step
        if self._level == 3:
            return self._last(outcome, denied)
        shape = next((name for name in RECOVERY if name in verdict.shapes), "")
        measure, instead = RECOVERY.get(shape, OTHER)
        if self._level == 2:
            measure = LEVEL_2
        first = outcome.facts.step if verdict.first is None else verdict.first
        what = f"Nothing has changed from step {first} to step {outcome.facts.step}."
        return Branch(message=notice(what, instead), measure=measure, level=self._level)

    def _last(self, outcome: Outcome, denied: bool) -> Decision:
        if denied or self._tools & self._irreversible:
            self._person.open(outcome)
            return ALLOW
        why = "The loop went on after both automatic measures."
        return Halt(reason=self.name, why=why, evidence=dict(outcome.verdict.evidence))
