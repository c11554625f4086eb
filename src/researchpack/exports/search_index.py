"""What the search page looks through: one small JSON file a book, loaded when somebody searches.

A record says in which pack it is and what it is, so that a hit lands on the claim or the source
itself and not on a page of a hundred of them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from researchpack.measures import find_refs, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.records import View

Record = dict[str, Any]


def search_index(views: Iterable[View]) -> bytes:
    """The records of one book as a JSON list, UTF-8."""
    records = [record for view in views for record in _records(view)]
    return json.dumps(records, ensure_ascii=False, separators=(",", ":")).encode()


def _records(view: View) -> Iterator[Record]:
    """`p` pack, `c` its title, `k` kind, `i` id, `v` verdict, `t` what is shown, `x` what is found
    besides."""
    pack = view.pack
    base = {"p": pack.name, "c": str(pack.file.title or pack.name)}
    for found in view.claims:
        claim = found.claim
        words = str(claim.quote.text if claim.quote else claim.cell)
        because = " ".join(str(b.because or "") for _, b in (*found.evidence, *found.checks))
        yield {
            **base,
            "k": "claim",
            "i": str(claim.id),
            "v": found.stated,
            "t": words,
            "x": _filled(f"{claim.concern} {claim.evidence} {because}".strip(), view),
        }
    for source in pack.sources:
        people = ", ".join([*source.authors, *source.editors])
        yield {
            **base,
            "k": "source",
            "i": str(source.id),
            "t": str(source.title or source.id),
            "x": f"{people} {source.container or ''} {source.url or ''}".strip(),
        }
    for proposal in pack.proposals:
        yield {
            **base,
            "k": "proposal",
            "i": str(proposal.id),
            "t": str(proposal.title or proposal.id),
            "x": " ".join(str(edit.new) for edit in proposal.edits),
        }


def _filled(words: str, view: View) -> str:
    """Words with the measured values that they refer to: a reader looks for the number."""
    for ref in reversed(list(find_refs(words))):
        experiment = view.experiment(ref.id)
        found = experiment.measured(ref.path) if experiment is not None else None
        if found is not None:
            words = words[: ref.start] + told(found.value) + words[ref.end :]
    return words
