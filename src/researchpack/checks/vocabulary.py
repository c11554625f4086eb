"""Values come from the project's vocabulary.

The lists are open: an unknown value passes through as it is written, with a warning that offers
the nearest known one. `research/vocabulary.yaml` adds values and changes labels. An empty cell of
a claim's priority, response or verdict is reported too, for it counts as nothing.

Rules: `vocabulary.unknown`, `claims.empty-cell`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.problems import Problem, did_you_mean, warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.places import Text
    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Unknown values of one pack."""
    for name, value in [*_claims(view), *_ledger(view), *_others(view)]:
        known = view.vocabulary.known(name)
        if value is not None and value and value not in known:
            yield warning(
                value.place,
                "vocabulary.unknown",
                f'"{value}" is not in the list "{name}" of the vocabulary.',
                f"{did_you_mean(value, known)} Or add it to research/vocabulary.yaml.",
            )
    yield from _empty(view)


def _claims(view: View) -> Iterable[tuple[str, Text | None]]:
    for claim in view.pack.claims:
        yield "priority", claim.priority
        yield "response", claim.response
        yield "verdict", claim.verdict
        yield from (("kind", kind) for kind in claim.kinds)
        yield from (("class", entry) for entry in claim.classes)


def _ledger(view: View) -> Iterable[tuple[str, Text | None]]:
    for source in view.pack.sources:
        yield "source_type", source.type
        yield "reading_status", source.reading_status
        yield from (("relation", bearing.relation) for bearing in source.bears_on)


def _others(view: View) -> Iterable[tuple[str, Text | None]]:
    pack = view.pack
    for experiment in pack.experiments:
        yield from (("check_relation", bearing.relation) for bearing in experiment.bears_on)
    for proposal in pack.proposals:
        yield "proposal_kind", proposal.kind
        yield "decision", proposal.recommend.decision if proposal.recommend else None
    for decision in pack.decisions:
        about = "finding_decision" if decision.target.startswith("C") else "decision"
        yield about, decision.decision
    yield from (("verbatim_kind", block.kind) for block in pack.file.layout.verbatim)
    for entry in pack.file.passes:
        kind = entry.researcher.kind
        yield "researcher_kind", None if kind == "UNVERIFIED" else kind


def _empty(view: View) -> Iterator[Problem]:
    for claim in view.pack.claims:
        for name, cell in (("Priority", claim.priority), ("Response", claim.response)):
            if not cell:
                yield warning(
                    cell.place,
                    "claims.empty-cell",
                    f'Claim "{claim.id}" has nothing in the column "{name}".',
                    "Fill it in; an empty cell counts as nothing, not as the mildest value.",
                )
