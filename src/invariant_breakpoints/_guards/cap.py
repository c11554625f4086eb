"""H2: a cap on windows of steps that reach no new state and no new result."""

from __future__ import annotations

from invariant_breakpoints.decisions import (
    ALLOW,
    Branch,
    Call,
    Decision,
    Halt,
    Outcome,
    notice,
    plain,
)
from invariant_breakpoints.facts import TOOL
from invariant_breakpoints.memory import Seen
from invariant_breakpoints.verdicts import RETRYING, WAITING


class WindowCap:
    """Counts flat steps in a row: recorded state known, result known, nothing declared.

    After each full window the model is told; after the last one the run halts. A step without a
    recorded state is not counted: whether it moved anything cannot be said.
    """

    name = "window_cap"

    def __init__(self, *, window: int = 5, windows: int = 2) -> None:
        self._window, self._windows = window, windows
        self._states, self._results = Seen(100_000), Seen(100_000)
        self._flat = 0
        self._first = 0

    def before(self, call: Call) -> Decision:
        """Nothing is known of a call that was not made."""
        return ALLOW

    def after(self, outcome: Outcome) -> Decision:
        """`Branch` after a flat window, `Halt` after the last."""
        facts = outcome.facts
        if facts.kind != TOOL or facts.state is None or facts.result is None:
            return ALLOW
        new_state = self._states.add(facts.state, facts.step) is None
        new_result = self._results.add(facts.result, facts.step) is None
        if new_state or new_result or outcome.verdict.verdict in (WAITING, RETRYING):
            self._flat = 0
            return ALLOW
        self._first = self._first if self._flat else facts.step
        self._flat += 1
        if self._flat >= self._window * self._windows:
            why = f"{self._flat} steps in a row reached no new state and no new result."
            evidence = {"window": self._window, "first": self._first, "state": facts.state[:12]}
            return Halt(reason=self.name, why=why, evidence=evidence)
        if self._flat % self._window:
            return ALLOW
        what = (
            f"From step {self._first} to step {facts.step}, up to the last call of "
            f"{plain(facts.tool)}, neither the state nor a result was new."
        )
        return Branch(
            message=notice(what, "Ask something different in kind, or say that you cannot go on."),
            measure="reformulate",
        )
