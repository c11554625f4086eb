"""Every id that is named somewhere exists.

Claims, sources, experiments, checks and proposals refer to each other: in the cells of the claim
table, in `bears_on`, in the lists of a proposal, in the text of findings and context, and as the
target of a decision. An id that is in no file is an error; the nearest real one is offered.

Rule: `cite.unknown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.cites import find_cites
from researchpack.places import Lines, Place, Text
from researchpack.problems import Problem, did_you_mean, error
from researchpack.records import Quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.records import View

_FILES: Final = {
    "C": "claims.md",
    "S": "sources.yaml",
    "P": "proposals.yaml",
    "X": "experiments.yaml",
    "L": "experiments.yaml",
}
"""Where the ids of each letter are given. What a broken file lacks may only be unread."""


def check(view: View) -> Iterator[Problem]:
    """References of one pack that point at nothing."""
    pack = view.pack
    known = [
        *(str(claim.id) for claim in pack.claims),
        *(str(source.id) for source in pack.sources),
        *(str(proposal.id) for proposal in pack.proposals),
        *(str(experiment.id) for experiment in pack.experiments),
    ]
    real = set(known)
    unread = {letter for letter, name in _FILES.items() if pack.is_broken(name)}
    for named in [*_lists(view), *_texts(view)]:
        if named not in real and named[:1] not in unread:
            same_kind = [name for name in known if name[0] == named[:1]]
            yield error(
                named.place,
                "cite.unknown",
                f'"{named}" is named here and is in no file of the pack.',
                did_you_mean(named, same_kind or known)
                if len(same_kind) < 12 or same_kind == []
                else f"The ids of this kind run from {same_kind[0]} to {same_kind[-1]}.",
            )


def _lists(view: View) -> Iterable[Text]:
    pack = view.pack
    for claim in pack.claims:
        yield from (entry for entry in claim.conflicts if not isinstance(entry, Quote))
    for entries in (pack.sources, pack.experiments):
        yield from (bearing.claim for entry in entries for bearing in entry.bears_on)
    for proposal in pack.proposals:
        yield from (*proposal.claims, *proposal.sources, *proposal.depends_on)
    yield from (decision.target for decision in pack.decisions)


def _texts(view: View) -> Iterable[Text]:
    pack = view.pack
    for claim in pack.claims:
        yield from cited(claim.evidence)
        yield from cited(claim.concern)
    for section in (*pack.context, *pack.findings):
        yield from cited(section.body)
    for proposal in pack.proposals:
        for words in (proposal.rationale, proposal.tradeoffs, proposal.reason_no_text):
            yield from cited(words)
    for experiment in pack.experiments:
        for words in (experiment.question, experiment.method):
            yield from cited(words)


def cited(words: Text | None) -> Iterable[Text]:
    """The ids that a text cites, each at its own place where the text is one block of lines."""
    if words is None:
        return
    lines = Lines(words, words.place.path)
    for cite in find_cites(words):
        at = lines.place(cite.start)
        column = at.column + (words.place.column - 1 if at.line == 1 else 0)
        yield Text(cite.id, Place(at.path, words.place.line + at.line - 1, column))
