"""The verdict that follows from the recorded evidence of a claim.

Whether a registry was asked plays no part, and a source that is silent never counts for or
against.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from researchpack.records import Bearing, Claim, Experiment, Source

CONTRADICTED: Final = "contradicted"
INCONSISTENT: Final = "internally inconsistent"
QUALIFIED: Final = "qualified"
SUPPORTED: Final = "supported"
UNVERIFIED: Final = "unverified"
NOT_NEEDED: Final = "no source needed"
UNSUPPORTED: Final = "unsupported"

SEVERITY: Final = (
    CONTRADICTED,
    INCONSISTENT,
    UNSUPPORTED,
    QUALIFIED,
    UNVERIFIED,
    SUPPORTED,
    NOT_NEEDED,
)
"""From what needs the author most to what needs nothing."""

AGAINST: Final = ("contradicts", "supersedes")
WEAKENING: Final = ("qualifies", "limitation")
FOR: Final = ("supports", "extends", "empirical_evidence")
READ: Final = ("full_text", "partial_text", "excerpt", "abstract_only")
"""Reading states in which at least the abstract, or a piece of the text, was read."""
OWN_KINDS: Final = ("opinion", "definition", "own method", "scope", "status")

Sources = tuple[tuple[Source, Bearing], ...]
Checks = tuple[tuple[Experiment, Bearing], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """What the rules look at."""

    claim: Claim
    sources: Sources
    checks: Checks

    def from_sources(self, relations: tuple[str, ...]) -> list[str]:
        """The ids of the sources that stand in one of `relations` to the claim."""
        return [str(s.id) for s, bearing in self.sources if bearing.relation in relations]

    def from_checks(self, *relations: str) -> list[str]:
        """The ids of the checks that stand in one of `relations` to the claim."""
        return [str(c.id) for c, bearing in self.checks if bearing.relation in relations]


def derive(claim: Claim, sources: Sources, checks: Checks) -> tuple[str, str]:
    """The derived verdict, and which rule gave it with the ids that take part."""
    case = _Case(claim=claim, sources=sources, checks=checks)
    for verdict, rule in RULES:
        because = rule(case)
        if because:
            return verdict, because
    return UNSUPPORTED, "no recorded evidence supports it"


def _contradicted(case: _Case) -> str | None:
    ids = case.from_sources(AGAINST) + case.from_checks("contradicts")
    return f"contradicted by {', '.join(ids)}" if ids else None


def _inconsistent(case: _Case) -> str | None:
    ids = case.from_checks("inconsistent")
    if ids:
        return f"inconsistent by {', '.join(ids)}"
    return "in conflict with another passage of the chapter" if case.claim.conflicts else None


def _qualified(case: _Case) -> str | None:
    ids = case.from_sources(WEAKENING) + case.from_checks(*WEAKENING)
    return f"qualified or limited by {', '.join(ids)}" if ids else None


def _supported(case: _Case) -> str | None:
    ids = [
        *(str(s.id) for s, b in case.sources if b.relation in FOR and s.reading_status in READ),
        *case.from_checks("supports"),
    ]
    return f"supported by {', '.join(ids)}" if ids else None


def _unverified(case: _Case) -> str | None:
    speaking = [s for s, bearing in case.sources if bearing.relation != "silent"]
    unread = [str(s.id) for s in speaking if s.reading_status not in READ]
    if unread and len(unread) == len(speaking) and not case.checks:
        return f"nobody could read {', '.join(unread)} itself"
    if "cross-reference" in case.claim.kinds:
        return "a cross-reference to a text that was not read"
    return None


def _not_needed(case: _Case) -> str | None:
    own = [str(kind) for kind in case.claim.kinds if kind in OWN_KINDS]
    return f"no evidence decides it, and its kind is {', '.join(own)}" if own else None


RULES: Final[tuple[tuple[str, Callable[[_Case], str | None]], ...]] = (
    (CONTRADICTED, _contradicted),
    (INCONSISTENT, _inconsistent),
    (QUALIFIED, _qualified),
    (SUPPORTED, _supported),
    (UNVERIFIED, _unverified),
    (NOT_NEEDED, _not_needed),
)
"""In the order of the format's description: the first that holds decides."""


def agree(stated: str | None, derived: str) -> bool:
    """Whether the two say the same; `no source needed` agrees with a stated `supported`."""
    return stated == derived or (derived == NOT_NEEDED and stated == SUPPORTED)


def milder(stated: str, derived: str) -> bool:
    """Whether the stated verdict is milder than what follows from the evidence."""
    if stated not in SEVERITY:
        return False
    return SEVERITY.index(stated) > SEVERITY.index(derived)
