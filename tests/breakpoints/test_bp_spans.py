"""OpenTelemetry and LangSmith, on spans made from the cases: the verdicts stay what they were."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bp_runs import Raw, judged, step

from invariant_breakpoints.adapters import BY_NAME, recognise

CASES = sorted((Path(__file__).parents[1] / "cases" / "loop").glob("*.jsonl"))
OWN = ("state", "lease", "progress", "retry_policy", "tools", "thought", "agent")
SECOND = 1_000_000_000


def text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def own(raw: Raw) -> dict[str, str]:
    return {f"breakpoints.{name}": text(raw[name]) for name in OWN if raw.get(name) is not None}


def attribute(key: str, value: Any) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": text(value)}}


def otel(run: list[Raw], *, opted: bool = True, trace: str = "t1") -> dict[str, Any]:
    """The run as an export; spans of one round overlap, the file order is reversed."""
    spans = []
    for at, raw in enumerate(run):
        told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": raw["tool"]}
        if opted:
            told["gen_ai.tool.call.arguments"] = raw["args"]
            told["gen_ai.tool.call.result"] = raw["observation"]
        if raw["error"] is not None:
            told["error.type"] = raw["error"]
        alike = [
            other for other in run[at:] if "round" in raw and other.get("round") == raw["round"]
        ]
        end = max([raw["t"], *(other["t"] for other in alike if other is not raw)]) + 0.0001
        spans.append(
            {
                "traceId": trace,
                "spanId": f"s{at}",
                "parentSpanId": "root",
                "startTimeUnixNano": str(round(raw["t"] * SECOND)),
                "endTimeUnixNano": str(round(end * SECOND)),
                "attributes": [
                    attribute(key, value)
                    for key, value in {**told, **(own(raw) if opted else {})}.items()
                    if value is not None
                ],
            }
        )
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans[::-1]}]}]}


def langsmith(run: list[Raw]) -> list[dict[str, Any]]:
    """The run as a list of runs, ordered by nothing but their times."""
    return [
        {
            "id": f"s{at}",
            "trace_id": "t1",
            "parent_run_id": "root",
            "run_type": "tool",
            "name": raw["tool"],
            "inputs": raw["args"],
            "outputs": {"output": raw["observation"]},
            "error": None if raw["error"] is None else text(raw["error"]),
            "status": "success" if raw["error"] is None else "error",
            "start_time": raw["t"],
            "end_time": raw["t"] + 0.0001,
            "extra": {
                "metadata": {
                    **own(raw),
                    **({"breakpoints.round": raw["round"]} if "round" in raw else {}),
                }
            },
        }
        for at, raw in enumerate(run)
    ][::-1]


def case(path: Path) -> list[Raw]:
    """A case whose steps all have a time and all of a call; others have no span."""
    run = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    timed = all(isinstance(raw.get("t"), int | float) for raw in run)
    return [
        {"observation": "", "error": None, "args": {}, **raw, **({} if timed else {"t": float(at)})}
        for at, raw in enumerate(run)
    ]


@pytest.mark.parametrize(("name", "made"), [("otel", otel), ("langsmith", langsmith)])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem[:3])
def test_the_verdicts_on_the_cases_stay(
    path: Path, name: str, made: Callable[[list[Raw]], Any]
) -> None:
    run = case(path)
    document = json.loads(json.dumps(made(run)))
    found = recognise(document)
    assert found is not None
    assert found.name == name
    (steps,) = found.runs(document)
    told = [(one.verdict, one.action, one.shapes) for one in judged(steps)]
    assert told == [(one.verdict, one.action, one.shapes) for one in judged(run)]


LOOP = [step("bash", {"command": "ls"}, "a b", t=float(at)) for at in range(6)]


def test_without_the_opt_in_nothing_is_said() -> None:
    (steps,) = BY_NAME["otel"].runs(otel(LOOP, opted=False))
    assert len(steps) == 6
    assert {one.verdict for one in judged(steps)} == {"uncertain"}
    (steps,) = BY_NAME["otel"].runs(otel(LOOP))
    assert judged(steps)[-1].verdict == "stuck_loop"


def brief(steps: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(one.get(name) for name in names) for one in steps]


def span(key: str, start: int, end: int, **told: Any) -> dict[str, Any]:
    values = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ls", **told}
    return {
        "traceId": "t",
        "spanId": key,
        "parentSpanId": "p",
        "startTimeUnixNano": start * SECOND,
        "endTimeUnixNano": end * SECOND,
        "attributes": [
            {"key": name, "value": value if isinstance(value, dict) else {"stringValue": value}}
            for name, value in values.items()
        ],
    }


def export(*spans: dict[str, Any], scope: str = "scopeSpans") -> dict[str, Any]:
    return {"resourceSpans": [{scope: [{"spans": list(spans)}]}]}


def test_otel_values_errors_and_both_spellings() -> None:
    values = {
        "kvlistValue": {
            "values": [
                {"key": "n", "value": {"intValue": "5"}},
                {"key": "l", "value": {"arrayValue": {"values": [{"boolValue": True}]}}},
                {"key": "d", "value": {"doubleValue": 0.5}},
            ]
        }
    }
    failed = {**span("c", 3, 4), "status": {"code": 2, "message": "gone"}}
    document = export(
        span("a", 1, 2, **{"gen_ai.tool.call.arguments": values, "gen_ai.agent.name": "new"}),
        span(
            "b", 2, 3, **{"gen_ai.tool.call.arguments": '{"n": 5}', "gen_ai.workflow.name": "old"}
        ),
        failed,
        span("d", 4, 5, **{"error.type": "timeout"}),
        {"traceId": "t", "spanId": "e", "attributes": []},
    )
    (steps,) = BY_NAME["otel"].runs(document)
    assert brief(steps, "args", "agent", "error", "t") == [
        ({"n": 5, "l": [True], "d": 0.5}, "new", None, 1.0),
        ({"n": 5}, "old", None, 2.0),
        (None, None, "gone", 3.0),
        (None, None, "timeout", 4.0),
    ]


def test_overlapping_spans_of_one_parent_are_a_round_and_a_common_parent_alone_is_none() -> None:
    document = export(span("a", 1, 4), span("b", 2, 3), span("c", 3, 5), span("d", 5, 6))
    (steps,) = BY_NAME["otel"].runs(document)
    assert [one["round"] for one in steps] == ["r0", "r0", "r0", "r1"]


def test_one_call_seen_by_two_instruments_is_one_call() -> None:
    key = {"gen_ai.tool.call.id": "k"}
    full = {**key, "gen_ai.tool.call.arguments": '{"n": 1}'}
    (steps,) = BY_NAME["otel"].runs(export(span("a", 1, 4, **key), span("b", 2, 3, **full)))
    assert brief(steps, "args") == [({"n": 1},)]


def test_a_file_of_exports_old_scopes_and_several_traces() -> None:
    lines = [otel(LOOP[:2], trace="x"), otel(LOOP[:3], trace="y")]
    assert [len(steps) for steps in BY_NAME["otel"].runs(lines)] == [2, 3]
    old = export(span("a", 1, 2), scope="instrumentationLibrarySpans")
    assert [len(steps) for steps in BY_NAME["otel"].runs(old)] == [1]


@pytest.mark.parametrize(
    "value",
    [None, 3, {"intValue": "x"}, {"kvlistValue": 3}, {"arrayValue": []}, {"bytesValue": "AA"}, {}],
)
def test_odd_attribute_values_are_no_values(value: Any) -> None:
    one = span("a", 1, 2)
    one["attributes"].append({"key": "gen_ai.tool.call.arguments", "value": value})
    one["startTimeUnixNano"] = "9" * 40
    (steps,) = BY_NAME["otel"].runs(export(one))
    assert "args" not in steps[0]
    assert steps[0]["t"] is None


def test_an_attribute_nested_too_deeply_is_left_out() -> None:
    deep: dict[str, Any] = {"stringValue": "x"}
    for _ in range(2000):
        deep = {"kvlistValue": {"values": [{"key": "k", "value": deep}]}}
    (steps,) = BY_NAME["otel"].runs(export(span("a", 1, 2, **{"gen_ai.tool.call.arguments": deep})))
    assert brief(steps, "tool", "args") == [("ls", None)]


def test_langsmith_trees_messages_and_pending_runs() -> None:
    tool = {"run_type": "tool", "trace_id": "t", "name": "ls", "inputs": {"a": 1}}
    message = {"output": {"type": "tool", "content": "a b", "tool_call_id": "k"}}
    tree = {
        "run_type": "chain",
        "trace_id": "t",
        "child_runs": [
            {**tool, "id": "2", "dotted_order": "b", "status": "pending"},
            {**tool, "id": "1", "dotted_order": "a", "outputs": message},
            {**tool, "id": "3", "dotted_order": "c", "error": "ToolException: gone"},
        ],
    }
    for document in (tree, {"runs": [tree]}):
        found = recognise(document)
        assert found is not None
        assert found.name == "langsmith"
        (steps,) = found.runs(document)
        assert brief(steps, "observation", "error") == [
            ("a b", None),
            (None, None),
            (None, "ToolException: gone"),
        ]
        assert "error" not in steps[1]
