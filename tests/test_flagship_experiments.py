"""The flagship's experiments, run again: every committed figure comes out bit for bit."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from researchpack import experimenting
from researchpack.cli import cli
from researchpack.records import Measured, RunStatus

ROOT = Path(__file__).parent.parent
PACK = "debugging-ai/39-chapter"
NOT_HERE = {"X5": "a live language model", "L13": "outside/article"}


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A copy of the project in which everything was run again, and what was said."""
    root = tmp_path_factory.mktemp("again")
    shutil.copy(ROOT / "mkdocs.yml", root)
    for name in ("research", "bib"):
        shutil.copytree(ROOT / name, root / name)
    result = CliRunner().invoke(cli, ["-C", str(root), "experiment", "run", PACK, "--yes"])
    assert result.exit_code == 0, result.output
    return root, result.output


def test_the_committed_runs_are_of_what_stands_here() -> None:
    _, views = experimenting.views_of(ROOT, PACK)
    statuses = {str(view.experiment.id): view.status for view in views}
    expected = {name: RunStatus.RUN for name in statuses} | {"X5": RunStatus.UNRUN}
    assert statuses == expected
    assert len(statuses) == 19


@pytest.mark.slow
def test_every_committed_figure_comes_out_again(again: tuple[Path, str]) -> None:
    root, said = again
    _, before = experimenting.views_of(ROOT, PACK)
    _, after = experimenting.views_of(root, PACK)
    for old, new in zip(before, after, strict=True):
        name = str(old.experiment.id)
        if name in NOT_HERE:
            assert f"{name} is not run: " in said
            assert NOT_HERE[name] in said
            assert new.runs == old.runs
            continue
        assert len(new.runs) == len(old.runs) + 1
        assert new.runs[-1].reproduces == old.runs[-1].id
        assert new.status is RunStatus.RUN
        assert [(one.path, one.value) for one in new.values] == [
            (one.path, one.value) for one in sorted(old.values, key=_order(new.values))
        ]


def _order(values: tuple[Measured, ...]) -> Callable[[Measured], int]:
    at = {one.path: number for number, one in enumerate(values)}
    return lambda one: at[one.path]


@pytest.mark.slow
def test_the_part_from_outside_is_shown_as_recorded(again: tuple[Path, str]) -> None:
    root, _ = again
    _, (view,) = experimenting.views_of(root, PACK, ["X2"])
    assert view.runs[-1].skipped
    found = view.measured("recorded.loops")
    assert found is not None
    assert found.value == 21
    assert found.run == [one for one in view.runs if not one.skipped][-1]
    assert any(one.is_outside for one in found.run.inputs)
    assert not any(criterion.outcome == "inconclusive" for criterion in view.criteria)


def test_no_record_names_a_person_or_a_machine() -> None:
    for path in (ROOT / "research" / PACK / "runs").rglob("*"):
        if path.is_file():
            text = path.read_text("utf-8")
            for place in (str(Path.home()), str(ROOT.resolve()), tempfile.gettempdir()):
                assert place not in text, path


def test_records_say_that_the_network_was_away() -> None:
    for path in (ROOT / "research" / PACK / "runs").glob("*/*.json"):
        told = json.loads(path.read_bytes())
        assert told["network"] not in ("", "not enforced"), path
