"""The hook pair: each hook a process of its own, and a guard that remembers over all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from invariant_breakpoints.cli import cli
from invariant_breakpoints.hook import event_of, file_name, hooked

GUIDE = Path(__file__).parents[2] / "docs" / "breakpoints" / "guide.md"


def hook(when: str, folder: Path, raw: Any, *more: str, guard: str = "tabu") -> Result:
    given = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    arguments = ["hook", when, "--guard", guard, "--events", str(folder), *more]
    return CliRunner().invoke(cli, arguments, input=given)


def call(session: str = "s1", **more: Any) -> dict[str, Any]:
    return {
        "session_id": session,
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        **more,
    }


DONE = {"tool_response": {"stdout": "a b", "stderr": ""}}


def lap(folder: Path, session: str = "s1") -> Result:
    """One call with its two hooks; the answer of the first."""
    before = hook("pre", folder, call(session))
    if before.exit_code == 0 and not before.stdout:
        assert hook("post", folder, call(session, **DONE)).exit_code == 0
    return before


def test_the_third_equal_call_is_refused_and_then_the_turn_ends(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    assert [lap(folder).exit_code for _ in range(2)] == [0, 0]
    refused = lap(folder)
    assert refused.exit_code == 2
    assert refused.stderr.startswith(
        "[breakpoints notice: The call of Bash was made in steps 0 and 1"
    )
    halted = lap(folder)
    assert halted.exit_code == 0
    told = json.loads(halted.stdout)
    assert told["continue"] is False
    assert told["stopReason"].startswith("UNKNOWN (tabu): ")
    assert told["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_sessions_do_not_know_each_other(tmp_path: Path) -> None:
    assert [lap(tmp_path, one).exit_code for one in ("a", "a", "b", "b", "a", "b")] == [
        0,
        0,
        0,
        0,
        2,
        2,
    ]


def test_the_options_and_the_note_after_a_call(tmp_path: Path) -> None:
    one = tmp_path / "limit"
    assert hook("pre", one, call(), "--option", "steps=1", guard="limit").exit_code == 0
    hook("post", one, call(**DONE), "--option", "steps=1", guard="limit")
    told = hook("pre", one, call(), "--option", "steps=1", guard="limit").stdout
    assert "UNKNOWN (limit)" in told
    two = tmp_path / "recovery"
    codes = [hook("post", two, call(**DONE), guard="recovery").exit_code for _ in range(3)]
    assert codes == [0, 0, 2]


def test_a_backoff_is_told_in_seconds() -> None:
    failed = {"tool_response": {"error": "503 unavailable"}}
    past = [event_of("post", call(**failed), 10.0)]
    reply = hooked(past, event_of("pre", call(), 10.0), "retry_budget", {"jitter": 0, "base_s": 8})
    assert reply.code == 2
    assert "This call may be made in 8 seconds." in reply.err
    later = hooked(past, event_of("pre", call(), 18.0), "retry_budget", {"jitter": 0, "base_s": 8})
    assert later.code == 0


@pytest.mark.parametrize("raw", [b"", b"junk", b"[]", b"{}", b"\xff", b'{"tool_name": 3}'])
def test_what_cannot_be_read_blocks_nothing(tmp_path: Path, raw: bytes) -> None:
    result = hook("pre", tmp_path / "events", raw)
    assert result.exit_code == 3
    assert result.stderr.startswith("error: ")
    assert not (tmp_path / "events").exists()


def test_a_wrong_option_blocks_nothing(tmp_path: Path) -> None:
    assert hook("pre", tmp_path, call(), "--option", "tenor=1").exit_code == 3
    assert hook("pre", tmp_path, call(), "--option", "tenure").exit_code == 3


def test_a_session_id_is_no_path(tmp_path: Path) -> None:
    name = file_name({"session_id": "../../etc/passwd\x00\ud800"})
    assert re.fullmatch(r"[0-9a-f]{24}\.jsonl", name)
    assert name != file_name({"session_id": "other"})


def test_the_settings_in_the_guide_are_json_and_call_both_hooks(tmp_path: Path) -> None:
    found = re.search(r'```json title="settings.json"\n(.*?)```', GUIDE.read_text("utf-8"), re.S)
    assert found is not None
    hooks = json.loads(found[1])["hooks"]
    for name, when in (("PreToolUse", "pre"), ("PostToolUse", "post")):
        ((command,),) = [one["hooks"] for one in hooks[name]]
        words = command["command"].split()[1:]
        assert words[:2] == ["hook", when]
        words[-1] = str(tmp_path)
        given = json.dumps(call(**DONE)).encode()
        assert CliRunner().invoke(cli, words, input=given).exit_code == 0
