"""The story of `brief`: a pack's brief, with the project's own template when it has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.build import own_template, shown_packs
from researchpack.exports.brief import brief
from researchpack.gather import gather

if TYPE_CHECKING:
    from pathlib import Path


def brief_of(root: Path, name: str, budget: int | None) -> str:
    """The brief of the named pack; at most `budget` bytes."""
    shown = shown_packs(gather(root, [name]))[0]
    return brief(shown.view, budget=budget, template=own_template(root))
