"""A calibration as a Markdown table and as an SVG with its numbers as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from invariant_breakpoints.calibrate import Point
from invariant_breakpoints.strip_view import safe

WIDE, HIGH, LEFT, TOP = 420, 220, 60, 30


def _delay(point: Point) -> str:
    return "-" if point.delay is None else f"{point.delay:g}"


def calibration_lines(setting: str, points: Sequence[Point]) -> Iterator[str]:
    """A Markdown table, one row a value."""
    yield f"| {setting} | median delay | loops halted | false halts |"
    yield "|---|---|---|---|"
    for point in points:
        halted = f"{len(point.delays)} of {point.loops}"
        wrong = f"{point.false_halts} of {point.healthy + point.loops}"
        yield f"| {point.value} | {_delay(point)} | {halted} | {wrong} |"


def calibration_svg(setting: str, points: Sequence[Point]) -> str:
    """Delay (up) against false halts (right); each mark is named by its value."""
    drawn = [point for point in points if point.delay is not None]
    most_wrong = max((point.false_halts for point in drawn), default=0) or 1
    most_late = max((point.delay or 0 for point in drawn), default=0) or 1
    marks = []
    for point in drawn:
        x = LEFT + point.false_halts / most_wrong * WIDE
        y = TOP + HIGH - (point.delay or 0) / most_late * HIGH
        said = f"{point.value}: {point.false_halts} false, delay {_delay(point)}"
        marks.append(f'<circle cx="{x:g}" cy="{y:g}" r="3"><title>{said}</title></circle>')
        marks.append(f'<text x="{x + 6:g}" y="{y - 4:g}">{said}</text>')
    bottom = TOP + HIGH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE + 260} {HIGH + 80}" '
        f'width="{WIDE + 260}" height="{HIGH + 80}" role="img" aria-label="Calibration">'
        "<style>text{font:11px monospace}path{fill:none;stroke:#000}</style>"
        f'<path d="M{LEFT} {TOP}V{bottom}H{LEFT + WIDE}"/>\n'
        + "\n".join(marks)
        + f'\n<text x="4" y="{TOP - 12}">median delay, 0 to {most_late:g} steps</text>'
        f'<text x="{LEFT}" y="{bottom + 20}">false halts, 0 to {most_wrong} runs</text>'
        f'<text x="{LEFT}" y="{bottom + 36}">values of {safe(setting)}; '
        f"{len(points) - len(drawn)} without any halt are not drawn</text></svg>"
    )
