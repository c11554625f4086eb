"""The YAML blocks of a report: one a section, for what its tables have no column for.

    ```yaml
    sources:
      - id: S1
        archive: https://example.org/copy
    ```

The keys are those of the pack's own files. A value that stands here goes before one of a table; an
empty one says that there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from researchpack.tables import Oddity
from researchpack.yamltext import Mapping, Scalar, Sequence, read_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from researchpack.formats._report_sections import ReportSection
    from researchpack.yamltext import Node

_FENCE: Final = re.compile(r" {0,3}(`{3,})[ \t]*ya?ml[ \t]*$", re.IGNORECASE)
KEYS: Final = {
    "context": ("pass", "context"),
    "claims": ("claims", "notes"),
    "sources": ("sources",),
    "findings": ("findings",),
    "proposal": ("proposals",),
    "experiments": ("experiments",),
}
"""Kind of a section -> the keys that its block may have."""


@dataclass(slots=True)
class Extras:
    """What all blocks say, by key."""

    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    """Key -> the line on which its block begins."""
    oddities: list[Oddity] = field(default_factory=list)

    def entries(self, key: str) -> list[dict[str, Any]]:
        """The list of maps under a key."""
        value = self.values.get(key)
        return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def data_of(node: Node | None) -> Any:
    """A YAML tree as plain data; every scalar is text."""
    if isinstance(node, Mapping):
        return {str(key): data_of(value) for key, value in node.items}
    if isinstance(node, Sequence):
        return [data_of(item) for item in node.items]
    return str(node.text) if isinstance(node, Scalar) else ""


def take_extras(
    sections: Many[ReportSection], path: str
) -> tuple[Extras, tuple[ReportSection, ...]]:
    """The blocks, and the sections without them; lines keep their numbers."""
    extras = Extras()
    kept = []
    for section in sections:
        lines = list(section.lines)
        for start, end in _blocks(lines):
            if _read(extras, section, lines, start, end):
                lines[start : end + 1] = [""] * (end + 1 - start)
        kept.append(replace(section, lines=tuple(lines)))
    return extras, tuple(kept)


def _blocks(lines: Many[str]) -> list[tuple[int, int]]:
    found = []
    at = 0
    while at < len(lines):
        match = _FENCE.match(lines[at])
        if match is None:
            at += 1
            continue
        end = next(
            (
                number
                for number in range(at + 1, len(lines))
                if lines[number].strip().startswith(match[1])
                and not lines[number].strip().strip("`")
            ),
            None,
        )
        if end is None:
            break
        found.append((at, end))
        at = end + 1
    return found


def _read(extras: Extras, section: ReportSection, lines: Many[str], start: int, end: int) -> bool:
    """Take a block over; whether it is one of ours."""
    known = KEYS.get(section.kind, ())
    node, problems = read_yaml("\n".join(lines[start + 1 : end]), "")
    keys = {str(key) for key, _ in node.items} if isinstance(node, Mapping) else set()
    if not keys & set(known):
        return False
    line = section.line + start + 1
    for problem in problems:
        at = line + problem.place.line - 1
        extras.oddities.append(
            Oddity(line=at, column=problem.place.column, code="yaml-block", what=problem.what)
        )
    data = data_of(node)
    for key in known:
        if key in data and key not in extras.values:
            extras.values[key] = data[key]
            extras.lines[key] = line
    for key in sorted(keys - set(known)):
        what = f'Key "{key}" is not known in this section; it was not read.'
        extras.oddities.append(Oddity(line=line, column=1, code="yaml-block", what=what))
    return True
