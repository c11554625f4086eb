"""A measured value in a text is filled in from its run, and no other figure takes its place.

`{X1.span.median}` stands for what the runs of X1 measured. One that names no experiment, or a
value that was not measured, leads nowhere, and an UNRUN experiment has no values. A number that
is written out is looked up, in the sentences of findings.md and context.md that cite an experiment
or check, and in what an experiment with a completed run says about claims: it must be among the
values of what is cited, as it is, rounded or as per cent, or in its seeds, rules, predictions,
question or method; where a run was only reported, in the words of that report. Numbers of the
passages and sources that the same sentence cites are known too. Quotations, code, dates, ids,
versions, places of the chapter and the like are not looked at, nor are numbers in words.

Rules: `measured.unknown`, `measured.number`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.checks._numbers import (
    find_literals,
    find_sentences,
    is_known,
    numbers_in,
    ranges_in,
)
from researchpack.cites import find_cites
from researchpack.measures import Ref, find_refs
from researchpack.places import Lines, Place, Text
from researchpack.problems import Problem, did_you_mean, error, nearest, warning
from researchpack.records import Quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.records import Authored, Experiment, ExperimentView, Pack, View

_FILES: Final = (
    "context.md",
    "findings.md",
    "claims.md",
    "sources.yaml",
    "proposals.yaml",
    "experiments.yaml",
)
"""Where values are filled in."""
_CODE: Final = re.compile(r"`[^`\n]+`")
_ALMOST: Final = re.compile(r"\{\s*[XL]\d+[a-z]?\s*\.[^{}\n]{0,120}\}")
"""What was meant as a reference, whether or not it is one."""
_CITE: Final = "write a reference such as `{X1.path}`"


def check(view: View) -> Iterator[Problem]:
    """References of one pack that lead nowhere, and figures that nobody measured."""
    names = {view.pack.path(name) for name in _FILES}
    for file in view.pack.authored:
        if file.path in names:
            yield from _references(view, file)
    yield from _numbers(view)


def _references(view: View, file: Authored) -> Iterator[Problem]:
    """References that lead nowhere. Those to an experiment without any value are told once a file:
    what is wrong is not in the text."""
    lines = Lines(file.text, file.path)
    empty: dict[str, list[tuple[str, Place]]] = {}
    for at, words in _found(file):
        ref = _whole(words)
        found = view.experiment(ref.id) if ref is not None else None
        if ref is not None and found is not None and not found.values:
            empty.setdefault(ref.id, []).append((words, lines.place(at)))
            continue
        told = _unresolved(view, words, ref, found)
        if told is not None:
            yield error(lines.place(at), "measured.unknown", *told)
    for own, told_of in empty.items():
        words, place = told_of[0]
        more = f" and {len(told_of) - 1} more name values" if told_of[1:] else " names a value"
        yield error(
            place,
            "measured.unknown",
            f'"{words}"{more} of {own}, which has none: it is {view.status(own).value}.',
            "Run it, or take the value out.",
            *(other for _, other in told_of[1:]),
        )


def _found(file: Authored) -> Iterator[tuple[int, str]]:
    """Where something is meant as a reference, and its words."""
    code = [match.span() for match in _CODE.finditer(file.text)]
    for match in _ALMOST.finditer(file.text):
        at = match.start()
        if not any(a <= at < b for a, b in (*code, *file.quoted)) and not _in_comment(file, at):
            yield at, match.group()


def _whole(words: str) -> Ref | None:
    """The reference, when the words are nothing else."""
    ref = next(find_refs(words), None)
    return ref if ref is not None and ref.end - ref.start == len(words) else None


def _in_comment(file: Authored, at: int) -> bool:
    line = file.text[file.text.rfind("\n", 0, at) + 1 : at]
    return file.path.endswith(".yaml") and line.lstrip().startswith("#")


def _unresolved(
    view: View, words: str, ref: Ref | None, found: ExperimentView | None
) -> tuple[str, str] | None:
    """Why a reference leads nowhere, and what to do; None when it leads to a value."""
    if ref is None:
        return (
            f'"{words}" is no reference to a measured value.',
            "Write it like `{X1.span.median}`: letters, digits and _ with single dots.",
        )
    if found is None:
        if view.pack.is_broken("experiments.yaml"):
            return None
        ids = [str(one.experiment.id) for one in view.experiments]
        return f'"{words}" names an experiment that is in no file.', did_you_mean(ref.id, ids)
    if found.measured(ref.path) is not None:
        return None
    near = nearest(ref.path, (one.path for one in found.values))
    return (
        f'"{words}" names a value that {ref.id} did not measure.',
        f'Did you mean "{{{ref.id}.{near}}}"?'
        if near
        else f"`experiment show` with {ref.id} lists what it measured.",
    )


def _numbers(view: View) -> Iterator[Problem]:
    pack = view.pack
    known = _Known(view)
    for section in (*pack.context, *pack.findings):
        yield from _in_text(section.body, known)
    for found in view.experiments:
        if not any(run.is_completed for run in found.runs):
            continue
        for bearing in found.experiment.bears_on:
            if bearing.because is not None:
                own = str(found.experiment.id)
                yield from _in_because(own, str(bearing.claim), bearing.because, known)


def _in_text(body: Text, known: _Known) -> Iterator[Problem]:
    lines = Lines(body, body.place.path)
    for start, end in find_sentences(body):
        sentence = body[start:end]
        ids = list(dict.fromkeys(cite.id for cite in find_cites(sentence)))
        experiments = [name for name in ids if name in known.experiments]
        if not experiments:
            continue
        numbers = known.of(ids)
        for literal in find_literals(sentence, known.ranges):
            if not is_known(literal, numbers):
                at = lines.place(start + literal.start)
                column = at.column + (body.place.column - 1 if at.line == 1 else 0)
                place = Place(at.path, body.place.line + at.line - 1, column)
                yield _problem(place, literal.words, experiments)


def _in_because(own: str, claim: str, because: Text, known: _Known) -> Iterator[Problem]:
    """In a folded value no column can be told: the place is where it begins."""
    ids = list(dict.fromkeys([own, claim, *(cite.id for cite in find_cites(because))]))
    numbers = known.of(ids)
    for literal in find_literals(because, known.ranges):
        if not is_known(literal, numbers):
            experiments = [name for name in ids if name in known.experiments]
            yield _problem(because.place, literal.words, experiments)


def _problem(place: Place, words: str, experiments: list[str]) -> Problem:
    return warning(
        place,
        "measured.number",
        f'The number "{words}" is in no record of {", ".join(experiments)}.',
        f"Correct it, have it measured, or {_CITE}, which is filled in.",
    )


class _Known:
    """The numbers that a pack has for an id: measured, declared, reported, or quoted."""

    def __init__(self, view: View) -> None:
        self.experiments = {str(one.experiment.id): one for one in reversed(view.experiments)}
        snapshot = view.pack.snapshot
        self.ranges = frozenset(ranges_in(snapshot.text) if snapshot is not None else ())
        self._texts = dict(_texts(view.pack))
        self._numbers: dict[str, frozenset[float]] = {}

    def of(self, ids: Iterable[str]) -> frozenset[float]:
        """The numbers of several ids together."""
        return frozenset().union(*(self._one(name) for name in ids))

    def _one(self, name: str) -> frozenset[float]:
        if name not in self._numbers:
            found = self.experiments.get(name)
            texts = self._texts.get(name, ()) if found is None else _declared(found)
            numbers = {number for words in texts for number in numbers_in(words)}
            self._numbers[name] = frozenset(numbers | (_measured(found) if found else set()))
        return self._numbers[name]


def _measured(found: ExperimentView) -> set[float]:
    """The values, and the numbers in their paths: `n3` is what was measured of three."""
    numbers: set[float] = {float(len(found.experiment.seeds))}
    for one in found.values:
        numbers |= {float(digits) for digits in re.findall(r"\d+", one.path)}
        match one.value:
            case bool() | None:
                pass
            case int() | float():
                numbers |= {_float(one.value)}
            case str():
                numbers |= set(numbers_in(one.value))
    return numbers


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return 0.0


def _declared(found: ExperimentView) -> Iterator[str]:
    """What an experiment says in words; a report only as long as no run was completed."""
    experiment = found.experiment
    yield from (*experiment.seeds, experiment.question or "", experiment.method or "")
    for prediction in experiment.predictions:
        yield from (words for words in (prediction.text, prediction.rule) if words is not None)
    criteria = (experiment.success, experiment.success_rule)
    for words in (*criteria, experiment.failure, experiment.failure_rule):
        if words is not None:
            yield words
    if not any(run.is_completed for run in found.runs) and found.has_result:
        yield from _reported(experiment)


def _reported(experiment: Experiment) -> Iterator[str]:
    if experiment.reported is not None:
        told = (experiment.reported.outcome, experiment.reported.output)
        yield from (words for words in told if words is not None)


def _texts(pack: Pack) -> Iterator[tuple[str, list[str]]]:
    """The words of the chapter per claim, and what the ledger has per source."""
    for claim in pack.claims:
        conflicts = [entry.text for entry in claim.conflicts if isinstance(entry, Quote)]
        yield str(claim.id), [claim.cell, *conflicts]
    for source in pack.sources:
        told = [source.title, source.issued, source.limitations]
        for bearing in source.bears_on:
            told += [bearing.because, bearing.quote, bearing.locator]
        yield str(source.id), [words for words in told if words is not None]
