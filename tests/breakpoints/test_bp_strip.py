"""The strips: one file that stands alone, reads in black and white, and believes no text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bp_runs import Raw, chapter, step
from click.testing import CliRunner, Result

from invariant_breakpoints.cli import cli
from invariant_breakpoints.reading import runs
from invariant_breakpoints.strip import SHOWN, clipped, strip
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
