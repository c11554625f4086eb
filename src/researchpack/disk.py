"""The only reader and writer of files.

Whatever it writes goes to a temporary file beside the target and is renamed, so that a reader
sees the old bytes or the new ones, and a killed process loses nothing.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from researchpack.problems import NoProject, NoSuchPack, Unreadable, Unwritable

LARGEST: Final = 20 * 1024 * 1024
"""Bytes. No file of a pack that people write comes near it."""

PACK_FILES: Final = (
    "pack.yaml",
    "context.md",
    "claims.md",
    "sources.yaml",
    "findings.md",
    "proposals.yaml",
    "experiments.yaml",
    "review.yaml",
)
"""What people write in a pack's folder, in the order in which it is read."""


_FILES: Final = (".bib", ".yaml", ".yml", ".md", ".txt", ".json")
"""Endings of what is meant as a file where a pack or a file can be named."""


def find_project(start: Path) -> Path:
    """The nearest folder upwards from `start` that holds `mkdocs.yml` and `research/`.

    Raises `NoProject` when there is none.
    """
    here = start.resolve()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file() and (folder / "research").is_dir():
            return folder
    raise NoProject(
        f"No project here: neither {start} nor a folder above it holds mkdocs.yml and research/. "
        "Change into the project, or name it with -C."
    )


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises `Unreadable` when it cannot be read or is far too large."""
    try:
        if path.stat().st_size > LARGEST:
            size = LARGEST // 2**20
            raise Unreadable(path, f"The file is larger than {size} MB, so it was not read.")
        return path.read_bytes()
    except OSError as fault:
        raise Unreadable(path, f"The file cannot be read: {fault.strerror}.") from fault


def read_if_there(path: Path) -> bytes | None:
    """The bytes of a file, or None when there is none. A link out of the folder is not followed."""
    if not path.is_file() or path.is_symlink():
        return None
    return read_bytes(path)


def write_bytes(path: Path, data: bytes) -> None:
    """Replace the file at `path`, or make it. Raises `Unwritable`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, path.stat().st_mode if path.exists() else 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as fault:
        raise Unwritable(f"{path} cannot be written: {fault.strerror}.") from fault


def list_books(root: Path) -> list[str]:
    """The names of the folders of books, sorted."""
    return [
        book.name
        for book in _folders(root / "research")
        if (book / "book.yaml").is_file() or list_chapters(root, book.name)
    ]


def list_chapters(root: Path, book: str) -> list[str]:
    """The names of a book's pack folders, sorted."""
    wanted = ("chapter-snapshot.txt", "chapter-snapshot.md", *PACK_FILES)
    return [
        folder.name
        for folder in _folders(root / "research" / book)
        if any((folder / name).is_file() for name in wanted)
    ]


def list_files(folder: Path, pattern: str) -> list[str]:
    """The names of the files of a folder that match a glob, sorted; none when it is absent."""
    return sorted(path.name for path in folder.glob(pattern) if path.is_file())


def list_folders(folder: Path) -> list[str]:
    """The names of the folders in a folder, sorted; none when it is absent."""
    return [path.name for path in _folders(folder)]


def list_below(folder: Path) -> list[str]:
    """The files below a folder, with forward slashes, sorted; no link, nothing hidden."""
    found = []
    for path in folder.rglob("*") if folder.is_dir() else ():
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        linked = any(folder.joinpath(*parts[: at + 1]).is_symlink() for at in range(len(parts)))
        if path.is_file() and not hidden and not linked:
            found.append("/".join(parts))
    return sorted(found)


def split_name(root: Path, name: str) -> tuple[str, str]:
    """Book and chapter of a pack's name. Raises `NoSuchPack`, with what there is."""
    packs = [
        f"{book}/{chapter}" for book in list_books(root) for chapter in list_chapters(root, book)
    ]
    wanted = name.strip("/").removeprefix("research/")
    if wanted in packs:
        book, _, chapter = wanted.partition("/")
        return book, chapter
    known = ", ".join(packs) or "there are none yet"
    what = f'There is no pack "{name}"'
    if Path(name).suffix in _FILES:
        what = f'There is no file "{name}", and no pack of this name'
    raise NoSuchPack(f"{what}. The packs of this project: {known}.")


def _folders(folder: Path) -> list[Path]:
    if not folder.is_dir() or folder.is_symlink():
        return []
    found = (
        path
        for path in folder.iterdir()
        if path.is_dir() and not path.is_symlink() and not path.name.startswith((".", "_"))
    )
    return sorted(found, key=lambda path: path.name)


def signature(root: Path, names: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
    """Path, size and time of change of every file below `names`; differs when one was saved."""
    found = []
    for name in names:
        top = root / name
        paths = [top] if top.is_file() else sorted(top.rglob("*")) if top.is_dir() else []
        for path in paths:
            if path.name.startswith(".") or path.name.endswith(("~", ".swp")):
                continue
            try:
                stat = path.stat()
            except OSError:  # deleted between listing and looking
                continue
            if not path.is_dir():
                found.append((str(path), stat.st_size, stat.st_mtime_ns))
    return tuple(found)
