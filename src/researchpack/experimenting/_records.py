"""What can be run, what cannot, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from researchpack.records import ExperimentView, InputFile, RunRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """An experiment that can be run."""

    view: ExperimentView
    command: tuple[str, ...]
    inputs: tuple[InputFile, ...]
    outside: tuple[tuple[str, Path], ...]
    """Name and folder (or file) of what is read from outside of the project."""
    skipped: tuple[tuple[str, str], ...]
    """What this run leaves out, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An experiment that cannot be run here."""

    id: str
    why: str
    """A sentence."""
    fault: bool
    """Whether something is wrong, and not merely absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A run that was recorded."""

    record: RunRecord
    path: str
    """Of the record, relative to the project."""
    differs: tuple[str, ...]
    """How it differs from the last run that was made of the same; empty when it does not."""
    faults: tuple[str, ...]
    """What is wrong with the values, a sentence each."""
    complaint: str
    """The last line that it printed to standard error."""
