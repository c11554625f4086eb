"""A stretch of the snapshot with its audited passages marked in place."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One passage of one claim."""

    start: int
    end: int
    id: str
    css: str
    label: str
    """Told to those who do not see the mark: `C56, contradicted`."""
    address: str
    """Where the claim is told in full."""
    first: bool
    """Whether it carries the id: a claim meant at several places has it at the first."""


def marked(text: str, start: int, end: int, marks: Sequence[Mark]) -> Markup:
    """`text[start:end]` with all marks that touch it; the visible text stays as it is.

    Marks may overlap. One that ends inside another is closed there and the other one is opened
    again behind it, so that the elements nest. Numbers of claims are drawn by the style sheet.
    """
    here = [mark for mark in marks if mark.start < end and start < mark.end]
    cuts = sorted({start, end, *(x for m in here for x in (m.start, m.end) if start < x < end)})
    out: list[Markup] = []
    stack: list[Mark] = []
    for at, following in pairwise(cuts):
        _close(out, stack, at)
        opening = [m for m in here if max(m.start, start) == at]
        for mark in sorted(opening, key=lambda m: -m.end):
            out.append(_open(mark, fresh=mark.start == at))
            stack.append(mark)
        out.append(escape(text[at:following]))
    _close(out, stack, end, everything=True)
    return Markup("").join(out)


def _close(out: list[Markup], stack: list[Mark], at: int, *, everything: bool = False) -> None:
    """End the marks that end at `at`; those opened inside them are opened again."""
    again: list[Mark] = []
    while any(everything or mark.end <= at for mark in stack):
        mark = stack.pop()
        out.append(Markup("</mark>"))
        if not everything and mark.end > at:
            again.append(mark)
    for mark in reversed(again):
        out.append(_open(mark, fresh=False))
        stack.append(mark)


def _open(mark: Mark, *, fresh: bool) -> Markup:
    if not fresh:
        return Markup('<mark class="{}">').format(mark.css)
    number = Markup('<a class="n" href="{}" data-n="{}" aria-label="{}"></a>').format(
        mark.address, mark.id[1:], mark.label
    )
    name = Markup(' id="{}"').format(mark.id) if mark.first else Markup("")
    return Markup('<mark{} class="{}">{}').format(name, mark.css, number)
