"""Trace files -> steps, with a fault for each line that cannot be read; the rest is still read.

The trace model is read line by line, so that a file may be larger than the memory. Other formats
are read whole.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters import BY_NAME, recognise
from invariant_breakpoints.trace import BadStep, Step, parse_step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PLAIN = "jsonl"
AUTO = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A line that could not be read, or a field in it that could not be used."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: error: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One step of a run, or the fault that stands in its place."""

    index: int
    """Lines before it, empty ones included: the step's number where it has none itself."""
    step: Step | None
    raw: Any = None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a file. Its lines can be gone through once."""

    name: str
    lines: Iterable[Line]


def decoded(data: bytes) -> Any:
    """The JSON value of a line; raises `BadStep` with the reason in one sentence."""
    try:
        return json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as bad:
        raise BadStep(f"The line is not UTF-8 text: byte {bad.start + 1}.") from None
    except RecursionError:
        raise BadStep("The JSON is nested too deeply.") from None
    except ValueError as bad:
        raise BadStep(f"The line is not JSON: {_reason(bad)}.") from None


def _reason(bad: ValueError) -> str:
    if isinstance(bad, json.JSONDecodeError):
        return f"{bad.msg[:1].lower()}{bad.msg[1:]} at column {bad.colno}"
    return str(bad).split(";")[0]


def parsed(name: str, index: int, data: bytes) -> Line | None:
    """The step of one line of the trace model; None for an empty line."""
    data = data.removeprefix(b"\xef\xbb\xbf").strip()
    if not data:
        return None
    try:
        raw = decoded(data)
        step = parse_step(raw)
    except BadStep as bad:
        return Line(
            index=index, step=None, faults=(Fault(file=name, line=index + 1, what=str(bad)),)
        )
    faults = tuple(Fault(file=name, line=index + 1, what=what) for what in step.faults)
    return Line(index=index, step=_numbered(step, index), raw=raw, faults=faults)


def _numbered(step: Step, index: int) -> Step:
    return replace(step, step=index) if step.step is None else step


def plain_lines(name: str, lines: Iterable[bytes]) -> Iterator[Line]:
    """The steps of lines in the trace model."""
    for index, data in enumerate(lines):
        line = parsed(name, index, data)
        if line is not None:
            yield line


def _file_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file


def _is_plain(path: Path) -> bool:
    """Whether the first line that is JSON at all is a step, or nothing in the file is JSON."""
    for number, data in enumerate(_file_lines(path)):
        if number == 0 and data.strip()[-1:] in (b"[", b"{", b","):
            return False  # the first line of a document that goes over many
        try:
            value = decoded(data.strip() or b"x")
        except BadStep:
            continue
        keys = value.keys() if isinstance(value, dict) else ()
        return bool({"tool", "digests"} & set(keys)) and "kind" not in keys
    return True


def _document(path: Path) -> tuple[Any, tuple[Fault, ...]]:
    """The file as one JSON value; a file of JSON lines becomes a list."""
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    try:
        return decoded(data), ()
    except BadStep as whole:
        reason = str(whole)
    found, faults = [], []
    lines = [(number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
    for number, line in lines:
        try:
            found.append(decoded(line))
        except BadStep as bad:
            faults.append(Fault(file=str(path), line=number, what=str(bad)))
    if len(faults) * 2 > len(lines):
        # No file of lines: one fault that tells what is wrong with the whole.
        return None, (Fault(file=str(path), line=1, what=reason.replace("line", "file", 1)),)
    return found, tuple(faults)


def runs(path: Path, form: str = AUTO) -> Iterator[Run]:
    """The runs of a file. A file with several is told apart as `name#0`, `name#1`, …"""
    if form == PLAIN or (form == AUTO and _is_plain(path)):
        yield Run(name=str(path), lines=plain_lines(str(path), _file_lines(path)))
        return
    document, faults = _document(path)
    adapter = recognise(document) if form == AUTO else BY_NAME[form]
    if document is None or adapter is None or not adapter.accepts(document):
        what = (
            f"The file is not in the format {form}."
            if adapter
            else "The format of the file is not known; name it with --from."
        )
        told = faults or (Fault(file=str(path), line=1, what=what),)
        yield Run(name=str(path), lines=[Line(index=0, step=None, faults=told)])
        return
    found = list(adapter.runs(document))
    for place, steps in enumerate(found):
        name = str(path) if len(found) == 1 else f"{path}#{place}"
        yield Run(name=name, lines=_converted(name, steps, faults if place == 0 else ()))


def _converted(name: str, steps: list[dict[str, Any]], faults: tuple[Fault, ...]) -> Iterator[Line]:
    for fault in faults:
        # The place of a lost line among the steps is not known, so it stands before them all.
        yield Line(index=0, step=None, faults=(fault,))
    for index, raw in enumerate(steps):
        try:
            step = parse_step(raw)
        except BadStep as bad:
            fault = Fault(file=name, line=index + 1, what=str(bad))
            yield Line(index=index, step=None, faults=(fault,))
            continue
        yield Line(index=index, step=_numbered(step, index), raw=raw)
