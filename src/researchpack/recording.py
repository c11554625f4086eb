"""The folder of records: `bib/records/`, or one that was named.

A record is read when an identifier asks for it, so that a project with thousands of records costs
a pack only its own. Every file is written whole or not at all, and no file holds more than one
record. So two refreshes at once cannot harm each other, nor can one that is killed: of two that
write one record the later one wins, and both hold an answer of the same registry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from researchpack import disk
from researchpack.formats.registry import (
    read_failure,
    read_record,
    record_path,
    write_failure,
    write_record,
)
from researchpack.places import Place
from researchpack.problems import Problem, Unreadable, error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from researchpack.formats._shared import Parsed
    from researchpack.records import Failure, Identifier, RegistryRecord

T = TypeVar("T")

ARCHIVE: Final = "archive"
"""Scheme of the records of archived copies; their ids are addresses of pages."""
FAILED: Final = "unreachable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What the folder holds for some identifiers."""

    records: tuple[RegistryRecord, ...] = ()
    failures: tuple[Failure, ...] = ()
    problems: tuple[Problem, ...] = ()


class Records:
    """One folder of records. `shown` is how its path is told."""

    def __init__(self, folder: Path, shown: str) -> None:
        self._folder = folder
        self._shown = shown.rstrip("/")
        self.problems: list[Problem] = []

    def record(
        self, scheme: str, identifier: str, version: int | None = None
    ) -> RegistryRecord | None:
        """The record of one identifier; None when there is none that can be read."""
        return self._read(record_path(scheme, identifier, version), read_record)

    def failure(self, scheme: str, identifier: str, version: int | None = None) -> Failure | None:
        """That a registry could not be asked."""
        name = record_path(scheme, identifier, version)
        return self._read(f"{FAILED}/{name}", read_failure)

    def save(self, record: RegistryRecord) -> None:
        """Write a record, and forget that its registry could not be asked. Raises `Unwritable`."""
        name = record_path(record.scheme, record.id, record.asked_version)
        disk.write_bytes(self._folder / name, write_record(record).encode())
        failed = self._folder / FAILED / name
        if failed.is_file():
            failed.unlink(missing_ok=True)

    def save_failure(self, failure: Failure) -> None:
        """Note that a registry could not be asked. Raises `Unwritable`."""
        name = record_path(failure.scheme, failure.id, failure.asked_version)
        disk.write_bytes(self._folder / FAILED / name, write_failure(failure).encode())

    def _read(self, name: str, reader: Callable[[str, str], Parsed[T | None]]) -> T | None:
        path = f"{self._shown}/{name}"
        try:
            data = disk.read_if_there(self._folder / name)
            if data is None:
                return None
            parsed = reader(data.decode("utf-8"), path)
        except (Unreadable, UnicodeDecodeError) as fault:
            self.problems.append(
                error(
                    Place(path),
                    "records.unreadable",
                    f"The record of a registry cannot be read: {fault}.",
                    "Delete the file and run `researchpack refresh`.",
                )
            )
            return None
        self.problems += parsed.problems
        return parsed.value


def recorded(folder: Path, shown: str, identifiers: Iterable[Identifier]) -> Recorded:
    """Everything that the folder holds for the identifiers, in their order.

    Of an identifier that names a version the record of the newest version comes along: it is told
    apart by `asked_version`, and answers what the other cannot.
    """
    if not folder.is_dir():
        return Recorded()
    store = Records(folder, shown)
    records: list[RegistryRecord | None] = []
    failures: list[Failure | None] = []
    for scheme, value, version in dict.fromkeys(_keys(identifiers)):
        records.append(store.record(scheme, value, version))
        failures.append(store.failure(scheme, value, version))
    return Recorded(
        records=tuple(one for one in records if one is not None),
        failures=tuple(one for one in failures if one is not None),
        problems=tuple(store.problems),
    )


def _keys(identifiers: Iterable[Identifier]) -> Iterable[tuple[str, str, int | None]]:
    for one in identifiers:
        if one.version is not None:
            yield (one.scheme, one.value, one.version)
        yield (one.scheme, one.value, None)
        if one.scheme == "url":
            yield (ARCHIVE, one.value, None)
