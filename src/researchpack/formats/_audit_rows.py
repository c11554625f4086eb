"""Entries of the tables of a report -> typed rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import (
    covered_ids,
    find_ids,
    find_markers,
    find_source_ids,
    leading_id,
    plain,
    row_id,
    value,
)
from researchpack.formats._columns import priority_level
from researchpack.formats._links import find_url
from researchpack.formats._reading import reading_status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from researchpack.formats._sheets import Entry
    from researchpack.tables import Cell

_NOTE: Final = re.compile(r"\[\^([^\]\s]+)\]")
_QUOTED: Final = re.compile(r"[\"“„«‘].*[\"”“»’]", re.DOTALL)
_TOKENS: Final = re.compile(r"[\w.-]*\d[\w.-]*(?:\s*[,;、，；/]\s*[\w.-]*\d[\w.-]*)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    """One row of a claim audit. Texts are the words that a reader sees; None is empty or absent."""

    id: str | None
    claim: str | None
    where: str | None
    evidence: str | None
    concern: str | None
    priority: str | None
    """high, medium or low; None also when the word is not known: see `priority_text`."""
    priority_text: str | None
    response: str | None
    kind: str | None
    verdict: str | None
    evidence_class: str | None
    conflicts: str | None
    markers: tuple[str, ...]
    """UNVERIFIED, UNRUN: those that hold for this row."""
    cites: tuple[str, ...]
    """Ids of sources, in order, ranges filled in; through footnotes too."""
    group: str | None
    """The group row, caption or sub-heading that the row stands under."""
    overflow: tuple[str, ...]
    """Cells past the last column."""
    covers: tuple[str, ...]
    """The claims of a row about several ("C1–C3"); empty for a row about one."""
    extra: tuple[tuple[str, str], ...]
    """Header and words of cells that belong to no field."""
    cells: tuple[tuple[str, Cell], ...]
    """Field and cell as written, of the columns that there are."""
    raw_extra: tuple[tuple[str, str], ...]
    """Like `extra`, as written."""
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """One row of a source ledger. Texts as in `ClaimRow`."""

    id: str | None
    identity: str | None
    authors: str | None
    issued: str | None
    type: str | None
    url: str | None
    """An absolute address as written; None when there is none, whatever else the cell says."""
    reading_status: str | None
    reading_text: str | None
    bears_on: tuple[str, ...]
    """Ids of claims, ranges filled in."""
    relation: str | None
    limitations: str | None
    verified: str | None
    """ISO date, as precise as it was written, as is `accessed`; None when nobody can tell."""
    verified_text: str | None
    accessed: str | None
    accessed_text: str | None
    markers: tuple[str, ...]
    group: str | None
    overflow: tuple[str, ...]
    extra: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, Cell], ...]
    raw_extra: tuple[tuple[str, str], ...]
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What the cells of a report refer to."""

    footnotes: Mapping[str, str]
    targets: Mapping[str, str]


def claim_row(entry: Entry, document: Document) -> ClaimRow:
    """One row of a claim audit."""
    words = _Words(entry, document)
    claim_id, claim = row_id(words.text("id") or ""), words.text("claim")
    if claim_id is None and claim and "id" not in entry.cells and (led := leading_id(claim)):
        claim_id, claim = led
    said = words.said_outside("id", "claim")
    quoted = _QUOTED.fullmatch(claim or "") is not None
    return ClaimRow(
        id=claim_id,
        claim=claim,
        where=words.text("where"),
        evidence=words.text("evidence"),
        concern=words.text("concern"),
        priority=priority_level(words.text("priority") or ""),
        priority_text=words.text("priority"),
        response=words.text("response"),
        kind=words.text("kind"),
        verdict=words.text("verdict"),
        evidence_class=words.text("class"),
        conflicts=words.text("conflicts"),
        # A passage in quotation marks is the chapter's words, not the auditor's.
        markers=find_markers(said if quoted else words.said_outside()),
        cites=find_source_ids(said),
        group=entry.group,
        overflow=entry.overflow,
        covers=covered_ids(claim_id),
        extra=words.extra,
        cells=tuple(entry.cells.items()),
        raw_extra=entry.extra,
        line=entry.line,
        column=entry.column,
    )


def source_row(entry: Entry, document: Document, dates: Mapping[str, str | None]) -> SourceRow:
    """One row of a source ledger; `dates` are its dates by field, as far as they are known."""
    words = _Words(entry, document)
    status = words.text("reading_status")
    url = find_url(entry.raw("url"), document.targets)
    lost = (("url", words.text("url") or ""),) if url is None and words.text("url") else ()
    return SourceRow(
        id=row_id(words.text("id") or ""),
        identity=words.text("identity"),
        authors=words.text("authors"),
        issued=words.text("issued"),
        type=words.text("type"),
        url=url or find_url(entry.raw("identity"), document.targets),
        reading_status=reading_status(status or ""),
        reading_text=status,
        bears_on=_claims(words.text("bears_on") or ""),
        relation=words.text("relation"),
        limitations=words.text("limitations"),
        verified=dates.get("verified"),
        verified_text=words.text("verified"),
        accessed=dates.get("accessed"),
        accessed_text=words.text("accessed"),
        markers=find_markers(words.said_outside()),
        group=entry.group,
        overflow=entry.overflow,
        extra=(*lost, *words.extra),
        cells=tuple(entry.cells.items()),
        raw_extra=entry.extra,
        line=entry.line,
        column=entry.column,
    )


class _Words:
    """The plain words of the cells of one entry."""

    def __init__(self, entry: Entry, document: Document) -> None:
        self._entry = entry
        self._document = document

    def text(self, name: str) -> str | None:
        """The words of a field; None when it is empty or absent."""
        return value(plain(self._entry.raw(name), self._document.targets))

    @property
    def extra(self) -> tuple[tuple[str, str], ...]:
        targets = self._document.targets
        return tuple((header, plain(raw, targets)) for header, raw in self._entry.extra)

    def said_outside(self, *names: str) -> str:
        """What all cells but those of some fields say outside of code, with their footnotes.

        Every cell stands on lines of its own.
        """
        raws = [cell.text for name, cell in self._entry.cells.items() if name not in names]
        raws += [raw for _, raw in self._entry.extra] + list(self._entry.overflow)
        labels = [label for raw in raws for label in _NOTE.findall(raw)]
        raws += [self._document.footnotes.get(label, "") for label in labels]
        return "\n".join(plain(raw, self._document.targets, code=False) for raw in raws)


def _claims(text: str) -> tuple[str, ...]:
    """The claims that a cell names: C1–C3; or plain numbers and names, when it holds only such."""
    found = find_ids(text, "C")
    if found or not _TOKENS.fullmatch(text):
        return found
    return tuple(dict.fromkeys(re.split(r"\s*[,;、，；/]\s*", text)))
