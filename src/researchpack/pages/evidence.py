"""The recorded runs, step by step. All of it was worked out by the package when it was run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.pages._recorded import recorded
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.pages._strips import left, said, strip

if TYPE_CHECKING:
    from researchpack.pages._artefacts import Trace
    from researchpack.records import View


def is_there(view: View) -> bool:
    """Whether a run of the pack has left recorded runs to look at."""
    return bool(recorded(view))


def page(shown: Shown) -> Page:
    """The page `evidence/`."""
    found = list(recorded(shown.view).values())
    runs = {one.run.id: one.run for one in found}
    return Page(
        path=f"{shown.path}/evidence",
        title=f"Evidence · {shown.title}",
        html=render(
            "evidence.html.j2",
            "../",
            shown,
            found=found,
            runs=list(runs.values()),
            step_rows=_rows,
            strip=strip,
            said=said,
        ),
        headings=(
            Heading(id="runs", title="Recorded runs"),
            Heading(id="own", title="Look at a run of your own"),
        ),
    )


def _rows(trace: Trace) -> list[dict[str, object]]:
    """One row a step: what the drawing shows, in words."""
    windows = {
        at: f"steps {trace.steps[w.first].number}–{trace.steps[w.last].number}: {w.new} of {w.of}"
        f" new, novelty {w.novelty}"
        for w in trace.windows
        for at in range(w.first, w.last + 1)
    }
    loops: dict[int, str] = {}
    for loop in trace.loops:
        for at in range(loop.first, loop.last + 1):
            loops[at] = f"{loops[at]}; {loop.words}" if at in loops else loop.words
    return [
        {
            "step": step,
            "x": left(at),
            "state": _named(trace, step.state),
            "error": _named(trace, step.error),
            "action": step.action,
            "window": windows.get(at, ""),
            "loop": loops.get(at, ""),
        }
        for at, step in enumerate(trace.steps)
    ]


def _named(trace: Trace, short: str) -> str:
    """A short name with what it stands for."""
    long = trace.long(short)
    return f"{short}: {long}" if short and long else short
