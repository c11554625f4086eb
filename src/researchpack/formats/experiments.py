"""`experiments.yaml` -> `Experiment` records: experiments (X) and local checks (L)."""

from __future__ import annotations

from researchpack.formats._shared import Fields, Parsed, read_list
from researchpack.formats.sources import read_bearings
from researchpack.records import Experiment, Prediction, Reported

KEYS = (
    "id",
    "title",
    "question",
    "method",
    "predictions",
    "success",
    "failure",
    "command",
    "inputs",
    "reported",
    "bears_on",
)
REPORTED = ("by", "date", "command", "outcome", "output")


def read_experiments(text: str, path: str) -> Parsed[tuple[Experiment, ...]]:
    """Experiments and checks, in file order."""
    entries, notes = read_list(text, path, KEYS)
    found = []
    for entry in entries:
        experiment_id = entry.required("id", "An experiment")
        if experiment_id is None:
            continue
        found.append(
            Experiment(
                id=experiment_id,
                title=entry.required("title", f'Experiment "{experiment_id}"'),
                question=entry.text("question"),
                method=entry.text("method"),
                predictions=_predictions(entry),
                success=entry.text("success"),
                failure=entry.text("failure"),
                command=entry.texts("command"),
                inputs=entry.texts("inputs"),
                reported=_reported(entry),
                bears_on=read_bearings(entry),
                place=entry.place,
            )
        )
    return notes.parsed(tuple(found))


def _predictions(entry: Fields) -> tuple[Prediction, ...]:
    found = []
    for fields in entry.maps("predictions", ("text", "written")):
        words = fields.required("text", "A prediction")
        if words is not None:
            found.append(Prediction(text=words, written=fields.text("written")))
    return tuple(found)


def _reported(entry: Fields) -> Reported | None:
    fields = entry.map("reported", REPORTED)
    if fields is None:
        return None
    return Reported(
        by=fields.required("by", "A reported run"),
        date=fields.required("date", "A reported run"),
        command=fields.text("command"),
        outcome=fields.required("outcome", "A reported run"),
        output=fields.text("output"),
        place=fields.place,
    )
