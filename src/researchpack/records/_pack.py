"""Records of a pack's own files."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from researchpack.places import Place, Text
from researchpack.problems import Problem
from researchpack.prose import Span
from researchpack.records._bearings import Bearing
from researchpack.records._bibliography import CopyText, Failure, RegistryRecord
from researchpack.records._experiments import NO_LABORATORY, Experiment, Laboratory
from researchpack.records._project import BibEntry, Book

UNREAD = ("yaml.syntax", "yaml.tab", "text.encoding", "text.unreadable")
"""Rules that say that a file, or a part of it, could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """A stretch of lines of the snapshot that must not be re-wrapped."""

    first: Text
    """The exact first line."""
    last: Text
    """The exact last line."""
    kind: Text
    """code, diagram or table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The structure that plain text cannot carry."""

    headings: tuple[Text, ...] = ()
    verbatim: tuple[Verbatim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Researcher:
    """Who did a pass: a role or a name, `UNVERIFIED` when it is not known."""

    name: Text | None = None
    kind: Text | None = None
    """person, model or both."""
    tools: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One research pass, as people state it."""

    date: Text | None
    researcher: Researcher
    read: Text | None
    """SHA-256, in hex, of the snapshot that was read."""
    report: Text | None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFile:
    """`pack.yaml`."""

    id: Text | None = None
    draft: bool = False
    number: Text | None = None
    title: Text | None = None
    slug: Text | None = None
    url: Text | None = None
    pack_url: Text | None = None
    objective: Text | None = None
    questions: tuple[Text, ...] = ()
    notebook_question: Text | None = None
    """What the chapter's notebook answers; else the first of the questions."""
    material: tuple[tuple[Text, Text], ...] = ()
    snapshot_file: Text | None = None
    snapshot_taken: Text | None = None
    snapshot_source: Text | None = None
    snapshot_source_sha256: Text | None = None
    layout: Layout = Layout()
    declared_fingerprint: Text | None = None
    declared_references: Text | None = None
    """`none`, or a number."""
    declared_place: Place | None = None
    declared_from: Text | None = None
    passes: tuple[Pass, ...] = ()
    place: Place


class BlockKind(Enum):
    """What a block of a snapshot is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """One item of a list; its marker belongs to the text."""
    CODE = "code"
    DIAGRAM = "diagram"
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of the snapshot that is shown as one element."""

    kind: BlockKind
    start: int
    """Offset in the snapshot."""
    end: int
    section: str
    """The heading that it stands under; empty before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A chapter revision, never edited."""

    path: str
    """Relative to the project."""
    text: str
    data: bytes
    """The file, byte for byte; published as it is."""
    sha256: str
    fingerprint: str
    """By the named rule of `prose`."""
    blocks: tuple[Block, ...]
    references: int
    """How many entries its list of references has; 0 when it has no such list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One `## ` section of a Markdown file that people write."""

    title: Text
    body: Text
    """Markdown, untrusted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words that should stand in the snapshot."""

    text: Text
    """Without the quotation marks of the cell."""
    marked: str
    """With them; tried when the bare words are not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The cell `Where` of a claim."""

    heading: Text
    which: int | None = None
    """The occurrence that is meant, from 1: `(2 of 3)`."""
    of: int | None = None
    """How many occurrences the author counted: `(2 of 3)`, or `(2 places)` for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One row of the claim audit."""

    id: Text
    cell: Text
    """The claim cell as written."""
    quote: Quote | None
    """None when the cell is a paraphrase."""
    where: Where
    evidence: Text
    concern: Text
    priority: Text
    response: Text
    kinds: tuple[Text, ...] = ()
    verdict: Text | None = None
    """The stated one; the one that is counted."""
    classes: tuple[Text, ...] = ()
    conflicts: tuple[Quote | Text, ...] = ()
    """Passages, and ids of claims."""
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAudit:
    """`claims.md`."""

    claims: tuple[Claim, ...] = ()
    notes: tuple[Text, ...] = ()
    """Markdown outside of the tables, untrusted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """The copy that was read when the address itself was not opened."""

    url: Text | None = None
    file: Text | None = None
    date: Text | None = None
    sha256: Text | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Who compared which fields, and when. A person's statement."""

    by: Text | None = None
    date: Text | None = None
    fields: tuple[Text, ...] = ()
    unverified: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """Why the chapter should have this source."""

    where: Text | None = None
    use: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One work at one address."""

    id: Text
    title: Text | None = None
    type: Text | None = None
    authors: tuple[Text, ...] = ()
    editors: tuple[Text, ...] = ()
    issued: Text | None = None
    container: Text | None = None
    url: Text | None = None
    also: tuple[Text, ...] = ()
    bib: Text | None = None
    others: tuple[tuple[Text, Text], ...] = ()
    """The remaining bibliographic keys in file order: doi, arxiv, isbn, publisher, pages …"""
    reading_status: Text | None = None
    read: Text | None = None
    accessed: Text | None = None
    copy: Copy | None = None
    archive: Text | None = None
    verified: Verified | None = None
    limitations: Text | None = None
    suggested: Suggested | None = None
    bears_on: tuple[Bearing, ...] = ()
    place: Place

    def other(self, key: str) -> str | None:
        """The value of one of the remaining bibliographic keys, or None."""
        return next((value for name, value in self.others if name == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Old words and new ones, or a place and words to insert behind it."""

    old: Text | None = None
    after: Text | None = None
    new: Text
    place: Place

    @property
    def anchor(self) -> Text | None:
        """The exact words of the snapshot that say where the edit is."""
        return self.old if self.old is not None else self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What the researcher recommends. Advice, never a decision."""

    decision: Text | None = None
    reason: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One change of the chapter, accepted or refused as a whole."""

    id: Text
    title: Text | None = None
    kind: Text | None = None
    claims: tuple[Text, ...] = ()
    sources: tuple[Text, ...] = ()
    edits: tuple[Edit, ...] = ()
    reason_no_text: Text | None = None
    rationale: Text | None = None
    tradeoffs: Text | None = None
    depends_on: tuple[Text, ...] = ()
    affects: tuple[Text, ...] = ()
    recommend: Advice | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person decided about a proposal or a claim."""

    target: Text
    decision: Text | None = None
    by: Text | None = None
    date: Text | None = None
    reason: Text | None = None
    of: Text | None = None
    edits: tuple[Edit, ...] = ()
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenPass:
    """The pack.json of the moment at which a pass was closed."""

    name: str
    """Of the file in `passes/`."""
    content: dict[str, Any] | None = field(compare=False)  # a dict cannot be hashed
    """As it was written; None when the file is no JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportResult:
    """A report as it came back, and what became of it."""

    name: str
    """Of the file in `reports/`, such as `2026-11-30-1.md`."""
    data: bytes | None
    """The report, byte for byte; None when it is not there."""
    outcome: str = ""
    """`accepted`, `accepted with errors` or `refused`; empty when no result says so."""
    accepted_by: str | None = None
    """Who took it in although it has errors."""
    sha256: str = ""
    """As the result says it."""
    taken_in: str = ""
    """ISO date, as the result says it."""
    errors: int = 0
    warnings: int = 0
    conflicts: tuple[str, ...] = ()
    """Where people and the report had changed the same words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authored:
    """A file that people wrote, and the stretches of it that are somebody else's words."""

    path: str
    text: str
    quoted: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """One research pack as its files say it, with the problems of reading them."""

    name: str
    """`debugging-ai/39-chapter`."""
    folder: str
    """Relative to the project, with forward slashes."""
    book: Book
    chapter: str
    """The folder's name: `39-chapter`."""
    file: PackFile
    snapshot: Snapshot | None = None
    context: tuple[Section, ...] = ()
    audit: ClaimAudit = ClaimAudit()
    sources: tuple[Source, ...] = ()
    findings: tuple[Section, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    decisions: tuple[Decision, ...] = ()
    bibliography: tuple[BibEntry, ...] = ()
    bibliography_read: bool = True
    """False when the book names a file that is not there or that is no text."""
    records: tuple[RegistryRecord, ...] = ()
    """What registries said about the identifiers of the ledger and the bibliography."""
    failures: tuple[Failure, ...] = ()
    """Registries that could not be asked about an identifier that has no record."""
    max_age: Text | None = None
    """After which time a record counts as old, as the settings say: `30d`."""
    copies: tuple[CopyText, ...] = ()
    """The words of the copies of sources that the ledger names and that are there. They are
    looked into and never published."""
    earlier: tuple[Snapshot, ...] = ()
    """The snapshots that were replaced and are still kept, in the order of their names."""
    frozen: tuple[FrozenPass, ...] = ()
    """The contents of `passes/`, oldest first."""
    reports: tuple[ReportResult, ...] = ()
    """The contents of `reports/`, oldest first."""
    book_file: str = "not compared"
    """The chapter's file in the book against `source_sha256`: also `unchanged`, `changed`."""
    laboratory: Laboratory = NO_LABORATORY
    """The runs of experiments, and what they were made of as it is now."""
    authored: tuple[Authored, ...] = ()
    """The files that people wrote, in the order of reading."""
    files: tuple[tuple[str, bytes], ...] = ()
    """Every file that was read: its name inside the pack, and its bytes."""
    problems: tuple[Problem, ...] = ()

    def path(self, name: str) -> str:
        """The path of one of the pack's files, relative to the project."""
        return f"{self.folder}/{name}" if self.folder else name

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The rows of the audit, in file order."""
        return self.audit.claims

    def is_broken(self, name: str) -> bool:
        """Whether a file could not be read whole, so that what it lacks proves nothing."""
        return any(
            problem.rule in UNREAD and problem.place.path == self.path(name)
            for problem in self.problems
        )
