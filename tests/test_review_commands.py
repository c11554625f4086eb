"""`review apply`, `review status` and `review walk`, as people and machines use them."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from conftest import TODAY
from researchpack.cli import cli
from researchpack.problems import NoSuchPack, UsageFault

if TYPE_CHECKING:
    from conftest import ProjectFolder

COMMAND = Path(sys.executable).with_name("researchpack")
PACK = "river-craft/03-locks"
DECISIONS = """\
- target: P1
  decision: accept
  by: the editor
  date: 2026-11-25
"""
SECOND = """
- id: P2
  title: Where the water comes from
  kind: clarification
  claims: [C3]
  edits:
    - after: for one passage.
      new: " It comes from the Orla."
  rationale: The chapter does not say it.
"""


def review(project: ProjectFolder, *arguments: str | Path, keys: str = "") -> Result:
    """One command, with what a person types."""
    whole = ["-C", project.root, "review", *arguments, "--today", TODAY]
    return CliRunner().invoke(cli, [str(word) for word in whole], input=keys)


def decide(project: ProjectFolder, text: str = DECISIONS) -> Path:
    path = project.root.parent / "review.yaml"
    path.write_text(text)
    return path


def decisions(project: ProjectFolder) -> dict[str, str]:
    return {name: str(found.decision) for name, found in project.view().decisions}


# --- apply ------------------------------------------------------------------------------------


def test_apply_tells_what_became_of_each_decision(project: ProjectFolder) -> None:
    text = (
        DECISIONS
        + DECISIONS.replace("P1", "P7")
        + "- {target: C1, decision: dispute, by: x, date: 2026-11-19}\n"
    )
    done = review(project, "apply", PACK, decide(project, text))
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "added: P1",
        "refused: P7 is no proposal and no claim of river-craft/03-locks.",
        "conflict: C1: the author decided agree on 2026-11-20, and this dispute by x is of"
        " 2026-11-19.",
    ]


def test_apply_is_fine_when_all_went_in(project: ProjectFolder) -> None:
    path = decide(project)
    assert review(project, "apply", PACK, path).exit_code == 0
    again = review(project, "apply", PACK, path)
    assert (again.exit_code, again.stdout) == (0, "added: none\nthere already: P1\n")


def test_a_wrong_file_or_pack_is_a_fault_of_usage(project: ProjectFolder) -> None:
    path = decide(project, "target: P1\n")
    assert isinstance(review(project, "apply", PACK, path).exception, UsageFault)
    other = review(project, "apply", "river-craft/04-weirs", decide(project))
    assert isinstance(other.exception, NoSuchPack)
    done = subprocess.run(
        [COMMAND, "review", "apply", PACK, decide(project, "target: P1\n")],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "review.yaml:1:1: The file is not a list." in done.stderr


# --- status -----------------------------------------------------------------------------------


def test_status_is_a_table(project: ProjectFolder) -> None:
    project.write("proposals.yaml", project.read("proposals.yaml") + SECOND)
    review(project, "apply", PACK, decide(project))
    done = review(project, "status")
    head, row = done.stdout.splitlines()
    assert head.split("  ")[0] == "pack"
    assert [cell.strip() for cell in row.split("  ") if cell.strip()] == [
        PACK,
        "CURRENT",
        "not compared",
        "1 of 2",
        "0",
        "2026-11-10",
    ]
    assert done.exit_code == 0


def test_status_for_programs(project: ProjectFolder) -> None:
    path = decide(project, "- {target: C2, decision: dispute, by: x, date: 2026-11-25}\n")
    review(project, "apply", PACK, path)
    done = review(project, "status", PACK, "--format", "json")
    assert json.loads(done.stdout) == [
        {
            "pack": PACK,
            "state": "CURRENT",
            "book": "not compared",
            "proposals": 1,
            "undecided": ["P1"],
            "disputed": ["C2"],
            "oldest_access": "2026-11-10",
        }
    ]


def test_a_required_decision_that_is_open_fails(project: ProjectFolder) -> None:
    project.write("proposals.yaml", project.read("proposals.yaml") + SECOND)
    assert review(project, "status", "--require", "P1,P2").exit_code == 1
    review(project, "apply", PACK, decide(project))
    assert review(project, "status", "--require", "P1").exit_code == 0
    still = review(project, "status", "--require", "P1, P2")
    assert still.exit_code == 1
    assert still.stderr == "still undecided in river-craft/03-locks: P2\n"
    project.change("proposals.yaml", "about 40%", "about 45%")
    assert review(project, "status", "--require", "P1").exit_code == 1, "the decision is outdated"


def test_a_required_proposal_that_nobody_made_is_a_fault_of_usage(project: ProjectFolder) -> None:
    """A slip of the pen must not pass for a decision."""
    done = review(project, "status", "--require", "P1,P11")
    assert isinstance(done.exception, UsageFault)
    assert "P11" in str(done.exception)


# --- walk -------------------------------------------------------------------------------------


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shell script in the place of the person's editor; it is handed the file."""
    path = tmp_path / "editor.sh"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(path))
    return path


