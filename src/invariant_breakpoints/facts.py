"""What the detector knows of a step: digests and a few marks, never the texts themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from invariant_breakpoints import chant, keys
from invariant_breakpoints.trace import MISSING, BadStep, Step

TOOL, TALK, THINK, COMPACT, GUARD = "tool", "talk", "think", "compact", "guard"
RICH = 40
"""Characters from which two equal results are hardly equal by chance (`ok`, `[]`, `0` are)."""

_KINDS = {
    TALK: "respond reply message say ask ask_user speak send_message_to_user",
    THINK: "think thought plan replan reflect reason reasoning assistant_text assistant_message",
    COMPACT: "compact compaction condense condensation compact_context summarize_context",
}
_KIND = {name: kind for kind, listed in _KINDS.items() for name in listed.split()}
_GUARDED = re.compile(r"^permission\b|doom_?loop|loop_?(guard|warning|detect)|stuck_?detect", re.I)
_ACTING = keys.names("click clicked tap tapped press pressed type typed fill filled toggle")
_PENDING = keys.names(
    "running pending queued busy in_progress in-progress waiting processing started scheduled "
    "building starting not_ready inprogress active"
)
_PENDING_TEXT = re.compile(
    r"still running|in progress|\bpending\b|\bqueued\b|\bwaiting\b|\bbusy\b|not ready"
    r"|\bprocessing\b|^\W*running\W*$",
    re.IGNORECASE,
)
_IDLE = keys.names("sleep wait wait_for idle pause")
_EMPTY = re.compile(r"^\W*(|null|none|0|no (results?|matches|match|data)( found)?)\W*$", re.I)
_HINT = re.compile(r"retry[-_ ]?(?:after|delay|in)\D{0,4}(\d+(?:\.\d+)?)", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Facts:
    """One step as the rules see it. Two equal digests mean: the same thing, as normalised."""

    step: int
    kind: str
    tool: str
    call: str | None = None
    """Digest of tool and arguments; None when the trace does not say what was asked."""
    result: str | None = None
    """Digest of the result; None when the trace does not say what came back."""
    target: str | None = None
    state: str | None = None
    family: str | None = None
    """The error family of a failed call."""
    code: str | None = None
    error: str | None = None
    """Digest of the error text, numbers kept: in some errors the number is the progress."""
    error_known: bool = True
    rich: bool = False
    empty: bool = False
    pending: int = 0
    """0: no; 1: the text sounds so; 2: a status field says so."""
    chant: int = 0
    """How often one phrase is repeated without a break inside the text."""
    hint_s: float = 0.0
    words: tuple[str, ...] | None = None
    """The telling words, when a redacted trace brings them along."""
    source: Any = field(default=None, repr=False)
    """What the words are taken from, when they are needed."""

    def telling(self) -> tuple[str, ...]:
        """The telling words of the call or the text; worked out once, and only on suspicion."""
        if self.words is None:
            self.words = keys.words(self.source)
            self.source = None
        return self.words

    @property
    def failed(self) -> bool:
        return self.family is not None

    @property
    def pair(self) -> str:
        """Call and result as one key, 64 bits of each."""
        return f"{(self.call or '')[:16]}{(self.result or '')[:16]}"


def kind_of(tool: str) -> str:
    """What sort of step a tool name stands for: an action, talk, thought, compaction or guard."""
    name = tool.lower()
    if _GUARDED.search(name):
        return GUARD
    return _KIND.get(name) or _KIND.get(re.split(r"[./:]", name)[-1], TOOL)


def _words_of(tool: str) -> list[str]:
    return re.split(r"[^a-z]+", tool.lower())


def _acts(tool: str) -> bool:
    return not _ACTING.isdisjoint(_words_of(tool))


def _status(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    said = [value.get(name) for name in ("status", "state", "phase")]
    return any(isinstance(one, str) and one.lower() in _PENDING for one in said)


def _missing(value: Any) -> bool:
    return value is MISSING or value is None or keys.masked(value)


class Reader:
    """Turns steps into facts; the key, if any, makes the digests useless to whoever lacks it."""

    def __init__(self, key: bytes = b"") -> None:
        self._key = key

    def facts(self, step: Step, number: int) -> Facts:
        """The facts of a step; raises `BadStep` when it is nested too deeply to compare."""
        try:
            return self._redacted(step, number) if step.digests else self._facts(step, number)
        except RecursionError:
            raise BadStep("The step is nested too deeply to be compared.") from None

    def _digest(self, text: str | None) -> str | None:
        return None if text is None else keys.digest(text, self._key)

    def _facts(self, step: Step, number: int) -> Facts:
        tool = step.tool or ("thought" if step.thought else "")
        facts = Facts(step=number, kind=kind_of(tool), tool=tool)
        if facts.kind not in (COMPACT, GUARD):
            # What a harness does to the context or asks of a policy is nobody's progress.
            facts.state = self._digest(keys.state_text(step.state))
        self._asked(facts, step)
        self._answered(facts, step)
        self._failed(facts, step)
        if facts.state is not None and _acts(tool) and facts.call is not None:
            # The text around a button changes by itself; the recorded state says what a press did.
            facts.result = facts.state
        return facts

    def _asked(self, facts: Facts, step: Step) -> None:
        if not facts.tool:
            return
        args = step.args
        if facts.kind in (THINK, TALK):
            said = step.thought if _missing(args) or args == {} else args
            said = step.observation if said in (None, "") and not _missing(args) else said
            if isinstance(said, dict):
                said = " ".join(str(value) for value in said.values())
            facts.source = None if said is MISSING else said
            # What is said is the whole call here, so nothing of it is an excuse.
            args = [args if not _missing(args) else step.thought]
            if isinstance(args[0], dict):
                args = [sorted(args[0].items())]
        if _missing(args):
            return
        facts.call = self._digest(keys.call_text(facts.tool, args))
        facts.target = self._digest(keys.target_text(args))
        if facts.kind == TOOL:
            facts.source = args

    def _answered(self, facts: Facts, step: Step) -> None:
        seen = step.observation
        if _missing(seen) and step.error is not MISSING and step.error is not None:
            seen = step.error
        if _missing(seen):
            seen = "" if facts.kind in (THINK, COMPACT, GUARD) else None
        if seen is None:
            return
        text = keys.result_text(seen)
        facts.result = self._digest(text)
        facts.rich = len(text) >= RICH
        facts.empty = bool(_EMPTY.match(text[:60])) and len(text) <= 60
        facts.pending = 2 if _words_of(facts.tool)[-1] in _IDLE else self._pending(seen, text)
        if facts.kind in (THINK, TALK):
            facts.chant = max(chant.laps(text), chant.laps(step.thought or ""))

    def _pending(self, seen: Any, text: str) -> int:
        if _status(keys.result_value(seen)):
            return 2
        return 1 if len(text) <= 200 and _PENDING_TEXT.search(text) else 0

    def _failed(self, facts: Facts, step: Step) -> None:
        facts.error_known = step.error is not MISSING
        if step.error in (None, False, "") or step.error is MISSING:
            return
        facts.code = step.error if isinstance(step.error, str) else None
        facts.family = keys.family(step.error, step.observation)
        facts.pending = 0
        text = step.observation if not _missing(step.observation) else step.error
        facts.error = self._digest(keys.result_text(text))
        hint = _HINT.search(text[:400]) if isinstance(text, str) else None
        facts.hint_s = float(hint.group(1)) if hint else 0.0

    def _redacted(self, step: Step, number: int) -> Facts:
        given = step.digests or {}
        tool = step.tool or ""
        facts = Facts(step=number, kind=kind_of(tool), tool=tool)
        for name in ("call", "result", "target", "state", "family", "code", "error"):
            value = given.get(name)
            setattr(facts, name, value if isinstance(value, str) else None)
        for name in ("error_known", "rich", "empty"):
            setattr(facts, name, bool(given.get(name, name == "error_known")))
        for name in ("pending", "chant", "hint_s"):
            value = given.get(name, 0)
            setattr(facts, name, value if isinstance(value, int | float) else 0)
        listed = given.get("words")
        facts.words = tuple(str(word) for word in listed) if isinstance(listed, list) else ()
        return facts
