"""H1: a call that brought the same result twice may not be made again for some steps."""

from __future__ import annotations

from dataclasses import dataclass, field

from invariant_breakpoints.decisions import (
    ALLOW,
    Branch,
    Call,
    Decision,
    Halt,
    Outcome,
    listed,
    notice,
    plain,
)
from invariant_breakpoints.memory import Recent
from invariant_breakpoints.verdicts import RETRYING, WAITING


@dataclass(slots=True)
class _Entry:
    pair: str
    state: str | None
    news: int
    steps: list[int] = field(default_factory=list)


class Tabu:
    """A tabu list of calls, with a tenure in steps and an aspiration rule.

    Aspiration: the call is free again when anything new was learnt or the state changed since it
    was last made. A declared wait or retry that is kept puts nothing on the list.
    """

    name = "tabu"

    def __init__(self, *, repeats: int = 2, tenure: int = 32, blocks: int = 2) -> None:
        self._repeats, self._tenure, self._blocks = repeats, tenure, blocks
        self._made: Recent[_Entry] = Recent(4096)
        self._news = 0
        self._state: str | None = None
        self._blocked: list[int] = []

    def before(self, call: Call) -> Decision:
        """`Branch` when the call is tabu, `Halt` when that was said often enough."""
        entry = self._made.get(call.facts.call or "")
        if entry is None or len(entry.steps) < self._repeats or self._free(entry, call.step):
            return ALLOW
        self._blocked.append(call.step)
        seen = listed(entry.steps)
        if len(self._blocked) >= self._blocks:
            why = f"A tabu call was asked for {len(self._blocked)} times; it was made in {seen}."
            evidence = {"steps": list(entry.steps), "pair": entry.pair[:12]}
            return Halt(reason=self.name, why=why, evidence=evidence)
        what = f"The call of {plain(call.tool)} was made in {seen} and its result did not change."
        return Branch(
            message=notice(what, "Make another call, or say that you cannot go on."),
            measure="forbid_call",
        )

    def _free(self, entry: _Entry, step: int) -> bool:
        changed = entry.news != self._news or entry.state != self._state
        return changed or step - entry.steps[-1] > self._tenure

    def after(self, outcome: Outcome) -> Decision:
        """Remember the call; never decides anything."""
        facts = outcome.facts
        self._state = facts.state or self._state
        if outcome.news:
            self._news += 1
            self._blocked.clear()
        if facts.call is None or facts.result is None:
            return ALLOW  # two unknown results are not two equal results
        if outcome.verdict.verdict in (WAITING, RETRYING):
            self._made.drop(facts.call)
            return ALLOW
        entry = self._made.get(facts.call)
        same = entry is not None and entry.pair == facts.pair and entry.news == self._news
        if entry is None or not same or entry.state != self._state:
            entry = _Entry(facts.pair, self._state, self._news)
        entry.steps.append(facts.step)
        self._made.put(facts.call, entry)
        return ALLOW
