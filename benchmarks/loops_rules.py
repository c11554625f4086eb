"""Deciding rules of other loop detectors, written anew in a few lines each, for comparison only.

Each is the rule and no more: no product code is run, outer limits on turns or cost are left out,
and a step is what the trace model records. A product that compares more than the traces hold (a
page, a stream of text) is not here.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

Step = dict[str, Any]
Rule = Callable[[Step], bool]


def _call(step: Step) -> str:
    return f"{step.get('tool')}:{json.dumps(step.get('args'), sort_keys=True)}"


def _pair(step: Step) -> str:
    return f"{_call(step)}\x00{step.get('observation')}"


def _consecutive(limit: int, key: Callable[[Step], str]) -> Rule:
    last, count = "", 0

    def rule(step: Step) -> bool:
        nonlocal last, count
        now = key(step)
        count = count + 1 if now == last else 1
        last = now
        return count >= limit

    return rule


def roo() -> Rule:
    """The same call for the fourth time in a row."""
    return _consecutive(4, _call)


def cline_soft() -> Rule:
    """The same call for the third time in a row; a message."""
    return _consecutive(3, _call)


def cline_hard() -> Rule:
    """The same call for the fifth time in a row; a stop."""
    return _consecutive(5, _call)


def crewai() -> Rule:
    """A call equal to the last one."""
    return _consecutive(2, _call)


def goose() -> Rule:
    """The same first 100 characters of an error from one tool, three times in a row."""
    counted = _consecutive(3, lambda s: f"{s.get('tool')}:{str(s.get('observation'))[:100]}")

    def rule(step: Step) -> bool:
        if step.get("error") is None:
            counted({"tool": object()})
            return False
        return counted(step)

    return rule


def _cycle(keys: list[str], longest: int, laps: int) -> bool:
    for period in range(1, longest + 1):
        need = period * laps
        if len(keys) >= need:
            tail = keys[-need:]
            if all(tail[i] == tail[i - period] for i in range(period, need)):
                return True
    return False


def gemini() -> Rule:
    """Five laps of a cycle of one to five calls; results are not read."""
    keys: deque[str] = deque(maxlen=25)

    def rule(step: Step) -> bool:
        keys.append(_call(step))
        return _cycle(list(keys), 5, 5)

    return rule


def chapter_two_cycles() -> Rule:
    """Two equal cycles of call and result, up to five steps long."""
    keys: deque[str] = deque(maxlen=10)

    def rule(step: Step) -> bool:
        keys.append(_pair(step))
        return _cycle(list(keys), 5, 2)

    return rule


def openhands() -> Rule:
    """Four equal pairs; three equal calls that fail; three laps of two pairs."""
    seen: deque[Step] = deque(maxlen=6)

    def rule(step: Step) -> bool:
        seen.append(step)
        pairs = [_pair(one) for one in seen]
        last = list(seen)[-3:]
        failing = len(last) == 3 and all(one.get("error") for one in last)
        return (
            (len(pairs) >= 4 and len(set(pairs[-4:])) == 1)
            or (failing and len({_call(one) for one in last}) == 1)
            or (len(pairs) == 6 and _cycle(pairs, 2, 3))
        )

    return rule


def _novelty(steps: int) -> Rule:
    known: set[str] = set()
    flat = 0

    def rule(step: Step) -> bool:
        nonlocal flat
        pair = _pair(step)
        flat = flat + 1 if pair in known else 0
        known.add(pair)
        return flat >= steps

    return rule


def novelty_three() -> Rule:
    """Three steps in a row whose pair of call and result was seen before."""
    return _novelty(3)


def novelty_four() -> Rule:
    """Four such steps."""
    return _novelty(4)


def stella() -> Rule:
    """Three laps of a period up to 4; or one pair three times, unless all else is new."""
    keys: deque[str] = deque(maxlen=12)

    def rule(step: Step) -> bool:
        now = _pair(step)
        keys.append(now)
        window = list(keys)
        often = window.count(now) >= 3 and len(set(window)) < len(window) - 1
        return _cycle(window, 4, 3) or often

    return rule


def chapter_window(width: int) -> Callable[[], Rule]:
    """Different states over steps in a window, as printed, with 0.0 as the floor."""

    def make() -> Rule:
        keys: deque[str] = deque(maxlen=width)

        def rule(step: Step) -> bool:
            state = step.get("state")
            keys.append(_pair(step) if state is None else json.dumps(state, sort_keys=True))
            return len(keys) == width and len(set(keys)) / width <= 0.0

        return rule

    return make


RULES: tuple[tuple[str, Callable[[], Rule]], ...] = (
    ("novelty 0 over 3 steps", novelty_three),
    ("novelty 0 over 4 steps", novelty_four),
    ("chapter: two equal cycles", chapter_two_cycles),
    ("chapter: window novelty 0.0, w=10", chapter_window(10)),
    ("stella (three rules of it)", stella),
    ("OpenHands V1, thoughts ignored", openhands),
    ("Gemini CLI, cycles", gemini),
    ("Roo Code", roo),
    ("Cline, soft 3", cline_soft),
    ("Cline, hard 5", cline_hard),
    ("Goose REP-002", goose),
    ("CrewAI", crewai),
)
