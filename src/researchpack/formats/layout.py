"""A chapter's plain text -> the layout that `new` proposes. A person decides; `check` verifies.

Nothing here is sure: plain text does not say which lines are headings. The rules are those that a
reader uses: a short line that stands alone and ends like no sentence is a heading; a stretch of
lines that are indented, fenced or full of code marks keeps its line breaks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LONGEST_HEADING: Final = 110
_ITEM: Final = re.compile(r"\s*(?:[•‣◦▪*+-]|\d{1,3}[.)])\s+\S")
_ENDS_LIKE_A_SENTENCE: Final = re.compile(r"[.!?;:,…][\"'”’)\]]*$")
_DIAGRAM: Final = re.compile(
    r"\s*(?:flowchart|graph|sequenceDiagram|stateDiagram|classDiagram|erDiagram|gantt)\b"
)
_CODE: Final = re.compile(
    r"^\s*(?:def |class |import |from \w+ import |return\b|(?:if|for|while) .*:$|#|//|\$ |>>> )"
    r"|[{};]\s*$|\w\(.*\)\s*$|==|=>|->|\|\|"
)
_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})")
_HASH: Final = re.compile(r"#{1,6}\s+\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """What was guessed: exact lines."""

    headings: tuple[str, ...]
    verbatim: tuple[tuple[str, str, str], ...]
    """First line, last line, and code, diagram or table."""


def propose_layout(text: str) -> Proposed:
    """The layout of a chapter as far as it can be guessed."""
    headings: list[str] = []
    verbatim: list[tuple[str, str, str]] = []
    blocks = _blocks(text)
    for number, block in enumerate(blocks):
        kind = _verbatim_kind(block)
        if kind is not None:
            verbatim.append((block[0].strip(), block[-1].strip(), kind))
            continue
        first = block[0].strip()
        followed = number + 1 < len(blocks)
        if _HASH.match(first) or (len(block) == 1 and followed and _is_heading(first)):
            headings.append(first)
    return Proposed(headings=tuple(headings), verbatim=tuple(verbatim))


def _blocks(text: str) -> list[list[str]]:
    """Stretches of lines without a blank one between; a fenced stretch is one, blank lines too."""
    blocks: list[list[str]] = []
    current: list[str] = []
    fence = ""
    for line in text.splitlines():
        match = _FENCE.match(line)
        if match and (not fence or match[1].startswith(fence)):
            fence = "" if fence else match[1]
        if line.strip() or fence:
            current.append(line)
        elif current:
            blocks.append(current)
            current = []
    return [*blocks, current] if current else blocks


def _is_heading(line: str) -> bool:
    return (
        len(line) <= _LONGEST_HEADING
        and not _ENDS_LIKE_A_SENTENCE.search(line)
        and not _ITEM.match(line)
        and any(char.isalpha() for char in line)
        and (line[0].isupper() or line[0].isdigit() or not line[0].isascii())
    )


def _verbatim_kind(block: list[str]) -> str | None:
    """What keeps its line breaks, or None for running text."""
    if _FENCE.match(block[0]):
        return "diagram" if "mermaid" in block[0] else "code"
    if _DIAGRAM.match(block[0]):
        return "diagram"
    if any(_ITEM.match(line) for line in block) or len(block) < 2:
        return None
    bars = sum(line.count("|") >= 2 for line in block)
    if bars == len(block):
        return "table"
    indented = all(line.startswith(("    ", "\t")) for line in block)
    code = sum(bool(_CODE.search(line)) for line in block)
    if indented or code * 3 >= len(block) * 2:
        return "code"
    return "table" if _is_aligned(block) else None


def _is_aligned(block: list[str]) -> bool:
    """Short lines with columns: runs of spaces or bars, or labels before colons."""
    short = all(len(line) <= 100 for line in block)
    columns = sum(bool(re.search(r"\S {2,}\S|\s\|\s|_{3,}", line)) for line in block)
    return short and columns * 2 >= len(block)
