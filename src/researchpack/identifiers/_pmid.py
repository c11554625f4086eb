"""PubMed numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.identifiers._shared import Reading, tidy, unwrapped, without_tail
from researchpack.problems import error, warning
from researchpack.records import Identifier

if TYPE_CHECKING:
    from researchpack.places import Text

ADDRESS: Final = re.compile(
    r"(?:https?://)?(?:www\.|m\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/"
    r"(?:\?term=)?|pubmed\.gov/)(\d{1,8})/?(?:[?#].*)?",
    re.IGNORECASE,
)
_WRAPPED: Final = re.compile(r"(?:pmid|pubmed(?:\s*id)?)?\s*[:=#]?\s*(\d+)", re.IGNORECASE)


def read_pmid(written: Text) -> Reading:
    """What a field for a PubMed number says. A label and an address are fine."""
    core = without_tail(unwrapped(tidy(written)))
    match = ADDRESS.fullmatch(core) or _WRAPPED.fullmatch(core)
    if match is None or len(match[1].lstrip("0")) not in range(1, 9):
        fix = "A PubMed number has one to eight digits."
        if re.fullmatch(r"pmc\s*\d+(?:\.\d+)?", core, re.IGNORECASE):
            fix = "It is a number of PubMed Central, another archive: put its address into `url`."
        what = f'"{written}" is not a PubMed number.'
        return Reading(problems=(error(written.place, "id.pmid", what, fix),))
    value = match[1].lstrip("0")
    found = Identifier(scheme="pmid", value=value, written=written)
    if value == match[1]:
        return Reading(identifiers=(found,))
    what = f'"{written}" begins with zeros, which PubMed numbers do not.'
    remark = warning(written.place, "id.pmid", what, f"Write `{value}`.")
    return Reading(identifiers=(found,), problems=(remark,), clean=value)
