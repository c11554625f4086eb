"""The distribution stands alone: its wheel works with nothing beside it but click."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import click
import pytest

pytestmark = pytest.mark.slow

PACKAGE = Path(__file__).parents[2] / "src" / "invariant_breakpoints"
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """The dotted name of a module."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(("invariant_breakpoints", *(part for part in parts if part != "__init__")))


CLI = ("cli.py", "cli_guards.py", "_cli.py")
NAMES = {name_of(path) for path in MODULES}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of the folder."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", *options, "-w", str(folder), str(source)],
        check=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_has_the_package_and_no_more(wheel: Path) -> None:
    assert wheel.name == "invariant_breakpoints-0.1.0-py3-none-any.whl"
    names = set(ZipFile(wheel).namelist())
    info = "invariant_breakpoints-0.1.0.dist-info"
    wanted = {f"invariant_breakpoints/{path.relative_to(PACKAGE).as_posix()}" for path in MODULES}
    wanted |= {"invariant_breakpoints/py.typed", "invariant_breakpoints/trace.schema.json"}
    assert wanted <= names
    assert f"{info}/licenses/LICENSE" in names
    assert not [name for name in names if name.endswith(("pyproject.toml", ".pyc"))]
    told = ZipFile(wheel).read(f"{info}/METADATA").decode()
    assert "Requires-Dist: click>=8.1\n" in told
    assert told.count("Requires-Dist") == 1
    assert "License-Expression: MIT" in told


def test_the_wheel_works_with_click_and_nothing_else(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    ZipFile(wheel).extractall(site)
    shutil.copytree(Path(click.__file__).parent, site / "click")
    trace = tmp_path / "run.jsonl"
    line = {"tool": "bash", "args": {"command": "ls"}, "observation": "a b", "error": None}
    trace.write_text(f"{json.dumps(line)}\n" * 4, encoding="utf-8")
    # -I and -S: no site-packages, no current folder, no PYTHONPATH.
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r})\n"
        "from invariant_breakpoints.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, "scan", str(trace)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 1
    assert "called at 2, halt at 3" in done.stdout


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & NAMES) or {str(node.module)}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_the_package_the_library_and_only_the_cli_click(path: Path) -> None:
    for name in _imports(path):
        root = name.split(".")[0]
        allowed = {"invariant_breakpoints"} | ({"click"} if path.name in CLI else set())
        assert root in allowed or root in sys.stdlib_module_names, name


def test_no_module_imports_one_that_imports_it() -> None:
    below: dict[str, set[str]] = {}
    for path in MODULES:
        own = {one for one in _imports(path) if one.startswith("invariant_breakpoints.")}
        below[name_of(path)] = own
    below["invariant_breakpoints"] = set()  # the front door, through which `__version__` is read
    done: set[str] = set()
    while ready := {name for name in below if name not in done and below[name] <= done}:
        done |= ready
    assert done == set(below), f"a ring: {set(below) - done}"
