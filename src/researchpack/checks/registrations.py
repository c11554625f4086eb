"""Predictions come before results, and stay what they were.

Before a run the tool writes down its predictions and criteria. Those of now must be those that
were registered for the newest run; who wants others runs the experiment again, which makes a
new registration, and the pages show both. A registration must be there and must not be younger
than its run. A prediction is late when its day is after the first run that it was registered for;
one that is in no registration of a completed run is compared with the day of the reported run.

Rules: `experiments.registration-changed`, `experiments.registered-late`,
`experiments.prediction-late`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.checks.runs import record_place
from researchpack.dates import parse_date
from researchpack.formats.runs import registered_sha256
from researchpack.places import Place, Text
from researchpack.problems import Problem, error, nearest, warning

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from researchpack.records import (
        Experiment,
        ExperimentView,
        Pack,
        Prediction,
        Registration,
        RunRecord,
        View,
    )

_PARTS: Final = ("text", "day", "rule")
_FIX: Final = (
    "Take the change back, or run the experiment again: a new registration begins with that run,"
    " and the pages show both."
)


def check(view: View) -> Iterator[Problem]:
    """Predictions and criteria of one pack that are not those that its runs were made for."""
    for found in view.experiments:
        yield from _changed(found)
        yield from _missing(view.pack, found)
        yield from _late(found)


def _sound(found: ExperimentView) -> list[RunRecord]:
    return [run for run in found.runs if not run.fault]


def _registration(found: ExperimentView, run: RunRecord) -> Registration | None:
    """What was registered for a run: the oldest of the same content, a sound one first."""
    same = [one for one in found.registrations if one.sha256 == run.registration]
    return min(same, key=lambda one: bool(one.fault), default=None)


def _changed(found: ExperimentView) -> Iterator[Problem]:
    """What differs from the registration of the newest run."""
    experiment, runs = found.experiment, _sound(found)
    if not any(run.is_completed for run in runs):
        return
    run = runs[-1]
    if run.registration == registered_sha256(experiment):
        return
    told = list(_differences(experiment, _registration(found, run), run))
    if not told:
        what = f"The predictions of {experiment.id}, or their order, were changed."
        told = [(experiment.id.place, what)]
    for place, what in told:
        yield error(
            place,
            "experiments.registration-changed",
            f"{what} Something else was registered for the newest run, {run.id}.",
            _FIX,
        )


def _differences(
    experiment: Experiment, entry: Registration | None, run: RunRecord
) -> Iterator[tuple[Place, str]]:
    """Where something differs, and a sentence about it; nothing when nobody can compare."""
    if entry is None and run.registration is not None:
        return
    before = list(entry.predictions) if entry is not None else []
    now = [_told(one) for one in experiment.predictions]
    gone = [one for one in before if one not in now]
    for prediction, own in zip(experiment.predictions, now, strict=True):
        if own in before:
            continue
        known = _counterpart(own, gone)
        if known is None:
            what = f"A prediction of {experiment.id} was added."
        else:
            gone.remove(known)
            what = f"A prediction of {experiment.id} was changed: {_parts(known, own)}."
        yield prediction.text.place, what
    for one in gone:
        yield (
            experiment.id.place,
            f'A prediction of {experiment.id} was taken out: "{_cut(one[0])}".',
        )
    for kind in ("success", "failure"):
        text, rule = getattr(experiment, kind), getattr(experiment, f"{kind}_rule")
        was = getattr(entry, kind) if entry is not None else ("", "")
        if was != (_plain(text), _plain(rule)):
            place = next((one for one in (text, rule) if one is not None), experiment.id).place
            told = _parts((was[0], "", was[1]), (_plain(text), "", _plain(rule)))
            yield place, f"The criterion `{kind}` of {experiment.id} was changed: {told}."


def _counterpart(
    own: tuple[str, str, str], gone: list[tuple[str, str, str]]
) -> tuple[str, str, str] | None:
    """Which of the predictions that are gone this one was, by its words."""
    near = nearest(own[0], [text for text, _, _ in gone])
    return next((one for one in gone if one[0] == near), None)


def _told(one: Prediction) -> tuple[str, str, str]:
    return _plain(one.text), _plain(one.written), _plain(one.rule)


def _plain(words: Text | None) -> str:
    """As a registration has it."""
    return " ".join(str(words or "").split())


def _parts(before: tuple[str, str, str], now: tuple[str, str, str]) -> str:
    told = [
        f'its {name} was "{_cut(was)}" and is "{_cut(own)}"'
        for name, was, own in zip(_PARTS, before, now, strict=True)
        if was != own
    ]
    return "; ".join(told)


def _missing(pack: Pack, found: ExperimentView) -> Iterator[Problem]:
    """Runs without their registration, or older than it."""
    for run in _sound(found):
        if run.registration is None:
            continue
        entry = _registration(found, run)
        if entry is None:
            what = "The registration of this run is not there, or was changed."
        elif run.started < entry.registered:
            what = (
                f"This run began at {run.started}, and its predictions were registered at"
                f" {entry.registered}."
            )
        else:
            continue
        yield error(
            record_place(pack, run),
            "experiments.registered-late",
            what,
            "Take the registration back from the history, or run the experiment again.",
        )


def _late(found: ExperimentView) -> Iterator[Problem]:
    experiment = found.experiment
    reported = parse_date(experiment.reported.date or "") if experiment.reported else None
    completed = [run for run in found.runs if run.is_completed]
    for prediction in experiment.predictions:
        written = parse_date(prediction.written or "")
        run = _first(found, completed, prediction)
        if run is not None:
            day = parse_date(run.started[:10])
            late = bool(written and day and _days(written.first, day.last) > 1)
        else:
            late = reported is not None and (written is None or written.first > reported.last)
        if late:
            yield warning(
                prediction.text.place,
                "experiments.prediction-late",
                f"A prediction of {experiment.id} was not written down before its run.",
                "Say so in the outcome; a prediction made afterwards shows nothing.",
            )


def _days(later: date, earlier: date) -> int:
    """How many; one is nothing, for a run is told in UTC and a day is the writer's own."""
    return later.toordinal() - earlier.toordinal()


def _first(
    found: ExperimentView, completed: list[RunRecord], prediction: Prediction
) -> RunRecord | None:
    """The first completed run that a prediction was registered for."""
    for run in completed:
        entry = _registration(found, run)
        if entry is not None and _told(prediction) in entry.predictions:
            return run
    return None


def _cut(words: str) -> str:
    return words if len(words) <= 80 else f"{words[:79]}…"
