"""Ids are well formed and used once.

An id is one of the letters C (claim), S (source), P (proposal), X (experiment), L (local check),
digits, and at most one small letter: `C12`, `S9a`. An id that is used twice points nowhere; an id
is never given to another thing later.

Rules: `claims.id-form`, `claims.id-unique`, `ledger.id-form`, `ledger.id-unique`,
`proposals.id-form`, `proposals.id-unique`, `experiments.id-form`, `experiments.id-unique`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.cites import is_id
from researchpack.problems import Problem, error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.places import Text
    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Problems with the ids of one pack."""
    pack = view.pack
    yield from _ids("claims", "Claim", "C", (claim.id for claim in pack.claims))
    yield from _ids("ledger", "Source", "S", (source.id for source in pack.sources))
    yield from _ids("proposals", "Proposal", "P", (entry.id for entry in pack.proposals))
    yield from _ids("experiments", "Experiment", "XL", (entry.id for entry in pack.experiments))


def _ids(area: str, thing: str, letters: str, ids: Iterable[Text]) -> Iterator[Problem]:
    first: dict[str, Text] = {}
    for found in ids:
        if not is_id(found, letters):
            yield error(
                found.place,
                f"{area}.id-form",
                f'{thing} id "{found}" is not {" or ".join(letters)}, digits and at most one'
                " small letter.",
                f"Write it like {letters[0]}12.",
            )
        known = first.setdefault(found, found)
        if known is not found:
            yield error(
                found.place,
                f"{area}.id-unique",
                f'{thing} id "{found}" is already used on line {known.place.line}.',
                "Rename one of the two, or merge them.",
                known.place,
            )
