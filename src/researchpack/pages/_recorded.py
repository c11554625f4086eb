"""The recorded runs that readers can look at step by step: all traces of all shown figures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from researchpack.pages._artefacts import Trace
from researchpack.pages._results import strip_figures

if TYPE_CHECKING:
    from researchpack.records import RunRecord, View

Key: TypeAlias = tuple[str, str, int]
"""Experiment, name of the artefact, place in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A recorded run that the reader can pick."""

    id: str
    """Of its section; stable as long as experiment and name are the same."""
    name: str
    """Of the run, without folders and suffix."""
    experiment: str
    trace: Trace
    run: RunRecord
    earlier: str
    """Why it is not of the newest run, a sentence; empty when it is."""


@lru_cache(maxsize=16)
def recorded(view: View) -> dict[Key, Recorded]:
    """All of them, in the order of the experiments and of their files."""
    found: dict[Key, Recorded] = {}
    taken: set[str] = set()
    for experiment in view.experiments:
        own = str(experiment.experiment.id)
        for drawn in strip_figures(experiment):
            for number, trace in enumerate(drawn.traces):
                key = (own, str(drawn.figure.file), number)
                if drawn.run is not None and key not in found:
                    found[key] = Recorded(
                        id=_id(own, trace, taken),
                        name=_stem(trace.name),
                        experiment=own,
                        trace=trace,
                        run=drawn.run,
                        earlier=drawn.earlier,
                    )
    return found


def _stem(name: str) -> str:
    return re.sub(r"\.jsonl?(?=$|#)", "", name.rpartition("/")[2]) or name


def _id(own: str, trace: Trace, taken: set[str]) -> str:
    """`X2-loop-shelf`: the experiment, and the name of the run without folders and suffix."""
    slug = re.sub(r"[^a-z0-9]+", "-", _stem(trace.name).lower()).strip("-")[:60].rstrip("-")
    name, number = f"{own}-{slug or 'run'}", 2
    while name in taken:
        name, number = f"{own}-{slug or 'run'}-{number}", number + 1
    taken.add(name)
    return name
