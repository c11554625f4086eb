"""Every record that passes between the readers, the checks, the pages and the exports.

All are frozen. Words that people wrote are `Text`, so that whatever is wrong with them can be
shown where it stands. A field that is not in the file is None or an empty tuple.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from researchpack.places import Place, Text
from researchpack.problems import Problem
from researchpack.prose import Span

UNREAD = ("yaml.syntax", "yaml.tab", "text.encoding", "text.unreadable")
"""Rules that say that a file, or a part of it, could not be read."""

# --- the project ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`research/settings.yaml`."""

    contact: Text | None = None
    registries: tuple[tuple[Text, Text], ...] = ()
    """Name and base address."""
    cache: tuple[tuple[Text, Text], ...] = ()
    """`backend` and `folder`."""
    max_age: Text | None = None
    """Of a registry record before it counts as old, such as `30d`."""
    allow_private_hosts: tuple[Text, ...] = ()
    book_folders: tuple[tuple[Text, Text], ...] = ()
    """Book id, and the folder outside the project in which its chapters are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """`research/vocabulary.yaml`: known values and their labels, by list name, in file order.

    Open: an unknown value passes through with a warning.
    """

    lists: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    def known(self, name: str) -> tuple[str, ...]:
        """The values of list `name`, in order; empty when there is no such list."""
        return tuple(value for value, _ in dict(self.lists).get(name, ()))

    def label(self, name: str, value: str) -> str:
        """The label of `value` in list `name`; the value itself when it has none."""
        return dict(dict(self.lists).get(name, ())).get(value, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """`book.yaml`."""

    id: str
    """The folder's name when the file gives none."""
    title: str
    url: Text | None = None
    bibliography: Text | None = None
    """A `.bib` file, relative to the project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BibEntry:
    """One entry of a `.bib` file, as far as this version reads it."""

    key: Text
    type: str


# --- the pack's own files ---------------------------------------------------------------------


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
class Bearing:
    """What a source or a check says about one claim."""

    claim: Text
    relation: Text
    because: Text | None = None
    quote: Text | None = None
    locator: Text | None = None


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
class Prediction:
    """What was expected, and when that was written down."""

    text: Text
    written: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A person's statement that something was run elsewhere."""

    by: Text | None = None
    date: Text | None = None
    command: Text | None = None
    outcome: Text | None = None
    output: Text | None = None
    place: Place


class RunStatus(Enum):
    """Worked out, never typed."""

    UNRUN = "UNRUN"
    REPORTED = "REPORTED"
    RUN = "RUN"
    STALE = "STALE"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """An experiment (`X1`) or a local check (`L1`)."""

    id: Text
    title: Text | None = None
    question: Text | None = None
    method: Text | None = None
    predictions: tuple[Prediction, ...] = ()
    success: Text | None = None
    failure: Text | None = None
    command: tuple[Text, ...] = ()
    inputs: tuple[Text, ...] = ()
    reported: Reported | None = None
    bears_on: tuple[Bearing, ...] = ()
    place: Place

    @property
    def is_check(self) -> bool:
        """Arithmetic, or a property of the chapter's own text or code."""
        return self.id.startswith("L")


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
    content: dict[str, Any] | None
    """As it was written; None when the file is no JSON object."""


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
    earlier: tuple[Snapshot, ...] = ()
    """The snapshots that were replaced and are still kept, in the order of their names."""
    frozen: tuple[FrozenPass, ...] = ()
    """The contents of `passes/`, oldest first."""
    book_file: str = "not compared"
    """The chapter's file in the book against `source_sha256`: also `unchanged`, `changed`."""
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


# --- what is worked out -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """The words stand there."""

    spans: tuple[Span, ...]
    """Offsets in the snapshot; more than one when all places are meant, or for a quote in parts."""
    how: str
    """`exact`; `normalised`: the same words in different marks; `moved`: in another section, or
    in another surrounding; `multipart`: a quote that leaves something out, part by part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordChange:
    """One stretch of words that was replaced, dropped or added."""

    old: str
    new: str
    raised: str | None
    """`negation`, `number`, `unit` or `modal` when such a word changed; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The passage is still there and reads differently."""

    spans: tuple[Span, ...]
    changes: tuple[WordChange, ...]
    """Raised ones first, then in the order of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """Of a quote that leaves something out, only some parts stand there."""

    spans: tuple[Span, ...]
    missing: tuple[str, ...]
    """The parts that do not, normalised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguous:
    """The words stand in several places, and the author has not said which one is meant."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The words do not stand there."""

    elsewhere: tuple[Span, ...] = ()
    """Where they stand outside of the section that the author named."""
    nearest: Span | None = None
    """The passage that resembles them most: offered, never adopted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrase:
    """The cell is no quotation, so it is anchored nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSnapshot:
    """There is no chapter to look into."""


