"""What a page is, and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from researchpack.problems import Level

if TYPE_CHECKING:
    from researchpack.problems import Problem
    from researchpack.records import View


_AS_TEXT: Final = frozenset(
    (
        *(".md", ".markdown", ".mdown", ".mkdn", ".mkd"),
        *(".html", ".htm", ".xhtml", ".xht", ".shtml", ".svg", ".xml", ".js", ".mjs"),
    )
)
"""Names that MkDocs would make a page of, or that a browser would run on the site's own address."""


def published(name: str) -> str:
    """Where a file of a pack is published, below its overview."""
    suffix = ".txt" if PurePosixPath(name).suffix.lower() in _AS_TEXT else ""
    return f"files/{name}{suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """An entry of a page's own table of contents."""

    id: str
    title: str
    """Plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the site."""

    path: str
    """Below the site, without slashes at the ends: `books/debugging-ai/39-chapter/claims`."""
    title: str
    """Plain text; whoever puts it into HTML escapes it."""
    html: str
    """The content area, safe to be put into a page as it is."""
    headings: tuple[Heading, ...] = ()
    description: str = ""
    """Plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A pack as it is published."""

    view: View
    problems: tuple[Problem, ...]
    """Of the files as they are now."""
    older: bool = False
    """Whether the view is of an earlier, good state, because the files hold errors now."""

    @property
    def path(self) -> str:
        """Of its overview, below the site."""
        return f"books/{self.view.pack.name}"

    @property
    def title(self) -> str:
        """The chapter's title, or the pack's name when it has none."""
        return str(self.view.pack.file.title or self.view.pack.name)

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that are errors."""
        return tuple(problem for problem in self.problems if problem.level is Level.ERROR)
