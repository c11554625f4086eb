"""Reports as text for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from invariant_breakpoints.verdicts import NONE, SHAPES, STUCK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from invariant_breakpoints.scan import Report, Span
    from invariant_breakpoints.session import Result
    from invariant_breakpoints.verdicts import Verdict


def report_lines(report: Report) -> Iterator[str]:
    """One line for the run, and two for each loop in it."""
    steps = len(report.timeline)
    yield f"{report.file}: {report.verdict} at the end of {steps} {_plural(steps, 'step')}"
    for span in report.spans:
        yield from span_lines(span)


def span_lines(span: Span) -> Iterator[str]:
    """Where a loop is, when it was called, and by what evidence."""
    halt = "" if span.halt_at is None else f", halt at {span.halt_at}"
    shapes = ", ".join(sorted(span.shapes))
    yield f"  loop in steps {span.first}-{span.last}: {shapes}; called at {span.called_at}{halt}"
    yield f"    evidence: {json.dumps(span.evidence, ensure_ascii=False)}"


def explanation(verdict: Verdict) -> Iterator[str]:
    """Everything about one verdict, in sentences."""
    action = "" if verdict.action == NONE else f" ({verdict.action})"
    yield f"step {verdict.step}: {verdict.verdict}{action}"
    yield f"  {verdict.why}"
    for shape in verdict.shapes:
        yield f"  {shape}: {SHAPES[shape]}"
    if verdict.verdict == STUCK and verdict.first is not None:
        yield f"  The loop began at step {verdict.first}."
    if verdict.evidence:
        yield f"  evidence: {json.dumps(verdict.evidence, ensure_ascii=False)}"
    if verdict.lacking:
        yield f"  not recorded: {', '.join(verdict.lacking)}"
    for note in verdict.notes:
        yield f"  note: {note}"


def ruling_lines(result: Result) -> Iterator[str]:
    """What guards did, one line each, and how the run ended."""
    for ruling in result.rulings:
        told = ruling.as_json()
        what = told.get("message") or told.get("why") or ""
        yield f"{told['guard']}, {told['when']} step {told['step']}: {told['decision']}: {what}"
    steps = len(result.trace)
    yield f"{result.outcome} ({result.stop_reason}) after {steps} {_plural(steps, 'step')}"


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"
