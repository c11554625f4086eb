"""Problems -> text, JSON or GitHub annotations: found once, told three ways."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Final

from researchpack.problems import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from researchpack.problems import Problem


def visible(words: str) -> str:
    """The words with `\\x1b` in the place of what moves a cursor, and so of all that hides text."""
    return "".join(char if _is_seen(char) else _escaped(char) for char in words)


def _is_seen(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs" or char in "\u00ad\u200b"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


def as_text(problems: Sequence[Problem]) -> str:
    """One line a problem: `path:line:column: level: what fix [rule]`; empty when there is none."""
    told = (f"{p.place}: {p.level.value}: {p.what} {p.fix} [{p.rule}]" for p in problems)
    # Values may hold breaks, and whatever else a hostile file puts there.
    return "".join(f"{visible(' '.join(words.splitlines()))}\n" for words in told)


def problem_data(problem: Problem) -> dict[str, str | int]:
    """One problem for programs."""
    return {
        "path": problem.place.path,
        "line": problem.place.line,
        "column": problem.place.column,
        "level": problem.level.value,
        "rule": problem.rule,
        "what": problem.what,
        "fix": problem.fix,
    }


def as_json(problems: Sequence[Problem]) -> str:
    """A list of objects, `[]` when there is none."""
    told = [problem_data(problem) for problem in problems]
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def as_github(problems: Sequence[Problem]) -> str:
    """Workflow commands that annotate the lines of a pull request."""
    kinds = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}
    return "".join(
        f"::{kinds[p.level]} file={_property(p.place.path)},line={p.place.line},"
        f"col={p.place.column},title={_property(p.rule)}::{_message(f'{p.what} {p.fix}')}\n"
        for p in problems
    )


REPORTS: Final[dict[str, Callable[[Sequence[Problem]], str]]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
}


def summary(problems: Sequence[Problem]) -> str:
    """`2 errors, 1 warning, 0 notes`."""
    counts = Counter(problem.level for problem in problems)
    words = ((Level.ERROR, "error"), (Level.WARNING, "warning"), (Level.INFO, "note"))
    return ", ".join(
        f"{counts[level]} {word}{'' if counts[level] == 1 else 's'}" for level, word in words
    )


def _message(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _message(words).replace(":", "%3A").replace(",", "%2C")
