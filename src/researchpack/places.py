"""Where something stands in a file: paths, lines and columns, and offsets turned into them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One character of one file."""

    path: str
    """Relative to the project, with forward slashes; as given when the file is in no project."""
    line: int = 1
    """From 1."""
    column: int = 1
    """From 1, in characters (code points). 1:1 when the whole file is meant."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class Text(str):
    """A written value that remembers where it was written.

    It compares, hashes and prints as the plain string that it is.
    """

    __slots__ = ("place",)
    place: Place

    def __new__(cls, value: str, place: Place) -> Text:
        text = super().__new__(cls, value)
        text.place = place
        return text

    def __reduce__(self) -> tuple[type[Text], tuple[str, Place]]:
        return (Text, (str(self), self.place))


class Lines:
    """Turns offsets of one text into lines and columns.

    A line ends at LF, CRLF or CR, as editors count them; form feeds and the Unicode separators
    that `str.splitlines` honours do not end one.
    """

    def __init__(self, text: str, path: str) -> None:
        self._path = path
        starts = [0]
        for at, char in enumerate(text):
            if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
                starts.append(at + 1)
        self._starts = starts

    def place(self, offset: int) -> Place:
        """The place of the character at `offset` (0-based)."""
        line = bisect_right(self._starts, offset)
        return Place(self._path, line, offset - self._starts[line - 1] + 1)

    def offset(self, line: int) -> int:
        """The offset at which `line` (from 1) begins; of a line past the last, the last one."""
        return self._starts[min(line, len(self._starts)) - 1]
