"""A record of Crossref for a test: what it would answer, read by the real reader and stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from researchpack.checking import check_file
from researchpack.recording import Records
from researchpack.records import RegistryRecord
from researchpack.sources import Answer, crossref

if TYPE_CHECKING:
    from pathlib import Path

    from researchpack.problems import Problem

TODAY = "2026-11-30"
ASKED = f"{TODAY}T08:00:00Z"
DOI = "10.5555/demo.1"


def crossref_record(message: dict[str, Any]) -> RegistryRecord:
    """What the real reader makes of a work of Crossref."""
    body = json.dumps({"status": "ok", "message-type": "work", "message": message}).encode()
    doi = str(message["DOI"]).lower()
    address = f"https://registry.example/works/{doi}"
    found = crossref.parse(
        Answer(scheme="doi", id=doi, request=address, url=address, body=body, at=ASKED)
    )
    assert isinstance(found, RegistryRecord)
    return found


def check_with(path: Path, *records: RegistryRecord) -> list[Problem]:
    """What a check of one file says when these records are stored."""
    folder = path.parent / "records"
    store = Records(folder, "records")
    for record in records:
        store.save(record)
    return check_file(path, None, TODAY, folder)
