"""The metadata services, one a file: `request` says what is asked, `parse` what an answer means.

Both are pure. `parse` ends in a record, in `Unknown` (the service does not know the identifier) or
in `Broken` (what came back says nothing about the work); it never raises for what came back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.sources import arxiv, crossref, datacite, doi, openlibrary, page, wayback
from researchpack.sources._shared import Answer, Broken, Reading, Request, Unknown

if TYPE_CHECKING:
    from types import ModuleType

SOURCES: Final[tuple[ModuleType, ...]] = (
    crossref,
    datacite,
    arxiv,
    openlibrary,
    doi,
    page,
    wayback,
)
"""Each has NAME, TITLE (as people call it), BASE (where it is), `request` and `parse`."""

__all__ = ["SOURCES", "Answer", "Broken", "Reading", "Request", "Unknown"]
