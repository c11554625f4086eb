"""Identifiers of works in whatever wrapping people write them: read, cleaned, compared.

`read` says everything about one field: the identifiers in it and what is wrong with the way they
are written. `identify` is the short form for one identifier, `find_identifiers` looks for all in a
running text. Nothing here asks a registry: a well-formed identifier may still not exist.
"""

from __future__ import annotations

from researchpack.identifiers._find import find_identifiers, of_address
from researchpack.identifiers._isbn import isbn10, isbn13, issn_problem
from researchpack.identifiers._reading import BadIdentifier, Reading, identify, read
from researchpack.identifiers._twins import canonical, same
from researchpack.identifiers._url import is_address, without_tracking

__all__ = [
    "BadIdentifier",
    "Reading",
    "canonical",
    "find_identifiers",
    "identify",
    "is_address",
    "isbn10",
    "isbn13",
    "issn_problem",
    "of_address",
    "read",
    "same",
    "without_tracking",
]
