"""OpenHands events: V0 (`action`, `observation`, `cause`) and V1 (`kind`).

A command that ends with another code than 0 is an error; -1 means that it still runs. Whole output
files of the evaluation harness (one run a line, events under `history`) are read, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import Adapter, Steps, dicts, error_in, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_STEPS = frozenset({"null", "system", "recall", "change_agent_state"})
_STILL_RUNS = -1


def _exit_error(code: Any, text: str) -> str | None:
    if isinstance(code, int) and not isinstance(code, bool) and code not in (0, _STILL_RUNS):
        return f"exit_{code}"
    return error_in(text)


def _old_step(event: dict[str, Any], answer: dict[str, Any] | None) -> dict[str, Any]:
    action = str(event["action"])
    args = event.get("args")
    kept = {k: v for k, v in args.items() if k != "thought"} if isinstance(args, dict) else args
    step: dict[str, Any] = {
        "tool": "compact" if action == "condensation" else action,
        "args": kept,
        "t": event.get("timestamp"),
        "thought": args.get("thought") or None if isinstance(args, dict) else None,
    }
    if answer is None:
        return {**step, "observation": None, "error": None}
    text = text_of(answer.get("content"))
    extras = answer.get("extras")
    metadata = extras.get("metadata") if isinstance(extras, dict) else None
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    failed = answer.get("observation") == "error"
    error = _exit_error(code, text) or ("error" if failed else None)
    return {**step, "observation": text, "error": error}


def _old_steps(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    answers = {event["cause"]: event for event in events if event.get("cause") is not None}
    for at, event in enumerate(events):
        action = event.get("action")
        if not isinstance(action, str) or action in _NOT_STEPS or event.get("source") == "user":
            continue
        step = _old_step(event, answers.get(event.get("id")))
        if action == "message":
            step.update(tool="respond", observation=_user_reply(events, at))
        if action == "finish" and step["observation"] is None:
            step["observation"] = ""
        yield step


def _user_reply(events: list[dict[str, Any]], at: int) -> str:
    for event in events[at + 1 :]:
        if event.get("source") == "user":
            args = event.get("args")
            return text_of(args.get("content")) if isinstance(args, dict) else ""
        if event.get("action"):
            break
    return ""


def _new_result(event: dict[str, Any] | None) -> tuple[str | None, str | None]:
    """Text and error of an answer."""
    if event is None:
        return None, None
    if event.get("kind") == "AgentErrorEvent":
        text = text_of(event.get("error"))
        return text, error_in(text) or "agent_error"
    seen = event.get("observation")
    if not isinstance(seen, dict):
        return text_of(seen), None
    text = text_of(seen.get("content") or seen.get("output") or seen.get("text"))
    error = _exit_error(seen.get("exit_code"), text)
    return text, error or ("tool_error" if seen.get("is_error") else None)


def _new_steps(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    answers = {
        event.get("tool_call_id"): event
        for event in events
        if event.get("kind") in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation")
    }
    for event in events:
        kind = event.get("kind")
        when = event.get("timestamp")
        if kind == "ActionEvent":
            action = event.get("action")
            inner = action if isinstance(action, dict) else {}
            text, error = _new_result(answers.get(event.get("tool_call_id")))
            yield {
                "round": event.get("llm_response_id"),
                "tool": event.get("tool_name"),
                "args": {name: value for name, value in inner.items() if name != "kind"},
                "observation": text,
                "error": error,
                "t": when,
                "thought": text_of(event.get("thought")) or None,
            }
        elif kind in ("Condensation", "CondensationEvent"):
            yield {"tool": "compact", "args": {}, "observation": "", "error": None, "t": when}
        elif kind == "MessageEvent" and event.get("source") == "agent":
            message = event.get("llm_message")
            said = text_of(message.get("content")) if isinstance(message, dict) else ""
            yield {
                "tool": "respond",
                "args": {"content": said},
                "observation": "",
                "error": None,
                "t": when,
            }


def _histories(document: Any) -> Iterator[list[dict[str, Any]]]:
    if isinstance(document, dict):
        document = document.get("history", document.get("events", [document]))
    events = dicts(document)
    if events and all(isinstance(event.get("history"), list) for event in events):
        for event in events:
            yield dicts(event["history"])
    elif events:
        yield events


def _accepts(document: Any) -> bool:
    events = next(_histories(document), [])
    new = any("kind" in event and "source" in event for event in events)
    old = any("action" in event and "args" in event and "source" in event for event in events)
    return new or old


def _runs(document: Any) -> Iterator[Steps]:
    for events in _histories(document):
        new = any("kind" in event for event in events)
        steps = _new_steps(events) if new else _old_steps(events)
        yield [{"step": number, **step} for number, step in enumerate(steps)]


ADAPTER = Adapter(
    name="openhands",
    about="OpenHands event lists, V0 and V1, and evaluation output files",
    lacks=("state", "lease", "retry_policy"),
    accepts=_accepts,
    runs=_runs,
)
