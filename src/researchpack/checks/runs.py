"""A run is shown as it was recorded, and the record still is what the tool wrote.

The name of a record ends in the digest of its content, the record names the digest of every
artefact, and its values are read out of the artefacts. So a figure that was changed by hand shows
at one of these places, whoever changed it and wherever. A record also holds nothing that names a
person or a machine. What nobody can see here is a record that was written anew as a whole; running
the experiment again shows it.

Rules: `runs.changed`, `runs.artefact-missing`, `runs.artefact-changed`, `runs.value-changed`,
`runs.outcome-changed`, `runs.values`, `runs.unknown-experiment`, `runs.stray`, `runs.machine`.
"""

from __future__ import annotations

import hashlib
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from researchpack.checks.leaks import MACHINE_PATH
from researchpack.formats.runs import run_json, unlike
from researchpack.formats.values import VALUES, value_faults, values_in
from researchpack.measures import judged, told
from researchpack.places import Place
from researchpack.problems import Problem, error, warning
from researchpack.run import NO_NETWORK, NOT_ENFORCED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.measures import Value
    from researchpack.records import Criterion, Pack, Registration, RunRecord, View

_MOST: Final = 10
"""Of the values of one record, how many are told one by one."""
_NAMES: Final = re.compile(
    r"\b(?:USER|LOGNAME|USERNAME|HOSTNAME|COMPUTERNAME)=\S+"
    r"|\"?\b(?i:host_?name|user_?name|computer_?name)\"?[ \t]*[:=][ \t]*\"?[\w.-]+"
    r"|(?<![\w.-])[a-z_][\w-]*@[\w.-]+:[~/]\S*"
)
"""What names a user or a host: environment variables, keys of their own, and prompts."""
_PLAIN: Final = (
    ("interpreter", re.compile(r"\w* ?[\w.+-]*")),
    ("platform", re.compile(r"\w* ?\w*")),
    ("revision", re.compile(r"UNKNOWN|[0-9a-f]{7,64}(?: with changes)?|")),
)
"""What the tool writes about the machine, and nothing more."""


def check(view: View) -> Iterator[Problem]:
    """Records, registrations and artefacts of one pack that are not what the tool wrote."""
    pack = view.pack
    yield from _unknown(pack)
    seen: set[tuple[str, str]] = set()
    for run in pack.laboratory.runs:
        place = record_place(pack, run)
        yield from _fault(place, run.fault or "; ".join(_misfits(run, pack.laboratory.runs)))
        yield from _artefacts(place, run)
        yield from _values(place, run)
        yield from _outcomes(place, run, pack.laboratory.registrations)
        yield from _machine(place, run, seen)
    for entry in pack.laboratory.registrations:
        yield from _fault(registration_place(pack, entry), entry.fault)
    for file in pack.laboratory.stray:
        yield warning(
            Place(pack.path(file)),
            "runs.stray",
            "No record of a run names this file.",
            "Delete it; what belongs to a run is written by `experiment run`.",
        )


def record_place(pack: Pack, run: RunRecord) -> Place:
    """Where a record lies."""
    return Place(pack.path(f"runs/{run.experiment}/{run.id}.json"))


def registration_place(pack: Pack, entry: Registration) -> Place:
    """Where a registration lies."""
    return Place(pack.path(f"runs/{entry.experiment}/registrations/{entry.name}"))


def _unknown(pack: Pack) -> Iterator[Problem]:
    """Runs of experiments that the pack does not have."""
    if pack.is_broken("experiments.yaml"):
        return
    known = {str(one.id) for one in pack.experiments}
    entries, runs = pack.laboratory.registrations, pack.laboratory.runs
    places = {one.experiment: registration_place(pack, one) for one in reversed(entries)}
    places |= {run.experiment: record_place(pack, run) for run in reversed(runs)}
    for name, place in places.items():
        if name not in known:
            yield error(
                place,
                "runs.unknown-experiment",
                f"There are runs of {name}, and the pack has no experiment {name}.",
                "Put the experiment back: what was run stays told, whatever came out.",
            )


def _fault(place: Place, fault: str) -> Iterator[Problem]:
    if fault:
        yield error(
            place,
            "runs.changed",
            f"This is not what the tool wrote: {fault}.",
            "Take the file back from the history, or run the experiment again.",
        )


def _misfits(run: RunRecord, runs: tuple[RunRecord, ...]) -> Iterator[str]:
    """What a record says about its run that cannot be so."""
    clean = run.exit_status == 0 and not run.limits_hit
    if (run.outcome == "completed") is not clean and run.outcome != "interrupted":
        yield f"it {run.outcome}, with exit status {run.exit_status}"
    if (run.outcome == "stopped") is not bool(run.limits_hit) and run.outcome != "interrupted":
        yield f"it {run.outcome}, and the limits that it hit are {_cut(', '.join(run.limits_hit))}"
    if set(run.limits_hit) - {"time", "memory", "output"}:
        yield "it hit a limit that there is not"
    if run.network not in (NO_NETWORK, NOT_ENFORCED):
        yield "it tells of the network what the tool does not"
    if run.seconds < 0 or not run.started <= run.ended:
        yield "it ended before it began"
    if any(not what.startswith("outside/") for what, _ in run.skipped):
        yield "it skipped a part that there is not"
    before = {one.id: one for one in runs if one.started <= run.started and one.id != run.id}
    earlier = before.get(run.reproduces) if run.reproduces is not None else None
    partly = bool(run.skipped)
    if run.reproduces is not None and (earlier is None or unlike(earlier, run, partly=partly)):
        yield "it does not have the artefacts of the run that it reproduces"