Standing = Anchored | Changed | Partial | Ambiguous | Lost | Paraphrase | NoSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEdit:
    """An edit and where it would be made."""

    proposal: str
    edit: Edit
    span: Span | None
    """What is replaced, or the empty stretch at which is inserted; None when it cannot be told."""
    occurrences: int
    applied: bool = False
    """Whether the chapter reads so already, in a revision later than the one it was written for."""
    earlier: bool = False
    """Whether its place is in the revision that the last pass read and no longer in this one."""


class State(Enum):
    """Of a pack, worked out."""

    NEVER_RESEARCHED = "NEVER_RESEARCHED"
    CURRENT = "CURRENT"
    STALE = "STALE"
    FAILED_LATEST = "FAILED_LATEST"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of the snapshot that no claim touches."""

    span: Span
    section: str
    why: tuple[str, ...]
    """What it holds that ought to be audited: figure, citation, absolute word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the chapter was audited."""

    sentences: int = 0
    untouched: tuple[Sentence, ...] = ()
    """Those that no claim touches, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """A claim and everything that is known about it."""

    claim: Claim
    standing: Standing
    conflicts: tuple[Standing | None, ...]
    """Per entry of `claim.conflicts`; None for an id of a claim."""
    stated: str | None
    derived: str
    derived_because: str
    """Which rule gave the derived verdict, and through which ids."""
    agrees: bool
    """Whether stated and derived verdict say the same."""
    evidence: tuple[tuple[Source, Bearing], ...] = ()
    checks: tuple[tuple[Experiment, Bearing], ...] = ()
    proposals: tuple[Proposal, ...] = ()
    settled_by: tuple[str, ...] = ()
    """Accepted proposals that replace its passage, and those that the chapter has taken over."""
    old_passage: str | None = None
    """What the last pass read, when the passage no longer stands so."""
    disputed: Decision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """What changed from one pass to another: ids, in order."""

    since: str
    """The id of the earlier pass."""
    claims_added: tuple[str, ...] = ()
    claims_changed: tuple[str, ...] = ()
    claims_removed: tuple[str, ...] = ()
    claims_settled: tuple[str, ...] = ()
    relations_reused: int = 0
    """Pairs of claim and source whose words are the same."""
    relations_revalidated: tuple[str, ...] = ()
    """Pairs that say something else, or whose source was read again: `C56-S2`."""
    relations_added: tuple[str, ...] = ()
    relations_removed: tuple[str, ...] = ()
    sources_added: tuple[str, ...] = ()
    sources_removed: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed: a pass that found nothing new is a pass."""
        return not any(
            (
                self.claims_added,
                self.claims_changed,
                self.claims_removed,
                self.claims_settled,
                self.relations_revalidated,
                self.relations_added,
                self.relations_removed,
                self.sources_added,
                self.sources_removed,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A pack with everything that row 6 works out: what checks, pages and exports receive."""

    pack: Pack
    vocabulary: Vocabulary
    today: str
    """ISO date by which dates are judged; never printed."""
    state: State
    state_reasons: tuple[str, ...] = ()
    claims: tuple[ClaimView, ...] = ()
    edits: tuple[PlacedEdit, ...] = ()
    statuses: tuple[tuple[str, RunStatus], ...] = ()
    """Per experiment and check."""
    decisions: tuple[tuple[str, Decision], ...] = ()
    """Per target, the last entry."""
    coverage: Coverage = Coverage()
    base: Snapshot | None = None
    """The revision that the last pass read, when it is another one than this and is kept."""
    delta: Delta | None = None
    """What changed since the last frozen pass; None when there is none."""
    reproduced_as: str | None = None
    """The rule that reproduces the declared fingerprint; None when there is none."""
    fingerprints_tried: tuple[str, ...] = ()
    """Names of the rules that were tried."""

    def claim(self, claim_id: str) -> ClaimView | None:
        """The first claim with this id."""
        return next((view for view in self.claims if view.claim.id == claim_id), None)

    def status(self, experiment_id: str) -> RunStatus:
        """The worked-out status."""
        return dict(self.statuses)[experiment_id]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything below one project folder that the tool reads."""

    settings: Settings
    vocabulary: Vocabulary
    packs: tuple[Pack, ...]
    problems: tuple[Problem, ...] = ()
    """Of the files that belong to no single pack."""
    bibliographies: tuple[tuple[str, tuple[BibEntry, ...]], ...] = field(default=())
