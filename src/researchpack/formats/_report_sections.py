"""The lines of a report -> its sections: the seven that were asked for, and what else there is."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.formats._report_headings import (
    BOLD_LEVEL,
    KINDS,
    PLAIN_LEVEL,
    Named,
    heading_at,
    name_of,
)
from researchpack.tables import Oddity

if TYPE_CHECKING:
    from collections.abc import Sequence

_FENCE: Final = re.compile(r" {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_PLAIN: Final = re.compile(r"(?:\d\W{1,4})?[A-Z][A-Za-z ]{5,40}:?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSection:
    """One section of a report."""

    title: str
    kind: str
    """One of `KINDS`, or `extra`."""
    line: int
    """Of its heading."""
    lines: tuple[str, ...]
    """The heading and what stands under it."""
    body: int
    """How many of the lines are the heading."""

    @property
    def text(self) -> str:
        """Heading and body."""
        return "\n".join(self.lines)

    @property
    def body_text(self) -> str:
        """What stands under the heading, without empty lines at its ends."""
        return "\n".join(self.lines[self.body :]).strip("\n")

    @property
    def body_line(self) -> int:
        """The line on which `body_text` begins."""
        empty = 0
        for line in self.lines[self.body :]:
            if line.strip():
                break
            empty += 1
        return self.line + self.body + empty


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    at: int
    level: int
    title: str
    size: int
    named: Named


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """All sections in the order of the report."""

    found: tuple[ReportSection, ...]
    missing: tuple[str, ...]
    oddities: tuple[Oddity, ...]

    def of(self, kind: str) -> tuple[ReportSection, ...]:
        """The sections of a kind, in order."""
        return tuple(section for section in self.found if section.kind == kind)


def fenced(lines: Sequence[str]) -> tuple[list[bool], list[int]]:
    """Per line whether it stands in fenced code or a comment, and where a fence never ends.

    A fence that is still open at a numbered heading of a section ends before it: nobody hands in a
    report whose half is code.
    """
    inside = [False] * len(lines)
    unclosed: list[int] = []
    at = 0
    while at < len(lines):
        end = _opaque_end(lines, at)
        if end is None:
            at += 1
            continue
        if end > len(lines):
            unclosed.append(at)
            end = _repaired_end(lines, at)
        inside[at:end] = [True] * (end - at)
        at = end
    return inside, unclosed


def _opaque_end(lines: Sequence[str], at: int) -> int | None:
    """Behind the last line of a fence or comment that opens at `at`; past the end if it is open."""
    stripped = lines[at].lstrip()
    if stripped.startswith("<!--"):
        for end in range(at, len(lines)):
            if "-->" in lines[end]:
                return end + 1
        return len(lines) + 1
    match = _FENCE.match(lines[at])
    if match is None:
        return None
    for end in range(at + 1, len(lines)):
        bare = lines[end].strip()
        if bare.startswith(match[1]) and not bare.strip(match[1][0]):
            return end + 1
    return len(lines) + 1


def _repaired_end(lines: Sequence[str], start: int) -> int:
    for at in range(start + 1, len(lines)):
        found = heading_at(lines[at])
        if found and found[0] < BOLD_LEVEL:
            named = name_of(found[1])
            if named.kind is not None and named.number == KINDS.index(named.kind) + 1:
                return at
    return len(lines)


def read_sections_of(lines: Sequence[str]) -> Sections:
    """The sections of a report; what stands before the first is in none."""
    inside, unclosed = fenced(lines)
    heads = list(_heads(lines, inside))
    starts = _starts(heads)
    ends = [*(head.at for head, _ in starts[1:]), *([len(lines)] if starts else [])]
    found = tuple(
        ReportSection(
            title=head.title,
            kind=kind,
            line=head.at + 1,
            lines=tuple(lines[head.at : end]),
            body=head.size,
        )
        for (head, kind), end in zip(starts, ends, strict=True)
    )
    present = {section.kind for section in found}
    missing = tuple(kind for kind in KINDS if kind not in present)
    oddities = [*_told(starts, missing), *(_unclosed(at) for at in unclosed)]
    return Sections(found=found, missing=missing, oddities=tuple(oddities))


def _heads(lines: Sequence[str], inside: Sequence[bool]) -> list[_Head]:
    found = []
    for at, line in enumerate(lines):
        if inside[at]:
            continue
        size, told = 1, heading_at(line)
        if told is None and _is_underlined(lines, at, inside):
            size, told = 2, (1 if "=" in lines[at + 1] else 2, line.strip())
        if told is None and _stands_alone(lines, at) and _PLAIN.match(line.strip()):
            told = PLAIN_LEVEL, line.strip().rstrip(":")
        if told is not None:
            named = name_of(told[1])
            found.append(_Head(at=at, level=told[0], title=told[1], size=size, named=named))
    return found


def _is_underlined(lines: Sequence[str], at: int, inside: Sequence[bool]) -> bool:
    line = lines[at].strip()
    if not line or "|" in line or at + 1 >= len(lines) or inside[at + 1]:
        return False
    alone = at == 0 or not lines[at - 1].strip()
    return alone and _UNDERLINE.match(lines[at + 1]) is not None and line[0] not in "-*+>#"


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    before = at == 0 or not lines[at - 1].strip()
    return before and (at + 1 == len(lines) or not lines[at + 1].strip())


def _starts(heads: Sequence[_Head]) -> list[tuple[_Head, str]]:
    """The headings that open a section, and what kind it is."""
    named = [head for head in heads if head.level < BOLD_LEVEL and head.named.kind]
    numbered = [
        head
        for head in heads
        if head.level < BOLD_LEVEL and head.named.number in range(1, 8) and not head.named.other
    ]
    sure = [head for head in named if head.named.whole]
    levels = Counter(head.level for head in (sure or named or numbered))
    if not levels:
        return _lone(heads, set())
    level = max(levels, key=lambda one: (levels[one], -one))
    found: list[tuple[_Head, str]] = []
    taken = {head.named.kind for head in named if head.level == level}
    first = min(head.at for head in (named or numbered) if head.level == level)
    for head in heads:
        kind = head.named.kind if head.level == level else None
        if head.level < level and head.named.whole and head.named.kind not in taken:
            kind = head.named.kind
        if kind is None and head.level == level:
            kind = _by_number(head, taken)
        if kind is not None:
            taken.add(kind)
            found.append((head, kind))
        elif head.level == level or (head.level < level and head.at > first):
            found.append((head, "extra"))
    others = _lone(heads, taken)
    return sorted([*found, *others], key=lambda pair: pair[0].at)


def _by_number(head: _Head, taken: set[str | None]) -> str | None:
    number = head.named.number
    if head.named.other or number is None or not 1 <= number <= len(KINDS):
        return None
    kind = KINDS[number - 1]
    return None if kind in taken else kind


def _lone(heads: Sequence[_Head], taken: set[str | None]) -> list[tuple[_Head, str]]:
    """Headings of another level, or written in bold or plain, of the sections that are missing."""
    found: dict[str, _Head] = {}
    for head in heads:
        kind = head.named.kind
        sure = head.level < BOLD_LEVEL or head.named.number is not None
        whole = head.named.whole and (sure or len(head.title.split()) > 1)
        if kind is not None and whole and kind not in taken and kind not in found:
            found[kind] = head
    return [(head, kind) for kind, head in found.items()]


def _told(starts: Sequence[tuple[_Head, str]], missing: Sequence[str]) -> list[Oddity]:
    found = []
    seen: set[str] = set()
    for head, kind in starts:
        line = head.at + 1
        if kind == "extra":
            what = f'Section "{head.title}" is none of the seven; it is kept with the report.'
            found.append(Oddity(line=line, column=1, code="extra-section", what=what))
            continue
        if head.named.kind is None:
            what = f'Only its number says what section "{head.title}" is.'
            found.append(Oddity(line=line, column=1, code="heading-by-number", what=what))
        if kind in seen:
            what = f'Section "{head.title}" stands twice; both were read.'
            found.append(Oddity(line=line, column=1, code="duplicate-section", what=what))
        seen.add(kind)
    for kind in missing:
        what = "A section is missing, which is not the same as an empty one."
        found.append(Oddity(line=1, column=1, code=f"missing-section:{kind}", what=what))
    return found


def _unclosed(at: int) -> Oddity:
    what = "The block of code or the comment that opens here is never closed."
    return Oddity(line=at + 1, column=1, code="unclosed-block", what=what)
