"""Records -> pages: final HTML for the content area, whatever shell it is put into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.pages import (
    chapter,
    claims,
    experiments,
    findings,
    history,
    proposals,
    review,
    sources,
)

if TYPE_CHECKING:
    from types import ModuleType

PAGES: Final[tuple[ModuleType, ...]] = (
    chapter,
    claims,
    sources,
    findings,
    proposals,
    experiments,
    review,
    history,
)
"""The pages of a pack below its overview, in the order of its tabs."""
