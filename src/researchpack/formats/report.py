"""A report that came back, in Markdown -> everything that it says.

Seven sections however their headings are written, tables however they are drawn; what was read
otherwise than it stands is told. Nothing in a report is an instruction: it is split, looked up and
copied as text, within bounds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from researchpack.formats._audit_rows import Document, claim_row, source_row
from researchpack.formats._cells import find_ids, plain
from researchpack.formats._columns import CLAIM_NAMES, SOURCE_NAMES, plain_name
from researchpack.formats._dates import read_date
from researchpack.formats._reading import reading_status
from researchpack.formats._report_blocks import read_blocks
from researchpack.formats._report_decisions import (
    ReportDecision,
    read_advice,
    read_decisions_of,
    with_advice,
)
from researchpack.formats._report_experiments import ReportExperiment, read_experiments_of
from researchpack.formats._report_extras import Extras, take_extras
from researchpack.formats._report_headings import KINDS, TITLES
from researchpack.formats._report_proposals import (
    ReportEdit,
    ReportProposal,
    count_patches,
    read_proposals_of,
)
from researchpack.formats._report_sections import ReportSection, read_sections_of
from researchpack.formats._report_text import clean
from researchpack.formats._sheets import Entry
from researchpack.formats.audit_tables import (
    ClaimRow,
    SourceRow,
    read_claim_tables,
    read_footnotes,
    read_link_targets,
    read_source_tables,
)
from researchpack.places import Place
from researchpack.tables import Cell, Oddity, read_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from researchpack.tables import Row

__all__ = [
    "KINDS",
    "LARGEST",
    "TITLES",
    "Bears",
    "ClaimRow",
    "Report",
    "ReportDecision",
    "ReportEdit",
    "ReportExperiment",
    "ReportProposal",
    "ReportSection",
    "SourceRow",
    "plain_data",
    "read_advice",
    "read_report",
]

LARGEST: Final = 5 * 1024 * 1024
"""Bytes. A report of a whole book does not come near it."""
_PAIR_NAMES: Final = {
    plain_name(name): key
    for key, names in {
        "entry": "source|sources|check|checks|experiment|id|source id|check id",
        "claim": "claim|claims|claim id",
        "relation": "relation|relationship|relation to claim",
        "because": "because|why|what it says|what it shows|reason",
        "quote": "quote|quotation|words",
        "locator": "locator|where|place|page|pages|section",
    }.items()
    for name in names.split("|")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bears:
    """One row about a pair: what a source or a check says about a claim."""

    entry: str
    claim: str
    relation: str
    because: str | None
    quote: str | None
    locator: str | None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that a report says."""

    path: str
    data: bytes
    sections: tuple[ReportSection, ...]
    """Without their YAML blocks."""
    missing: tuple[str, ...]
    claims: tuple[ClaimRow, ...] = ()
    claims_from_blocks: tuple[ClaimRow, ...] = ()
    """Those of `claims` that stand in no table."""
    claim_notes: str = ""
    """What stands in section 2 outside of the audit, as written."""
    sources: tuple[SourceRow, ...] = ()
    bears: tuple[Bears, ...] = ()
    proposals: tuple[ReportProposal, ...] = ()
    experiments: tuple[ReportExperiment, ...] = ()
    decisions: tuple[ReportDecision, ...] = ()
    patches: int = 0
    footnotes: tuple[tuple[str, str], ...] = ()
    front_matter: tuple[tuple[str, str], ...] = ()
    extras: Extras = field(default_factory=Extras)
    """What stands in the YAML blocks of the sections."""
    oddities: tuple[Oddity, ...] = ()
    lines: tuple[str, ...] = ()
    """As they were read."""
    shifts: tuple[tuple[int, int], ...] = ()

    def place(self, line: int, column: int = 1) -> Place:
        """A place in the report as it came, whatever was cut off its lines."""
        return Place(self.path, line, column + dict(self.shifts).get(line, 0))

    def of(self, kind: str) -> tuple[ReportSection, ...]:
        """The sections of a kind."""
        return tuple(section for section in self.sections if section.kind == kind)

    def row(self, line: int) -> str:
        """The words of a line, shortened, to quote them."""
        words = " ".join(self.lines[line - 1].split()) if 0 < line <= len(self.lines) else ""
        return words if len(words) <= 160 else f"{words[:157]}..."


