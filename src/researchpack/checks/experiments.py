"""No experiment has a result that nobody ran, and predictions come before results.

The status of an experiment or check is worked out: UNRUN, REPORTED (a person says that it was run
elsewhere), RUN (recorded here). One that is neither RUN nor REPORTED cannot bear on a claim. An
experiment, unlike a check, needs predictions with the day they were written down; one that was
written after the reported run is flagged.

Rules: `experiments.result-without-run`, `experiments.no-predictions`,
`experiments.prediction-late`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.dates import parse_date
from researchpack.problems import Problem, error, info, warning
from researchpack.records import Experiment, RunStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Results without a run, and predictions that are missing or late."""
    for experiment in view.pack.experiments:
        if experiment.bears_on and view.status(experiment.id) is RunStatus.UNRUN:
            yield error(
                experiment.bears_on[0].claim.place,
                "experiments.result-without-run",
                f"{experiment.id} bears on {experiment.bears_on[0].claim} and is UNRUN.",
                "Run it, add `reported` with who ran it and when, or take the result out.",
            )
        yield from _predictions(experiment)


def _predictions(experiment: Experiment) -> Iterator[Problem]:
    if not experiment.is_check and not experiment.predictions:
        yield info(
            experiment.id.place,
            "experiments.no-predictions",
            f"Experiment {experiment.id} has no prediction.",
            "Write down what is expected before it is run.",
        )
    run = parse_date(experiment.reported.date or "") if experiment.reported else None
    for prediction in experiment.predictions:
        written = parse_date(prediction.written or "")
        if run is not None and (written is None or written.first > run.last):
            yield warning(
                prediction.text.place,
                "experiments.prediction-late",
                f"A prediction of {experiment.id} was not written down before its run.",
                "Say so in the outcome; a prediction made afterwards shows nothing.",
            )
