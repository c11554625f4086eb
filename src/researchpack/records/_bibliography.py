"""Records of the bibliography: identifiers, what registries said, and how it compares."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from researchpack.places import Place, Text
from researchpack.problems import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifier:
    """A well-formed identifier in its normal form."""

    scheme: str
    """doi, arxiv, isbn, pmid or url."""
    value: str
    """DOI in lower case without a resolver; arXiv id without version and archive prefix as its
    form asks; ISBN-13 without hyphens; digits of a PMID; a URL without fragment and tracking."""
    version: int | None = None
    """Of an arXiv id, `v2`."""
    written: Text
    """As the author wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A person, or a body in `literal`."""

    family: str = ""
    given: str = ""
    particle: str = ""
    """von, de la …; CSL: non-dropping particle."""
    suffix: str = ""
    literal: str = ""
    """A collective, or a name that cannot be taken apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an author says about a work: an entry of a ledger or of a .bib file, in one shape."""

    id: Text
    """`S2`, or the key of the .bib entry."""
    type: Text | None = None
    """Ledger word (`article`, `preprint`, `book` …); .bib types are translated to it."""
    title: Text | None = None
    subtitle: Text | None = None
    authors: tuple[Text, ...] = ()
    """As written, one name each; LaTeX of .bib entries is decoded."""
    editors: tuple[Text, ...] = ()
    issued: Text | None = None
    container: Text | None = None
    publisher: Text | None = None
    volume: Text | None = None
    issue: Text | None = None
    pages: Text | None = None
    edition: Text | None = None
    identifiers: tuple[Identifier, ...] = ()
    """The best first: DOI, arXiv, ISBN, PMID, URL; none from an abstract or a note."""
    accessed: Text | None = None
    entry: Text | None = None
    """The key of its .bib entry; for a source of a ledger, that of the entry behind it."""
    same_as: tuple[Text, ...] = ()
    """Ids or keys of entries that are meant to be the same work: `same_work_as`."""
    problems: tuple[Problem, ...] = ()
    """What is wrong with the way in which its identifiers and names are written."""
    place: Place


class NoticeKind(Enum):
    """What a notice says about a work; the names are Crossref's."""

    RETRACTION = "retraction"
    PARTIAL_RETRACTION = "partial_retraction"
    WITHDRAWAL = "withdrawal"
    REMOVAL = "removal"
    EXPRESSION_OF_CONCERN = "expression_of_concern"
    CORRECTION = "correction"
    """Also erratum, corrigendum, addendum, clarification."""
    NEW_VERSION = "new_version"
    """Also new edition."""
    UNKNOWN = "unknown"
    """A type that the registry has added since; its name is the label. Never taken for harmless."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that happened to a work after it was published."""

    kind: NoticeKind
    doi: str | None = None
    """Of the notice."""
    date: str | None = None
    """ISO, precision kept."""
    source: str | None = None
    """`publisher`, `retraction-watch`, `arxiv`."""
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryRecord:
    """What one registry said about one identifier: `bib/records/<scheme>/<id>.json`."""

    scheme: str
    id: str
    registry: str
    """crossref, datacite, arxiv, openlibrary, doi (the agency is known and its metadata is not
    read), page for a page's own metadata, or wayback."""
    found: bool
    """False when the registry answered and does not know the identifier. A registry that could
    not be asked leaves no record, or yesterday's."""
    request: str
    """The address that was asked, without contact or keys."""
    retrieved_at: str
    """ISO time in UTC at which this content was first seen."""
    checked_at: str
    """ISO time in UTC of the last answer; only this changes when the content is the same."""
    status: int
    sha256: str
    """Of the body."""
    redirects: tuple[str, ...] = ()
    """The addresses on the way, the last one the final address."""
    type: str | None = None
    """CSL type."""
    title: str | None = None
    """Main title as plain text; markup undone, mathematics and scripts kept."""
    subtitle: str | None = None
    short_title: str | None = None
    original_title: str | None = None
    authors: tuple[Name, ...] = ()
    editors: tuple[Name, ...] = ()
    years: tuple[tuple[str, str], ...] = ()
    """ISO dates with precision kept by kind: issued, print, online, issue, posted, submitted."""
    containers: tuple[str, ...] = ()
    """Every title of the container, short ones last."""
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """Or the article number."""
    publisher: str | None = None
    isbn: tuple[str, ...] = ()
    issn: tuple[str, ...] = ()
    doi: str | None = None
    url: str | None = None
    """Where the registry sends readers."""
    version: int | None = None
    """The newest arXiv version."""
    asked_version: int | None = None
    """The arXiv version that this record is about, when the identifier names one; None when it is
    about the newest."""
    notices: tuple[Notice, ...] = ()
    is_notice_for: tuple[str, ...] = ()
    """DOIs of the works that this work is a notice about."""
    published_as: tuple[str, ...] = ()
    """DOIs of the published versions of a preprint."""
    archive: str | None = None
    """An archived copy near the access date."""
    archived_at: str | None = None
    remark: str | None = None
    """For a page: `soft 404`, `redirects to a home page`; for a DOI of another agency its name; for
    arXiv and doi.org what they say is wrong with the identifier; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A registry that could not be asked, for as long as there is no record:
    `bib/records/unreachable/<scheme>/<id>.json`. It says nothing about the work."""

    scheme: str
    id: str
    registry: str
    request: str
    at: str
    """ISO time in UTC of the last attempt."""
    reason: str
    """Words that follow the name of the registry: `it answered 503`."""
    asked_version: int | None = None


