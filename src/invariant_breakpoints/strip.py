"""A run as a strip: for each step its state, its action and its error as small numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from invariant_breakpoints.facts import Facts, Reader
from invariant_breakpoints.keys import canonical
from invariant_breakpoints.reading import Line, Run
from invariant_breakpoints.scan import Report, scan
from invariant_breakpoints.trace import BadStep
from invariant_breakpoints.verdicts import STUCK, Settings, Verdict

WINDOW = 10
SHOWN = 80
"""Characters of a text that a legend or a tip shows."""
TOLD = 4 * SHOWN
"""Characters of a reason; only a name from the trace in it can be so long."""


@dataclass(slots=True)
class Legend:
    """Numbers for things in the order in which they were met, with what to call them."""

    letter: str
    names: dict[str, tuple[str, str]] = field(default_factory=dict)

    def number(self, key: str | None, name: str) -> str:
        """The short name of this thing, such as `a3`; empty when there is no key."""
        if key is None:
            return ""
        if key not in self.names:
            self.names[key] = (f"{self.letter}{len(self.names) + 1}", name)
        return self.names[key][0]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The short names and what they stand for."""
        return iter(self.names.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One step of a strip."""

    verdict: Verdict
    state: str = ""
    action: str = ""
    error: str = ""
    new: bool = False
    """The state, or without one the pair, is new in the whole run."""
    tool: str = ""
    args: str = ""
    observation: str = ""

    @property
    def tip(self) -> str:
        """The step in one line; the texts in it are clipped, and not escaped yet."""
        said = self.verdict
        asked = f"{self.tool} {self.args} → {self.observation}"
        return f"step {said.step}: {said.verdict}. {asked if self.tool else said.why}"

    def as_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        said = self.verdict
        return {
            "step": said.step,
            "state": self.state,
            "action": self.action,
            "error": self.error,
            "new": self.new,
            "verdict": said.verdict,
            "shapes": list(said.shapes),
            "advice": said.action,
            "called": said.verdict == STUCK,
            "tool": self.tool,
            "args": self.args,
            "observation": self.observation,
            "why": clipped(said.why, TOLD),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Some steps in a row, and how many of them are new in the whole run."""

    first: int
    last: int
    new: int
    of: int

    @property
    def novelty(self) -> float:
        """The share of the steps that are new."""
        return self.new / self.of

    def as_json(self) -> dict[str, Any]:
        """As plain JSON values; the share is rounded to three places."""
        return {
            "first": self.first,
            "last": self.last,
            "new": self.new,
            "of": self.of,
            "novelty": round(self.novelty, 3),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A run to look at."""

    report: Report
    cells: tuple[Cell, ...]
    states: Legend
    actions: Legend
    errors: Legend

    def windows(self, window: int = WINDOW) -> Iterator[Window]:
        """The steps in windows, one after the other; the last one may be shorter."""
        for at in range(0, len(self.cells), window):
            part = self.cells[at : at + window]
            yield Window(
                first=part[0].verdict.step,
                last=part[-1].verdict.step,
                new=sum(cell.new for cell in part),
                of=len(part),
            )

    def novelty(self, window: int = WINDOW) -> list[float]:
        """For each window in turn the share of its steps that are new in the whole run."""
        return [one.novelty for one in self.windows(window)]

    def as_json(self) -> dict[str, Any]:
        """The object of one run, as `scan --format strip` prints it."""
        return {
            "file": self.report.file,
            "verdict": self.report.verdict,
            "window": WINDOW,
            "steps": [cell.as_json() for cell in self.cells],
            "windows": [one.as_json() for one in self.windows()],
            "spans": [span.as_json() for span in self.report.spans],
            "legend": {
                "states": [list(entry) for entry in self.states],
                "actions": [list(entry) for entry in self.actions],
                "errors": [list(entry) for entry in self.errors],
            },
        }


def clipped(value: Any, most: int = SHOWN) -> str:
    """A value as one line of limited length; not escaped yet."""
    text = value if isinstance(value, str) else canonical(value)
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _told(raw: Any, name: str) -> str:
    return clipped(raw[name]) if isinstance(raw, dict) and name in raw else ""


def strip(run: Run, settings: Settings | None = None, *, key: bytes = b"") -> Strip:
    """The strip of a run, with the report that `scan` makes of it."""
    lines = list(run.lines)
    report = scan(Run(name=run.name, lines=lines), settings, key=key)
    states, actions, errors = Legend("s"), Legend("a"), Legend("e")
    reader, seen, cells = Reader(key), set[str](), list[Cell]()
    for line, verdict in zip(lines, report.timeline, strict=True):
        facts = _facts(reader, line)
        if facts is None:
            cells.append(Cell(verdict=verdict))
            continue
        mark = facts.state or facts.pair
        tool, asked = clipped(facts.tool), _told(line.raw, "args")
        cells.append(
            Cell(
                verdict=verdict,
                state=states.number(facts.state, _told(line.raw, "state")),
                action=actions.number(facts.call, f"{tool} {asked}"),
                error=errors.number(facts.family, clipped(facts.family or "")),
                new=mark not in seen,
                tool=tool,
                args=asked,
                observation=_told(line.raw, "observation"),
            )
        )
        seen.add(mark)
    return Strip(report=report, cells=tuple(cells), states=states, actions=actions, errors=errors)


def _facts(reader: Reader, line: Line) -> Facts | None:
    try:
        return reader.facts(line.step, line.index) if line.step else None
    except BadStep:
        return None


def listed(strips: Sequence[Strip]) -> str:
    """The strips as one JSON list of printable ASCII, for whoever draws them in another way."""
    return json.dumps([one.as_json() for one in strips], ensure_ascii=True, indent=1)
