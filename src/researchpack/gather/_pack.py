"""The folder of one pack -> its record."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from researchpack import disk
from researchpack.formats.claims import read_claims
from researchpack.formats.copies import read_copy_once
from researchpack.formats.experiments import read_experiments
from researchpack.formats.markdown import read_sections
from researchpack.formats.pack import read_pack
from researchpack.formats.proposals import read_proposals
from researchpack.formats.results import read_result, report_order
from researchpack.formats.review import read_review
from researchpack.formats.snapshot import read_snapshot
from researchpack.formats.sources import read_sources
from researchpack.formats.works import works_of
from researchpack.gather._files import Files
from researchpack.places import Place
from researchpack.problems import Unreadable, error
from researchpack.recording import recorded
from researchpack.records import ClaimAudit, FrozenPass, Pack, PackFile
from researchpack.runbook import laboratory

if TYPE_CHECKING:
    from researchpack.records import BibEntry, Book, ReportResult, Settings, Snapshot

_PLAIN_NAME: Final = re.compile(r"[\w.-]+")
"""Of folders whose names stand in addresses."""


def pack_of(
    root: Path,
    book: Book,
    book_folder: str,
    chapter: str,
    bibliography: tuple[BibEntry, ...] | None,
    settings: Settings,
) -> Pack:
    """The pack in one folder, with every problem of reading its files."""
    folder = f"research/{book_folder}/{chapter}"
    files = Files(root, folder)
    if not _PLAIN_NAME.fullmatch(f"{book_folder}{chapter}"):
        what = f'The folder name "{book_folder}/{chapter}" cannot be an address.'
        fix = "Rename it: letters, digits, - . and _ only."
        files.problems.append(error(Place(f"{folder}/pack.yaml"), "pack.folder-name", what, fix))
    file = files.read("pack.yaml", read_pack)
    if file is None:
        file = PackFile(place=Place(f"{folder}/pack.yaml"))
        if not any(p.place.path.endswith("pack.yaml") for p in files.problems):
            what = "The pack has no pack.yaml."
            fix = "Make one with `id`, `chapter` and `snapshot`."
            files.problems.append(error(file.place, "pack.missing", what, fix))
    experiments = files.read("experiments.yaml", read_experiments) or ()
    return Pack(
        name=f"{book_folder}/{chapter}",
        folder=folder,
        book=book,
        chapter=chapter,
        file=file,
        snapshot=_snapshot(files, file, folder),
        context=files.read("context.md", read_sections) or (),
        audit=files.read("claims.md", read_claims) or ClaimAudit(),
        sources=files.read("sources.yaml", read_sources) or (),
        findings=files.read("findings.md", read_sections) or (),
        proposals=files.read("proposals.yaml", read_proposals) or (),
        experiments=experiments,
        decisions=files.read("review.yaml", read_review) or (),
        bibliography=bibliography or (),
        bibliography_read=bibliography is not None or book.bibliography is None,
        max_age=settings.max_age,
        earlier=_earlier(root, folder, file),
        frozen=_frozen(root, folder),
        reports=_reports(files, root, folder),
        book_file=_book_file(root, book, file, settings),
        authored=tuple(files.authored),
        laboratory=laboratory(root / folder, experiments, files.bytes),
        files=files.files,
        problems=tuple(files.problems),
    )


def with_copies(pack: Pack, folder: Path) -> Pack:
    """The pack with the words of the copies that its ledger names and that are in `folder`."""
    names = dict.fromkeys(
        str(source.copy.file)
        for source in pack.sources
        if source.copy is not None and source.copy.file is not None
    )
    copies, problems = [], []
    for name in names:
        try:
            data = disk.read_if_there(folder / name)
        except Unreadable as fault:
            place = Place(pack.path(f"copies/{name}"))
            problems.append(error(place, "text.unreadable", str(fault), "Mend the file."))
            continue
        if data is not None:
            copies.append(read_copy_once(name, data))
    return replace(pack, copies=tuple(copies), problems=(*pack.problems, *problems))


def with_records(pack: Pack, folder: Path, shown: str) -> Pack:
    """The pack with what registries said about its works."""
    works = works_of(pack.sources, pack.bibliography)
    found = recorded(folder, shown, [one for work in works for one in work.identifiers])
    return replace(
        pack,
        records=found.records,
        failures=found.failures,
        problems=(*pack.problems, *found.problems),
    )


def _snapshot(files: Files, file: PackFile, folder: str) -> Snapshot | None:
    name = file.snapshot_file
    if name is None:
        return None
    data = files.bytes(name)
    if data is None:
        files.problems.append(
            error(
                name.place,
                "pack.snapshot-missing",
                f'There is no snapshot "{name}" in the folder of the pack.',
                "Copy the chapter there, byte for byte.",
            )
        )
        return None
    parsed = read_snapshot(data, f"{folder}/{name}", file.layout)
    files.problems += parsed.problems
    return parsed.value


def _earlier(root: Path, folder: str, file: PackFile) -> tuple[Snapshot, ...]:
    """The kept snapshots; lines of the layout that they do not have are no problem of theirs."""
    found = []
    for name in disk.list_files(root / folder / "snapshots", "*.txt"):
        data = disk.read_if_there(root / folder / "snapshots" / name)
        if data is not None:
            snapshot = read_snapshot(data, f"{folder}/snapshots/{name}", file.layout).value
            found += [snapshot] if snapshot is not None else []
    return tuple(found)


def _frozen(root: Path, folder: str) -> tuple[FrozenPass, ...]:
    found = []
    for name in disk.list_files(root / folder / "passes", "*.json"):
        data = disk.read_if_there(root / folder / "passes" / name)
        try:
            content = json.loads(data or b"")
        except ValueError:
            content = None
        found.append(FrozenPass(name=name, content=content if isinstance(content, dict) else None))
    return tuple(found)


def _reports(files: Files, root: Path, folder: str) -> tuple[ReportResult, ...]:
    """The reports that came back, each with its result; they are published as they are."""
    names = disk.list_files(root / folder / "reports", "*.md")
    names += [
        f"{name.removesuffix('.result.json')}.md"
        for name in disk.list_files(root / folder / "reports", "*.result.json")
    ]
    return tuple(
        read_result(
            name,
            files.bytes(f"reports/{name}"),
            files.bytes(f"reports/{name.removesuffix('.md')}.result.json"),
        )
        for name in sorted(set(names), key=report_order)
    )


def book_path(root: Path, book: Book, file: PackFile, settings: Settings) -> Path | None:
    """The chapter's file in the book, when it is named and there; never outside its folder."""
    folder = next((path for name, path in settings.book_folders if name == book.id), None)
    if folder is None or file.snapshot_source is None:
        return None
    base = (root / Path(folder).expanduser()).resolve()
    path = (base / file.snapshot_source).resolve()
    return path if path.is_relative_to(base) and path.is_file() else None


def _book_file(root: Path, book: Book, file: PackFile, settings: Settings) -> str:
    """The chapter's file in the book against what was frozen: the one look outside the project."""
    path = book_path(root, book, file, settings)
    if path is None or file.snapshot_source_sha256 is None:
        return "not compared"
    digest = hashlib.sha256(disk.read_bytes(path)).hexdigest()
    return "unchanged" if digest == file.snapshot_source_sha256.lower() else "changed"
