"""The cases of `cases/bib` about comparing fields, what became of a source, and quotes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from bib_served import check_with, crossref_record
from researchpack.problems import Level

CASES = Path(__file__).parent / "cases" / "bib"
MINE = (
    *("B19", "B25", "B27", "B29", "B30", "B32", "B34", "B35", "B37", "B39", "B42"),
    *("B57", "B59", "B60", "B62", "B77", "B79", "B80"),
)
NAMES = [next(path.name for path in CASES.iterdir() if path.name.startswith(f"{n}-")) for n in MINE]
HEAD = re.compile(
    r"^- rule: `(?P<rule>[\w.-]+)`\n- result: \*\*(?P<result>\w+)\*\*\n"
    r"- at: (?:`(?P<at>[^`]+)`|-)$",
    re.MULTILINE,
)


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, tmp_path: Path) -> None:
    """The problem is told at the level and the line that the case asks for; `ok` says nothing."""
    shutil.copytree(CASES / name, tmp_path, dirs_exist_ok=True)
    head = HEAD.search((CASES / name / "expected.md").read_text("utf-8"))
    assert head is not None
    (path,) = tmp_path.glob("input.*")
    answer = tmp_path / "response.json"
    records = (
        [crossref_record(json.loads(answer.read_bytes())["message"])] if answer.is_file() else []
    )
    problems = check_with(path, *records)
    errors = [problem for problem in problems if problem.level is Level.ERROR]
    found = [problem for problem in problems if problem.rule == head["rule"]]
    if head["result"] == "ok":
        assert errors == []
        assert [problem for problem in found if problem.level is not Level.INFO] == []
        return
    assert Level(head["result"]) in {problem.level for problem in found}
    assert {error.rule for error in errors} <= {head["rule"]}
    if head["at"]:
        place = next(p.place for p in found if p.level is Level(head["result"]))
        assert f"{path.name}:{place.line}" == head["at"]


def test_what_the_expectations_add_is_told(tmp_path: Path) -> None:
    told = {}
    for name in NAMES:
        folder = tmp_path / name
        shutil.copytree(CASES / name, folder)
        (path,) = folder.glob("input.*")
        answer = folder / "response.json"
        records = (
            [crossref_record(json.loads(answer.read_bytes())["message"])]
            if answer.is_file()
            else []
        )
        problems = check_with(path, *records)
        told[name[:3]] = " ".join(f"{problem.what} {problem.fix}" for problem in problems)
    assert "retracted on 2006-01-13 (notice 10.5555/demo.2693r" in told["B34"]
    assert "corrected on 2004-03-06" in told["B34"]
    assert "2018-03-26" in told["B35"]
    assert "10.5555/jour.4259" in told["B39"]
    assert "unnamed author" in told["B32"]
    assert r"A new {\em Testudo} from karst" in told["B25"]
    assert "Alex Martin Mosner" in told["B57"]
    assert "particles differ" in told["B59"]
    assert "Yan Ma" in told["B60"]
    assert "nobody has said" in told["B80"]
    assert told["B19"] == told["B27"] == told["B29"] == told["B30"] == told["B42"] == ""
