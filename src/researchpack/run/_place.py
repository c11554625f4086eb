"""The clean folder of one run, and what a run leaves in it."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.records import Limits

_MB: Final = 1024 * 1024
_EVERYWHERE: Final = ("/", "/usr", "/usr/local")
"""Folders whose names tell nothing about this machine."""


class Place:
    """The folders of one run: where it works, where it may litter, and what it says."""

    def __init__(self, root: Path, files: Iterable[tuple[str, bytes]]) -> None:
        self.root = root
        self.work, self.scratch, self.said = root / "work", root / "scratch", root / "said"
        for folder in (self.work / "out", self.scratch, self.said):
            folder.mkdir(parents=True)
        self.given: set[str] = set()
        for file, data in files:
            path = self.work / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            self.given.add(file)
        self._before = _size(self.work)

    def grown(self) -> int:
        """Bytes that the run has written so far."""
        return _size(self.work) - self._before + _size(self.said)

    def made(self) -> dict[str, Path]:
        """What is new, by the name of the artefact. Links and special files are left alone."""
        found = {path.name: path for path in sorted(self.said.iterdir())}
        for path in sorted(self.work.rglob("*")):
            name = path.relative_to(self.work).as_posix()
            if name in self.given or path.is_symlink() or not path.is_file():
                continue
            short = name.removeprefix("out/")
            found[name if short in found else short] = path
        return found


def collect(place: Place, limits: Limits) -> tuple[tuple[tuple[str, bytes], ...], bool]:
    """What the run left, and whether that is too much."""
    found: list[tuple[str, bytes]] = []
    room = limits.output_mb * _MB
    for name, path in place.made().items():
        room -= path.stat().st_size
        if room < 0:
            return tuple(found), True
        data = _masked(path.read_bytes(), place)
        if data or path.parent != place.said:
            found.append((name, data))
    return tuple(found), False


def _masked(data: bytes, place: Place) -> bytes:
    """The bytes without the paths of this machine that a command may print."""
    for path, instead in (
        (str(place.work), "."),
        (str(place.root), "<run>"),
        (sys.prefix, "<python>"),
        (sys.base_prefix, "<python>"),
        (str(Path.home()), "~"),
    ):
        if path not in _EVERYWHERE:
            data = data.replace(path.encode(), instead.encode())
    return data


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_size
    return total
