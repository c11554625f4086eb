"""The chapter's notebook: what it holds, what it refuses, and that it runs."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner
from nbclient.exceptions import CellExecutionError

from conftest import ProjectFolder
from notebooks import execute
from researchpack.build import downloads, shown_packs
from researchpack.cli import cli, main
from researchpack.experimenting import Planned, carry_out, plan, views_of
from researchpack.exporting import export
from researchpack.exports.notebook import NoNotebook, notebook
from researchpack.formats.runs import as_file, file_name
from researchpack.gather import gather
from researchpack.measures import flatten
from researchpack.pages import overview
from researchpack.percent import read_script

pytestmark = pytest.mark.slow  # nearly every test runs a program or two

NAME = ProjectFolder.pack
LOCKS = '''\
"""Volumes of *two* chambers.

A second line with <b>markup</b>.
"""

from __future__ import annotations

# %% [markdown]
# # Volumes
#
# Length times width < lift. ![a picture](https://example.org/p.png)
#
# ## Measures

# %%
import json
from pathlib import Path


def volume(sides: tuple[float, ...]) -> float:
    """Cubic metres."""
    found = 1.0
    for side in sides:
        found *= side
    return found


assert volume((40, 5, 1.2)) == 240

# %% the results
measured = {"small": {"volume": round(volume((40, 5, 1.2)))}, "told": 'say "ah"\\n', "big": None}
text = """
# %% no cell begins here
"""
Path("out/values.json").write_text(json.dumps(measured))
assert text
'''
DRAWS = """\
# %%
import argparse
import json
import random
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--seeds")
seeds = [int(seed) for seed in parser.parse_args().seeds.split(",")]
text = Path("chapter-snapshot.txt").read_text()
assert "lock" in text

# %%
volume = "another thing than before"
drawn = [random.Random(seed).randrange(1000) for seed in seeds]
Path("out/values.json").write_text(json.dumps({"first": drawn[0], "mean": sum(drawn) / 3}))
Path("out/values-all.json").write_text(json.dumps({"drawn": drawn}))
assert len(drawn) == 3
"""
EXPERIMENTS = """\
- id: L1
  title: "Volume <script>alert(1)</script> of $the$ *chamber* [C1]"
  question: Does length times width times lift give {L1.small.volume}?
  method: |
    # 40 m times 5 m
    ![x](y)
  limitations: Nothing is measured.
  command: [python, lab/locks.py]
  inputs: [lab/locks.py]
  notebook: yes
- id: L2
  title: Draws
  command: [python, lab/draws.py, --seeds, "{seeds}"]
  inputs: [chapter-snapshot.txt, lab]
  seeds: [1, 2, 3]
  notebook: yes
- id: X1
  title: A living lock
  needs: a live keeper
  notebook: yes
- id: X2
  title: With files
  command: [python, -c, pass]
  outside: [{name: gauges, what: readings}]
- id: X3
  title: With the tool
  command: [python, -c, pass]
  packages: [invariant_breakpoints]
- id: X4
  title: Not wanted
  command: [python, -c, pass]
- id: X5
  title: Without values
  command: [python, -c, pass]
  notebook: yes
- id: X6
  title: Nobody ran it
  command: [python, -c, "import sys; sys.exit(3)"]
  notebook: yes
- id: L3
  title: Said
  reported: {by: a reader, date: 2026-11-10, outcome: fine}
