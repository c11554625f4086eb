"""`pack.json`: a whole pack for programs, schema `researchpack.pack.v1`.

Lists are in file order. Additions stay within v1; nothing is taken away. The bytes depend on the
pack's files, and on the code of the packages that its experiments name as it is installed: on no
clock and no machine.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from researchpack.entries import bearing_fields
from researchpack.exports._pack_experiments import experiment_json
from researchpack.records import (
    Ambiguous,
    Anchored,
    Changed,
    Lost,
    NoSnapshot,
    Paraphrase,
    Partial,
    Quote,
)
from researchpack.reports import problem_data

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.problems import Problem
    from researchpack.records import (
        ClaimView,
        Decision,
        Edit,
        PlacedEdit,
        Proposal,
        Source,
        Standing,
        View,
    )

SCHEMA: Final = "researchpack.pack.v1"
_CONTEXT: Final = 32
"""Characters of prefix and suffix of a TextQuoteSelector."""

Json = dict[str, Any]


def pack_json(view: View, problems: Iterable[Problem]) -> bytes:
    """The file `pack.json`, UTF-8, with a line end at its end."""
    told = json.dumps(pack_data(view, problems), ensure_ascii=False, indent=1)
    return (told + "\n").encode()


def pack_data(view: View, problems: Iterable[Problem]) -> Json:
    """The pack as plain data."""
    pack = view.pack
    file = pack.file
    return {
        "schema": SCHEMA,
        "id": file.id or pack.name.replace("/", "-"),
        "name": pack.name,
        "book": {"id": pack.book.id, "title": pack.book.title, "url": pack.book.url},
        "chapter": {
            "number": file.number,
            "title": file.title,
            "slug": file.slug,
            "url": file.url,
        },
        "state": view.state.value,
        "state_reasons": list(view.state_reasons),
        "objective": file.objective,
        "questions": list(file.questions),
        "snapshot": _snapshot(view),
        "counts": _counts(view),
        "claims": [_claim(found, view) for found in view.claims],
        "sources": [_source(source) for source in pack.sources],
        "checks": [experiment_json(entry, view) for entry in pack.experiments if entry.is_check],
        "findings": [{"title": s.title, "markdown": s.body} for s in pack.findings],
        "proposals": [_proposal(entry, view) for entry in pack.proposals],
        "experiments": [
            experiment_json(entry, view) for entry in pack.experiments if not entry.is_check
        ],
        "decisions": [_decision(entry) for entry in pack.decisions],
        "context": [{"title": s.title, "markdown": s.body} for s in pack.context],
        "delta": _delta(view),
        "history": [
            {
                "date": entry.date,
                "researcher": {
                    "name": entry.researcher.name,
                    "kind": entry.researcher.kind,
                    "tools": entry.researcher.tools,
                },
                "read": entry.read,
                "report": entry.report,
            }
            for entry in file.passes
        ],
        "problems": [problem_data(problem) for problem in problems],
        "files": [
            {"path": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in pack.files
        ],
    }


def _snapshot(view: View) -> Json | None:
    snapshot, file = view.pack.snapshot, view.pack.file
    if snapshot is None:
        return None
    return {
        "file": file.snapshot_file,
        "taken": file.snapshot_taken,
        "bytes": len(snapshot.data),
        "sha256": snapshot.sha256,
        "fingerprint": snapshot.fingerprint,
        "references": snapshot.references,
        "book_file": view.pack.book_file,
        "declared": {
            "fingerprint": file.declared_fingerprint,
            "reproduced_as": view.reproduced_as,
            "tried": list(view.fingerprints_tried),
            "references": file.declared_references,
            "from": file.declared_from,
        },
    }


def _delta(view: View) -> Json | None:
    delta = view.delta
    if delta is None:
        return None
    return {
        "since": delta.since,
        "claims": {
            "added": list(delta.claims_added),
            "changed": list(delta.claims_changed),
            "removed": list(delta.claims_removed),
            "settled": list(delta.claims_settled),
        },
        "relations": {
            "reused": delta.relations_reused,
            "revalidated": list(delta.relations_revalidated),
            "added": list(delta.relations_added),
            "removed": list(delta.relations_removed),
        },
        "sources": {
            "added": list(delta.sources_added),
            "removed": list(delta.sources_removed),
        },
    }


def _counts(view: View) -> Json:
    claims = [found.claim for found in view.claims]
    pack = view.pack
    return {
        "claims": len(claims),
        "verdicts": dict(Counter(found.stated or "not stated" for found in view.claims)),
        "derived_verdicts": dict(Counter(found.derived for found in view.claims)),
        "priorities": dict(Counter(str(claim.priority) for claim in claims)),
        "responses": dict(Counter(str(claim.response) for claim in claims)),
        "sources": len(pack.sources),
        "reading_status": dict(Counter(str(s.reading_status) for s in pack.sources)),
        "proposals": len(pack.proposals),
        "undecided": sum(entry.id not in dict(view.decisions) for entry in pack.proposals),
        "statuses": dict(Counter(status.value for _, status in view.statuses)),
        "sentences": view.coverage.sentences,
        "sentences_not_audited": len(view.coverage.untouched),
    }


def _claim(found: ClaimView, view: View) -> Json:
    claim = found.claim
    text = view.pack.snapshot.text if view.pack.snapshot else ""
    return {
        "id": claim.id,
        "passage": claim.quote.text if claim.quote else None,
        "paraphrase": None if claim.quote else claim.cell,
        "where": claim.where.heading,
        "target": _standing(found.standing, text),
        "old_passage": found.old_passage,
        "evidence": claim.evidence,
        "concern": claim.concern,
        "priority": claim.priority,
        "response": claim.response,
        "kinds": list(claim.kinds),
        "classes": list(claim.classes),
        "verdict": {
            "stated": found.stated,
            "derived": found.derived,
            "because": found.derived_because,
            "agrees": found.agrees,
        },
        "conflicts_with": [
            {
                "passage": entry.text if isinstance(entry, Quote) else None,
                "claim": None if isinstance(entry, Quote) else entry,
                "target": _standing(standing, text) if standing is not None else None,
            }
            for entry, standing in zip(claim.conflicts, found.conflicts, strict=True)
        ],
        "sources": [source.id for source, _ in found.evidence],
        "checks": [check.id for check, _ in found.checks],
        "proposals": [proposal.id for proposal in found.proposals],
        "settled_by": list(found.settled_by),
        "disputed": found.disputed is not None,
    }


def _standing(standing: Standing, text: str) -> Json:
    """Where words stand, with the selectors of the W3C Web Annotation model."""
    match standing:
        case Anchored(spans=spans, how=how):
            return {"state": how, "selectors": [_selectors(text, *span) for span in spans]}
        case Changed(spans=spans, changes=changes):
            return {
                "state": "changed",
                "selectors": [_selectors(text, *span) for span in spans],
                "changes": [{"old": c.old, "new": c.new, "raised": c.raised} for c in changes],
            }
        case Partial(spans=spans, missing=missing):
            return {
                "state": "partial",
                "selectors": [_selectors(text, *span) for span in spans],
                "missing": list(missing),
            }
        case Ambiguous(spans=spans):
            return {"state": "ambiguous", "selectors": [_selectors(text, *s) for s in spans]}
        case Lost():
            return {"state": "orphan", "selectors": []}
        case Paraphrase():
            return {"state": "paraphrase", "selectors": []}
        case NoSnapshot():
            return {"state": "no snapshot", "selectors": []}


def _selectors(text: str, start: int, end: int) -> list[Json]:
    return [
        {"type": "TextPositionSelector", "start": start, "end": end},
        {
            "type": "TextQuoteSelector",
            "exact": text[start:end],
            "prefix": text[max(0, start - _CONTEXT) : start],
            "suffix": text[end : end + _CONTEXT],
        },
    ]


def _source(source: Source) -> Json:
    copy, verified, suggested = source.copy, source.verified, source.suggested
    return {
        "id": source.id,
        "type": source.type,
        "title": source.title,
        "authors": list(source.authors),
        "editors": list(source.editors),
        "issued": source.issued,
        "container": source.container,
        "url": source.url,
        "also": list(source.also),
        "bib": source.bib,
        **{str(key): words for key, words in source.others},
        "reading_status": source.reading_status,
        "read": source.read,
        "accessed": source.accessed,
        "copy": None
        if copy is None
        else {"url": copy.url, "file": copy.file, "date": copy.date, "sha256": copy.sha256},
        "archive": source.archive,
        "verified": None
        if verified is None
        else {
            "by": verified.by,
            "date": verified.date,
            "fields": list(verified.fields),
            "unverified": list(verified.unverified),
        },
        "fields_checked": "not asked yet",
        "limitations": source.limitations,
        "suggested": None
        if suggested is None
        else {"where": suggested.where, "use": suggested.use},
        "bears_on": [bearing_fields(bearing) for bearing in source.bears_on],
    }


def _edit(edit: Edit) -> Json:
    return {"old": edit.old, "after": edit.after, "new": edit.new}


def _placed(placed: PlacedEdit) -> Json:
    span = placed.span
    return {
        **_edit(placed.edit),
        "start": span[0] if span else None,
        "end": span[1] if span else None,
        "occurrences": placed.occurrences,
    }


def _proposal(entry: Proposal, view: View) -> Json:
    advice = entry.recommend
    return {
        "id": entry.id,
        "title": entry.title,
        "kind": entry.kind,
        "claims": list(entry.claims),
        "sources": list(entry.sources),
        "edits": [_placed(placed) for placed in view.edits if placed.proposal == entry.id],
        "reason_no_text": entry.reason_no_text,
        "rationale": entry.rationale,
        "tradeoffs": entry.tradeoffs,
        "depends_on": list(entry.depends_on),
        "affects": list(entry.affects),
        "recommend": None
        if advice is None
        else {"decision": advice.decision, "reason": advice.reason},
    }


def _decision(entry: Decision) -> Json:
    return {
        "target": entry.target,
        "decision": entry.decision,
        "by": entry.by,
        "date": entry.date,
        "reason": entry.reason,
        "of": entry.of,
        "edits": [_edit(edit) for edit in entry.edits],
    }
