"""OpenAI chat messages: `tool_calls` of assistant messages, answers with role `tool`.

One assistant message is one round. A message without a call is a step `respond`, and what the user
says next is its observation. Errors are not marked, only told: a result that begins with the word
error is taken for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import (
    Adapter,
    Steps,
    arguments,
    conversations,
    error_in,
    reply_after,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def _calls(message: dict[str, Any]) -> list[tuple[str | None, str, Any]]:
    """Id, name and arguments of each call of a message, in the new spelling or the old one."""
    listed = message.get("tool_calls") or []
    calls = [(call.get("id"), call.get("function") or {}) for call in listed if call]
    if not calls and isinstance(message.get("function_call"), dict):
        calls = [(None, message["function_call"])]
    return [(key, fn.get("name") or "", arguments(fn.get("arguments"))) for key, fn in calls]


def _answers(messages: list[dict[str, Any]], at: int) -> list[dict[str, Any]]:
    """The tool messages that directly follow a message."""
    end = at + 1
    while end < len(messages) and messages[end].get("role") in ("tool", "function"):
        end += 1
    return messages[at + 1 : end]


def _called(messages: list[dict[str, Any]], at: int) -> Iterator[dict[str, Any]]:
    answers = _answers(messages, at)
    by_id = {answer.get("tool_call_id"): answer for answer in answers}
    for place, (key, name, args) in enumerate(_calls(messages[at])):
        answer = by_id.get(key) if key is not None else None
        if answer is None and key is None and place < len(answers):
            answer = answers[place]
        seen = text_of(answer.get("content")) if answer else None
        yield {
            "round": f"m{at}",
            "tool": name,
            "args": args,
            "observation": seen,
            "error": error_in(seen) if seen is not None else None,
            "thought": text_of(messages[at].get("content")) or None,
        }


def _steps(messages: list[dict[str, Any]]) -> Steps:
    steps: Steps = []
    for at, message in enumerate(messages):
        if message.get("role") != "assistant":
            continue
        if _calls(message):
            steps += _called(messages, at)
        elif said := text_of(message.get("content")):
            reply = reply_after(messages, at)
            steps.append(
                {"tool": "respond", "args": {"content": said}, "observation": reply, "error": None}
            )
    return [{"step": number, **step} for number, step in enumerate(steps)]


def _accepts(document: Any) -> bool:
    messages = next(conversations(document), [])
    return any(
        message.get("tool_calls") or message.get("function_call") or message.get("role") == "tool"
        for message in messages
    ) or any(message.get("role") == "assistant" for message in messages)


def _runs(document: Any) -> Iterator[Steps]:
    for messages in conversations(document):
        yield _steps(messages)


ADAPTER = Adapter(
    name="openai",
    about="OpenAI chat messages with tool calls, also tau-bench result files",
    lacks=("error", "state", "t", "lease", "retry_policy"),
    accepts=_accepts,
    runs=_runs,
)
