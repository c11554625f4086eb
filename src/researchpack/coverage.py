"""What was not audited: the sentences of a chapter that no claim touches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.records import BlockKind, Coverage, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.prose import Span
    from researchpack.records import Snapshot

# A full stop, question mark or the like, what closes behind it, then white space and a new
# beginning. Initials, "e.g." and "et al." do not end a sentence.
_END: Final = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s+\S)|[。！？]+[」』”）]*)")
_NO_END: Final = re.compile(
    r"(?:\b(?:[A-Z]|[eE]\.g|[iI]\.e|(?:et )?al|vs|[cC]f|pp?|[cC]h|[fF]ig|eds?|[DM]rs?|St)\.)$"
)
_NUMBERED: Final = re.compile(r"\b[nN]os?\.$")
"""Short for number only where a number follows."""
_MARKER: Final = re.compile(r"\s*\d{1,3}\.$")
_FIGURE: Final = re.compile(r"\d")
_CITATION: Final = re.compile(r"\((?:[^()]*\b)?(?:19|20)\d\d[a-z]?\)|\bet al\.|\[\d+\]|https?://")
_ABSOLUTE: Final = re.compile(
    r"\b(?:all|always|any|every|everything|exactly|first|guarantee[sd]?|impossible|must|never|no"
    r"|none|nothing|only|universal(?:ly)?|without exception)\b",
    re.IGNORECASE,
)


def coverage(snapshot: Snapshot, claimed: Iterable[Span]) -> Coverage:
    """Counts the sentences of the prose and names those that none of the spans touches.

    Headings, code and diagrams hold no sentences; what stands under a list of references is
    counted like everything else.
    """
    spans = sorted(claimed)
    total, untouched = 0, []
    for block in snapshot.blocks:
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            continue
        for start, end in sentences(snapshot.text, block.start, block.end):
            total += 1
            if not any(a < end and start < b for a, b in spans):
                words = snapshot.text[start:end]
                untouched.append(
                    Sentence(span=(start, end), section=block.section, why=tuple(_why(words)))
                )
    return Coverage(sentences=total, untouched=tuple(untouched))


def sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of `text[start:end]`, trimmed; a piece without a letter is none."""
    at = start
    for match in _END.finditer(text, start, end):
        if match.group() == "." and _goes_on(text, at, match.end()):
            continue
        yield from _trimmed(text, at, match.end())
        at = match.end()
    yield from _trimmed(text, at, end)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether the full stop before `end` belongs to an abbreviation or to a list marker."""
    words = text[max(start, end - 12) : end]
    if _NO_END.search(words) or _MARKER.fullmatch(text, start, end):
        return True
    return bool(_NUMBERED.search(words)) and text[end:].lstrip()[:1].isdigit()


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    words = text[start:end]
    if any(char.isalpha() for char in words):
        yield start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())


def _why(words: str) -> Iterator[str]:
    if _FIGURE.search(re.sub(r"^\s*\d{1,3}[.)]\s", "", words)):
        yield "figure"
    if _CITATION.search(words):
        yield "citation"
    if _ABSOLUTE.search(words):
        yield "absolute word"
