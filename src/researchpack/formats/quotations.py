"""A list of quotes that stands alone -> `Source` records, one a source, with what is quoted.

The file is a map with the one key `claims`; an entry has `id`, `source`, `quote`, and perhaps
`text` (the claim) and `reviewed_by`. The words of a source are looked for in a file beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.formats._shared import Parsed, read_list
from researchpack.places import Text
from researchpack.records import Bearing, Source

if TYPE_CHECKING:
    from researchpack.formats._shared import Fields

KEYS: Final = ("id", "text", "source", "quote", "locator", "reviewed_by", "date")


def read_quotations(text: str, path: str) -> Parsed[tuple[Source, ...]]:
    """The sources in the order in which they are first named."""
    entries, notes = read_list(text, path, KEYS, under="claims")
    quoted: dict[str, list[Bearing]] = {}
    named: dict[str, tuple[Text, Fields]] = {}
    for entry in entries:
        claim, source = entry.required("id", "A claim"), entry.required("source", "A claim")
        quote = entry.required("quote", "A claim")
        if claim is None or source is None or quote is None:
            continue
        named.setdefault(str(source), (source, entry))
        quoted.setdefault(str(source), []).append(
            Bearing(
                claim=claim,
                relation=Text("uncertain", claim.place),
                because=entry.text("reviewed_by"),
                quote=quote,
                locator=entry.text("locator"),
            )
        )
    return notes.parsed(
        tuple(
            Source(id=source, bears_on=tuple(quoted[key]), place=entry.place)
            for key, (source, entry) in named.items()
        )
    )
