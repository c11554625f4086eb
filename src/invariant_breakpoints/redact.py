"""Traces without their texts: keyed digests in place of what could be sensitive.

The digests and marks are exactly what the rules look at, so the verdicts stay the same. Tool names,
error codes, times, step numbers and the value of a declared metric are kept as they are.
"""

from __future__ import annotations

from typing import Any

from invariant_breakpoints import keys
from invariant_breakpoints.facts import Facts, Reader
from invariant_breakpoints.trace import Progress, Step, number

_KEPT = ("step", "round", "message_id", "t", "agent", "retry_policy", "tools")
WORD_BYTES = 8
KEY_LIMIT = 64
"""Bytes of a key; the digest takes no more."""


class Redactor:
    """Redacts the steps of one run, in their order."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._reader = Reader(key)
        self._progress: Progress | None = None

    def redact(self, raw: dict[str, Any], step: Step, index: int) -> dict[str, Any]:
        """The step as a JSON object without texts."""
        facts = self._reader.facts(step, index if step.step is None else step.step)
        kept = {name: raw[name] for name in _KEPT if name in raw}
        kept["tool"] = facts.tool or None
        if step.lease is not None:
            owner = keys.digest(step.lease.owner, self._key)
            kept["lease"] = {**raw["lease"], "owner": owner}
        self._progress = step.progress or self._progress
        if self._progress is not None:
            kept["progress"] = self._metric(self._progress, step)
        kept["digests"] = self._digests(facts)
        return kept

    def _metric(self, declared: Progress, step: Step) -> dict[str, Any]:
        state = step.state if isinstance(step.state, dict) else {}
        value = step.progress.value if step.progress is not None else None
        return {
            "name": declared.name,
            "better": "higher" if declared.higher_is_better else "lower",
            "value": number(state.get(declared.name)) if value is None else value,
        }

    def _digests(self, facts: Facts) -> dict[str, Any]:
        told = {
            name: getattr(facts, name)
            for name in ("call", "result", "target", "state", "family", "code", "error")
        }
        marks = {
            name: getattr(facts, name)
            for name in ("error_known", "rich", "empty", "pending", "chant", "hint_s")
        }
        words = [keys.digest(word, self._key)[: WORD_BYTES * 2] for word in facts.telling()]
        return {"normaliser": keys.NORMALISER, **told, **marks, "words": words}
