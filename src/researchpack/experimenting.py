"""The story of `experiment`: what is declared is shown, run in a clean folder, and recorded."""

from __future__ import annotations

import fnmatch
import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from researchpack import disk, run
from researchpack.formats.runs import (
    as_file,
    file_name,
    registered,
    registered_sha256,
    registration_json,
    run_json,
    values_in,
)
from researchpack.gather import gather
from researchpack.outcomes import command_of, command_text, criteria_of, experiment_views
from researchpack.problems import UsageFault, did_you_mean
from researchpack.records import Artefact, Given, InputFile, Package, RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from researchpack.records import Experiment, ExperimentView, Pack
    from researchpack.run import Ran

FOLDER: Final = "runs"
SAID: Final = frozenset({"output.txt", "errors.txt"})
"""What a run printed, beside what it made."""


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
    complaint: str
    """The last line that it printed to standard error."""


def views_of(root: Path, name: str, ids: Sequence[str] = ()) -> tuple[Pack, list[ExperimentView]]:
    """A pack, and its experiments that were named; all when none was. Raises `UsageFault`."""
    pack = gather(root, [name]).packs[0]
    views = experiment_views(pack.experiments, pack.laboratory)
    known = [str(view.experiment.id) for view in views]
    for one in ids:
        if one not in known:
            raise UsageFault(f'{pack.name} has no experiment "{one}". {did_you_mean(one, known)}')
    return pack, [view for view in views if not ids or str(view.experiment.id) in ids]


def plan(
    pack: Pack, views: Sequence[ExperimentView], outside: Mapping[str, Path], *, named: bool
) -> list[Planned | Refused]:
    """What can be run, and what cannot, in file order. `named`: the user asked for each of them."""
    broken = pack.is_broken("experiments.yaml")
    if broken:
        raise UsageFault("experiments.yaml cannot be read; `check` says why. Nothing was run.")
    known = {str(one.name) for view in views for one in view.experiment.outside}
    for name, path in outside.items():
        if name not in known:
            raise UsageFault(f'No experiment reads "{name}" from outside. {_known(known)}')
        if not path.exists():
            raise UsageFault(f"There is no {path}.")
    given = dict(pack.laboratory.given)
    return [
        _planned(view, given.get(str(view.experiment.id), Given()), outside, named=named)
        for view in views
    ]


def _known(names: set[str]) -> str:
    return f"Known here: {', '.join(sorted(names))}." if names else "None of them does."


def _planned(
    view: ExperimentView, given: Given, outside: Mapping[str, Path], *, named: bool
) -> Planned | Refused:
    experiment = view.experiment
    own = str(experiment.id)
    if not experiment.command:
        return Refused(id=own, why=f"{own} is not run: {view.reason}.", fault=named)
    if given.missing:
        told = "; ".join(f'"{name}": {why}' for name, why in given.missing)
        return Refused(id=own, why=f"{own} is not run: {told}.", fault=True)
    skipped = []
    for one in experiment.outside:
        if str(one.name) not in outside:
            what = f"outside/{one.name}"
            why = f"no place was named with --outside {one.name}=PATH"
            if one.required:
                told = f"{own} is not run: it needs {what}, and {why}."
                return Refused(id=own, why=told, fault=False)
            skipped.append((what, why))
    named_here = {str(one.name) for one in experiment.outside}
    return Planned(
        view=view,
        command=command_of(experiment),
        inputs=given.inputs,
        outside=tuple((name, path) for name, path in outside.items() if name in named_here),
        skipped=tuple(skipped),
    )


def carry_out(
    root: Path,
    pack: Pack,
    planned: Planned,
    clock: Callable[[], datetime],
    tick: Callable[[float], None],
) -> Done:
    """Run one experiment, record it, and say how it differs from the last run of the same.

    Predictions are registered before the first run, and again whenever they have changed. A
    failed, stopped or interrupted run is recorded as what it is. Raises `CannotRun`.
    """
    experiment = planned.view.experiment
    folder = root / pack.folder
    started = clock()
    _register(folder, planned.view, started)
    files = [(one.file, disk.read_bytes(folder / one.file)) for one in planned.inputs]
    taken = [
        (f"outside/{name}/{file}", data)
        for name, path in planned.outside
        for file, data in _outside(path, experiment, name)
    ]
    ran = run.run(planned.command, [*files, *taken], experiment.limits, tick)
    ended = clock()
    record = _record(root, pack, planned, ran, (started, ended), taken)
    before = _same_before(planned.view, record)
    differs = _differences(before, record) if before is not None else ()
    if before is not None and not differs:
        record = replace(record, reproduces=before.id)
    path = _write(folder / FOLDER / str(experiment.id), record, dict(ran.artefacts))
    record = replace(record, id=path.name.removesuffix(".json"))
    said = dict(ran.artefacts).get("errors.txt", b"").decode("utf-8", "replace").split("\n")
    complaint = next((line.strip() for line in reversed(said) if line.strip()), "")
    where = path.relative_to(root).as_posix()
    return Done(record=record, path=where, differs=differs, complaint=complaint)


