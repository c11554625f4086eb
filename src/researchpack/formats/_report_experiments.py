"""Section 6 of a report: experiments and checks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import find_markers, plain
from researchpack.formats._dates import read_date
from researchpack.formats._report_blocks import Block, labels, read_blocks, read_table_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from researchpack.formats._report_sections import ReportSection

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
_RAN: Final = re.compile(
    r"(?<![\w-])(?:RUN|RAN|REPORTED|EXECUTED|DONE|PASS(?:ED)?|FAIL(?:ED)?)(?![\w-])"
)
_RAN_STATUS: Final = re.compile(
    r"^(?:run|ran|reported|executed|done|completed?|passed|failed|was run)\b", re.IGNORECASE
)
_CODE: Final = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_MARKED: Final = re.compile(r"[\s—–:;,.|(\[-]*\**_*\b(?:UNRUN|RUN|REPORTED)\b\**_*[\s)\].]*$")


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
