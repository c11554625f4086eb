"""OpenTelemetry GenAI spans, as OTLP JSON: the `execute_tool` spans of each trace.

Arguments and results are opt-in there. What was not exported is left out, so that the verdict is
`uncertain`, and not "no loop". What the conventions have no name for is read from attributes
`breakpoints.state`, `breakpoints.lease` and so on, as JSON texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import (
    OWN,
    Adapter,
    Span,
    Steps,
    arguments,
    dicts,
    own_fields,
    spans_to_steps,
)
from invariant_breakpoints.trace import number

if TYPE_CHECKING:
    from collections.abc import Iterator

_AGENT = ("gen_ai.agent.name", "gen_ai.workflow.name", "gen_ai.agent.id")
"""The name of the agent: since the first release of the new conventions, and before."""
_FAILED = (2, "STATUS_CODE_ERROR")


def _value(raw: Any) -> Any:
    """An OTLP attribute value as plain JSON; None for one of a kind that is not known."""
    if not isinstance(raw, dict):
        return None
    if "arrayValue" in raw:
        inner = raw["arrayValue"]
        return [_value(one) for one in dicts(inner.get("values"))] if _is(inner) else None
    if "kvlistValue" in raw:
        return _attributes(raw["kvlistValue"].get("values")) if _is(raw["kvlistValue"]) else None
    if "intValue" in raw:
        try:
            return int(raw["intValue"])  # 64 bits are written as a text
        except (TypeError, ValueError):
            return None
    return next(
        (raw[name] for name in ("stringValue", "boolValue", "doubleValue") if name in raw), None
    )


def _is(value: Any) -> bool:
    return isinstance(value, dict)


def _attributes(raw: Any) -> dict[str, Any]:
    return {str(one.get("key")): _value(one.get("value")) for one in dicts(raw)}


def _told(span: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a span; one that is nested too deeply to be read is left out."""
    told: dict[str, Any] = {}
    for one in dicts(span.get("attributes")):
        try:
            told |= _attributes([one])
        except RecursionError:
            continue
    return told


def _spans(document: Any) -> Iterator[dict[str, Any]]:
    """The spans of one export, or of a list of them (a file of JSON lines)."""
    for export in dicts(document) or dicts([document]):
        for resource in dicts(export.get("resourceSpans")):
            scopes = resource.get("scopeSpans") or resource.get("instrumentationLibrarySpans")
            for scope in dicts(scopes):
                yield from dicts(scope.get("spans"))


def _time(raw: Any) -> float | None:
    """Seconds from nanoseconds, which OTLP writes as a text."""
    if isinstance(raw, str):
        return int(raw) / 1e9 if raw.isdecimal() and len(raw) < 30 else None
    found = number(raw)
    return None if found is None else found / 1e9


def _error(span: dict[str, Any], told: dict[str, Any]) -> str | None:
    if isinstance(told.get("error.type"), str):
        return str(told["error.type"])
    status = span.get("status")
    if isinstance(status, dict) and status.get("code") in _FAILED:
        return str(status.get("message") or "error")
    return None


def _step(span: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    step: dict[str, Any] = {"tool": told.get("gen_ai.tool.name"), "error": _error(span, told)}
    if (asked := told.get("gen_ai.tool.call.arguments")) is not None:
        step["args"] = arguments(asked)
    if (seen := told.get("gen_ai.tool.call.result")) is not None:
        step["observation"] = seen
    agent = next((told[name] for name in _AGENT if isinstance(told.get(name), str)), None)
    if agent is not None:
        step["agent"] = agent
    return {**step, **own_fields(told)}


def _tool_spans(document: Any) -> Iterator[Span]:
    for span in _spans(document):
        told = _told(span)
        if told.get("gen_ai.operation.name") != "execute_tool":
            continue
        yield Span(
            run=str(span.get("traceId")),
            key=str(told.get("gen_ai.tool.call.id") or span.get("spanId")),
            parent=str(span.get("parentSpanId") or ""),
            start=_time(span.get("startTimeUnixNano")),
            end=_time(span.get("endTimeUnixNano")),
            order="",
            step=_step(span, told),
        )


def _accepts(document: Any) -> bool:
    return next(_spans(document), None) is not None


def _runs(document: Any) -> Iterator[Steps]:
    yield from spans_to_steps(_tool_spans(document))


ADAPTER = Adapter(
    name="otel",
    about=f"OpenTelemetry GenAI spans as OTLP JSON, with attributes {OWN}* for what they lack",
    lacks=("state", "lease", "retry_policy", "progress"),
    accepts=_accepts,
    runs=_runs,
)
