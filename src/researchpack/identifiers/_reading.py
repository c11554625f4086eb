"""One field, by its scheme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.identifiers._arxiv import read_arxiv
from researchpack.identifiers._doi import read_doi
from researchpack.identifiers._isbn import read_isbn
from researchpack.identifiers._pmid import read_pmid
from researchpack.identifiers._shared import Reading
from researchpack.identifiers._url import read_url
from researchpack.problems import Level

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.places import Text
    from researchpack.records import Identifier

__all__ = ["BadIdentifier", "Reading", "identify", "read"]

_READERS: Final[dict[str, Callable[[Text], Reading]]] = {
    "doi": read_doi,
    "arxiv": read_arxiv,
    "isbn": read_isbn,
    "pmid": read_pmid,
    "url": read_url,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BadIdentifier:
    """Something that is no identifier of its scheme."""

    reason: str
    """A whole sentence."""
    clean: str | None
    """What was probably meant; None when nothing can be said."""
    rule: str


def read(scheme: str, written: Text) -> Reading:
    """Everything that a field of `scheme` (doi, arxiv, isbn, pmid, url) says."""
    return _READERS[scheme](written)


def identify(scheme: str, written: Text) -> Identifier | BadIdentifier:
    """The first identifier of the field, however it is wrapped, or why there is none."""
    reading = read(scheme, written)
    if reading.identifiers:
        return reading.identifiers[0]
    worst = next((p for p in reading.problems if p.level is Level.ERROR), reading.problems[0])
    return BadIdentifier(reason=worst.what, clean=reading.clean, rule=worst.rule)
