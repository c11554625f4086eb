"""The results of an experiment: its figures drawn from artefacts, and the files of its runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from markupsafe import Markup, escape

from researchpack.pages._artefacts import Refused, Table, Trace, table_of, text_of, traces_of
from researchpack.pages._plots import plot
from researchpack.pages._records import published

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Artefact, ExperimentView, Figure, RunRecord, View

LISTED: Final = 200
"""Rows of a table that a page shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A figure as the page shows it."""

    figure: Figure
    run: RunRecord | None = None
    """Where it comes from."""
    earlier: str = ""
    """Why it is not of the run that is shown, a sentence; empty when it is."""
    svg: Markup | None = None
    table: Table | None = None
    text: str = ""
    cut: bool = False
    traces: tuple[Trace, ...] = ()
    refused: tuple[str, ...] = ()
    """Sentences about what cannot be shown."""


def figures(view: ExperimentView) -> list[Drawn]:
    """The figures of an experiment; those without any run are left out."""
    return [_drawn(figure, view) for figure in view.experiment.figures] if view.shown else []


def strip_figures(view: ExperimentView) -> Iterator[Drawn]:
    """The figures of kind strips that can be shown."""
    if any(figure.kind == "strips" for figure in view.experiment.figures):
        yield from (one for one in figures(view) if one.traces)


def newest(view: ExperimentView) -> RunRecord | None:
    """The newest run that completed: the one whose results are shown."""
    return view.shown[0] if view.shown else None


def _drawn(figure: Figure, view: ExperimentView) -> Drawn:
    name, runs = str(figure.file), view.shown
    run = next((one for one in runs if one.artefact(name) is not None), None)
    artefact = run.artefact(name) if run is not None else None
    if run is None or artefact is None:
        return Drawn(figure=figure, refused=(f"{name} is not shown: no run has made it.",))
    told: dict[str, object] = {
        "figure": figure,
        "run": run,
        "earlier": _earlier(run, runs[0], view),
    }
    try:
        return Drawn(**told, **_content(figure, artefact))  # type: ignore[arg-type]
    except Refused as refused:
        return Drawn(**told, refused=(str(refused),))  # type: ignore[arg-type]


def _content(figure: Figure, artefact: Artefact) -> dict[str, object]:
    if figure.kind == "text":
        text, cut = text_of(artefact)
        return {"text": text, "cut": cut}
    if figure.kind == "strips":
        return {"traces": traces_of(artefact)}
    table = table_of(artefact)
    if figure.kind == "table":
        return {"table": table}
    drawn = table.only(map(str, (figure.x or "", *figure.y)))
    try:
        return {"table": drawn, "svg": plot(table, figure)}
    except Refused as refused:
        return {"table": drawn, "refused": (str(refused),)}


def _earlier(run: RunRecord, first: RunRecord, view: ExperimentView) -> str:
    if run.id == first.id:
        return ""
    left = "; ".join(f"{what}: {why}" for what, why in first.skipped)
    words = f"Of an earlier run; the newest one skipped {left}."
    own = [one for one in view.values if one.run.id == run.id]
    if any(one.old_code for one in own) or _code(run) != _code(first):
        words += " The inputs or the code have changed since."
    return words


def _code(run: RunRecord) -> tuple[object, ...]:
    """What a run's own part was made of."""
    return (
        run.command,
        run.seeds,
        sorted((one.file, one.sha256) for one in run.inputs if not one.is_outside),
        sorted((one.name, one.sha256) for one in run.packages),
    )


class Files:
    """Links to the published files of a pack, from a page below its overview."""

    def __init__(self, view: View) -> None:
        self._there = {name: published(name) for name, _ in view.pack.files}
        if view.pack.snapshot is not None:
            self._there[str(view.pack.file.snapshot_file)] = "chapter-snapshot.txt"

    def link(self, name: str, words: str = "") -> Markup:
        """A file of the pack as a link; plain words when it is not published."""
        if name not in self._there:
            return escape(words or name)
        return Markup('<a href="../{}">{}</a>').format(quote(self._there[name]), words or name)

    def of_run(self, run: RunRecord, file: str, words: str = "") -> Markup:
        """A file that is kept with the runs of an experiment."""
        return self.link(f"runs/{run.experiment}/{file}", words or file)
