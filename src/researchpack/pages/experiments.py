"""Experiments and local checks, each with its worked-out status, its predictions and its runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.measures import told
from researchpack.pages._outcomes import (
    Outcome,
    Registered,
    outcomes,
    present_differs,
    registrations,
    tally,
)
from researchpack.pages._parts import claim_cell, status_counts
from researchpack.pages._recorded import recorded
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.pages._results import LISTED, Drawn, Files, figures, newest
from researchpack.pages._strips import said, strip

if TYPE_CHECKING:
    from markupsafe import Markup

    from researchpack.records import (
        Artefact,
        Experiment,
        ExperimentView,
        InputFile,
        Registration,
        RunRecord,
    )

MEANINGS: Final = (
    (
        "RUN",
        "its run is recorded here, and nothing of it that could be compared has changed since",
    ),
    ("STALE", "a run is recorded, and its predictions, command, inputs or code have changed since"),
    ("FAILED", "the last run did not complete; what it would show is not known"),
    ("REPORTED", "a person states to have run it elsewhere; no run is recorded here"),
    ("UNRUN", "nobody has run it, and nothing follows from it"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An experiment with all that its article shows."""

    view: ExperimentView
    outcomes: tuple[Outcome, ...]
    tally: tuple[tuple[Outcome, int], ...]
    registrations: tuple[Registered, ...]
    differs: tuple[tuple[str, Markup], ...]
    """How the present text differs from the registered one."""
    figures: tuple[Drawn, ...]
    run: RunRecord | None
    """The completed run whose results are shown."""

    @property
    def experiment(self) -> Experiment:
        """The entry of the file."""
        return self.view.experiment

    @property
    def current(self) -> RunRecord | None:
        """The newest run that counts, completed or not."""
        return self.view.current

    @property
    def registered(self) -> Registration | None:
        """The registration that the run belongs to."""
        counted = (one.registration for one in self.registrations if one.counts)
        return next(counted, None)

    @property
    def inputs(self) -> list[InputFile]:
        """The files of the pack that the run was given."""
        return [one for one in self.run.inputs if not one.is_outside] if self.run else []

    @property
    def outside(self) -> list[InputFile]:
        """The files from outside of the project, of the newest run that was given any."""
        for run in reversed(self.view.runs):
            found = [one for one in run.inputs if one.is_outside and run.is_completed]
            if found:
                return found
        return []

    @property
    def complaint(self) -> Artefact | None:
        """What a run that did not complete wrote to standard error."""
        run = self.current
        return run.artefact("errors.txt") if run is not None and not run.is_completed else None


def page(shown: Shown) -> Page:
    """The page `experiments/`."""
    view = shown.view
    entries = [_entry(found) for found in view.experiments]
    groups = (
        ("Experiments", "experiments", [one for one in entries if not one.experiment.is_check]),
        ("Local checks", "checks", [one for one in entries if one.experiment.is_check]),
    )
    counts = Counter(dict(status_counts(found.status for found in view.experiments)))
    return Page(
        path=f"{shown.path}/experiments",
        title=f"Experiments · {shown.title}",
        html=render(
            "experiments.html.j2",
            "../",
            shown,
            groups=groups,
            meanings=[(word, counts[word], meaning) for word, meaning in MEANINGS],
            recorded=recorded(view),
            claim_cell=claim_cell(view, "../"),
            files=Files(view),
            listed=LISTED,
            said=said,
            strip=strip,
            told=told,
            tail=_tail,
            command=_command,
        ),
        headings=tuple(Heading(id=anchor, title=title) for title, anchor, _ in groups),
    )


def _entry(view: ExperimentView) -> Entry:
    found = outcomes(view)
    return Entry(
        view=view,
        outcomes=tuple(found),
        tally=tuple(tally(found)),
        registrations=tuple(registrations(view)),
        differs=tuple(present_differs(view)),
        figures=tuple(figures(view)),
        run=newest(view),
    )


def _tail(artefact: Artefact) -> str:
    """The last lines of what a run wrote."""
    words = (artefact.data or b"").decode("utf-8", "replace").rstrip()
    return "\n".join(words[-2000:].split("\n")[-12:])


def _command(experiment: Experiment) -> str:
    """The command as it is written, with the place of the seeds marked."""
    return " ".join(map(str, experiment.command))
