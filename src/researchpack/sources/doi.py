"""doi.org: which agency registered a DOI -> `GET /doiRA/{doi}`.

It is asked when Crossref does not know a DOI. Metadata of agencies other than Crossref and DataCite
are not read; their record says which agency it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.sources._shared import (
    Broken,
    Request,
    Unknown,
    escaped,
    maps,
    read_json,
    record,
    text,
)

if TYPE_CHECKING:
    from researchpack.records import RegistryRecord
    from researchpack.sources._shared import Answer, Reading

NAME: Final = "doi"
TITLE: Final = "doi.org"
BASE: Final = "https://doi.org"


def request(identifier: str, base: str = BASE) -> Request:
    """What is asked about a DOI."""
    prefix, _, suffix = identifier.partition("/")
    path = f"{escaped(prefix)}/{escaped(suffix)}" if suffix else escaped(prefix)
    return Request(url=f"{base}/doiRA/{path}", accept="application/json")


def parse(answer: Answer) -> Reading:
    """A record with the name of the agency in `remark`."""
    found = agency(answer)
    return found if isinstance(found, Unknown | Broken) else registered(answer, found)


def agency(answer: Answer) -> str | Unknown | Broken:
    """The name of the agency, such as `Crossref`.

    `Unknown` only when it says so in its own form: a bare 404 may be a proxy's.
    """
    value = read_json(answer)
    if isinstance(value, Broken):
        return value
    for one in maps(value):
        name = text(one.get("RA"))
        if name:
            return name
        status = text(one.get("status"))
        if status:  # `DOI does not exist`, `Invalid DOI`, `Unknown`
            return Unknown(why=None if "not exist" in status.lower() else status)
    return Broken(reason="the answer names no agency")


def registered(answer: Answer, name: str) -> RegistryRecord:
    """The record of a DOI of which only the agency is known."""
    return record(answer, NAME, doi=answer.id, remark=name)
