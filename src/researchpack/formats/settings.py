"""`research/settings.yaml` -> `Settings`."""

from __future__ import annotations

from researchpack.formats._shared import Parsed, read_map
from researchpack.records import Settings

KEYS = (
    "contact",
    "registries",
    "cache",
    "records",
    "allow_private_hosts",
    "book_folders",
)
REGISTRIES = ("crossref", "datacite", "arxiv", "openlibrary", "doi", "wayback")


def read_settings(text: str, path: str) -> Parsed[Settings]:
    """The settings; an empty file means the defaults."""
    fields, notes = read_map(text, path, KEYS)
    if fields is None:
        return notes.parsed(Settings())
    registries = fields.map("registries", REGISTRIES)
    cache = fields.map("cache", ("backend", "folder"))
    records = fields.map("records", ("max_age",))
    return notes.parsed(
        Settings(
            contact=fields.text("contact"),
            registries=fields.pairs("registries") if registries else (),
            cache=fields.pairs("cache") if cache else (),
            max_age=records.text("max_age") if records else None,
            allow_private_hosts=fields.texts("allow_private_hosts"),
            book_folders=fields.pairs("book_folders"),
        )
    )
