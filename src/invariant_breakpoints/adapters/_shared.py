"""What several adapters need: texts of messages, arguments, and errors told only in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
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


OWN = "breakpoints."
"""The namespace of what the span formats have no name for."""
_OWN_FIELDS = ("state", "lease", "progress", "retry_policy", "tools", "thought", "round", "agent")


def own_fields(told: dict[str, Any]) -> dict[str, Any]:
    """The fields of the trace model in our namespace; a text that is JSON is read as JSON."""
    found = {name: told[OWN + name] for name in _OWN_FIELDS if told.get(OWN + name) is not None}
    return {name: _json(value) for name, value in found.items()}


def _json(value: Any) -> Any:
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A call in a format of spans."""

    run: str
    key: str
    """Two spans of one run with one key are one call, seen by two instruments."""
    parent: str
    start: float | None
    end: float | None
    order: str
    """A text to sort by where the format has one; else the start decides."""
    step: dict[str, Any]


def spans_to_steps(spans: Iterable[Span]) -> Iterator[Steps]:
    """The runs in the order in which they were met, each in the order of its spans.

    Spans of one parent that overlap are one round: none of them can have seen the other's result.
    The parent alone is not enough, because all calls of a run often hang on one span.
    """
    grouped: dict[str, dict[str, Span]] = {}
    for span in spans:
        calls = grouped.setdefault(span.run, {})
        known = calls.get(span.key)
        # Of two reports of one call the one that says more counts.
        if known is None or len(span.step) > len(known.step):
            calls[span.key] = span
    for calls in grouped.values():
        # A stable sort: spans without a time keep their place in the file, before the others.
        ordered = sorted(calls.values(), key=lambda one: (one.order, one.start or 0.0))
        yield list(_rounds(ordered))


def _rounds(spans: list[Span]) -> Iterator[dict[str, Any]]:
    parent, until, number = "", float("-inf"), -1
    for at, span in enumerate(spans):
        start = span.start
        if start is None or span.parent != parent or start >= until:
            number, until = number + 1, float("-inf")
        parent = span.parent
        until = max(until, float("-inf") if span.end is None else span.end)
        yield {"step": at, "round": f"r{number}", "t": start, **span.step}
