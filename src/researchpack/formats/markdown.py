"""`context.md` and `findings.md` -> `Section` records: Markdown files of `## ` sections."""

from __future__ import annotations

import re
from typing import Final

from researchpack.formats._shared import Notes, Parsed
from researchpack.places import Lines, Text
from researchpack.problems import error
from researchpack.records import Section

CONTEXT: Final = (
    "Read",
    "Means and limits",
    "Provenance notes",
    "Thesis",
    "Set aside",
    "Missing sources",
    "Open questions",
)
FINDINGS: Final = ("Supporting", "Qualifying", "Contradictory", "Unresolved")

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"## +(.+?)(?: +#+)? *$")


def read_sections(text: str, path: str) -> Parsed[tuple[Section, ...]]:
    """The `## ` sections in file order. A heading inside a fence is none."""
    notes, lines = Notes(), Lines(text, path)
    found: list[tuple[Text, int, int]] = []  # title, end of its line, start of its line
    for at, line in _outside_fences(text):
        match = _HEADING.match(line.rstrip("\r\n"))
        if match:
            title = Text(match[1], lines.place(at + match.start(1)))
            if any(title == known for known, _, _ in found):
                notes.problems.append(
                    error(
                        title.place,
                        "text.duplicate-section",
                        f'Section "{title}" stands twice.',
                        "Put both texts under one heading.",
                    )
                )
            found.append((title, at + len(line), at))
    ends = [*(start for _, _, start in found[1:]), *([len(text)] if found else [])]
    sections = []
    for (title, start, _), end in zip(found, ends, strict=True):
        lead = len(text[start:end]) - len(text[start:end].lstrip())
        body = Text(text[start:end].strip(), lines.place(min(start + lead, len(text))))
        sections.append(Section(title=title, body=body))
    return notes.parsed(tuple(sections))


def _outside_fences(text: str) -> list[tuple[int, str]]:
    """Offset and text of every line that stands outside of fenced code."""
    found, at, fence = [], 0, ""
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if fence:
            closes = match is not None and match[1].startswith(fence)
            fence = "" if closes and not line.strip().strip(fence[0]) else fence
        elif match:
            fence = match[1]
        else:
            found.append((at, line))
        at += len(line)
    return found
