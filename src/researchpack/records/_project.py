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
class BibField:
    """One field of an entry of a `.bib` file."""

    name: Text
    """In lower case."""
    raw: Text
    """Macros filled in, the delimiters gone, LaTeX as it was written."""
    value: Text
    """For people to read: LaTeX undone where the field is prose, `raw` itself where it is an
    address, an identifier or a file."""
    start: int
    """Offset of the value in the file, delimiters included; the byte order mark does not count."""
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BibEntry:
    """One entry of a `.bib` file."""

    key: Text
    type: str
    """In lower case."""
    fields: tuple[BibField, ...] = ()
    """In file order, each name once; one whose value uses an undefined macro is not among them."""
    inherited: tuple[BibField, ...] = ()
    """What `crossref` and `xdata` add; these stand in other entries."""
    start: int = 0
    """Offset of the `@`."""
    end: int = 0
    """Offset behind the closing brace."""

    def field(self, name: str) -> BibField | None:
        """The entry's own field, or else the inherited one; None when there is none."""
        found = (field for field in (*self.fields, *self.inherited) if field.name == name)
        return next(found, None)

    def get(self, *names: str) -> Text | None:
        """The value of the first of these fields that is there and not empty."""
        for name in names:
            field = self.field(name)
            if field is not None and field.value:
                return field.value
        return None
