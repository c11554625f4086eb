"""mini-swe-agent message lists: one fenced shell command a message, the next message its output."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import Adapter, Steps, conversations, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND = re.compile(r"```(?:mswea_bash_command|bash)\s*\n(.*?)\n```", re.DOTALL)
_CODE = re.compile(r"<returncode>(-?\d+)</returncode>")


def _steps(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for at, message in enumerate(messages):
        said = text_of(message.get("content"))
        command = _COMMAND.search(said) if message.get("role") == "assistant" else None
        if command is None:
            continue
        answer = messages[at + 1] if at + 1 < len(messages) else None
        seen = text_of(answer.get("content")) if answer is not None else None
        code = _CODE.search(seen or "")
        yield {
            "tool": "bash",
            "args": {"command": command.group(1)},
            "observation": seen,
            "error": f"exit_{code.group(1)}" if code and code.group(1) != "0" else None,
            "thought": said[: command.start()].strip() or None,
        }


def _accepts(document: Any) -> bool:
    for messages in conversations(document):
        return any(
            message.get("role") == "assistant" and _COMMAND.search(text_of(message.get("content")))
            for message in messages
        ) and any(_CODE.search(text_of(message.get("content"))) for message in messages)
    return False


def _runs(document: Any) -> Iterator[Steps]:
    for messages in conversations(document):
        yield [{"step": number, **step} for number, step in enumerate(_steps(messages))]


ADAPTER = Adapter(
    name="mini-swe-agent",
    about="mini-swe-agent trajectories",
    lacks=("state", "t", "lease", "retry_policy"),
    accepts=_accepts,
    runs=_runs,
)
