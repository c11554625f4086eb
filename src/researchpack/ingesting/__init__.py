"""The story of `ingest`: a report is read, judged, kept, and becomes the pack's own files.

A report with errors is refused: it is kept with what is wrong, and what stood before stays. An
accepted one is merged into what people wrote; nothing of theirs is taken away, and where both
changed the same words theirs stay and the conflict is told.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import date as Day
from typing import TYPE_CHECKING

from researchpack import disk
from researchpack.drafting import draft, without_own_runs
from researchpack.formats.report import LARGEST, read_report
from researchpack.gather import gather
from researchpack.ingesting._merging import merged
from researchpack.ingesting._records import (
    ACCEPTED,
    BROKEN,
    FILES,
    REFUSED,
    WITH_ERRORS,
    CannotIngest,
    Ingested,
    Unmergeable,
)
from researchpack.ingesting._told import as_text, parse_only, result_file
from researchpack.judging import judge
from researchpack.locating import Locator
from researchpack.problems import Level

if TYPE_CHECKING:
    from pathlib import Path

    from researchpack.records import Pack

__all__ = [
    "CannotIngest",
    "Ingested",
    "Unmergeable",
    "as_text",
    "ingest",
    "parse_only",
    "write",
]


def ingest(
    root: Path, name: str, path: Path, today: str, *, accepted_by: str | None = None
) -> Ingested:
    """Work out everything; nothing is written.

    `accepted_by`: who takes the report in although it has errors. Raises `CannotIngest`.
    """
    data = disk.read_bytes(path)
    pack = gather(root, [name]).packs[0]
    _able(pack, data)
    assert pack.snapshot is not None
    report = read_report(data, path.as_posix(), Day.fromisoformat(today))
    drafts = draft(report)
    without_own_runs(drafts, (run.id for run in pack.laboratory.runs))
    locator = Locator(pack.snapshot)
    problems = judge(report, drafts, pack, locator)
    errors = any(problem.level is Level.ERROR for problem in problems)
    outcome = (WITH_ERRORS if accepted_by else REFUSED) if errors else ACCEPTED
    kept = _kept_name(pack, today)
    found = Ingested(
        name=pack.name,
        report=pack.path(f"reports/{kept}.md"),
        outcome=outcome,
        problems=tuple(problems),
    )
    if not found.refused:
        found = merged(root, pack, drafts, locator, found, today)
    result = result_file(found, data, today, accepted_by if errors else None, path.as_posix())
    folder = root / pack.folder
    kept_files = (
        (folder / "reports" / f"{kept}.md", data),
        (folder / "reports" / f"{kept}.result.json", result),
    )
    return replace(found, writes=(*kept_files, *found.writes))


def write(found: Ingested) -> None:
    """Write what was worked out; the report is safe before a file of a person changes."""
    for path, data in found.writes:
        disk.write_bytes(path, data)


def _able(pack: Pack, data: bytes) -> None:
    if pack.snapshot is None:
        raise CannotIngest(f"{pack.name} has no snapshot that can be read; mend pack.yaml first.")
    if len(data) > LARGEST:
        raise CannotIngest(f"The report is larger than {LARGEST // 2**20} MB; it was not read.")
    broken = [p for p in pack.problems if p.rule in BROKEN and _is_own(pack, p.place.path)]
    if broken:
        raise CannotIngest(
            f"{broken[0].place} cannot be read, so nothing can be merged into it. `check` says"
            " what is wrong."
        )
    digest = hashlib.sha256(data).hexdigest()
    for kept in pack.reports:
        if kept.sha256 == digest and kept.outcome != REFUSED:
            raise CannotIngest(f"This report was taken in before, as reports/{kept.name}.")


def _is_own(pack: Pack, path: str) -> bool:
    return any(path == pack.path(name) for name in FILES)


def _kept_name(pack: Pack, today: str) -> str:
    numbers = [
        int(match[1])
        for kept in pack.reports
        if (match := re.fullmatch(rf"{today}-(\d+)\.md", kept.name))
    ]
    return f"{today}-{max(numbers, default=0) + 1}"