def _stamp(moment: datetime) -> str:
    """UTC to the thousandth of a second, so that runs keep their order."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _register(folder: Path, view: ExperimentView, now: datetime) -> None:
    """Write down what is predicted, unless the same stands there already."""
    content = registered(view.experiment)
    digest = registered_sha256(view.experiment)
    if content is None or any(one.sha256 == digest for one in view.registrations if not one.fault):
        return
    data = as_file(registration_json(view.experiment, content, _stamp(now)))
    name = file_name(_stamp(now), hashlib.sha256(data).hexdigest())
    disk.write_bytes(folder / FOLDER / str(view.experiment.id) / "registrations" / name, data)


def _outside(path: Path, experiment: Experiment, name: str) -> list[tuple[str, bytes]]:
    """The files from outside that the experiment asks for, by name below their folder."""
    if path.is_file():
        return [(path.name, disk.read_bytes(path))]
    wanted = next((one.files for one in experiment.outside if one.name == name), ())
    found = [
        (file, disk.read_bytes(path / file))
        for file in disk.list_below(path)
        if not wanted or any(fnmatch.fnmatchcase(file, pattern) for pattern in wanted)
    ]
    if not found:
        told = ", ".join(wanted)
        raise UsageFault(f"{path} has none of the files that {experiment.id} reads: {told}.")
    return found


def _record(
    root: Path,
    pack: Pack,
    planned: Planned,
    ran: Ran,
    times: tuple[datetime, datetime],
    taken: list[tuple[str, bytes]],
) -> RunRecord:
    experiment = planned.view.experiment
    values = values_in(ran.artefacts) if ran.outcome == "completed" else ()
    return RunRecord(
        id="",
        experiment=str(experiment.id),
        outcome=ran.outcome,
        exit_status=ran.exit_status,
        limits_hit=ran.limits_hit,
        command=planned.command,
        started=_stamp(times[0]),
        ended=_stamp(times[1]),
        seconds=ran.seconds,
        network=ran.network,
        interpreter=run.interpreter(),
        platform=run.system(),
        revision=run.revision(root, pack.folder),
        packages=tuple(run.package(str(name)) for name in experiment.packages),
        seeds=tuple(map(str, experiment.seeds)),
        registration=registered_sha256(experiment),
        inputs=(
            *planned.inputs,
            *(
                InputFile(file=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data))
                for name, data in taken
            ),
        ),
        artefacts=tuple(_artefact(name, data) for name, data in ran.artefacts),
        values=values,
        criteria=criteria_of(experiment, dict(values)),
        skipped=planned.skipped,
    )


def _artefact(name: str, data: bytes) -> Artefact:
    digest = hashlib.sha256(data).hexdigest()
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name.lower())
    return Artefact(
        name=name,
        file=f"artefacts/{digest[:12]}-{plain[-80:]}",
        sha256=digest,
        size=len(data),
    )


def _write(folder: Path, record: RunRecord, artefacts: dict[str, bytes]) -> Path:
    """The artefacts, then the record that names them: whatever stops in between loses nothing."""
    for one in record.artefacts:
        if not (folder / one.file).is_file():
            disk.write_bytes(folder / one.file, artefacts[one.name])
    data = as_file(run_json(record))
    path = folder / file_name(record.started, hashlib.sha256(data).hexdigest())
    disk.write_bytes(path, data)
    return path


def _same_before(view: ExperimentView, record: RunRecord) -> RunRecord | None:
    """The newest completed run that was made of the same: command, inputs, code, seeds.

    One that left out the same parts comes first; else one that did what this one leaves out.
    """
    same = [one for one in view.runs if one.is_completed and _made_of(one) == _made_of(record)]
    alike = [one for one in same if _outside_of(one) == _outside_of(record)]
    more = [one for one in same if record.skipped and not one.skipped]
    return next(iter([*reversed(alike), *reversed(more)]), None)


def _made_of(record: RunRecord) -> tuple[Any, ...]:
    return (
        record.command,
        record.seeds,
        sorted((one.file, one.sha256) for one in record.inputs if not one.is_outside),
        sorted((one.name, one.sha256) for one in record.packages),
    )


def _outside_of(record: RunRecord) -> tuple[Any, ...]:
    files = sorted((one.file, one.sha256) for one in record.inputs if one.is_outside)
    return files, record.skipped


def _differences(before: RunRecord, record: RunRecord) -> tuple[str, ...]:
    """What is not the same; of a run that left a part out, only what it made is compared."""
    if record.outcome != "completed":
        return (f"run {before.id} completed, and this one {record.outcome}",)
    part = _outside_of(before) != _outside_of(record)
    then = {one.name: one.sha256 for one in before.artefacts}
    now = {one.name: one.sha256 for one in record.artefacts}
    old, new = dict(before.values), dict(record.values)
    # What a run prints may name the part that it left out.
    names = now.keys() - SAID if part else then.keys() | now.keys()
    paths = list(new) if part else list(dict.fromkeys([*old, *new]))
    return (
        *(f"{name} is not the same" for name in sorted(names) if then.get(name) != now.get(name)),
        *(
            f"{path} was {old.get(path)} and is {new.get(path)}"
            for path in paths
            if old.get(path) != new.get(path)
        ),
    )


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
    return "".join(lines)


def show_json(pack: Pack, views: Sequence[ExperimentView]) -> str:
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


def show_text(pack: Pack, view: ExperimentView) -> str:
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
    return "\n".join(lines).rstrip() + "\n"


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
