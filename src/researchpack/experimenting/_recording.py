"""A run that ended -> its record, and how it compares with the runs before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from researchpack import disk, run
from researchpack.formats.runs import (
    as_file,
    file_name,
    registered,
    registered_sha256,
    registration_json,
    run_json,
    unlike,
)
from researchpack.formats.values import values_in
from researchpack.outcomes import criteria_of
from researchpack.problems import Unwritable
from researchpack.records import Artefact, InputFile, RunRecord
from researchpack.runbook import FOLDER

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from researchpack.experimenting._records import Planned
    from researchpack.records import ExperimentView, Pack
    from researchpack.run import Ran


def stamp(moment: datetime) -> str:
    """UTC to the thousandth of a second, so that runs keep their order."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def register(folder: Path, view: ExperimentView, now: datetime) -> None:
    """Write down what is predicted, unless the same stands there already."""
    content = registered(view.experiment)
    digest = registered_sha256(view.experiment)
    if content is None or any(one.sha256 == digest for one in view.registrations if not one.fault):
        return
    _no_links(folder / FOLDER / str(view.experiment.id))
    data = as_file(registration_json(view.experiment, content, stamp(now)))
    name = file_name(stamp(now), hashlib.sha256(data).hexdigest())
    disk.write_bytes(folder / FOLDER / str(view.experiment.id) / "registrations" / name, data)


def record_of(
    root: Path,
    pack: Pack,
    planned: Planned,
    ran: Ran,
    times: tuple[datetime, datetime],
    given: list[tuple[str, bytes]],
) -> RunRecord:
    """The record of a run, without its id and what it reproduces. `given`: every file that the
    command was handed, as it was then."""
    experiment = planned.view.experiment
    values = values_in(ran.artefacts) if ran.outcome == "completed" else ()
    return RunRecord(
        id="",
        experiment=str(experiment.id),
        outcome=ran.outcome,
        exit_status=ran.exit_status,
        limits_hit=ran.limits_hit,
        command=planned.command,
        started=stamp(times[0]),
        ended=stamp(times[1]),
        seconds=ran.seconds,
        network=ran.network,
        interpreter=run.interpreter(),
        platform=run.system(),
        revision=run.revision(root, pack.folder),
        packages=tuple(run.package(str(name)) for name in experiment.packages),
        seeds=tuple(map(str, experiment.seeds)),
        registration=registered_sha256(experiment),
        inputs=tuple(
            InputFile(file=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data))
            for name, data in given
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


def write_run(folder: Path, record: RunRecord, artefacts: dict[str, bytes]) -> Path:
    """The artefacts, then the record that names them: whatever stops in between loses nothing."""
    _no_links(folder)
    for one in record.artefacts:
        if disk.read_if_there(folder / one.file) != artefacts[one.name]:
            disk.write_bytes(folder / one.file, artefacts[one.name])
    data = as_file(run_json(record))
    path = folder / file_name(record.started, hashlib.sha256(data).hexdigest())
    disk.write_bytes(path, data)
    return path


def _no_links(folder: Path) -> None:
    """Refuse to write through a link: a pack's records lie in the pack."""
    for path in (
        folder.parent,
        folder,
        *(folder / name for name in ("artefacts", "registrations")),
    ):
        if path.is_symlink():
            raise Unwritable(f"{path.parent.name}/{path.name} is a link; nothing is written there.")


def same_before(view: ExperimentView, record: RunRecord) -> RunRecord | None:
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


def differences(before: RunRecord, record: RunRecord) -> tuple[str, ...]:
    """What is not the same; of a run that left a part out, only what it made is compared."""
    if record.outcome != "completed":
        return (f"run {before.id} completed, and this one {record.outcome}",)
    part = _outside_of(before) != _outside_of(record)
    old, new = dict(before.values), dict(record.values)
    paths = list(new) if part else list(dict.fromkeys([*old, *new]))
    return (
        *(f"{name} is not the same" for name in unlike(before, record, partly=part)),
        *(
            f"{path} was {old.get(path)} and is {new.get(path)}"
            for path in paths
            if old.get(path) != new.get(path)
        ),
    )
