"""Identifiers in an address, and in running text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.identifiers._arxiv import is_wrapped, read_arxiv
from researchpack.identifiers._doi import doi_of_address, read_doi
from researchpack.identifiers._isbn import read_isbn
from researchpack.identifiers._pmid import ADDRESS, read_pmid
from researchpack.identifiers._shared import Reading, tidy, unescaped, unwrapped, without_tail
from researchpack.identifiers._url import read_url
from researchpack.places import Place, Text
from researchpack.records import Identifier

if TYPE_CHECKING:
    from collections.abc import Iterator

_URL: Final = re.compile(r"(?:https?://|\bwww\.|\b(?:dx\.)?doi\.org/)[^\s<>\"“”{}|\\^`]+", re.I)
_DOI: Final = re.compile(r"(?<![\w./])10\.\d{4,9}(?:\.\d+)*/[^\s\"“”]+")
_ARXIV: Final = re.compile(
    r"\barxiv\s*:\s*([a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?|\d{4}\.\d{4,5}(?:v\d+)?)", re.IGNORECASE
)
_PMID: Final = re.compile(r"\bPMID\s*:?\s*(\d{1,8})\b", re.IGNORECASE)
_ISBN: Final = re.compile(r"\bISBN(?:[-\s]?1[03])?\s*:?\s*([\dXx][\dXx\s-]{8,20}[\dXx])", re.I)


def of_address(written: Text) -> Reading:
    """What a field for an address says: the DOI, arXiv or PubMed number behind it, or the page."""
    reading = read_url(written)
    address = unwrapped(tidy(unescaped(written)))
    found = _behind(address, written)
    if found is None or not reading.identifiers:
        return reading
    return Reading(identifiers=(found,), problems=reading.problems, clean=reading.clean)


def find_identifiers(text: str) -> tuple[Identifier, ...]:
    """All identifiers of a running text in the order in which they stand, each once.

    A text that is nothing but a number is read as what it looks like: arXiv, ISBN.
    """
    whole = _whole(_text(text, text))
    found = list(whole) or [identifier for _, identifier in sorted(_parts(text), key=_start)]
    return tuple({(one.scheme, one.value): one for one in found}.values())


def _start(pair: tuple[int, Identifier]) -> int:
    return pair[0]


def _whole(written: Text) -> tuple[Identifier, ...]:
    bare = written.strip()
    if re.search(r"\s", bare) and not re.match(r"isbn|[\d\s-]+$", bare, re.IGNORECASE):
        return ()
    if re.match(r"(?:https?://|10\.)", bare, re.IGNORECASE):
        return ()
    for reader in (read_arxiv, read_isbn):
        reading = reader(written)
        if reading.identifiers:
            return reading.identifiers[:1]
    return ()


def _parts(text: str) -> Iterator[tuple[int, Identifier]]:
    taken: list[tuple[int, int]] = []
    for match in _URL.finditer(text):
        taken.append(match.span())
        written = _text(text, without_tail(match.group()))
        yield from ((match.start(), one) for one in of_address(written).identifiers)
    for pattern, reader in (
        (_DOI, read_doi),
        (_ARXIV, read_arxiv),
        (_PMID, read_pmid),
        (_ISBN, read_isbn),
    ):
        for match in pattern.finditer(text):
            if any(start <= match.start() < end for start, end in taken):
                continue
            words = without_tail(match[match.lastindex or 0])
            yield from ((match.start(), one) for one in reader(_text(text, words)).identifiers[:1])


def _behind(address: str, written: Text) -> Identifier | None:
    doi = doi_of_address(address)
    if doi is not None:
        return Identifier(scheme="doi", value=doi, written=written)
    pubmed = ADDRESS.fullmatch(address)
    if pubmed is not None:
        return Identifier(scheme="pmid", value=pubmed[1].lstrip("0") or "0", written=written)
    if is_wrapped(address) and address.lower().startswith("http"):
        return next(iter(read_arxiv(Text(address, written.place)).identifiers), None)
    return None


def _text(source: str, words: str) -> Text:
    return Text(words, source.place if isinstance(source, Text) else Place(""))
