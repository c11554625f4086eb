"""Every case in `cases/check`: a small pack with a few files replaced, and what a check says.

A file of a case replaces the one of the same name in the pack; those below `research/` and `bib/`
replace files of the project. `options.yaml` may say `remove` (files that are taken away) and
`huge` (files that are made larger than anything that is read).
"""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import researchpack
from researchpack import disk
from researchpack.problems import Level
from researchpack.reports import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import ProjectFolder

CASES = Path(__file__).parent / "cases" / "check"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir() and path.name != "_base")
SOURCE = Path(researchpack.__file__).parent

AREAS = (
    "yaml|text|table|claims|ledger|cite|vocabulary|date|proposals|experiments|review|pack|book|bib"
    "|snapshot|runs|measured"
)
RULE = re.compile(rf"(?:{AREAS})\.(?!(?:yaml|md|json|bib)$)[a-z]+(?:-[a-z]+)*")
CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")
TOLD = re.compile(r"\[([a-z]+\.[a-z-]+)\]$", re.MULTILINE)


def options(case: str) -> dict[str, Any]:
    path = CASES / case / "options.yaml"
    return yaml.safe_load(path.read_text("utf-8")) if path.is_file() else {}


def overlay(case: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted((CASES / case).rglob("*")):
        name = path.relative_to(CASES / case).as_posix()
        if path.is_file() and name not in ("expected.txt", "options.yaml"):
            yield name, path.read_bytes()


def expected(case: str) -> str:
    return (CASES / case / "expected.txt").read_bytes().decode()


def constants(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that are neither docstrings nor parts of longer ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def modules(path: Path, found: dict[Path, ast.Module]) -> dict[Path, ast.Module]:
    """A module of the tool and all others that it imports, directly or not."""
    found[path] = tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("researchpack"):
            base = SOURCE.joinpath(*(node.module or "").split(".")[1:])
            for near in (base, *(base / alias.name for alias in node.names)):
                for file in (near.with_suffix(".py"), near / "__init__.py"):
                    if file.is_file() and file not in found:
                        modules(file, found)
    return found


def rules_in_source() -> set[str]:
    """Every rule name that a check can tell."""
    found: set[str] = set()
    for path, tree in modules(SOURCE / "checking.py", {}).items():
        form = CODE if path.parent.name == "tables" else RULE
        names = {words for words in constants(tree) if form.fullmatch(words)}
        found |= {f"table.{name}" for name in names} if form is CODE else names
        if path.parent.name == "checks":  # names that are put together stand in the docstring
            found |= set(re.findall(rf"`({RULE.pattern})`", ast.get_docstring(tree) or ""))
    return found


@pytest.mark.parametrize("case", NAMES)
def test_a_check_says_exactly_this(case: str, project: ProjectFolder, update_goldens: bool) -> None:
    for name in options(case).get("remove", ()):
        project.path(name).unlink()
    for name, data in overlay(case):
        project.write(name, data)
    for name in options(case).get("huge", ()):
        os.truncate(project.path(name), disk.LARGEST + 1)  # holes, not bytes, on the disk
    told = as_text(project.problems()).replace(f"{project.root}/", "")
    if update_goldens:
        (CASES / case / "expected.txt").write_bytes(told.encode())
    assert told == expected(case)


def test_the_pack_that_all_cases_change_has_no_problem(project: ProjectFolder) -> None:
    assert project.problems() == []


@pytest.mark.parametrize("case", NAMES)
def test_no_case_is_empty(case: str) -> None:
    assert (CASES / case / "expected.txt").is_file()
    assert list(overlay(case)) or options(case)
    for name, data in overlay(case):
        base = CASES / "_base" / (name if "/" in name else f"research/river-craft/03-locks/{name}")
        assert not base.is_file() or base.read_bytes() != data, f"{name} changes nothing"


def test_every_rule_is_shown_by_a_case() -> None:
    told = {rule for case in NAMES for rule in TOLD.findall(expected(case))}
    assert told == rules_in_source()


def test_the_scan_for_rule_names_finds_each_kind_of_name() -> None:
    assert rules_in_source() >= {
        "yaml.syntax",  # a plain string
        "ledger.id-form",  # put together from an area and a thing
        "table.long-row",  # an oddity of the table reader
    }


@pytest.mark.parametrize("level", list(Level))
def test_every_line_of_a_report_tells_where_how_bad_what_and_by_which_rule(level: Level) -> None:
    lines = [line for case in NAMES for line in expected(case).splitlines()]
    form = rf"(?:research|bib)/\S+:[1-9]\d*:[1-9]\d*: {level.value}: .+[.!?`\"…] \[[a-z.-]+\]"
    told = [line for line in lines if f": {level.value}: " in line]
    assert told
    assert [line for line in told if not re.fullmatch(form, line)] == []
