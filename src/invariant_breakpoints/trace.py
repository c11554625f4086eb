"""The trace model: one step of an agent run, as one JSON object (`trace.schema.json`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

MISSING: Any = type("Missing", (), {"__repr__": lambda _: "MISSING", "__slots__": ()})()
"""The field is not in the trace at all; `null` for `error` means that there was none."""


class BadStep(ValueError):
    """A line that cannot be read as a step; the message says why in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A declared wait: someone else owns the next move until a deadline."""

    owner: str
    poll_min_s: float = 0.0
    deadline_t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """A declared retry policy, with the fields of AWS Step Functions under plain names."""

    errors: tuple[str, ...]
    max_attempts: int
    """All tries of one operation, the first one included."""
    base_s: float = 0.0
    factor: float = 1.0

    def delay_before(self, attempt: int) -> float:
        """Seconds that must lie before this attempt; the first attempt is number 1."""
        # A large exponent says "longer than any run", which needs no exact number.
        return self.base_s * self.factor ** min(attempt - 2, 64) if attempt > 1 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A declared metric. Without a value the field `name` of the state is the value."""

    name: str
    higher_is_better: bool = True
    value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. A field that the trace does not have stays at its default."""

    step: int | None = None
    round: str | None = None
    """Calls of one round were all made before any of their results was seen."""
    t: float | None = None
    agent: str | None = None
    tool: str | None = None
    args: Any = MISSING
    observation: Any = MISSING
    error: Any = MISSING
    """None: the call succeeded. `MISSING`: nobody recorded whether it did."""
    state: Any = None
    thought: str | None = None
    retry_policies: tuple[RetryPolicy, ...] | None = None
    lease: Lease | None = None
    progress: Progress | None = None
    tools: tuple[str, ...] | None = None
    digests: dict[str, Any] | None = None
    """What a redacted step says in place of its texts."""
    faults: tuple[str, ...] = ()
    """Fields that were there and could not be used, as sentences."""


def number(value: object) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        real = float(value)
    except OverflowError:
        return None
    return real if math.isfinite(real) else None


def seconds(value: object) -> float | None:
    """A time in seconds from a number or an ISO timestamp, or None."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return number(value)


def _whole(value: object) -> int | None:
    real = number(value)
    return int(real) if real is not None and real == int(real) else None


def _lease(raw: object) -> Lease | None:
    if not isinstance(raw, dict):
        return None
    owner, deadline = raw.get("owner"), seconds(raw.get("deadline_t"))
    if not isinstance(owner, str) or not owner.strip() or deadline is None:
        return None
    return Lease(owner=owner, deadline_t=deadline, poll_min_s=number(raw.get("poll_min_s")) or 0.0)


def _policy(raw: object) -> RetryPolicy | None:
    if not isinstance(raw, dict):
        return None
    errors, most = raw.get("errors"), _whole(raw.get("max_attempts"))
    if not isinstance(errors, list) or most is None:
        return None
    return RetryPolicy(
        errors=tuple(str(error) for error in errors),
        max_attempts=most,
        base_s=number(raw.get("base_s")) or 0.0,
        factor=number(raw.get("factor")) or 1.0,
    )


def _policies(raw: object) -> tuple[RetryPolicy, ...] | None:
    found = [_policy(one) for one in (raw if isinstance(raw, list) else [raw])]
    policies = tuple(policy for policy in found if policy is not None)
    return policies if policies and len(policies) == len(found) else None


_LOWER = frozenset({"lower", "min", "minimize", "minimise", "down", "less", "decrease"})


def _progress(raw: object) -> Progress | None:
    if isinstance(raw, str):
        return Progress(name=raw)
    if not isinstance(raw, dict):
        plain = number(raw)
        return None if plain is None else Progress(name="progress", value=plain)
    name = next((raw[key] for key in ("name", "metric", "field", "key") if key in raw), "progress")
    better = next((raw[key] for key in ("better", "direction", "goal") if key in raw), "higher")
    if not isinstance(name, str):
        return None
    return Progress(
        name=name,
        higher_is_better=str(better).split("_")[0].split(" ")[0].lower() not in _LOWER,
        value=number(raw.get("value")),
    )


def _tools(raw: object) -> tuple[str, ...] | None:
    if not isinstance(raw, list):
        return None
    names = [one.get("name") if isinstance(one, dict) else one for one in raw]
    return tuple(name for name in names if isinstance(name, str))


def _text(raw: object) -> str | None:
    return raw if isinstance(raw, str) else None


def _label(raw: object) -> str | None:
    return str(raw) if isinstance(raw, str | int) and not isinstance(raw, bool) else None


_READERS = {
    "step": _whole,
    "t": seconds,
    "agent": _label,
    "tool": _text,
    "thought": _text,
    "retry_policy": _policies,
    "lease": _lease,
    "progress": _progress,
    "tools": _tools,
}


def parse_step(raw: object) -> Step:
    """The step that a JSON value stands for; raises `BadStep` when it is no object."""
    if not isinstance(raw, dict):
        raise BadStep(f"A step must be a JSON object, not {type(raw).__name__}.")
    read: dict[str, Any] = {}
    faults: list[str] = []
    for name, reader in _READERS.items():
        value = raw.get(name)
        read[name] = None if value is None else reader(value)
        if value is not None and read[name] is None:
            faults.append(f"The field `{name}` cannot be used: {_short(value)}.")
    digests = raw.get("digests")
    return Step(
        retry_policies=read.pop("retry_policy"),
        round=_label(raw.get("round")) or _label(raw.get("message_id")),
        args=raw.get("args", MISSING),
        observation=raw.get("observation", MISSING),
        error=raw.get("error", MISSING),
        state=raw.get("state"),
        digests=digests if isinstance(digests, dict) else None,
        faults=tuple(faults),
        **read,
    )


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 60 else said[:57] + "..."
