"""Every edit of a proposal has one place in the unchanged snapshot, and no two collide.

`old` and `after` are exact characters, line breaks included, and occur once; they are as long as
they must be for that. Edits may touch but not overlap, within a proposal and between proposals
that have been accepted; an overlap of two that are both still open is said as information,
because only one of them can be accepted.

An edit that the chapter has taken over in a later revision is done; one whose words are gone
for another reason is stale.

Rules: `proposals.stale`, `proposals.edit-lost`, `proposals.edit-not-unique`,
`proposals.edit-overlap`, `proposals.edit-same`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from researchpack.problems import Problem, error, info, warning
from researchpack.prose import find_all
from researchpack.records import PlacedEdit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Edits of one pack without a place, and edits that collide."""
    if view.pack.snapshot is None:
        return
    for placed in view.edits:
        yield from _place(placed)
    for decision in dict(view.decisions).values():
        for edit in decision.edits:
            number = len(tuple(find_all(view.pack.snapshot.text, str(edit.anchor))))
            placed = PlacedEdit(
                proposal=str(decision.target), edit=edit, span=None, occurrences=number
            )
            yield from _place(placed)
    for one, two in combinations(view.edits, 2):
        if _overlap(one, two):
            yield _collision(view, one, two)


def _place(placed: PlacedEdit) -> Iterator[Problem]:
    anchor = placed.edit.anchor
    if anchor is None or placed.applied:
        return
    name = "old" if placed.edit.old is not None else "after"
    if placed.earlier:
        yield warning(
            anchor.place,
            "proposals.stale",
            f"The words of `{name}` in {placed.proposal} stood in the revision that the last pass"
            " read, and in this one they do not.",
            "Write the edit anew for this revision, or take the proposal back.",
        )
    elif placed.occurrences == 0:
        yield error(
            anchor.place,
            "proposals.edit-lost",
            f"The words of `{name}` in {placed.proposal} are not in the snapshot.",
            "Copy them from the snapshot character by character, line breaks included.",
        )
    elif placed.occurrences > 1:
        yield error(
            anchor.place,
            "proposals.edit-not-unique",
            f"The words of `{name}` in {placed.proposal} occur {placed.occurrences} times.",
            "Add words before or after until they occur once.",
        )
    if placed.edit.old is not None and placed.edit.old == placed.edit.new:
        yield warning(
            anchor.place,
            "proposals.edit-same",
            f"This edit of {placed.proposal} replaces words by themselves.",
            "Change `new`, or leave the edit out.",
        )


def _overlap(one: PlacedEdit, two: PlacedEdit) -> bool:
    if one.span is None or two.span is None:
        return False
    return one.span[0] < two.span[1] and two.span[0] < one.span[1]


def _collision(view: View, one: PlacedEdit, two: PlacedEdit) -> Problem:
    decisions = dict(view.decisions)
    accepted = all(
        name in decisions and decisions[name].decision in ("accept", "revise")
        for name in (one.proposal, two.proposal)
    )
    same = one.proposal == two.proposal
    report = error if same or accepted else info
    return report(
        two.edit.place,
        "proposals.edit-overlap",
        f"This edit of {two.proposal} overlaps one of {one.proposal}"
        f" on line {one.edit.place.line}.",
        "Cut the two apart, or put both changes into one edit."
        if same
        else "Only one of the two proposals can be accepted as they are.",
        one.edit.place,
    )
