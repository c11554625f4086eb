"""The strips: one file that stands alone, reads in black and white, and believes no text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from bp_runs import Raw, chapter, step
from click.testing import CliRunner, Result

from invariant_breakpoints import cli as command
from invariant_breakpoints.cli import cli
from invariant_breakpoints.reading import runs
from invariant_breakpoints.scan import scan
from invariant_breakpoints.strip import SHOWN, TOLD, WINDOW, clipped, strip
from invariant_breakpoints.strip_view import DRAWN, LISTED, safe, svg

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</text></svg><script>alert(1)</script>\x00\x1b[2J\u202e\" onload='x' \ud800 & ]]>"


def write(path: Path, run: list[Raw]) -> Path:
    path.write_text("".join(json.dumps(raw) + "\n" for raw in run), encoding="utf-8")
    return path


def draw(form: str, *paths: Path) -> Result:
    return CliRunner().invoke(cli, ["scan", "--format", form, *(str(path) for path in paths)])


def texts(drawing: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def test_the_strip_shows_states_actions_errors_verdicts_windows_and_loops(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", chapter())
    result = draw("svg", path)
    assert result.exit_code == 1
    told = texts(result.stdout)
    verdicts = "".join(one for one in told if one in ("W", "R", "w", "S", "?"))
    (run,) = runs(path)
    timeline = strip(run).report.timeline
    assert len(verdicts) == len(timeline) == 90
    assert [one == "S" for one in verdicts] == [one.verdict == "stuck_loop" for one in timeline]
    assert [one for one in told if one.isdigit()] == [str(n) for n in range(90)]
    assert len([one for one in told if re.fullmatch(r"\d\.\d\d", one)]) == 9
    assert told.count("e1") == 18  # ten laps with one failure, and the storm of eight
    assert any(one.startswith("e1 parse_failed") for one in told)
    assert any("H3" in one and "halt at" in one for one in told)


def test_novelty_is_new_against_the_whole_run(tmp_path: Path) -> None:
    (run,) = runs(write(tmp_path / "run.jsonl", chapter()))
    found = strip(run).novelty()
    assert found[:2] == [1.0, 0.3]
    assert found[2] == 0.0


@pytest.mark.parametrize("form", ["svg", "html"])
def test_hostile_texts_are_shown_and_not_believed(form: str, tmp_path: Path) -> None:
    evil = step(EVIL, {EVIL: EVIL}, EVIL, EVIL, state={EVIL: EVIL})
    path = write(tmp_path / "a<script>.jsonl", [evil] * 5)
    drawing = draw(form, path).stdout
    assert "<script" not in drawing
    assert "onload='" not in drawing
    assert not re.search("[\x00-\x08\x1b\u202e\ud800-\udfff]", drawing)
    assert "&lt;script&gt;alert(1)" in drawing
    inner = drawing[drawing.index("<svg") : drawing.index("</svg>") + 6]
    tags = {one.tag.removeprefix(SVG) for one in ElementTree.fromstring(inner).iter()}
    known = {"svg", "style", "defs", "pattern", "path", "circle", "rect", "text", "title", "g"}
    assert tags <= {*known, "line"}


@pytest.mark.parametrize("form", ["svg", "html"])
def test_one_file_stands_alone_and_holds_all_traces(form: str, tmp_path: Path) -> None:
    one = write(tmp_path / "one.jsonl", chapter())
    other = write(tmp_path / "other.jsonl", [step("read", {"path": "a"}, "text")])
    drawing = draw(form, one, other).stdout
    assert "one.jsonl" in drawing
    assert "other.jsonl: working at the end of 1 step" in drawing
    left = drawing.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|src=|href=|@import|<script|url\((?!#)", left)
    if form == "html":
        assert "No loop was called." in drawing
        assert drawing.count("<tr><td>") == len(strip(next(runs(one))).report.spans)


def test_black_and_white_is_enough(tmp_path: Path) -> None:
    drawing = draw("svg", write(tmp_path / "run.jsonl", chapter())).stdout
    colours = set(re.findall(r"#[0-9a-f]{3,6}\b", drawing))
    assert all(len(set(one[1:])) == 1 for one in colours), colours
    assert 'class="S"' in drawing


def test_broken_lines_empty_files_and_long_runs_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"tool": "a"}\nnot json\n', encoding="utf-8")
    result = draw("svg", path)
    assert result.exit_code == 0
    assert "bad.jsonl:2: error:" in result.stderr
    assert texts(result.stdout).count("?") == 2
    assert "at the end of 0 steps" in draw("svg", write(tmp_path / "empty.jsonl", [])).stdout
    many = [step("read", {"path": f"f{n}"}, f"text {n}") for n in range(DRAWN + 7)]
    told = texts(draw("svg", write(tmp_path / "long.jsonl", many)).stdout)
    assert "7 steps after the first 2000 are not drawn" in told
    assert f"and {DRAWN + 7 - LISTED} actions more" in told
    assert told.count("W") == DRAWN


def test_texts_are_clipped_and_escaped() -> None:
    assert len(clipped("x" * 999)) == SHOWN
    assert clipped({"a": "b\n c"}) == '{"a":"b\\n c"}'
    assert safe("<a b='c'>&\x00\u202e") == "&lt;a b=&#x27;c&#x27;&gt;&amp;··"
    assert svg([]).endswith("</svg>")


STEP_KEYS = [
    *("step", "state", "action", "error", "new", "verdict", "shapes", "advice", "called"),
    *("tool", "args", "observation", "why"),
]


def listed(*paths: Path) -> list[dict[str, Any]]:
    return list(json.loads(draw("strip", *paths).stdout))


def test_the_data_of_a_strip_say_what_scan_and_explain_say(tmp_path: Path) -> None:
    path = write(
        tmp_path / "run.jsonl", [{"step": 5 + n, **raw} for n, raw in enumerate(chapter())]
    )
    result = draw("strip", path)
    assert result.exit_code == 1
    (told,) = json.loads(result.stdout)
    assert list(told) == ["file", "verdict", "window", "steps", "windows", "spans", "legend"]
    assert (told["file"], told["verdict"], told["window"]) == (str(path), "working", WINDOW)
    report = scan(next(runs(path)))
    assert told["spans"] == report.as_json()["spans"]
    assert all(list(one) == STEP_KEYS for one in told["steps"])
    pairs = [(one["step"], one["verdict"], one["advice"], one["shapes"]) for one in told["steps"]]
    assert pairs == [
        (one.step, one.verdict, one.action, list(one.shapes)) for one in report.timeline
    ]
    called = [one["step"] for one in told["steps"] if one["called"]]
    assert called[0] == told["spans"][0]["called_at"]
    assert called == [one.step for one in report.timeline if one.verdict == "stuck_loop"]
    for at in (0, 30, 70):
        number = str(at + 5)
        said = CliRunner().invoke(cli, ["explain", str(path), "--step", number]).stdout
        assert said.splitlines()[1].strip() == told["steps"][at]["why"]


def test_the_data_of_a_strip_hold_its_windows_and_its_legend(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", chapter()[:24])
    (told,) = listed(path)
    windows = told["windows"]
    assert [(one["first"], one["last"], one["of"]) for one in windows] == [
        (0, 9, 10),
        (10, 19, 10),
        (20, 23, 4),
    ]
    assert [one["novelty"] for one in windows] == strip(next(runs(path))).novelty()
    for one in windows:
        inside = [s for s in told["steps"] if one["first"] <= s["step"] <= one["last"]]
        assert one["new"] == sum(s["new"] for s in inside)
        assert one["novelty"] == one["new"] / one["of"]
    legend = {kind: dict(entries) for kind, entries in told["legend"].items()}
    assert list(legend) == ["states", "actions", "errors"]
    parse = told["steps"][14]
    assert legend["errors"] == {"e1": "parse_failed"}
    assert parse["error"] == "e1"
    assert legend["actions"][parse["action"]] == f"{parse['tool']} {parse['args']}"
    assert legend["states"][parse["state"]] == '{"working":"h7a1"}'
    assert (parse["tool"], parse["observation"]) == ("parse", "no text layer")


def test_a_share_is_rounded(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", [step("ls", {}, "a"), *[step("ls", {"d": 1}, "b")] * 2])
    assert listed(path)[0]["windows"] == [
        {"first": 0, "last": 2, "new": 2, "of": 3, "novelty": 0.667}
    ]


def test_hostile_texts_stay_data(tmp_path: Path) -> None:
    evil = step(EVIL, {EVIL: EVIL}, EVIL * 9, EVIL, state={EVIL: EVIL})
    path = write(tmp_path / "a<script>.jsonl", [evil] * 5)
    result = draw("strip", path)
    assert result.exit_code == 1
    assert result.stdout.isascii()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", result.stdout)
    (told,) = json.loads(result.stdout)
    first = told["steps"][0]
    assert first["tool"] == clipped(EVIL)
    assert first["args"] == clipped({EVIL: EVIL})
    assert first["observation"] == clipped(EVIL * 9)
    assert first["observation"].startswith("</text></svg><script>alert(1)</script>")
    texts = [one[key] for one in told["steps"] for key in ("tool", "args", "observation")]
    texts += [long for entries in told["legend"].values() for _, long in entries]
    assert max(len(text) for text in texts) <= 2 * SHOWN + 1


def test_a_long_name_in_a_reason_is_clipped(tmp_path: Path) -> None:
    more = {"state": {"a": 1}, "progress": {"name": EVIL * 40, "value": 1}}
    flat = [step("read", {"n": n}, f"text {n}", **more) for n in range(14)]
    (told,) = listed(write(tmp_path / "a.jsonl", flat))
    assert told["steps"][-1]["shapes"] == ["H2"]
    assert len(told["steps"][-1]["why"]) == TOLD


def test_a_redacted_trace_lists_no_text_and_long_families_are_clipped(tmp_path: Path) -> None:
    digests = {"call": "c" * 32, "result": "r" * 32, "family": "f" * 999, "error_known": True}
    (told,) = listed(write(tmp_path / "a.jsonl", [{"tool": "sh", "digests": digests}] * 2))
    assert [(one["args"], one["observation"]) for one in told["steps"]] == [("", "")] * 2
    assert told["legend"]["errors"] == [["e1", "f" * (SHOWN - 1) + "…"]]


def test_all_runs_of_all_files_are_listed(tmp_path: Path) -> None:
    chat = [
        {
            "role": "assistant",
            "tool_calls": [{"id": "c", "function": {"name": "ls", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "a b"},
    ]
    many = tmp_path / "many.json"
    many.write_text(json.dumps([{"traj": chat}, {"traj": chat}]), encoding="utf-8")
    other = write(tmp_path / "other.jsonl", [step("read", {"path": "a"}, "text")])
    empty = write(tmp_path / "empty.jsonl", [])
    result = draw("strip", many, other, empty)
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert [one["file"] for one in told] == [f"{many}#0", f"{many}#1", str(other), str(empty)]
    assert [one["verdict"] for one in told] == ["working", "working", "working", "uncertain"]
    assert [one["legend"]["actions"][0][0] for one in told[:3]] == ["a1"] * 3
    assert (told[3]["steps"], told[3]["windows"], told[3]["spans"]) == ([], [], [])


def test_a_line_that_cannot_be_read_is_a_step_without_texts(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"tool": "a", "args": {}, "observation": "x"}\nnot json\n', encoding="utf-8")
    result = draw("strip", path)
    assert result.exit_code == 0
    assert result.stderr.startswith(f"{path}:2: error: The line is not JSON")
    (told,) = json.loads(result.stdout)
    assert told["steps"][1] == {
        "step": 1,
        "state": "",
        "action": "",
        "error": "",
        "new": False,
        "verdict": "uncertain",
        "shapes": [],
        "advice": "none",
        "called": False,
        "tool": "",
        "args": "",
        "observation": "",
        "why": "The step could not be read.",
    }


def test_a_file_that_cannot_be_opened_is_told_and_the_rest_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = (write(tmp_path / name, chapter()) for name in ("a.jsonl", "b.jsonl"))

    def closed(path: Path, form: str) -> Any:
        if path == bad:
            raise PermissionError(13, "Permission denied")
        return runs(path, form)

    monkeypatch.setattr(command, "runs", closed)
    result = draw("strip", good, bad)
    assert result.exit_code == 3
    assert [one["file"] for one in json.loads(result.stdout)] == [str(good)]


def test_the_guide_shows_what_is_printed(tmp_path: Path) -> None:
    guide = Path(__file__).parents[2] / "docs" / "breakpoints" / "guide.md"
    section = guide.read_text(encoding="utf-8").split("`--format strip` prints")[1]
    ((shown,),) = [json.loads(re.findall(r"```json\n(.*?)```", section, re.S)[0])]
    (told,) = listed(write(tmp_path / "run.jsonl", [step("shell", {"command": "ls"}, "a b")] * 4))
    assert shown["steps"] == told["steps"][-1:]
    assert (shown["windows"], shown["legend"]) == (told["windows"], told["legend"])
    assert list(shown) == list(told)
