"""The clean folder of one run, and what a run leaves in it."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from researchpack.problems import PackError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_EVERYWHERE: Final = ("", ".", "/", "/usr", "/usr/local")
"""Folders whose names tell nothing about this machine."""


class OutOfPlace(PackError):
    """A file would not lie in the folder of the run."""


class Place:
    """The folders of one run: where it works and where it may litter; and what it says."""

    def __init__(self, root: Path, files: Iterable[tuple[str, bytes]]) -> None:
        self.root = root
        self.work, self.scratch = root / "work", root / "scratch"
        # No names in the folder: the command could put a link or a pipe in their place.
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self.given = dict(files)
        for folder in (self.work / "out", self.scratch):
            folder.mkdir(parents=True)
        for file, data in self.given.items():
            path = self.work / file
            if os.path.normpath(path) != str(path) or not path.is_relative_to(self.work):
                raise OutOfPlace(f'"{file}" does not lie in the folder of the run.')
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self._before = _size(self.work)

    def close(self) -> None:
        """Let go of what was said."""
        self.out.close()
        self.err.close()

    def grown(self) -> int:
        """Bytes that the run has written so far."""
        said = sum(os.fstat(one.fileno()).st_size for one in (self.out, self.err))
        return _size(self.work) - self._before + said

    def made(self, room: int) -> tuple[tuple[tuple[str, bytes], ...], bool]:
        """What the run left, up to so many bytes, and whether that was all.

        What is new, and given files that are not what they were; links and special files are left
        alone. What lies in `out` goes without that name.
        """
        found: dict[str, bytes] = {}
        for name, data in self._left():
            room -= len(data)
            if room < 0:
                return tuple(found.items()), False
            short = name.removeprefix("out/")
            found[name if short in found else short] = self._masked(data)
        return tuple(found.items()), True

    def _left(self) -> Iterator[tuple[str, bytes]]:
        for name, file in (("output.txt", self.out), ("errors.txt", self.err)):
            file.seek(0)
            if said := file.read():
                yield name, said
        for path in _files(self.work):
            name = os.fsencode(path.relative_to(self.work).as_posix()).decode("utf-8", "replace")
            with suppress(OSError):  # the command may have taken it away from us
                data = path.read_bytes()
                if self.given.get(name) != data:
                    yield name, data

    def _masked(self, data: bytes) -> bytes:
        """A text without the paths of this machine that a program may print."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return data
        for path, instead in (
            (str(self.work), "."),
            (str(self.root), "<run>"),
            (sys.prefix, "<python>"),
            (sys.base_prefix, "<python>"),
            (str(Path.home()), "~"),
        ):
            if path not in _EVERYWHERE:
                text = re.sub(rf"(?<![\w./-]){re.escape(path)}(?![\w-])", instead, text)
        return text.encode()


def _files(folder: Path) -> list[Path]:
    """The plain files below a folder, sorted; none when it is gone."""
    found = folder.rglob("*") if folder.is_dir() else ()
    return sorted(path for path in found if not path.is_symlink() and path.is_file())


def _size(folder: Path) -> int:
    total = 0
    with suppress(OSError):
        for path in folder.rglob("*") if folder.is_dir() else ():
            with suppress(OSError):
                total += path.lstat().st_size
    return total
