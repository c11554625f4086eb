"""A recorded run as a strip: one column a step, readable without colour, no rule of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.pages._artefacts import Trace

_WIDE, _HIGH, _MARGIN = 30, 20, 64
"""A column, a row, and the room for the names of the rows, in pixels."""
_ROWS: Final = ("novelty", "step", "state", "action", "error", "verdict", "loop")
_DRAWN: Final = 400
_NOT_XML: Final = re.compile("[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LETTERS: Final = {
    "working": ("W", "notneeded"),
    "retrying": ("R", "qualified"),
    "waiting": ("w", "notneeded"),
    "stuck_loop": ("S", "contradicted"),
    "uncertain": ("?", "unverified"),
}
"""The letter of a verdict on a step, and the CSS class whose colour goes with it."""


def letter(verdict: str) -> str:
    """The letter of a verdict; the first of a word that is not known."""
    return LETTERS[verdict][0] if verdict in LETTERS else verdict[:1]


def step_css(verdict: str) -> str:
    """The CSS class of a verdict on a step."""
    return LETTERS.get(verdict, ("", "unverified"))[1]


def said(verdict: str) -> Markup:
    """A verdict on a step as letter and word."""
    return Markup('<span class="o {}"><i aria-hidden="true">{}</i> {}</span>').format(
        step_css(verdict), letter(verdict), verdict
    )


def left(position: int) -> int:
    """The left edge of a step's column, in pixels."""
    return _MARGIN + position * _WIDE


def strip(trace: Trace, mark: str = "") -> Markup:
    """The drawing; `mark` is the id of the frame around the step that is looked at, if any."""
    steps = trace.steps[:_DRAWN]
    wide, high = left(len(steps)) + 4, _HIGH * len(_ROWS) + 4
    label = f"Strip of {trace.name}: {len(trace.steps)} steps, {trace.verdict} at the end"
    parts = [*_grid(trace, len(steps)), *_words(trace, len(steps)), *_loops(trace, len(steps))]
    if mark:
        parts.append(
            Markup('<rect class="here" id="{}" y="{}" width="{}" height="{}" hidden/>').format(
                mark, _HIGH + 1, _WIDE, _HIGH * 5
            )
        )
    more = len(trace.steps) - len(steps)
    note = Markup("<p><small>{} steps after these are not drawn.</small></p>").format(more)
    return Markup(
        '<div class="strip" tabindex="0" role="group" aria-label="{}"><svg width="{}" height="{}"'
        ' viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg></div>{}'
    ).format(
        f"Strip of {trace.name}",
        wide,
        high,
        wide,
        high,
        _safe(label),
        Markup("").join(parts),
        note if more else "",
    )


def _grid(trace: Trace, count: int) -> Iterator[Markup]:
    """The lines between cells, and what is filled: verdicts that matter, new states."""
    top, right = _HIGH * 2, left(count)
    marks = [f"M{left(0)} {top + row * _HIGH}H{right}" for row in range(5)]
    marks += [f"M{left(at)} {top}V{top + 4 * _HIGH}" for at in range(count + 1)]
    for window in trace.windows:
        if window.first < count:
            end = left(min(window.last + 1, count))
            marks.append(f"M{left(window.first)} 1H{end}V{_HIGH}H{left(window.first)}Z")
    for at, step in enumerate(trace.steps[:count]):
        kind = {"stuck_loop": "stuck", "uncertain": "open"}.get(step.verdict)
        if kind:
            yield Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(
                kind, left(at), _HIGH * 5, _WIDE, _HIGH
            )
        if step.new and step.state:
            yield Markup('<rect class="new" x="{}" y="{}" width="{}" height="3"/>').format(
                left(at) + 1, _HIGH * 3 - 4, _WIDE - 2
            )
    yield Markup('<path class="grid" d="{}"/>').format("".join(marks))


def _words(trace: Trace, count: int) -> Iterator[Markup]:
    for row, name in enumerate(_ROWS):
        yield Markup('<text class="name" x="0" y="{}">{}</text>').format(row * _HIGH + 14, name)
    for window in trace.windows:
        if window.first < count:
            middle = (left(window.first) + left(min(window.last + 1, count))) / 2
            yield Markup('<text class="mid" x="{:g}" y="14">{}</text>').format(
                middle, _safe(window.novelty)
            )
    steps = trace.steps[:count]
    for row, cells in (
        (1, [step.number for step in steps]),
        (2, [step.state for step in steps]),
        (3, [step.action for step in steps]),
        (4, [step.error for step in steps]),
        (5, [letter(step.verdict) for step in steps]),
    ):
        spans = Markup("").join(
            Markup('<tspan x="{:g}"{}>{}</tspan>').format(
                left(at) + _WIDE / 2,
                Markup(' class="on"') if row == 5 and words == "S" else "",
                _safe(words),
            )
            for at, words in enumerate(cells)
            if words
        )
        if spans:
            yield Markup('<text class="mid" y="{}">{}</text>').format(row * _HIGH + 14, spans)


def _loops(trace: Trace, count: int) -> Iterator[Markup]:
    """A line under each loop, with its words where they have room."""
    for loop in trace.loops:
        if loop.first >= count:
            continue
        end = left(min(loop.last + 1, count))
        yield Markup('<path class="loop" d="M{} {}H{}"/>').format(
            left(loop.first) + 1, _HIGH * 6 + 3, end - 1
        )
        if len(loop.words) * 6.2 < end - left(loop.first):
            yield Markup('<text x="{}" y="{}">{}</text>').format(
                left(loop.first) + 2, _HIGH * 7 - 3, _safe(loop.words)
            )


def _safe(text: str) -> Markup:
    return escape(_NOT_XML.sub("·", text))
