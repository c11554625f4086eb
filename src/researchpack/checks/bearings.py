"""A claim cites exactly the sources and checks that say they bear on it.

What evidence there is for a pair of claim and source stands once, in `bears_on.because`. A
citation in the column `Current evidence` without its `bears_on` shows no evidence; a `bears_on`
that the claim does not cite is overlooked by whoever reads the table. The same holds for checks.

Rules: `cite.no-bearing`, `cite.not-cited`, `ledger.because`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.checks.references import cited
from researchpack.problems import Problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Experiment, Source, View


def check(view: View) -> Iterator[Problem]:
    """Pairs of one pack that stand on one side only."""
    pack = view.pack
    entries: tuple[Source | Experiment, ...] = (*pack.sources, *pack.experiments)
    real = {str(entry.id) for entry in entries}
    bearing = {(str(b.claim), str(entry.id)) for entry in entries for b in entry.bears_on}
    cites = {
        (str(claim.id), str(name)): name
        for claim in pack.claims
        for name in cited(claim.evidence)
        if name[0] in "SLX"
    }
    for (claim_id, name), place in cites.items():
        if name in real and (claim_id, name) not in bearing:
            yield warning(
                place.place,
                "cite.no-bearing",
                f"Claim {claim_id} cites {name}, and {name} does not say how it bears on it.",
                f"Add an entry to `bears_on` of {name} with relation and because.",
            )
    claims = {str(claim.id) for claim in pack.claims}
    for entry in entries:
        for found in entry.bears_on:
            if found.claim in claims and (str(found.claim), str(entry.id)) not in cites:
                yield warning(
                    found.claim.place,
                    "cite.not-cited",
                    f"{entry.id} bears on claim {found.claim}, which does not cite it.",
                    f"Add [{entry.id}] to the column `Current evidence` of {found.claim}.",
                )
            if found.because is None:
                yield warning(
                    found.claim.place,
                    "ledger.because",
                    f"{entry.id} does not say why it {found.relation} {found.claim}.",
                    "Add `because: …`: what it says about exactly this claim.",
                )
