"""Sections 5 to 7 of a report: proposals with their edits, experiments and checks, decisions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import find_ids, find_markers, plain
from researchpack.formats._dates import read_date
from researchpack.formats._report_blocks import (
    Block,
    Fence,
    labels,
    read_blocks,
    read_table_blocks,
)
from researchpack.tables import read_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from researchpack.formats._report_sections import ReportSection

PROPOSAL: Final = labels(
    id="id|proposal|no|nr|#",
    title="title|change|proposed change",
    kind="kind|type|kind of change|change kind",
    claims="claims|claim|bears on|for claims",
    sources="sources|source|citations|cites",
    rationale="rationale|reason|reasons|why|justification",
    tradeoffs="tradeoffs|trade-offs|tradeoff|trade-off|costs|cost",
    depends_on="depends on|dependencies|depends",
    affects="affects|associated changes|associated resource changes|resource changes"
    "|associated resources|consistency|other files",
    reason_no_text="no text because|reason for no text|reason no text|why no text|no text",
    recommend="recommend|recommendation|recommended decision|decision|advice",
    old="old|old text|current text|replace|from|before",
    after="after|insert after|insert behind",
    new="new|new text|proposed text|with|replacement|insert|to",
)
"""Labels of the fields of a proposal."""
EXPERIMENT: Final = labels(
    id="id|no|nr|#|experiment|check",
    title="title|name|what",
    question="question|hypothesis|tests|what should be tested|what is tested|purpose|aim",
    method="method|methods|procedure|design|how|setup",
    predictions="predictions|prediction|expected|expectation",
    success="success|success criteria|success criterion|succeeds if",
    failure="failure|failure criteria|failure criterion|fails if",
    command="command|commands|run with",
    inputs="inputs|input|data",
    status="status|run|run status|state|marker",
    outcome="outcome|result|results|observed|finding",
    output="output|printed",
    by="by|run by|who",
    date="date|run on|when|date run",
    bears_on="bears on|claims|claim|relation",
)
"""Labels of the fields of an experiment or a check."""
_DECISION: Final = re.compile(
    r"\b(?:(?P<accept>accept(?:ed|ing|s)?|approve[ds]?)|(?P<revise>revis(?:e|ed|es|ing))"
    r"|(?P<defer>defer(?:red|ring|s)?|postpone[ds]?)|(?P<reject>reject(?:ed|ing|s)?|declin(?:e|ed"
    r"|ing)))\b",
    re.IGNORECASE,
)
_CHECKBOX: Final = re.compile(r"[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?\[([ xX])\][ \t]*(.*)$")
_LISTED: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)$")
_TARGETS: Final = re.compile(r"[A-Z]\d+[a-z]?(?:\s*(?:[,;/&–—-]|and|to)\s*[A-Z]\d+[a-z]?)*")
_RAN: Final = re.compile(
    r"(?<![\w-])(?:RUN|RAN|REPORTED|EXECUTED|DONE|PASS(?:ED)?|FAIL(?:ED)?)(?![\w-])"
)
_RAN_STATUS: Final = re.compile(
    r"^(?:run|ran|reported|executed|done|completed?|passed|failed|was run)\b", re.IGNORECASE
)
_CODE: Final = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_MARKED: Final = re.compile(r"[\s—–:;,.|(\[-]*\**_*\b(?:UNRUN|RUN|REPORTED)\b\**_*[\s)\].]*$")
_HUNK: Final = re.compile(r"@@[^@]*@@")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEdit:
    """Old words and new ones, or a place and words to insert behind it."""

    old: str | None
    after: str | None
    new: str
    line: int
    fragile: bool = False
    """It comes from a patch, whose lines may be cut otherwise than those of the chapter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportProposal:
    """One proposed change."""

    id: str | None
    title: str
    fields: tuple[tuple[str, str], ...]
    edits: tuple[ReportEdit, ...]
    unpaired: tuple[int, ...]
    """Lines of old words that no new ones follow, and the reverse."""
    line: int

    def text(self, name: str) -> str | None:
        """A field as written; None when it is absent."""
        return dict(self.fields).get(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportExperiment:
    """One experiment or check."""

    id: str | None
    title: str
    run: str | None
    """UNRUN or RUN; None when the report does not say."""
    date: str | None
    command: str | None
    fields: tuple[tuple[str, str], ...]
    result: str | None
    """What came out, as far as the report says that something did."""
    line: int

    def text(self, name: str) -> str | None:
        """A field as written; None when it is absent."""
        return dict(self.fields).get(name)


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


def read_proposals_of(sections: Sequence[ReportSection]) -> tuple[ReportProposal, ...]:
    """The proposals of section 5; edits that stand under no id are one without an id each."""
    found: list[ReportProposal] = []
    for section in sections:
        blocks, loose = read_blocks(section.body_text, section.body_line, PROPOSAL, "P")
        rows = read_table_blocks(section.body_text, section.body_line, PROPOSAL, "P")
        for block in [*([loose] if _has_edits(loose) else []), *blocks, *rows]:
            found.append(_proposal(block))
    return tuple(found)


def count_patches(sections: Sequence[ReportSection]) -> int:
    """How many patches section 5 holds: fenced diffs, and pairs of old and new words."""
    proposals = read_proposals_of(sections)
    edits = sum(not edit.fragile for entry in proposals for edit in entry.edits)
    fences = (fence for section in sections for fence in _all_fences(section))
    return edits + sum(map(_is_diff, fences))


def _all_fences(section: ReportSection) -> Iterator[Fence]:
    blocks, loose = read_blocks(section.body_text, section.body_line, PROPOSAL, "P")
    for block in (loose, *blocks):
        yield from block.fences


def _is_diff(fence: Fence) -> bool:
    if fence.info in ("diff", "patch", "udiff"):
        return True
    return not fence.info and _HUNK.search(fence.text) is not None and "\n-" in f"\n{fence.text}"


def _has_edits(block: Block) -> bool:
    roles = {_role(fence) for fence in block.fences}
    return any(map(_is_diff, block.fences)) or bool(roles & {"old", "after"})


def _role(fence: Fence) -> str:
    """old, after or new; empty for any other block of code."""
    if fence.info in ("old", "new", "after"):
        return fence.info
    if fence.info in ("", "text", "txt", "markdown", "md") and fence.label in (
        "old",
        "new",
        "after",
    ):
        return fence.label
    return ""


def _proposal(block: Block) -> ReportProposal:
    edits, unpaired = _edits(block.fences)
    for fence in block.fences:
        if _is_diff(fence):
            edits += _from_diff(fence)
    fields = {name: cell.text for name, cell in block.fields.items() if cell.text}
    if {"old", "new"} <= fields.keys() or {"after", "new"} <= fields.keys():
        cell = block.fields["old" if "old" in fields else "after"]
        bare = {name: _unmarked(fields[name]) for name in ("old", "after", "new") if name in fields}
        edits.append(
            ReportEdit(
                old=bare.get("old"),
                after=None if "old" in bare else bare.get("after"),
                new=bare["new"],
                line=cell.line,
            )
        )
    kept = [(name, words) for name, words in fields.items() if name not in ("old", "after", "new")]
    body = "\n".join(block.body).strip()
    if body and "rationale" not in dict(kept):
        kept.append(("rationale", body))
    return ReportProposal(
        id=block.id,
        title=plain(block.head),
        fields=tuple(kept),
        edits=tuple(sorted(edits, key=lambda edit: edit.line)),
        unpaired=tuple(unpaired),
        line=block.line,
    )


def _unmarked(words: str) -> str:
    """The words of a cell without the quotation marks or the code marks around all of it."""
    for opening, closing in (("`", "`"), ('"', '"'), ("“", "”")):
        if len(words) > 2 and words.startswith(opening) and words.endswith(closing):
            return words[1:-1]
    return words


def _edits(fences: Sequence[Fence]) -> tuple[list[ReportEdit], list[int]]:
    """Pairs of old (or after) and new, in their order, and what stands alone."""
    found: list[ReportEdit] = []
    alone: list[int] = []
    waiting: Fence | None = None
    for fence in fences:
        role = _role(fence)
        if role == "new" and waiting is not None:
            is_old = _role(waiting) == "old"
            found.append(
                ReportEdit(
                    old=waiting.text if is_old else None,
                    after=None if is_old else waiting.text,
                    new=fence.text,
                    line=waiting.line,
                )
            )
            waiting = None
        elif role == "new":
            alone.append(fence.line)
        elif role:
            alone += [waiting.line] if waiting else []
            waiting = fence
    return found, alone + ([waiting.line] if waiting else [])


def _from_diff(fence: Fence) -> list[ReportEdit]:
    """The edits of a patch: each run of minus and plus lines, with the line before an insert."""
    found: list[ReportEdit] = []
    minus: list[str] = []
    plus: list[str] = []
    before, start = "", fence.line

    def close() -> None:
        if minus or (plus and before):
            found.append(
                ReportEdit(
                    old="\n".join(minus) if minus else None,
                    after=None if minus else before,
                    new="\n".join(plus) if minus else "\n" + "\n".join(plus),
                    line=start,
                    fragile=True,
                )
            )
        minus.clear()
        plus.clear()

    for at, line in enumerate(fence.text.split("\n")):
        if line.startswith(("---", "+++")) and line[3:4] in (" ", "\t", ""):
            continue
        if line[:1] in ("-", "+"):
            start = start if minus or plus else fence.line + at
            (minus if line[0] == "-" else plus).append(line[1:])
            continue
        close()
        before = "" if line.startswith("@@") else line[1:] if line.startswith(" ") else line
    close()
    return found


def read_experiments_of(
    sections: Sequence[ReportSection], today: date | None
) -> tuple[ReportExperiment, ...]:
    """The experiments and checks of section 6, in its order."""
    found = []
    for section in sections:
        text, line = section.body_text, section.body_line
        blocks, _ = read_blocks(text, line, EXPERIMENT, "XLE", untitled=True)
        rows = read_table_blocks(text, line, EXPERIMENT, "XLE")
        for block in (*blocks, *rows):
            if block.id or block.fields or block.body:
                found.append(_experiment(block, today))
    return tuple(found)


def _experiment(block: Block, today: date | None) -> ReportExperiment:
    said = plain(block.said, code=False)
    status = plain(block.text("status") or "", code=False)
    markers = find_markers(said)
    ran = _RAN.search(re.sub(r"\bUN-?RUN\b", " ", said)) or _RAN_STATUS.match(status)
    outputs = [fence.text for fence in block.fences if fence.info == "output"]
    told = block.text("outcome") or block.text("output") or (outputs[0] if outputs else None)
    run = "UNRUN" if "UNRUN" in markers else "RUN" if ran or told else None
    day = plain(block.text("date") or "") or status or (_sentence_of(said, "RUN") if ran else "")
    sentence = next((line for line in block.said.split("\n") if _RAN.search(plain(line))), "")
    command = block.text("command") or (sentence if run == "RUN" else "")
    code = _CODE.search(command)
    result = told
    if result is None and run == "RUN" and sentence and code:
        result = plain(sentence[code.end() :]) if code[0] in sentence else plain(sentence)
    fields = {name: cell.text for name, cell in block.fields.items() if cell.text}
    if outputs:
        fields.setdefault("output", outputs[0])
    body = "\n".join(block.body).strip()
    if body and "method" not in fields and run != "RUN":
        fields["method"] = body
    return ReportExperiment(
        id=block.id,
        title=_MARKED.sub("", plain(block.head)).strip(" —–-:"),
        run=run,
        date=read_date(day, today).iso if day and run != "UNRUN" else None,
        command=code[2] if code else (plain(command) or None) if "command" in fields else None,
        fields=tuple(fields.items()),
        result=result,
        line=block.line,
    )


def _sentence_of(text: str, word: str) -> str:
    return next((line for line in text.split("\n") if word in line), text)


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
