"""A pack as a report in the form of the brief: seven sections, which `ingest` reads back.

What a section has no column for travels in one YAML block at its end. Which values that are is
found out by reading the report back, so nothing is lost because somebody forgot it here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from researchpack.yamlout import value_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.records import Pack

Data = dict[str, Any]

COLUMNS: Final = (
    ("ID", "id"),
    ("Claim", "claim"),
    ("Where", "where"),
    ("Current evidence", "evidence"),
    ("Concern", "concern"),
    ("Priority", "priority"),
    ("Response", "response"),
    ("Kind", "kind"),
    ("Verdict", "verdict"),
    ("Class", "class"),
    ("Conflicts with", "conflicts"),
)
LEDGER: Final = (
    "ID",
    "Title",
    "Authors",
    "Issued",
    "Container",
    "Type",
    "URL",
    "Reading status",
    "Read",
    "Accessed",
    "Copy",
    "Copy date",
    "Verified",
    "Limitations",
)
PAIRS: Final = ("Claim", "Relation", "Because", "Quote", "Locator")
_FIELDS: Final = {
    "proposals": (
        ("Kind", "kind"),
        ("Claims", "claims"),
        ("Sources", "sources"),
        ("Recommend", "recommend"),
        ("Rationale", "rationale"),
        ("Tradeoffs", "tradeoffs"),
        ("Depends on", "depends_on"),
        ("Affects", "affects"),
        ("No text because", "reason_no_text"),
    ),
    "experiments": (
        ("Question", "question"),
        ("Method", "method"),
        ("Success", "success"),
        ("Failure", "failure"),
    ),
}


@dataclass(slots=True, kw_only=True)
class Content:
    """What a report is made of: the entries of a pack as plain data."""

    claims: list[dict[str, str]]
    notes: str
    sources: list[Data]
    proposals: list[Data]
    experiments: list[Data]
    context: list[tuple[str, str]]
    findings: list[tuple[str, str]]
    stated: Data
    extras: dict[str, Any] = field(default_factory=dict)
    """Per key of a YAML block what it holds."""
    hidden: set[str] = field(default_factory=set)
    """What stands in a YAML block only: `context`, `findings`, `notes`, or ids of entries."""


def report(pack: Pack, content: Content) -> str:
    """The report as Markdown."""
    title = pack.file.title or pack.name
    parts = [
        f"# Research report: {_line(title)}",
        "## 1. Context and provenance",
        *_stated(content),
        *_sections(content, "context"),
        "## 2. Claim audit",
        *([content.notes] if content.notes and "notes" not in content.hidden else []),
        _table([name for name, _ in COLUMNS], _claim_rows(content)),
        *_block(content, "claims", "notes"),
        "## 3. Source ledger",
        _table(LEDGER, [_ledger_row(source) for source in content.sources]),
        *_pairs("Source", content.sources),
        *_block(content, "sources"),
        "## 4. Findings",
        *_sections(content, "findings"),
        "## 5. Upgrade proposal",
        *_proposals(content),
        *_block(content, "proposals"),
        "## 6. Experiment opportunities",
        *_experiments(content),
        *_block(content, "experiments"),
        "## 7. Review checklist",
        _checklist(content.proposals) or "None.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _stated(content: Content) -> list[str]:
    extras = {"pass": content.stated} if content.stated else {}
    if "context" in content.hidden:
        extras["context"] = content.extras["context"]
    return [_fenced(extras)] if extras else []


def _sections(content: Content, name: str) -> list[str]:
    sections: list[tuple[str, str]] = getattr(content, name)
    if name in content.hidden:
        return [_fenced({name: content.extras[name]})] if name == "findings" else ["None."]
    if not sections:
        return ["None."]
    return [part for title, body in sections for part in (f"### {title}", body) if part]


def _block(content: Content, *names: str) -> list[str]:
    told = {name: content.extras[name] for name in names if content.extras.get(name)}
    return [_fenced(told)] if told else []


def _fenced(data: Data) -> str:
    lines = [line for key, value in data.items() for line in value_lines(key, value, "")]
    return _fence("\n".join(lines), "yaml")


def _fence(text: str, info: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{info}\n{text}\n{mark}"


def _line(words: str) -> str:
    return " ".join(str(words).split())


def _table(header: Iterable[str], rows: list[list[str]]) -> str:
    """A table; without rows only its header, which says that there are none."""
    names = list(header)
    told = [
        names,
        ["---"] * len(names),
        *([cell.replace("|", "\\|") for cell in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in told)


def _claim_rows(content: Content) -> list[list[str]]:
    return [
        [_line(row.get(key, "")) if key != "claim" else row[key] for _, key in COLUMNS]
        for row in content.claims
        if "\n" not in row["claim"]
    ]


def _ledger_row(source: Data) -> list[str]:
    copy = source.get("copy") or {}
    verified = source.get("verified") or {}
    cells = {
        "ID": source.get("id"),
        "Title": source.get("title"),
        "Authors": "; ".join(source.get("authors") or ()),
        "Issued": source.get("issued"),
        "Container": source.get("container"),
        "Type": source.get("type"),
        "URL": source.get("url"),
        "Reading status": source.get("reading_status"),
        "Read": source.get("read"),
        "Accessed": source.get("accessed"),
        "Copy": copy.get("url"),
        "Copy date": copy.get("date"),
        "Verified": ", ".join(verified.get("fields") or ()),
        "Limitations": source.get("limitations"),
    }
    return [_line(cells[name] or "") for name in LEDGER]


def _pairs(name: str, entries: list[Data]) -> list[str]:
    rows = [
        [str(entry["id"]), *(_line(bearing.get(key.lower(), "")) for key in PAIRS)]
        for entry in entries
        for bearing in entry.get("bears_on") or ()
    ]
    return [_table((name, *PAIRS), rows)] if rows else []


def _proposals(content: Content) -> list[str]:
    if not content.proposals:
        return ["No change."]
    parts = []
    for entry in content.proposals:
        parts.append(f"### {entry['id']}: {_line(entry.get('title', ''))}")
        if entry["id"] in content.hidden:
            continue
        parts.append(_fields("proposals", entry))
        for edit in entry.get("edits") or ():
            name = "old" if "old" in edit else "after"
            parts += [_fence(edit[name], name), _fence(edit["new"], "new")]
    return parts


def _fields(name: str, entry: Data) -> str:
    lines = []
    for label, key in _FIELDS[name]:
        value = entry.get(key)
        if key == "recommend" and isinstance(value, dict):
            reason = value.get("reason")
            value = (value.get("decision") or "") + (f", because {reason}" if reason else "")
        if isinstance(value, list):
            value = "; ".join(value)
        if value:
            lines.append(f"- {label}: {_line(value)}")
    return "\n".join(lines)


def _experiments(content: Content) -> list[str]:
    if not content.experiments:
        return ["None."]
    parts = []
    for entry in content.experiments:
        reported = entry.get("reported")
        mark = "" if reported else " (UNRUN)"
        parts.append(f"### {entry['id']}: {_line(entry.get('title', ''))}{mark}")
        if entry["id"] in content.hidden:
            parts.append("" if not reported else f"- Outcome: {_line(reported['outcome'])}")
            continue
        lines = [_fields("experiments", entry)]
        lines += [f"- Prediction: {_line(p['text'])}" for p in entry.get("predictions") or ()]
        for label, key in (("By", "by"), ("Date", "date"), ("Outcome", "outcome")):
            if reported and reported.get(key):
                lines.append(f"- {label}: {_line(reported[key])}")
        if reported and reported.get("command"):
            lines.append(f"- Command: `{_line(reported['command'])}`")
        parts.append("\n".join(line for line in lines if line))
        if reported and reported.get("output"):
            parts.append(_fence(reported["output"], "output"))
    return parts + _pairs("Check", content.experiments)


def _checklist(proposals: list[Data]) -> str:
    lines = []
    for entry in proposals:
        advice = entry.get("recommend") or {}
        reason = advice.get("reason")
        because = f", because {_line(reason)}" if reason else ""
        decision = advice.get("decision")
        words = f": {decision}{because}" if decision else f": {_line(entry.get('title', ''))}"
        lines.append(f"- [ ] {entry['id']}{words}")
    return "\n".join(lines)
