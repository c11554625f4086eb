"""What an experiment declares can be run, and what is told of it was run.

The status of an experiment or check is worked out: UNRUN, REPORTED (a person says that it was run
elsewhere), RUN (recorded here), STALE (what it was made of changed since), FAILED. One that has no
result, because nobody ran it or because no run of it was completed, cannot bear on a claim, nor be
what a claim of the class `reproduced locally` rests on. Rules must be readable and name values
that were measured; inputs lie inside of the pack and are no links; a command names an installed
program, no path and no shell; a figure shows something that the run made.

Rules: `experiments.result-without-run`, `experiments.not-reproduced`, `experiments.stale`,
`experiments.failed`, `experiments.rule`, `experiments.rule-path`, `experiments.input`,
`experiments.command`, `experiments.package`, `experiments.figure`,
`experiments.no-predictions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.checks.references import cited
from researchpack.formats.experiments import program_fault
from researchpack.measures import BadRule, paths_of, read_rule
from researchpack.problems import Problem, error, info, nearest, warning
from researchpack.records import Experiment, ExperimentView, Given, RunStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.places import Text
    from researchpack.records import View

REPRODUCED: Final = "reproduced locally"
"""The class of a claim that a run must stand behind."""


def check(view: View) -> Iterator[Problem]:
    """What is wrong with the experiments of one pack, and with what leans on them."""
    given = dict(view.pack.laboratory.given)
    installed = {one.name for one in view.pack.laboratory.packages if one.sha256}
    for found in view.experiments:
        experiment = found.experiment
        yield from _results(found)
        yield from _status(found)
        yield from _command(experiment)
        for name, why in given.get(str(experiment.id), Given()).missing:
            yield error(
                name.place,
                "experiments.input",
                f'The input "{name}" of {experiment.id} cannot be used: {why}.',
                "Name files or folders of the pack, relative to its folder.",
            )
        yield from _packages(experiment, installed)
        for rule in _rules(experiment):
            yield from _rule(found, rule)
        yield from _figures(found)
        if not experiment.is_check and not experiment.predictions:
            yield info(
                experiment.id.place,
                "experiments.no-predictions",
                f"Experiment {experiment.id} has no prediction.",
                "Write down what is expected before it is run.",
            )
    yield from _claims(view)


def _results(found: ExperimentView) -> Iterator[Problem]:
    experiment = found.experiment
    if experiment.bears_on and not found.has_result:
        unrun = found.status is RunStatus.UNRUN
        yield error(
            experiment.bears_on[0].claim.place,
            "experiments.result-without-run",
            f"{experiment.id} bears on {experiment.bears_on[0].claim} and "
            f"{'is UNRUN' if unrun else 'no run of it was completed'}.",
            "Run it, add `reported` with who ran it and when, or take the result out.",
        )


def _status(found: ExperimentView) -> Iterator[Problem]:
    own = found.experiment.id
    if found.status is RunStatus.STALE:
        yield warning(
            own.place,
            "experiments.stale",
            f"{own} is STALE: {found.reason}.",
            f"Run it again, `experiment run` with {own}, or take back what changed.",
        )
    if found.status is RunStatus.FAILED:
        yield warning(
            own.place,
            "experiments.failed",
            f"{own} is FAILED: {found.reason}.",
            "Look into its record, mend what is wrong and run it again; the failed run stays told.",
        )


def _command(experiment: Experiment) -> Iterator[Problem]:
    program = experiment.command[0] if experiment.command else None
    fault = program_fault(program) if program is not None else ""
    if program is not None and fault:
        yield error(
            program.place,
            "experiments.command",
            f'The command of {experiment.id} begins with "{program}", which is {fault}.',
            "Begin it with `python` or with the name of an installed program.",
        )


def _packages(experiment: Experiment, installed: set[str]) -> Iterator[Problem]:
    for name in experiment.packages:
        if name not in installed:
            yield warning(
                name.place,
                "experiments.package",
                f'The package "{name}" of {experiment.id} is not installed here, so nobody can say'
                " whether its code changed.",
                "Install it, or correct the name: it is what Python imports.",
            )


def _rules(experiment: Experiment) -> Iterator[Text]:
    yield from (one.rule for one in experiment.predictions if one.rule is not None)
    for rule in (experiment.success_rule, experiment.failure_rule):
        if rule is not None:
            yield rule


def _rule(found: ExperimentView, rule: Text) -> Iterator[Problem]:
    try:
        paths = paths_of(read_rule(rule))
    except BadRule as bad:
        yield error(
            rule.place,
            "experiments.rule",
            f"The rule of {found.experiment.id} says nothing. {bad}",
            "Write a comparison of measured values, such as `span.max <= 7`.",
        )
        return
    run = next((run for run in reversed(found.runs) if run.is_completed), None)
    measured = [one.path for one in found.values]
    for path in paths:
        if run is not None and path not in measured:
            near = nearest(path, measured)
            yield warning(
                rule.place,
                "experiments.rule-path",
                f"The rule needs {path}, which run {run.id} did not measure.",
                f'Did you mean "{near}"?' if near else "Measure it, or correct the rule.",
            )


def _figures(found: ExperimentView) -> Iterator[Problem]:
    """Figures of what no run that is shown has made; one that skipped a part leans on another."""
    if found.current is None or not found.current.is_completed:
        return
    names = [one.name for run in found.shown for one in run.artefacts]
    for figure in found.experiment.figures:
        if found.artefact(figure.file) is None:
            near = nearest(figure.file, names)
            yield warning(
                figure.file.place,
                "experiments.figure",
                f'The figure "{figure.title}" shows {figure.file}, and run {found.current.id} has'
                " no such artefact.",
                f'Did you mean "{near}"?' if near else "Write it in the script, or correct `file`.",
            )


def _claims(view: View) -> Iterator[Problem]:
    """Claims that are called reproduced and rest on no result."""
    if view.pack.is_broken("experiments.yaml"):
        return
    results = {str(one.experiment.id) for one in view.experiments if one.has_result}
    bearing: dict[str, list[str]] = {}
    for one in view.pack.experiments:
        for bears in one.bears_on:
            bearing.setdefault(str(bears.claim), []).append(str(one.id))
    for claim in view.pack.claims:
        word = next((word for word in claim.classes if word == REPRODUCED), None)
        if word is None:
            continue
        named = [str(name) for name in cited(claim.evidence) if name[0] in "XL"]
        named = list(dict.fromkeys([*named, *bearing.get(str(claim.id), ())]))
        if not results & set(named):
            told = f"of {', '.join(named)} none has a result" if named else "no check is cited"
            yield warning(
                word.place,
                "experiments.not-reproduced",
                f"{claim.id} is called {REPRODUCED}, and {told}.",
                "Run the check and cite it, or take the class out.",
            )
