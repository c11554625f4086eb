"""The story of `pass close`: freeze the pack as it is, so that a later pass can show a delta."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from researchpack import disk
from researchpack.build import shown_packs
from researchpack.exports.pack_json import pack_data
from researchpack.gather import gather
from researchpack.problems import UsageFault
from researchpack.splice import append_item

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


class NothingToClose(UsageFault):
    """The pack cannot be frozen, or is frozen as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A pass that was frozen."""

    id: str
    """`book:chapter:UTC stamp:12 hex`; the hex comes from the content."""
    path: str
    """Of the new file, relative to the project."""
    recorded: bool
    """Whether an entry was added to pack.yaml."""
    has_entry: bool
    """Whether pack.yaml has an entry that read this snapshot."""


def close_pass(root: Path, name: str, now: datetime, *, record: bool) -> Closed:
    """Freeze the pack. `now` in UTC. Raises `NothingToClose`.

    The frozen content must not depend on when it is frozen, so that its digest names it; the
    stamp stands beside it.
    """
    project = gather(root, [name])
    shown = shown_packs(project)[0]
    pack = shown.view.pack
    if pack.snapshot is None:
        raise NothingToClose(f"{name} has no snapshot that can be read.")
    if shown.errors:
        raise NothingToClose(f"{name} has {len(shown.errors)} errors; `check` names them.")
    content = pack_data(shown.view, shown.problems)
    content.pop("delta", None)
    # Problems are about the files as they lie there, frozen passes included, not about the pass.
    about = {key: value for key, value in content.items() if key != "problems"}
    words = json.dumps(about, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(words.encode()).hexdigest()[:12]
    already = [entry.name for entry in pack.frozen if digest in entry.name]
    if already:
        raise NothingToClose(f"{name} is frozen as it is, in passes/{already[0]}.")
    stamp = now.strftime("%Y%m%dT%H%M%S")
    chapter = str(pack.file.number or pack.chapter)
    pass_id = f"{pack.book.id}:{chapter}:{stamp}:{digest}"
    told = {"pass": {"id": pass_id, "closed": now.strftime("%Y-%m-%dT%H:%M:%SZ")}, **content}
    path = root / pack.folder / "passes" / f"{stamp.lower()}z-{digest}.json"
    disk.write_bytes(path, (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode())
    if record:
        _record(root / pack.folder / "pack.yaml", now, pack.snapshot.sha256)
    has_entry = any(entry.read == pack.snapshot.sha256 for entry in pack.file.passes)
    return Closed(
        id=pass_id,
        path=path.relative_to(root).as_posix(),
        recorded=record,
        has_entry=has_entry or record,
    )


def _record(path: Path, now: datetime, sha256: str) -> None:
    """Add the entry of the pass; who did it is not known here, and nobody is invented."""
    text = disk.read_bytes(path).decode("utf-8")
    lines = [
        f"date: {now.date().isoformat()}",
        "researcher:",
        "  name: UNVERIFIED",
        "  kind: UNVERIFIED",
        f"read: {sha256}",
    ]
    disk.write_bytes(path, append_item(text, "passes", lines).encode())
