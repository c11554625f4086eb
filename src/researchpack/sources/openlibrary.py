"""Open Library: one ISBN -> `GET /api/books?bibkeys=ISBN:{isbn}`.

An unknown ISBN is an empty map with status 200. Authors and publishers are maps in one form of the
answer and strings in the other; dates are free text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from researchpack.records import Name
from researchpack.sources._shared import (
    Broken,
    Json,
    Request,
    Unknown,
    iso_date,
    maps,
    plain,
    plain_text,
    read_json,
    record,
    text,
    texts,
    unique,
)

if TYPE_CHECKING:
    from researchpack.sources._shared import Answer, Reading

NAME: Final = "openlibrary"
TITLE: Final = "Open Library"
BASE: Final = "https://openlibrary.org"

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)


def request(identifier: str, base: str = BASE) -> Request:
    """What is asked about an ISBN."""
    url = f"{base}/api/books?bibkeys=ISBN:{identifier}&format=json&jscmd=data"
    return Request(url=url, accept="application/json")


def parse(answer: Answer) -> Reading:
    """The record of a book."""
    if answer.status == 404:
        return Unknown()
    value = read_json(answer)
    if isinstance(value, Broken):
        return value
    if not isinstance(value, dict):
        return Broken(reason="the answer holds no book")
    if not value:
        return Unknown()
    book = _book(value, answer.id)
    if book is None:
        return Broken(reason="the answer holds no book")
    day = free_date(text(book.get("publish_date")) or "")
    return record(
        answer,
        NAME,
        type="book",
        title=plain_text(book.get("title")),
        subtitle=plain_text(book.get("subtitle")),
        authors=_authors(book),
        years=(("issued", day),) if day else (),
        publisher=next(iter(_names(book.get("publishers"))), None),
        isbn=_isbns(book),
        url=_address(book),
    )


def _book(value: Json, isbn: str) -> Json | None:
    """Under the key that was asked for, whatever its form; or the answer itself is the book."""
    if "title" in value and ("publishers" in value or "key" in value):
        return value
    books = {str(key).rpartition(":")[2].replace("-", ""): one for key, one in value.items()}
    found = books.get(isbn) or (next(iter(books.values())) if len(books) == 1 else None)
    return found if isinstance(found, dict) else None


def _authors(book: Json) -> tuple[Name, ...]:
    """Names as they stand. A key without a name (`/authors/OL1A`) names nobody, and the free text
    of `by_statement` mixes authors with whoever drew, translated and introduced."""
    return tuple(_person(one) for one in _names(book.get("authors")))


def _person(words: str) -> Name:
    if "," in words:
        family, _, given = words.partition(",")
        return Name(family=family.strip(), given=given.strip())
    given, _, family = words.rpartition(" ")
    return Name(family=family, given=given)


def _names(value: Any) -> list[str]:
    found = [plain(one) for one in texts(value)]
    found += [plain_text(one.get("name")) or "" for one in maps(value)]
    return [one for one in found if one]


def _isbns(book: Json) -> tuple[str, ...]:
    numbers = book.get("identifiers")
    numbers = numbers if isinstance(numbers, dict) else book
    found = [*texts(numbers.get("isbn_13")), *texts(numbers.get("isbn_10"))]
    return unique([one.replace("-", "").strip().upper() for one in found])


def _address(book: Json) -> str | None:
    found = text(book.get("url"))
    key = text(book.get("key"))
    return found or (f"{BASE}{key}" if key else None)


def free_date(words: str) -> str | None:
    """`March 2016`, `12 Mar. 2016`, `March 5, 2016`, `c2016` -> ISO; None without a year.

    A date whose day and month could be told either way keeps only the year.
    """
    iso = re.search(r"\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b", words)
    if iso is not None:
        return iso_date([part for part in iso.groups() if part])
    years = re.findall(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)", words)
    if not years:
        return None
    rest = words.lower().replace(years[-1], " ", 1)
    months = [
        _MONTHS.index(word[:3]) + 1 for word in re.findall(r"[a-z]+", rest) if word[:3] in _MONTHS
    ]
    days = re.findall(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", rest)
    if len(months) != 1:
        return iso_date([years[-1]])
    return iso_date([years[-1], str(months[0]), *days[:1]])
