"""A chapter snapshot and its layout -> `Snapshot`: blocks, fingerprint, references.

The text is data and stays as it is. What plain text cannot carry (which lines are headings, which
must not be re-wrapped) comes from `layout` in `pack.yaml`.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from researchpack.formats._shared import Notes, Parsed
from researchpack.places import Place, Text
from researchpack.problems import Problem, did_you_mean, error
from researchpack.prose import Span, fingerprint
from researchpack.records import Block, BlockKind, Layout, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

_ITEM: Final = re.compile(r"\s*(?:[•‣◦▪*+-]|\d{1,3}[.)])\s+\S")
_REFERENCES: Final = re.compile(r"(?:#+ )?(?:references|bibliography|works cited)", re.IGNORECASE)


def read_snapshot(data: bytes, path: str, layout: Layout) -> Parsed[Snapshot | None]:
    """The chapter; None when the bytes are no UTF-8 text. Problems stand at the layout's lines."""
    notes = Notes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        notes.problems.append(
            error(
                Place(path, data.count(b"\n", 0, fault.start) + 1, 1),
                "snapshot.encoding",
                "The snapshot is not UTF-8 text.",
                "Save the chapter as UTF-8 and take the snapshot again.",
            )
        )
        return notes.parsed(None)
    lines = _lines(text)
    headings = _headings(text, lines, layout, notes)
    verbatim = _verbatim(text, lines, layout, notes)
    blocks = tuple(_blocks(text, lines, headings, verbatim))
    return notes.parsed(
        Snapshot(
            path=path,
            text=text,
            data=data,
            sha256=hashlib.sha256(data).hexdigest(),
            fingerprint=fingerprint(text),
            blocks=blocks,
            references=_count_references(text, blocks),
        )
    )


def _lines(text: str) -> list[Span]:
    """The lines, without their ends."""
    return [match.span() for match in re.finditer(r"[^\r\n]+|(?<=\n)(?=\n)", text)]


def _headings(text: str, lines: list[Span], layout: Layout, notes: Notes) -> set[Span]:
    """The lines that are headings; each is looked for behind the one before."""
    found: set[Span] = set()
    at = 0
    words = [text[start:end].strip() for start, end in lines]
    for heading in layout.headings:
        if not heading.strip():
            notes.problems.append(_blank(heading))
            continue
        try:
            at = words.index(heading.strip(), at) + 1
        except ValueError:
            notes.problems.append(_absent(heading, words, "heading"))
        else:
            found.add(lines[at - 1])
    return found


def _verbatim(
    text: str, lines: list[Span], layout: Layout, notes: Notes
) -> list[tuple[Span, BlockKind]]:
    """The stretches that keep their line breaks, in order."""
    found: list[tuple[Span, BlockKind]] = []
    words = [text[start:end].strip() for start, end in lines]
    at = 0
    for entry in layout.verbatim:
        if not entry.first.strip() or not entry.last.strip():
            notes.problems.append(_blank(entry.first))
            continue
        first = _index(words, entry.first.strip(), at)
        if first is None:
            notes.problems.append(_absent(entry.first, words, "first line of a block"))
            continue
        last = _index(words, entry.last.strip(), first)
        if last is None:
            notes.problems.append(_absent(entry.last, words, "last line of a block"))
            continue
        at = last + 1
        kind = BlockKind(entry.kind) if entry.kind in ("code", "diagram", "table") else None
        found.append(((lines[first][0], lines[last][1]), kind or BlockKind.CODE))
    return found


def _index(words: list[str], line: str, at: int) -> int | None:
    try:
        return words.index(line, at)
    except ValueError:
        return None


def _blank(line: Text) -> Problem:
    what = "A line of the layout is blank, so it marks nothing."
    fix = "Copy a whole line from the snapshot, or take the entry out."
    return error(line.place, "pack.layout-line", what, fix)


def _absent(line: Text, known: list[str], what: str) -> Problem:
    stands = line.strip() in known
    return error(
        line.place,
        "pack.layout-line",
        f'The {what} "{line.strip()}" is not a line of the snapshot'
        + (" behind the ones before it." if stands else "."),
        "Put the lines into the order of the chapter."
        if stands
        else f"Copy the whole line from the snapshot. {did_you_mean(line.strip(), set(known))}"
        if len(line) < 200
        else "Copy the whole line from the snapshot.",
    )


def _blocks(
    text: str, lines: list[Span], headings: set[Span], verbatim: list[tuple[Span, BlockKind]]
) -> Iterator[Block]:
    """All lines that hold anything, grouped; every visible character is in exactly one block."""
    section, at = "", 0
    while at < len(lines):
        start, end = lines[at]
        block = next((entry for entry in verbatim if entry[0][0] == start), None)
        if block is not None:
            (_, end), kind = block
        elif not text[start:end].strip():
            at += 1
            continue
        elif lines[at] in headings:
            section, kind = text[start:end].strip(), BlockKind.HEADING
        else:
            kind = BlockKind.ITEM if _ITEM.match(text, start, end) else BlockKind.PARAGRAPH
            end = _paragraph_end(text, lines, at, headings, verbatim)
        yield Block(kind=kind, start=start, end=end, section=section)
        while at < len(lines) and lines[at][0] < end:
            at += 1


def _paragraph_end(
    text: str,
    lines: list[Span],
    at: int,
    headings: set[Span],
    verbatim: list[tuple[Span, BlockKind]],
) -> int:
    """Where the paragraph that begins at line `at` ends: at a blank line or another block."""
    starts = {span[0] for span, _ in verbatim}
    end = lines[at][1]
    for start, stop in lines[at + 1 :]:
        blank = not text[start:stop].strip() or text.count("\n", end, start) > 1
        if blank or (start, stop) in headings or start in starts or _ITEM.match(text, start, stop):
            break
        end = stop
    return end


def _count_references(text: str, blocks: tuple[Block, ...]) -> int:
    """How many entries stand under a heading such as "References"."""
    return sum(
        1
        for block in blocks
        if block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH)
        and _REFERENCES.fullmatch(block.section)
        and text[block.start : block.end].strip()
    )
