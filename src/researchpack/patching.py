"""The story of `patch`: what was accepted, as a unified diff."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from researchpack import disk
from researchpack.exports.patch import apply, chosen, map_all, overlaps, place_all, unified
from researchpack.gather import decode, gather
from researchpack.problems import UsageFault
from researchpack.standings import Places
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.exports.patch import Change
    from researchpack.records import Edit, Pack, Settings


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
    notes: tuple[str, ...] = ()
    """Accepted proposals that have nothing to change: no text yet, or the chapter reads so."""


def make_patch(root: Path, name: str, today: str, against: Path | None = None) -> Patch:
    """The patch of the accepted proposals against the snapshot, or against a Markdown file.

    Without `against` it is made for the chapter's own file, `snapshot.source`, when the settings
    name the folder of the book. Raises `NoPatch` when there is nothing to make it of.
    """
    project = gather(root, [name])
    found = view(project.packs[0], project.vocabulary, today)
    snapshot = found.pack.snapshot
    if snapshot is None:
        raise NoPatch(f"{name} has no snapshot that can be read.")
    picked = chosen(found)
    if not picked.edits and not picked.refusals and not picked.textless:
        raise NoPatch(f"No proposal of {name} is accepted or revised yet; `review walk` decides.")
    edits, done = _open(found.pack, picked.edits)
    notes = [f"{name} has no text yet." for name in picked.textless]
    notes += [f"{name}: the chapter reads so already." for name in done]
    placed, faults = place_all(snapshot.text, edits)
    refusals = (*picked.refusals, *faults)
    if refusals:
        return Patch(text="", proposals=(), refusals=refusals, notes=tuple(notes))
    target = against or _chapter_file(root, found.pack, project.settings)
    if target is None or target.resolve() == (root / snapshot.path).resolve():
        text = unified(snapshot.text, apply(snapshot.text, placed), snapshot.path)
        return Patch(text=text, proposals=_names(placed), refusals=(), notes=tuple(notes))
    text, problem = decode(disk.read_bytes(target), target.name)
    if problem is not None:
        raise NoPatch(f"{target} cannot be patched. {problem.what}")
    path = _relative(target, [root, *_folders(root, found.pack, project.settings)])
    mapped, left_out = _mapped(snapshot.text, text, edits)
    return Patch(
        text=unified(text, apply(text, mapped), path),
        proposals=_names(mapped),
        refusals=(),
        left_out=tuple(left_out),
        notes=(*notes, f"Made for {path}."),
    )


def _open(
    pack: Pack, edits: Iterable[tuple[str, Edit]]
) -> tuple[list[tuple[str, Edit]], list[str]]:
    """The edits that are still to be made, and the proposals that the chapter has taken over."""
    places = Places(pack)
    told = [(name, edit, places.placed(name, edit).applied) for name, edit in edits]
    rest = [(name, edit) for name, edit, applied in told if not applied]
    left = {name for name, _ in rest}
    return rest, list(dict.fromkeys(name for name, _, _ in told if name not in left))


def _folders(root: Path, pack: Pack, settings: Settings) -> list[Path]:
    """The folder of the book outside of the project, when the settings name it."""
    return [
        (root / Path(folder).expanduser()).resolve()
        for book, folder in settings.book_folders
        if book == pack.book.id
    ]


def _chapter_file(root: Path, pack: Pack, settings: Settings) -> Path | None:
    """The chapter's own file in the book, when it is known and there."""
    for base in _folders(root, pack, settings):
        path = (base / str(pack.file.snapshot_source or "")).resolve()
        if path.is_relative_to(base) and path.is_file():
            return path
    return None


def _relative(path: Path, folders: list[Path]) -> str:
    """The path as `git apply` takes it in the first of the folders that holds the file."""
    full = path.resolve()
    for folder in folders:
        if full.is_relative_to(folder.resolve()):
            return full.relative_to(folder.resolve()).as_posix()
    return path.name


def _mapped(
    snapshot: str, text: str, edits: Iterable[tuple[str, Edit]]
) -> tuple[list[Change], list[str]]:
    """The changes of the proposals that can be mapped whole, and why others cannot."""
    changes: list[Change] = []
    left_out: list[str] = []
    groups: dict[str, list[tuple[str, Edit]]] = {}
    for proposal, edit in edits:
        groups.setdefault(proposal, []).append((proposal, edit))
    for group in groups.values():
        placed, faults = map_all(snapshot, text, group)
        faults = faults or list(overlaps([*changes, *placed]))
        if faults:
            left_out += faults
        else:
            changes += placed
    return changes, left_out


def _names(changes: list[Change]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(change.proposal for change in changes))
