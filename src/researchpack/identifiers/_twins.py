"""When two identifiers are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.identifiers._arxiv import read_arxiv
from researchpack.identifiers._url import address_key
from researchpack.places import Place, Text

if TYPE_CHECKING:
    from researchpack.records import Identifier

_ARXIV_DOI: Final = "10.48550/arxiv."


def canonical(identifier: Identifier) -> str:
    """`scheme:value`, the same for all names of one work that can be told from their form.

    The DOI that DataCite gives to an arXiv work is the arXiv number; versions play no part.
    """
    if identifier.scheme == "doi" and identifier.value.startswith(_ARXIV_DOI):
        number = Text(identifier.value.removeprefix(_ARXIV_DOI), Place(""))
        found = read_arxiv(number).identifiers
        if found:
            return f"arxiv:{found[0].value}"
    if identifier.scheme == "url":
        return f"url:{address_key(identifier.value)}"
    return f"{identifier.scheme}:{identifier.value}"


def same(a: Identifier, b: Identifier) -> bool:
    """Whether two identifiers name one work, as far as their form tells."""
    return canonical(a) == canonical(b)
