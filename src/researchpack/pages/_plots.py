"""A table of numbers as a small SVG plot, made by leather and dressed by the style sheet.

leather writes colours and fonts into every element. Here they are names, which become classes, so
that a plot follows the colours of the page; series differ by form as well: dashes, hollow marks.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # only written here; nothing is parsed
from typing import TYPE_CHECKING, Any, Final

import leather
from leather import theme
from markupsafe import Markup

from researchpack.measures import told
from researchpack.pages._artefacts import Refused, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from researchpack.measures import Value
    from researchpack.records import Figure

_WIDE, _HIGH, _BAR = 440, 240, 24
_MOST_BARS, _MOST_POINTS, _MOST_SERIES = 48, 500, 5
_LONGEST_LABEL: Final = 36
_FARTHEST: Final = 1e15
"""leather counts in decimals of 28 digits: what is larger, or differs by less, it cannot place."""
_FLAT: Final = 1e-4
_DASHES: Final = ("none", "7 4", "2 4", "10 3 2 3", "1 3")
_PLACES: Final = frozenset(
    ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "d")
)
_LONG: Final = re.compile(r"\d+\.\d+(?:[Ee][+-]?\d+)?")
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

for _name, _told in {
    "background_color": "none",
    "legend_color": "rp-label",
    "axis_title_color": "rp-label",
    "label_color": "rp-label",
    "tick_color": "rp-tick",
    "zero_color": "rp-zero",
    "margin": 0.035,
    "tick_font_char_width": 6.2,
    "tick_font_char_height": 12,
    "legend_font_char_width": 6.6,
    "axis_title_font_char_height": 12,
    "axis_title_gap": 8,
}.items():
    setattr(theme, _name, _told)


def plot(table: Table, figure: Figure) -> Markup:
    """The plot of a figure of kind bars, lines or dots. Raises `Refused`."""
    if figure.x is None or not 1 <= len(figure.y) <= _MOST_SERIES:
        raise Refused(f"There is no plot: it takes x and 1 to {_MOST_SERIES} columns as y.")
    across = table.column(str(figure.x))
    series = [(str(name), _numbers(str(name), table.column(str(name)))) for name in figure.y]
    if all(value is None for _, values in series for value in values):
        raise Refused("There is no plot: no value is a number.")
    draw = _bars if figure.kind == "bars" else _curves
    try:
        group, high = draw(across, series, figure)
    except (ArithmeticError, ValueError, TypeError, IndexError, KeyError) as fault:
        if isinstance(fault, Refused):
            raise
        raise Refused("There is no plot: these numbers cannot be drawn.") from None
    root = ET.Element("svg", {"class": "plot", "viewBox": f"0 0 {_WIDE} {high}", "role": "img"})
    root.set("aria-label", _NOT_XML.sub(" ", f"Plot: {figure.title}; the table has its numbers"))
    root.append(group)
    _dress(root)
    return Markup(ET.tostring(root, encoding="unicode"))


def _numbers(name: str, values: Sequence[Value]) -> list[float | None]:
    found: list[float | None] = []
    for value in values:
        if value is not None and (isinstance(value, bool | str) or abs(value) > _FARTHEST):
            raise Refused(f'There is no plot: "{name}" holds "{_clipped(value)}", no such number.')
        found.append(None if value is None else float(value))
    return found


def _range(values: Iterator[float | None], *, zero: bool) -> tuple[float, float]:
    """The ends of an axis; it begins at zero where that hides nothing."""
    known = [value for value in values if value is not None]
    low, high = min(known), max(known)
    if zero or high - low < _FLAT * max(abs(low), abs(high)):
        low, high = min(low, 0.0), max(high, 0.0)
    return (low, high) if low < high else (0.0, 1.0)


def _bars(
    across: Sequence[Value], series: list[tuple[str, list[float | None]]], figure: Figure
) -> tuple[ET.Element, int]:
    """Lying bars, so that their names can be read; with several columns one bar each."""
    several = len(series) > 1
    rows = [
        (_clipped(f"{told(at)}: {name}" if several else told(at)), values[number], place)
        for number, at in enumerate(across)
        for place, (name, values) in enumerate(series)
    ]
    if len(rows) > _MOST_BARS:
        raise Refused(f"There is no plot: it would take {len(rows)} bars.")
    if len({label for label, _, _ in rows}) < len(rows):
        raise Refused(f'There is no plot: two rows have the same "{figure.x}".')
    chart = leather.Chart()
    low, high = _range((value for _, value, _ in rows), zero=True)
    chart.add_x_scale(low, high + (high - low) * 0.06)
    data = [(value, label) for label, value, _ in reversed(rows)]
    styles = {label: f"rp-s{place}" for label, _, place in rows}
    shape = leather.Bars(lambda datum: styles[datum.y])
    chart.add_series(leather.Series([(value or 0, label) for value, label in data]), shape)
    wide = 52 + _BAR * len(rows)
    chart.add_x_axis(tick_formatter=_tick)
    group = chart.to_svg_group(_WIDE, wide)
    _without_rows(group)
    drawn = next(one for one in group.iter() if one.get("class") == "series bars")
    for rect, (value, _) in zip(list(drawn), data, strict=True):
        end = float(rect.get("x", "0")) + (float(rect.get("width", "0")) if value else 0)
        middle = float(rect.get("y", "0")) + float(rect.get("height", "0")) / 2
        words = ET.SubElement(drawn, "text", {"x": str(end + 5), "y": str(middle), "dy": "0.34em"})
        words.set("class", "rp-value")
        words.text = "not measured" if value is None else told(value)
    return group, wide


def _without_rows(group: ET.Element) -> None:
    """Take away the lines of the names: they would run through the numbers."""
    names = next(one for one in group.iter() if one.get("class") == "axis left")
    for tick in names.iter("g"):
        for line in tick.findall("line"):
            tick.remove(line)


def _curves(
    across: Sequence[Value], series: list[tuple[str, list[float | None]]], figure: Figure
) -> tuple[ET.Element, int]:
    """Lines or dots; words on the x axis stand at equal distances."""
    if len(across) * len(series) > _MOST_POINTS:
        raise Refused(f"There is no plot: it would take {len(across) * len(series)} points.")
    if figure.kind == "lines" and len(set(map(str, across))) < len(across):
        raise Refused(f'There is no plot: two rows have the same "{figure.x}".')
    chart = leather.Chart()
    if any(isinstance(value, str | bool) for value in across):
        places: list[float | None] = [float(number) for number in range(1, len(across) + 1)]
        names = [_clipped(told(value), 16) for value in across]
        chart.add_x_axis(ticks=places, tick_formatter=lambda v, i, n: names[i], name=figure.x)
        chart.add_x_scale(0.5, len(across) + 0.5)
    else:
        places = _numbers(str(figure.x), across)
        low, high = _range(iter(places), zero=False)
        chart.add_x_scale(low, high)
        whole = sorted({p for p in places if p is not None})
        ticks = whole if len(whole) <= 12 else None
        chart.add_x_axis(ticks=ticks, tick_formatter=_tick, name=str(figure.x))
    low, high = _range((v for _, values in series for v in values), zero=True)
    chart.add_y_scale(low, high)
    name = series[0][0] if len(series) == 1 else None
    chart.add_y_axis(tick_formatter=_tick, name=name)
    for number, (name, values) in enumerate(series):
        data = list(zip(places, values, strict=True))
        if figure.kind == "lines":
            dash = _DASHES[number]
            chart.add_line(data, name=name, stroke_color=f"rp-l{number}", stroke_dasharray=dash)
        else:
            chart.add_dots(data, name=name, fill_color=f"rp-s{number}", radius=4)
    return chart.to_svg_group(_WIDE, _HIGH), _HIGH


def _tick(value: Any, index: int, count: int) -> str:
    del index, count
    return told(round(float(value), 6))


def _clipped(value: object, most: int = _LONGEST_LABEL) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _dress(root: ET.Element) -> None:
    """Names of colours become classes, fonts go to the style sheet, places are rounded."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == "rect" and child.get("fill") == "none":
                parent.remove(child)
            elif child.tag == "rect" and str(child.get("fill")).startswith("rp-l"):
                _as_line(child)
    for one in root.iter():
        one.text = _NOT_XML.sub(" ", one.text) if one.text else None
        for key, value in list(one.attrib.items()):
            _dress_one(one, key, value)


def _dress_one(one: ET.Element, key: str, value: str) -> None:
    if value.startswith("rp-") and key in ("fill", "stroke"):
        one.set("class", f"{one.get('class', '')} {one.attrib.pop(key)}".strip())
    elif key in ("font-family", "font-size"):
        del one.attrib[key]
    elif key in _PLACES:
        one.set(key, _LONG.sub(_rounded, value))


def _rounded(match: re.Match[str]) -> str:
    return f"{float(match[0]):.1f}".removesuffix(".0")


def _as_line(bubble: ET.Element) -> None:
    """The square of a legend as the line that it stands for."""
    kind = str(bubble.get("fill"))
    middle = float(bubble.get("y", "0")) + 6
    bubble.clear()
    bubble.tag = "path"
    bubble.set("d", f"M -6 {middle} L 11 {middle}")
    bubble.set("stroke", kind)
    bubble.set("stroke-width", "2")
    if (dash := _DASHES[int(kind[-1])]) != "none":
        bubble.set("stroke-dasharray", dash)
