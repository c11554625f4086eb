"""`book.yaml` -> `Book`."""

from __future__ import annotations

from researchpack.formats._shared import Parsed, read_map
from researchpack.records import Book

KEYS = ("id", "title", "url", "bibliography")


def read_book(text: str, path: str, folder: str) -> Parsed[Book]:
    """The book; `folder` is the name of its folder, which is its id."""
    fields, notes = read_map(text, path, KEYS)
    if fields is None:
        return notes.parsed(Book(id=folder, title=folder))
    fields.required("title", f'Book "{folder}"')
    return notes.parsed(
        Book(
            id=fields.text("id") or folder,
            title=fields.text("title") or folder,
            url=fields.text("url"),
            bibliography=fields.text("bibliography"),
        )
    )
