"""Strips as one self-contained SVG or HTML file: no script, no address, no colour that decides."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from invariant_breakpoints.strip import WINDOW, Cell, Legend, Strip
from invariant_breakpoints.verdicts import RETRYING, STUCK, UNCERTAIN, WAITING, WORKING

WIDE, HIGH, BAND, MARGIN = 26, 18, 40, 84
"""A cell, the cells of a band, and the room for the names of the rows."""
DRAWN = 2000
"""Steps drawn of one run; what is left out is said."""
LISTED = 40

LETTERS = {WORKING: "W", RETRYING: "R", WAITING: "w", STUCK: "S", UNCERTAIN: "?"}
_ROWS = ("novelty", "step", "state", "action", "error", "verdict", "loop")
_STYLE = (
    "text{font:11px monospace;fill:#000}.h{font-weight:bold}.m{text-anchor:middle}"
    "rect{fill:#fff;stroke:#000;stroke-width:.5}.S{fill:#000}text.S{fill:#fff;font-weight:bold}"
    "line{stroke:#000;stroke-width:2}"
)
_FILLS = {UNCERTAIN: "url(#hatch)", WAITING: "url(#dots)", RETRYING: "url(#dots)"}
_PATTERNS = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<path d="M0 6L6 0" stroke="#999" stroke-width="1"/></pattern>'
    '<pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<circle cx="1.5" cy="1.5" r=".8" fill="#777"/></pattern></defs>'
)
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TURNED = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def safe(text: str) -> str:
    """Text of a trace for XML and HTML: escaped, without what XML forbids or turns the line."""
    return html.escape(_TURNED.sub("·", _NOT_XML.sub("·", text)), quote=True)


def _text(x: float, y: float, text: str, css: str = "") -> str:
    named = f' class="{css}"' if css else ""
    return f'<text x="{x:g}" y="{y:g}"{named}>{safe(text)}</text>'


def _runs(values: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Stretches of equal neighbours: first, count, value."""
    first = 0
    for at in range(1, len(values) + 1):
        if at == len(values) or values[at] != values[first]:
            yield first, at - first, values[first]
            first = at


def _band(strip: Strip, start: int, top: float, novelty: Sequence[float]) -> Iterator[str]:
    cells = strip.cells[start : min(start + BAND, DRAWN)]
    tops = {name: top + at * HIGH for at, name in enumerate(_ROWS)}
    for name in _ROWS:
        yield _text(0, tops[name] + 13, name)
    for at in range(0, len(cells), WINDOW):
        count = len(cells[at : at + WINDOW])
        x = MARGIN + at * WIDE
        value = f"{novelty[(start + at) // WINDOW]:.2f}"
        yield f'<rect x="{x}" y="{tops["novelty"]:g}" width="{count * WIDE}" height="{HIGH}"/>'
        yield _text(x + count * WIDE / 2, tops["novelty"] + 13, value, "m")
    for at, cell in enumerate(cells):
        yield from _column(cell, MARGIN + at * WIDE, tops)
    yield from _loops(strip, cells, tops["loop"])


def _column(cell: Cell, x: float, tops: dict[str, float]) -> Iterator[str]:
    said = cell.verdict.verdict
    values = {
        "step": str(cell.verdict.step),
        "state": cell.state,
        "action": cell.action,
        "error": cell.error,
        "verdict": LETTERS[said],
    }
    yield f"<g><title>{safe(cell.tip)}</title>"
    for name, value in values.items():
        stuck = "S" if name == "verdict" and said == STUCK else ""
        if name != "step":
            filled = name == "verdict" and said in _FILLS
            style = f' style="fill:{_FILLS[said]}"' if filled else ""
            named = f' class="{stuck}"' if stuck else ""
            yield (
                f'<rect x="{x:g}" y="{tops[name]:g}" width="{WIDE}" height="{HIGH}"{named}{style}/>'
            )
        if value:
            yield _text(x + WIDE / 2, tops[name] + 13, value, f"m {stuck}".strip())
    yield "</g>"


