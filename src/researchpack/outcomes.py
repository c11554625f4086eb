"""An experiment and its runs -> its status, its values, and what became of its predictions."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from researchpack.formats.runs import registered_sha256
from researchpack.measures import judged
from researchpack.records import Criterion, ExperimentView, Given, Measured, RunStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.measures import Value
    from researchpack.records import Experiment, Laboratory, RunRecord

SEEDS: Final = "{seeds}"
"""The word of a command that stands for the seeds, joined by commas."""
_MANY_SEEDS: Final = 12


def experiment_views(
    experiments: Iterable[Experiment], laboratory: Laboratory
) -> tuple[ExperimentView, ...]:
    """Every experiment with what follows from its runs, in file order."""
    return tuple(_view(experiment, laboratory) for experiment in experiments)


def command_of(experiment: Experiment) -> tuple[str, ...]:
    """The command as it is run: with the seeds in their place."""
    seeds = ",".join(experiment.seeds)
    return tuple(seeds if word == SEEDS else str(word) for word in experiment.command)


def command_text(experiment: Experiment) -> str:
    """The command for people: many seeds are told by the first two and the last."""
    seeds = list(map(str, experiment.seeds))
    short = seeds if len(seeds) <= _MANY_SEEDS else [*seeds[:2], "…", seeds[-1]]
    words = (",".join(short) if word == SEEDS else str(word) for word in experiment.command)
    return " ".join(word if "…" in word else shlex.quote(word) for word in words)


def criteria_of(experiment: Experiment, values: dict[str, Value]) -> tuple[Criterion, ...]:
    """Each prediction and criterion, with what its rule says about the values."""
    told = [("prediction", p.text, p.rule) for p in experiment.predictions]
    if experiment.success is not None:
        told.append(("success", experiment.success, experiment.success_rule))
    if experiment.failure is not None:
        told.append(("failure", experiment.failure, experiment.failure_rule))
    return tuple(_judged(kind, text, rule, values) for kind, text, rule in told)


def _judged(kind: str, text: str, rule: str | None, values: dict[str, Value]) -> Criterion:
    plain = None if rule is None else " ".join(rule.split())
    told = judged(plain, values)
    return Criterion(
        kind=kind,
        text=" ".join(text.split()),
        rule=plain,
        outcome=told.outcome,
        because=told.because,
    )


def stale_reasons(
    experiment: Experiment, run: RunRecord, laboratory: Laboratory
) -> tuple[str, ...]:
    """What has changed since a run: criteria, command, inputs, code. Nothing for what is absent
    here, such as files from outside or a package that is not installed."""
    found = []
    if run.registration != registered_sha256(experiment):
        found.append("the predictions or criteria changed")
    return (*found, *code_reasons(experiment, run, laboratory))


def code_reasons(experiment: Experiment, run: RunRecord, laboratory: Laboratory) -> Iterator[str]:
    """What has changed since a run of that which makes its values."""
    if run.command != command_of(experiment) or run.seeds != tuple(map(str, experiment.seeds)):
        yield "the command changed"
    given = dict(laboratory.given).get(str(experiment.id), Given())
    now = {one.file: one.sha256 for one in given.inputs}
    then = {one.file: one.sha256 for one in run.inputs if not one.is_outside}
    changed = sorted(name for name in now.keys() | then.keys() if now.get(name) != then.get(name))
    if {one.name for one in run.packages} != set(map(str, experiment.packages)):
        yield "the list of packages changed"
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        yield f"the input {changed[0]}{more} changed"
    installed = {one.name: one for one in laboratory.packages}
    for package in run.packages:
        here = installed.get(package.name)
        if here is not None and here.sha256 and here.sha256 != package.sha256:
            yield f"the code of {package.name} changed"


def not_compared(shown: tuple[RunRecord, ...], laboratory: Laboratory) -> Iterator[str]:
    """What the shown runs were made of and nobody could look at here."""
    installed = {one.name for one in laboratory.packages if one.sha256}
    names = dict.fromkeys(one.name for run in shown for one in run.packages)
    yield from (
        f"the code of {name}, which is not installed" for name in names if name not in installed
    )
    outside = {one.file for run in shown for one in run.inputs if one.is_outside}
    if outside:
        yield f"{len(outside)} {'file' if len(outside) == 1 else 'files'} from outside of the pack"


def _view(experiment: Experiment, laboratory: Laboratory) -> ExperimentView:
    own = str(experiment.id)
    runs = tuple(run for run in laboratory.runs if run.experiment == own)
    finished = [run for run in runs if not run.fault and run.outcome != "interrupted"]
    current = finished[-1] if finished else None
    status, reason = _status(experiment, runs, current, laboratory)
    shown = tuple(_shown(finished))
    unseen = tuple(not_compared(shown, laboratory))
    if status is RunStatus.RUN and unseen:
        reason += f"; not compared: {'; '.join(unseen)}"
    values = tuple(_values(experiment, shown, laboratory))
    return ExperimentView(
        experiment=experiment,
        status=status,
        reason=reason,
        runs=runs,
        current=current,
        registrations=tuple(one for one in laboratory.registrations if one.experiment == own),
        criteria=_criteria(experiment, current, values),
        values=values,
        shown=shown,
        not_compared=unseen,
    )


def _criteria(
    experiment: Experiment, current: RunRecord | None, values: tuple[Measured, ...]
) -> tuple[Criterion, ...]:
    """As the run recorded them; with the values of an earlier run where this one skipped a part."""
    if current is None or not current.is_completed:
        return criteria_of(experiment, {})
    if current.skipped and current.registration == registered_sha256(experiment):
        return criteria_of(experiment, {one.path: one.value for one in values})
    return current.criteria


def _status(
    experiment: Experiment,
    runs: tuple[RunRecord, ...],
    current: RunRecord | None,
    laboratory: Laboratory,
) -> tuple[RunStatus, str]:
    if not runs:
        return _without_run(experiment)
    if current is None:
        last = runs[-1]
        why = f"cannot be trusted: {last.fault}" if last.fault else "was interrupted"
        return RunStatus.FAILED, f"run {last.id} {why}"
    if current.outcome == "stopped":
        return RunStatus.FAILED, f"run {current.id} hit its limit: {', '.join(current.limits_hit)}"
    if current.outcome != "completed":
        return RunStatus.FAILED, f"run {current.id} ended with exit status {current.exit_status}"
    reasons = stale_reasons(experiment, current, laboratory)
    if reasons:
        return RunStatus.STALE, f"since run {current.id}: {'; '.join(reasons)}"
    return RunStatus.RUN, f"run {current.id}"


def _without_run(experiment: Experiment) -> tuple[RunStatus, str]:
    if experiment.reported is not None:
        by = experiment.reported.by or "UNVERIFIED"
        return RunStatus.REPORTED, f"{by} states to have run it elsewhere; no run is recorded here"
    if experiment.needs is not None:
        return RunStatus.UNRUN, f"it needs {experiment.needs}"
    if not experiment.command:
        return RunStatus.UNRUN, "no command is given"
    return RunStatus.UNRUN, "nobody has run it yet"


def _shown(finished: list[RunRecord]) -> Iterator[RunRecord]:
    """The newest completed run, then each earlier one that did a part which those left out."""
    missing: set[str] | None = None
    for run in reversed(finished):
        if not run.is_completed:
            continue
        skipped = {what for what, _ in run.skipped}
        if missing is None or missing - skipped:
            yield run
            missing = skipped if missing is None else missing & skipped
        if not missing:
            return


def _values(
    experiment: Experiment, shown: tuple[RunRecord, ...], laboratory: Laboratory
) -> Iterator[Measured]:
    """The values of the runs that are shown, the newest of each path."""
    seen: set[str] = set()
    for run in shown:
        old = any(code_reasons(experiment, run, laboratory))
        for path, value in run.values:
            if path not in seen:
                seen.add(path)
                yield Measured(path=path, value=value, run=run, old_code=old)
