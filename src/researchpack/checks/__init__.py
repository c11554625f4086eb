"""The rules of a pack. Each module holds one idea; its docstring is its page in the manual."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.checks import (
    addresses,
    bearings,
    bibfile,
    bibliography,
    cells,
    dates,
    declared,
    edits,
    experiments,
    identifiers,
    ids,
    leaks,
    ledger,
    measured,
    notebooks,
    passages,
    passes,
    proposals,
    quotes,
    references,
    registered,
    registrations,
    reports,
    review,
    runs,
    verdicts,
    vocabulary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from researchpack.problems import Problem
    from researchpack.records import View

CHECKS: Final[tuple[ModuleType, ...]] = (
    ids,
    vocabulary,
    dates,
    references,
    bearings,
    passages,
    edits,
    proposals,
    verdicts,
    ledger,
    identifiers,
    bibfile,
    registered,
    addresses,
    bibliography,
    quotes,
    declared,
    experiments,
    notebooks,
    registrations,
    runs,
    measured,
    review,
    passes,
    reports,
    cells,
    leaks,
)
"""In the order in which they run; nothing depends on it."""


def check(view: View) -> Iterator[Problem]:
    """All problems of one pack that its records show, in no particular order."""
    for module in CHECKS:
        rule: Callable[[View], Iterator[Problem]] = module.check
        yield from rule(view)


ALONE: Final[tuple[ModuleType, ...]] = (
    ids,
    vocabulary,
    dates,
    leaks,
    identifiers,
    bibfile,
    registered,
    addresses,
    bibliography,
    quotes,
)
"""The rules that need nothing but the file itself."""

_PACK_ONLY: Final = ("ledger.id-form",)
"""What is a pack's own grammar: a ledger of somebody else may name its entries as it likes."""


def check_alone(view: View) -> Iterator[Problem]:
    """All problems of a file that belongs to no project."""
    yield from view.pack.problems
    for module in ALONE:
        rule: Callable[[View], Iterator[Problem]] = module.check
        yield from (problem for problem in rule(view) if problem.rule not in _PACK_ONLY)
