"""Records of experiments, and of their runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from researchpack.measures import Value
from researchpack.places import Place, Text
from researchpack.records._bearings import Bearing

Values: TypeAlias = tuple[tuple[str, Value], ...]
"""Dotted paths and what was measured, in the order of the artefacts."""


class RunStatus(Enum):
    """Worked out, never typed."""

    UNRUN = "UNRUN"
    REPORTED = "REPORTED"
    RUN = "RUN"
    STALE = "STALE"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What was expected, and when that was written down."""

    text: Text
    written: Text | None = None
    rule: Text | None = None
    """The comparison that says whether it came true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A person's statement that something was run elsewhere."""

    by: Text | None = None
    date: Text | None = None
    command: Text | None = None
    outcome: Text | None = None
    output: Text | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Files that a run reads and that are no part of the project."""

    name: Text
    what: Text | None = None
    files: tuple[Text, ...] = ()
    """Patterns of the files that are taken; all when there is none."""
    required: bool = False
    """Whether nothing can be run without them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use."""

    seconds: int = 60
    memory_mb: int = 2048
    output_mb: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """How an artefact is shown."""

    title: Text
    file: Text
    """The name of the artefact."""
    kind: Text
    """bars, lines, dots, table, text or strips."""
    x: Text | None = None
    y: tuple[Text, ...] = ()
    summary: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """An experiment (`X1`) or a local check (`L1`)."""

    id: Text
    title: Text | None = None
    question: Text | None = None
    method: Text | None = None
    predictions: tuple[Prediction, ...] = ()
    success: Text | None = None
    success_rule: Text | None = None
    failure: Text | None = None
    failure_rule: Text | None = None
    command: tuple[Text, ...] = ()
    inputs: tuple[Text, ...] = ()
    outside: tuple[Outside, ...] = ()
    seeds: tuple[Text, ...] = ()
    packages: tuple[Text, ...] = ()
    """Installed packages whose code takes part."""
    limits: Limits = Limits()
    needs: Text | None = None
    """What it takes that is not here: why it stays UNRUN."""
    limitations: Text | None = None
    """What a run does not show."""
    figures: tuple[Figure, ...] = ()
    notebook: bool = False
    """Whether the chapter's notebook is made of its script."""
    reported: Reported | None = None
    bears_on: tuple[Bearing, ...] = ()
    place: Place

    @property
    def is_check(self) -> bool:
        """Arithmetic, or a property of the chapter's own text or code."""
        return self.id.startswith("L")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """A file that a run was given."""

    file: str
    """Inside the pack, or `outside/<name>/…`."""
    sha256: str
    size: int
    """Bytes."""

    @property
    def is_outside(self) -> bool:
        """Whether it is no part of the project."""
        return self.file.startswith("outside/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """An installed package as a run found it, or as it is now."""

    name: str
    version: str
    sha256: str
    """Over its code; empty when it was not found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """A file that a run made."""

    name: str
    """As the run called it: `values.json`."""
    file: str
    """Where it is kept, below `runs/<experiment>/`."""
    sha256: str
    size: int
    """Bytes."""
    data: bytes | None = field(default=None, repr=False)
    """None when it is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A prediction or a criterion, and what a run says about it."""

    kind: str
    """prediction, success or failure."""
    text: str
    rule: str | None
    outcome: str
    """met, not met, inconclusive, or `not judged` when there is no rule."""
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """Predictions and criteria as they were before a run."""

    name: str
    """Of its file."""
    experiment: str
    registered: str
    """UTC, to the second."""
    predictions: tuple[tuple[str, str, str], ...]
    """Text, the day it was written, rule."""
    success: tuple[str, str]
    """Text and rule."""
    failure: tuple[str, str]
    sha256: str
    """Over the content."""
    fault: str = ""
    """Why the file cannot be trusted; empty when it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run, as the tool recorded it."""

    id: str
    """UTC stamp, and the first 12 hex digits of the SHA-256 of the record."""
    experiment: str
    outcome: str
    """completed, failed, stopped (a limit was hit) or interrupted."""
    exit_status: int | None = None
    limits_hit: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    started: str = ""
    ended: str = ""
    seconds: float = 0.0
    network: str = ""
    """How the network was kept away, or that it was not."""
    interpreter: str = ""
    platform: str = ""
    revision: str = ""
    """Of the project's code, and whether it was changed since."""
    packages: tuple[Package, ...] = ()
    seeds: tuple[str, ...] = ()
    registration: str | None = None
    """SHA-256 over the predictions and criteria; None when there were none."""
    inputs: tuple[InputFile, ...] = ()
    artefacts: tuple[Artefact, ...] = ()
    values: Values = ()
    criteria: tuple[Criterion, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    """What was left out, and why."""
    reproduces: str | None = None
    """The earlier run that has the same artefacts."""
    fault: str = ""
    """Why the record cannot be trusted; empty when it can."""

    @property
    def is_completed(self) -> bool:
        """Whether its values count."""
        return self.outcome == "completed" and not self.fault

    def artefact(self, name: str) -> Artefact | None:
        """The artefact of this name."""
        return next((one for one in self.artefacts if one.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What an experiment is made of as it is now."""

    inputs: tuple[InputFile, ...] = ()
    """The files that its inputs name, in order."""
    missing: tuple[tuple[Text, str], ...] = ()
    """Inputs that cannot be used, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laboratory:
    """What a pack's folder says about runs."""

    runs: tuple[RunRecord, ...] = ()
    """Oldest first."""
    registrations: tuple[Registration, ...] = ()
    """Oldest first."""
    given: tuple[tuple[str, Given], ...] = ()
    """Per experiment."""
    packages: tuple[Package, ...] = ()
    """Those that experiments name, as they are installed here."""
    stray: tuple[str, ...] = ()
    """Files below `runs/` that no record names."""


NO_LABORATORY = Laboratory()
"""Of a pack in which nothing was run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One measured value, and the run that it comes from."""

    path: str
    value: Value
    run: RunRecord = field(hash=False)  # a run holds all values, so each would hash all others
    old_code: bool = False
    """Whether the run's inputs or code are not those of now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentView:
    """An experiment with everything that follows from its runs."""

    experiment: Experiment
    status: RunStatus
    reason: str
    """Why it has this status, one sentence without a full stop."""
    runs: tuple[RunRecord, ...] = ()
    """Oldest first."""
    current: RunRecord | None = None
    """The run whose results are shown."""
    registrations: tuple[Registration, ...] = ()
    """Oldest first."""
    criteria: tuple[Criterion, ...] = ()
    """As the current run has them; without one, not judged."""
    values: tuple[Measured, ...] = ()
    """The newest of each path."""
    shown: tuple[RunRecord, ...] = ()
    """The completed runs whose results are shown: the newest, and an earlier one that did what the
    newest left out."""
    not_compared: tuple[str, ...] = ()
    """What these were made of and nobody could look at here, so that it may have changed."""

    @property
    def has_result(self) -> bool:
        """Whether anything stands behind what it is said to show: a completed run, or a report."""
        return bool(self.shown) or self.experiment.reported is not None

    def artefact(self, name: str) -> tuple[Artefact, RunRecord] | None:
        """The artefact of this name, and the run that it is shown from."""
        found = ((run.artefact(name), run) for run in self.shown)
        return next(((one, run) for one, run in found if one is not None), None)

    def measured(self, path: str) -> Measured | None:
        """The value at a dotted path."""
        return next((one for one in self.values if one.path == path), None)
