"""The command: what it prints, where, its exit codes, and what it makes of broken files."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bp_runs import Raw, step
from click.testing import CliRunner, Result

from invariant_breakpoints import cli as command
from invariant_breakpoints.cli import cli
from invariant_breakpoints.reading import runs

LOOP = [step("bash", {"command": "ls"}, "a b")] * 4
WORK = [step("read", {"path": f"f{n}"}, f"text {n}") for n in range(3)]


def write(path: Path, run: list[Raw], *, numbered: bool = False) -> Path:
    lines = [{"step": 10 + at, **raw} if numbered else raw for at, raw in enumerate(run)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def call(*arguments: object, given: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, [str(one) for one in arguments], input=given)


def told(result: Result) -> list[dict[str, Any]]:
    return list(json.loads(result.stdout))


def test_scan_says_one_object_a_trace_in_json(tmp_path: Path) -> None:
    loop, work = write(tmp_path / "a.jsonl", LOOP), write(tmp_path / "b.jsonl", WORK)
    result = call("scan", "--format", "json", loop, work)
    assert result.exit_code == 1
    first, second = told(result)
    assert first["file"] == str(loop)
    assert first["verdict"] == "stuck_loop"
    assert [one["step"] for one in first["timeline"]] == [0, 1, 2, 3]
    assert first["timeline"][2] == {
        "step": 2,
        "verdict": "stuck_loop",
        "shapes": ["H1"],
        "action": "branch",
    }
    (span,) = first["spans"]
    assert (span["first"], span["last"], span["called_at"], span["halt_at"]) == (0, 3, 2, 3)
    assert span["shapes"] == ["H1"]
    assert span["evidence"]["rule"] == "laps"
    assert (second["verdict"], second["spans"]) == ("working", [])
    assert result.stderr == ""


def test_scan_keeps_the_numbers_of_the_file(tmp_path: Path) -> None:
    (trace,) = told(
        call("scan", "--format", "json", write(tmp_path / "a.jsonl", LOOP, numbered=True))
    )
    assert [one["step"] for one in trace["timeline"]] == [10, 11, 12, 13]
    assert trace["spans"][0]["first"] == 10


def test_two_loops_are_two_spans(tmp_path: Path) -> None:
    run = [*LOOP, *WORK, *[step("bash", {"command": "pwd"}, "/srv")] * 3]
    (trace,) = told(call("scan", "--format", "json", write(tmp_path / "a.jsonl", run)))
    assert [(one["first"], one["called_at"], one["last"]) for one in trace["spans"]] == [
        (0, 2, 3),
        (7, 9, 9),
    ]


def test_a_loop_begins_at_its_first_lap_also_when_that_was_seen_late(tmp_path: Path) -> None:
    """The third known pair calls it, and only the third lap shows where it began."""
    lap = [step(tool, {"path": "a"}, f"{tool} is done") for tool in ("find", "open", "close")]
    path = write(tmp_path / "a.jsonl", [*WORK, *lap * 4])
    (trace,) = told(call("scan", "--format", "json", path))
    (span,) = trace["spans"]
    assert (span["first"], span["called_at"], span["halt_at"]) == (3, 8, 11)
    assert "The loop began at step 3." in call("explain", path, "--step", 11).stdout


def test_scan_in_text_and_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", WORK)
    write(tmp_path / "a.jsonl", LOOP)
    result = call("scan", tmp_path)
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert lines[0].endswith("a.jsonl: stuck_loop at the end of 4 steps")
    assert lines[1] == "  loop in steps 0-3: H1; called at 2, halt at 3"
    assert lines[3].endswith("b.jsonl: working at the end of 3 steps")


def test_no_loop_is_exit_code_0(tmp_path: Path) -> None:
    assert call("scan", write(tmp_path / "a.jsonl", WORK)).exit_code == 0


def test_usage_is_exit_code_2(tmp_path: Path) -> None:
    assert call("scan").exit_code == 2
    assert call("scan", tmp_path / "not-there.jsonl").exit_code == 2
    path = write(tmp_path / "a.jsonl", WORK)
    assert call("scan", "--from", "nonsense", path).exit_code == 2
    assert call("explain", path, "--step", 99).exit_code == 2
    assert call("explain", path, "--step", 1, "--run", 4).exit_code == 2


def test_a_failure_of_the_tool_is_exit_code_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(command, "cli", broken)
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 3
    assert capsys.readouterr().err == "error: breakpoints failed: RuntimeError: boom\n"


def test_a_file_that_cannot_be_opened_is_exit_code_3_and_the_rest_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = write(tmp_path / "a.jsonl", LOOP), write(tmp_path / "b.jsonl", LOOP)

    def closed(path: Path, form: str) -> Any:
        if path == bad:
            raise PermissionError(13, "Permission denied")
        return runs(path, form)

    monkeypatch.setattr(command, "runs", closed)
    result = call("scan", "--format", "json", good, bad)
    assert result.exit_code == 3
    assert result.stderr == f"{bad}:1: error: The file cannot be read: Permission denied.\n"
    assert [trace["file"] for trace in told(result)] == [str(good)]


def test_explain_names_the_rule_and_the_evidence(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", LOOP)
    said = call("explain", path, "--step", 3).stdout
    assert said.startswith("step 3: stuck_loop (halt)\n")
    assert "H1: the same calls with the same results come again" in said
    assert '"laps": 4' in said
    assert "The loop began at step 0." in said
    assert "not recorded: state" in said


def test_convert_and_scan_again(tmp_path: Path) -> None:
    chat = [
        one
        for n in range(3)
        for one in (
            {
                "role": "assistant",
                "tool_calls": [{"id": f"c{n}", "function": {"name": "ls", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": f"c{n}", "content": "a b"},
        )
    ]
    source = tmp_path / "chat.json"
    source.write_text(json.dumps(chat), encoding="utf-8")
    converted = call("convert", source)
    assert "the format openai has no field for: error, state" in converted.stderr
    target = tmp_path / "chat.jsonl"
    target.write_text(converted.stdout, encoding="utf-8")
    assert call("scan", target).exit_code == 1
    assert call("scan", source).exit_code == 1
    assert call("scan", "--from", "openai", source).exit_code == 1


def test_convert_redacts(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    path = write(tmp_path / "a.jsonl", LOOP)
    text = call("convert", "--redact", key, path).stdout
    assert "ls" not in [json.loads(line).get("args") for line in text.splitlines()]
    assert '"a b"' not in text
    target = tmp_path / "redacted.jsonl"
    target.write_text(text, encoding="utf-8")
    before, after = (told(call("scan", "--format", "json", one))[0] for one in (path, target))
    assert before["timeline"] == after["timeline"]
    key.write_bytes(b"short")
    assert call("convert", "--redact", key, path).exit_code == 2


def test_digests_in_the_evidence_are_keyed_on_demand(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    path = write(tmp_path / "a.jsonl", LOOP)
    (plain,) = told(call("scan", "--format", "json", path))
    (keyed,) = told(call("scan", "--format", "json", "--key", key, path))
    assert plain["timeline"] == keyed["timeline"]
    pairs = [trace["spans"][0]["evidence"]["pairs"] for trace in (plain, keyed)]
    assert pairs[0] != pairs[1]
    key.write_bytes(b"short")
    for wrong in (("scan", path), ("explain", path, "--step", 1), ("watch",)):
        assert call(*wrong, "--key", key).exit_code == 2


def test_watch_prints_one_verdict_a_line() -> None:
    given = "".join(json.dumps(raw) + "\n" for raw in LOOP) + "{broken\n"
    result = call("watch", given=given.encode())
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["verdict"] for one in said] == [
        "working",
        "uncertain",
        "stuck_loop",
        "stuck_loop",
        "uncertain",
    ]
    assert said[2]["action"] == "branch"
    assert result.stderr.startswith("<stdin>:5: error: The line is not JSON")


def test_watch_answers_at_once() -> None:
    """The verdict on a line is there before the next line is written."""
    code = "from invariant_breakpoints.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "watch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for expected in ("working", "uncertain", "stuck_loop"):
            process.stdin.write(json.dumps(LOOP[0]).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == expected
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_formats_lists_every_adapter() -> None:
    said = call("formats").stdout
    for name in ("jsonl", "openai", "anthropic", "openhands", "swe-agent", "mini-swe-agent"):
        assert f"{name}: " in said


DEEP = "[" * 100_000
BROKEN = {
    "cut short": (b'{"tool": "ls", "args": {}, "obse', "The line is not JSON"),
    "not an object": (b"[1, 2]", "A step must be a JSON object, not list."),
    "not text": (b'{"tool": "\xff\xfe"}', "The line is not UTF-8 text: byte 11."),
    "a null byte": (b"\x00\x00", "The line is not JSON"),
    "nested": (f'{{"tool": "a", "args": {DEEP}'.encode(), "nested too deeply"),
    "nested but read": (
        ('{"tool": "a", "observation": "x", "args": ' + "[" * 400 + "]" * 400 + "}").encode(),
        "nested too deeply",
    ),
    "a number without end": (b'{"step": ' + b"9" * 5000 + b"}", "The line is not JSON"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_line_is_told_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    data, what = BROKEN[name]
    good = [json.dumps(raw).encode() for raw in LOOP]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([good[0], data, b"", good[1], good[2]]) + b"\n")
    result = call("scan", "--format", "json", path)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}:2: error: ")
    assert what in result.stderr
    (trace,) = told(result)
    assert [one["verdict"] for one in trace["timeline"]] == [
        "working",
        "uncertain",
        "uncertain",
        "stuck_loop",
    ]


def test_a_trace_that_ends_in_a_broken_line_is_not_working(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", WORK)
    path.write_bytes(path.read_bytes() + b'{"tool": "read", "ar')
    (trace,) = told(call("scan", "--format", "json", path))
    assert trace["verdict"] == "uncertain"


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xff\xd8\xff\xe0 picture", b"not json at all\n"])
def test_a_file_without_a_step_is_uncertain(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    result = call("scan", "--format", "json", path)
    assert result.exit_code == 0
    assert told(result)[0]["verdict"] == "uncertain"
    assert (f"{path}:1: error:" in result.stderr) is bool(data.strip())


def test_an_unknown_document_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"what": "is this"}', encoding="utf-8")
    result = call("scan", path)
    assert "The format of the file is not known; name it with --from." in result.stderr
    assert "uncertain" in result.stdout


@pytest.mark.parametrize(
    "form", ["openai", "anthropic", "openhands", "swe-agent", "mini-swe-agent"]
)
def test_a_file_in_another_format_than_named_is_told(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"what": "is this"}]', encoding="utf-8")
    result = call("scan", "--from", form, path)
    assert result.stderr == f"{path}:1: error: The file is not in the format {form}.\n"
    assert "uncertain" in result.stdout


def test_a_broken_document_is_one_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"messages": [\n{"role": "user",\n"content": 3', encoding="utf-8")
    result = call("scan", path)
    assert result.stderr.count("error:") == 1
    assert result.stderr.startswith(f"{path}:1: error: The file is not JSON")


def test_numbers_that_repeat_or_go_back_are_told(tmp_path: Path) -> None:
    run = [{"step": at, **WORK[0], "args": {"n": n}} for n, at in enumerate((0, 1, 1, 3, 2))]
    path = write(tmp_path / "a.jsonl", run)
    result = call("scan", "--format", "json", path)
    assert f"{path}:3: error: Step 1 comes again." in result.stderr
    assert f"{path}:5: error: Step 2 comes after step 3." in result.stderr
    said = [one["verdict"] for one in told(result)[0]["timeline"]]
    assert said == ["working", "working", "uncertain", "working", "uncertain"]


def test_a_field_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    run = [{**WORK[0], "t": "yesterday", "lease": {"owner": ""}, "step": 1.5}]
    path = write(tmp_path / "a.jsonl", run)
    err = call("scan", path).stderr
    for name in ("t", "lease", "step"):
        assert f"{path}:1: error: The field `{name}` cannot be used" in err


def test_a_large_observation_is_read(tmp_path: Path) -> None:
    big = "x" * 5_000_000
    run = [step("read", {"path": "a"}, big)] * 3
    assert call("scan", write(tmp_path / "a.jsonl", run)).exit_code == 1


def test_half_a_surrogate_pair_is_a_text_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    line = '{"tool": "a\\ud800", "args": {"q": "\\udfff"}, "observation": "\\ud800", "error": null}'
    path.write_text(f"{line}\n" * 3, encoding="utf-8")
    assert call("scan", path).exit_code == 1
    assert call("convert", path).exit_code == 0


def test_many_files_show_a_bar_only_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    files = [write(tmp_path / f"{n}.jsonl", WORK) for n in range(3)]
    assert list(command._watched(files)) == files
    assert "Scanning" in screen.getvalue()
