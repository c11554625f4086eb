"""Accepted proposals as one unified diff that `git apply` takes.

A proposal goes in whole or not at all. Edits stand at exact places of the unchanged text; two that
overlap, and a proposal that needs one which was not accepted, are refused with both named.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from researchpack.prose import find_all, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.prose import Span
    from researchpack.records import Edit, View

_MARKUP: Final = frozenset("*_`[]<>|")
"""Characters that say that a passage of a Markdown file is more than its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One edit at its place."""

    proposal: str
    span: Span
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The edits of the accepted and revised proposals, and why others cannot go in."""

    edits: tuple[tuple[str, Edit], ...]
    """Proposal and edit, in file order."""
    refusals: tuple[str, ...]
    """Whole sentences."""


def chosen(view: View) -> Chosen:
    """What was accepted or revised; a revised proposal gives the author's own edits."""
    decisions = dict(view.decisions)
    taken = {
        name
        for name, decision in decisions.items()
        if decision.decision in ("accept", "revise") and name.startswith("P")
    }
    edits: list[tuple[str, Edit]] = []
    refusals: list[str] = []
    for proposal in view.pack.proposals:
        if proposal.id not in taken:
            continue
        needs = [name for name in proposal.depends_on if name not in taken]
        if needs:
            refusals.append(f"{proposal.id} needs {', '.join(needs)}, which is not accepted.")
        decision = decisions[proposal.id]
        own = decision.edits if decision.decision == "revise" else proposal.edits
        if not own:
            refusals.append(f"{proposal.id} is accepted and has no text yet.")
        edits += [(str(proposal.id), edit) for edit in own]
    return Chosen(edits=tuple(edits), refusals=tuple(refusals))


def place_all(
    text: str, edits: Iterable[tuple[str, Edit]], *, loosely: bool = False
) -> tuple[list[Change], list[str]]:
    """The edits at their places in `text`, and sentences about those that have none.

    `loosely`: `text` is the chapter's Markdown file, where the same words may stand in other
    marks; a passage with markup inside is not touched, for its markup would be lost.
    """
    placed: list[Change] = []
    faults: list[str] = []
    for proposal, edit in edits:
        words = str(edit.anchor)
        spans = [(at, at + len(words)) for at in find_all(text, words)]
        if not spans and loosely:
            spans = _loosely(text, words)
        if len(spans) != 1:
            where = "stand nowhere" if not spans else f"stand {len(spans)} times"
            faults.append(f"{proposal}: its words {where} there: {_short(words)}")
            continue
        start, end = spans[0]
        at = (start, end) if edit.old is not None else (end, end)
        placed.append(Change(proposal=proposal, span=at, new=str(edit.new)))
    return placed, [*faults, *_overlaps(placed)]


def _loosely(text: str, words: str) -> list[Span]:
    spans = normalise(text).find_all(normalise(words).text)
    return [(a, b) for a, b in spans if not _MARKUP & (set(text[a:b]) - set(words))]


def _overlaps(placed: list[Change]) -> Iterator[str]:
    for one, two in pairwise(sorted(placed, key=lambda change: change.span)):
        if two.span[0] < one.span[1]:
            yield f"{one.proposal} and {two.proposal} change the same words; accept one of them."


def apply(text: str, changes: Iterable[Change]) -> str:
    """The text with all changes made; two inserts at one place keep their order."""
    out, at = [], 0
    for change in sorted(changes, key=lambda c: c.span):
        start, end = change.span
        out += [text[at:start], change.new]
        at = end
    return "".join([*out, text[at:]])


def unified(old: str, new: str, path: str) -> str:
    """The difference for `git apply`; empty when there is none. `path` has forward slashes."""
    lines = unified_diff(_lines(old), _lines(new), fromfile=f"a/{path}", tofile=f"b/{path}", n=3)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    """Lines as git counts them: only LF ends one."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return f'"{plain if len(plain) <= 70 else plain[:69].rsplit(" ", 1)[0] + " …"}"'
