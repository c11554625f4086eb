"""The folder `runs/` of a pack, and what its experiments are made of now -> `Laboratory`."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from researchpack import disk
from researchpack.formats.runs import is_record_name, read_registration, read_run
from researchpack.records import Given, InputFile, Laboratory
from researchpack.run import package

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    from researchpack.places import Text
    from researchpack.records import Experiment, Registration, RunRecord

    Reader: TypeAlias = Callable[[str], bytes | None]

FOLDER: Final = "runs"
_LONGEST_NAME: Final = 255
"""Bytes. Systems answer a longer name with an error and not with "no such file"."""
_ARTEFACT: Final = re.compile(r"artefacts/[A-Za-z0-9_-][A-Za-z0-9._-]{0,150}")


def laboratory(folder: Path, experiments: tuple[Experiment, ...], read: Reader) -> Laboratory:
    """Everything that the folder of a pack says about runs.

    `read` gives the bytes of a file below it, by name, and keeps them for publication.
    """
    runs: list[RunRecord] = []
    registrations: list[Registration] = []
    kept: set[str] = set()
    for name in disk.list_folders(folder / FOLDER):
        found, known = _runs(folder, name, read)
        runs += found
        given, there = _registrations(folder, name, read)
        registrations += given
        kept |= {f"{name}/{file}" for file in known | there}
    files = disk.list_below(folder / FOLDER)
    stray = [f"{FOLDER}/{file}" for file in files if file not in kept]
    packages = dict.fromkeys(str(name) for one in experiments for name in one.packages)
    return Laboratory(
        runs=tuple(sorted(runs, key=lambda run: (run.started, run.id))),
        registrations=tuple(
            sorted(registrations, key=lambda entry: (entry.registered, entry.name))
        ),
        given=tuple((str(one.id), given_files(folder, one, read)) for one in experiments),
        packages=tuple(package(name) for name in packages),
        stray=tuple(stray),
    )


def given_files(folder: Path, experiment: Experiment, read: Reader) -> Given:
    """The files that the inputs of an experiment name; a folder stands for all that is in it."""
    inputs: dict[str, InputFile] = {}
    missing = []
    for name in experiment.inputs:
        files, fault = _named(folder, name)
        for file in files:
            data = read(file)
            if data is None:
                fault = "it cannot be read"
            else:
                digest = hashlib.sha256(data).hexdigest()
                inputs[file] = InputFile(file=file, sha256=digest, size=len(data))
        if fault:
            missing.append((name, fault))
    for word in experiment.command[1:]:
        if word not in inputs and _named(folder, word) == ([str(word)], ""):
            missing.append((word, "it stands in the command and is no input"))
    return Given(inputs=tuple(inputs.values()), missing=tuple(missing))


def _named(folder: Path, name: Text) -> tuple[list[str], str]:
    """The files that an input names, and why it names none."""
    parts = name.rstrip("/").split("/")
    if name.startswith(("/", "~")) or "\\" in name or {"", ".", ".."} & set(parts):
        return [], "it is no path inside of the pack"
    if any(len(part.encode()) > _LONGEST_NAME for part in parts):
        return [], "there is no such file"
    path = folder.joinpath(*parts)
    if any(folder.joinpath(*parts[: at + 1]).is_symlink() for at in range(len(parts))):
        return [], "it is a link"
    if parts[0] in (FOLDER, "copies", "out", "outside"):
        return [], f"nothing in {parts[0]}/ can be an input"
    if path.is_file():
        return ["/".join(parts)], ""
    if not path.is_dir():
        return [], "there is no such file"
    files = [f"{'/'.join(parts)}/{file}" for file in disk.list_below(path)]
    return files, "" if files else "the folder is empty"


def _runs(folder: Path, name: str, read: Reader) -> tuple[list[RunRecord], set[str]]:
    """The records of one experiment, and the names of the files that belong to them."""
    found, known = [], set()
    linked = (folder / FOLDER / name / "artefacts").is_symlink()

    def kept(file: str) -> bytes | None:
        return None if linked else _kept(name, file, read)

    for file in disk.list_files(folder / FOLDER / name, "*.json"):
        data = read(f"{FOLDER}/{name}/{file}")
        record = read_run(file, name, data, kept)
        if not is_record_name(file) and record.fault:
            continue
        found.append(record)
        known |= {file, *(artefact.file for artefact in record.artefacts)}
    return found, known


def _kept(name: str, file: str, read: Reader) -> bytes | None:
    """The bytes of an artefact; its name may not lead out of the folder of the experiment."""
    if not _ARTEFACT.fullmatch(file):
        return None
    return read(f"{FOLDER}/{name}/{file}")


def _registrations(folder: Path, name: str, read: Reader) -> tuple[list[Registration], set[str]]:
    found, known = [], set[str]()
    place = folder / FOLDER / name / "registrations"
    for file in [] if place.is_symlink() else disk.list_files(place, "*.json"):
        data = read(f"{FOLDER}/{name}/registrations/{file}")
        found.append(read_registration(file, name, data))
        known.add(f"registrations/{file}")
    return found, known
