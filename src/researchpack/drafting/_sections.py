"""Sections 1 and 4: what a report says about the pass, its context and its findings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.drafting._words import clean
from researchpack.entries import Data, full
from researchpack.formats._cells import plain
from researchpack.formats._columns import plain_name
from researchpack.formats._dates import read_date

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from researchpack.formats.report import Report

_SUBHEADING: Final = re.compile(r" {0,3}#{3,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")
_BOLD_LINE: Final = re.compile(r" {0,3}(?:\*\*|__)([^*_]+?)(?:\*\*|__):?[ \t]*$")
_LABELLED: Final = re.compile(
    r" {0,3}(?:[-*+][ \t]+)?(?:\*\*|__)([^*_:]+?):?(?:\*\*|__):?[ \t]+(\S.*)$"
)
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_STATED: Final = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?(date|today|today's date|researcher|tools"
    r"|kind of researcher|researcher kind)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*(\S.*?)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SHA256: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", re.IGNORECASE)
_NOTHING: Final = re.compile(r"(?:none|nothing|no change|x|-|n/?a)\b.{0,60}$", re.IGNORECASE)
_CONTEXT_NAMES: Final = {
    plain_name(name): title
    for title, names in {
        "Read": "read|what was read|revision read|scope|identity|chapter",
        "Means and limits": "means and limits|means|limits|limitations|tools|method"
        "|tools and limitations|tool limitations|execution limitations",
        "Provenance notes": "provenance notes|provenance",
        "Thesis": "thesis|the thesis|thesis of the chapter",
        "Set aside": "set aside|looked at and not used|not used",
        "Missing sources": "missing sources|sources missing",
        "Open questions": "open questions|questions",
    }.items()
    for name in names.split("|")
}
_FINDING_STARTS: Final = (
    ("support", "Supporting"),
    ("qualif", "Qualifying"),
    ("contradict", "Contradictory"),
    ("unresolved", "Unresolved"),
    ("open", "Unresolved"),
)


def stated(report: Report) -> Data:
    """Date, researcher and revision as section 1 says them, or its YAML block."""
    text = "\n".join(section.body_text for section in report.of("context"))
    said = {key.lower(): plain(words) for key, words in reversed(_STATED.findall(text))}
    found: Data = {}
    day = next((said[k] for k in ("date", "today", "today's date") if k in said), None)
    date = read_date(day).iso if day else _only_date(text)
    if date:
        found["date"] = date
    kind = said.get("researcher kind") or said.get("kind of researcher")
    researcher = {"name": said.get("researcher"), "kind": kind, "tools": said.get("tools")}
    researcher = full(researcher)
    if researcher:
        found["researcher"] = researcher
    digests = {digest.lower() for digest in _SHA256.findall(text)}
    if len(digests) == 1:
        found["read"] = digests.pop()
    own = report.extras.values.get("pass")
    if isinstance(own, dict):
        found |= {k: v for k, v in full(own).items() if k in ("date", "researcher", "read")}
        if not isinstance(found.get("researcher", {}), dict):
            found["researcher"] = {"name": str(found["researcher"])}
    return found


def _only_date(text: str) -> str | None:
    """The one whole day that a text names; None when it names none, or several."""
    days = {m for m in re.findall(r"(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])", text)}
    return days.pop() if len(days) == 1 else None


def context_title(words: str) -> str | None:
    """The heading of context.md that words stand for, or None."""
    return _CONTEXT_NAMES.get(plain_name(words))


def finding_title(words: str) -> str | None:
    """The heading of findings.md that words stand for, or None."""
    name = plain_name(words)
    if len(name.split()) > 4:
        return None
    return next((title for start, title in _FINDING_STARTS if name.startswith(start)), None)


def parts(
    report: Report, kind: str, title_of: Callable[[str], str | None], first: str
) -> Iterator[tuple[str, str]]:
    """The parts of a section under its known sub-headings, in order; equal ones are joined."""
    found: dict[str, list[str]] = {}
    loose: list[str] = []
    for section in report.of(kind):
        now = loose
        for code, line in _with_code(section.body_text):
            if kind == "context" and not code and _STATED.match(line):
                continue
            head = None if code else _SUBHEADING.match(line) or _BOLD_LINE.match(line)
            known = title_of(plain(head[1])) if head else None
            labelled = None if code or kind != "findings" else _LABELLED.match(line)
            under = title_of(labelled[1]) if labelled else None
            if known:
                now = found.setdefault(known, [])
            elif labelled and under:
                found.setdefault(under, []).append(f"- {labelled[2]}")
            else:
                now.append(line)
    told = {title: clean("\n".join(lines).strip()) for title, lines in found.items()}
    before = clean("\n".join(loose).strip())
    if before and not _NOTHING.match(before):
        told = {first: "\n\n".join(filter(None, (before, told.pop(first, "")))), **told}
    yield from ((title, body) for title, body in told.items() if body)


def _with_code(text: str) -> Iterator[tuple[bool, str]]:
    """The lines of a text, and whether each belongs to fenced code."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        inside = bool(fence or match)
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif match:
            fence = match[1]
        yield inside, line
