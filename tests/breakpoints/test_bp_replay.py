"""Replay and calibration: the same every time, nothing made up, and counts checked by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bp_runs import Raw, chapter, judged, step
from click.testing import CliRunner, Result

from invariant_breakpoints.around import Act, Done, Move, Turn, run_guarded
from invariant_breakpoints.calibrate import Labelled, calibrated
from invariant_breakpoints.cli import cli
from invariant_breakpoints.guards import RetryBudget, Tabu
from invariant_breakpoints.reading import runs
from invariant_breakpoints.replay import MockTools, NotRecorded, replayed
from invariant_breakpoints.verdicts import Settings

LOOP = [step("bash", {"command": "ls"}, "a b")] * 6


def write(path: Path, run: Sequence[Raw], first: int = 0) -> Path:
    lines = [{"step": first + at, **raw} for at, raw in enumerate(run)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def call(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(one) for one in arguments])


def test_a_replay_says_what_the_detector_said_and_the_same_every_time() -> None:
    run = chapter()
    one, other = replayed(run), replayed(run)
    assert one.as_json() == other.as_json()
    told = [(said.verdict, said.action, said.shapes) for said in one.timeline]
    assert told == [(said.verdict, said.action, said.shapes) for said in judged(run)]
    assert one.stop_reason == "budget"  # a recording that is at its end has completed nothing


def test_a_redacted_run_is_replayed_with_the_same_verdicts(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", [*chapter(), step("think", {}, "", thought="so")])
    (tmp_path / "key").write_bytes(b"k" * 32)
    hidden = tmp_path / "hidden.jsonl"
    hidden.write_text(call("convert", "--redact", tmp_path / "key", path).stdout)
    assert "search_papers" in hidden.read_text()
    assert "refund" not in hidden.read_text()
    one, other = (call("replay", name, "--until", 90).stdout for name in (path, hidden))
    heads = [
        [line for line in told.splitlines() if line.startswith("step ")] for told in (one, other)
    ]
    assert len(heads[0]) == 91
    assert heads[0] == heads[1]


def test_recorded_times_are_kept_and_missing_ones_pass() -> None:
    down = [step("fetch", {"url": "u"}, "503", "http_503", t=at) for at in (0, 1, 3, 7)]
    assert not [one for one in replayed(down, guards=[RetryBudget(jitter=0)]).rulings]
    fast = [{**one, "t": at / 10} for at, one in enumerate(down)]
    assert replayed(fast, guards=[RetryBudget(jitter=0)]).rulings != ()
    bare = [step("fetch", {"url": "u"}, "503", "http_503") for _ in range(3)]
    assert [one["t"] for one in replayed(bare).trace] == [1.0, 2.0, 3.0]


def test_the_command_stops_at_the_step_and_keeps_the_numbers_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", LOOP, first=10)
    told = call("replay", path, "--until", 12).stdout
    assert [line for line in told.splitlines() if line.startswith("step ")] == [
        "step 10: working",
        "step 11: uncertain",
        "step 12: stuck_loop (branch)",
    ]
    assert told.endswith("UNKNOWN (budget) after 3 steps\n")
    assert call("replay", path, "--until", 12).stdout == told
    guarded = call("replay", path, "--until", 15, "--guard", "tabu").stdout
    assert "tabu, before step 12: branch: [breakpoints notice: The call of bash" in guarded
    assert "made in steps 10 and 11" in guarded


def test_a_fork_replaces_one_step_and_no_other(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", LOOP, first=10)
    fork = tmp_path / "fork.json"
    fork.write_text(json.dumps({"step": 11, **step("read", {"path": "n"}, "new")}))
    record = tmp_path / "record.json"
    result = call("replay", path, "--until", 14, "--fork", fork, "--dump", record)
    assert result.exit_code == 0
    trace = json.loads(record.read_text(encoding="utf-8"))["trace"]
    assert [one["tool"] for one in trace] == ["bash", "read", "bash", "bash", "bash"]
    assert "step 12: uncertain" in result.stdout
    for wrong in ({"step": 99, "tool": "a"}, {"tool": "a"}, [1]):
        fork.write_text(json.dumps(wrong))
        assert call("replay", path, "--until", 14, "--fork", fork).exit_code == 2


def test_tools_answer_from_the_trace_and_make_nothing_up() -> None:
    pages = [step("poll", {"id": 1}, f"look {n}") for n in range(2)]
    tools = MockTools([*pages, step("read", {"path": "a"}, "text")])
    assert tools("read", {"path": "a"})["observation"] == "text"
    assert [tools("poll", {"id": 1})["observation"] for _ in range(2)] == ["look 0", "look 1"]
    for tool, args in (("poll", {"id": 1}), ("read", {"path": "b"}), ("rm", {})):
        with pytest.raises(NotRecorded, match="no further answer"):
            tools(tool, args)


def test_an_agent_can_be_run_against_a_recording() -> None:
    def agent(turn: Turn) -> Move:
        return Done(answer="stopped") if turn.notice else Act(tool="bash", args={"command": "ls"})

    result = run_guarded(agent, [Tabu()], call=MockTools(LOOP), clock=lambda: 0.0)
    assert (result.answer, len(result.trace)) == ("stopped", 2)


def labelled(path: Path, run: list[Raw], first: int | None) -> Labelled:
    (found,) = runs(write(path, run))
    return Labelled(name=path.name, lines=list(found.lines), first=first)


def healthy(repeats: int) -> list[Raw]:
    return [*LOOP[:repeats], step("read", {"path": "x"}, "text")]


def test_the_points_count_delays_misses_and_false_halts(tmp_path: Path) -> None:
    found = [
        labelled(tmp_path / "loop.jsonl", LOOP, 0),
        labelled(tmp_path / "late.jsonl", [*healthy(4), *LOOP], 5),
        labelled(tmp_path / "fine.jsonl", healthy(3), None),
    ]
    points = list(calibrated(found, "same_halt", [3, 4, 5, 7], Settings()))
    told = [
        (one.value, one.delays, one.missed, one.false_halts, one.healthy, one.loops)
        for one in points
    ]
    assert told == [
        (3, (2,), 0, 2, 1, 2),
        (4, (3,), 0, 1, 1, 2),
        (5, (4, 4), 0, 0, 1, 2),
        (7, (), 2, 0, 1, 2),
    ]
    assert points[-1].delay is None


def test_the_command_prints_a_table_a_drawing_and_json(tmp_path: Path) -> None:
    write(tmp_path / "loop.jsonl", LOOP)
    write(tmp_path / "fine.jsonl", healthy(3))
    labels = tmp_path / "labels"
    labels.write_text('{"file": "loop.jsonl", "first": 0}\n\n{"file": "fine.jsonl", "first": null}')
    base = ["calibrate", tmp_path, "--labels", labels, "--values", "3,5,9"]
    assert call(*base).stdout.splitlines() == [
        "| same_halt | median delay | loops halted | false halts |",
        "|---|---|---|---|",
        "| 3 | 2 | 1 of 1 | 1 of 2 |",
        "| 5 | 4 | 1 of 1 | 0 of 2 |",
        "| 9 | - | 0 of 1 | 0 of 2 |",
    ]
    assert [one["missed"] for one in json.loads(call(*base, "--format", "json").stdout)] == [
        0,
        0,
        1,
    ]
    drawing = ElementTree.fromstring(call(*base, "--format", "svg").stdout)
    texts = [one.text for one in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert "3: 1 false, delay 2" in texts
    assert "5: 0 false, delay 4" in texts
    assert "values of same_halt; 1 without any halt are not drawn" in texts


@pytest.mark.parametrize(
    ("labels", "more", "said"),
    [
        ('{"file": "loop.jsonl", "first": 0}', ["--setting", "same_hult"], "no threshold"),
        ('{"file": "loop.jsonl", "first": 0}', ["--values", "3,x"], "invalid literal"),
        ('{"file": "loop.jsonl"}', [], "needs `file` and `first`"),
        ('{"file": "loop.jsonl", "first": "0"}', [], "whole number or null"),
        ('{"file": "other.jsonl", "first": 0}', [], "No trace has a label"),
        ("junk", [], "not JSON"),
    ],
)
def test_a_wrong_calibration_says_why(
    tmp_path: Path, labels: str, more: list[str], said: str
) -> None:
    path = write(tmp_path / "loop.jsonl", LOOP)
    (tmp_path / "labels").write_text(labels)
    result = call("calibrate", path, "--labels", tmp_path / "labels", *more)
    assert result.exit_code == 2
    assert said in result.stderr
