"""What the detector says (`Verdict`), what a rule finds (`Alarm`), and the thresholds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

WORKING, RETRYING, WAITING, STUCK, UNCERTAIN = (
    "working",
    "retrying",
    "waiting",
    "stuck_loop",
    "uncertain",
)
NONE, BRANCH, HALT = "none", "branch", "halt"
SEVERITY = {NONE: "info", BRANCH: "warning", HALT: "critical"}

SHAPES = {
    "H1": "the same calls with the same results come again",
    "H2": "the calls change, the state or the outcome does not",
    "H3": "an error triggers the same action again and again",
    "tool_oscillation": "two tools take turns and nothing new comes of it",
    "context_rot": "results that were known long ago are asked for again",
    "reflection_paralysis": "the same thoughts again, and no action",
    "tool_hallucination": "tools are called that do not exist",
    "guardrail_loop": "what a policy denied is asked for again",
    "retry_storm": "failed calls are repeated beyond any budget",
    "text_repetition": "one phrase, or one message, is said again and again",
    "post_compaction": "each compaction of the context is followed by the same steps",
}
"""Every shape, with what it means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The thresholds. Their measured false-halt figures are in `docs/breakpoints/thresholds.md`."""

    longest_period: int = 32
    same_branch: int = 3
    """Equal pairs of call and result in a row."""
    same_halt: int = 4
    laps_one_tool: int = 2
    """Laps of a cycle that calls only one tool."""
    laps_more_tools: int = 3
    """Laps of a cycle of several tools: edit and test take turns in honest work, too."""
    flat_branch: int = 3
    """Known pairs in a row, three of them different; one more when there are only two."""
    flat_halt: int = 6
    reworded_branch: int = 4
    reworded_halt: int = 5
    same_error_branch: int = 4
    same_error_halt: int = 8
    target_error_branch: int = 6
    target_error_halt: int = 10
    denied_branch: int = 3
    denied_halt: int = 4
    unknown_tool_branch: int = 3
    unknown_tool_halt: int = 4
    undeclared_attempts: int = 5
    """Tries that a passing error with growing gaps may take when no policy is declared."""
    metric_window: int = 12
    state_window: int = 10
    texts_branch: int = 4
    texts_halt: int = 8
    pending_looks: int = 3
    """Looks at one pending job without a lease; then it is `uncertain`, never a loop."""
    pending_texts: int = 10
    """Looks that a text like `still running` excuses; a status field always excuses."""
    lease_renewals: int = 3
    rot_distance: int = 20
    seen_limit: int = 1_000_000
    """Pairs and states remembered, the oldest forgotten first; some 250 bytes each."""
    open_limit: int = 4096
    """Operations whose counts are kept, the one longest unused forgotten first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """A loop that a rule found at this step."""

    shapes: frozenset[str]
    halt: bool
    why: str
    first: int
    """The step at which the loop began."""
    evidence: dict[str, Any] = field(default_factory=dict)
    operation: str | None = None
    """The failing operation whose success ends the alarm; None: any new pair ends it."""
    counted: bool = False
    """Only failures were counted, in whatever order they came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is said of one step."""

    step: int
    verdict: str
    action: str = NONE
    shapes: tuple[str, ...] = ()
    why: str = ""
    first: int | None = None
    """Where the loop began, for `stuck_loop`."""
    evidence: dict[str, Any] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    """Evidence that the trace does not have and that could have changed the verdict."""
    notes: tuple[str, ...] = ()

    @property
    def severity(self) -> str:
        """`info`, `warning` or `critical`, by the action."""
        return SEVERITY[self.action]

    def as_json(self) -> dict[str, Any]:
        """Everything, as plain JSON values."""
        return {
            "step": self.step,
            "verdict": self.verdict,
            "action": self.action,
            "severity": self.severity,
            "shapes": list(self.shapes),
            "why": self.why,
            "first": self.first,
            "evidence": self.evidence,
            "lacking": list(self.lacking),
            "notes": list(self.notes),
        }
