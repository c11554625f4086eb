"""One guarded run, without a loop of its own: calls are proposed, results recorded, notes kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from invariant_breakpoints.decisions import (
    ALLOW,
    UNKNOWN,
    Allow,
    Branch,
    Call,
    Decision,
    Guard,
    Halt,
    Outcome,
    Wait,
)
from invariant_breakpoints.detect import Detector
from invariant_breakpoints.facts import Reader
from invariant_breakpoints.scan import Span, spans
from invariant_breakpoints.trace import BadStep, Step, number, parse_step
from invariant_breakpoints.verdicts import WORKING, Settings, Verdict

COMPLETED, BUDGET = "completed", "budget"

# A call that one guard refuses is not worth the wait that another one wants; and the refusal has
# to be heard now, because the guard may count it and would be asked again after the wait.
_RANK: dict[type[Any], int] = {Allow: 0, Wait: 1, Branch: 2, Halt: 3}
LONGEST_PARTIAL = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A decision that was no `Allow`, with its guard and its place."""

    step: int
    guard: str
    before: bool
    """True: the call of this step was not made yet."""
    decision: Decision

    def as_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        told: dict[str, Any] = {
            "step": self.step,
            "guard": self.guard,
            "when": "before" if self.before else "after",
        }
        match self.decision:
            case Branch(message=message, measure=measure, level=level):
                return {
                    **told,
                    "decision": "branch",
                    "message": message,
                    "measure": measure,
                    "level": level,
                }
            case Wait(until=until, why=why, owner=owner):
                return {**told, "decision": "wait", "until": until, "why": why, "owner": owner}
            case Halt(reason=reason, why=why, evidence=evidence):
                return {
                    **told,
                    "decision": "halt",
                    "reason": reason,
                    "why": why,
                    "evidence": evidence,
                }
            case Allow():
                return {**told, "decision": "allow"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a run ended. Only a completed one has an answer, and it is the agent's own."""

    outcome: str
    """`completed`, or `UNKNOWN` for every other end."""
    stop_reason: str
    """`completed`, `budget`, or the reason of the guard that halted."""
    answer: Any = None
    why: str = ""
    trace: tuple[dict[str, Any], ...] = ()
    """The calls that were made, in the trace model."""
    timeline: tuple[Verdict, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    partial: tuple[dict[str, Any], ...] = ()
    """The last steps that brought something new: what a person or a caller can go on from."""
    cost: float = 0.0

    @property
    def loops(self) -> list[Span]:
        """The loops in the timeline, with their evidence."""
        return list(spans(list(self.timeline)))

    def as_json(self) -> dict[str, Any]:
        """The whole record, for `dump` and for other programs."""
        return {
            "outcome": self.outcome,
            "stop_reason": self.stop_reason,
            "answer": self.answer,
            "why": self.why,
            "steps": len(self.trace),
            "cost": self.cost,
            "rulings": [ruling.as_json() for ruling in self.rulings],
            "loops": [span.as_json() for span in self.loops],
            "partial": list(self.partial),
            "trace": list(self.trace),
            "timeline": [verdict.as_json() for verdict in self.timeline],
        }

    def dump(self, path: Path) -> None:
        """Write the record as JSON; what JSON cannot say is written as its text."""
        text = json.dumps(self.as_json(), ensure_ascii=True, indent=1, default=str)
        path.write_text(text + "\n", encoding="utf-8")


@dataclass(slots=True, kw_only=True)
class Session:
    """A run under guards. With no guard armed it only watches, and never says anything but allow.

    The clock is an argument; all gaps and deadlines of the guards are measured with it.
    """

    guards: Sequence[Guard] = ()
    settings: Settings | None = None
    clock: Callable[[], float] = time.time
    first: int = 0
    """The number of the first step."""
    trace: list[dict[str, Any]] = field(default_factory=list)
    timeline: list[Verdict] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    notice: str | None = None
    """What the model is to be told before its next call; taken away by `told`."""
    halted: Halt | None = None
    cost: float = 0.0
    _detector: Detector = field(init=False)
    _reader: Reader = field(init=False)

    def __post_init__(self) -> None:
        """The detector and the reader belong to this run alone."""
        self._detector = Detector(self.settings)
        self._reader = Reader()

    def told(self) -> str | None:
        """The note for the model, once."""
        notice, self.notice = self.notice, None
        return notice

    def propose(self, tool: str, args: Any) -> Decision:
        """What to do about a call before it is made. Every guard is asked; the strongest rules."""
        if self.halted is not None:
            return self.halted
        at = self.first + len(self.trace)
        try:
            facts = self._reader.facts(Step(step=at, tool=tool, args=args), at)
        except BadStep:
            return ALLOW  # what cannot be compared cannot be called a repetition
        call = Call(step=at, tool=tool, facts=facts, t=self.clock())
        return self._ruled([(guard.name, guard.before(call)) for guard in self.guards], True)

    def record(self, tool: str, args: Any, result: Mapping[str, Any]) -> Decision:
        """Take in the result of a call: `observation`, `error` and what else the step knows."""
        at, t = self.first + len(self.trace), self.clock()
        raw = {"t": t, **result, "step": at, "tool": tool, "args": args}
        self.trace.append(raw)
        step = parse_step(raw)
        cost = number(raw.get("cost")) or 0.0
        self.cost += cost
        try:
            facts = self._reader.facts(step, at)
            verdict = self._detector.observe(step)
        except BadStep:
            self.timeline.append(self._detector.unreadable(at))
            return ALLOW
        self.timeline.append(verdict)
        outcome = Outcome(step=step, facts=facts, verdict=verdict, t=t, cost=cost)
        return self._ruled([(guard.name, guard.after(outcome)) for guard in self.guards], False)

    def _ruled(self, said: list[tuple[str, Decision]], before: bool) -> Decision:
        at = self.first + len(self.trace) - (not before)
        found = [
            Ruling(step=at, guard=name, before=before, decision=decision)
            for name, decision in said
            if not isinstance(decision, Allow)
        ]
        self.rulings += found
        if not found:
            return ALLOW
        main = max((one.decision for one in found), key=lambda one: _RANK[type(one)])
        if isinstance(main, Halt):
            self.halted = main
        messages = [one.decision.message for one in found if isinstance(one.decision, Branch)]
        if messages:
            self.notice = "\n".join(messages)
        return main

    def result(self, *, answer: Any = None, stop: str | None = None) -> Result:
        """The record of the run. A halted run has no answer, whatever is passed here."""
        reason = self.halted.reason if self.halted else stop or COMPLETED
        done = reason == COMPLETED
        new = [
            raw
            for raw, verdict in zip(self.trace, self.timeline, strict=True)
            if verdict.verdict == WORKING and raw.get("error") is None
        ]
        return Result(
            outcome=COMPLETED if done else UNKNOWN,
            stop_reason=reason,
            answer=answer if done else None,
            why=self.halted.why if self.halted else "",
            trace=tuple(self.trace),
            timeline=tuple(self.timeline),
            rulings=tuple(self.rulings),
            partial=tuple(new[-LONGEST_PARTIAL:]),
            cost=self.cost,
        )
