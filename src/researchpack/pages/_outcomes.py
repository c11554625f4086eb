"""What was predicted, what became of it, and what was registered before a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from researchpack.formats.runs import registered_sha256
from researchpack.pages._diff import word_diff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Experiment, ExperimentView, Registration

_SIGNS: Final = {"met": "✓", "not met": "✕", "inconclusive": "?"}
_GOOD: Final = {"met": "supported", "not met": "contradicted", "inconclusive": "unverified"}
_BAD: Final = {"met": "contradicted", "not met": "supported", "inconclusive": "unverified"}
"""The colours of a failure criterion: that it is met is the bad news."""

Words = tuple[str, str, str, str]
"""Which one, its text, its rule, the day it was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A prediction or a criterion as the page tells it."""

    kind: str
    """Prediction, Success or Failure."""
    text: str
    rule: str
    outcome: str
    because: str
    written: str

    @property
    def sign(self) -> str:
        """So that an outcome is never told by colour alone."""
        return _SIGNS.get(self.outcome, "·")

    @property
    def css(self) -> str:
        """The class whose colour goes with it."""
        colours = _BAD if self.kind == "Failure" else _GOOD
        return colours.get(self.outcome, "notneeded")

    @property
    def badge(self) -> Markup:
        """Sign and word."""
        return Markup('<span class="o {}"><i aria-hidden="true">{}</i> {}</span>').format(
            self.css, self.sign, self.outcome
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A registration as the page tells it."""

    registration: Registration
    counts: bool
    """Whether the run that is shown belongs to it."""
    runs: int
    """How many runs belong to it."""
    differs: tuple[tuple[str, Markup], ...]
    """What it says otherwise than the one before."""


def outcomes(view: ExperimentView) -> list[Outcome]:
    """Predictions first. Without a run that completed nothing is judged."""
    words = _words_now(view.experiment)
    if view.current is None or not view.current.is_completed:
        why = "nobody has run it here" if not view.runs else "the last run did not complete"
        return [
            Outcome(
                kind=_kind(label),
                text=text,
                rule=rule,
                outcome="not judged",
                because=why,
                written=written,
            )
            for label, text, rule, written in words
        ]
    days = {text: day for one in view.registrations for _, text, _, day in _words_then(one)}
    days |= {text: day for _, text, _, day in words}
    return [
        Outcome(
            kind=one.kind.capitalize(),
            text=one.text,
            rule=one.rule or "",
            outcome=one.outcome,
            because=one.because,
            written=days.get(one.text, ""),
        )
        for one in view.criteria
    ]


def tally(found: list[Outcome]) -> list[tuple[Outcome, int]]:
    """How many predictions had each outcome, with one that stands for them."""
    predictions = [one for one in found if one.kind == "Prediction"]
    counts = Counter(one.outcome for one in predictions)
    first = {one.outcome: one for one in reversed(predictions)}
    order = [*_SIGNS, "not judged"]
    ranked = sorted(counts, key=lambda word: order.index(word) if word in order else len(order))
    return [(first[word], counts[word]) for word in ranked]


def registrations(view: ExperimentView) -> list[Registered]:
    """All registrations, oldest first, each with what it changed."""
    current = view.current.registration if view.current else None
    found = []
    for number, one in enumerate(view.registrations):
        before = _words_then(view.registrations[number - 1]) if number else None
        found.append(
            Registered(
                registration=one,
                counts=one.sha256 == current,
                runs=sum(run.registration == one.sha256 for run in view.runs),
                differs=tuple(_differences(before, _words_then(one))) if before else (),
            )
        )
    return found


def present_differs(view: ExperimentView) -> list[tuple[str, Markup]]:
    """How the text of now differs from what was registered for the run that is shown.

    Without a run it is compared with the last registration. Empty when it is the same.
    """
    if not view.registrations:
        return []
    wanted = view.current.registration if view.current else view.registrations[-1].sha256
    if wanted == registered_sha256(view.experiment):
        return []
    then = next((one for one in view.registrations if one.sha256 == wanted), None)
    if then is None:
        then = view.registrations[-1]
    return list(_differences(_words_then(then), _words_now(view.experiment)))


def _kind(label: str) -> str:
    return label.partition(" ")[0]


def _said(words: str | None) -> str:
    return " ".join(str(words or "").split())


def _words_now(experiment: Experiment) -> list[Words]:
    found = [
        (f"Prediction {number}", _said(one.text), _said(one.rule), _said(one.written))
        for number, one in enumerate(experiment.predictions, 1)
    ]
    if experiment.success is not None:
        found.append(("Success", _said(experiment.success), _said(experiment.success_rule), ""))
    if experiment.failure is not None:
        found.append(("Failure", _said(experiment.failure), _said(experiment.failure_rule), ""))
    return found


def _words_then(one: Registration) -> list[Words]:
    found = [
        (f"Prediction {number}", text, rule, written)
        for number, (text, written, rule) in enumerate(one.predictions, 1)
    ]
    for label, (text, rule) in (("Success", one.success), ("Failure", one.failure)):
        if text or rule:
            found.append((label, text, rule, ""))
    return found


def _differences(before: list[Words], after: list[Words]) -> Iterator[tuple[str, Markup]]:
    """What changed, as old words and new words."""
    labels = list(dict.fromkeys(label for label, *_ in (*before, *after)))
    old = {label: rest for label, *rest in before}
    new = {label: rest for label, *rest in after}
    for label in labels:
        pairs = zip_longest(old.get(label, ()), new.get(label, ()), fillvalue="")
        for part, (was, now) in zip(("", ", rule", ", day"), pairs, strict=False):
            if was != now:
                yield f"{label}{part}", word_diff(was, now)
