"""Accepted proposals as one unified diff that `git apply` takes.

A proposal goes in whole or not at all. Edits stand at exact places of the unchanged text; two that
overlap, and a proposal that needs one which was not accepted, are refused with both named.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Final

from researchpack.prose import find_all, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.prose import Span
    from researchpack.records import Edit, View

_MARKUP: Final = frozenset("*_`[]<>|\\&")
"""Characters that say that a passage of a Markdown file is more than its words."""
_LINK: Final = re.compile(r"!?\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_BULLET: Final = re.compile(r"^• ", re.MULTILINE)
_SINGLE: Final = re.compile(r"(?<!\n)\n(?!\n)")
"""A line break that ends a paragraph of the snapshot, and no more than a space in Markdown."""
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_ITEM: Final = re.compile(r"[ \t]*([-*+])[ \t]")


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
    textless: tuple[str, ...] = ()
    """Accepted proposals that have no text yet; they hinder nobody."""


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
    textless: list[str] = []
    for proposal in view.pack.proposals:
        if proposal.id not in taken:
            continue
        needs = [name for name in proposal.depends_on if name not in taken]
        if needs:
            refusals.append(f"{proposal.id} needs {', '.join(needs)}, which is not accepted.")
        decision = decisions[proposal.id]
        own = decision.edits if decision.decision == "revise" else proposal.edits
        if not own:
            textless.append(str(proposal.id))
        edits += [(str(proposal.id), edit) for edit in own]
    return Chosen(edits=tuple(edits), refusals=tuple(refusals), textless=tuple(textless))


def place_all(text: str, edits: Iterable[tuple[str, Edit]]) -> tuple[list[Change], list[str]]:
    """The edits at their exact places in `text`, and sentences about those that have none."""
    placed: list[Change] = []
    faults: list[str] = []
    for proposal, edit in edits:
        words = str(edit.anchor)
        found = list(find_all(text, words))
        if len(found) == 1:
            span = (found[0], found[0] + len(words))
            placed.append(_change(proposal, edit, span, str(edit.new)))
        else:
            faults.append(f"{proposal}: its words {_times(len(found))} there: {_short(words)}")
    return placed, [*faults, *overlaps(placed)]


def map_all(
    snapshot: str, text: str, edits: Iterable[tuple[str, Edit]]
) -> tuple[list[Change], list[str]]:
    """The edits at their places in the chapter's Markdown file, where there is no doubt.

    The words may stand there in other marks and lines. They must stand as often as in the
    snapshot, so that it is known which place is meant, and without markup among them, which would
    be lost. Else a sentence says what stands in the way.
    """
    shown, source = normalise(snapshot), normalise(text)
    bare = normalise(_LINK.sub(r"\1", text))
    placed: list[Change] = []
    faults: list[str] = []
    for proposal, edit in edits:
        words = str(edit.anchor)
        needle = normalise(words).text
        here, there = shown.find_all(needle), source.find_all(needle)
        at = snapshot.find(words)
        # White space and marks at the ends of the words are no part of what the rule compares.
        nth = next((n for n, (_, end) in enumerate(here) if at < end), 0)
        why = None
        if len(here) != len(there) or nth >= len(there):
            why = (
                "stand there with a link among them"
                if not there and bare.find_all(needle)
                else f"{_times(len(there))} there and {_often(len(here))} in the snapshot"
            )
        else:
            span = _widened(text, there[nth], words)
            new, why = _dressed(text, span, edit)
            if why is None:
                placed.append(_change(proposal, edit, span, new))
        if why is not None:
            faults.append(f"{proposal}: its words {why}: {_short(words)}")
    return placed, [*faults, *overlaps(placed)]


def _widened(text: str, span: Span, words: str) -> Span:
    """The span with the list marker at its beginning, when the words of the snapshot have one."""
    start, end = span
    line = text.rfind("\n", 0, start) + 1
    if words.startswith("• ") and _ITEM.fullmatch(text[line:start]):
        start = line + len(text[line:start]) - len(text[line:start].lstrip())
    return start, end


def _dressed(text: str, span: Span, edit: Edit) -> tuple[str, str | None]:
    """The new words as they are written in this file, or why they cannot be."""
    start, end = span
    new = str(edit.new)
    extra = Counter(text[start:end]) - Counter(str(edit.anchor))
    behind = text[end : end + 1] if edit.old is None else ""
    item = _ITEM.match(text, text.rfind("\n", 0, start) + 1)
    if _MARKUP & (set(extra) | set(behind)) - ({item[1]} if item else set()):
        return "", "stand there with markup among them"
    is_code = len(_FENCE.findall(text, 0, start)) % 2 == 1  # there every line is what it is
    if not is_code and _BULLET.search(new):
        if item is None:
            return "", "stand there outside of a list, and the new words are items of one"
        new = _BULLET.sub(f"{item[1]} ", new)
    elif not is_code and _SINGLE.search(new):
        return "", "would stand there without their line breaks"
    if "\r\n" in text:
        new = new.replace("\r\n", "\n").replace("\n", "\r\n")
    return new, None


def _change(proposal: str, edit: Edit, span: Span, new: str) -> Change:
    at = span if edit.old is not None else (span[1], span[1])
    return Change(proposal=proposal, span=at, new=new)


def _times(number: int) -> str:
    return f"stand {_often(number)}" if number else "stand nowhere"


def _often(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def overlaps(placed: Iterable[Change]) -> Iterator[str]:
    """All pairs that change the same words, also where one lies inside of another one."""
    reach: Change | None = None
    for change in sorted(placed, key=lambda one: one.span):
        if reach is not None and change.span[0] < reach.span[1]:
            yield (
                f"{reach.proposal} changes the same words twice."
                if reach.proposal == change.proposal
                else f"{reach.proposal} and {change.proposal} change the same words; accept one of"
                " them."
            )
        if reach is None or change.span[1] > reach.span[1]:
            reach = change


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
