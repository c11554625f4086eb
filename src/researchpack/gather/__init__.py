"""Files -> records: everything that a project's folders say, with all problems of reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack import disk
from researchpack.formats.bibtex import read_bib
from researchpack.formats.book import read_book
from researchpack.formats.settings import read_settings
from researchpack.formats.vocabulary import DEFAULT, read_vocabulary
from researchpack.gather._alone import gather_file
from researchpack.gather._files import Files, decode
from researchpack.gather._pack import book_path, pack_of, with_copies, with_records
from researchpack.problems import error
from researchpack.records import Book, Project, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from researchpack.records import BibEntry

__all__ = ["RECORDS", "book_path", "decode", "gather", "gather_file"]

RECORDS: Final = "bib/records"
"""Where the records of registries stand in a project."""


def gather(root: Path, names: Iterable[str] = (), records: Path | None = None) -> Project:
    """The project below `root`, with the named packs, or all of them.

    `records`: another folder of records of registries than the project's own.
    Raises `NoSuchPack` for a name that is none, and `Unreadable` only for the project itself.
    """
    files = Files(root)
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
        with_copies(
            with_records(
                pack_of(root, books[book], book, chapter, bibs[book], settings), store, shown
            ),
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


def _book(files: Files, book: str) -> Book:
    path = f"research/{book}/book.yaml"
    found = files.read(path, lambda text, at: read_book(text, at, book))
    return found or Book(id=book, title=book)


def _bibliography(files: Files, book: Book) -> tuple[BibEntry, ...] | None:
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
