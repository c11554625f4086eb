"""A guard between the tool hooks of a harness: each hook is a process of its own.

What was proposed and recorded before is kept as a list of events; each hook goes through them
again, so that the guard is in the state in which the last process left it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from invariant_breakpoints.decisions import Allow, Branch, Decision, Halt, Wait, notice
from invariant_breakpoints.guards import RetryBudget, armed, written
from invariant_breakpoints.session import Session
from invariant_breakpoints.toys import ToyClock

PRE, POST = "pre", "post"
BLOCKED = 2
"""The exit code with which a hook blocks a call, or tells the model what stands on stderr."""


class BadHook(ValueError):
    """What came in is no hook event; the message says why in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the hook says to the harness."""

    code: int = 0
    out: dict[str, Any] | None = None
    """JSON for standard output."""
    err: str = ""
    """Words for standard error, which the model reads when the code is 2."""


def event_of(when: str, raw: Any, t: float) -> dict[str, Any]:
    """The part of a hook's input that is kept; raises `BadHook`."""
    if not isinstance(raw, dict) or not isinstance(raw.get("tool_name"), str):
        raise BadHook("The input must be a JSON object with `tool_name`.")
    event = {"when": when, "t": t, "tool": raw["tool_name"], "args": raw.get("tool_input")}
    if when == POST:
        event["result"] = _result(raw.get("tool_response"))
    return event


def _result(response: Any) -> dict[str, Any]:
    error = None
    if isinstance(response, dict):
        told = response.get("error")
        failed = bool(told) or response.get("is_error") is True
        error = (told if isinstance(told, str) and told else "tool_error") if failed else None
    return {"observation": response, "error": error}


def file_name(raw: Any) -> str:
    """Where the events of a session are kept; the id is somebody else's text, so it is hashed."""
    session = raw.get("session_id") if isinstance(raw, dict) else None
    return hashlib.sha256(str(session).encode("utf-8", "replace")).hexdigest()[:24] + ".jsonl"


def hooked(
    past: Sequence[Mapping[str, Any]],
    event: Mapping[str, Any],
    guard: str,
    options: Mapping[str, Any],
) -> Reply:
    """The reply to an event after all events before it. Raises `BadGuard`."""
    more = {"random": random.Random(0).random} if guard == RetryBudget.name else {}
    clock = ToyClock()
    session = Session(guards=[armed(guard, {**more, **written(options)})], clock=clock)
    decision: Decision = Allow()
    for one in [*past, event]:
        clock.now = one["t"]
        if one["when"] == PRE:
            decision = session.propose(one["tool"], one["args"])
        else:
            decision = session.record(one["tool"], one["args"], one["result"])
    return _reply(decision, event)


def _reply(decision: Decision, event: Mapping[str, Any]) -> Reply:
    match decision:
        case Allow():
            return Reply()
        case Branch(message=message):
            return Reply(code=BLOCKED, err=message)
        case Wait(until=until):
            what = f"This call may be made in {max(until - event['t'], 0):.0f} seconds."
            return Reply(code=BLOCKED, err=notice(what, "Do something else until then."))
        case Halt(reason=reason, why=why):
            said = f"UNKNOWN ({reason}): {why}"
            out: dict[str, Any] = {"continue": False, "stopReason": said}
            if event["when"] == PRE:
                out["hookSpecificOutput"] = {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": said,
                }
            return Reply(out=out)
