"""The story of `resnapshot`: a new revision comes, and every claim is followed into it."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from researchpack import disk
from researchpack.formats.claims import read_claims, unquote
from researchpack.formats.snapshot import read_snapshot
from researchpack.gather import book_path, gather
from researchpack.places import Lines
from researchpack.problems import UsageFault
from researchpack.records import (
    Ambiguous,
    Anchored,
    Changed,
    Lost,
    NoSnapshot,
    Paraphrase,
    Partial,
)
from researchpack.splice import replace_spans, set_scalar
from researchpack.standings import spans_of
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.records import ClaimView, Pack, Snapshot, Standing, View, Vocabulary

FOLLOWING: Final = ("exact", "normalised", "moved", "multipart")
"""States that keep a claim current."""
GROUPS: Final = (
    ("unchanged", ("exact", "normalised", "multipart")),
    ("moved", ("moved",)),
    ("changed", ("changed", "partial")),
    ("gone", ("orphan",)),
    ("ambiguous", ("ambiguous",)),
)


class CannotResnapshot(UsageFault):
    """What was asked for cannot be done with these files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resnapshot:
    """What a new revision does to a pack, and what has to be written."""

    view: View
    """The pack as it will be."""
    old: Snapshot
    accepted: tuple[str, ...]
    writes: tuple[tuple[Path, bytes], ...]
    """Files in the order in which they are safely written."""

    @property
    def open(self) -> tuple[ClaimView, ...]:
        """The claims that need a person."""
        return tuple(
            found
            for found in self.view.claims
            if not isinstance(found.standing, Paraphrase)
            and state_of(found.standing) not in FOLLOWING
        )


def resnapshot(root: Path, name: str, data: bytes, accept: Sequence[str], today: str) -> Resnapshot:
    """Work out everything; nothing is written.

    `data` is the new revision, `accept` the ids of claims whose changed wording is taken over.
    Raises `CannotResnapshot`.
    """
    project = gather(root, [name])
    pack, settings = project.packs[0], project.settings
    if pack.snapshot is None or pack.file.snapshot_file is None:
        raise CannotResnapshot(f"{name} has no snapshot that can be read; mend pack.yaml first.")
    new = read_snapshot(data, pack.snapshot.path, pack.file.layout).value
    if new is None:
        raise CannotResnapshot("The new revision is not UTF-8 text.")
    later = replace(pack, snapshot=new, earlier=(*pack.earlier, pack.snapshot))
    found = view(later, project.vocabulary, today)
    folder = root / pack.folder
    writes: list[tuple[Path, bytes]] = []
    if new.sha256 != pack.snapshot.sha256:
        kept = f"{pack.snapshot.sha256[:12]}.txt"
        writes.append((folder / "snapshots" / kept, pack.snapshot.data))
        writes.append((folder / pack.file.snapshot_file, data))
        writes += _pack_file(root, pack, today, book_path(root, pack.book, pack.file, settings))
    if accept:
        claims = _accepted(folder, found, accept)
        writes.append((folder / "claims.md", claims))
        found = _with_claims(later, claims, project.vocabulary, today)
    return Resnapshot(view=found, old=pack.snapshot, accepted=tuple(accept), writes=tuple(writes))


def write(planned: Resnapshot) -> None:
    """Write what was worked out; the old revision is safe before the new one takes its place."""
    for path, data in planned.writes:
        disk.write_bytes(path, data)


def state_of(standing: Standing) -> str:
    """The state of a claim in one word of the anchoring vocabulary."""
    match standing:
        case Anchored(how=how):
            return how
        case Changed():
            return "changed"
        case Partial():
            return "partial"
        case Ambiguous():
            return "ambiguous"
        case Lost() | NoSnapshot() | Paraphrase():
            return "orphan"


