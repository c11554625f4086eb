"""A run as a strip: for each step its state, its action and its error as small numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from invariant_breakpoints.facts import Facts, Reader
from invariant_breakpoints.keys import canonical
from invariant_breakpoints.reading import Line, Run
from invariant_breakpoints.scan import Report, scan
from invariant_breakpoints.trace import BadStep
from invariant_breakpoints.verdicts import Settings, Verdict

WINDOW = 10
SHOWN = 80
"""Characters of a text that a legend or a tip shows."""


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
    tip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A run to look at."""

    report: Report
    cells: tuple[Cell, ...]
    states: Legend
    actions: Legend
    errors: Legend

    def novelty(self, window: int = WINDOW) -> list[float]:
        """For each window in turn the share of its steps that are new in the whole run."""
        parts = [self.cells[at : at + window] for at in range(0, len(self.cells), window)]
        return [sum(cell.new for cell in part) / len(part) for part in parts]


def clipped(value: Any) -> str:
    """A value as one line of limited length; not escaped yet."""
    text = value if isinstance(value, str) else canonical(value)
    line = " ".join(text[: 4 * SHOWN].split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


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
        asked, seen_text = _told(line.raw, "args"), _told(line.raw, "observation")
        cells.append(
            Cell(
                verdict=verdict,
                state=states.number(facts.state, _told(line.raw, "state")),
                action=actions.number(facts.call, f"{clipped(facts.tool)} {asked}"),
                error=errors.number(facts.family, facts.family or ""),
                new=mark not in seen,
                tip=f"step {verdict.step}: {verdict.verdict}. {clipped(facts.tool)} {asked} "
                f"→ {seen_text}",
            )
        )
        seen.add(mark)
    return Strip(report=report, cells=tuple(cells), states=states, actions=actions, errors=errors)


def _facts(reader: Reader, line: Line) -> Facts | None:
    try:
        return reader.facts(line.step, line.index) if line.step else None
    except BadStep:
        return None