class FieldState(Enum):
    """Could not look never counts as agrees."""

    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not confirmed"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCheck:
    """One field of one work against one registry record."""

    field: str
    """title, authors, issued, container, volume, issue, pages, publisher, isbn …"""
    state: FieldState
    ours: str | None
    theirs: str | None
    """The registry's value as it would be shown; None when it has none."""
    offer: tuple[str, ...] = ()
    """What would be written in the place of ours if the registry is right: one value, or one a
    name; empty when it cannot be told."""
    why: str | None = None
    """For `not confirmed`: not asked yet, no identifier, not in the registry, type not covered,
    field absent there, uncertain form. For `contradicted` and `confirmed`: what kind of
    difference, such as `print year`, `given name`, `initials`; else None."""
    rule: str = "meta.title"
    """The name of the rule under which a problem is reported."""
    registry: str | None = None
    checked_at: str | None = None
    place: Place
    """Of our value; of the entry when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyText:
    """The words of a local copy of a source, in `copies/`: looked into, never published."""

    file: str
    """The name inside `copies/`."""
    kind: str
    """text, html or pdf."""
    text: str | None
    """None when no words could be read; `reason` says why."""
    reason: str | None = None
    """Why there is no text, or what of it is missing."""
    partial: bool = False
    """Whether a limit cut it short."""
    sha256: str
    """Of the file."""


class QuoteState(Enum):
    """Whether the words of a quote stand in the copy. Says nothing about what they prove."""

    VERBATIM = "verbatim"
    NORMALISED = "normalised"
    NOT_FOUND = "not found"
    NOT_CHECKABLE = "not checkable"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCheck:
    """One quote of one source against the copy of that source."""

    source: str
    claim: str
    quote: Text
    state: QuoteState
    why: str | None = None
    """For `not checkable`: no copy is named, there is no such file, encrypted …; for `normalised`
    what had to be read otherwise; else None."""
    copy: str | None = None
    """The file that was searched."""
    lines: int = 0
    """How many lines of it were searched."""
    partial: bool = False
    """Whether the copy does not hold the whole work, so that what is not found proves nothing."""
    nearest: str | None = None
    """The passage that resembles a quote that is not found: offered, never adopted."""
