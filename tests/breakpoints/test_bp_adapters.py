"""Each format, in the smallest document that shows its parts, becomes the same trace model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from bp_runs import judged

import invariant_breakpoints
from invariant_breakpoints.adapters import ADAPTERS, BY_NAME, recognise

SCHEMA = json.loads(
    (Path(invariant_breakpoints.__file__).parent / "trace.schema.json").read_text(encoding="utf-8")
)
CASES = Path(__file__).parents[1] / "cases" / "loop"


def _call(key: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}


OPENAI = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Book it."},
    {
        "role": "assistant",
        "content": "Two at once.",
        "tool_calls": [_call("c1", "search", '{"q": 1}'), _call("c2", "search", "{not json")],
    },
    {"role": "tool", "tool_call_id": "c2", "content": "Error: bad query 17"},
    {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "1 hit"}]},
    {"role": "assistant", "content": "Shall I?"},
    {"role": "user", "content": "Yes."},
    {"role": "assistant", "tool_calls": [_call("c3", "book", "{}")], "content": None},
]
ANTHROPIC = [
    {"role": "user", "content": "Go."},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a"}},
            {"type": "tool_use", "id": "t2", "name": "read", "input": {"path": "b"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "text of a"},
            {"type": "tool_result", "tool_use_id": "t2", "is_error": True, "content": "gone"},
        ],
    },
    {"role": "assistant", "content": "Done?"},
    {"role": "user", "content": "Yes."},
]
OLD_HANDS = [
    {"id": 0, "source": "user", "action": "message", "args": {"content": "Go."}},
    {
        "id": 1,
        "source": "agent",
        "action": "run",
        "timestamp": "2026-01-01T00:00:00",
        "args": {"command": "ls", "thought": "look"},
    },
    {
        "id": 2,
        "source": "agent",
        "cause": 1,
        "observation": "run",
        "content": "gone",
        "extras": {"metadata": {"exit_code": 2}},
    },
    {"id": 3, "source": "agent", "action": "message", "args": {"content": "Shall I?"}},
    {"id": 4, "source": "user", "action": "message", "args": {"content": "Yes."}},
    {"id": 5, "source": "agent", "action": "condensation", "args": {"summary": "s"}},
    {"id": 6, "source": "agent", "action": "finish", "args": {}},
]
NEW_HANDS = [
    {"kind": "SystemPromptEvent", "source": "agent"},
    {
        "kind": "ActionEvent",
        "source": "agent",
        "tool_name": "terminal",
        "tool_call_id": "k1",
        "llm_response_id": "r1",
        "action": {"kind": "TerminalAction", "command": "ls"},
        "thought": [{"type": "text", "text": "look"}],
        "timestamp": "2026-01-01T00:00:00",
    },
    {
        "kind": "ObservationEvent",
        "source": "environment",
        "tool_call_id": "k1",
        "observation": {"content": [{"type": "text", "text": "gone"}], "exit_code": 1},
    },
    {"kind": "Condensation", "source": "environment"},
    {
        "kind": "ActionEvent",
        "source": "agent",
        "tool_name": "edit",
        "tool_call_id": "k2",
        "llm_response_id": "r2",
        "action": {"path": "a"},
    },
    {"kind": "AgentErrorEvent", "source": "agent", "tool_call_id": "k2", "error": "no such tool"},
    {
        "kind": "MessageEvent",
        "source": "agent",
        "llm_message": {"content": [{"type": "text", "text": "Done."}]},
    },
]
SWE = {
    "trajectory": [
        {"action": "open a.py\n", "observation": "[File]", "state": '{"open_file": "a.py"}'},
        {"action": "python a.py", "observation": "Traceback (most)", "state": {"open_file": "b"}},
        {"action": "", "observation": "", "state": "not json"},
    ]
}
MINI = {
    "messages": [
        {"role": "user", "content": "Solve it."},
        {"role": "assistant", "content": "I look.\n\n```mswea_bash_command\nls -a\n```"},
        {"role": "user", "content": "<returncode>2</returncode>\n<output>\ngone\n</output>"},
        {"role": "assistant", "content": "No command here."},
        {"role": "user", "content": "Give one command."},
    ]
}
OTEL = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "traceId": "t",
                            "spanId": "s",
                            "startTimeUnixNano": "1000000000",
                            "attributes": [
                                {
                                    "key": "gen_ai.operation.name",
                                    "value": {"stringValue": "execute_tool"},
                                },
                                {"key": "gen_ai.tool.name", "value": {"stringValue": "ls"}},
                            ],
                        }
                    ]
                }
            ]
        }
    ]
}
LANGSMITH = [{"run_type": "tool", "id": "a", "trace_id": "t", "name": "ls", "inputs": {}}]
DOCUMENTS: dict[str, Any] = {
    "jsonl": [{"tool": "ls", "args": {}, "observation": "a"}],
    "openai": OPENAI,
    "anthropic": ANTHROPIC,
    "openhands": OLD_HANDS,
    "swe-agent": SWE,
    "mini-swe-agent": MINI,
    "otel": OTEL,
    "langsmith": LANGSMITH,
}


def steps(name: str, document: Any) -> list[dict[str, Any]]:
    (run,) = BY_NAME[name].runs(document)
    return run


def brief(run: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(step.get(name) for name in names) for step in run]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_recognised(name: str) -> None:
    found = recognise(DOCUMENTS[name])
    assert found is not None
    assert found.name == name


def test_there_is_a_document_for_every_adapter() -> None:
    assert set(DOCUMENTS) == {adapter.name for adapter in ADAPTERS}


@pytest.mark.parametrize("name", [*DOCUMENTS, "new hands"])
def test_what_comes_out_keeps_to_the_schema(name: str) -> None:
    run = steps("openhands", NEW_HANDS) if name == "new hands" else steps(name, DOCUMENTS[name])
    for step in run:
        jsonschema.validate(step, SCHEMA)
    assert len(judged(run)) == len(run)


@pytest.mark.parametrize("path", sorted(CASES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_cases_keep_to_the_schema(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        jsonschema.validate(json.loads(line), SCHEMA)


def test_openai() -> None:
    assert brief(steps("openai", OPENAI), "tool", "args", "observation", "error") == [
        ("search", {"q": 1}, "1 hit", None),
        ("search", {"unparsed": "{not json"}, "Error: bad query 17", "error_bad_query"),
        ("respond", {"content": "Shall I?"}, "Yes.", None),
        ("book", {}, None, None),
    ]
    assert brief(steps("openai", OPENAI), "round", "thought")[:2] == [("m2", "Two at once.")] * 2


def test_openai_functions_of_old() -> None:
    old = [
        {"role": "assistant", "function_call": {"name": "ls", "arguments": "{}"}},
        {"role": "function", "name": "ls", "content": "a b"},
    ]
    assert brief(steps("openai", old), "tool", "observation") == [("ls", "a b")]


def test_several_conversations_are_several_runs() -> None:
    results = [{"task_id": 1, "traj": OPENAI}, {"task_id": 2, "traj": OPENAI[:2]}]
    assert [len(run) for run in BY_NAME["openai"].runs(results)] == [4, 0]


def test_anthropic() -> None:
    assert brief(steps("anthropic", ANTHROPIC), "tool", "args", "observation", "error") == [
        ("read", {"path": "a"}, "text of a", None),
        ("read", {"path": "b"}, "gone", "tool_error"),
        ("respond", {"content": "Done?"}, "Yes.", None),
    ]
    assert brief(steps("anthropic", ANTHROPIC), "round")[:2] == [("m1",)] * 2


def test_openhands_of_old() -> None:
    assert brief(steps("openhands", OLD_HANDS), "tool", "args", "observation", "error") == [
        ("run", {"command": "ls"}, "gone", "exit_2"),
        ("respond", {"content": "Shall I?"}, "Yes.", None),
        ("compact", {"summary": "s"}, None, None),
        ("finish", {}, "", None),
    ]
    assert brief(steps("openhands", OLD_HANDS), "thought", "t")[0] == (
        "look",
        "2026-01-01T00:00:00",
    )


def test_openhands_output_files_hold_several_runs() -> None:
    lines = [{"instance_id": "a", "history": OLD_HANDS}, {"instance_id": "b", "history": []}]
    assert [len(run) for run in BY_NAME["openhands"].runs(lines)] == [4, 0]


def test_a_command_that_still_runs_is_no_error() -> None:
    running = json.loads(json.dumps(OLD_HANDS))
    running[2]["extras"]["metadata"]["exit_code"] = -1
    assert brief(steps("openhands", running), "error")[0] == (None,)


def test_openhands_of_today() -> None:
    assert brief(
        steps("openhands", NEW_HANDS), "tool", "args", "observation", "error", "round"
    ) == [
        ("terminal", {"command": "ls"}, "gone", "exit_1", "r1"),
        ("compact", {}, "", None, None),
        ("edit", {"path": "a"}, "no such tool", "agent_error", "r2"),
        ("respond", {"content": "Done."}, "", None, None),
    ]


def test_swe_agent() -> None:
    assert brief(steps("swe-agent", SWE), "tool", "args", "error", "state") == [
        ("open", {"command": "open a.py"}, None, {"open_file": "a.py"}),
        ("python", {"command": "python a.py"}, "traceback", {"open_file": "b"}),
        (None, {"command": ""}, None, None),
    ]


def test_mini_swe_agent() -> None:
    assert brief(steps("mini-swe-agent", MINI), "tool", "args", "error", "thought") == [
        ("bash", {"command": "ls -a"}, "exit_2", "I look.")
    ]


@pytest.mark.parametrize("junk", [None, 3, "text", [], {}, [1, "a"], {"messages": 3}, [{"x": 1}]])
def test_junk_is_no_format(junk: Any) -> None:
    assert recognise(junk) is None
    assert not any(adapter.accepts(junk) for adapter in ADAPTERS)