def test_walk_shows_all_that_a_decision_needs_and_writes_it(project: ProjectFolder) -> None:
    done = review(project, "walk", PACK, keys="a\nbecause\nthe author\n")
    assert done.exit_code == 0
    for words in (
        "P1 The saving of a side pond",
        "answers C2",
        "- saves up to 60% of the water",
        "+ saves about 40% of the water",
        "The book that the chapter cites gives 40%",
        "Advice: accept. the figure is wrong",
        "P1: accept, written.",
    ):
        assert words in done.stdout
    last = project.view().pack.decisions[-1]
    told = (last.target, last.decision, last.by, last.reason, last.date)
    assert told == ("P1", "accept", "the author", "because", TODAY)
    assert project.rules() == []


@pytest.mark.parametrize(("key", "decision"), [("d", "defer"), ("j", "reject")])
def test_walk_asks_for_the_name_only_when_it_is_not_given(
    project: ProjectFolder, key: str, decision: str
) -> None:
    done = review(project, "walk", PACK, "--by", "the author", keys=f"{key}\n\n")
    assert done.exit_code == 0
    assert "Your name" not in done.stdout
    assert decisions(project)["P1"] == decision


def test_walk_goes_on_and_stops(project: ProjectFolder) -> None:
    project.write("proposals.yaml", project.read("proposals.yaml") + SECOND)
    done = review(project, "walk", PACK, "--by", "x", keys="s\nq\n")
    assert done.exit_code == 0
    assert "2 of 2" in done.stdout
    assert "  behind: for one passage." in done.stdout
    assert list(decisions(project)) == ["C1"]
    assert review(project, "walk", PACK, "--by", "x", keys="a\n").exit_code == 1, "Ctrl+D"
    assert list(decisions(project)) == ["C1"]


def test_walk_shows_only_what_is_open_when_asked(project: ProjectFolder) -> None:
    project.write("proposals.yaml", project.read("proposals.yaml") + SECOND)
    review(project, "apply", PACK, decide(project))
    done = review(project, "walk", PACK, "--undecided", "--by", "x", keys="j\nno\n")
    assert "P1" not in done.stdout
    assert decisions(project)["P2"] == "reject"
    assert review(project, "walk", PACK, "--undecided").stdout == "Nothing is undecided.\n"
    again = review(project, "walk", PACK, keys="q\n")
    assert "Decided: accept by the editor, 2026-11-25" in again.stdout


def test_walk_takes_the_authors_own_wording(project: ProjectFolder, editor: Path) -> None:
    editor.write_text('#!/bin/sh\nprintf "saves four tenths\\nof the water\\n" > "$1"\n')
    done = review(project, "walk", PACK, "--by", "x", keys="r\nmine\n")
    assert done.exit_code == 0, done.output
    decision = dict(project.view().decisions)["P1"]
    (edit,) = decision.edits
    assert decision.decision == "revise"
    assert (edit.old, edit.new) == (
        "saves up to 60% of the water",
        "saves four tenths\nof the water",
    )


@pytest.mark.parametrize("new", ["about 40%", "about 40%\\n"])
def test_walk_decides_nothing_when_nothing_was_revised(
    project: ProjectFolder, editor: Path, new: str
) -> None:
    """An editor that only adds its line end has revised nothing."""
    project.change("proposals.yaml", "new: saves about 40% of the water", f'new: "{new}"')
    editor.write_text('#!/bin/sh\ntouch -d 2030-01-01 "$1"\n')
    done = review(project, "walk", PACK, "--by", "x", keys="r\n")
    assert "Nothing was revised, so nothing is decided." in done.stdout
    assert "P1" not in decisions(project)


def test_walk_does_not_decide_on_what_was_not_shown(project: ProjectFolder, editor: Path) -> None:
    """Somebody saves another proposal while the person is still reading."""
    path = project.path("proposals.yaml")
    editor.write_text(f'#!/bin/sh\necho ok > "$1"\nsed -i s/40%/45%/ {path}\n')
    done = review(project, "walk", PACK, "--by", "x", keys="r\n\n")
    assert "P1 has changed since this decision was made; decide again." in done.stdout
    assert "P1" not in decisions(project)


def test_walk_at_a_terminal(project: ProjectFolder) -> None:
    """As a person sits before it: prompts come at once, and nothing is lost by Ctrl+C."""
    project.write("proposals.yaml", project.read("proposals.yaml") + SECOND)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, "review", "walk", PACK, "--today", TODAY],
        cwd=project.root,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    try:
        assert "[q]uit" in until(ours, "[q]uit: ")
        os.write(ours, b"a\n")
        until(ours, "Reason")
        os.write(ours, "schön\n".encode())
        until(ours, "Your name or role: ")
        os.write(ours, b"the author\n")
        assert "2 of 2" in until(ours, "[q]uit: ")
        assert interrupted(process) == 130
    finally:
        process.kill()
        os.close(ours)
    last = project.view().pack.decisions[-1]
    assert (last.target, last.decision, last.reason) == ("P1", "accept", "schön")


def interrupted(process: subprocess.Popen[bytes]) -> int:
    """Press Ctrl+C, and again where one was not heard: seen once on a loaded machine."""
    for _ in range(10):
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(5)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("Ctrl+C does not stop it.")


def until(terminal: int, words: str) -> str:
    """What is printed up to some words; fails when they do not come."""
    seen = b""
    while words.encode() not in seen:
        assert select.select([terminal], [], [], 30)[0], seen.decode()
        seen += os.read(terminal, 4096)
    return seen.decode()
