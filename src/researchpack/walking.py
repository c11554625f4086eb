"""The story of `review walk`: one proposal after the other, decided in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from researchpack.gather import gather
from researchpack.places import Place, Text
from researchpack.records import Decision, Edit
from researchpack.reviewing import merge, state_of
from researchpack.views import view

if TYPE_CHECKING:
    from pathlib import Path

    from researchpack.records import PlacedEdit, Proposal, View

KEYS: Final = {"a": "accept", "r": "revise", "d": "defer", "j": "reject"}
_HERE: Final = Place("terminal")


def walk(root: Path, name: str, *, undecided: bool, by: str | None, today: str) -> None:
    """Show and ask until all proposals were seen or the person stops."""
    project = gather(root, [name])
    found = view(project.packs[0], project.vocabulary, today)
    decided = dict(found.decisions)
    left = [p for p in found.pack.proposals if not undecided or p.id not in decided]
    if not left:
        click.echo("Nothing is undecided." if undecided else "There is no proposal.")
        return
    for number, proposal in enumerate(left, 1):
        click.echo(f"\n{number} of {len(left)}")
        _show(found, proposal)
        before = decided.get(str(proposal.id))
        if before is not None:
            click.echo(f"Decided: {before.decision} by {before.by}, {before.date}")
        key = click.prompt(
            "[a]ccept [r]evise [d]efer re[j]ect [s]kip [q]uit",
            type=click.Choice([*KEYS, "s", "q"]),
            show_choices=False,
        )
        if key == "q":
            return
        if key == "s":
            continue
        edits = _revised(found, proposal) if key == "r" else ()
        if key == "r" and not edits:
            click.echo("Nothing was revised, so nothing is decided.")
            continue
        reason = click.prompt("Reason", default="", show_default=False)
        by = by or click.prompt("Your name or role")
        decision = Decision(
            target=_text(proposal.id),
            decision=_text(KEYS[key]),
            by=_text(by or ""),
            date=_text(today),
            reason=_text(reason) if reason else None,
            # What was shown is what is decided on, also when somebody saves a file meanwhile.
            of=_text(state_of(found, str(proposal.id)) or ""),
            edits=edits,
            place=_HERE,
        )
        merged = merge(root, name, [decision], today)
        told = [f"{target}: {KEYS[key]}, written." for target in merged.added]
        for line in (*told, *merged.refused, *merged.conflicts):
            click.echo(line)


def _show(found: View, proposal: Proposal) -> None:
    click.secho(f"{proposal.id} {proposal.title}", bold=True)
    click.echo(f"{proposal.kind}; answers {', '.join(proposal.claims) or 'no single claim'}")
    for placed in _edits(found, proposal):
        if placed.edit.old is not None:
            click.secho(_prefixed("- ", str(placed.edit.old)), fg="red")
        else:
            click.echo(_prefixed("  behind: ", str(placed.edit.after)))
        click.secho(_prefixed("+ ", str(placed.edit.new)), fg="green")
    if proposal.reason_no_text:
        click.echo(f"No text yet: {proposal.reason_no_text}")
    for words in (proposal.rationale, proposal.tradeoffs):
        if words:
            click.echo(click.wrap_text(str(words), 88))
    advice = proposal.recommend
    if advice is not None and advice.decision:
        click.echo(f"Advice: {advice.decision}. {advice.reason or ''}")


def _revised(found: View, proposal: Proposal) -> tuple[Edit, ...]:
    """The edits with the author's own wording, written in the editor."""
    edits = []
    for placed in _edits(found, proposal):
        words = click.edit(str(placed.edit.new), extension=".txt")
        new = str(placed.edit.new)
        if words is not None:
            # An editor puts a line end behind the last line, also where the proposal had none.
            new = words if new.endswith("\n") else words.removesuffix("\n")
        edits.append(
            Edit(old=placed.edit.old, after=placed.edit.after, new=_text(new), place=_HERE)
        )
    same = all(
        one.new == placed.edit.new
        for one, placed in zip(edits, _edits(found, proposal), strict=True)
    )
    return () if same else tuple(edits)


def _edits(found: View, proposal: Proposal) -> list[PlacedEdit]:
    return [placed for placed in found.edits if placed.proposal == proposal.id]


def _prefixed(mark: str, words: str) -> str:
    return "\n".join(f"{mark}{line}" for line in words.split("\n"))


def _text(words: str) -> Text:
    return Text(words, _HERE)
