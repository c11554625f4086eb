"""The status of an experiment, the run that is shown, and its values, from records alone."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.formats.runs import (
    as_file,
    file_name,
    read_registration,
    read_run,
    registered,
    registered_sha256,
    registration_json,
    run_json,
)
from researchpack.measures import NOT_JUDGED
from researchpack.outcomes import command_of, criteria_of, experiment_views
from researchpack.places import Place, Text
from researchpack.records import (
    Artefact,
    Experiment,
    ExperimentView,
    Given,
    InputFile,
    Laboratory,
    Outside,
    Package,
    Prediction,
    Registration,
    Reported,
    RunRecord,
    RunStatus,
)

PLACE = Place("experiments.yaml")


def text(words: str) -> Text:
    return Text(words, PLACE)


SMALL = Prediction(text=text("It is  small."), written=text("2026-11-10"), rule=text("max <= 7"))
EXPERIMENT = Experiment(
    id=text("X1"),
    predictions=(SMALL,),
    success=text("Big enough."),
    success_rule=text("max > 5"),
    command=(text("python"), text("lab/a.py"), text("{seeds}")),
    inputs=(text("lab"),),
    seeds=(text("1"), text("2")),
    packages=(text("ours"),),
    place=PLACE,
)
INPUT = InputFile(file="lab/a.py", sha256="aa", size=2)
OURS = Package(name="ours", version="1.0", sha256="cc")
RUN = RunRecord(
    id="20261130t100000z-000000000001",
    experiment="X1",
    outcome="completed",
    exit_status=0,
    command=("python", "lab/a.py", "1,2"),
    started="2026-11-30T10:00:00.000Z",
    packages=(OURS,),
    seeds=("1", "2"),
    registration=registered_sha256(EXPERIMENT),
    inputs=(INPUT,),
    artefacts=(Artefact(name="values.json", file="artefacts/a-values.json", sha256="dd", size=1),),
    values=(("max", 6), ("part.n", 3)),
    criteria=criteria_of(EXPERIMENT, {"max": 6}),
)
LABORATORY = Laboratory(runs=(RUN,), given=(("X1", Given(inputs=(INPUT,))),), packages=(OURS,))


def later(run: RunRecord = RUN, number: int = 2, **changes: Any) -> RunRecord:
    return replace(
        run,
        id=f"20261130t1{number}0000z-00000000000{number}",
        started=f"2026-11-30T1{number}:00:00.000Z",
        **changes,
    )


def view(
    *runs: RunRecord, experiment: Experiment = EXPERIMENT, laboratory: Laboratory = LABORATORY
) -> ExperimentView:
    (found,) = experiment_views([experiment], replace(laboratory, runs=runs))
    return found


# --- without a run ----------------------------------------------------------------------------


def test_without_a_run_the_reason_says_why() -> None:
    told = {
        "nobody has run it yet": EXPERIMENT,
        "no command is given": replace(EXPERIMENT, command=()),
        "it needs a live model": replace(EXPERIMENT, needs=text("a live model")),
    }
    for reason, experiment in told.items():
        found = view(experiment=experiment)
        assert (found.status, found.reason) == (RunStatus.UNRUN, reason)
        assert (found.current, found.values) == (None, ())
        assert {one.outcome for one in found.criteria} == {"inconclusive"}


def test_a_report_is_not_a_run_and_a_run_replaces_it() -> None:
    reported = Reported(by=text("a reader"), date=text("2026-11-10"), place=PLACE)
    experiment = replace(EXPERIMENT, reported=reported)
    assert view(experiment=experiment).status is RunStatus.REPORTED
    assert view(experiment=experiment).reason.startswith("a reader states")
    assert view(RUN, experiment=experiment).status is RunStatus.RUN


# --- with runs --------------------------------------------------------------------------------


def test_a_completed_run_of_what_is_here_is_run() -> None:
    found = view(RUN)
    assert (found.status, found.reason) == (RunStatus.RUN, f"run {RUN.id}")
    assert found.current == RUN
    assert [(one.path, one.value, one.old_code) for one in found.values] == [
        ("max", 6, False),
        ("part.n", 3, False),
    ]
    assert [one.outcome for one in found.criteria] == ["met", "met"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"outcome": "failed", "exit_status": 3}, "ended with exit status 3"),
        ({"outcome": "stopped", "limits_hit": ("memory", "time")}, "hit its limit: memory, time"),
    ],
)
def test_a_newest_run_that_did_not_complete_is_failed(changes: dict[str, Any], reason: str) -> None:
    bad = later(values=(), **changes)
    found = view(RUN, bad)
    assert (found.status, found.reason) == (RunStatus.FAILED, f"run {bad.id} {reason}")
    assert found.current == bad
    assert {one.outcome for one in found.criteria} == {"inconclusive"}
    # What the completed run measured is still there, with the run that it comes from.
    assert found.measured("max") is not None
    assert found.measured("max").run == RUN  # type: ignore[union-attr]


def test_an_interrupted_run_changes_nothing_but_is_told() -> None:
    interrupted = later(outcome="interrupted", exit_status=-15, values=())
    found = view(RUN, interrupted)
    assert (found.status, found.current) == (RunStatus.RUN, RUN)
    assert found.runs == (RUN, interrupted)
    alone = view(interrupted)
    assert (alone.status, alone.current) == (RunStatus.FAILED, None)
    assert alone.reason == f"run {interrupted.id} was interrupted"


def test_a_record_that_cannot_be_trusted_counts_for_nothing() -> None:
    forged = later(values=(("max", 99),), fault="it was changed after it was written")
    found = view(RUN, forged)
    assert (found.status, found.current) == (RunStatus.RUN, RUN)
    assert found.measured("max").value == 6  # type: ignore[union-attr]
    alone = view(forged)
    assert alone.status is RunStatus.FAILED
    assert "cannot be trusted" in alone.reason
    assert alone.values == ()


def test_runs_of_others_are_not_taken() -> None:
    found = view(replace(RUN, experiment="X2"))
    assert (found.status, found.runs) == (RunStatus.UNRUN, ())


# --- what makes a run stale -------------------------------------------------------------------


def changed(**changes: Any) -> Experiment:
    return replace(EXPERIMENT, **changes)


def given_now(*inputs: InputFile) -> Laboratory:
    return replace(LABORATORY, given=(("X1", Given(inputs=inputs)),))


STALE = {
    "a rule": (
        changed(predictions=(replace(SMALL, rule=text("max <= 8")),)),
        LABORATORY,
        "the predictions or criteria changed",
    ),
    "a day": (
        changed(predictions=(replace(SMALL, written=text("2026-11-09")),)),
        LABORATORY,
        "the predictions or criteria changed",
    ),
    "a criterion": (
        changed(failure=text("Nothing.")),
        LABORATORY,
        "the predictions or criteria changed",
    ),
    "none are left": (
        changed(predictions=(), success=None, success_rule=None),
        LABORATORY,
        "the predictions or criteria changed",
    ),
    "the command": (
        changed(command=(text("python"), text("lab/b.py"), text("{seeds}"))),
        LABORATORY,
        "the command changed",
    ),
    "the seeds": (changed(seeds=(text("1"),)), LABORATORY, "the command changed"),
    "an input": (
        EXPERIMENT,
        given_now(replace(INPUT, sha256="bb")),
        "the input lab/a.py changed",
    ),
    "a new input": (
        EXPERIMENT,
        given_now(INPUT, replace(INPUT, file="lab/b.py")),
        "the input lab/b.py changed",
    ),
    "inputs that are gone": (EXPERIMENT, given_now(), "the input lab/a.py changed"),
    "several inputs": (
        EXPERIMENT,
        given_now(replace(INPUT, sha256="bb"), replace(INPUT, file="lab/b.py")),
        "the input lab/a.py and 1 more changed",
    ),
    "the code of a package": (
        EXPERIMENT,
        replace(LABORATORY, packages=(replace(OURS, sha256="ee"),)),
        "the code of ours changed",
    ),
}


@pytest.mark.parametrize("name", STALE)
def test_a_run_of_something_else_is_stale(name: str) -> None:
    experiment, laboratory, reason = STALE[name]
    found = view(RUN, experiment=experiment, laboratory=laboratory)
    assert found.status is RunStatus.STALE
    assert found.reason == f"since run {RUN.id}: {reason}"
    # Predictions are about the values and do not make them; all else does.
    old = reason != "the predictions or criteria changed"
    assert {one.old_code for one in found.values} == {old}


def test_reasons_are_told_together() -> None:
    experiment = changed(seeds=(text("3"),), success=text("Other."))
    found = view(RUN, experiment=experiment, laboratory=given_now())
    assert found.reason.endswith(
        "the predictions or criteria changed; the command changed; the input lab/a.py changed"
    )


@pytest.mark.parametrize(
    ("experiment", "laboratory", "run"),
    [
        # White space is no change.
        (changed(predictions=(replace(SMALL, text=text("It is\n small.")),)), LABORATORY, RUN),
        # A package that is not installed here, or that was not found.
        (EXPERIMENT, replace(LABORATORY, packages=()), RUN),
        (EXPERIMENT, replace(LABORATORY, packages=(replace(OURS, sha256=""),)), RUN),
        # Files from outside are never here.
        (
            EXPERIMENT,
            LABORATORY,
            replace(RUN, inputs=(INPUT, replace(INPUT, file="outside/traces/a.jsonl"))),
        ),
        # What is only told, and makes nothing.
        (changed(title=text("Other"), method=text("Other")), LABORATORY, RUN),
    ],
)
def test_what_makes_no_run_stale(
    experiment: Experiment, laboratory: Laboratory, run: RunRecord
) -> None:
    assert view(run, experiment=experiment, laboratory=laboratory).status is RunStatus.RUN


def test_the_newest_run_decides_and_not_the_best_one() -> None:
    old = replace(RUN, command=("python", "lab/old.py", "1,2"))
    assert view(old, later()).status is RunStatus.RUN
    assert view(RUN, later(old)).status is RunStatus.STALE


# --- parts that a run left out ----------------------------------------------------------------

PART = "outside/traces"
OUTSIDE = changed(
    outside=(Outside(name=text("traces")),),
    predictions=(replace(SMALL, rule=text("max <= 7 and part.n == 3")),),
)
WHOLE = replace(
    RUN,
    registration=registered_sha256(OUTSIDE),
    inputs=(INPUT, InputFile(file="outside/traces/a.jsonl", sha256="ff", size=1)),
    criteria=criteria_of(OUTSIDE, {"max": 6, "part.n": 3}),
)
SKIPPING = later(
    WHOLE,
    inputs=(INPUT,),
    values=(("max", 5),),
    skipped=((PART, "no place was named"),),
    criteria=criteria_of(OUTSIDE, {"max": 5}),
)


def test_what_the_newest_run_left_out_is_shown_from_the_one_that_did_it() -> None:
    found = view(WHOLE, SKIPPING, experiment=OUTSIDE)
    assert (found.status, found.current) == (RunStatus.RUN, SKIPPING)
    assert [(one.path, one.value, one.run.id) for one in found.values] == [
        ("max", 5, SKIPPING.id),
        ("part.n", 3, WHOLE.id),
    ]
    assert found.criteria[0].outcome == "met"
    assert SKIPPING.criteria[0].outcome == "inconclusive"


def test_values_that_a_run_no_longer_makes_are_gone_when_nothing_was_left_out() -> None:
    found = view(RUN, later(values=(("max", 5),)))
    assert [one.path for one in found.values] == ["max"]


def test_an_older_part_with_other_code_is_marked() -> None:
    other = replace(WHOLE, inputs=(replace(INPUT, sha256="old"),))
    found = view(other, SKIPPING, experiment=OUTSIDE)
    assert [(one.path, one.old_code) for one in found.values] == [("max", False), ("part.n", True)]


def test_criteria_are_those_of_the_run_when_they_have_changed_since() -> None:
    moved = replace(OUTSIDE, predictions=(replace(SMALL, rule=text("max <= 1")),))
    found = view(WHOLE, experiment=moved)
    assert [one.rule for one in found.criteria] == ["max <= 7 and part.n == 3", "max > 5"]
    assert found.criteria[0].outcome == "met"


# --- criteria and registrations ---------------------------------------------------------------


def test_seeds_stand_in_the_place_that_the_command_gives_them() -> None:
    assert command_of(EXPERIMENT) == ("python", "lab/a.py", "1,2")
    inside = replace(EXPERIMENT, command=(text("x{seeds}"),))
    assert command_of(inside) == ("x{seeds}",)


def test_what_has_no_rule_or_none_that_can_be_read_is_not_judged() -> None:
    experiment = changed(
        predictions=(replace(SMALL, rule=None), replace(SMALL, rule=text("len(max)")))
    )
    found = criteria_of(experiment, {"max": 6})
    assert [one.outcome for one in found] == [NOT_JUDGED, NOT_JUDGED, "met"]
    assert "cannot be read" in found[1].because


def registration(experiment: Experiment, stamp: str) -> tuple[str, bytes]:
    content = registered(experiment)
    assert content is not None
    data = as_file(registration_json(experiment, content, stamp))
    return file_name(stamp, hashlib.sha256(data).hexdigest()), data


def read(name: str, data: bytes) -> Registration:
    return read_registration(name, "X1", data)


def test_a_registration_is_read_as_it_was_written() -> None:
    entry = read(*registration(EXPERIMENT, "2026-11-30T09:00:00.000Z"))
    assert entry.fault == ""
    assert entry.sha256 == registered_sha256(EXPERIMENT)
    assert entry.predictions == (("It is small.", "2026-11-10", "max <= 7"),)
    assert (entry.success, entry.failure) == (("Big enough.", "max > 5"), ("", ""))


def test_what_predicts_nothing_is_not_registered() -> None:
    assert registered_sha256(Experiment(id=text("L1"), place=PLACE)) is None


@pytest.mark.parametrize("old", [b"max <= 7", b"2026-11-10", b"It is small.", b"09:00:00.000Z"])
def test_a_registration_that_was_edited_is_at_fault(old: bytes) -> None:
    name, data = registration(EXPERIMENT, "2026-11-30T09:00:00.000Z")
    assert data.count(old) == 1
    assert read(name, data.replace(old, b"x" * len(old))).fault


def test_a_registration_with_a_foreign_key_is_at_fault_although_its_name_fits() -> None:
    raw = json.loads(registration(EXPERIMENT, "2026-11-30T09:00:00.000Z")[1])
    data = as_file({**raw, "host": "lockhouse7"})
    name = file_name("2026-11-30T09:00:00.000Z", hashlib.sha256(data).hexdigest())
    assert "host" in read(name, data).fault


# --- records as files -------------------------------------------------------------------------


def stored(raw: dict[str, Any]) -> tuple[str, bytes]:
    data = as_file(raw)
    return file_name(str(raw.get("started")), hashlib.sha256(data).hexdigest()), data


def test_a_record_is_read_as_it_was_written() -> None:
    name, data = stored(run_json(RUN))
    found = read_run(name, "X1", data, lambda _: b"x")
    kept = (replace(RUN.artefacts[0], data=b"x"),)
    assert found == replace(RUN, id=name.removesuffix(".json"), artefacts=kept)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(st.sampled_from(sorted(run_json(RUN))), JUNK)
def test_whatever_stands_in_a_record_it_is_read_or_at_fault(key: str, junk: Any) -> None:
    raw = {**run_json(RUN), key: junk}
    name, data = stored(raw)
    found = read_run(name, "X1", data, lambda _: None)
    assert found.fault or json.loads(as_file(run_json(found))) == raw
    (shown,) = experiment_views([EXPERIMENT], replace(LABORATORY, runs=(found,)))
    assert shown.status in RunStatus


@given(st.sampled_from(["registered", "predictions", "success", "failure", "sha256"]), JUNK)
def test_whatever_stands_in_a_registration_it_is_read(key: str, junk: Any) -> None:
    raw = json.loads(registration(EXPERIMENT, "2026-11-30T09:00:00.000Z")[1])
    before = raw[key]
    raw[key] = junk
    data = as_file(raw)
    name = file_name(str(raw["registered"]), hashlib.sha256(data).hexdigest())
    assert read(name, data).fault or junk == before or key == "registered"


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"null",
        b"[]",
        b"\xff",
        b"[" * 200_000,
        b'{"schema": "researchpack.run.v1", "a":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"schema": "researchpack.run.v1", "experiment": "X1", "started": "\\ud800"}',
        b'{"schema": "researchpack.run.v1", "experiment": "X1", "seconds": 1' + b"0" * 5000 + b"}",
        b'{"schema": "researchpack.run.v1", "experiment": "X1", "seconds": 1' + b"0" * 400 + b"}",
        b'{"schema": "researchpack.run.v1", "experiment": "X1", "seconds": NaN}',
        b'{"schema": "researchpack.run.v1", "experiment": ["X1"]}',
    ],
)
def test_bytes_that_are_no_record_are_at_fault(data: bytes | None) -> None:
    for name in ("20261130t100000z-000000000001.json", "notes.json"):
        assert read_run(name, "X1", data, lambda _: None).fault
        assert read_registration(name, "X1", data).fault


@pytest.mark.slow
def test_a_record_of_twenty_megabytes_is_read_in_seconds() -> None:
    raw = run_json(RUN)
    raw["values"] = {f"v{number}.x": number / 7 for number in range(600_000)}
    began = time.monotonic()
    name, data = stored(raw)
    assert len(data) > 17_000_000
    found = read_run(name, "X1", data, lambda _: None)
    assert (found.fault, len(found.values)) == ("", 600_000)
    assert time.monotonic() - began < 30
