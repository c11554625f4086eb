"""Files -> records: everything that a project's folders say, with all problems of reading them."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from researchpack import disk
from researchpack.formats.bibtex import read_bib
from researchpack.formats.book import read_book
from researchpack.formats.claims import read_claims
from researchpack.formats.copies import read_copy_once
from researchpack.formats.experiments import read_experiments
from researchpack.formats.kinds import kind_of
from researchpack.formats.markdown import read_sections
from researchpack.formats.pack import read_pack
from researchpack.formats.proposals import read_proposals
from researchpack.formats.quotations import read_quotations
from researchpack.formats.results import read_result, report_order
from researchpack.formats.review import read_review
from researchpack.formats.settings import read_settings
from researchpack.formats.snapshot import read_snapshot
from researchpack.formats.sources import read_sources
from researchpack.formats.vocabulary import DEFAULT, read_vocabulary
from researchpack.formats.works import works_of
from researchpack.places import Place, Text
from researchpack.problems import Problem, Unreadable, error
from researchpack.recording import recorded
from researchpack.records import (
    Authored,
    Book,
    ClaimAudit,
    Copy,
    FrozenPass,
    Pack,
    PackFile,
    Project,
    ReportResult,
    Settings,
    Snapshot,
    Vocabulary,
)
from researchpack.runbook import laboratory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from researchpack.formats._shared import Parsed
    from researchpack.records import BibEntry, Source

T = TypeVar("T")
_PLAIN_NAME: Final = re.compile(r"[\w.-]+")
"""Of folders whose names stand in addresses."""


RECORDS: Final = "bib/records"
"""Where the records of registries stand in a project."""


def gather(root: Path, names: Iterable[str] = (), records: Path | None = None) -> Project:
    """The project below `root`, with the named packs, or all of them.

    `records`: another folder of records of registries than the project's own.
    Raises `NoSuchPack` for a name that is none, and `Unreadable` only for the project itself.
    """
    files = _Files(root)
    settings = files.read("research/settings.yaml", read_settings) or Settings()
    vocabulary = files.read("research/vocabulary.yaml", read_vocabulary) or DEFAULT
    wanted = [disk.split_name(root, name) for name in names] or [
        (book, chapter)
        for book in disk.list_books(root)
        for chapter in disk.list_chapters(root, book)
    ]
    books = {book: _book(files, book) for book in dict.fromkeys(book for book, _ in wanted)}
    bibs = {book: _bibliography(files, books[book]) for book in books}
    store, shown = records or root / RECORDS, records.as_posix() if records else RECORDS
    packs = tuple(
        _with_copies(
            _recorded(_pack(root, books[book], book, chapter, bibs[book], settings), store, shown),
            root / "research" / book / chapter / "copies",
        )
        for book, chapter in wanted
    )
    return Project(
        settings=settings,
        vocabulary=vocabulary,
        packs=packs,
        problems=tuple(files.problems),
        authored=tuple(files.authored),
        bibliographies=tuple(
            (str(books[book].bibliography), entries) for book, entries in bibs.items() if entries
        ),
    )


class _Files:
    """Reads files below one folder and keeps what was wrong with them."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self._root = root
        self._folder = folder
        self.problems: list[Problem] = []
        self.authored: list[Authored] = []
        self._read: dict[str, bytes] = {}

    @property
    def files(self) -> tuple[tuple[str, bytes], ...]:
        """The name and the bytes of every file that was there, in the order of reading."""
        return tuple(self._read.items())

    def bytes(self, name: str) -> bytes | None:
        """The bytes of a file; None when there is none or when it cannot be read."""
        try:
            data = disk.read_if_there(self._root / self._folder / name)
        except Unreadable as fault:
            self.problems.append(
                error(Place(self._path(name)), "text.unreadable", fault.why, "Mend the file.")
            )
            return None
        if data is not None:
            self._read[name] = data
        return data

    def read(self, name: str, reader: Callable[[str, str], Parsed[T]]) -> T | None:
        """What `reader` makes of a file; None when there is none or it is no text."""
        data = self.bytes(name)
        if data is None:
            return None
        path = self._path(name)
        text, problem = decode(data, path)
        if problem is not None:
            self.problems.append(problem)
            return None
        parsed = reader(text, path)
        self.problems += parsed.problems
        self.authored.append(Authored(path=path, text=text, quoted=parsed.quoted))
        return parsed.value

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}" if self._folder else name


