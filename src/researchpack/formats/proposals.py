"""`proposals.yaml` -> `Proposal` records."""

from __future__ import annotations

from researchpack.formats._shared import Fields, Parsed, read_list
from researchpack.problems import error
from researchpack.records import Advice, Edit, Proposal

KEYS = (
    "id",
    "title",
    "kind",
    "claims",
    "sources",
    "edits",
    "reason_no_text",
    "rationale",
    "tradeoffs",
    "depends_on",
    "affects",
    "recommend",
)
EDIT = ("old", "after", "new")


def read_proposals(text: str, path: str) -> Parsed[tuple[Proposal, ...]]:
    """The proposals, in order of repair."""
    entries, notes = read_list(text, path, KEYS)
    found = []
    for entry in entries:
        proposal_id = entry.required("id", "A proposal")
        if proposal_id is None:
            continue
        advice = entry.map("recommend", ("decision", "reason"))
        found.append(
            Proposal(
                id=proposal_id,
                title=entry.required("title", f'Proposal "{proposal_id}"'),
                kind=entry.required("kind", f'Proposal "{proposal_id}"'),
                claims=entry.texts("claims"),
                sources=entry.texts("sources"),
                edits=read_edits(entry),
                reason_no_text=entry.text("reason_no_text"),
                rationale=entry.text("rationale"),
                tradeoffs=entry.text("tradeoffs"),
                depends_on=entry.texts("depends_on"),
                affects=entry.texts("affects"),
                recommend=Advice(decision=advice.text("decision"), reason=advice.text("reason"))
                if advice
                else None,
                place=entry.place,
            )
        )
    return notes.parsed(tuple(found))


def read_edits(entry: Fields) -> tuple[Edit, ...]:
    """The edits of a proposal or of a decision; one that says no place is left out."""
    found = []
    for fields in entry.maps("edits", EDIT):
        old, after = fields.text("old"), fields.text("after")
        new = fields.scalar("new") if "new" in tuple(fields.keys()) else None
        words = new.text if new else None
        if words is None and old is not None and "new" in tuple(fields.keys()):
            words = type(old)("", fields.key_place("new"))  # old words that go without a heir
        if words is None or (old is None) == (after is None):
            entry.notes.problems.append(
                error(
                    fields.place,
                    "proposals.edit-shape",
                    "An edit needs `new`, and one of `old` and `after`.",
                    "Write `{old: …, new: …}` to replace, `{after: …, new: …}` to insert.",
                )
            )
            continue
        found.append(Edit(old=old, after=after, new=words, place=fields.place))
    return tuple(found)