def _artefacts(place: Place, run: RunRecord) -> Iterator[Problem]:
    for one in run.artefacts:
        if one.data is None:
            yield error(
                place,
                "runs.artefact-missing",
                f'The artefact "{_cut(one.name)}" is not there: {_cut(one.file) or "no file"}.',
                "Take it back from the history, or run the experiment again.",
            )
        elif hashlib.sha256(one.data).hexdigest() != one.sha256 or len(one.data) != one.size:
            yield error(
                place,
                "runs.artefact-changed",
                f'The artefact "{_cut(one.name)}" ({_cut(one.file)}) is not the one that the run'
                " made: its SHA-256 or its size differs.",
                "Take it back from the history, or run the experiment again.",
            )


def _values(place: Place, run: RunRecord) -> Iterator[Problem]:
    """Values that are not those of the artefacts, in either direction."""
    if any(VALUES.fullmatch(one.name) and one.data is None for one in run.artefacts):
        return  # told as a missing artefact; nothing can be compared
    kept = [(one.name, one.data) for one in run.artefacts if one.data is not None]
    for fault in islice(value_faults(kept) if run.outcome == "completed" else (), _MOST):
        fix = "Let the program write a map of numbers and words, and run it again."
        yield warning(place, "runs.values", fault, fix)
    recorded = dict(run.values)
    measured = dict(values_in(kept)) if run.outcome == "completed" else {}
    differing = [
        path
        for path in dict.fromkeys([*recorded, *measured])
        if _typed(recorded, path) != _typed(measured, path)
    ]
    for path in islice(differing, _MOST):
        yield error(
            place,
            "runs.value-changed",
            f'Of "{_cut(path)}" the record says {_said(recorded, path)}, and its artefacts say'
            f" {_said(measured, path)}.",
            "Take both back from the history, or run the experiment again.",
        )
    if len(differing) > _MOST:
        yield error(
            place,
            "runs.value-changed",
            f"{len(differing) - _MOST} more values of the record are not those of its artefacts.",
            "Take both back from the history, or run the experiment again.",
        )


def _typed(values: dict[str, Value], path: str) -> tuple[str, Value]:
    """A value with its kind, because 1 and true are equal; and what is absent is no null."""
    return (type(values[path]).__name__, values[path]) if path in values else ("absent", None)


def _said(values: dict[str, Value], path: str) -> str:
    return _cut(told(values[path])) if path in values else "nothing"


def _outcomes(
    place: Place, run: RunRecord, registrations: tuple[Registration, ...]
) -> Iterator[Problem]:
    values = dict(run.values)
    for one in run.criteria:
        found = judged(one.rule, values)
        if (found.outcome, found.because) != (one.outcome, one.because):
            yield error(
                place,
                "runs.outcome-changed",
                f'The {one.kind or "criterion"} "{_cut(one.text)}" is recorded as'
                f' "{_cut(one.outcome)}: {_cut(one.because)}" and is'
                f' "{found.outcome}: {_cut(found.because)}".',
                "Take the record back from the history, or run the experiment again.",
            )
    entry = next((r for r in registrations if r.sha256 == run.registration), None)
    if entry is not None and {_key(one) for one in run.criteria} != set(_registered(entry)):
        yield error(
            place,
            "runs.outcome-changed",
            "The record judges other criteria than those that were registered for it.",
            "Take the record back from the history, or run the experiment again.",
        )


def _key(one: Criterion) -> tuple[str, str, str]:
    return one.kind, one.text, one.rule or ""


def _registered(entry: Registration) -> Iterator[tuple[str, str, str]]:
    """What a run with this registration judges."""
    yield from (("prediction", text, rule) for text, _, rule in entry.predictions)
    for kind, (text, rule) in (("success", entry.success), ("failure", entry.failure)):
        if text:
            yield kind, text, rule


def _machine(place: Place, run: RunRecord, seen: set[tuple[str, str]]) -> Iterator[Problem]:
    """What names a person or a machine: in the record, and in each text artefact once."""
    for match in (match for words in _strings(run_json(run)) for match in _naming(words)):
        yield _names(place, match, "the record")
    for name, form in _PLAIN:
        words = getattr(run, name)
        if not form.fullmatch(words) and not any(_naming(words)):
            yield _names(place, words, f"its {name}")
    for one in run.artefacts:
        if one.data is None or (run.experiment, one.file) in seen:
            continue
        seen.add((run.experiment, one.file))
        for match in islice(_naming(one.data.decode("utf-8", "replace")), 1):
            yield _names(place, match, f'the artefact "{_cut(one.name)}"')


def _naming(words: str) -> Iterator[str]:
    for form in (MACHINE_PATH, _NAMES):
        for match in form.finditer(words):
            if not match.group().startswith("~"):  # which the tool writes in the place of a home
                yield match.group()


def _names(place: Place, words: str, where: str) -> Problem:
    return error(
        place,
        "runs.machine",
        f'"{_cut(words)}" in {where} names a machine or a person.',
        "Have the script leave it out, and run the experiment again; delete this run.",
    )


def _strings(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for key, value in data.items():
                yield from _strings(key)
                yield from _strings(value)
        case list():
            for value in data:
                yield from _strings(value)


def _cut(words: str) -> str:
    return words if len(words) <= 60 else f"{words[:59]}…"
