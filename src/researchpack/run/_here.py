"""What runs are made of on this machine, without a name of it: versions, code, commit."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from researchpack.records import Package

if TYPE_CHECKING:
    from collections.abc import Mapping


def package(name: str) -> Package:
    """An installed package: its version, and one SHA-256 over its code.

    The digest is over the path and the SHA-256 of each `.py` and `.json` file, sorted by path.
    """
    try:
        spec = importlib.util.find_spec(name) if name.isidentifier() else None
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return Package(name=name, version="", sha256="")
    places = spec.submodule_search_locations
    if not places:  # a module of one file
        data = Path(spec.origin).read_bytes() if spec.has_location and spec.origin else b""
        digest = hashlib.sha256(data).hexdigest() if data else ""
        return Package(name=name, version=_version(name), sha256=digest)
    folder = Path(next(iter(places)))
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda p: p.relative_to(folder).as_posix()):
        if path.suffix in (".py", ".json") and path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            whole.update(f"{digest}  {path.relative_to(folder).as_posix()}\n".encode())
    return Package(name=name, version=_version(name), sha256=whole.hexdigest())


def _version(name: str) -> str:
    """Of the distribution that has the package; `yaml` comes with PyYAML."""
    with suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(name.replace("_", "-"))
    for one in _distributions().get(name, ()):
        with suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(one)
    return ""


@cache
def _distributions() -> Mapping[str, list[str]]:
    """Looking into all that is installed takes a tenth of a second."""
    return importlib.metadata.packages_distributions()


def interpreter() -> str:
    """Name and version of the interpreter: `CPython 3.11.7`."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def system() -> str:
    """The kind of machine, without its name: `Linux x86_64`."""
    return f"{platform.system()} {platform.machine()}"


def revision(root: Path, folder: str) -> str:
    """The commit of the project, and whether something outside of the pack was changed since.

    What a run takes from the pack itself is recorded file by file. `UNKNOWN` when the project is
    in no Git repository.
    """
    told = _git(root, "rev-parse", "HEAD")
    if told is None:
        return "UNKNOWN"
    changed = _git(root, "status", "--porcelain", "--", ".", f":(exclude){folder}")
    return f"{told.strip()}{' with changes' if changed else ''}"


def _git(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            # A repository may name programs that Git starts to look for changes.
            ["git", "-c", "core.fsmonitor=", "-C", str(root), *words],
            capture_output=True,
            check=True,
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")
