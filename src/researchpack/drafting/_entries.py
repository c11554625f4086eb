"""Sections 5 and 6: proposals, experiments and checks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from researchpack.drafting._words import bearing, clean
from researchpack.entries import Data, full
from researchpack.formats._cells import find_ids, plain, value
from researchpack.formats._columns import plain_name
from researchpack.formats.report import read_advice
from researchpack.formats.vocabulary import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.formats.report import Bears, ReportExperiment, ReportProposal


def draft_proposal(entry: ReportProposal) -> Data:
    """One proposal."""
    said = {name: clean(words) for name, words in entry.fields}
    decision, reason = read_advice(plain(said.get("recommend", "")))
    found = full(
        {
            "id": entry.id or "",
            "title": entry.title or (f"Change on line {entry.line}" if not entry.id else ""),
            "kind": _kind(plain(said.get("kind", ""))),
            "claims": find_ids(plain(said.get("claims", "")), "C"),
            "sources": find_ids(plain(said.get("sources", "")), "S"),
            "reason_no_text": said.get("reason_no_text"),
            "rationale": said.get("rationale"),
            "tradeoffs": said.get("tradeoffs"),
            "depends_on": _listed(said.get("depends_on", "")),
            "affects": _listed(said.get("affects", "")),
            "recommend": {"decision": decision, "reason": reason},
        }
    )
    if entry.edits:
        found["edits"] = [
            {**({"old": e.old} if e.old is not None else {"after": e.after}), "new": e.new}
            for e in entry.edits
        ]
    return found


def _kind(words: str) -> str:
    known = {plain_name(word): word for word in DEFAULT.known("proposal_kind")}
    return known.get(plain_name(words), words)


def _listed(words: str) -> list[str]:
    """Items of a list, or what semicolons part."""
    if value(plain(words)) is None or plain(words).lower().rstrip(".") == "none":
        return []
    lines = [re.sub(r"^[-*+]\s+", "", line.strip()) for line in words.split("\n")]
    parts = lines if len(lines) > 1 else words.split(";")
    found = [part.strip() for part in parts if part.strip()]
    ids = find_ids(words)
    return list(ids) if ids and re.fullmatch(r"[\[\]A-Z\d,; a-z]*", words) else found


def draft_experiment(entry: ReportExperiment, bears: Iterable[Bears], stated: Data) -> Data:
    """One experiment or check; what was run becomes `reported`."""
    said = {name: clean(words) for name, words in entry.fields}
    found: Data = {
        "id": entry.id or "",
        "title": entry.title,
        "question": said.get("question"),
        "method": said.get("method"),
        "predictions": [{"text": words} for words in _listed_lines(said.get("predictions", ""))],
        "success": said.get("success"),
        "failure": said.get("failure"),
        "bears_on": [bearing(b) for b in bears if b.entry == entry.id],
    }
    if entry.run == "RUN":
        found["reported"] = {
            "by": plain(said.get("by", ""))
            or stated.get("researcher", {}).get("name")
            or "UNVERIFIED",
            "date": entry.date or stated.get("date"),
            "command": entry.command,
            "outcome": said.get("outcome") or entry.result,
            "output": said.get("output") if said.get("output") != entry.result else None,
        }
    elif entry.command:
        method = f"{found['method']}\n\n" if found["method"] else ""
        found["method"] = f"{method}Command: `{entry.command}`"
    return full(found)


def _listed_lines(words: str) -> list[str]:
    items = re.split(r"^\s*[-*+]\s+", words, flags=re.MULTILINE)
    return [" ".join(item.split()) for item in items if item.strip()]
