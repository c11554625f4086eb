"""Records of what is worked out about a pack."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from researchpack.problems import Problem
from researchpack.prose import Span
from researchpack.records._bearings import Bearing
from researchpack.records._bibliography import FieldCheck, QuoteCheck, Work
from researchpack.records._experiments import Experiment, ExperimentView, RunStatus
from researchpack.records._pack import (
    Authored,
    Claim,
    Decision,
    Edit,
    Pack,
    Proposal,
    Snapshot,
    Source,
)
from researchpack.records._project import BibEntry, Settings, Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """The words stand there."""

    spans: tuple[Span, ...]
    """Offsets in the snapshot; more than one when all places are meant, or for a quote in parts."""
    how: str
    """`exact`; `normalised`: the same words in different marks; `moved`: in another section, or
    in another surrounding; `multipart`: a quote that leaves something out, part by part."""
    among: int | None = None
    """Under how many places of the same heading they were picked; None where nobody counted."""


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
    """Per entry of `claim.conflicts`; None for an id of a claim, and for a passage that stood in
    an earlier revision and does not stand in this one."""
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
    experiments: tuple[ExperimentView, ...] = ()
    """Every experiment and check, in file order."""
    decisions: tuple[tuple[str, Decision], ...] = ()
    """Per target, the last entry."""
    coverage: Coverage = Coverage()
    base: Snapshot | None = None
    """The revision that the last pass read, when it is another one than this and is kept."""
    delta: Delta | None = None
    """What changed since the last frozen pass; None when there is none."""
    target_states: tuple[tuple[str, str], ...] = ()
    """Per proposal and claim the eight hex digits that a decision on it would carry as `of`."""
    reproduced_as: str | None = None
    """The rule that reproduces the declared fingerprint; None when there is none."""
    fingerprints_tried: tuple[str, ...] = ()
    """Names of the rules that were tried."""
    works: tuple[Work, ...] = ()
    """Every source of the ledger, with what its .bib entry adds, then the entries of the
    bibliography that no source points at."""
    field_checks: tuple[tuple[str, tuple[FieldCheck, ...]], ...] = ()
    """Per work, in the order of `works`: its id, and every field that it states against the
    records. A field without a record says why: `not asked yet`, `no identifier` …"""
    quote_checks: tuple[QuoteCheck, ...] = ()
    """Every quote of the ledger against the copy of its source, in file order."""

    def claim(self, claim_id: str) -> ClaimView | None:
        """The first claim with this id."""
        return next((view for view in self.claims if view.claim.id == claim_id), None)

    @property
    def statuses(self) -> tuple[tuple[str, RunStatus], ...]:
        """Per experiment and check."""
        return tuple((str(one.experiment.id), one.status) for one in self.experiments)

    def status(self, experiment_id: str) -> RunStatus:
        """The worked-out status."""
        return dict(self.statuses)[experiment_id]

    def experiment(self, experiment_id: str) -> ExperimentView | None:
        """The first experiment or check with this id."""
        return next((one for one in self.experiments if one.experiment.id == experiment_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything below one project folder that the tool reads."""

    settings: Settings
    vocabulary: Vocabulary
    packs: tuple[Pack, ...]
    problems: tuple[Problem, ...] = ()
    """Of the files that belong to no single pack."""
    authored: tuple[Authored, ...] = ()
    """Those of these files that people wrote."""
    bibliographies: tuple[tuple[str, tuple[BibEntry, ...]], ...] = ()
