"""What became of a report: the file beside it, and lines for people; and what it says."""

from __future__ import annotations

import hashlib
import json
from datetime import date as Day
from typing import TYPE_CHECKING, Any

from researchpack.drafting import draft
from researchpack.formats.report import LARGEST, Report, plain_data, read_report
from researchpack.ingesting._records import SCHEMA, CannotIngest, Ingested
from researchpack.judging import judge
from researchpack.locating import Locator, anchors_data, chapter_of
from researchpack.reports import problem_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.problems import Problem


def result_file(
    found: Ingested, data: bytes, today: str, accepted_by: str | None, source: str
) -> bytes:
    """The file beside the kept report."""
    kept = found.report
    told = {
        "schema": SCHEMA,
        "report": kept.rpartition("/")[2],
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "taken_in": today,
        "outcome": found.outcome,
        "accepted_by": accepted_by,
        "ids": dict(found.ids),
        "changes": {name: list(done) for name, done in found.done},
        "conflicts": [
            {"at": one.path, "kept": one.ours, "report": one.theirs} for one in found.conflicts
        ],
        "left": list(found.left),
        "problems": [
            {**problem, "what": problem["what"].replace(source, kept)}
            for problem in _problems(found.problems)
        ],
    }
    return (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode()


def as_text(found: Ingested) -> str:
    """What was done, for people; the problems are told apart from it."""
    lines = []
    for name, done in found.done:
        lines.append(f"{name}: {len(done)} {'change' if len(done) == 1 else 'changes'}")
    for old, new in found.ids:
        lines.append(f"{old} of the report is {new} in the pack.")
    for one in found.conflicts:
        lines.append(f"Conflict at {one.path}: kept “{one.ours}”; the report says “{one.theirs}”.")
    lines += [f"Not written: {words}" for words in found.left]
    return "".join(f"{line}\n" for line in lines)


def parse_only(data: bytes, path: str, today: str, chapter: bytes | None) -> dict[str, Any]:
    """What a report says, as plain data; it needs no project.

    Raises `CannotIngest` for what is far too large, or a chapter that is no text.
    """
    if len(data) > LARGEST:
        raise CannotIngest(f"The report is larger than {LARGEST // 2**20} MB; it was not read.")
    snapshot = chapter_of(chapter) if chapter is not None else None
    if chapter is not None and snapshot is None:
        raise CannotIngest("The chapter is not UTF-8 text.")
    report: Report = read_report(data, path, Day.fromisoformat(today))
    told = plain_data(report)
    if snapshot is not None:
        told["anchors"] = anchors_data(report, snapshot)
    problems = judge(report, draft(report), None, Locator(snapshot) if snapshot else None)
    told["problems"] = _problems(problems)
    return told


def _problems(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """The problems without their path: they are all of the one report."""
    told = map(problem_data, problems)
    return [{key: value for key, value in one.items() if key != "path"} for one in told]
