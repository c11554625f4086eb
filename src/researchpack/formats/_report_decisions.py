"""Section 7 of a report: the decisions that it asks for, and what it recommends."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import find_ids, plain
from researchpack.tables import read_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from researchpack.formats._report_proposals import ReportProposal
    from researchpack.formats._report_sections import ReportSection

_DECISION: Final = re.compile(
    r"\b(?:(?P<accept>accept(?:ed|ing|s)?|approve[ds]?)|(?P<revise>revis(?:e|ed|es|ing))"
    r"|(?P<defer>defer(?:red|ring|s)?|postpone[ds]?)|(?P<reject>reject(?:ed|ing|s)?|declin(?:e|ed"
    r"|ing)))\b",
    re.IGNORECASE,
)
_CHECKBOX: Final = re.compile(r"[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?\[([ xX])\][ \t]*(.*)$")
_LISTED: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)$")
_TARGETS: Final = re.compile(r"[A-Z]\d+[a-z]?(?:\s*(?:[,;/&–—-]|and|to)\s*[A-Z]\d+[a-z]?)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDecision:
    """One decision that the author needs to make, and what the report recommends."""

    target: str
    decision: str | None
    """accept, revise, defer or reject."""
    reason: str | None
    checked: bool | None
    text: str
    line: int


def read_decisions_of(sections: Sequence[ReportSection]) -> tuple[ReportDecision, ...]:
    """The decisions of section 7: items of its lists, and rows of its tables, that name an id."""
    found: list[ReportDecision] = []
    for section in sections:
        lines = section.body_text.split("\n")
        for at, line in enumerate(lines):
            box = _CHECKBOX.match(line)
            item = box or _LISTED.match(line)
            heading = re.match(r" {0,3}#{3,6}[ \t]+(.*)$", line)
            if item or heading:
                words = item[item.lastindex or 1] if item else heading[1] if heading else ""
                words = " ".join([words, *_going_on(lines, at)]).strip()
                checked = box[1] in "xX" if box else None
                found += _decisions(words, checked, section.body_line + at, listed=True)
        for table in read_tables(section.body_text, first_line=section.body_line).tables:
            for row in table.rows:
                words = ": ".join(filter(None, (cell.text for cell in row.cells)))
                found += _decisions(words, None, row.line)
    return tuple(sorted(found, key=lambda one: one.line))


def _going_on(lines: Sequence[str], at: int) -> Iterator[str]:
    """The lines on which an item goes on: indented, and no item of their own."""
    for line in lines[at + 1 :]:
        if not line.startswith((" ", "\t")) or not line.strip() or _LISTED.match(line):
            return
        yield line.strip()


def _decisions(
    words: str, checked: bool | None, line: int, *, listed: bool = False
) -> Iterator[ReportDecision]:
    text = plain(words)
    lead = re.match(r"\W*(?:Proposal|Claim|Decision)?\W*(?=[A-Z]\d)", text)
    targets = _TARGETS.match(text, lead.end()) if lead else None
    decided = _one_decision(text)
    if targets is None and decided:
        targets = _TARGETS.search(text, decided.end())
    if targets is None and listed:
        targets = _TARGETS.search(text)
    if targets is None:
        return
    rest = text[max(targets.end(), decided.end() if decided else 0) :]
    reason = _reason(rest) if decided else ""
    word = next((k for k, v in decided.groupdict().items() if v), None) if decided else None
    for target in find_ids(targets[0]):
        yield ReportDecision(
            target=target,
            decision=word,
            reason=reason or None,
            checked=checked,
            text=text,
            line=line,
        )


def _one_decision(text: str) -> re.Match[str] | None:
    """The decision that is recommended; None when the choices still stand side by side."""
    choices = re.search(r"\w+\s*[|/]\s*\w+\s*[|/]\s*\w+", text)
    if choices and _DECISION.search(choices[0]):
        return None
    return _DECISION.search(text)


def _reason(rest: str) -> str:
    """What stands behind the decision, with the full stop that it was written with."""
    words = rest.lstrip(" \t:;,.—–|)]-").rstrip(" \t|")
    return re.sub(r"^because\s+", "", words).strip()


def read_advice(words: str) -> tuple[str | None, str | None]:
    """Decision and reason of a recommendation: "accept, because …"."""
    match = _one_decision(words)
    if match is None:
        return None, None
    word = next(key for key, value in match.groupdict().items() if value)
    return word, _reason(words[match.end() :]) or None


def with_advice(
    proposals: Sequence[ReportProposal], decisions: Sequence[ReportDecision]
) -> tuple[ReportProposal, ...]:
    """The proposals with what section 7 recommends, when they do not say it themselves."""
    advice = {one.target: one for one in decisions if one.decision}
    found = []
    for entry in proposals:
        told = advice.get(entry.id or "")
        if told is not None and entry.text("recommend") is None:
            words = told.decision or ""
            words += f": {told.reason}" if told.reason else ""
            entry = replace(entry, fields=(*entry.fields, ("recommend", words)))
        found.append(entry)
    return tuple(found)
