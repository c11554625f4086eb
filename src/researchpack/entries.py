"""Records of a pack <-> the plain data that its files hold: maps, lists and text, nothing empty.

The same shape comes out of a pack's own files, out of a frozen pass and out of a report, so that
the three can be compared key by key.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from researchpack.formats.claims import unquote
from researchpack.formats.experiments import KEYS as EXPERIMENT_KEYS
from researchpack.formats.proposals import KEYS as PROPOSAL_KEYS
from researchpack.formats.sources import ALIASES
from researchpack.formats.sources import KEYS as SOURCE_KEYS
from researchpack.records import Limits, Quote

if TYPE_CHECKING:
    from researchpack.records import Bearing, Claim, Experiment, Pack, Proposal, Source

Data = dict[str, Any]

CELLS: Final = (
    "id",
    "claim",
    "where",
    "evidence",
    "concern",
    "priority",
    "response",
    "kind",
    "verdict",
    "class",
    "conflicts",
)
"""The cells of a claim, in the order of the columns."""
_ALIASED: Final = {name for names in ALIASES.values() for name in names}
KEYS: Final = {
    "sources": tuple(key for key in SOURCE_KEYS if key not in _ALIASED),
    "proposals": PROPOSAL_KEYS,
    "experiments": EXPERIMENT_KEYS,
}
"""The keys of the entries of each file, in the usual order."""
LISTS: Final = frozenset(
    {
        "authors",
        "editors",
        "also",
        "claims",
        "sources",
        "depends_on",
        "affects",
        "command",
        "inputs",
        "seeds",
        "packages",
    }
)
"""Keys whose value is a list of words; a single value is a list of one."""
_INNER_LISTS: Final = frozenset({"fields", "unverified", "files", "y"})


def full(data: Data, lists: frozenset[str] = LISTS) -> Data:
    """`data` as plain text without what is empty."""
    found = {}
    for key, value in data.items():
        told = _full(value)
        if told not in (None, "", [], {}):
            found[key] = [told] if key in lists and isinstance(told, str) else told
    return found


def _full(value: Any) -> Any:
    if isinstance(value, dict):
        return full(value, _INNER_LISTS)
    if isinstance(value, list | tuple):
        return [_full(item) for item in value]
    return None if value is None else str(value)


def source_data(source: Source) -> Data:
    """One entry of sources.yaml."""
    copy, verified, suggested = source.copy, source.verified, source.suggested
    return full(
        {
            "id": source.id,
            "type": source.type,
            "title": source.title,
            "authors": source.authors,
            "editors": source.editors,
            "issued": source.issued,
            "container": source.container,
            "url": source.url,
            "also": source.also,
            "bib": source.bib,
            **{str(key): words for key, words in source.others},
            "reading_status": source.reading_status,
            "read": source.read,
            "accessed": source.accessed,
            "copy": copy
            and {"url": copy.url, "file": copy.file, "date": copy.date, "sha256": copy.sha256},
            "archive": source.archive,
            "verified": verified
            and {
                "by": verified.by,
                "date": verified.date,
                "fields": verified.fields,
                "unverified": verified.unverified,
            },
            "limitations": source.limitations,
            "suggested": suggested and {"where": suggested.where, "use": suggested.use},
            "bears_on": [bearing_fields(bearing) for bearing in source.bears_on],
        }
    )


def bearing_fields(bearing: Bearing) -> Data:
    """What a source or an experiment says about one claim."""
    return {
        "claim": bearing.claim,
        "relation": bearing.relation,
        "because": bearing.because,
        "quote": bearing.quote,
        "locator": bearing.locator,
    }


def proposal_data(entry: Proposal) -> Data:
    """One entry of proposals.yaml."""
    advice = entry.recommend
    told = full(
        {
            "id": entry.id,
            "title": entry.title,
            "kind": entry.kind,
            "claims": entry.claims,
            "sources": entry.sources,
            "reason_no_text": entry.reason_no_text,
            "rationale": entry.rationale,
            "tradeoffs": entry.tradeoffs,
            "depends_on": entry.depends_on,
            "affects": entry.affects,
            "recommend": advice and {"decision": advice.decision, "reason": advice.reason},
        }
    )
    if entry.edits:
        told["edits"] = [_edit(edit.old, edit.after, edit.new) for edit in entry.edits]
    return told


def _edit(old: str | None, after: str | None, new: str) -> Data:
    """An edit; new words may be empty, which says that the old ones go."""
    found = {"old": str(old)} if old is not None else {"after": str(after)}
    return {**found, "new": str(new)}


def experiment_data(entry: Experiment) -> Data:
    """One entry of experiments.yaml."""
    return full(experiment_fields(entry))


def experiment_fields(entry: Experiment) -> Data:
    """Every key that an entry of experiments.yaml can have, with what is empty."""
    reported = entry.reported
    return {
        "id": entry.id,
        "title": entry.title,
        "question": entry.question,
        "method": entry.method,
        "predictions": [
            {"text": p.text, "written": p.written, "rule": p.rule} for p in entry.predictions
        ],
        "success": entry.success,
        "success_rule": entry.success_rule,
        "failure": entry.failure,
        "failure_rule": entry.failure_rule,
        "command": list(entry.command),
        "inputs": list(entry.inputs),
        "outside": [
            {
                "name": one.name,
                "what": one.what,
                "files": list(one.files),
                "required": "yes" if one.required else None,
            }
            for one in entry.outside
        ],
        "seeds": list(entry.seeds),
        "packages": list(entry.packages),
        "limits": _limits(entry.limits),
        "needs": entry.needs,
        "limitations": entry.limitations,
        "figures": [
            {
                "title": one.title,
                "file": one.file,
                "kind": one.kind,
                "x": one.x,
                "y": list(one.y),
                "summary": one.summary,
            }
            for one in entry.figures
        ],
        "notebook": "yes" if entry.notebook else None,
        "reported": reported
        and {
            "by": reported.by,
            "date": reported.date,
            "command": reported.command,
            "outcome": reported.outcome,
            "output": reported.output,
        },
        "bears_on": [bearing_fields(bearing) for bearing in entry.bears_on],
    }


def _limits(limits: Limits) -> Data:
    """The limits that are not the usual ones."""
    told = asdict(limits)
    return {key: value for key, value in told.items() if value != getattr(Limits(), key)}


def pack_entries(pack: Pack) -> dict[str, list[Data]]:
    """The entries of the three YAML files."""
    return {
        "sources": [source_data(entry) for entry in pack.sources],
        "proposals": [proposal_data(entry) for entry in pack.proposals],
        "experiments": [experiment_data(entry) for entry in pack.experiments],
    }


def pack_ids(pack: Pack) -> set[str]:
    """Every id that the pack has."""
    return {
        *(str(entry.id) for entry in pack.claims),
        *(str(entry.id) for entry in pack.sources),
        *(str(entry.id) for entry in pack.proposals),
        *(str(entry.id) for entry in pack.experiments),
    }


def claim_meaning(claim: Claim) -> dict[str, Any]:
    """What the cells of a claim say, however they are written."""
    return {
        "claim": str(claim.quote.text) if claim.quote else str(claim.cell),
        "where": str(claim.where.heading),
        "evidence": str(claim.evidence),
        "concern": str(claim.concern),
        "priority": str(claim.priority),
        "response": str(claim.response),
        "kind": list(map(str, claim.kinds)),
        "verdict": str(claim.verdict or ""),
        "class": list(map(str, claim.classes)),
        "conflicts": [str(e.text if isinstance(e, Quote) else e) for e in claim.conflicts],
    }


def cell_meaning(field: str, cell: str) -> Any:
    """What one cell says, in the terms of `claim_meaning`."""
    if field == "claim":
        inner = unquote(cell)
        return cell if inner is None else inner
    if field in ("kind", "class"):
        return [part.strip() for part in cell.split(";") if part.strip()]
    return cell


def frozen_entries(content: Data) -> dict[str, dict[str, Data]]:
    """The entries of a frozen pass, by file and id, in the shape of the files.

    What stands there is data of another time: whatever is not of a known shape is left out.
    """
    found: dict[str, dict[str, Data]] = {"claims": {}}
    for entry in _maps(content.get("claims")):
        verdict = entry.get("verdict")
        found["claims"][str(entry.get("id"))] = {
            "claim": entry.get("passage") or entry.get("paraphrase") or "",
            "where": entry.get("where") or "",
            **{k: entry.get(k) or "" for k in ("evidence", "concern", "priority", "response")},
            "kind": list(entry.get("kinds") or ()),
            "verdict": (verdict.get("stated") if isinstance(verdict, dict) else None) or "",
            "class": list(entry.get("classes") or ()),
            "conflicts": [
                one.get("passage") or one.get("claim") or ""
                for one in _maps(entry.get("conflicts_with"))
            ],
        }
    lists = {
        "sources": _maps(content.get("sources")),
        "proposals": _maps(content.get("proposals")),
        "experiments": [*_maps(content.get("experiments")), *_maps(content.get("checks"))],
    }
    for name, entries in lists.items():
        found[name] = {
            str(entry.get("id")): full({key: entry.get(key) for key in KEYS[name]})
            for entry in entries
        }
        for entry in found[name].values():
            for edit in entry.get("edits", ()):
                for key in ("start", "end", "occurrences"):
                    edit.pop(key, None)
    for name in ("context", "findings"):
        found[name] = {
            str(entry.get("title")): {"markdown": str(entry.get("markdown") or "")}
            for entry in _maps(content.get(name))
        }
    return found


def _maps(value: Any) -> list[Data]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
