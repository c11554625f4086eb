"""Section 5 of a report: proposals with their edits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import plain
from researchpack.formats._report_blocks import (
    Block,
    Fence,
    labels,
    read_blocks,
    read_table_blocks,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
