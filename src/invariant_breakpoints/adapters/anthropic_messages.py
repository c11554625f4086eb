"""Anthropic messages: `tool_use` blocks of the assistant, `tool_result` blocks of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import (
    Adapter,
    Steps,
    conversations,
    dicts,
    error_in,
    reply_after,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def _blocks(message: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [block for block in dicts(message.get("content")) if block.get("type") == kind]


def _called(messages: list[dict[str, Any]], at: int) -> Iterator[dict[str, Any]]:
    following = messages[at + 1] if at + 1 < len(messages) else {}
    answers = {block.get("tool_use_id"): block for block in _blocks(following, "tool_result")}
    for call in _blocks(messages[at], "tool_use"):
        answer = answers.get(call.get("id"))
        seen = text_of(answer.get("content")) if answer else None
        failed = bool(answer and answer.get("is_error"))
        yield {
            "round": f"m{at}",
            "tool": call.get("name"),
            "args": call.get("input"),
            "observation": seen,
            "error": (error_in(seen or "") or "tool_error") if failed else None,
            "thought": text_of(_blocks(messages[at], "text")) or None,
        }


def _steps(messages: list[dict[str, Any]]) -> Steps:
    steps: Steps = []
    for at, message in enumerate(messages):
        if message.get("role") != "assistant":
            continue
        if _blocks(message, "tool_use"):
            steps += _called(messages, at)
        elif said := text_of(message.get("content")):
            reply = reply_after(messages, at)
            steps.append(
                {"tool": "respond", "args": {"content": said}, "observation": reply, "error": None}
            )
    return [{"step": number, **step} for number, step in enumerate(steps)]


def _accepts(document: Any) -> bool:
    return any(
        _blocks(message, "tool_use") or _blocks(message, "tool_result")
        for messages in conversations(document)
        for message in messages
    )


def _runs(document: Any) -> Iterator[Steps]:
    for messages in conversations(document):
        yield _steps(messages)


ADAPTER = Adapter(
    name="anthropic",
    about="Anthropic messages with tool_use and tool_result blocks",
    lacks=("state", "t", "lease", "retry_policy"),
    accepts=_accepts,
    runs=_runs,
)
