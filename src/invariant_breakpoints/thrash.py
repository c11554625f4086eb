"""One question in other words, with the same answer; and a declared metric that stays flat."""

from __future__ import annotations

from difflib import SequenceMatcher

from invariant_breakpoints.facts import TOOL, Facts
from invariant_breakpoints.trace import Progress
from invariant_breakpoints.verdicts import Alarm, Settings

NEW_WORDS = 1 / 3
"""The share of words never said before from which a question is about something else."""


def other_target(before: tuple[str, ...], known: set[str], now: tuple[str, ...]) -> bool:
    """Whether the words ask about something else, and not about the same thing in other words.

    A batch puts a new word into a fixed place (`is ALICE a member`, `is BOB a member`). Rewording
    moves, adds and leaves out words, and says hardly one that was not said before.
    """
    new = [word for word in now if word not in known]
    if not new:
        return False
    if len(new) > len(now) * NEW_WORDS:
        return True
    edits = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
    changes = [tag for tag, *_ in edits if tag != "equal"]
    return set(changes) == {"replace"}


class Rewording:
    """Different calls of one tool that all get the same answer and ask about the same thing."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self._last: Facts | None = None
        self.clear()

    def clear(self) -> None:
        """Progress was made."""
        self._count = 0
        self._first = 0
        self._calls: set[str] = set()
        self._known: set[str] = set()
        self._last = None

    def observe(self, facts: Facts) -> Alarm | None:
        """The alarm, if this is one rewording too many. Texts and guards do not interrupt."""
        if facts.kind != TOOL:
            return None
        if not self._goes_on(facts):
            self._count, self._first = 0, facts.step
            self._calls, self._known = set(), set()
        self._last = facts
        self._count += 1
        if self._count > 1 and facts.call not in self._calls:
            self._known |= set(facts.telling())
        self._calls.add(facts.call or "")
        if self._count < self._set.reworded_branch or len(self._calls) < 2:
            return None
        return Alarm(
            # Without a state nothing says that it stood still: one call, in other words.
            shapes=frozenset({"H2" if facts.state is not None else "H1"}),
            halt=self._count >= self._set.reworded_halt,
            why=f"{self._count} calls ask the same in other words and get the same answer.",
            first=self._first,
            evidence={
                "rule": "rewording",
                "count": self._count,
                "different_calls": len(self._calls),
                "result": (facts.result or "")[:12],
                "state": (facts.state or "")[:12] or None,
            },
        )

    def _goes_on(self, facts: Facts) -> bool:
        last = self._last
        if last is None or facts.failed or last.failed or (facts.empty and facts.state is None):
            return False
        if (facts.tool, facts.result, facts.state) != (last.tool, last.result, last.state):
            return False
        # Without a state only a long equal answer shows that the outcome is the same.
        if facts.state is None and not facts.rich:
            return False
        if facts.call == last.call:
            return True
        if facts.target != last.target:
            return False
        self._known |= set(last.telling())
        return not other_target(last.telling(), self._known, facts.telling())


class Metric:
    """A declared metric: steps since its best value got better."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self.declared: Progress | None = None
        self._best: float | None = None
        self._first = 0
        self._flat = 0

    def observe(self, step: int, progress: Progress | None, value: float | None) -> bool | None:
        """True: better than ever. False: not. None: no metric, or no value for it."""
        if progress is not None and (self.declared is None or progress.name != self.declared.name):
            self.declared, self._best = progress, None
        if self.declared is None or value is None:
            return None
        if self._best is None:
            self._best, self._flat, self._first = value, 1, step
            return None
        up = self.declared.higher_is_better
        if value > self._best if up else value < self._best:
            self._best, self._flat, self._first = value, 1, step
            return True
        self._flat += 1
        return False

    def alarm(self) -> Alarm | None:
        """The alarm, if the best value is too old."""
        if self.declared is None or self._flat < self._set.metric_window:
            return None
        return Alarm(
            shapes=frozenset({"H2"}),
            halt=self._flat >= 2 * self._set.metric_window,
            why=f"The best {self.declared.name} has been {self._best} for {self._flat} steps.",
            first=self._first,
            evidence={
                "rule": "metric",
                "metric": self.declared.name,
                "best": self._best,
                "steps_flat": self._flat,
            },
        )
