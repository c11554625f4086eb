"""One format a file: each turns what a harness wrote into runs of the trace model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters import (
    anthropic_messages,
    langsmith,
    mini_swe_agent,
    openai_messages,
    openhands,
    otel,
    plain,
    swe_agent,
)

if TYPE_CHECKING:
    from invariant_breakpoints.adapters._shared import Adapter

ADAPTERS = (
    plain.ADAPTER,
    swe_agent.ADAPTER,
    mini_swe_agent.ADAPTER,
    openhands.ADAPTER,
    anthropic_messages.ADAPTER,
    otel.ADAPTER,
    langsmith.ADAPTER,
    openai_messages.ADAPTER,
)
"""In the order in which a file is tried: the more telling formats first."""

BY_NAME = {adapter.name: adapter for adapter in ADAPTERS}


def recognise(document: Any) -> Adapter | None:
    """The first adapter that knows the document, or None."""
    return next((adapter for adapter in ADAPTERS if adapter.accepts(document)), None)
