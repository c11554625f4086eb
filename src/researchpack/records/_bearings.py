"""What something says about a claim: sources and experiments share it."""

from __future__ import annotations

from dataclasses import dataclass

from researchpack.places import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """What a source or a check says about one claim."""

    claim: Text
    relation: Text
    because: Text | None = None
    quote: Text | None = None
    locator: Text | None = None