"""


def run_all(root: Path) -> None:
    """Run what can be run, and record it."""
    pack, views = views_of(root, NAME)
    moment = datetime(2026, 11, 30, 12, tzinfo=UTC)
    for number, one in enumerate(plan(pack, views, {}, named=False)):
        if isinstance(one, Planned):
            now = moment + timedelta(seconds=number)
            carry_out(root, pack, one, lambda now=now: now, lambda _: None)


def laid_out(project: ProjectFolder, **scripts: str) -> ProjectFolder:
    """The project with its experiments."""
    project.write("experiments.yaml", EXPERIMENTS)
    for name, text in {"locks": LOCKS, "draws": DRAWS, **scripts}.items():
        project.write(f"lab/{name}.py", text)
    return project


@pytest.fixture
def lab(project: ProjectFolder) -> ProjectFolder:
    """A project whose experiments were run."""
    laid_out(project)
    run_all(project.root)
    return project


def cells(data: bytes) -> list[Any]:
    found: list[Any] = nbformat.reads(data.decode(), as_version=4).cells
    return found


def cell(data: bytes, own: str) -> str:
    """The source of one cell."""
    (source,) = [one.source for one in cells(data) if one.id == own]
    return str(source)


# --- what it holds ----------------------------------------------------------------------------


def test_it_is_valid_stripped_and_the_same_each_time(lab: ProjectFolder) -> None:
    data = export(lab.root, NAME, "notebook")
    told = json.loads(data)
    nbformat.validate(told)
    assert (told["nbformat"], told["nbformat_minor"]) == (4, 5)
    assert told["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    code = [one for one in told["cells"] if one["cell_type"] == "code"]
    assert code
    assert all(one["outputs"] == [] and one["execution_count"] is None for one in code)
    assert all(one["metadata"] == {} for one in told["cells"])
    assert data == export(lab.root, NAME, "notebook")
    assert data.endswith(b"}\n")
    assert str(lab.root).encode() not in data


def test_cells_stand_in_file_order_with_ids_that_stay(lab: ProjectFolder) -> None:
    assert [(one.id, one.cell_type[0]) for one in cells(export(lab.root, NAME, "notebook"))] == [
        ("title", "m"),
        ("files", "c"),
        ("L1", "m"),
        ("L1-1", "m"),
        ("L1-2", "m"),
        ("L1-3", "c"),
        ("L1-4", "c"),
        ("L1-recorded", "c"),
        ("L2", "m"),
        ("L2-command", "c"),
        ("L2-1", "c"),
        ("L2-2", "c"),
        ("L2-recorded", "c"),
        ("L2-recorded1", "c"),
        ("skip-log", "m"),
    ]


def test_every_cell_of_code_ends_in_an_assertion(lab: ProjectFolder) -> None:
    for one in cells(export(lab.root, NAME, "notebook")):
        if one.cell_type == "code":
            assert isinstance(ast.parse(one.source).body[-1], ast.Assert), one.id


def test_the_cells_of_a_script_are_its_own(lab: ProjectFolder) -> None:
    data = export(lab.root, NAME, "notebook")
    assert (
        cell(data, "L1-1")
        == "Volumes of *two* chambers.\n\nA second line with &lt;b>markup&lt;/b>."
    )
    assert cell(data, "L1-2") == (
        "Length times width &lt; lift. !\\[a picture](https://example.org/p.png)\n\n### Measures"
    )
    begins = "from __future__ import annotations\n\nimport json\nfrom pathlib import Path\n"
    assert cell(data, "L1-3").startswith(begins)
    assert "from __future__" not in cell(data, "L1-4")
    assert "# %% no cell begins here" in cell(data, "L1-4")
    assert 'sys.argv = ["lab/draws.py", "--seeds", "1,2,3"]' in cell(data, "L2-command")


def test_headings_of_a_script_are_one_lower_and_code_is_none(project: ProjectFolder) -> None:
    words = "\n# %% [markdown]\n# # Again\n#\n# ~~~\n# # a comment\n# ~~~\n#\n# ## Below\n"
    laid_out(project, locks=LOCKS + words)
    run_all(project.root)
    told = cell(export(project.root, NAME, "notebook"), "L1-5")
    assert told == "## Again\n\n~~~\n# a comment\n~~~\n\n### Below"


def test_words_of_people_are_words_and_nothing_else(lab: ProjectFolder) -> None:
    data = export(lab.root, NAME, "notebook")
    heading, question, method, limits, run = cell(data, "L1").split("\n\n")
    assert heading == (
        "## L1: Volume &#60;script&#62;alert(1)&#60;/script&#62; of &#36;the&#36;"
        " \\*chamber\\* \\[C1\\]"
    )
    assert question == "**Question.** Does length times width times lift give 240?"
    assert method == "**Method.** \\# 40 m times 5 m !\\[x\\](y)"
    assert limits == "**What this does not show.** Nothing is measured."
    assert re.fullmatch(r"Recorded in run 20261130t120000z-[0-9a-f]{12}\.", run)


def test_no_markup_of_the_pack_is_html_in_any_text(lab: ProjectFolder) -> None:
    texts = [one for one in cells(export(lab.root, NAME, "notebook")) if one.cell_type != "code"]
    assert [one.id for one in texts if "<" in one.source or "![" in one.source] == []


def test_the_question_is_the_notebooks_own_then_the_packs(lab: ProjectFolder) -> None:
    def title() -> str:
        return cell(export(lab.root, NAME, "notebook"), "title").split("\n")[0]

    assert title() == "# Do the sources carry the figures?"
    lab.change("pack.yaml", "material:", "notebook_question: Is it 240?\nmaterial:")
    assert title() == "# Is it 240?"
    lab.change("pack.yaml", "notebook_question: Is it 240?\n", "")
    lab.change("pack.yaml", "questions:\n  - Do the sources carry the figures?\n", "")
    assert title() == "# Do the recorded values of Locks and weirs come out again?"


def test_the_first_cell_asks_for_the_files_that_scripts_read(lab: ProjectFolder) -> None:
    digest = hashlib.sha256(lab.path("chapter-snapshot.txt").read_bytes()).hexdigest()
    source = cell(export(lab.root, NAME, "notebook"), "files")
    assert f'"chapter-snapshot.txt": "{digest}"' in source
    assert '"lab/locks.py"' in source  # L2 was given the whole folder
    assert '"lab/draws.py"' not in source


def test_the_recorded_values_stand_in_the_comparison(lab: ProjectFolder) -> None:
    source = cell(export(lab.root, NAME, "notebook"), "L1-recorded")
    found = next(n for n in ast.parse(source).body if isinstance(n, ast.Assign))
    assert ast.literal_eval(found.value) == {
        "small": {"volume": 240},
        "told": 'say "ah"\n',
        "big": None,
    }


def test_the_skip_log_names_every_other_experiment_and_why(lab: ProjectFolder) -> None:
    lines = cell(export(lab.root, NAME, "notebook"), "skip-log").split("\n")
    stamp = next(one for one in lines if one.startswith("- X6")).split()[-6]
    assert lines == [
        "## Skip log",
        "",
        "- X1, A living lock: UNRUN, it needs a live keeper.",
        "- X2, With files: it reads files from outside of the project (gauges).",
        "- X3, With the tool: it needs what a notebook has not (invariant\\_breakpoints).",
        "- X4, Not wanted: it is not marked with \\`notebook: yes\\`.",
        "- X5, Without values: its run recorded no values.",
        f"- X6, Nobody ran it: FAILED, run {stamp} ended with exit status 3.",
        "- L3, Said: REPORTED, a reader states to have run it elsewhere; no run is recorded here.",
    ]


def test_a_run_of_other_code_is_left_out_and_named(lab: ProjectFolder) -> None:
    lab.change("lab/draws.py", "randrange(1000)", "randrange(999)")
    data = export(lab.root, NAME, "notebook")
    assert not any(one.id.startswith("L2") for one in cells(data))
    assert "- L2, Draws: STALE, since run" in cell(data, "skip-log")


# --- what it refuses --------------------------------------------------------------------------


def refused(project: ProjectFolder) -> str:
    with pytest.raises(NoNotebook) as caught:
        export(project.root, NAME, "notebook")
    (shown,) = shown_packs(gather(project.root))
    assert "notebook.ipynb" not in dict(downloads(shown))
    return str(caught.value)


def test_a_script_that_breaks_the_contract_is_refused_by_name(project: ProjectFolder) -> None:
    laid_out(project, locks=LOCKS.replace("import json\n", "import json\nimport yaml\n"))
    run_all(project.root)
    assert refused(project) == (
        f"research/{NAME}/lab/locks.py:17: It imports yaml; a notebook has the standard library and"
        " NumPy only."
    )


def test_without_a_run_there_is_no_notebook(project: ProjectFolder) -> None:
    laid_out(project)
    assert refused(project) == (
        f"{NAME} has no experiment with `notebook: yes` and a run that stands."
    )


def test_an_artefact_that_was_changed_is_no_record(lab: ProjectFolder) -> None:
    (path,) = lab.folder.glob("runs/L1/artefacts/*-values.json")
    path.write_bytes(path.read_bytes().replace(b"240", b"241"))
    assert refused(lab) == "The values that L1 recorded are not there as the record has them."


def test_a_value_that_is_no_number_cannot_be_compared(project: ProjectFolder) -> None:
    laid_out(project, locks=LOCKS.replace('"big": None', '"big": float("inf")'))
    run_all(project.root)
    assert refused(project) == "The values that L1 recorded cannot be compared."


def test_an_id_that_is_used_twice_is_refused(lab: ProjectFolder) -> None:
    first = EXPERIMENTS.partition("- id: L2")[0]
    lab.write("experiments.yaml", EXPERIMENTS + first)
    assert refused(lab) == f"{NAME} has more than one experiment L1."


def test_what_took_too_long_is_refused(lab: ProjectFolder) -> None:
    forged(lab, "L1", seconds=70.5)
    export(lab.root, NAME, "notebook")
    forged(lab, "L2", seconds=70.5)
    assert refused(lab).startswith("The experiments with `notebook: yes` took 141 s;")


def test_a_command_without_a_script_is_refused(project: ProjectFolder) -> None:
    laid_out(project)
    told = """\