def decode(data: bytes, path: str) -> tuple[str, Problem | None]:
    """The text of a file that people write: UTF-8, a byte order mark is dropped."""
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as fault:
        before = data[: fault.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line = before.count(b"\n") + 1
        column = len(before) - before.rfind(b"\n")
        if path.lower().endswith(".bib"):
            return "", error(
                Place(path, line, column),
                "bib.encoding",
                f"Byte 0x{data[fault.start]:02X} at offset {fault.start} is not UTF-8; the file"
                f" looks like {_encoding(data)}.",
                "Save the file as UTF-8; nothing of it was read.",
            )
        return "", error(
            Place(path, line, column),
            "text.encoding",
            f"The file is not UTF-8: byte 0x{data[fault.start]:02X} stands here.",
            "Save the file as UTF-8.",
        )


def _encoding(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    return "Windows-1252" if any(0x80 <= byte <= 0x9F for byte in data) else "ISO-8859-1"


def _book(files: _Files, book: str) -> Book:
    path = f"research/{book}/book.yaml"
    found = files.read(path, lambda text, at: read_book(text, at, book))
    return found or Book(id=book, title=book)


def _bibliography(files: _Files, book: Book) -> tuple[BibEntry, ...] | None:
    """The entries of the book's bibliography; None when it names one that cannot be read."""
    name = book.bibliography
    if name is None:
        return ()
    if not name.startswith("bib/") or ".." in name.split("/") or "\\" in name:
        files.problems.append(
            error(
                name.place,
                "book.bibliography",
                "The bibliography is not a file of the folder `bib/`.",
                "Write it as `bib/<name>.bib`.",
            )
        )
        return None
    entries = files.read(name, read_bib)
    if entries is None and not any(p.place.path == name for p in files.problems):
        files.problems.append(
            error(name.place, "book.bibliography", f'There is no file "{name}".', "Make it.")
        )
    return entries


def _pack(
    root: Path,
    book: Book,
    book_folder: str,
    chapter: str,
    bibliography: tuple[BibEntry, ...] | None,
    settings: Settings,
) -> Pack:
    folder = f"research/{book_folder}/{chapter}"
    files = _Files(root, folder)
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


def _with_copies(pack: Pack, folder: Path) -> Pack:
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


def _beside(source: Source, folder: Path) -> Source:
    """The source with the file beside a list of quotes that holds its words, if there is one."""
    for name in (str(source.id), "source"):
        for file in (f"{name}.txt", f"{name}.md", f"{name}.html", f"{name}.pdf"):
            if not set(file) & set("/\\:\0") and (folder / file).is_file():
                place = source.id.place
                return replace(source, copy=Copy(file=Text(file, place), place=place))
    return source


def _recorded(pack: Pack, folder: Path, shown: str) -> Pack:
    """The pack with what registries said about its works."""
    works = works_of(pack.sources, pack.bibliography)
    found = recorded(folder, shown, [one for work in works for one in work.identifiers])
    return replace(
        pack,
        records=found.records,
        failures=found.failures,
        problems=(*pack.problems, *found.problems),
    )


def _snapshot(files: _Files, file: PackFile, folder: str) -> Snapshot | None:
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


def _reports(files: _Files, root: Path, folder: str) -> tuple[ReportResult, ...]:
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


_ALONE: dict[str, str] = {
    "claims": "audit",
    "sources": "sources",
    "quotations": "sources",
    "proposals": "proposals",
    "review": "decisions",
    "experiments": "experiments",
    "pack": "file",
    "bib": "bibliography",
}


def gather_file(path: Path, records: Path | None = None) -> tuple[Pack, Vocabulary]:
    """A pack that holds nothing but one file, which belongs to no project.

    `records`: a folder of records of registries; without it there are none. Raises `Unreadable`.
    """
    name = path.as_posix()
    text, problem = decode(disk.read_bytes(path), name)
    empty = Pack(
        name="", folder="", book=Book(id="", title=""), chapter="", file=PackFile(place=Place(name))
    )
    if problem is not None:
        return replace(empty, problems=(problem,)), DEFAULT
    kind = kind_of(path.name, text)
    parsed = _reader(kind)(text, name)
    field = _ALONE.get(kind)
    pack = replace(
        empty,
        **({field: parsed.value} if field else {}),
        authored=(Authored(path=name, text=text, quoted=parsed.quoted),),
        problems=parsed.problems,
    )
    folder = path.parent
    if kind == "quotations":
        pack = replace(pack, sources=tuple(_beside(source, folder) for source in pack.sources))
    pack = _with_copies(pack, folder if kind == "quotations" else folder / "copies")
    return _recorded(pack, records, records.as_posix()) if records else pack, DEFAULT


def _reader(kind: str) -> Callable[[str, str], Parsed[Any]]:
    readers: dict[str, Callable[[str, str], Parsed[Any]]] = {
        "bib": read_bib,
        "book": lambda text, path: read_book(text, path, ""),
        "claims": read_claims,
        "experiments": read_experiments,
        "pack": read_pack,
        "proposals": read_proposals,
        "quotations": read_quotations,
        "review": read_review,
        "sections": read_sections,
        "settings": read_settings,
        "sources": read_sources,
        "vocabulary": read_vocabulary,
    }
    return readers[kind]
