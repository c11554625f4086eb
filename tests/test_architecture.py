"""Imports point down; `docs/architecture.md` says why each exception is one."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"
ROWS = (
    "places prose cites dates tables latex mementos citekeys measures percent",
    "problems",
    "records yamltext",
    "anchors verdicts coverage delta splice compare identifiers quotes yamlout bibout",
    "formats sources standings reports disk live web run",
    "checks pages exports entries exact outcomes",
    "gather views recording runbook locating drafting describing",
    "build checking serving reviewing resnapshot passing patching briefing starting walking asking"
    " means renewing refreshing rewriting merging"
    " judging matching ingesting exporting citing fixing experimenting",
    "cli commands site",
)
"""Units from the bottom to the top; a package counts as one."""
PEERS = {
    "gather": {"recording", "runbook"},
    "exports": {"entries"},
    "serving": {"build", "reviewing"},
    "passing": {"build"},
    "briefing": {"build"},
    "walking": {"reviewing"},
    "rewriting": {"starting"},
    "renewing": {"asking"},
    "refreshing": {"asking", "means", "renewing"},
    "exporting": {"rewriting"},
    "ingesting": {"judging", "matching", "merging", "rewriting", "starting"},
    "citing": {"asking", "checking", "means", "renewing"},
    "fixing": {"checking"},
    "cli": {"commands"},
    "commands": {"site"},
}
"""Units of one row that another one of it may use: a story that is told inside of another one."""
REPORT = {"locating", "drafting", "judging", "matching", "merging", "rewriting", "ingesting"}
"""What reads a report that came back; it shares the words of columns and cells with `formats`."""
PRIVATE = {
    "researchpack.pages._records": {"build", "serving", "site"},
    "researchpack.formats._shared": {"gather", "recording", *REPORT},  # `Parsed`
    "researchpack.formats._columns": REPORT,
    "researchpack.formats._cells": REPORT,
    "researchpack.formats._dates": REPORT,
    "researchpack.anchors._changes": {"locating"},
    "researchpack.commands._shared": {"cli"},
}
"""Files with an underscore that a unit outside of their package may import."""
OUTSIDE = {
    "mkdocs": {"site"},
    "click": {"cli", "commands", "walking"},
    "requests": {"web"},
    "requests_cache": {"web"},
    "urllib3": {"web"},
    "yaml": {"yamltext", "formats"},
    "jinja2": {"pages", "exports"},
    "citeproc": {"exports"},
    "leather": {"pages"},
    "nbformat": {"exports"},
    "markupsafe": {"pages", "exports"},
    "markdown_it": {"pages"},
    "pylatexenc": {"latex"},
    "pypdf": {"formats"},
    "defusedxml": {"sources"},
    "subprocess": {"run"},
    "ctypes": {"run"},
    "resource": {"run"},
    "http": {"live", "serving", "web"},
    "socket": {"live", "web"},
}
"""Who may import what speaks to people, machines and processes, and everything not our own."""
ROW = {unit: number for number, row in enumerate(ROWS) for unit in row.split()}


def unit_of(path: Path) -> str:
    return path.relative_to(SOURCE / "researchpack").with_suffix("").parts[0]


def imports(path: Path) -> set[str]:
    """Full names of what a module imports, also for its types only, also inside of functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


MODULES = sorted(
    path for path in (SOURCE / "researchpack").rglob("*.py") if unit_of(path) != "__init__"
)


def test_every_unit_has_its_row() -> None:
    assert {unit_of(path) for path in MODULES} <= set(ROW)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    unit = unit_of(path)
    for name in imports(path):
        parts = name.split(".")
        other = parts[1] if parts[0] == "researchpack" and len(parts) > 1 else None
        if other in (None, unit, "__version__"):
            continue
        assert ROW[other] < ROW[unit] or other in PEERS.get(unit, ()), f"{unit} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_file_with_an_underscore_belongs_to_its_package(path: Path) -> None:
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "researchpack" and len(parts) > 2 and parts[2].startswith("_"):
            allowed = PRIVATE.get(".".join(parts[:3]), set())
            assert unit_of(path) in {parts[1], *allowed}, name


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_what_is_not_our_own_has_its_one_user(path: Path) -> None:
    for name in imports(path):
        root = name.split(".")[0]
        if root in OUTSIDE:
            assert unit_of(path) in OUTSIDE[root], name
        else:
            assert root == "researchpack" or root in sys.stdlib_module_names, name


def test_the_two_packages_do_not_know_each_other() -> None:
    for path in (SOURCE / "invariant_breakpoints").rglob("*.py"):
        assert not {name for name in imports(path) if name.startswith("researchpack")}, path
    for path in MODULES:
        assert not {name for name in imports(path) if name.startswith("invariant_")}, path
