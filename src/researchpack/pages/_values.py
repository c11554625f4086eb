"""Measured values in the words of people, and how runs are told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

from researchpack.measures import find_refs, told
from researchpack.pages._text import href
from researchpack.records import RunStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.records import ExperimentView, Measured, View


def measured(view: View, base: str) -> Callable[[str, str], Markup]:
    """Tells a measured value as a link to its experiment, with the run that it comes from.

    What was never measured is told as that: the page never shows nothing in its place.
    """
    found = {str(one.experiment.id): one for one in reversed(view.experiments)}

    def value(name: str, path: str) -> Markup:
        experiment = found.get(name)
        one = experiment.measured(path) if experiment is not None else None
        if experiment is None or one is None:
            return Markup('<span class="warn">{{{}.{}}} not measured</span>').format(name, path)
        old = " old" if one.old_code else ""
        return Markup('<a class="val{}" href="{}" title="{}">{}</a>').format(
            old, href(base, name), _origin(experiment, one), told(one.value)
        )

    return value


def in_words(view: View) -> Callable[[object], str]:
    """Fills measured values into words that cannot hold links; for nothing else."""
    value = measured(view, "")

    def words(text: object) -> str:
        told = str(text or "")
        for ref in reversed(list(find_refs(told))):
            found = value(ref.id, ref.path).striptags()
            told = told[: ref.start] + found + told[ref.end :]
        return told

    return words


def _origin(experiment: ExperimentView, one: Measured) -> str:
    """Where a value comes from."""
    name = str(experiment.experiment.id)
    words = f"{name} {one.path}, run {one.run.id} of {one.run.started[:10] or 'an unknown day'}"
    if one.old_code:
        return f"{words}; its inputs or code have changed since"
    if experiment.status is RunStatus.STALE:
        return f"{words}; STALE: what it is judged by has changed since"
    if experiment.status is RunStatus.FAILED:
        return f"{words}; a later run FAILED"
    return words


def when(stamp: object) -> str:
    """A moment as a reader sees it: `2026-11-30 14:15 UTC`; what is none stays as it is."""
    text = str(stamp or "")
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z", text)
    return f"{match[1]} {match[2]} UTC" if match else text or "at an unknown time"
