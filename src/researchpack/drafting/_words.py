"""What the sections of a report share: their words without residue, and relations by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import plain
from researchpack.formats.claims import unquote
from researchpack.formats.vocabulary import DEFAULT

if TYPE_CHECKING:
    from researchpack.entries import Data
    from researchpack.formats.report import Bears

RESIDUE: Final = re.compile(
    r":?contentReference\[[^\]]*\](?:\{[^}]*\})?|\[cite_start\]|\[cite:[^\]]*\]|\[cite_end\]"
    r"|【[^】]{0,80}†[^】]{0,200}】|\[oai_citation[^\]]*\](?:\([^)\s]*\))?|citeturn\d+\w+"
    r"|[\ue000-\uf8ff](?:cite|filecite|navlist)?[\ue000-\uf8ff]?(?:turn\d+\w+\d+[\ue000-\uf8ff]?)*"
    r"|\[\d+:\d+†[^\]]*\]"
)
"""Marks that an assistant leaves where a citation should stand; nobody else can resolve them."""
TRACKING: Final = re.compile(r"(?:(?<=\?)|&)(?:utm_\w+|gclid|fbclid|mc_eid|srsltid)=[^&#\s)|>]*")
"""Parameters of an address that say where a reader came from."""
_RELATIONS: Final = (
    (r"not\s+support|contradict|refut|disprov|disagree|against", "contradicts"),
    (r"supersede|replace|outdat|overtak", "supersedes"),
    (r"empirical", "empirical_evidence"),
    (r"support|confirm|corroborat|agrees?\b|back(?:s|ed)\b", "supports"),
    (r"extend", "extends"),
    (r"qualif|narrow|weaken", "qualifies"),
    (r"limit|caveat", "limitation"),
    (r"alternative", "alternative"),
    (r"background|context", "background"),
    (r"method", "method"),
    (r"silent|does not (?:say|mention)|says nothing|no mention", "silent"),
    (r"inconsisten", "inconsistent"),
    (r"uncertain|unclear|unknown|unresolved", "uncertain"),
)
_KNOWN_RELATIONS: Final = {*DEFAULT.known("relation"), *DEFAULT.known("check_relation")}


def clean(text: str) -> str:
    """The text without marks of citations that were not resolved, and without tracking."""
    return TRACKING.sub("", RESIDUE.sub("", text))


def bearing(b: Bears) -> Data:
    """What an entry says about one claim."""
    return {
        "claim": b.claim,
        "relation": relation_of(b.relation) or "uncertain",
        "because": clean(b.because) if b.because else None,
        "quote": unquote(b.quote) or b.quote if b.quote else None,
        "locator": b.locator,
    }


def relation_of(words: str) -> str | None:
    """The relation that words name; None when they name none."""
    bare = "_".join(plain(words).lower().split())
    if bare in _KNOWN_RELATIONS:
        return bare
    told = plain(words).lower()
    return next((name for pattern, name in _RELATIONS if re.search(pattern, told)), None)
