"""The Wayback Machine: which copy of a page is nearest to a day -> `GET /wayback/available`.

It never saves anything, and never takes the newest copy because it is the newest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.mementos import is_copy_of
from researchpack.sources._shared import (
    Broken,
    Request,
    Unknown,
    escaped,
    iso_date,
    maps,
    read_json,
    record,
    text,
)

if TYPE_CHECKING:
    from researchpack.sources._shared import Answer, Reading

NAME: Final = "wayback"
TITLE: Final = "the Wayback Machine"
BASE: Final = "https://archive.org"


def request(identifier: str, base: str = BASE, day: str | None = None) -> Request:
    """What is asked about a page; `day` is an ISO date of any precision."""
    url = f"{base}/wayback/available?url={escaped(identifier)}"
    if day:
        url += f"&timestamp={day.replace('-', '')}"
    return Request(url=url, accept="application/json")


def parse(answer: Answer) -> Reading:
    """The copy that is nearest. A copy of another page, or of an error page, is none."""
    value = read_json(answer)
    if isinstance(value, Broken):
        return value
    copies = value.get("archived_snapshots") if isinstance(value, dict) else None
    if not isinstance(copies, dict):
        return Broken(reason="the answer holds no list of copies")
    for one in maps(copies.get("closest")):
        url, stamp = text(one.get("url")), text(one.get("timestamp")) or ""
        usable = one.get("available") is True and text(one.get("status")) in ("200", None)
        if url and usable and is_copy_of(url, answer.id):
            day = iso_date([stamp[:4], stamp[4:6], stamp[6:8]])
            return record(answer, NAME, archive=url, archived_at=day)
    return Unknown()
