"""The story of `patch`: what was accepted, as a unified diff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from researchpack import disk
from researchpack.exports.patch import apply, chosen, place_all, unified
from researchpack.gather import gather
from researchpack.problems import UsageFault
from researchpack.views import view

if TYPE_CHECKING:
    from pathlib import Path

    from researchpack.exports.patch import Change
    from researchpack.records import Edit


class NoPatch(UsageFault):
    """There is nothing that can be patched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A unified diff and what it holds."""

    text: str
    """Empty when a refusal stands in its way."""
    proposals: tuple[str, ...]
    refusals: tuple[str, ...]
    """Why there is no patch; whole sentences."""
    left_out: tuple[str, ...] = ()
    """Proposals that could not be mapped into the Markdown file, with the reason."""


def make_patch(root: Path, name: str, today: str, against: Path | None = None) -> Patch:
    """The patch of the accepted proposals against the snapshot, or against a Markdown file.

    Raises `NoPatch` when the pack has no snapshot or nothing was accepted.
    """
    project = gather(root, [name])
    found = view(project.packs[0], project.vocabulary, today)
    snapshot = found.pack.snapshot
    if snapshot is None:
        raise NoPatch(f"{name} has no snapshot that can be read.")
    picked = chosen(found)
    if not picked.edits and not picked.refusals:
        raise NoPatch(f"No proposal of {name} is accepted or revised yet; `review walk` decides.")
    placed, faults = place_all(snapshot.text, picked.edits)
    refusals = (*picked.refusals, *faults)
    if refusals:
        return Patch(text="", proposals=(), refusals=refusals)
    if against is None:
        changed = apply(snapshot.text, placed)
        return Patch(
            text=unified(snapshot.text, changed, snapshot.path),
            proposals=_names(placed),
            refusals=(),
        )
    text = disk.read_bytes(against).decode("utf-8")
    mapped, left_out = _mapped(text, picked.edits)
    return Patch(
        text=unified(text, apply(text, mapped), against.as_posix().lstrip("/")),
        proposals=_names(mapped),
        refusals=(),
        left_out=tuple(left_out),
    )


def _mapped(text: str, edits: tuple[tuple[str, Edit], ...]) -> tuple[list[Change], list[str]]:
    """The changes of the proposals that can be mapped whole, and why others cannot."""
    changes: list[Change] = []
    left_out: list[str] = []
    groups: dict[str, list[tuple[str, Edit]]] = {}
    for proposal, edit in edits:
        groups.setdefault(proposal, []).append((proposal, edit))
    for group in groups.values():
        placed, faults = place_all(text, group, loosely=True)
        if faults:
            left_out += faults
        else:
            changes += placed
    return changes, left_out


def _names(changes: list[Change]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(change.proposal for change in changes))
