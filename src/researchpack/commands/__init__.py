"""The commands, a module for each kind of work; `cli` puts them together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.commands import check, experiment, packs, registries, review, site

if TYPE_CHECKING:
    import click

COMMANDS: Final[tuple[click.Command, ...]] = (
    *packs.COMMANDS,
    *check.COMMANDS,
    *registries.COMMANDS,
    *site.COMMANDS,
    *review.COMMANDS,
    *experiment.COMMANDS,
)
"""All of them; `--help` sorts them by name."""
