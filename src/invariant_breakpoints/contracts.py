"""What was declared: wait leases, retry policies, and jobs that say themselves that they run."""

from __future__ import annotations

from dataclasses import dataclass

from invariant_breakpoints.facts import Facts
from invariant_breakpoints.keys import TRANSIENT
from invariant_breakpoints.memory import Recent
from invariant_breakpoints.trace import Lease, RetryPolicy
from invariant_breakpoints.verdicts import Alarm, Settings

EARLY = 0.9
"""A gap of nine tenths of the declared one still counts as kept: clocks are not exact."""

LIVE, EXPIRED, NO_CLOCK = "live", "expired", "no clock"


class Leases:
    """The lease in force: who owns the next move, and until when."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self._lease: Lease | None = None
        self._renewals = 0
        self._polled: float | None = None

    def observe(self, declared: Lease | None, t: float | None) -> str | None:
        """What the lease taken *before* this step is worth now; None when there is none.

        The step that takes a lease is the one that started the work, so it is no wait itself.
        """
        standing = self._worth(t)
        if declared is not None:
            same = self._lease is not None and declared.owner == self._lease.owner
            later = self._lease is not None and declared.deadline_t > self._lease.deadline_t
            self._renewals = self._renewals + later if same else 0
            if self._renewals <= self._set.lease_renewals:
                self._lease = declared
        return standing

    def progressed(self) -> None:
        """Something moved, so the owner is alive: renewals start again from zero."""
        self._renewals = 0

    def _worth(self, t: float | None) -> str | None:
        if self._lease is None:
            return None
        if t is None:
            return NO_CLOCK
        return LIVE if t <= self._lease.deadline_t else EXPIRED

    def evidence(self) -> dict[str, object]:
        """The owner and the deadline."""
        if self._lease is None:
            return {}
        return {"owner": self._lease.owner, "deadline_t": self._lease.deadline_t}

    def too_fast(self, t: float | None) -> str | None:
        """A note when this poll came sooner after the last one than the lease allows."""
        before, self._polled = self._polled, t
        if before is None or t is None or self._lease is None:
            return None
        gap = t - before
        if 0 <= gap < self._lease.poll_min_s * EARLY:
            return f"Polling too fast: {gap:g} s after the last look, {self._lease.poll_min_s:g} s "
        return None


@dataclass(slots=True)
class _Tries:
    first: int
    number: int = 0
    t: float | None = None
    hint_s: float = 0.0
    gap: float = 0.0
    growing: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """What the declared policy says of a failed call."""

    kept: bool = False
    backing: bool = False
    """No policy is declared, but the measured gaps grow, and the error may pass."""
    alarm: Alarm | None = None
    note: str = ""
    no_clock: bool = False
    evidence: dict[str, object] | None = None


class Retries:
    """Tries of each operation under the declared policies."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self._policies: tuple[RetryPolicy, ...] = ()
        self._open: Recent[_Tries] = Recent(settings.open_limit)

    def declare(self, policies: tuple[RetryPolicy, ...]) -> None:
        """The policies from here on."""
        self._policies = policies

    def observe(self, facts: Facts, t: float | None) -> Retry | None:
        """None when the call succeeded or no policy covers its error."""
        key = f"{facts.tool}\x00{facts.target or facts.call}"
        if not facts.failed:
            self._open.drop(key)
            return None
        policy = self._covering(facts)
        tries = self._open.get(key) or _Tries(facts.step)
        tries.number += 1
        if policy is None:
            self._open.put(key, tries)
            return self._undeclared(tries, t, facts)
        wait = max(policy.delay_before(tries.number), tries.hint_s if tries.number > 1 else 0.0)
        gap = None if t is None or tries.t is None else t - tries.t
        tries.t, tries.hint_s = t, facts.hint_s
        self._open.put(key, tries)
        return self._judge(tries, policy, wait, gap, facts)

    def _undeclared(self, tries: _Tries, t: float | None, facts: Facts) -> Retry | None:
        before, tries.t = tries.t, t
        if tries.number > 1:
            gap = t - before if t is not None and before is not None else 0.0
            tries.growing = tries.growing and gap > tries.gap
            tries.gap = gap
        few = 1 < tries.number <= self._set.undeclared_attempts
        passing = facts.family in TRANSIENT
        return Retry(backing=True) if few and passing and tries.growing else None

    def _covering(self, facts: Facts) -> RetryPolicy | None:
        names = {name.lower() for name in (facts.code, facts.family) if name}
        for policy in self._policies:
            if not names.isdisjoint(error.lower() for error in policy.errors):
                return policy
        return None

    def _judge(
        self, tries: _Tries, policy: RetryPolicy, wait: float, gap: float | None, facts: Facts
    ) -> Retry:
        evidence: dict[str, object] = {
            "rule": "retry_policy",
            "attempt": tries.number,
            "max_attempts": policy.max_attempts,
            "gap_s": gap,
            "wait_s": wait,
        }
        if tries.number > policy.max_attempts:
            alarm = Alarm(
                shapes=frozenset({"H3", "retry_storm"}),
                halt=True,
                why=f"Attempt {tries.number} of {policy.max_attempts} that the policy allows.",
                first=tries.first,
                evidence=dict(evidence),
                operation=f"{facts.tool}\x00{facts.target or ''}",
            )
            return Retry(alarm=alarm)
        if wait > 0 and gap is None:
            return Retry(no_clock=True, evidence=evidence)
        if gap is not None and not gap >= wait * EARLY:
            note = f"Retried after {gap:g} s; the policy asks for {wait:g} s."
            return Retry(note=note, evidence=evidence)
        return Retry(kept=True, evidence=evidence)


class Pending:
    """Jobs whose own status says that they still run, although nobody declared a wait."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self._looks: Recent[tuple[str | None, int]] = Recent(settings.open_limit)

    def looks(self, facts: Facts) -> int:
        """How often this job has been looked at in a row with the state as it is."""
        key = facts.call or ""
        state, looks = self._looks.get(key) or (facts.state, 0)
        looks = looks + 1 if state == facts.state else 1
        self._looks.put(key, (facts.state, looks))
        return looks

    def excuses(self, facts: Facts, looks: int) -> bool:
        """Whether this look may be a wait. A text that sounds so excuses less than a status."""
        return facts.pending == 2 or 1 < looks <= self._set.pending_texts

    def patient(self, facts: Facts, looks: int) -> bool:
        """Whether so many looks still pass as waiting; a text alone never does."""
        return facts.pending == 2 and looks <= self._set.pending_looks
