"""Steps without an action: chants, messages said again, and thoughts that lead nowhere."""

from __future__ import annotations

from collections import deque

from invariant_breakpoints.facts import GUARD, THINK, TOOL, Facts
from invariant_breakpoints.verdicts import Alarm, Settings

ALIKE = 0.7
"""The share of common words from which two thoughts are the same one."""
BACK = 3


def alike(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether two texts say the same; short ones only when their words are equal."""
    if not a or not b:
        return False
    if min(len(a), len(b)) < 4:
        return a == b
    return len(a & b) >= ALIKE * len(a | b)


class Texts:
    """What is said between two actions."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self.clear()

    def clear(self) -> None:
        """An action was taken."""
        self._thoughts: deque[frozenset[str]] = deque(maxlen=BACK)
        self._again = 0
        self._count = 0
        self._first = 0
        self._said: tuple[str, int, int] = ("", 0, 0)

    def observe(self, facts: Facts) -> Alarm | None:
        """The alarm, if the text is a chant, or one repetition too many."""
        if facts.kind in (TOOL, GUARD):
            if facts.kind == TOOL:
                self.clear()
            return None
        if facts.chant:
            return self._say(
                facts.step, "text_repetition", facts.chant, True, "One phrase follows itself"
            )
        return self._paralysis(facts) if facts.kind == THINK else self._repeated(facts)

    def _paralysis(self, facts: Facts) -> Alarm | None:
        thought = frozenset(facts.telling())
        self._first = self._first if self._count else facts.step
        self._count += 1
        self._again = self._again + 1 if any(alike(thought, t) for t in self._thoughts) else 0
        self._thoughts.append(thought)
        if self._again + 1 < self._set.texts_branch:
            return None
        halt = self._again + 1 >= self._set.texts_halt
        why = "The same thought came without any action between"
        return self._say(self._first, "reflection_paralysis", self._again + 1, halt, why)

    def _repeated(self, facts: Facts) -> Alarm | None:
        pair, count, first = self._said
        count, first = (count + 1, first) if pair == facts.pair else (1, facts.step)
        self._said = (facts.pair, count, first)
        if count < self._set.same_branch:
            return None
        halt = count > self._set.same_branch
        return self._say(first, "text_repetition", count, halt, "One message got one answer")

    def _say(self, first: int, shape: str, count: int, halt: bool, why: str) -> Alarm:
        return Alarm(
            shapes=frozenset({shape}),
            halt=halt,
            why=f"{why}, {count} times.",
            first=first,
            evidence={"rule": shape, "count": count},
        )
