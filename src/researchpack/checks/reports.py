"""Every report that came back is kept as it came, with what became of it.

A report in `reports/` has a result beside it, and its bytes are those that were taken in. When the
newest one was refused, what stood before is shown and the pack says so. A report that was taken
in although it has errors names who accepted them. A pass that names a report names one that is
there.

Rules: `reports.refused`, `reports.with-errors`, `reports.changed`, `reports.no-result`,
`reports.missing`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from researchpack.places import Place
from researchpack.problems import Problem, error, info, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import ReportResult, View


def check(view: View) -> Iterator[Problem]:
    """Reports of one pack that were changed, refused, or are not there."""
    pack = view.pack
    for number, kept in enumerate(pack.reports, 1):
        place = Place(pack.path(f"reports/{kept.name}"))
        if kept.data is None:
            yield error(
                place,
                "reports.missing",
                "There is a result, and the report it is about is not there.",
                "Put the report back as it came, byte for byte.",
            )
        elif not kept.outcome:
            yield warning(
                place,
                "reports.no-result",
                "Nothing says what became of this report.",
                "Take it in with `researchpack ingest`, and delete this copy.",
            )
        elif hashlib.sha256(kept.data).hexdigest() != kept.sha256:
            yield error(
                place,
                "reports.changed",
                "The report is not the one that was taken in: its SHA-256 differs.",
                "Put it back as it came; a corrected report is taken in as a new one.",
            )
        yield from _outcome(kept, place, newest=number == len(pack.reports))
    names = {f"reports/{kept.name}" for kept in pack.reports}
    for entry in pack.file.passes:
        told = entry.report
        if told is not None and told.startswith("reports/") and told not in names:
            yield error(
                told.place,
                "reports.missing",
                f'There is no "{told}" in the pack.',
                "Put the report back as it came, or correct the name.",
            )


def _outcome(kept: ReportResult, place: Place, *, newest: bool) -> Iterator[Problem]:
    if kept.outcome == "refused" and newest:
        yield warning(
            place,
            "reports.refused",
            f"The newest report was refused: {kept.errors} errors. What stood before is shown.",
            "Send the list in its result back to the researcher, and take the next report in.",
        )
    if kept.outcome == "accepted with errors":
        yield info(
            place,
            "reports.with-errors",
            f"{kept.accepted_by or 'Nobody named'} took this report in with {kept.errors} errors.",
            "Nothing has to be done; the errors stand in its result.",
        )
