"""What a step brings that was not there before: a pair, a state, a target, a better metric.

New means new in the whole run, not in a window: a window of w steps is blind to every cycle that is
about as long as itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from invariant_breakpoints.contracts import LIVE, NO_CLOCK, Retry
from invariant_breakpoints.facts import TOOL, Facts
from invariant_breakpoints.memory import Recent, Seen
from invariant_breakpoints.thrash import Metric
from invariant_breakpoints.trace import Step, number

if TYPE_CHECKING:
    from invariant_breakpoints.verdicts import Alarm, Settings


@dataclass(slots=True, kw_only=True)
class Look:
    """One step with what is known about it against the steps before."""

    facts: Facts
    t: float | None
    lease: str | None
    ago: int | None
    """Steps since the pair was last seen; None when it is new."""
    progressed: bool
    """The state is new, or the declared metric is better than ever."""
    moved: bool
    """The state is another than when this same call was last made."""
    same_state: int
    """Steps in a row with this very state, this one included and declared waits left out; 0 when
    none is recorded."""
    known_target: bool
    retry: Retry | None = None
    looks: int = 0
    """How often a job that says it runs was looked at, when no wait was ever declared."""
    unowned: bool = False
    """It still passes as a wait, although nobody declared one."""
    notes: tuple[str, ...] = ()

    @property
    def news(self) -> bool:
        """A success that tells something which was not known."""
        facts = self.facts
        return self.ago is None and facts.kind == TOOL and not facts.failed and not facts.empty

    @property
    def excused(self) -> bool:
        """Repetition is what was declared, or is to be expected here."""
        kept = self.retry is not None and (self.retry.kept or self.retry.backing)
        return kept or self.unowned or self.lease in (LIVE, NO_CLOCK)


class Novelty:
    """The memory of a run: pairs, states, targets, and the best value of the metric."""

    def __init__(self, settings: Settings) -> None:
        self._index = -1
        self._pairs = Seen(settings.seen_limit)
        self._states = Seen(settings.seen_limit)
        self._targets = Seen(settings.seen_limit)
        self._at_call: Recent[str] = Recent(settings.open_limit)
        self._metric = Metric(settings)
        self._state: str | None = None
        self._same = 0

    def look(self, facts: Facts, step: Step, t: float | None, lease: str | None) -> Look:
        """Compare a step with all before it, and remember it."""
        self._index += 1
        before = self._pairs.add(facts.pair, self._index)
        better = self._metric.observe(facts.step, step.progress, self._value(step))
        new_state, moved = self._state_news(facts, waits=lease in (LIVE, NO_CLOCK))
        target = facts.target
        return Look(
            facts=facts,
            t=t,
            lease=lease,
            ago=None if before is None else self._index - before,
            progressed=new_state or better is True,
            moved=moved,
            same_state=self._same if facts.state is not None else 0,
            known_target=target is not None and self._targets.add(target, self._index) is not None,
        )

    def flat(self) -> Alarm | None:
        """The alarm of the declared metric, if its best value is too old."""
        return self._metric.alarm()

    def _value(self, step: Step) -> float | None:
        if step.progress is not None and step.progress.value is not None:
            return step.progress.value
        declared = step.progress or self._metric.declared
        if declared is None or not isinstance(step.state, dict):
            return None
        return number(step.state.get(declared.name))

    def _state_news(self, facts: Facts, *, waits: bool) -> tuple[bool, bool]:
        """Whether the state is new in this run, and whether it moved since this call's last time.

        The first recorded state is where the run begins: it is nobody's progress. A declared wait
        does not count as time in which the state should have moved.
        """
        if facts.state is None:
            return False, False
        was = self._state
        known = self._states.add(facts.state, self._index) is not None
        self._same = self._same + (not waits) if was == facts.state else 1
        self._state = facts.state
        last = self._at_call.get(facts.call or "")
        self._at_call.put(facts.call or "", facts.state)
        return not known and was is not None, last is not None and last != facts.state
