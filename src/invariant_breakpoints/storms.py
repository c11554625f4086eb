"""H3: errors that call forth the same action: storms, denials, and tools that do not exist."""

from __future__ import annotations

from dataclasses import dataclass

from invariant_breakpoints.facts import TOOL, Facts
from invariant_breakpoints.memory import Recent
from invariant_breakpoints.thrash import other_target
from invariant_breakpoints.verdicts import Alarm, Settings


@dataclass(slots=True)
class _Count:
    first: int
    last: Facts
    number: int = 1
    families: tuple[str, ...] = ()


def operation(facts: Facts) -> str:
    """The tool and what it is used on."""
    return f"{facts.tool}\x00{facts.target or ''}"


class Storms:
    """Counts of failures by operation, and by operation and error text."""

    def __init__(self, settings: Settings) -> None:
        self._set = settings
        self._texts: Recent[_Count] = Recent(settings.open_limit)
        self._targets: Recent[_Count] = Recent(settings.open_limit)
        self._denied: Recent[_Count] = Recent(settings.open_limit)
        self._unknown: _Count | None = None
        self._tools: frozenset[str] | None = None

    def clear(self) -> None:
        """The state changed: what failed before may now succeed."""
        self._texts.clear()
        self._targets.clear()
        self._denied.clear()
        self._unknown = None

    def declare(self, tools: tuple[str, ...]) -> None:
        """The tools that exist."""
        self._tools = frozenset(tools)

    def observe(self, facts: Facts, news: bool) -> list[Alarm]:
        """The alarms of this step; `news` says that a success brought something new."""
        if facts.kind != TOOL:
            return []
        if news:
            # A result that tells something may be what the next try is based on.
            self._texts.clear()
            self._unknown = None
        unknown = facts.family == "unknown_tool" or self._not_there(facts.tool)
        if not facts.failed and not unknown:
            self._paid_back(facts)
            self._denied.drop(operation(facts))
            return []
        found = [self._unknown_tool(facts)] if unknown else []
        if facts.failed:
            found += [self._same_text(facts), self._same_target(facts), self._same_denial(facts)]
        return [alarm for alarm in found if alarm is not None]

    def _paid_back(self, facts: Facts) -> None:
        """A success gives back what one failure took from the budget of its operation.

        It does not give back all: one edit that worked among ten that did not is no recovery.
        """
        count = self._targets.get(operation(facts))
        if count is not None:
            count.number -= 1
            if count.number == 0:
                self._targets.drop(operation(facts))

    def _not_there(self, tool: str) -> bool:
        return self._tools is not None and tool not in self._tools

    def _counted(self, counts: Recent[_Count], key: str, facts: Facts) -> _Count:
        count = counts.get(key)
        if count is None or self._something_else(count.last, facts):
            count = _Count(facts.step, facts)
        else:
            count.number += 1
            count.last = facts
        family = facts.family or ""
        if family not in count.families:
            count.families = (*count.families, family)[:8]
        counts.put(key, count)
        return count

    def _something_else(self, before: Facts, now: Facts) -> bool:
        if before.target is not None or before.call == now.call:
            return False
        return other_target(before.telling(), set(before.telling()), now.telling())

    def _same_text(self, facts: Facts) -> Alarm | None:
        count = self._counted(self._texts, f"{operation(facts)}\x00{facts.error}", facts)
        limits = (self._set.same_error_branch, self._set.same_error_halt)
        return self._say(count, limits, {"H3", "retry_storm"}, "same_error", "with one error text")

    def _same_target(self, facts: Facts) -> Alarm | None:
        if facts.target is None:
            return None
        count = self._counted(self._targets, operation(facts), facts)
        limits = (self._set.target_error_branch, self._set.target_error_halt)
        shapes = {"H3", "retry_storm"}
        return self._say(count, limits, shapes, "same_target", "on one target, less its successes")

    def _same_denial(self, facts: Facts) -> Alarm | None:
        if facts.family != "denied":
            return None
        count = self._counted(self._denied, operation(facts), facts)
        limits = (self._set.denied_branch, self._set.denied_halt)
        return self._say(
            count, limits, {"guardrail_loop"}, "denied", "by a policy, for one operation"
        )

    def _unknown_tool(self, facts: Facts) -> Alarm | None:
        count = self._unknown
        if count is None:
            count = _Count(facts.step, facts, 0)
        count.number, count.last, self._unknown = count.number + 1, facts, count
        limits = (self._set.unknown_tool_branch, self._set.unknown_tool_halt)
        shapes = {"tool_hallucination"}
        return self._say(count, limits, shapes, "unknown_tool", "with a tool that does not exist")

    def _say(
        self, count: _Count, limits: tuple[int, int], shapes: set[str], rule: str, how: str
    ) -> Alarm | None:
        if count.number < limits[0]:
            return None
        return Alarm(
            shapes=frozenset(shapes),
            halt=count.number >= limits[1],
            why=f"{count.number} calls failed {how}.",
            first=count.first,
            evidence={
                "rule": rule,
                "count": count.number,
                "tool": count.last.tool,
                "families": list(count.families),
                "error": (count.last.error or "")[:12],
            },
            operation=operation(count.last),
            counted="H3" in shapes,
        )