def _loops(strip: Strip, cells: Sequence[Cell], top: float) -> Iterator[str]:
    """A line under each loop, with its shapes where it begins; neighbours keep off each other."""
    for number, span in enumerate(strip.report.spans):
        inside = [
            at for at, cell in enumerate(cells) if span.first <= cell.verdict.step <= span.last
        ]
        if not inside:
            continue
        left, right = MARGIN + inside[0] * WIDE, MARGIN + (inside[-1] + 1) * WIDE
        yield f'<line x1="{left + 2}" y1="{top + 3:g}" x2="{right - 2}" y2="{top + 3:g}"/>'
        if cells[inside[0]].verdict.step != span.first:
            continue  # it goes on from the band above, where its name stands
        halt = "" if span.halt_at is None else f", halt at {span.halt_at}"
        said = f"{span.first}-{span.last} {' '.join(sorted(span.shapes))}{halt}"
        yield _text(left + 2, top + 15 + number % 2 * 13, said)


def _legend(name: str, legend: Legend) -> Iterator[str]:
    entries = list(legend)
    for short, long in entries[:LISTED]:
        yield f"{short} {long}"
    if len(entries) > LISTED:
        yield f"and {len(entries) - LISTED} {name} more"


def _keys(strip: Strip) -> Iterator[str]:
    yield "W working, R retrying, w waiting, S stuck_loop, ? uncertain; hatched: uncertain"
    yield f"novelty: share of {WINDOW} steps that are new in the whole run"
    if len(strip.cells) > DRAWN:
        yield f"{len(strip.cells) - DRAWN} steps after the first {DRAWN} are not drawn"
    yield from _legend("actions", strip.actions)
    yield from _legend("states", strip.states)
    yield from _legend("errors", strip.errors)


def _drawing(strip: Strip, top: float) -> tuple[list[str], float]:
    """The marks of one run from this height on, and the height after them."""
    report, drawn = strip.report, min(len(strip.cells), DRAWN)
    steps = "1 step" if len(strip.cells) == 1 else f"{len(strip.cells)} steps"
    marks = [_text(0, top + 13, f"{report.file}: {report.verdict} at the end of {steps}", "h")]
    top += 1.5 * HIGH
    novelty = strip.novelty()
    for start in range(0, drawn, BAND):
        marks += _band(strip, start, top, novelty)
        top += (len(_ROWS) + 1.2) * HIGH
    for line in _keys(strip):
        marks.append(_text(0, top + 13, line))
        top += 0.9 * HIGH
    return marks, top + HIGH


def svg(strips: Sequence[Strip]) -> str:
    """All strips in one SVG document, one under the other."""
    marks, top = list[str](), 4.0
    for one in strips:
        found, top = _drawing(one, top)
        marks += found
    width = MARGIN + BAND * WIDE + 4
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top:g}" '
        f'width="{width}" height="{top:g}" role="img" aria-label="Steps, states and verdicts">'
        f"<style>{_STYLE}</style>{_PATTERNS}\n" + "\n".join(marks) + "\n</svg>"
    )


def page(strips: Sequence[Strip]) -> str:
    """All strips in one HTML document, each with its loops as a table."""
    parts = []
    for one in strips:
        rows = "".join(
            f"<tr><td>{span.first}-{span.last}<td>{safe(' '.join(sorted(span.shapes)))}"
            f"<td>{span.called_at}<td>{'-' if span.halt_at is None else span.halt_at}"
            f"<td>{safe(str(span.evidence))}"
            for span in one.report.spans
        )
        head = "<tr><th>steps<th>shapes<th>called at<th>halt at<th>evidence"
        table = f"<table>{head}{rows}</table>" if rows else "<p>No loop was called.</p>"
        parts.append(f"<h2>{safe(one.report.file)}</h2><div>{svg([one])}</div>{table}")
    style = (
        "body{font:15px system-ui,sans-serif;margin:1.5rem;color:#000;background:#fff}"
        "div{overflow-x:auto}table{border-collapse:collapse}"
        "td,th{border:1px solid #777;padding:.2em .5em;text-align:left;overflow-wrap:anywhere}"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Steps and verdicts</title><style>{style}</style></head><body>\n"
        "<h1>Steps and verdicts</h1>\n" + "\n".join(parts) + "\n</body></html>"
    )
