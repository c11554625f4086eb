"""What is wrong with content (`Problem`), and what is wrong with the world (`PackError`)."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING

from researchpack.places import Place

if TYPE_CHECKING:
    from collections.abc import Iterable


class Level(Enum):
    """How bad a problem is. Only an error fails a check; `--strict` lets a warning fail it too."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault in content, found once and told in several forms."""

    place: Place
    level: Level
    rule: str
    """`area.thing`; a name once given never changes."""
    what: str
    """What is the case: whole sentences, without the position."""
    fix: str
    """What to do about it: whole sentences."""
    related: tuple[Place, ...] = ()
    """Other places that take part, such as the first use of an id."""

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Sorts problems in file order."""
        return (self.place.path, self.place.line, self.place.column, self.rule, self.what)


def error(place: Place, rule: str, what: str, fix: str, *related: Place) -> Problem:
    """A problem that fails every check."""
    return Problem(
        place=place, level=Level.ERROR, rule=rule, what=what, fix=fix, related=tuple(related)
    )


def warning(place: Place, rule: str, what: str, fix: str, *related: Place) -> Problem:
    """A problem that fails a strict check."""
    return Problem(
        place=place, level=Level.WARNING, rule=rule, what=what, fix=fix, related=tuple(related)
    )


def info(place: Place, rule: str, what: str, fix: str, *related: Place) -> Problem:
    """Something worth knowing that fails nothing."""
    return Problem(
        place=place, level=Level.INFO, rule=rule, what=what, fix=fix, related=tuple(related)
    )


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` was probably meant to be, or None."""
    names = list(known)
    lowered = {name.lower(): name for name in names}
    if word.lower() in lowered:
        return lowered[word.lower()]
    found = get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    return lowered[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`Did you mean "x"?`, or a list of what is known when nothing is near."""
    names = list(known)
    near = nearest(word, names)
    if near is not None:
        return f'Did you mean "{near}"?'
    return f"Known here: {', '.join(names)}." if names else "Nothing of that kind is known here."


class PackError(Exception):
    """The program or the world is at fault, not the content. Told without a traceback."""


class UsageFault(PackError):
    """What was asked for makes no sense with these files; the call has to be changed."""


class NoProject(UsageFault):
    """No folder upwards holds `mkdocs.yml` and `research/`."""


class Unreadable(PackError):
    """A file or folder that must be read cannot be read."""

    def __init__(self, path: object, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.why = why
        """A whole sentence without the path, which names this machine."""


class Unwritable(PackError):
    """A file or folder that must be written cannot be written."""


class NoSuchPack(UsageFault):
    """A pack was named that is not in the project."""
