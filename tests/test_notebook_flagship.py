"""The notebook of chapter 39: its scripts give the recorded values in a kernel too."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from conftest import REPOSITORY
from notebooks import execute
from researchpack.exporting import export
from researchpack.gather import gather
from researchpack.outcomes import experiment_views

if TYPE_CHECKING:
    from pathlib import Path

NAME = "debugging-ai/39-chapter"
LOCAL = [f"L{number}" for number in range(1, 15) if number != 13]
"""The checks that need nothing but the chapter; L13 reads an article that is not kept here."""


@pytest.fixture(scope="module")
def data() -> bytes:
    return export(REPOSITORY, NAME, "notebook")


def test_it_holds_every_check_that_can_be_run_here(data: bytes) -> None:
    ids = [cell["id"] for cell in json.loads(data)["cells"]]
    assert [own for own in ids if own.startswith("L") and "-" not in own] == LOCAL
    assert [own for own in ids if own.endswith("-recorded")] == [f"{own}-recorded" for own in LOCAL]


def test_its_skip_log_names_all_others(data: bytes) -> None:
    last = json.loads(data)["cells"][-1]
    pack = gather(REPOSITORY, [NAME]).packs[0]
    views = experiment_views(pack.experiments, pack.laboratory)
    others = [str(one.experiment.id) for one in views if one.experiment.id not in LOCAL]
    lines = "".join(last["source"]).split("\n")
    assert [line.split(",")[0] for line in lines if line.startswith("- ")] == [
        f"- {own}" for own in others
    ]


def test_its_title_is_a_question_that_a_run_can_answer(data: bytes) -> None:
    title = json.loads(data)["cells"][0]["source"][0]
    assert title.startswith("# Do ")
    assert title.strip().endswith("?")


@pytest.mark.slow
def test_all_its_cells_run_beside_the_chapter_alone(data: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "alone"
    folder.mkdir()
    shutil.copy(REPOSITORY / "research" / NAME / "chapter-snapshot.txt", folder)
    done = execute(data, folder, tmp_path / "scratch")
    code = [cell for cell in done if cell.cell_type == "code"]
    assert len(code) > 60
    assert all(cell.execution_count for cell in code)
    assert (folder / "out" / "values.json").is_file()
