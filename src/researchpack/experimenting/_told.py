"""Experiments and their runs as text and as JSON, for the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from researchpack.formats.runs import run_json
from researchpack.outcomes import command_of, command_text
from researchpack.reports import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.records import ExperimentView, Package, RunRecord


def list_json(views: Sequence[ExperimentView]) -> str:
    """The experiments for programs."""
    told = [
        {
            "id": str(view.experiment.id),
            "title": str(view.experiment.title or ""),
            "status": view.status.value,
            "reason": view.reason,
            "runs": [
                {"id": one.id, "outcome": one.outcome, "started": one.started} for one in view.runs
            ],
            "predictions": [
                {"text": one.text, "rule": one.rule, "outcome": one.outcome}
                for one in view.criteria
                if one.kind == "prediction"
            ],
        }
        for view in views
    ]
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def list_text(views: Sequence[ExperimentView]) -> str:
    """The experiments for people: one line each."""
    if not views:
        return "No experiments.\n"
    wide = max(len(view.experiment.id) for view in views)
    lines = [
        f"{view.experiment.id:<{wide}}  {view.status.value:<8}  {view.experiment.title}"
        f"\n{'':<{wide}}            {view.reason}\n"
        for view in views
    ]
    return "".join(visible(line[:-1]).replace("\\n", "\n") + "\n" for line in lines)


def show_json(views: Sequence[ExperimentView]) -> str:
    """Everything about experiments and their runs, for programs."""
    told = [
        {
            **json.loads(list_json([view]))[0],
            "command": list(command_of(view.experiment)),
            "criteria": [
                {"kind": c.kind, "text": c.text, "rule": c.rule}
                | {"outcome": c.outcome, "because": c.because}
                for c in view.criteria
            ],
            "values": {one.path: one.value for one in view.values},
            "registrations": [
                {"file": one.name, "registered": one.registered, "sha256": one.sha256}
                for one in view.registrations
            ],
            "run": None
            if view.current is None
            else {"id": view.current.id, **run_json(view.current)},
        }
        for view in views
    ]
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def show_text(view: ExperimentView) -> str:
    """One experiment for people: what is asked, what is run, what came out."""
    experiment = view.experiment
    lines = [f"{experiment.id}  {experiment.title}", f"{view.status.value}: {view.reason}", ""]
    if experiment.question:
        lines += [" ".join(experiment.question.split()), ""]
    if experiment.command:
        lines += [f"command: {command_text(experiment)}"]
        lines += [f"inputs:  {', '.join(experiment.inputs) or 'none'}"]
    for one in experiment.outside:
        lines += [f"outside: {one.name}{' (required)' if one.required else ''}: {one.what or ''}"]
    for c in view.criteria:
        lines += ["", f"{c.kind}: {c.text}", f"  {c.outcome}: {c.because}"]
    if view.current is not None:
        lines += ["", *_run_lines(view.current)]
    lines += [f"  {one.path} = {one.value}" for one in view.values]
    others = [one for one in view.runs if one != view.current]
    lines += ["", *(f"also run {one.id}: {one.fault or one.outcome}" for one in others)]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def _run_lines(record: RunRecord) -> list[str]:
    packages = ", ".join(_package(one) for one in record.packages)
    return [
        f"run {record.id}: {record.outcome}, exit status {record.exit_status}",
        f"  started {record.started}, {record.seconds} s, network {record.network}",
        f"  {record.interpreter}, {record.platform}{', ' + packages if packages else ''}",
        f"  code {record.revision}",
        *(f"  skipped {what}: {why}" for what, why in record.skipped),
        *(f"  {one.name}  {one.size} bytes  sha256 {one.sha256}" for one in record.artefacts),
    ]


def _package(one: Package) -> str:
    return f"{one.name} {one.version or '(not found)'} {one.sha256[:12]}".rstrip()
