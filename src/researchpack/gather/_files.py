"""The files below one folder: read once, kept, and what was wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from researchpack import disk
from researchpack.places import Place
from researchpack.problems import Problem, Unreadable, error
from researchpack.records import Authored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from researchpack.formats._shared import Parsed

T = TypeVar("T")


class Files:
    """Reads files below one folder and keeps what was wrong with them."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self._root = root
        self._folder = folder
        self.problems: list[Problem] = []
        self.authored: list[Authored] = []
        self._read: dict[str, bytes] = {}

    @property
    def files(self) -> tuple[tuple[str, bytes], ...]:
        """The name and the bytes of every file that was there, in the order of reading."""
        return tuple(self._read.items())

    def bytes(self, name: str) -> bytes | None:
        """The bytes of a file; None when there is none or when it cannot be read."""
        try:
            data = disk.read_if_there(self._root / self._folder / name)
        except Unreadable as fault:
            self.problems.append(
                error(Place(self._path(name)), "text.unreadable", fault.why, "Mend the file.")
            )
            return None
        if data is not None:
            self._read[name] = data
        return data

    def read(self, name: str, reader: Callable[[str, str], Parsed[T]]) -> T | None:
        """What `reader` makes of a file; None when there is none or it is no text."""
        data = self.bytes(name)
        if data is None:
            return None
        path = self._path(name)
        text, problem = decode(data, path)
        if problem is not None:
            self.problems.append(problem)
            return None
        parsed = reader(text, path)
        self.problems += parsed.problems
        self.authored.append(Authored(path=path, text=text, quoted=parsed.quoted))
        return parsed.value

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}" if self._folder else name


def decode(data: bytes, path: str) -> tuple[str, Problem | None]:
    """The text of a file that people write: UTF-8, a byte order mark is dropped."""
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as fault:
        before = data[: fault.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line = before.count(b"\n") + 1
        column = len(before) - before.rfind(b"\n")
        if path.lower().endswith(".bib"):
            return "", error(
                Place(path, line, column),
                "bib.encoding",
                f"Byte 0x{data[fault.start]:02X} at offset {fault.start} is not UTF-8; the file"
                f" looks like {_encoding(data)}.",
                "Save the file as UTF-8; nothing of it was read.",
            )
        return "", error(
            Place(path, line, column),
            "text.encoding",
            f"The file is not UTF-8: byte 0x{data[fault.start]:02X} stands here.",
            "Save the file as UTF-8.",
        )


def _encoding(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    return "Windows-1252" if any(0x80 <= byte <= 0x9F for byte in data) else "ISO-8859-1"
