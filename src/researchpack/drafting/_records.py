"""What a report says, in the shape of the pack's files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from researchpack.entries import Data


@dataclass(slots=True, kw_only=True)
class Drafts:
    """What a report says, in the shape of the pack's files."""

    claims: list[dict[str, str]] = field(default_factory=list)
    """Cells by `entries.CELLS`; an id may be empty, or used twice."""
    covers: dict[str, str] = field(default_factory=dict)
    """Claims that have no row of their own -> the id of the row that covers them."""
    notes: str = ""
    sources: list[Data] = field(default_factory=list)
    proposals: list[Data] = field(default_factory=list)
    experiments: list[Data] = field(default_factory=list)
    context: list[tuple[str, str]] = field(default_factory=list)
    findings: list[tuple[str, str]] = field(default_factory=list)
    unsorted: bool = False
    """Whether findings stand under none of the four headings."""
    stated: Data = field(default_factory=dict)
    """`date`, `researcher`, `read`: what the report says about the pass."""
    dropped: list[str] = field(default_factory=list)
    """What stands in a YAML block and is no value of its key."""
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    """File and id -> the line of the report."""
