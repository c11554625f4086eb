"""Experiments of `pack.json`: as the file has them, and what follows from their runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from researchpack.records import Limits

if TYPE_CHECKING:
    from researchpack.records import Bearing, Experiment, ExperimentView, RunRecord, View

Json = dict[str, Any]


def bearing_json(bearing: Bearing) -> Json:
    """What a source or an experiment says about one claim."""
    return {
        "claim": bearing.claim,
        "relation": bearing.relation,
        "because": bearing.because,
        "quote": bearing.quote,
        "locator": bearing.locator,
    }


def experiment_json(entry: Experiment, view: View) -> Json:
    """The keys of the file as the file has them, and after them what follows from the runs.

    References to measured values stay as they are written: whoever compares two packs compares
    words.
    """
    reported = entry.reported
    found = view.experiment(entry.id)
    assert found is not None, "every experiment has its view"
    return {
        "id": entry.id,
        "title": entry.title,
        "status": found.status.value,
        "reason": found.reason,
        "question": entry.question,
        "method": entry.method,
        "predictions": [
            {"text": p.text, "written": p.written, "rule": p.rule} for p in entry.predictions
        ],
        "success": entry.success,
        "success_rule": entry.success_rule,
        "failure": entry.failure,
        "failure_rule": entry.failure_rule,
        "command": list(entry.command),
        "inputs": list(entry.inputs),
        "outside": [
            {
                "name": one.name,
                "what": one.what,
                "files": list(one.files),
                "required": "yes" if one.required else None,
            }
            for one in entry.outside
        ],
        "seeds": list(entry.seeds),
        "packages": list(entry.packages),
        "limits": _limits(entry.limits),
        "needs": entry.needs,
        "limitations": entry.limitations,
        "figures": [
            {
                "title": one.title,
                "file": one.file,
                "kind": one.kind,
                "x": one.x,
                "y": list(one.y),
                "summary": one.summary,
            }
            for one in entry.figures
        ],
        "notebook": "yes" if entry.notebook else None,
        "reported": None
        if reported is None
        else {
            "by": reported.by,
            "date": reported.date,
            "command": reported.command,
            "outcome": reported.outcome,
            "output": reported.output,
        },
        "bears_on": [bearing_json(bearing) for bearing in entry.bears_on],
        **_results(found),
    }


def _limits(limits: Limits) -> Json:
    """The limits that are not the usual ones, as the file would have them."""
    usual = Limits()
    return {
        name: getattr(limits, name)
        for name in ("seconds", "memory_mb", "output_mb")
        if getattr(limits, name) != getattr(usual, name)
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
    """A run without its inputs and values: they stand in its file, and can be many."""
    return {
        "id": run.id,
        "file": f"runs/{run.experiment}/{run.id}.json",
        "outcome": run.outcome,
        "exit_status": run.exit_status,
        "limits_hit": list(run.limits_hit),
        "started": run.started,
        "ended": run.ended,
        "network": run.network,
        "interpreter": run.interpreter,
        "platform": run.platform,
        "revision": run.revision,
        "packages": [
            {"name": one.name, "version": one.version, "sha256": one.sha256} for one in run.packages
        ],
        "registration": run.registration,
        "artefacts": [
            {
                "name": one.name,
                "file": f"runs/{run.experiment}/{one.file}",
                "sha256": one.sha256,
                "bytes": one.size,
            }
            for one in run.artefacts
        ],
        "skipped": [{"what": what, "why": why} for what, why in run.skipped],
        "reproduces": run.reproduces,
        "fault": run.fault or None,
    }