import pathlib; pathlib.Path('out/values.json').write_text('{\\"a\\": 1}')"""
    project.change("experiments.yaml", "[python, lab/locks.py]", f'[python, -c, "{told}"]')
    run_all(project.root)
    assert refused(project) == "The command of L1 names none of its inputs that ends in .py."


def test_experiments_that_cannot_be_read_give_no_notebook(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", EXPERIMENTS + "- id: [\n")
    assert refused(lab) == "experiments.yaml cannot be read; `check` says why."


SCRIPT = "# %%\n{}\nassert 1 + 1 == 2\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import yaml", "It imports yaml; a notebook has the standard library and NumPy only."),
        ("import os, pandas.io", "It imports pandas;"),
        ("from . import helper", "It imports a module of its own folder;"),
        ("def f():\n    import torch", "It imports torch;"),
        ("from urllib.request import urlopen", "It imports urllib.request, which can reach"),
        ("from urllib import request", "It imports urllib.request, which can reach"),
        ("import http.client as c", "It imports http, which can reach other machines."),
        ("import subprocess", "It imports subprocess, which starts other processes."),
        ("import uuid", "It imports uuid, which gives other values each time."),
        ("from importlib import import_module", "It imports importlib, which imports what"),
        ("yes = __import__('yaml')", "__import__ imports what cannot be seen here."),
        ("here = __file__", "__file__ is not known in a notebook."),
        ("import random\nr = random.Random()", "Random() takes its seed from the machine."),
        ("from numpy.random import default_rng\ndefault_rng()", "default_rng() takes its seed"),
        ("sum = 3", "It uses sum, a name of Python itself, for something else."),
        ("def f():\n    global id\n    id = 2", "It uses id, a name of Python itself"),
        ("for list in []: pass", "It uses list, a name of Python itself"),
        ("print(1)\n# %%\nprint(2)\n# %%", "This cell does not end in an assertion."),
        ("assert True\n# %%", "The assertion that ends this cell cannot fail."),
        ("assert (1 == 2, 'words')\n# %%", "The assertion that ends this cell cannot fail."),
        ("x = [\n# %%\n1]", "This cell cannot stand alone"),
        ("# %% [raw]", "There is no cell of the kind [raw]."),
        ("assert id\n# %% [markdown]\nx = 1\n# %%", "A line of this text cell is no comment."),
        ("x =", "It cannot be read as Python."),
        ("x = '\0'", "It cannot be read as Python."),
    ],
)
def test_what_a_notebook_cannot_have_is_found(line: str, told: str) -> None:
    _, faults = read_script(SCRIPT.format(line))
    assert any(fault.what.startswith(told) for fault in faults), faults


@pytest.mark.parametrize(
    "line",
    [
        "import numpy as np",
        "import os.path, urllib.parse",
        "from __future__ import annotations",
        "import random\nr = random.Random(7)",
        "def f():\n    sum = 3\n    return sum",
        "class A:\n    id = 1",
        "x = [id for id in range(3)]",
    ],
)
def test_what_a_notebook_can_have_is_left_alone(line: str) -> None:
    found, faults = read_script(SCRIPT.format(line))
    assert faults == ()
    assert [(one.kind, one.line) for one in found] == [("code", 1)]


def test_a_script_of_text_alone_is_told_so() -> None:
    found, faults = read_script("# %% [markdown]\n# Words.\n\n# %%\n")
    assert [one.source for one in found] == ["Words."]
    assert [fault.what for fault in faults] == ["It has no cell of code."]


def test_line_ends_of_another_system_change_nothing() -> None:
    text = "# %% [markdown]\n# Two\n# lines\n\n# %%\nx = 1\nassert x == 1\n"
    assert read_script(text.replace("\n", "\r\n")) == read_script(text)
    assert read_script(text)[0][0].source == "Two\nlines"


def test_a_script_without_cells_is_told_so() -> None:
    assert [fault.what for fault in read_script("assert 1 == 1\n")[1]] == [
        "It has no cells: no line begins with `# %%`."
    ]


def test_statements_before_the_first_marker_are_a_cell_that_has_to_assert() -> None:
    text = (
        '"""Words."""\n\nfrom __future__ import annotations\n\nimport json\n{}\n# %%\nassert json\n'
    )
    found, faults = read_script(text.format(""))
    assert [(fault.line, fault.what) for fault in faults] == [
        (5, "This cell does not end in an assertion.")
    ]
    found, faults = read_script(text.format("assert json"))
    assert faults == ()
    assert [one.source for one in found] == [
        "Words.",
        "from __future__ import annotations\n\nimport json\nassert json",
        "assert json",
    ]


# --- where it goes ----------------------------------------------------------------------------


def test_the_site_has_it_beside_the_pack(lab: ProjectFolder) -> None:
    (shown,) = shown_packs(gather(lab.root))
    files = dict(downloads(shown))
    assert files["notebook.ipynb"] == export(lab.root, NAME, "notebook")
    assert list(files).index("notebook.ipynb") == list(files).index("pack.json") + 1
    link = '<a href="notebook.ipynb" download>the checks as a notebook</a>'
    assert link in overview.page(shown, list(files.items())).html
    assert link not in overview.page(shown, []).html


def test_the_command_writes_it(lab: ProjectFolder, tmp_path: Path) -> None:
    target = tmp_path / "chapter.ipynb"
    words = ["-C", str(lab.root), "export", NAME, "--to", "notebook"]
    done = CliRunner().invoke(cli, [*words, "-o", str(target)], catch_exceptions=False)
    assert (done.exit_code, done.output) == (0, "")
    assert target.read_bytes() == notebook(lab.gathered(), lab.view().experiments)
    assert CliRunner().invoke(cli, words).stdout_bytes == target.read_bytes()


def test_the_command_says_why_there_is_none(
    project: ProjectFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    laid_out(project)
    words = ["-C", str(project.root), "export", NAME, "--to", "notebook"]
    monkeypatch.setattr(sys, "argv", ["researchpack", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "has no experiment with `notebook: yes` and a run that stands." in told.err


# --- that it runs -----------------------------------------------------------------------------


def forged(project: ProjectFolder, own: str, *, seconds: float = 0.1, **values: object) -> None:
    """Replace the record of a run by one that says something else and is consistent in itself."""
    (path,) = (project.folder / "runs" / own).glob("*.json")
    told = json.loads(path.read_bytes())
    told["seconds"] = seconds
    if values:
        data = json.dumps(values).encode()
        artefact = next(one for one in told["artefacts"] if one["name"] == "values.json")
        artefact["sha256"] = hashlib.sha256(data).hexdigest()
        artefact["bytes"] = len(data)
        (path.parent / artefact["file"]).write_bytes(data)
        told["values"] = dict(flatten(values))
    written = as_file(told)
    name = file_name(told["started"], hashlib.sha256(written).hexdigest())
    path.unlink()
    (path.parent / name).write_bytes(written)


def folder_for(project: ProjectFolder, tmp_path: Path) -> Path:
    """A folder with the files of the pack that the notebook asks for."""
    folder = tmp_path / "with files"
    (folder / "lab").mkdir(parents=True)
    for name in ("chapter-snapshot.txt", "lab/locks.py"):
        (folder / name).write_bytes(project.path(name).read_bytes())
    return folder


@pytest.fixture
def odd_jupyter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation of Jupyter whose kernel for Python cannot be started, and no home."""
    spec = tmp_path / "odd" / "kernels" / "python3"
    spec.mkdir(parents=True)
    broken = {"argv": ["/nowhere/python"], "display_name": "Python 3", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(broken))
    for name in ("JUPYTER_PATH", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "odd"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", "/dev/null/nowhere")
    monkeypatch.setenv("HOME", "/dev/null")


@pytest.mark.slow
@pytest.mark.usefixtures("odd_jupyter")
def test_all_cells_run_where_the_files_are(lab: ProjectFolder, tmp_path: Path) -> None:
    data = export(lab.root, NAME, "notebook")
    done = execute(data, folder_for(lab, tmp_path), tmp_path / "scratch")
    code = [one for one in done if one.cell_type == "code"]
    assert len(code) == 9
    assert all(one.execution_count for one in code)


@pytest.mark.slow
def test_a_changed_file_or_a_missing_one_stops_it(lab: ProjectFolder, tmp_path: Path) -> None:
    data = export(lab.root, NAME, "notebook")
    folder = folder_for(lab, tmp_path)
    (folder / "chapter-snapshot.txt").write_text("a lock\n")
    with pytest.raises(CellExecutionError, match="Not the files that the recorded runs read"):
        execute(data, folder, tmp_path / "scratch")
    (folder / "chapter-snapshot.txt").unlink()
    with pytest.raises(CellExecutionError, match="Copy these files of the pack into this folder"):
        execute(data, folder, tmp_path / "scratch")


@pytest.mark.slow
def test_a_recorded_value_that_does_not_come_out_stops_it(
    lab: ProjectFolder, tmp_path: Path
) -> None:
    """The record is consistent in itself: only running the cells shows that it is wrong."""
    forged(lab, "L1", small={"volume": 241}, told='say "ah"\n', big=None)
    assert dict(lab.view().statuses)["L1"].value == "RUN"
    data = export(lab.root, NAME, "notebook")
    with pytest.raises(CellExecutionError, match="L1: not what was recorded"):
        execute(data, folder_for(lab, tmp_path), tmp_path / "scratch")
