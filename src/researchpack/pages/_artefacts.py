"""Artefacts of runs -> what figures show. They are untrusted: what has another shape is refused.

A refusal is a sentence for the reader. Nothing that stands in an artefact can break a page.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from researchpack.measures import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.measures import Value
    from researchpack.records import Artefact

_MOST_BYTES: Final = 4_000_000
_MOST_ROWS, _MOST_COLUMNS = 2000, 16
_MOST_TRACES, _MOST_STEPS = 60, 2000
_LONGEST_TEXT: Final = 20_000
"""Characters of a text that a page shows."""
_LONGEST_CELL: Final = 300

Json = dict[str, Any]


class Refused(ValueError):
    """The artefact cannot be shown; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows with the same columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def only(self, names: Iterable[str]) -> Table:
        """The same rows with these columns, as far as there are such."""
        kept = tuple(dict.fromkeys(name for name in names if name in self.columns))
        cells = zip(*(self.column(name) for name in kept), strict=True)
        return Table(columns=kept, rows=tuple(cells)) if kept else self

    def column(self, name: str) -> list[Value]:
        """The cells of a column. Raises `Refused`."""
        if name not in self.columns:
            raise Refused(f'There is no column "{name}" in it.')
        at = self.columns.index(name)
        return [row[at] for row in self.rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a recorded run, with what the package said about it."""

    number: str
    verdict: str
    why: str
    advice: str
    call: str
    observation: str
    state: str
    action: str
    error: str
    """Short names, such as `s3`; empty when there is none."""
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Steps in a row, and how many of them are new in the whole run. Positions, counted from 0."""

    first: int
    last: int
    new: str
    of: str
    novelty: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A stretch that the package called a loop. Positions, counted from 0."""

    first: int
    last: int
    words: str
    """Steps, shapes, and where it was called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A recorded run as a strip."""

    name: str
    label: str
    shape: str
    about: str
    verdict: str
    steps: tuple[Step, ...]
    windows: tuple[Window, ...]
    loops: tuple[Loop, ...]
    legend: tuple[tuple[str, str], ...]
    """Short names and what they stand for."""

    def long(self, short: str) -> str:
        """What a short name stands for."""
        return dict(self.legend).get(short, "")


def text_of(artefact: Artefact) -> tuple[str, bool]:
    """The text of an artefact, and whether it was cut. Raises `Refused`."""
    words = _bytes(artefact).decode("utf-8", "replace")
    return words[:_LONGEST_TEXT], len(words) > _LONGEST_TEXT


def table_of(artefact: Artefact) -> Table:
    """A list of flat maps; what a row lacks is None. Raises `Refused`."""
    raw = _json(artefact)
    name = artefact.name
    if not isinstance(raw, list) or not raw or not all(isinstance(row, dict) for row in raw):
        raise Refused(f"{name} is not shown: it is no list of rows.")
    columns = tuple(dict.fromkeys(key for row in raw for key in row))
    if not columns or len(raw) > _MOST_ROWS or len(columns) > _MOST_COLUMNS:
        raise Refused(
            f"{name} is not shown: it has {len(raw)} rows and {len(columns)} columns, and a page"
            f" shows at most {_MOST_ROWS} and {_MOST_COLUMNS}."
        )
    for number, row in enumerate(raw, 1):
        if any(isinstance(value, list | dict) for value in row.values()):
            raise Refused(f"{name} is not shown: row {number} holds more than single values.")
    rows = tuple(tuple(_leaf(row.get(key)) for key in columns) for row in raw)
    return Table(columns=columns, rows=rows)


def traces_of(artefact: Artefact) -> tuple[Trace, ...]:
    """The runs of a file as `breakpoints scan --format strip` prints them. Raises `Refused`."""
    raw = _json(artefact)
    if not isinstance(raw, list) or not raw or len(raw) > _MOST_TRACES:
        raise Refused(f"{artefact.name} is not shown: it is no list of 1 to {_MOST_TRACES} runs.")
    found = [_trace(entry) for entry in raw if isinstance(entry, dict)]
    if len(found) != len(raw) or not all(one.steps for one in found):
        raise Refused(f"{artefact.name} is not shown: one of its runs has no steps.")
    return tuple(found)


def _trace(raw: Json) -> Trace:
    steps = tuple(_step(one) for one in _maps(raw.get("steps"))[:_MOST_STEPS])
    at = {one.number: position for position, one in enumerate(steps)}
    legend = raw.get("legend")
    return Trace(
        name=_line(raw.get("file")) or "unnamed",
        label=_line(raw.get("label")),
        shape=_line(raw.get("shape")),
        about=_line(raw.get("about")),
        verdict=_line(raw.get("verdict")),
        steps=steps,
        windows=tuple(
            Window(
                first=at[_line(one.get("first"))],
                last=at[_line(one.get("last"))],
                new=_line(one.get("new")),
                of=_line(one.get("of")),
                novelty=_line(one.get("novelty")),
            )
            for one in _placed(raw.get("windows"), at)
        ),
        loops=tuple(
            Loop(
                first=at[_line(one.get("first"))],
                last=at[_line(one.get("last"))],
                words=_loop(one),
            )
            for one in _placed(raw.get("spans"), at)
        ),
        legend=tuple(
            (_line(entry[0]), _line(entry[1]))
            for part in (legend.values() if isinstance(legend, dict) else ())
            for entry in (part if isinstance(part, list) else ())
            if isinstance(entry, list) and len(entry) == 2
        ),
    )


def _step(raw: Json) -> Step:
    tool, args = _line(raw.get("tool")), _line(raw.get("args"))
    return Step(
        number=_line(raw.get("step")),
        verdict=_line(raw.get("verdict")) or "uncertain",
        why=_line(raw.get("why"), 2 * _LONGEST_CELL),
        advice=_line(raw.get("advice")),
        call=f"{tool} {args}".strip(),
        observation=_line(raw.get("observation")),
        state=_line(raw.get("state"))[:8],
        action=_line(raw.get("action"))[:8],
        error=_line(raw.get("error"))[:8],
        new=raw.get("new") is True,
    )


def _loop(raw: Json) -> str:
    shapes = raw.get("shapes")
    named = " ".join(_line(one) for one in shapes) if isinstance(shapes, list) else ""
    words = f"{_line(raw.get('first'))}–{_line(raw.get('last'))} {named}".strip()
    for key, told in (("called_at", "called at"), ("halt_at", "halt at")):
        if raw.get(key) is not None:
            words += f", {told} {_line(raw[key])}"
    return words


def _placed(raw: Any, at: dict[str, int]) -> list[Json]:
    """The maps whose first and last step are there, in the right order."""
    found = []
    for one in _maps(raw):
        first, last = at.get(_line(one.get("first"))), at.get(_line(one.get("last")))
        if first is not None and last is not None and first <= last:
            found.append(one)
    return found


def _bytes(artefact: Artefact) -> bytes:
    if artefact.data is None:
        raise Refused(f"{artefact.name} is not shown: the file is not there.")
    if hashlib.sha256(artefact.data).hexdigest() != artefact.sha256:
        raise Refused(
            f"{artefact.name} is not shown: it is not the file that the run made; its SHA-256 is"
            " another one."
        )
    if len(artefact.data) > _MOST_BYTES:
        raise Refused(f"{artefact.name} is not shown: it is too large for a page.")
    return artefact.data


def _json(artefact: Artefact) -> Any:
    data = _bytes(artefact)
    try:
        return strict_json(data)
    except ValueError:
        raise Refused(f"{artefact.name} is not shown: it is no JSON that can be read.") from None


def _leaf(value: Any) -> Value:
    if isinstance(value, str) and len(value) > _LONGEST_CELL:
        return value[: _LONGEST_CELL - 1] + "…"
    found: Value = value
    return found


def _line(value: Any, most: int = _LONGEST_CELL) -> str:
    """A value as one line; nothing for what is no single value."""
    if value is None or isinstance(value, list | dict):
        return ""
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _maps(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
