"""The detector: one step in, one verdict out.

The order of questions: is the evidence there; did the state or a declared metric move; is it a
declared retry, or a declared wait; does a rule find a loop, or does an earlier loop still stand; is
the result new; and else it is uncertain. Nothing but progress resets a count: no warning, no turn
of the user, no text, no permission to go on, and no compaction of the context.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from invariant_breakpoints.contracts import LIVE, NO_CLOCK, Leases, Pending, Retries, Retry
from invariant_breakpoints.cycles import Circling, Laps
from invariant_breakpoints.evidence import Gate
from invariant_breakpoints.facts import GUARD, TALK, TOOL, Reader
from invariant_breakpoints.novelty import Look, Novelty
from invariant_breakpoints.storms import Storms, operation
from invariant_breakpoints.texts import Texts
from invariant_breakpoints.thrash import Rewording
from invariant_breakpoints.verdicts import (
    BRANCH,
    HALT,
    RETRYING,
    STUCK,
    UNCERTAIN,
    WAITING,
    WORKING,
    Alarm,
    Settings,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from invariant_breakpoints.trace import Step


class Detector:
    """Reads one run, step by step. Its memory is bounded by the settings."""

    def __init__(self, settings: Settings | None = None, *, key: bytes = b"") -> None:
        self._set = settings or Settings()
        self._reader = Reader(key)
        self._gate = Gate()
        self._novelty = Novelty(self._set)
        self._laps = Laps(self._set)
        self._circling = Circling(self._set)
        self._rewording = Rewording(self._set)
        self._storms = Storms(self._set)
        self._texts = Texts(self._set)
        self._leases = Leases(self._set)
        self._retries = Retries(self._set)
        self._pending = Pending(self._set)
        self._standing: Alarm | None = None
        self._fresh = 0
        self._index = -1

    def observe(self, step: Step) -> Verdict:
        """The verdict on the next step; raises `BadStep` when it cannot be compared."""
        facts = self._reader.facts(step, self._index + 1 if step.step is None else step.step)
        self._index += 1
        entry = self._gate.enter(step, facts)
        lease = self._leases.observe(step.lease, entry.t)
        self._declare(step)
        verdict = entry.refused
        if verdict is None:
            look = self._novelty.look(facts, step, entry.t, lease)
            verdict = self._limited(self._judge(look), look)
        if entry.late and verdict.verdict == WORKING:
            verdict = replace(verdict, verdict=UNCERTAIN, lacking=(*verdict.lacking, "order"))
        notes = (*entry.notes, *verdict.notes)
        return replace(verdict, notes=notes) if entry.notes else verdict

    def unreadable(self, step: int | None = None) -> Verdict:
        """The verdict on a step that could not be read; it counts for nothing."""
        self._index += 1
        at = self._index if step is None else step
        why = "The step could not be read."
        return Verdict(step=at, verdict=UNCERTAIN, why=why, lacking=("step",))

    def _declare(self, step: Step) -> None:
        if step.retry_policies is not None:
            self._retries.declare(step.retry_policies)
        if step.tools is not None:
            self._storms.declare(step.tools)

    def _judge(self, look: Look) -> Verdict:
        if look.facts.kind == TOOL:
            look.retry = self._retries.observe(look.facts, look.t)
        if look.facts.pending and look.lease is None:
            look.looks = self._pending.looks(look.facts)
            look.unowned = self._pending.excuses(look.facts, look.looks)
        if look.progressed:
            self._clear()
        alarms = list(self._alarms(look))
        self._release(look)
        return self._contract(look) or self._loop(look, alarms) or self._rest(look)

    def _clear(self) -> None:
        for rule in (self._laps, self._circling, self._rewording, self._storms):
            rule.clear()
        self._standing, self._fresh = None, 0
        self._leases.progressed()

    def _alarms(self, look: Look) -> Iterable[Alarm]:
        """Every rule sees every step it is meant for, whatever the verdict will be."""
        facts = look.facts
        found: list[Alarm | None] = [self._texts.observe(facts), self._novelty.flat()]
        if look.retry is not None:
            found.append(look.retry.alarm)
        laps = None
        if not look.unowned:
            laps = self._laps.observe(facts)
            found.append(self._rewording.observe(facts))
        circles = self._circles(look)
        # Laps are circles with a fixed order: the stronger finding is the one to name.
        found.append(laps or circles)
        if not look.excused:
            storms = self._storms.observe(facts, look.news)
            # An error that comes once in each lap is a part of the lap, and no storm beside it.
            found += [storm for storm in storms if laps is None or not storm.counted]
        return [alarm for alarm in found if alarm is not None]

    def _circles(self, look: Look) -> Alarm | None:
        if look.facts.kind != TOOL or look.excused:
            return None
        if look.ago is None or look.progressed or look.moved:
            self._circling.clear()
            return None
        thrash = look.facts.state is not None and not self._laps.in_order
        return self._circling.observe(look.facts, look.ago, thrash)

    def _release(self, look: Look) -> None:
        """End a standing loop when the step shows that it was left."""
        standing, facts = self._standing, look.facts
        if standing is None or facts.kind != TOOL:
            return
        self._fresh = self._fresh + 1 if look.news else 0
        if standing.operation is None:
            left = look.ago is None or look.moved
        else:
            same = operation(facts) == standing.operation
            left = (same and not facts.failed) or self._fresh >= 2
        if left:
            self._standing, self._fresh = None, 0

    def _contract(self, look: Look) -> Verdict | None:
        """Waiting, retrying, or progress: whatever explains the step without a loop."""
        if look.progressed:
            return self._say(look, WORKING, "The state or the declared metric moved on.")
        if look.retry is not None and look.retry.alarm is None:
            verdict = self._retrying(look, look.retry)
            if verdict is not None:
                return verdict
        if look.lease in (LIVE, NO_CLOCK):
            return self._waiting(look, look.lease)
        if look.unowned:
            return self._looking(look)
        return None

    def _retrying(self, look: Look, retry: Retry) -> Verdict | None:
        evidence = dict(retry.evidence or {})
        if retry.kept:
            why = "A declared retry policy covers this error, and the gaps were kept."
            return replace(self._say(look, RETRYING, why), evidence=evidence)
        if retry.no_clock:
            why = "A retry policy is declared, and no times show whether it was kept."
            return replace(self._say(look, UNCERTAIN, why), evidence=evidence, lacking=("t",))
        if retry.backing:
            why = "Somebody backs off from a passing error, and no policy says for how long."
            return replace(self._say(look, UNCERTAIN, why), lacking=("retry_policy",))
        look.notes = (*look.notes, retry.note) if retry.note else look.notes
        return None

    def _waiting(self, look: Look, lease: str) -> Verdict | None:
        changed = look.ago is None and not look.facts.pending
        if look.facts.kind not in (TOOL, TALK) or changed or look.moved:
            return None
        if lease == NO_CLOCK:
            why = "A wait is declared, and no time shows whether its deadline has passed."
            return replace(self._say(look, UNCERTAIN, why), lacking=("t",))
        note = self._leases.too_fast(look.t)
        look.notes = (*look.notes, note + "was declared.") if note else look.notes
        verdict = self._say(look, WAITING, "A declared wait is in force.")
        return replace(verdict, evidence={"rule": "lease", **self._leases.evidence()})

    def _looking(self, look: Look) -> Verdict:
        evidence = {"rule": "pending", "looks": look.looks}
        if look.moved:
            return self._say(look, WORKING, "The state moved since this job was last looked at.")
        if self._pending.patient(look.facts, look.looks):
            verdict = self._say(look, WAITING, "The result says that the job still runs.")
        else:
            why = "Something seems to run, and no wait with a deadline is declared."
            verdict = replace(self._say(look, UNCERTAIN, why), lacking=("lease",))
        return replace(verdict, evidence=evidence)

    def _loop(self, look: Look, alarms: list[Alarm]) -> Verdict | None:
        """`stuck_loop`, by a rule at this step or by a loop that was not left yet."""
        standing = self._standing
        if not alarms and standing is None:
            return None
        if alarms:
            main = max(alarms, key=lambda alarm: (alarm.halt, -alarm.first))
            shapes = frozenset[str]().union(*(alarm.shapes for alarm in alarms))
            halt = main.halt or (standing is not None and standing.halt)
            first = min(alarm.first for alarm in alarms)
            if standing is not None:
                first = min(first, standing.first)
            standing = replace(main, shapes=shapes, halt=halt, first=first)
            self._standing, self._fresh = standing, 0
        assert standing is not None
        why = standing.why if alarms else f"The loop was not left. {standing.why}"
        return replace(
            self._say(look, STUCK, why),
            action=HALT if standing.halt else BRANCH,
            shapes=tuple(sorted(standing.shapes)),
            first=standing.first,
            evidence=dict(standing.evidence),
        )

    def _rest(self, look: Look) -> Verdict:
        facts = look.facts
        if look.moved:
            return self._say(look, WORKING, "The state moved since this call was last made.")
        if look.ago is not None and facts.kind != GUARD:
            ago = "one step" if look.ago == 1 else f"{look.ago} steps"
            why = f"The same call brought the same result {ago} ago."
            return self._say(look, UNCERTAIN, why)
        if look.known_target and look.same_state >= self._set.state_window:
            why = f"The results are new, but the state has not moved for {look.same_state} steps."
            verdict = replace(self._say(look, UNCERTAIN, why), shapes=("H2",))
            return replace(verdict, lacking=("progress",))
        return self._say(look, WORKING, "The call or its result is new.")

    def _limited(self, verdict: Verdict, look: Look) -> Verdict:
        """Name the evidence that is not there, where it limits what could be said."""
        facts = look.facts
        lacking = list(verdict.lacking)
        if facts.state is None and facts.kind == TOOL:
            lacking.append("state")
        if not facts.error_known and facts.kind == TOOL:
            lacking.append("error")
        return replace(verdict, lacking=tuple(dict.fromkeys(lacking))) if lacking else verdict

    def _say(self, look: Look, verdict: str, why: str) -> Verdict:
        return Verdict(step=look.facts.step, verdict=verdict, why=why, notes=look.notes)
