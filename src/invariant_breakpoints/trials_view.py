"""The result of trials for people: a table over series, and the paper form of the chapter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from invariant_breakpoints.toys import LOOPING
from invariant_breakpoints.verdicts import SHAPES

_FORMS = {"tabu": "H1-tabu", "window_cap": "H2-cap", "retry_budget": "H3-backoff"}
"""The names that the paper form has for its three guards; others keep their own."""


def _number(value: float) -> str:
    return f"{value:g}"


def _cell(arm: dict[str, Any]) -> str:
    ends = " or ".join(arm["ends_on"])
    if arm["kind"] == LOOPING:
        return f"{ends}, {_number(arm['span_off'])}→{_number(arm['span_on'])}"
    return ends


def table_lines(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A Markdown table: how each arm ends off, and on under each guard, with median spans."""
    guards = [result["guard"] for result in results]
    yield f"| arm | guard off | {' | '.join(guards)} |"
    yield f"|---|---|{'---|' * len(guards)}"
    names = list(dict.fromkeys(arm["arm"] for result in results for arm in result["arms"]))
    for name in names:
        found = [
            next((arm for arm in result["arms"] if arm["arm"] == name), None) for result in results
        ]
        off = sorted({end for arm in found if arm for end in arm["ends_off"]})
        cells = [_cell(arm) if arm else "-" for arm in found]
        yield f"| {name} | {' or '.join(off)} | {' | '.join(cells)} |"
    sides = {len(result["seeds"]) for result in results}
    counts = ", ".join(f"{one}+{one}" for one in sorted(sides))
    yield ""
    yield f"{counts} trials an arm; spans are medians, off→on, in calls."


def form_lines(result: dict[str, Any]) -> Iterator[str]:
    """The paper form of the chapter, one for each arm, with what limits it said under it."""
    yield ""
    yield f"{result['name']}, registration {result['registration'][:12]}"
    for arm in result["arms"]:
        yield ""
        yield from _form(result, arm)
    yield ""
    yield from _limits(result)


def _form(result: dict[str, Any], arm: dict[str, Any]) -> Iterator[str]:
    mine = [one for one in result["trials"] if one["arm"] == arm["arm"]]
    off, on = ([one for one in mine if one["guard"] == side] for side in ("off", "on"))
    first = off[0]
    novelty = " ".join(f"{one:.2f}" for one in first["novelty"])
    shapes = ", ".join(one for one in SHAPES if one in first["shapes"]) or "none"
    begun = first["first"]
    steps = f"steps {begun}-{begun + first['span'] - 1}" if begun is not None else "no steps"
    options = ", ".join(f"{name} {value}" for name, value in result["options"].items())
    guard = _FORMS.get(result["guard"], result["guard"])
    spans = [" ".join(str(one["span"]) for one in side) for side in (off, on)]
    yield f"Arm: {arm['arm']} ({arm['kind']})"
    yield f"Windows (w={result['window']}): novelty {novelty} | shapes flagged: {shapes} ({steps})"
    yield (
        f"Guard: {guard} (thresholds {options or 'default'})  "
        f"SPAN off→on: {_number(arm['span_off'])}→{_number(arm['span_on'])}"
    )
    yield (
        f"TRIALS ×{len(off)}/×{len(on)}: {spans[0]} / {spans[1]}  "
        f"HALT VERDICTS: {', '.join(arm['ends_on'])}  NEXT: {result['next']}"
    )
    yield f"  predicted off: {arm['predictions']['off']}"
    yield f"  predicted on: {arm['predictions']['on']}"
    if not arm["varied"]:
        yield "  The trials of this arm are equal: one trial told again, so no p is given."
    else:
        yield from _tests(arm)


def _tests(arm: dict[str, Any]) -> Iterator[str]:
    low, high = arm["shorter_by"]
    yield (
        f"  shorter by {_number(low)} to {_number(high)} calls "
        f"(covers {arm['shorter_by_covers']:.1%}), "
        f"p = {arm['p_span_shorter']:.4g} (the least possible is {arm['least_p']:.4g})"
    )
    least, most = arm["completed_on_interval"]
    yield (
        f"  completed {arm['completed_off']}→{arm['completed_on']} of {arm['trials']} "
        f"({least:.0%}-{most:.0%} on), p of fewer = {arm['p_fewer_completed']:.4g}"
    )


def _limits(result: dict[str, Any]) -> Iterator[str]:
    if result["smoke_test"]:
        count = len(result["seeds"])
        yield f"Smoke test: {count}+{count} trials cannot go below p = 0.05."
    if result["young"]:
        yield "REGISTRATION YOUNGER THAN THE DATA: the file was written after the first trial."
    if result.get("changed"):
        yield "REGISTRATION CHANGED: the result was made with another file than this one."
    yield f"Seeds: {', '.join(str(seed) for seed in result['seeds'])}."