def as_json(planned: Resnapshot) -> str:
    """The report for programs. A paraphrase stands nowhere and is not in it."""
    snapshot = planned.view.pack.snapshot
    told = {
        "state": planned.view.state.value,
        "reasons": list(planned.view.state_reasons),
        "snapshot": {
            "old": planned.old.sha256,
            "new": snapshot.sha256 if snapshot else None,
        },
        "claims": [
            {
                "id": found.claim.id,
                "state": state_of(found.standing),
                "places": [{"start": a, "end": b} for a, b in _places(found.standing)],
                "diff": _diff(found.standing),
            }
            for found in planned.view.claims
            if not isinstance(found.standing, Paraphrase)
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def as_text(planned: Resnapshot) -> str:
    """The report for people, the claims grouped by what became of them."""
    view_, snapshot = planned.view, planned.view.pack.snapshot
    lines = [
        f"{view_.pack.name}: {planned.old.sha256[:12]} -> "
        f"{snapshot.sha256[:12] if snapshot else '?'}, {view_.state.value}"
    ]
    claims = [found for found in view_.claims if not isinstance(found.standing, Paraphrase)]
    for name, states in GROUPS:
        group = [found for found in claims if state_of(found.standing) in states]
        lines.append(f"\n{name}: {len(group)}")
        if name == "unchanged":
            marks = [f.claim.id for f in group if state_of(f.standing) != "exact"]
            if marks:
                lines.append(f"  in other marks or in parts: {', '.join(marks)}")
            continue
        for found in group:
            lines += _told(found)
    return "\n".join(lines) + "\n"


def _told(found: ClaimView) -> list[str]:
    settled = f" settled by {', '.join(found.settled_by)}" if found.settled_by else ""
    lines = [f"  {found.claim.id}{settled}: {_short(found.old_passage or found.claim.cell)}"]
    if isinstance(found.standing, Changed):
        for change in found.standing.changes:
            why = f" ({change.raised})" if change.raised else ""
            lines.append(f"      - {change.old or '(nothing)'}")
            lines.append(f"      + {change.new or '(nothing)'}{why}")
    return lines


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= 90 else f"{plain[:89].rsplit(' ', 1)[0]} …"


def _places(standing: Standing) -> tuple[tuple[int, int], ...]:
    return standing.spans if isinstance(standing, Ambiguous) else spans_of(standing)


def _diff(standing: Standing) -> list[dict[str, Any]] | None:
    if not isinstance(standing, Changed):
        return None
    return [{"old": c.old, "new": c.new, "raised": c.raised} for c in standing.changes]


def _pack_file(root: Path, pack: Pack, today: str, book: Path | None) -> list[tuple[Path, bytes]]:
    """pack.yaml with the day of the new snapshot, and the digest of the book's file if it is known.

    Both are observed, not guessed: the snapshot is taken today, and the file was read.
    """
    path = root / pack.folder / "pack.yaml"
    text = disk.read_bytes(path).decode("utf-8")
    changed = set_scalar(text, today, "snapshot", "taken") if pack.file.snapshot_taken else text
    if book is not None and pack.file.snapshot_source_sha256 is not None:
        digest = hashlib.sha256(disk.read_bytes(book)).hexdigest()
        changed = set_scalar(changed, digest, "snapshot", "source_sha256")
    return [(path, changed.encode())] if changed != text else []


def _accepted(folder: Path, found: View, accept: Sequence[str]) -> bytes:
    """claims.md with the passages of the accepted claims as they read now."""
    text = disk.read_bytes(folder / "claims.md").decode("utf-8-sig")
    lines, changes = Lines(text, ""), []
    for claim_id in accept:
        entry = found.claim(claim_id)
        if entry is None:
            raise CannotResnapshot(f"There is no claim {claim_id} in {found.pack.name}.")
        changes.append(_change(entry, text, lines, found))
    mark = b"\xef\xbb\xbf" if (folder / "claims.md").read_bytes()[:3] == b"\xef\xbb\xbf" else b""
    return mark + replace_spans(text, changes).encode()


def _change(entry: ClaimView, text: str, lines: Lines, found: View) -> tuple[int, int, str]:
    claim, standing = entry.claim, entry.standing
    snapshot = found.pack.snapshot
    if not isinstance(standing, Changed) or snapshot is None:
        raise CannotResnapshot(
            f"{claim.id} cannot be accepted: its state is {state_of(standing)}. Only a changed"
            " wording can be taken over; correct the claim in claims.md."
        )
    if claim.where.of is not None and claim.where.which is None:
        raise CannotResnapshot(
            f"{claim.id} is meant at several places, which may read differently now; correct it in"
            " claims.md."
        )
    start, end = standing.spans[0]
    words = re.sub(r"\s*\n\s*", " ", snapshot.text[start:end])
    cell = str(claim.cell)
    inner = unquote(cell)
    opening, closing = ('"', '"') if inner is None or cell[0] == "`" else (cell[0], cell[-1])
    at = lines.offset(claim.cell.place.line) + claim.cell.place.column - 1
    raw = cell.replace("|", "\\|")
    if text[at : at + len(raw)] != raw:
        raise CannotResnapshot(f"The cell of {claim.id} cannot be rewritten; change it by hand.")
    new = (opening + words + closing).replace("|", "\\|")
    return at, at + len(raw), new


def _with_claims(later: Pack, claims: bytes, vocabulary: Vocabulary, today: str) -> View:
    """The view of the pack with its rewritten claim table."""
    parsed = read_claims(claims.decode("utf-8-sig"), later.path("claims.md"))
    return view(replace(later, audit=parsed.value), vocabulary, today)
