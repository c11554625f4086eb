"""Records of the files that belong to a whole project."""

from __future__ import annotations

from dataclasses import dataclass

from researchpack.places import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`research/settings.yaml`."""

    contact: Text | None = None
    registries: tuple[tuple[Text, Text], ...] = ()
    """Name and base address."""
    cache: tuple[tuple[Text, Text], ...] = ()
    """`backend` and `folder`."""
    max_age: Text | None = None
    """Of a registry record before it counts as old, such as `30d`."""
    allow_private_hosts: tuple[Text, ...] = ()
    book_folders: tuple[tuple[Text, Text], ...] = ()
    """Book id, and the folder outside the project in which its chapters are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """`research/vocabulary.yaml`: known values and their labels, by list name, in file order.

    Open: an unknown value passes through with a warning.
    """

    lists: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    def known(self, name: str) -> tuple[str, ...]:
        """The values of list `name`, in order; empty when there is no such list."""
        return tuple(value for value, _ in dict(self.lists).get(name, ()))

    def label(self, name: str, value: str) -> str:
        """The label of `value` in list `name`; the value itself when it has none."""
        return dict(dict(self.lists).get(name, ())).get(value, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """`book.yaml`."""

    id: str
    """The folder's name when the file gives none."""
    title: str
    url: Text | None = None
    bibliography: Text | None = None
    """A `.bib` file, relative to the project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BibEntry:
    """One entry of a `.bib` file, as far as this version reads it."""

    key: Text
    type: str