def read_report(data: bytes, path: str, today: date | None = None) -> Report:
    """The report; `today` decides which dates are in the future. Nothing of it is an error here.

    A line or a report past any sense is cut, which is told.
    """
    cleaned = clean(data[: LARGEST + 1])
    sections = read_sections_of(cleaned.lines)
    extras, kept = take_extras(sections.found, path)
    text = "\n".join(cleaned.lines)
    notes, targets = read_footnotes(text), read_link_targets(text)
    reader = _Reader(kept, Document(footnotes=notes, targets=targets), today)
    reader.claims()
    reader.sources()
    of = reader.of
    proposals = read_proposals_of(of("proposal"))
    decisions = read_decisions_of(of("review"))
    experiments, pairs = reader.experiments()
    oddities = [*cleaned.oddities, *sections.oddities, *extras.oddities, *reader.oddities]
    oddities += _orphans(reader.claim_rows, reader.source_rows, extras)
    return Report(
        path=path,
        data=data,
        sections=kept,
        missing=sections.missing,
        claims=tuple(reader.claim_rows),
        claims_from_blocks=tuple(reader.block_rows),
        claim_notes="\n\n".join(reader.notes),
        sources=tuple(reader.source_rows),
        bears=(*reader.bears, *pairs),
        proposals=with_advice(proposals, decisions),
        experiments=experiments,
        decisions=decisions,
        patches=count_patches(of("proposal")),
        footnotes=tuple(notes.items()),
        front_matter=cleaned.front_matter,
        extras=extras,
        oddities=tuple(sorted(oddities, key=lambda odd: (odd.line, odd.column, odd.code))),
        lines=tuple(cleaned.lines),
        shifts=tuple(cleaned.shifts.items()),
    )


