"""A whole run judged: its timeline, its loops as spans, and the verdict of its last step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from invariant_breakpoints.detect import Detector
from invariant_breakpoints.keys import NORMALISER
from invariant_breakpoints.reading import Fault
from invariant_breakpoints.trace import BadStep
from invariant_breakpoints.verdicts import HALT, STUCK, UNCERTAIN, Settings, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from invariant_breakpoints.reading import Line, Run


@dataclass(slots=True, kw_only=True)
class Span:
    """A stretch of steps that were all called a loop."""

    first: int
    """Where the loop began, which is before it could be called."""
    last: int
    called_at: int
    shapes: set[str]
    evidence: dict[str, Any]
    halt_at: int | None = None

    def as_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "first": self.first,
            "last": self.last,
            "shapes": sorted(self.shapes),
            "evidence": self.evidence,
            "called_at": self.called_at,
            "halt_at": self.halt_at,
        }


@dataclass(slots=True, kw_only=True)
class Report:
    """What is said of one run."""

    file: str
    timeline: list[Verdict] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """That of the last step; a run without a step shows nothing."""
        return self.timeline[-1].verdict if self.timeline else UNCERTAIN

    def as_json(self) -> dict[str, Any]:
        """The object of one trace, as `scan --format json` prints it."""
        return {
            "file": self.file,
            "verdict": self.verdict,
            "normaliser": NORMALISER,
            "timeline": [
                {
                    "step": said.step,
                    "verdict": said.verdict,
                    "shapes": list(said.shapes),
                    "action": said.action,
                }
                for said in self.timeline
            ],
            "spans": [span.as_json() for span in self.spans],
        }


def judged(detector: Detector, line: Line, name: str) -> tuple[Verdict, list[Fault]]:
    """The verdict on one line of a run, and the faults found in it."""
    faults = list(line.faults)
    if line.step is None:
        return detector.unreadable(line.index), faults
    step = line.step
    try:
        verdict = detector.observe(step)
    except BadStep as bad:
        faults.append(Fault(file=name, line=line.index + 1, what=str(bad)))
        number = line.index if step.step is None else step.step
        return detector.unreadable(number), faults
    known = {fault.what for fault in faults}
    faults += [
        Fault(file=name, line=line.index + 1, what=note)
        for note in verdict.notes
        if note not in known and note.startswith(("Step ", "The clock "))
    ]
    return verdict, faults


def scan(run: Run, settings: Settings | None = None, *, key: bytes = b"") -> Report:
    """Judge a run from its first line to its last; with a key the digests are keyed ones."""
    detector = Detector(settings, key=key)
    report = Report(file=run.name)
    for line in run.lines:
        verdict, faults = judged(detector, line, run.name)
        report.timeline.append(verdict)
        report.faults += faults
    report.spans = list(spans(report.timeline))
    return report


def spans(timeline: list[Verdict]) -> Iterator[Span]:
    """The stretches of neighbouring steps that are `stuck_loop`."""
    span: Span | None = None
    for said in timeline:
        if said.verdict != STUCK:
            if span is not None:
                yield span
            span = None
            continue
        if span is None:
            span = Span(
                first=said.step if said.first is None else said.first,
                last=said.step,
                called_at=said.step,
                shapes=set(),
                evidence=said.evidence,
            )
        span.last = said.step
        span.first = span.first if said.first is None else min(span.first, said.first)
        span.shapes |= set(said.shapes)
        if said.action == HALT and span.halt_at is None:
            span.halt_at, span.evidence = said.step, said.evidence
    if span is not None:
        yield span
