"""What several adapters need: texts of messages, arguments, and errors told only in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Steps = list[dict[str, Any]]
"""One run in the trace model, as JSON objects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """One format: how to know it, how to read it, and what it can never tell."""

    name: str
    about: str
    lacks: tuple[str, ...]
    """Fields of the trace model that the format has no place for."""
    accepts: Callable[[Any], bool]
    runs: Callable[[Any], Iterator[Steps]]
    """The runs of a file, each in the trace model; the argument is the file as JSON."""


_SAYS_ERROR = re.compile(r"^\s*(?:<[^>]{1,40}>\s*)?(?:error|traceback|exception|fatal)\b", re.I)


def text_of(content: Any) -> str:
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "\n".join(part for part in parts if isinstance(part, str))
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def error_in(text: str) -> str | None:
    """An error code from a result that says in its first words that it is an error."""
    if not _SAYS_ERROR.match(text):
        return None
    return re.sub(r"[^a-z]+", "_", text[:80].lower()).strip("_")


def arguments(raw: Any) -> Any:
    """Arguments as an object; a string that is not JSON is kept as it is."""
    if not isinstance(raw, str):
        return raw
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return {"unparsed": raw}


def dicts(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; anything else is an empty list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def conversations(document: Any) -> Iterator[list[dict[str, Any]]]:
    """The message lists of a file: a list, an object that holds it, or a list of such objects."""
    for name in ("messages", "traj", "conversation"):
        if isinstance(document, dict) and isinstance(document.get(name), list):
            yield dicts(document[name])
            return
    entries = dicts(document)
    if entries and all("role" in entry for entry in entries):
        yield entries
        return
    for entry in entries:
        yield from conversations(entry)


def reply_after(messages: list[dict[str, Any]], at: int) -> str:
    """What the user said right after this message; empty when the next one is not the user's."""
    following = messages[at + 1] if at + 1 < len(messages) else {}
    return text_of(following.get("content")) if following.get("role") == "user" else ""
