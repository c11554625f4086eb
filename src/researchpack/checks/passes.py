"""Every research pass names what it read, and its frozen content belongs to it.

An entry of `passes` in pack.yaml is a person's statement; `passes/*.json` is the frozen content
of that moment. An entry without its file is not frozen, which is said; a file without an entry is
an error, because nobody accounts for it.

Rules: `pack.pass-not-frozen`, `pack.pass-file-alone`, `pack.pass-read`.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from researchpack.dates import parse_date
from researchpack.places import Place
from researchpack.problems import Problem, error, info

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import FrozenPass, View

_STAMP = re.compile(r"(\d{4})(\d{2})(\d{2})t\d{6}z-[0-9a-f]{12}\.json")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def check(view: View) -> Iterator[Problem]:
    """Passes and frozen files that do not belong together."""
    days = {}
    for frozen in view.pack.frozen:
        match = _STAMP.match(frozen.name)
        days[frozen.name] = parse_date("-".join(match.groups())) if match else None
    reads = {frozen.name: _read(frozen) for frozen in view.pack.frozen}
    matched: set[str] = set()
    for entry in view.pack.file.passes:
        day = parse_date(entry.date or "")
        found = [
            name
            for name, stamp in days.items()
            if (stamp and day and abs(stamp.first - day.first) <= timedelta(days=1))
            or (entry.read is not None and reads.get(name) == entry.read)
        ]
        matched.update(found)
        if not found:
            yield info(
                entry.place,
                "pack.pass-not-frozen",
                "The content of this pass is not frozen.",
                "Nothing has to be done; a later pass cannot show what changed since this one.",
            )
        if entry.read is not None and not _SHA256.fullmatch(entry.read):
            yield error(
                entry.read.place,
                "pack.pass-read",
                "`read` is not the SHA-256 of a snapshot.",
                "Write the 64 hex digits of the snapshot that was read.",
            )
    for name in days:
        if name not in matched:
            yield error(
                Place(view.pack.path(f"passes/{name}")),
                "pack.pass-file-alone",
                "No entry of `passes` in pack.yaml stands for this frozen pass.",
                "Add the entry, with date, researcher and what was read.",
            )


def _read(frozen: FrozenPass) -> str | None:
    """The digest of the snapshot that a frozen pass read; None when the file does not say."""
    snapshot = (frozen.content or {}).get("snapshot")
    return str(snapshot.get("sha256")) if isinstance(snapshot, dict) else None
