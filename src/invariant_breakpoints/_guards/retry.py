"""H3: a budget for retries, a measured backoff, and another action after a permanent error."""

from __future__ import annotations

import math
import random as dice
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from invariant_breakpoints.contracts import EARLY
from invariant_breakpoints.decisions import (
    ALLOW,
    Branch,
    Call,
    Decision,
    Halt,
    Outcome,
    Wait,
    listed,
    notice,
    operation,
    plain,
)
from invariant_breakpoints.keys import TRANSIENT
from invariant_breakpoints.memory import Recent
from invariant_breakpoints.trace import RetryPolicy

JITTER_LEAST = 0.01
"""Gaps that keep to one schedule closer than a hundredth are made by it, without jitter."""


@dataclass(slots=True)
class _Failing:
    family: str
    policy: RetryPolicy | None
    t: float
    hint_s: float
    ready: float = 0.0
    steps: list[int] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    news: int = 0
    blocked: int = 0

    @property
    def transient(self) -> bool:
        return self.policy is not None or self.family in TRANSIENT


def growing(gaps: list[float]) -> bool | None:
    """Whether each measured gap is longer than the one before; None for fewer than two."""
    if len(gaps) < 2:
        return None
    return all(after > before for before, after in pairwise(gaps))


def jittered(gaps: list[float]) -> bool | None:
    """Whether the growth of measured gaps varies; None when fewer than three cannot tell.

    A bare schedule grows by one factor, and a flat one by the factor 1; jitter breaks that.
    """
    if len(gaps) < 3 or min(gaps) <= 0:
        return None
    ratios = [after / before for before, after in pairwise(gaps)]
    return max(ratios) / min(ratios) - 1 > JITTER_LEAST


class RetryBudget:
    """A token bucket for each operation and error family; a retry costs a token.

    A transient error may be retried while tokens are left and the backoff is kept (`Wait` says
    until when). After a permanent error, `permanent` tries in all are allowed until something new
    was learnt. A declared retry policy replaces the default schedule for its errors.
    """

    name = "retry_budget"

    def __init__(
        self,
        *,
        tokens: float = 4.0,
        earned: float = 0.5,
        refill_s: float = math.inf,
        base_s: float = 1.0,
        factor: float = 2.0,
        longest_s: float = 60.0,
        jitter: float = 0.25,
        permanent: int = 2,
        blocks: int = 2,
        random: Callable[[], float] = dice.random,
    ) -> None:
        self._capacity, self._earned, self._refill_s = tokens, earned, refill_s
        self._base_s, self._factor, self._longest_s = base_s, factor, longest_s
        self._jitter, self._permanent, self._blocks = jitter, permanent, blocks
        self._random = random
        self._failing: Recent[_Failing] = Recent(4096)
        self._buckets: Recent[tuple[float, float]] = Recent(4096)
        self._policies: tuple[RetryPolicy, ...] = ()
        self._news = 0

    def before(self, call: Call) -> Decision:
        """Whether this operation may be tried again, and when."""
        failing = self._failing.get(call.operation)
        if failing is None:
            return ALLOW
        if not failing.transient:
            return self._permanently(failing, call)
        tries = len(failing.steps)
        spent = self._tokens(call.operation, failing, call.t) < 1
        over = failing.policy is not None and tries >= failing.policy.max_attempts
        if spent or over:
            what = f"The call of {plain(call.tool)} failed in {listed(failing.steps)}"
            return self._refuse(failing, call, f"{what} and its budget for retries is spent.")
        if call.t < failing.t + (failing.ready - failing.t) * EARLY:
            why = f"Attempt {tries + 1} after {failing.family}: the backoff is not over."
            return Wait(until=failing.ready, why=why)
        return ALLOW

    def _permanently(self, failing: _Failing, call: Call) -> Decision:
        if failing.news != self._news:
            self._failing.drop(call.operation)
            return ALLOW
        if len(failing.steps) < self._permanent:
            return ALLOW
        seen = listed(failing.steps)
        what = f"The call of {plain(call.tool)} failed in {seen}, and nothing was learnt since."
        return self._refuse(failing, call, what)

    def _refuse(self, failing: _Failing, call: Call, what: str) -> Decision:
        failing.blocked += 1
        if failing.blocked >= self._blocks:
            evidence = {
                "steps": list(failing.steps),
                "family": failing.family,
                "transient": failing.transient,
                "gaps_s": [round(gap, 3) for gap in failing.gaps],
                "growing": growing(failing.gaps),
                "jittered": jittered(failing.gaps),
            }
            return Halt(reason=self.name, why=what, evidence=evidence)
        instead = "Take another way than this call, or say that you cannot go on."
        return Branch(message=notice(what, instead), measure="open_circuit")

    def after(self, outcome: Outcome) -> Decision:
        """Count the failure, or give something back for the success."""
        facts, key = outcome.facts, operation(outcome.facts)
        if outcome.step.retry_policies is not None:
            self._policies = outcome.step.retry_policies
        if outcome.news:
            self._news += 1
        failing = self._failing.get(key)
        if facts.family is None:
            if failing is not None:
                self._give(key, failing, outcome.t)
                self._failing.drop(key)
            return ALLOW
        if failing is None or failing.family != facts.family:
            policy = self._covering(facts.family, facts.code)
            failing = _Failing(facts.family, policy, outcome.t, facts.hint_s, news=self._news)
        else:
            failing.gaps.append(outcome.t - failing.t)
            left = self._tokens(key, failing, outcome.t)
            self._buckets.put(f"{key}\x00{failing.family}", (left - 1, outcome.t))
        failing.t, failing.hint_s = outcome.t, facts.hint_s
        failing.news = self._news
        failing.steps.append(facts.step)
        failing.ready = outcome.t + self._delay(failing)
        self._failing.put(key, failing)
        return ALLOW

    def _covering(self, family: str, code: str | None) -> RetryPolicy | None:
        names = {family.lower(), (code or family).lower()}
        covering = (one for one in self._policies if names & {name.lower() for name in one.errors})
        return next(covering, None)

    def _delay(self, failing: _Failing) -> float:
        tries = len(failing.steps)
        if failing.policy is not None:
            return max(failing.policy.delay_before(tries + 1), failing.hint_s)
        delay = min(self._base_s * self._factor ** min(tries - 1, 64), self._longest_s)
        # A hint of the service is a promise about time, so jitter is only added to it.
        return max(delay, failing.hint_s) * (1 + self._jitter * self._random())

    def _tokens(self, key: str, failing: _Failing, t: float) -> float:
        left, since = self._buckets.get(f"{key}\x00{failing.family}") or (self._capacity, t)
        return min(self._capacity, left + max(0.0, t - since) / self._refill_s)

    def _give(self, key: str, failing: _Failing, t: float) -> None:
        left = min(self._capacity, self._tokens(key, failing, t) + self._earned)
        self._buckets.put(f"{key}\x00{failing.family}", (left, t))
