"""Experiments of `pack.json`: as the file has them, and what follows from their runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from researchpack.entries import experiment_fields
from researchpack.formats.runs import run_json

if TYPE_CHECKING:
    from researchpack.records import Experiment, ExperimentView, RunRecord, View

Json = dict[str, Any]


def experiment_json(entry: Experiment, view: View) -> Json:
    """The keys of the file as the file has them, and after them what follows from the runs.

    References to measured values stay as they are written: whoever compares two packs compares
    words.
    """
    found = view.experiment(entry.id)
    assert found is not None, "every experiment has its view"
    return {
        **experiment_fields(entry),
        "status": found.status.value,
        "reason": found.reason,
        **_results(found),
    }


def _results(found: ExperimentView) -> Json:
    """What follows from the runs of an experiment."""
    return {
        "criteria": [
            {
                "kind": one.kind,
                "text": one.text,
                "rule": one.rule,
                "outcome": one.outcome,
                "because": one.because,
            }
            for one in found.criteria
        ],
        "values": [
            {"path": one.path, "value": one.value, "run": one.run.id, "old_code": one.old_code}
            for one in found.values
        ],
        "shown": [run.id for run in found.shown],
        "registrations": [
            {
                "file": f"runs/{one.experiment}/registrations/{one.name}",
                "registered": one.registered,
                "sha256": one.sha256,
                "fault": one.fault or None,
            }
            for one in found.registrations
        ],
        "runs": [_run(run) for run in found.runs],
    }


def _run(run: RunRecord) -> Json:
    """A run without its inputs, values and criteria: they stand in its file, and can be many."""
    told = run_json(run)
    for name in (
        "schema",
        "experiment",
        "command",
        "seconds",
        "seeds",
        "inputs",
        "values",
        "criteria",
    ):
        del told[name]
    return {
        "id": run.id,
        "file": f"runs/{run.experiment}/{run.id}.json",
        **told,
        "artefacts": [
            {**one, "file": f"runs/{run.experiment}/{one['file']}"} for one in told["artefacts"]
        ],
        "fault": run.fault or None,
    }
