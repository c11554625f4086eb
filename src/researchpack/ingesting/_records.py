"""What a report does to a pack, and why it may do nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from researchpack.merging import Conflict
from researchpack.problems import PackError, Problem, UsageFault
from researchpack.records import UNREAD

SCHEMA: Final = "researchpack.report.v1"
ACCEPTED: Final = "accepted"
WITH_ERRORS: Final = "accepted with errors"
REFUSED: Final = "refused"
FILES: Final = (
    "claims.md",
    "sources.yaml",
    "proposals.yaml",
    "experiments.yaml",
    "context.md",
    "findings.md",
    "pack.yaml",
)
"""What a report may change."""
BROKEN: Final = (*UNREAD, "yaml.duplicate-key", "yaml.key", "yaml.size", "yaml.shape")
"""What keeps a file from being merged into: some of what people wrote was not read."""


class CannotIngest(UsageFault):
    """The report cannot be taken into this pack."""


class Unmergeable(PackError):
    """What would be written could not be read back; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What a report does to a pack, and what has to be written."""

    name: str
    report: str
    """The path under which the report is kept, relative to the project."""
    outcome: str
    problems: tuple[Problem, ...]
    conflicts: tuple[Conflict, ...] = ()
    left: tuple[str, ...] = ()
    """What could not be written, per file."""
    done: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Per file what was written, in short words."""
    ids: tuple[tuple[str, str], ...] = ()
    """Ids of the report that are called otherwise in the pack."""
    writes: tuple[tuple[Path, bytes], ...] = ()
    """Files in the order in which they are safely written: the report first."""

    @property
    def refused(self) -> bool:
        """Whether nothing of the report went into the pack."""
        return self.outcome == REFUSED
