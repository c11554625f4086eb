"""The story of `experiment`: what is declared is shown, run in a clean folder, and recorded."""

from __future__ import annotations

import fnmatch
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from researchpack import disk, run
from researchpack.cites import is_id
from researchpack.experimenting._recording import (
    differences,
    record_of,
    register,
    same_before,
    write_run,
)
from researchpack.experimenting._records import Done, Planned, Refused
from researchpack.experimenting._told import list_json, list_text, show_json, show_text
from researchpack.formats.experiments import program_fault
from researchpack.formats.values import value_faults
from researchpack.gather import gather
from researchpack.outcomes import command_of, experiment_views
from researchpack.problems import UsageFault, did_you_mean
from researchpack.records import Given
from researchpack.reports import visible
from researchpack.runbook import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from researchpack.records import Experiment, ExperimentView, Pack

__all__ = [
    "Done",
    "Planned",
    "Refused",
    "carry_out",
    "list_json",
    "list_text",
    "plan",
    "show_json",
    "show_text",
    "views_of",
]


def views_of(root: Path, name: str, ids: Sequence[str] = ()) -> tuple[Pack, list[ExperimentView]]:
    """A pack, and its experiments that were named; all when none was. Raises `UsageFault`."""
    pack = gather(root, [name]).packs[0]
    views = experiment_views(pack.experiments, pack.laboratory)
    known = [str(view.experiment.id) for view in views]
    for one in ids:
        if one not in known and pack.is_broken("experiments.yaml"):
            raise UsageFault(f"experiments.yaml of {pack.name} cannot be read; `check` says why.")
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
    ids = [str(one.id) for one in pack.experiments]
    return [
        Refused(id=own, why=f"{visible(own)} is not run: its id is {fault}.", fault=True)
        if (fault := _id_fault(own := str(view.experiment.id), ids))
        else _planned(view, given.get(own, Given()), outside, named=named)
        for view in views
    ]


def _id_fault(own: str, ids: Sequence[str]) -> str:
    """Why nothing can be recorded under an id; a record is a path that begins with it."""
    if not is_id(own, "XL"):
        return "not X or L and digits"
    return "given twice" if ids.count(own) > 1 else ""


def _known(names: set[str]) -> str:
    return f"Known here: {', '.join(sorted(names))}." if names else "None of them does."


def _planned(
    view: ExperimentView, given: Given, outside: Mapping[str, Path], *, named: bool
) -> Planned | Refused:
    experiment = view.experiment
    own = str(experiment.id)
    if experiment.needs is not None or not experiment.command:
        return Refused(id=own, why=f"{own} is not run: {view.reason}.", fault=named)
    if faults := list(_faults(experiment, given)):
        return Refused(id=own, why=f"{own} is not run: {'; '.join(faults)}.", fault=True)
    skipped = []
    for one in experiment.outside:
        if str(one.name) not in outside:
            what = f"outside/{one.name}"
            why = f"no place was named with --outside {one.name}=PATH"
            if one.required:
                told = f"{own} is not run: it needs {what}, and {why}."
                return Refused(id=own, why=told, fault=named)
            skipped.append((what, why))
    named_here = {str(one.name) for one in experiment.outside}
    return Planned(
        view=view,
        command=command_of(experiment),
        inputs=given.inputs,
        outside=tuple((name, path) for name, path in outside.items() if name in named_here),
        skipped=tuple(skipped),
    )


def _faults(experiment: Experiment, given: Given) -> Iterator[str]:
    """What keeps a command from being run, although it is there."""
    name = str(experiment.command[0])
    if fault := program_fault(name):
        yield f'"{name}" is {fault}'
    elif run.program(name) is None:
        yield f'there is no program "{name}" on this machine'
    if any("\0" in word for word in experiment.command):
        yield "a word of it holds a character that no command can hold"
    yield from (f'"{file}": {why}' for file, why in given.missing)


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
    given = [(one.file, disk.read_bytes(folder / one.file)) for one in planned.inputs]
    given += [
        (f"outside/{name}/{file}", data)
        for name, path in planned.outside
        for file, data in _outside(path, experiment, name)
    ]
    started = clock()
    register(folder, planned.view, started)
    ran = run.run(planned.command, given, experiment.limits, tick)
    ended = clock()
    record = record_of(root, pack, planned, ran, (started, ended), given)
    before = same_before(planned.view, record)
    differs = differences(before, record) if before is not None else ()
    if before is not None and not differs:
        record = replace(record, reproduces=before.id)
    path = write_run(folder / FOLDER / str(experiment.id), record, dict(ran.artefacts))
    record = replace(record, id=path.name.removesuffix(".json"))
    said = dict(ran.artefacts).get("errors.txt", b"").decode("utf-8", "replace").split("\n")
    complaint = next((line.strip() for line in reversed(said) if line.strip()), "")
    where = path.relative_to(root).as_posix()
    return Done(
        record=record,
        path=where,
        differs=differs,
        faults=tuple(islice(value_faults(ran.artefacts), 5)),
        complaint=complaint,
    )


def _outside(path: Path, experiment: Experiment, name: str) -> list[tuple[str, bytes]]:
    """The files from outside that the experiment asks for, by name below their folder."""
    wanted = next((one.files for one in experiment.outside if one.name == name), ())
    if path.is_file() and (not wanted or _fits(path.name, wanted)):
        return [(path.name, disk.read_bytes(path))]
    found = [
        (file, disk.read_bytes(path / file))
        for file in disk.list_below(path)
        if not wanted or _fits(file, wanted)
    ]
    if not found:
        told = ", ".join(wanted)
        raise UsageFault(f"{path} has none of the files that {experiment.id} reads: {told}.")
    return found


def _fits(file: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(file, pattern) for pattern in patterns)
