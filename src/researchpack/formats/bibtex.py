"""A `.bib` file -> its entries, with every field and its place.

Macros are filled in (the twelve months are always defined), parts joined, and `crossref` and
`xdata` followed. LaTeX is undone in prose only. Nothing is left out without a problem that says
so; why the scanner is our own stands in decision 0010.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.formats._bibfaults import Faults
from researchpack.formats._bibscan import Block, RawField, Scanner
from researchpack.formats._bibvalues import Part
from researchpack.formats._inherit import with_inherited
from researchpack.formats._shared import Notes, Parsed, word_set
from researchpack.latex import plain_text
from researchpack.places import Lines, Text
from researchpack.problems import error, nearest, warning
from researchpack.records import BibEntry, BibField

if TYPE_CHECKING:
    from collections.abc import Iterable

MONTHS: Final = {
    name: str(number)
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
"""The macros that every style defines."""

PROSE: Final = word_set(
    "title subtitle titleaddon shorttitle booktitle booksubtitle booktitleaddon maintitle"
    " mainsubtitle journal journaltitle journalsubtitle shortjournal issuetitle issuesubtitle"
    " series shortseries author editor editora editorb editorc translator annotator commentator"
    " bookauthor holder publisher note addendum address location venue institution organization"
    " school edition type chapter pages volume number issue eventtitle keywords pubstate language"
    " version part"
)
"""Fields that people read. Everything else is an address, an identifier, a date or a file."""


def read_bib(text: str, path: str) -> Parsed[tuple[BibEntry, ...]]:
    """The entries in file order; of two with one key (whatever its case) the first counts."""
    lines = Lines(text, path)
    faults = Faults(lines)
    reader = _Reader(lines)
    reader.take(Scanner(text, faults).blocks())
    entries, problems = with_inherited(reader.entries)
    return Notes(problems=[*faults.problems, *reader.problems, *problems]).parsed(entries)


class _Reader:
    """Turns blocks into entries; knows the macros that were defined so far."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._macros: dict[str, str] = dict(MONTHS)
        self._defined: dict[str, Text] = {}
        self._found: dict[str, BibEntry] = {}
        self.problems = Notes().problems

    @property
    def entries(self) -> tuple[BibEntry, ...]:
        """In file order."""
        return tuple(self._found.values())

    def take(self, blocks: Iterable[Block]) -> None:
        """Read all blocks."""
        for block in blocks:
            if block.type == "string":
                for raw in block.fields:
                    self._string(raw)
            elif block.type != "preamble":
                self._entry(block)

    def _string(self, raw: RawField) -> None:
        name = Text(raw.name, self._lines.place(raw.at))
        value = self._joined(raw)
        first = self._defined.get(name.lower())
        if first is not None:
            self.problems.append(
                warning(
                    name.place,
                    "bib.string",
                    f'The macro "{name}" is already defined on line {first.place.line}.',
                    "Rename one of the two; from here on the second one counts.",
                    first.place,
                )
            )
        self._defined[name.lower()] = name
        if value is not None:
            self._macros[name.lower()] = value

    def _entry(self, block: Block) -> None:
        fields = self._fields(block)
        if not block.key:
            self.problems.append(
                error(
                    self._lines.place(block.at),
                    "bib.syntax",
                    f"This @{block.type} entry has no key.",
                    "Write a key and a comma behind the brace: `@article{smith2020,`.",
                )
            )
            return
        key = Text(block.key, self._lines.place(block.key_at))
        first = self._found.get(key.lower())
        if first is not None:
            self.problems.append(
                error(
                    key.place,
                    "bib.duplicate-key",
                    f'Key "{key}" is already used on line {first.key.place.line}.',
                    "Rename one of the two; until then the first one counts.",
                    first.key.place,
                )
            )
            return
        self._found[key.lower()] = BibEntry(
            key=key, type=block.type, fields=fields, start=block.at, end=block.end
        )

    def _fields(self, block: Block) -> tuple[BibField, ...]:
        found: dict[str, BibField] = {}
        names: dict[str, Text] = {}
        for raw in block.fields:
            name = Text(raw.name.lower(), self._lines.place(raw.at))
            if name in names:
                self._duplicate(name, names[name])
                continue
            names[name] = name
            words = self._joined(raw)
            if words is not None:
                place = self._lines.place(raw.start)
                found[name] = BibField(
                    name=name,
                    raw=Text(words, place),
                    value=Text(_shown(name, words), place),
                    start=raw.start,
                    end=raw.end,
                )
        return tuple(found.values())

    def _duplicate(self, name: Text, first: Text) -> None:
        self.problems.append(
            error(
                name.place,
                "bib.duplicate-field",
                f'The field "{name}" is already set on line {first.place.line}.',
                "Keep one of the two; until then the first one counts.",
                first.place,
            )
        )

    def _joined(self, raw: RawField) -> str | None:
        """The value with its macros filled in; None when one of them is not defined."""
        words = [self._part(part) for part in raw.parts]
        return None if None in words else "".join(word or "" for word in words)

    def _part(self, part: Part) -> str | None:
        if part.kind != "word" or part.text.isdecimal():
            return part.text
        value = self._macros.get(part.text.lower())
        if value is None:
            near = nearest(part.text.lower(), [*self._defined, *MONTHS])
            guess = f' Did you mean "{near}"?' if near is not None else ""
            self.problems.append(
                error(
                    self._lines.place(part.start),
                    "bib.string",
                    f'The macro "{part.text}" is not defined, so the field stays empty.',
                    f"Write braces if it is text: `{{{part.text}}}`.{guess}",
                )
            )
        return value


def _shown(name: str, words: str) -> str:
    if name in PROSE or (name == "howpublished" and not _is_address(words)):
        return plain_text(words)
    bare = " ".join(words.split())
    while len(bare) > 1 and bare[0] + bare[-1] == "{}" and "}" not in bare[1:-1]:
        bare = bare[1:-1].strip()
    return bare


def _is_address(words: str) -> bool:
    return "\\url" in words or "://" in words or "www." in words
