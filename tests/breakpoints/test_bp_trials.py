"""Trials: what must be registered, what a result holds, and what it is marked with."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from invariant_breakpoints.cli import cli
from invariant_breakpoints.guards import GUARDS
from invariant_breakpoints.registration import registered
from invariant_breakpoints.toys import TOYS
from invariant_breakpoints.trials import next_action, run_trials

FOLDER = Path(__file__).parent / "trials"
SERIES = [FOLDER / f"{name}.toml" for name, _ in GUARDS]
CHAPTER = sorted(FOLDER.glob("chapter-*.toml"))
DOCS = Path(__file__).parents[2] / "docs" / "breakpoints"

PLAIN = """
window = 5
budget = 12
seeds = [1, 2, 3]

[guard]
name = "tabu"

[[arm]]
name = "loop"
kind = "looping"
agent = "toy:exact loop"

[arm.predictions]
off = "It spends the budget."
on = "It is halted."
"""


def call(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["trials", *(str(one) for one in arguments)])


def write(folder: Path, text: str = PLAIN) -> Path:
    path = folder / "plain.toml"
    path.write_text(text, encoding="utf-8")
    return path


def result_of(path: Path) -> dict[str, Any]:
    told = call("--format", "json", path)
    assert told.exit_code == 0, told.stderr
    (one,) = json.loads(told.stdout)
    return dict(one)


def test_the_result_holds_the_hash_the_seeds_and_every_trial(tmp_path: Path) -> None:
    path = write(tmp_path)
    result = result_of(path)
    assert result["registration"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert result["seeds"] == [1, 2, 3]
    ends = [(one["guard"], one["seed"], one["outcome"]) for one in result["trials"]]
    assert ends == [(side, seed, "UNKNOWN") for side in ("off", "on") for seed in (1, 2, 3)]
    assert [one["stop_reason"] for one in result["trials"]] == ["budget"] * 3 + ["tabu"] * 3
    (arm,) = result["arms"]
    assert arm["predictions"] == {"off": "It spends the budget.", "on": "It is halted."}
    assert (arm["span_on"], arm["least_p"]) == (2, 0.05)
    assert result["smoke_test"]
    assert not result["young"]


def test_the_same_registration_gives_the_same_trials(tmp_path: Path) -> None:
    one, other = result_of(SERIES[2]), result_of(SERIES[2])
    assert one["trials"] == other["trials"]
    assert {one["guard"] for one in (one, other)} == {"retry_budget"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('off = "It spends the budget."', "", "no written prediction for the guard off"),
        ('on = "It is halted."', 'on = " "', "no written prediction for the guard on"),
        ('name = "tabu"', "", "must name exactly one guard"),
        ('name = "tabu"', 'name = ["tabu", "limit"]', "must name exactly one guard"),
        ('name = "tabu"', 'name = "tabu"\ntenor = 3', "cannot be armed"),
        ('name = "tabu"', 'name = "tabu"\nrepeats = "2"', "`repeats` of a guard must be a number"),
        ("[1, 2, 3]", "[1, 2, 2]", "must list 3 different whole numbers"),
        ("[1, 2, 3]", "[1, 2]", "must list 3 different whole numbers"),
        ("window = 5", "", "`window` must be a whole number"),
        ("budget = 12", "budget = 0", "`budget` must be a whole number"),
        ('"looping"', '"happy"', "needs a `kind`"),
        ("toy:exact loop", "toy:no such", "no toy agent `no such`"),
        ("toy:exact loop", "no_such_module:x", "cannot be loaded"),
        ("toy:exact loop", "trace:gone.jsonl", "cannot be used"),
        ("[guard]", "[settings]\nsame_brunch = 2\n\n[guard]", "no threshold `same_brunch`"),
        ("window = 5", "window =", "not TOML"),
    ],
)
def test_nothing_starts_without_a_whole_registration(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in PLAIN
    told = call(write(tmp_path, PLAIN.replace(old, new, 1)))
    assert told.exit_code == 2
    assert said in told.stderr
    assert "No trial was started." in told.stderr
    assert told.stdout == ""


def test_all_reasons_are_told_at_once(tmp_path: Path) -> None:
    told = call(write(tmp_path, "seeds = 4\n"))
    assert told.stderr.count(": error: ") == 5


def test_a_result_is_marked_when_the_file_is_younger_or_another(tmp_path: Path) -> None:
    path = write(tmp_path)
    saved = tmp_path / "result.json"
    saved.write_text(call("--format", "json", path).stdout, encoding="utf-8")
    told = call("--format", "form", "--result", saved, path).stdout
    assert "YOUNGER" not in told
    assert "CHANGED" not in told
    later = json.loads(saved.read_text(encoding="utf-8"))[0]["began"] + 60
    path.write_text(PLAIN.replace("It is halted.", "As it came out."), encoding="utf-8")
    os.utime(path, (later, later))
    told = call("--format", "form", "--result", saved, path).stdout
    assert "REGISTRATION YOUNGER THAN THE DATA" in told
    assert "REGISTRATION CHANGED" in told
    assert "It is halted." in told  # the prediction that was made, not the one in the file now
    (again,) = json.loads(call("--format", "json", "--result", saved, path).stdout)
    assert again["young"]
    saved.write_text('{"schema": "x"}', encoding="utf-8")
    assert "no result of `trials`" in call("--result", saved, path).stderr
    assert call("--result", saved, path, path).exit_code == 2


def test_a_registration_from_the_future_marks_its_own_result(tmp_path: Path) -> None:
    path = write(tmp_path)
    os.utime(path, (4e9, 4e9))
    assert result_of(path)["young"]


def test_more_than_three_trials_are_no_smoke_test(tmp_path: Path) -> None:
    told = call(write(tmp_path, PLAIN.replace("[1, 2, 3]", "[1, 2, 3, 4]"))).stdout
    assert "Smoke test" not in told
    assert "(the least possible is 0.01429)" in told
    assert "Smoke test: 3+3 trials cannot go below p = 0.05." in call(write(tmp_path)).stdout


def arm(kind: str, off: int, on: int, ends: list[str], done: tuple[int, int]) -> dict[str, Any]:
    return {
        "kind": kind,
        "span_off": off,
        "span_on": on,
        "ends_on": ends,
        "completed_off": done[0],
        "completed_on": done[1],
    }


def test_the_next_action_is_never_a_bigger_budget() -> None:
    tabu, cap = ["UNKNOWN (tabu)"], ["UNKNOWN (window_cap)"]
    fine = arm("healthy", 1, 1, ["completed"], (3, 3))
    harmed = arm("healthy", 1, 1, ["completed"], (3, 2))
    assert next_action([arm("looping", 30, 3, tabu, (0, 0)), fine]) == "enforce"
    assert next_action([arm("looping", 30, 3, cap, (0, 0)), fine]) == "reformulate"
    assert next_action([arm("looping", 30, 30, tabu, (0, 0)), fine]) == "replay"
    assert next_action([arm("looping", 30, 3, tabu, (0, 0)), harmed]) == "replay"
    assert next_action([fine]) == "replay"


ENDS = {
    "exact loop": "tabu window_cap budget limit escalation_timeout recovery",
    "exact loop, heeds": "completed completed budget limit escalation_timeout completed",
    "thrash": "tabu window_cap budget limit escalation_timeout recovery",
    "permanent storm": "tabu window_cap retry_budget limit escalation_timeout recovery",
    "transient storm": "tabu window_cap completed limit escalation_timeout recovery",
    "polling": " ".join(["completed"] * 6),
    "paging": " ".join(["completed"] * 6),
}
"""How each toy agent should end under each guard, in the order of the guards."""


@pytest.mark.slow
def test_each_toy_agent_ends_as_it_should_under_each_guard() -> None:
    assert set(ENDS) == {name for name, *_ in TOYS}
    ends: dict[str, list[str]] = {name: [] for name in ENDS}
    for path in SERIES:
        for one in result_of(path)["arms"]:
            healthy = one["kind"] == "healthy"
            assert one["ends_off"] == ["completed" if healthy else "UNKNOWN (budget)"]
            (end,) = one["ends_on"]
            ends[one["arm"]].append(re.sub(r"UNKNOWN \((\w+)\)", r"\1", end))
            if not healthy and end != "UNKNOWN (budget)":
                assert one["span_on"] < one["span_off"]
    assert {name: " ".join(found) for name, found in ends.items()} == ENDS


def block(title: str) -> str:
    text = (DOCS / "trials.md").read_text(encoding="utf-8")
    found = re.search(
        rf"<!-- {title} -->\n\n(?:```text\n)?(.*?)(?:```)?\n*<!-- end -->", text, re.S
    )
    assert found is not None, title
    return found[1].strip()


@pytest.mark.slow
def test_the_table_in_the_docs_is_the_one_that_the_command_prints() -> None:
    assert block("table") == call("--format", "table", *SERIES).stdout.strip()


def test_the_paper_form_in_the_docs_is_the_one_that_the_command_prints() -> None:
    assert len(CHAPTER) == 3
    assert block("form") == call("--format", "form", *CHAPTER).stdout.strip()


def test_the_chapters_run_is_the_one_of_the_other_tests() -> None:
    from bp_runs import chapter

    lines = (FOLDER / "chapter.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"step": at, **raw} for at, raw in enumerate(chapter())
    ]


def test_an_agent_of_ones_own_is_made_for_each_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
from invariant_breakpoints.toys import toy

def make(seed):
    return toy("paging", seed)
"""
    (tmp_path / "own_agent.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = PLAIN.replace("toy:exact loop", "own_agent:make").replace("budget = 12", "budget = 30")
    (one,) = result_of(write(tmp_path, text))["arms"]
    assert (one["completed_off"], one["completed_on"]) == (3, 3)


def test_the_registered_thresholds_are_those_of_the_trials(tmp_path: Path) -> None:
    text = PLAIN.replace('name = "tabu"', 'name = "escalation"')
    spans = []
    for halt in (4, 7):
        changed = text.replace("[guard]", f"[settings]\nsame_halt = {halt}\n\n[guard]")
        (one,) = result_of(write(tmp_path, changed))["arms"]
        spans.append(one["span_on"])
    assert spans == [4, 7]


def test_a_small_p_is_not_told_as_0(tmp_path: Path) -> None:
    text = (FOLDER / "tabu.toml").read_text("utf-8")
    file = tmp_path / "twelve.toml"
    file.write_text(text.replace("[1, 2, 3, 4, 5, 6]", str(list(range(1, 13)))), "utf-8")
    arm = run_trials(registered(file), registered_at=0.0, clock=lambda: 1.0)["arms"][0]
    assert arm["least_p"] == 3.69801e-07
    assert arm["p_span_shorter"] > 0
