"""What the comparison of one field comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from researchpack.records import FieldState

if TYPE_CHECKING:
    from researchpack.places import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A state, the registry's value as it would be shown, and what kind of difference it is."""

    state: FieldState
    theirs: str | None = None
    offer: tuple[str, ...] | None = None
    """What would be written in our place; None when that is `theirs` as it is shown."""
    why: str | None = None
    rule: str | None = None
    """When it is another one than the field's own."""
    place: Place | None = None
    """When a part of our value is meant."""


def confirmed(theirs: str, why: str | None = None) -> Finding:
    """Both say the same; `why` tells in which other form."""
    return Finding(state=FieldState.CONFIRMED, theirs=theirs, why=why)


def unsure(why: str, theirs: str | None = None) -> Finding:
    """It cannot be told whether both say the same."""
    return Finding(state=FieldState.NOT_CONFIRMED, theirs=theirs, why=why)


def contradicted(theirs: str, why: str | None = None) -> Finding:
    """The registry says something else."""
    return Finding(state=FieldState.CONTRADICTED, theirs=theirs, why=why)


ABSENT = "field absent there"
"""Why a field is not confirmed when the registry's record does not have it."""
