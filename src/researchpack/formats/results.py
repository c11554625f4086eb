"""`reports/*.result.json` -> `ReportResult`: what became of a report that came back."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from researchpack.records import ReportResult

OUTCOMES: Final = ("accepted", "accepted with errors", "refused")
_NAME: Final = re.compile(r"(\d{4}-\d\d-\d\d)-(\d+)\.md")


def report_order(name: str) -> tuple[str, int, str]:
    """Sorts the names of reports as they came: by day, and by number as people count."""
    match = _NAME.fullmatch(name)
    return (match[1], int(match[2]), "") if match else ("", 0, name)


def read_result(name: str, data: bytes | None, result: bytes | None) -> ReportResult:
    """A report and its result; what the result does not say, or not as it should, stays empty."""
    try:
        told = json.loads(result or b"")
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        return ReportResult(name=name, data=data)
    levels = [str(one.get("level")) for one in _maps(told.get("problems"))]
    by = told.get("accepted_by")
    return ReportResult(
        name=name,
        data=data,
        outcome=str(told["outcome"]) if told.get("outcome") in OUTCOMES else "",
        accepted_by=by if isinstance(by, str) else None,
        sha256=str(told.get("sha256") or ""),
        taken_in=str(told.get("taken_in") or ""),
        errors=levels.count("error"),
        warnings=levels.count("warning"),
        conflicts=tuple(str(one.get("at")) for one in _maps(told.get("conflicts"))),
    )


def _maps(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
