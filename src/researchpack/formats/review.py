"""`review.yaml` -> `Decision` records."""

from __future__ import annotations

from researchpack.formats._shared import Parsed, read_list
from researchpack.formats.proposals import read_edits
from researchpack.records import Decision

KEYS = ("target", "decision", "by", "date", "reason", "of", "edits")


def read_review(text: str, path: str) -> Parsed[tuple[Decision, ...]]:
    """The decisions, oldest first; all are kept, and the last one of a target counts."""
    entries, notes = read_list(text, path, KEYS)
    found = []
    for entry in entries:
        target = entry.required("target", "A decision")
        if target is None:
            continue
        found.append(
            Decision(
                target=target,
                decision=entry.required("decision", f'The decision about "{target}"'),
                by=entry.required("by", f'The decision about "{target}"'),
                date=entry.required("date", f'The decision about "{target}"'),
                reason=entry.text("reason"),
                of=entry.text("of"),
                edits=read_edits(entry),
                place=entry.place,
            )
        )
    return notes.parsed(tuple(found))
