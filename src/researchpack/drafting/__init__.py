"""A report -> the entries that the pack's files would have, as plain data, ids as in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.drafting._blocks import overlay
from researchpack.drafting._claims import draft_claim
from researchpack.drafting._entries import draft_experiment, draft_proposal
from researchpack.drafting._records import Drafts
from researchpack.drafting._sections import context_title, finding_title, parts, stated
from researchpack.drafting._sources import draft_source
from researchpack.drafting._words import RESIDUE, TRACKING, clean
from researchpack.entries import CELLS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.formats.report import Report

__all__ = ["RESIDUE", "TRACKING", "Drafts", "draft", "recorded_as", "without_own_runs"]


def draft(report: Report) -> Drafts:
    """The entries of a report."""
    found = Drafts(stated=stated(report))
    notes = dict(report.footnotes)
    for row in report.claims:
        cells = draft_claim(row, notes)
        if row.covers:
            cells["id"] = row.covers[0]
            found.covers |= dict.fromkeys(row.covers[1:], row.covers[0])
        found.claims.append(cells)
        found.lines.setdefault(("claims", cells["id"]), row.line)
    found.notes = clean(report.claim_notes)
    researcher = found.stated.get("researcher", {}).get("name")
    for source in report.sources:
        entry = draft_source(source, report.bears, researcher)
        found.sources.append(entry)
        found.lines.setdefault(("sources", entry.get("id", "")), source.line)
    for proposal in report.proposals:
        entry = draft_proposal(proposal)
        found.proposals.append(entry)
        found.lines.setdefault(("proposals", entry.get("id", "")), proposal.line)
    for experiment in report.experiments:
        entry = draft_experiment(experiment, report.bears, found.stated)
        found.experiments.append(entry)
        found.lines.setdefault(("experiments", entry.get("id", "")), experiment.line)
    found.context = list(parts(report, "context", context_title, "Read"))
    found.findings = list(parts(report, "findings", finding_title, ""))
    found.unsorted = any(not title for title, _ in found.findings)
    found.findings = [(title or "Unresolved", body) for title, body in found.findings]
    overlay(found, report)
    found.claims = [{k: cells.get(k, "") for k in CELLS} for cells in found.claims]
    return found


def recorded_as(run_id: str) -> str:
    """What a report says of an experiment whose run the exported pack has recorded."""
    return f"Recorded as run {run_id}."


def without_own_runs(found: Drafts, run_ids: Iterable[str]) -> None:
    """Take out what a report says of runs that the pack itself has recorded."""
    own = {recorded_as(name) for name in run_ids}
    for entry in found.experiments:
        reported = entry.get("reported")
        if isinstance(reported, dict) and reported.get("outcome") in own:
            del entry["reported"]