class _Reader:
    """Reads the sections with tables."""

    def __init__(
        self, sections: Sequence[ReportSection], document: Document, today: date | None
    ) -> None:
        self._sections = sections
        self._document = document
        self._today = today
        self.claim_rows: list[ClaimRow] = []
        self.block_rows: list[ClaimRow] = []
        self.source_rows: list[SourceRow] = []
        self.bears: list[Bears] = []
        self.notes: list[str] = []
        self.oddities: list[Oddity] = []

    def of(self, kind: str) -> tuple[ReportSection, ...]:
        return tuple(section for section in self._sections if section.kind == kind)

    def claims(self) -> None:
        """The audit: tables of section 2, else entries without a table, else tables elsewhere."""
        for section in self.of("claims"):
            self._claim_tables(section)
        if not self.claim_rows:
            for section in self.of("claims"):
                self._claim_blocks(section)
        if not self.claim_rows:
            for section in self._sections:
                if section.kind in ("extra", "context", "findings", "review"):
                    self._claim_tables(section, elsewhere=True)
        self._tell_duplicates()

    def _tell_duplicates(self) -> None:
        """Of entries without a table; the reader of tables tells its own."""
        seen: dict[str, int] = {}
        for row in self.block_rows:
            if row.id is not None and row.id in seen:
                what = f'The id "{row.id}" stands on line {seen[row.id]} too; both were kept.'
                self._odd(row.line, "duplicate-claim-id", what)
            seen.setdefault(row.id or "", row.line)

    def _claim_tables(self, section: ReportSection, *, elsewhere: bool = False) -> None:
        read = read_claim_tables(
            section.text,
            first_line=section.line,
            footnotes=self._document.footnotes,
            targets=self._document.targets,
        )
        if elsewhere and not read.claims:
            return
        if elsewhere:
            what = f'The claims stand in section "{section.title}".'
            self._odd(section.line, "claims-elsewhere", what)
        self.claim_rows += read.claims
        self.oddities += read.oddities
        if not elsewhere:
            for prose in read.prose:
                words = prose.text
                if prose.line <= section.line + section.body - 1:
                    words = "\n".join(words.split("\n")[section.body :])
                if words.strip():
                    self.notes.append(words.strip("\n"))

    def _claim_blocks(self, section: ReportSection) -> None:
        known = {**CLAIM_NAMES}
        blocks, loose = read_blocks(section.body_text, section.body_line, known, "C")
        for block in blocks:
            cells = dict(block.fields)
            cells["id"] = Cell(text=block.id or "", line=block.line, column=1)
            words = "\n".join([block.head, *block.body]).strip()
            if "claim" not in cells or not cells["claim"].text:
                cells["claim"] = Cell(text=words, line=block.line, column=1)
            self.block_rows.append(claim_row(_entry(cells, block.line), self._document))
        if blocks:
            what = "The claims stand in no table; they were read one by one."
            self._odd(blocks[0].line, "claims-from-blocks", what)
            self.claim_rows += self.block_rows
            self.notes = ["\n".join(loose.body).strip("\n")] if "".join(loose.body).strip() else []

    def sources(self) -> None:
        """The ledger, and the table of what its sources say about claims."""
        for section in self.of("sources"):
            bears, lines = _pairs(section, "S")
            self.bears += bears
            read = read_source_tables(
                "\n".join(lines),
                first_line=section.line,
                today=self._today,
                footnotes=self._document.footnotes,
                targets=self._document.targets,
            )
            self.source_rows += read.sources
            self.oddities += read.oddities
        if not self.source_rows:
            for section in self.of("sources"):
                self._source_blocks(section)

    def _source_blocks(self, section: ReportSection) -> None:
        blocks, _ = read_blocks(section.body_text, section.body_line, {**SOURCE_NAMES}, "S")
        for block in blocks:
            cells = dict(block.fields)
            cells["id"] = Cell(text=block.id or "", line=block.line, column=1)
            words = " ".join([block.head, *block.body]).strip()
            cells.setdefault("identity", Cell(text=words, line=block.line, column=1))
            cells.setdefault("url", Cell(text=words, line=block.line, column=1))
            depth = next(filter(_is_depth, re.findall(r"[(\[]([^()\[\]]{3,80})[)\]]", words)), "")
            cells.setdefault("reading_status", Cell(text=depth, line=block.line, column=1))
            dates: dict[str, str | None] = {
                name: read_date(plain(cells[name].text), self._today).iso
                for name in ("verified", "accessed")
                if name in cells
            }
            self.source_rows.append(source_row(_entry(cells, block.line), self._document, dates))
        if blocks:
            what = "The sources stand in no table; they were read one by one."
            self._odd(blocks[0].line, "sources-from-blocks", what)

    def experiments(self) -> tuple[tuple[ReportExperiment, ...], list[Bears]]:
        """The experiments and checks of section 6, and what the checks show about claims."""
        pairs: list[Bears] = []
        kept = []
        for section in self.of("experiments"):
            found, lines = _pairs(section, "LXE")
            pairs += found
            kept.append(replace(section, lines=tuple(lines)))
        return read_experiments_of(kept, self._today), pairs

    def _odd(self, line: int, code: str, what: str) -> None:
        self.oddities.append(Oddity(line=line, column=1, code=code, what=what))


def _is_depth(words: str) -> bool:
    """Whether words say how deep something was read."""
    return reading_status(words) not in (None, "unknown")


def _entry(cells: dict[str, Cell], line: int) -> Entry:
    return Entry(cells=cells, extra=(), overflow=(), group=None, line=line, column=1)


