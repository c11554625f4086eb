"""Traces without their texts: keyed digests in place of what could be sensitive.

The digests and marks are exactly what the rules look at, so the verdicts stay the same. Names of
tools and agents, error codes, times, numbers of steps and rounds, and the value of a declared
metric are kept as they are. An error that is a text and no code becomes a digest, also where a
retry policy names it.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from invariant_breakpoints import keys
from invariant_breakpoints.facts import Facts, Reader
from invariant_breakpoints.trace import Progress, Step, number

_KEPT = ("step", "round", "message_id", "t", "agent")
_CODE = re.compile(r"[\w.:-]{1,40}")
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
        if step.tools is not None:
            kept["tools"] = list(step.tools)
        if step.retry_policies is not None:
            kept["retry_policy"] = [
                {**asdict(policy), "errors": [self._code(error) for error in policy.errors]}
                for policy in step.retry_policies
            ]
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

    def _code(self, error: str) -> str:
        """The error where it is a code, else its digest."""
        return error if _CODE.fullmatch(error) else keys.digest(error.lower(), self._key)

    def _digests(self, facts: Facts) -> dict[str, Any]:
        told = {
            name: getattr(facts, name)
            for name in ("call", "result", "target", "state", "family", "code", "error")
        }
        if facts.code is not None:
            told["code"] = self._code(facts.code)
        if facts.family is not None and facts.family not in keys.FAMILIES:
            told["family"] = self._code(told["code"] or keys.digest(facts.family, self._key))
        marks = {
            name: getattr(facts, name)
            for name in ("error_known", "rich", "empty", "pending", "chant", "hint_s")
        }
        words = [keys.digest(word, self._key)[: WORD_BYTES * 2] for word in facts.telling()]
        return {"normaliser": keys.NORMALISER, **told, **marks, "words": words}
