"""Field by field: what an author says about a work against what registries said.

A field is confirmed, contradicted, or neither: could not look never counts as agrees. Equality
after normalising decides, not likeness, because the identifier says which record is meant.
"""

from __future__ import annotations

from researchpack.compare._markup import clean_title, has_entities, has_markup, strip_markup
from researchpack.compare._names import shown_name
from researchpack.compare._titles import mark_of
from researchpack.compare._works import (
    NO_IDENTIFIER,
    NOT_ASKED,
    NOT_COVERED,
    OTHER_WORK,
    compare,
    from_shelf,
    is_covered,
    records_of,
    shelve,
)

__all__ = [
    "NOT_ASKED",
    "NOT_COVERED",
    "NO_IDENTIFIER",
    "OTHER_WORK",
    "clean_title",
    "compare",
    "from_shelf",
    "has_entities",
    "has_markup",
    "is_covered",
    "mark_of",
    "records_of",
    "shelve",
    "shown_name",
    "strip_markup",
]
