"""The trace model itself, one JSON object a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import Adapter, Steps, dicts

if TYPE_CHECKING:
    from collections.abc import Iterator


def _accepts(document: Any) -> bool:
    entries = dicts(document)
    return bool(entries) and ("tool" in entries[0] or "digests" in entries[0])


def _runs(document: Any) -> Iterator[Steps]:
    yield list(document)


ADAPTER = Adapter(
    name="jsonl",
    about="JSON Lines of the trace model (trace.schema.json)",
    lacks=(),
    accepts=_accepts,
    runs=_runs,
)
