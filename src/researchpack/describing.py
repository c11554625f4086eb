"""A registry's record -> what a new entry says: one of a ledger, or one of a `.bib` file.

Only the fields of the work come from the record. That somebody has read it, opened it or checked
it is nothing that a registry knows, so no entry says so. Addresses are made from the identifier
that was asked for, never taken from an answer.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from researchpack.compare import shown_name
from researchpack.dates import parse_date
from researchpack.exact import CannotWrite, clean
from researchpack.formats.names import is_body, ledger_name, shown
from researchpack.identifiers import canonical, of_address
from researchpack.places import Place, Text
from researchpack.records import Name

if TYPE_CHECKING:
    from collections.abc import Collection

    from researchpack.records import Identifier, RegistryRecord

NOT_READ: Final = {"reading_status": "metadata_only", "read": "not read yet"}
"""What is true of every new entry, and stays so until a person says otherwise."""

_TYPES: Final = {
    "article-journal": ("article", "article"),
    "article": ("preprint", "misc"),
    "book": ("book", "book"),
    "chapter": ("chapter", "incollection"),
    "entry": ("chapter", "incollection"),
    "paper-conference": ("proceedings", "inproceedings"),
    "report": ("report", "techreport"),
    "webpage": ("web page", "misc"),
    "post-weblog": ("web page", "misc"),
    "software": ("software", "misc"),
    "dataset": ("dataset", "misc"),
    "motion_picture": ("video", "misc"),
}
"""CSL type -> type in a ledger, type of a .bib entry. Others have no word in a ledger."""
_BEST: Final = ("print", "issue", "issued", "posted", "submitted", "online")
"""The kinds of date by which a work is usually cited, the first one first."""
_CONTAINER: Final = {
    "article": "journal",
    "incollection": "booktitle",
    "inproceedings": "booktitle",
    "misc": "howpublished",
}
_PUBLISHER: Final = {"techreport": "institution"}
_SMALL: Final = frozenset(
    re.split(
        " ",
        "a an the on of in for to and from with is are at der die das ein eine le la les un une el"
        " los il",
    )
)
_PLAIN_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def source_data(
    record: RegistryRecord, identifier: Identifier, source_id: str, key: str | None = None
) -> dict[str, Any]:
    """The entry of a ledger; `key` is that of its entry in the bibliography, if there is one.

    Raises `CannotWrite` when the record has no title, or holds what no text has.
    """
    kind = _TYPES.get(record.type or "", ("", ""))[0]
    written = {
        "id": source_id,
        "type": kind,
        "title": _title(record),
        "authors": [_written(one) for one in _people(record, "authors")],
        "editors": [_written(one) for one in _people(record, "editors")],
        "issued": _issued(record),
        "container": _container(record),
        **{name: _line(record, name) for name in ("publisher", "volume", "issue", "pages")},
        identifier.scheme: _identifier(identifier),
        "url": address(identifier),
        "bib": key,
        **NOT_READ,
    }
    return {name: value for name, value in written.items() if value}


def bib_fields(
    record: RegistryRecord, identifier: Identifier
) -> tuple[str, list[tuple[str, str | tuple[Name, ...]]]]:
    """Type and fields of the entry of a .bib file. Raises `CannotWrite` as `source_data` does."""
    kind = _TYPES.get(record.type or "", ("", "misc"))[1]
    numbers = {"volume": "volume", "issue": "number", "pages": "pages"}
    written: list[tuple[str, str | tuple[Name, ...] | None]] = [
        ("author", _people(record, "authors")),
        ("editor", _people(record, "editors")),
        ("title", _title(record)),
        (_CONTAINER.get(kind, "series"), _container(record)),
        *((name, _line(record, field)) for field, name in numbers.items()),
        ("year", (_issued(record) or "")[:4]),
        (_PUBLISHER.get(kind, "publisher"), _line(record, "publisher")),
        *_numbered(identifier),
    ]
    return kind, [(name, value) for name, value in written if value]


def bib_key(record: RegistryRecord, taken: Collection[str]) -> str:
    """Family name, year and first telling word, such as `glover1990tabu`; none of `taken`,
    whatever its case."""
    people = _people(record, "authors") or _people(record, "editors")
    family = (people[0].family or people[0].literal.split(" ")[0]) if people else ""
    words = [_ascii(word) for word in re.findall(r"[^\W_]+", record.title or "")]
    telling = [word for word in words if word and word not in _SMALL] or ["work"]
    key = f"{_ascii(family) or 'anon'}{(_issued(record) or '')[:4]}{telling[0]}"[:60]
    known = {one.lower() for one in taken}
    found, number = key, 1
    while found in known:
        number += 1
        found = f"{key}-{number}"
    return found


def address(identifier: Identifier) -> str | None:
    """Where a reader finds what the identifier names; None for a book and a PubMed number."""
    value = _identifier(identifier)
    made = {
        "doi": f"https://doi.org/{quote(value, safe='/:;().,_-')}",
        "arxiv": f"https://arxiv.org/abs/{value}",
        "url": value,
    }.get(identifier.scheme)
    if made is None:
        return None
    back = of_address(Text(made, Place(""))).identifiers
    return made if back and canonical(back[0]) == canonical(identifier) else None


def _identifier(identifier: Identifier) -> str:
    version = f"v{identifier.version}" if identifier.version is not None else ""
    return f"{clean(identifier.value, 'identifier')}{version}"


def _numbered(identifier: Identifier) -> list[tuple[str, str]]:
    value = _identifier(identifier)
    if identifier.scheme == "arxiv":
        return [("eprint", value), ("archiveprefix", "arXiv")]
    return [(identifier.scheme, value)]


def _title(record: RegistryRecord) -> str:
    """With its subtitle, which BibTeX has no field for."""
    title, subtitle = _line(record, "title"), _line(record, "subtitle")
    if not title:
        raise CannotWrite("The record has no title, so there is nothing to make an entry of.")
    glue = " " if title.endswith((":", "?", "!", ".")) else ": "
    return f"{title}{glue}{subtitle}" if subtitle else title


def _line(record: RegistryRecord, name: str) -> str | None:
    value: str | None = getattr(record, name)
    return clean(value, name) or None if value is not None else None


def _container(record: RegistryRecord) -> str | None:
    return clean(record.containers[0], "container") or None if record.containers else None


def _issued(record: RegistryRecord) -> str | None:
    days = {kind: day for kind, day in reversed(record.years) if parse_date(day) is not None}
    return next((days[kind] for kind in (*_BEST, *days) if kind in days), None)


def _people(record: RegistryRecord, field: str) -> tuple[Name, ...]:
    """Those that have a name. A page gives persons as one string, which is taken apart."""
    found = []
    for one in getattr(record, field):
        name = Name(
            **{part: clean(getattr(one, part), field) for part in Name.__dataclass_fields__}
        )
        if record.registry == "page" and name.literal and not is_body(name.literal):
            name = ledger_name(name.literal)
        found += [name] if shown_name(name) else []
    return tuple(found)


def _written(name: Name) -> str:
    """A name as a ledger has it: given name first, where reading it gives the same parts."""
    plain = shown_name(name)
    if name.literal or _parts(ledger_name(plain)) == _parts(name):
        return plain
    return shown(name)


def _parts(name: Name) -> tuple[str, str, str]:
    return (f"{name.particle} {name.family}".strip(), name.given, name.suffix)


def _ascii(word: str) -> str:
    """The letters and digits of ASCII in a word, accents dropped; empty for other scripts."""
    plain = unicodedata.normalize("NFKD", word.casefold().translate(_PLAIN_LETTERS))
    return "".join(char for char in plain if char.isascii() and char.isalnum())