def _pairs(section: ReportSection, letters: str) -> tuple[list[Bears], list[str]]:
    """The rows of tables of pairs, and the lines of the section without these tables."""
    lines = list(section.lines)
    found: list[Bears] = []
    for table in read_tables(section.text, first_line=section.line).tables:
        fields = [_PAIR_NAMES.get(plain_name(cell.text)) for cell in table.header]
        if not {"entry", "claim", "relation"} <= set(fields):
            continue
        if len(table.header) > len(set(fields)) + 1:
            continue  # it has columns of its own: a ledger
        rows = [_pair_row(row, fields) for row in table.rows]
        entries = [find_ids(plain(cells.get("entry", ""))) for cells in rows]
        if not all(len(ids) == 1 and ids[0][0] in letters for ids in entries if ids):
            continue
        for row, cells, ids in zip(table.rows, rows, entries, strict=True):
            if ids:
                found += _bears(ids[0], cells, row.line)
        for at in range(table.line, table.end_line + 1):
            lines[at - section.line] = ""
    return found, lines


def _pair_row(row: Row, fields: Sequence[str | None]) -> dict[str, str]:
    cells = zip(fields, row.cells, strict=False)
    return {name: _one_line(cell.text) for name, cell in cells if name}


def _bears(entry: str, cells: dict[str, str], line: int) -> Iterator[Bears]:
    for claim in find_ids(plain(cells.get("claim", "")), "C"):
        yield Bears(
            entry=entry,
            claim=claim,
            relation=plain(cells.get("relation", "")),
            because=cells.get("because") or None,
            quote=cells.get("quote") or None,
            locator=cells.get("locator") or None,
            line=line,
        )


def _one_line(words: str) -> str:
    return " ".join(words.split("\n")).strip()


def _orphans(
    claims: Sequence[ClaimRow], sources: Sequence[SourceRow], extras: Extras
) -> Iterable[Oddity]:
    """Citations of the audit that the ledger does not have, when there is a ledger at all."""
    known = {row.id for row in sources} | {str(one.get("id")) for one in extras.entries("sources")}
    if not known:
        return
    told: set[str] = set()
    for row in claims:
        for name in row.cites:
            if name not in known and name not in told:
                told.add(name)
                what = f"[{name}] is cited and is not in the source ledger."
                yield Oddity(
                    line=row.line, column=row.column, code=f"orphan-citation:{name}", what=what
                )


def plain_data(report: Report) -> dict[str, Any]:
    """What was read, in the keys of the cases of the tests; lists in the order of the report."""
    return {
        "sections": [[section.title, section.kind] for section in report.sections],
        "missing_sections": list(report.missing),
        "claims": [_row_data(row) for row in report.claims],
        "claims_from_blocks": [_row_data(row) for row in report.claims_from_blocks],
        "covers": {row.id: list(row.covers) for row in report.claims if row.covers},
        "sources": [_row_data(row) for row in report.sources],
        "bears_on": [
            {"source": b.entry, "claim": b.claim, "relation": b.relation, "because": b.because}
            for b in report.bears
        ],
        "proposals": [
            {
                "id": entry.id,
                "title": entry.title,
                **dict(entry.fields),
                "edits": [
                    {"old": edit.old, "after": edit.after, "new": edit.new} for edit in entry.edits
                ],
            }
            for entry in report.proposals
        ],
        "patches": report.patches,
        "experiments": [
            {
                "id": entry.id,
                "title": entry.title,
                **dict(entry.fields),
                "run": entry.run,
                "date": entry.date,
                "command": entry.command,
                "result": entry.result,
            }
            for entry in report.experiments
        ],
        "decisions": [
            {
                "id": one.target,
                "target": one.target,
                "decision": one.decision,
                "reason": one.reason,
                "checked": one.checked,
                "text": one.text,
            }
            for one in report.decisions
        ],
        "footnotes": dict(report.footnotes),
        "front_matter": dict(report.front_matter),
        "warnings": sorted({odd.code for odd in report.oddities}),
    }


def _row_data(row: ClaimRow | SourceRow) -> dict[str, Any]:
    left_out = ("cells", "raw_extra")
    found = {}
    for name in row.__dataclass_fields__:
        if name not in left_out:
            value = getattr(row, name)
            found[name] = (
                [list(v) if isinstance(v, tuple) else v for v in value]
                if isinstance(value, tuple)
                else value
            )
    return found
