"""Section 3: the source ledger."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from researchpack.drafting._words import TRACKING, bearing, clean, relation_of
from researchpack.entries import Data, full
from researchpack.formats._cells import find_ids, plain, value
from researchpack.formats._columns import plain_name
from researchpack.formats._dates import read_date
from researchpack.formats.sources import KEYS as SOURCE_KEYS
from researchpack.formats.sources import OTHERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.formats.report import Bears, SourceRow


def draft_source(row: SourceRow, bears: Iterable[Bears], researcher: str | None) -> Data:
    """One entry of the ledger."""
    raw = {name: " ".join(cell.text.split("\n")) for name, cell in row.cells}
    extra = {plain_name(header): words for header, words in row.raw_extra}
    found: Data = {
        "id": row.id or "",
        "type": row.type,
        "title": row.identity,
        "authors": _authors(row.authors or ""),
        "issued": _issued(row.issued),
        "url": TRACKING.sub("", row.url).rstrip("?&") if row.url else None,
        "reading_status": row.reading_status,
        "accessed": row.accessed,
        "limitations": clean(raw.get("limitations", "")) if row.limitations else None,
    }
    read = extra.pop("read", "")
    status = plain_name(row.reading_text or "")
    if value(plain(read)) is not None:
        found["read"] = read
    elif row.reading_text and status != plain_name(row.reading_status or ""):
        found["read"] = row.reading_text
    found["copy"] = {
        "url": value(plain(extra.pop("copy", ""))),
        "date": read_date(plain(extra.pop("copy date", ""))).iso,
    }
    found["verified"] = _verified(row, researcher)
    for key in (*OTHERS, "container", "bib", "archive"):
        words = extra.pop(key.replace("_", " "), "")
        if value(plain(words)) is not None:
            found[key] = plain(words)
    pairs = [b for b in bears if b.entry == row.id]
    told = {b.claim for b in pairs}
    found["bears_on"] = [bearing(b) for b in pairs]
    found["bears_on"] += [
        one
        for one in _named_claims(raw.get("bears_on", ""), row.bears_on, row.relation)
        if one["claim"] not in told
    ]
    return full(found)


def _authors(words: str) -> list[str]:
    if ";" in words:
        return [part.strip() for part in words.split(";") if part.strip()]
    parts = re.split(r"\s+(?:and|&)\s+", words)
    if len(parts) == 1 and words.count(",") > 1 and "." not in words:
        parts = words.split(",")
    return [part.strip() for part in parts if part.strip()]


def _issued(words: str | None) -> str | None:
    if words is None or re.fullmatch(r"n\.? ?d\.?", words, re.IGNORECASE):
        return "n.d." if words else None
    return read_date(words).iso or words


def _verified(row: SourceRow, researcher: str | None) -> Data | None:
    words = [w.strip().lower() for w in re.split(r"[,;]", row.verified_text or "") if w.strip()]
    fields = [word for word in words if word.replace(" ", "_") in SOURCE_KEYS]
    if row.verified is None and not fields:
        return None
    return {"by": researcher, "date": row.verified, "fields": fields}


def _named_claims(cell: str, claims: Iterable[str], relation: str | None) -> Iterator[Data]:
    """The claims that a cell names, each with the words that stand behind it."""
    for claim in claims:
        match = re.search(rf"(?<!\w){re.escape(claim)}(?!\w)\]?([^;\n]*)", cell)
        words = match[1] if match else ""
        own, _, because = words.partition(":")
        found = relation_of(own) or relation_of(_of_claim(relation or "", claim))
        yield {
            "claim": claim,
            "relation": found or "uncertain",
            "because": because.strip() or None,
        }


def _of_claim(relation: str, claim: str) -> str:
    """What a cell of relations says about one claim: "C1 supports; C2 qualifies"."""
    if not find_ids(relation, "C"):
        return relation
    match = re.search(rf"(?<!\w){re.escape(claim)}(?!\w)([^;,\n]*)", relation)
    return match[1] if match else ""
