"""What a report says outside of tables: entries that begin with an id, and their labelled fields.

    ### P1 — Correct the figure
    Claims: C1, C4
    - **Rationale:** the source gives another one [S1].

An entry begins with a heading, a bold line or a list item that leads with an id. A field begins
with a known label and a colon and goes on until the next one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import plain
from researchpack.formats._columns import plain_name
from researchpack.formats._report_headings import heading_at
from researchpack.tables import Cell, read_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_FENCE: Final = re.compile(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*?)[ \t]*$")
_ID: Final = r"[A-Z]{1,2}-?\d+[a-z]?"
_LEAD: Final = re.compile(
    rf"(?P<id>{_ID})(?:\*\*|__|`)?(?:\s*[.:：)\]—–|-]+\s*|\s+|$)"
    r"|(?P<word>Claim|Source|Proposal|Change|Experiment|Check|Local check)\s+#?(?P<n>\d+[a-z]?)"
    r"(?:\s*[.:：)\]—–|-]+\s*|$)"
)
_LETTERS: Final = {"claim": "C", "source": "S", "proposal": "P", "change": "P"}
_ITEM: Final = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_LABEL: Final = re.compile(
    r"(?P<lead>[ \t]*(?:[-*+•][ \t]+)?(?:\[cite_start\])?)(?:\*\*|__|\*|_)?"
    r"(?P<label>[^\W\d_][\w '’/()-]{0,40}?)(?:\*\*|__|\*|_)?[ \t]*[:：](?:\*\*|__|\*|_)?[ \t]*"
    r"(?P<rest>.*)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """One block of fenced code."""

    info: str
    """The first word behind the fence, lower-case."""
    text: str
    line: int
    """Of its first line of content."""
    label: str
    """The known label that stands right before it, or empty."""


@dataclass(slots=True, kw_only=True)
class Block:
    """One entry."""

    id: str | None
    head: str
    """The words behind the id, as written."""
    line: int
    fields: dict[str, Cell] = field(default_factory=dict)
    body: list[str] = field(default_factory=list)
    """Lines that belong to no field."""
    fences: list[Fence] = field(default_factory=list)

    def text(self, name: str) -> str | None:
        """The words of a field as written; None when it is absent or empty."""
        cell = self.fields.get(name)
        return cell.text if cell is not None and cell.text else None

    @property
    def said(self) -> str:
        """Everything but code, as written."""
        words = [self.head, *self.body, *(cell.text for cell in self.fields.values())]
        return "\n".join(words)


Labels = dict[str, str]
"""Plain name -> field."""


def labels(**fields: str) -> Labels:
    """Labels of fields; those of one are parted by `|`."""
    return {plain_name(name): f for f, names in fields.items() for name in names.split("|")}


class _Walk:
    """Reads the lines of one section."""

    def __init__(
        self,
        lines: Sequence[str],
        first_line: int,
        known: Mapping[str, str],
        is_lead: Callable[[str], bool],
        untitled: bool,
    ) -> None:
        self._lines = lines
        self._first = first_line
        self._known = known
        self._is_lead = is_lead
        self._untitled = untitled
        self.loose = Block(id=None, head="", line=first_line)
        self.blocks: list[Block] = []
        self._field: tuple[str, int, int, list[str]] | None = None
        self._indent = 0
        self._listed = False

    @property
    def _now(self) -> Block:
        return self.blocks[-1] if self.blocks else self.loose

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            match = _FENCE.match(self._lines[at])
            if match:
                at = self._fence(at, match)
                continue
            self._line(at)
            at += 1
        self._close()

    def _fence(self, at: int, match: re.Match[str]) -> int:
        end = at + 1
        while end < len(self._lines):
            bare = self._lines[end].strip()
            if bare.startswith(match[2]) and not bare.strip(match[2][0]):
                break
            end += 1
        indent = len(match[1])
        content = [
            line[min(indent, len(line) - len(line.lstrip())) :]
            for line in self._lines[at + 1 : end]
        ]
        label = self._field[0] if self._field and not "".join(self._field[3]).strip() else ""
        info = match[3].split()[0].lower() if match[3].split() else ""
        self._now.fences.append(
            Fence(info=info, text="\n".join(content), line=self._first + at + 1, label=label)
        )
        self._close()
        return end + 1

    def _line(self, at: int) -> None:
        line = self._lines[at]
        if self._starts(at, line):
            return
        match = _LABEL.match(line)
        name = self._known.get(plain_name(match["label"])) if match else None
        if match and name is not None:
            self._close()
            self._field = (name, at, match.start("rest") + 1, [match["rest"]])
        elif self._field is not None and not _is_heading(line):
            self._field[3].append(line)
        else:
            self._close()
            self._now.body.append(line)

    def _starts(self, at: int, line: str) -> bool:
        """Whether an entry begins on this line; begins it."""
        heading = heading_at(line)
        item = None if heading else _ITEM.match(line)
        if item and self._listed and len(item["indent"]) > self._indent:
            return False
        words = plain(line.lstrip("# \t")) if heading else line[item.end() :] if item else ""
        if not heading and not item:
            return False
        bare = words.lstrip("*_[` ")
        lead = _LEAD.match(bare)
        name = _id_of(lead) if lead else None
        if lead is None or name is None or not self._is_lead(name):
            if heading is None or not self._untitled or heading[0] < 3:
                return False
            name, rest, more = None, heading[1], ""
        else:
            rest, more = _bold_head("" if "**" in lead[0] else words, bare[lead.end() :])
        self._close()
        self._listed = item is not None
        self._indent = len(item["indent"]) if item else 0
        self.blocks.append(Block(id=name, head=rest, line=self._first + at))
        if more:
            self._now.body.append(more)
        return True

    def _close(self) -> None:
        if self._field is None:
            return
        name, at, column, lines = self._field
        self._field = None
        text = _dedented(lines)
        old = self._now.fields.get(name)
        if old is not None and old.text:
            text = f"{old.text}\n{text}" if text else old.text
            at, column = old.line - self._first, old.column
        self._now.fields[name] = Cell(text=text, line=self._first + at, column=column)


def _bold_head(words: str, rest: str) -> tuple[str, str]:
    """The title behind an id, and what follows one that stands in bold: "**E1: Title** words"."""
    mark = next((m for m in ("**", "__") if words.lstrip().startswith(m)), None)
    title, _, more = rest.partition(mark) if mark else (rest, "", "")
    if mark and title.strip(" .:—–-"):
        return title.strip(" .:—–-"), re.sub(r"^[\s.:—–-]+", "", more).strip()
    return re.sub(r"^(?:\*\*|__|\]|`)+[\s.:—–-]*", "", rest).strip(), ""


def _is_heading(line: str) -> bool:
    found = heading_at(line)
    return found is not None and found[0] < 7


def _dedented(lines: list[str]) -> str:
    """The lines of a field without what indents all of them but the first."""
    rest = [line for line in lines[1:] if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    kept = [lines[0], *(line[indent:] if line.strip() else "" for line in lines[1:])]
    return "\n".join(line.rstrip() for line in kept).strip()


def _id_of(lead: re.Match[str]) -> str:
    if lead["id"]:
        return lead["id"].replace("-", "")
    return _LETTERS.get(lead["word"].lower(), "L" if "heck" in lead["word"] else "X") + lead["n"]


def read_blocks(
    text: str,
    first_line: int,
    known: Labels,
    letters: str,
    *,
    untitled: bool = False,
) -> tuple[tuple[Block, ...], Block]:
    """The entries whose id begins with one of `letters`, and what stands before the first.

    `untitled`: a sub-heading without an id begins an entry too.
    """
    walk = _Walk(text.split("\n"), first_line, known, lambda name: name[:1] in letters, untitled)
    walk.read()
    for block in walk.blocks:
        _split_head(block, known)
    return tuple(walk.blocks), walk.loose


def _split_head(block: Block, known: Labels) -> None:
    """Fields that stand in one line with the id: "C1 … Where: Method. Evidence: S1."."""
    block.head = _split_line(block, block.head, known)
    if block.body:
        block.body[0] = _split_line(block, block.body[0], known)


def _split_line(block: Block, line: str, known: Labels) -> str:
    """The words before the first field of a line, whose fields go to the block."""
    marks = [
        (match.start(), match.end(), known[plain_name(match[1])])
        for match in re.finditer(
            r"(?:(?<=^)|(?<=[.;,|—–(]\s)|(?<=\*\*)|(?<=[.;]))([^\W\d_][\w '’/-]{1,30}?)"
            r"(?:\*\*)?\s*[:：](?:\*\*)?\s",
            line,
        )
        if plain_name(match[1]) in known
    ]
    if not marks:
        return line
    for (_, start, name), end in zip(marks, [m[0] for m in marks[1:]] + [None], strict=True):
        words = line[start:end].strip().strip("*").rstrip(" ;,|—–(")
        short = end is not None or len(words.split()) < 4
        words = words[:-1] if short and words.endswith(".") else words
        block.fields.setdefault(name, Cell(text=words, line=block.line, column=1))
    return line[: marks[0][0]].strip().strip("*").rstrip(" ;,|—–(").strip()


def read_table_blocks(text: str, first_line: int, known: Labels, letters: str) -> tuple[Block, ...]:
    """The rows of tables whose first known column holds ids, as entries."""
    found = []
    for table in read_tables(text, first_line=first_line).tables:
        fields = [known.get(plain_name(cell.text)) for cell in table.header]
        if fields.count("id") > 1 and "title" not in fields:  # "ID | Experiment | …"
            fields[fields.index("id", fields.index("id") + 1)] = "title"
        if "id" not in fields or len({name for name in fields if name}) < 2:
            continue
        for row in table.rows:
            cells = {name: cell for name, cell in zip(fields, row.cells, strict=False) if name}
            lead = _LEAD.match(plain(cells["id"].text)) if "id" in cells else None
            if lead and _id_of(lead)[:1] in letters:
                title = cells.pop("title", None)
                block = Block(
                    id=_id_of(lead),
                    head=title.text if title else "",
                    line=row.line,
                    fields={name: cell for name, cell in cells.items() if name != "id"},
                )
                found.append(block)
    return tuple(found)


def fences_of(lines: Sequence[str], first_line: int) -> Iterator[Fence]:
    """All fenced blocks of a section."""
    walk = _Walk(lines, first_line, {}, lambda _: False, False)
    walk.read()
    return iter(walk.loose.fences)
