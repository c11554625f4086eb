"""What is wrong with the form of a `.bib` file, in words, at its line and column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.problems import Problem, error, info, warning

if TYPE_CHECKING:
    from researchpack.places import Lines

_INNER: Final = re.compile(r"@\s*(?P<type>[A-Za-z]\w*)\s*[{(]\s*(?P<key>[^\s,{}()=\"]+)\s*,")
_NO_ENTRY: Final = ("comment", "string", "preamble")
_TYPES: Final = (
    "article|book|booklet|conference|inbook|incollection|inproceedings|manual|mastersthesis|misc"
    "|phdthesis|proceedings|techreport|unpublished|online|thesis|report|software|dataset"
    "|collection|periodical|patent|www|electronic"
)
_WITHOUT_SIGN: Final = re.compile(rf"(?:^|[\r\n])[ \t]*({_TYPES})[ \t]*\{{\s*[^\s,{{}}=]+,", re.I)
_ENTRY_INSIDE: Final = re.compile(
    rf"[\r\n][ \t]*@({_TYPES})\s*\{{\s*(?P<key>[^\s,{{}}=]+)\s*,\s*[A-Za-z][\w-]*\s*=", re.I
)
_FIELD: Final = re.compile(r"(?:^|[\r\n,])[ \t]*[A-Za-z][\w-]*[ \t]*=[ \t]*[\w{\"]")
_FREE: Final = ("abstract", "annote", "annotation", "comment", "note", "review", "keywords")
"""Fields in which a whole entry may be quoted."""


class Faults:
    """Collects the problems of one file."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.problems: list[Problem] = []

    def no_brace(self, at: int, word: str) -> None:
        """`@article` at the start of a line and no brace."""
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.syntax",
                f"`@{word}` looks like the start of an entry, but no brace follows.",
                f"Write `@{word}{{key,`; if it is a remark, do not begin a line with it.",
            )
        )

    def commented(self, at: int, words: str) -> None:
        """An entry inside a comment: BibTeX does not know that it is one."""
        found = _INNER.match(words)
        if found is None or found["type"].lower() in _NO_ENTRY:
            return
        self.problems.append(
            info(
                self._lines.place(at),
                "bib.comment",
                f'The commented entry "{found["key"]}" is still read by classic BibTeX.',
                "It is no source here. Take the `@` away if it is to be none anywhere.",
            )
        )

    def comment_inside(self, at: int) -> None:
        """`%` inside an entry."""
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.comment",
                "A `%` begins no comment inside an entry: BibTeX stops here.",
                "Put the remark in front of the entry, or into a field `note` or `annote`.",
            )
        )

    def between(self, at: int, words: str, behind: bool) -> None:
        """Text between two entries: a comment, unless it is the rest of one.

        `behind`: an entry ends right before it.
        """
        bare = re.sub(r"(?m)^[ \t]*%.*$", lambda match: " " * len(match[0]), words)
        self._rest_of_entry(at, bare, behind)
        for found in _WITHOUT_SIGN.finditer(bare):
            self.problems.append(
                error(
                    self._lines.place(at + found.start(1)),
                    "bib.syntax",
                    f"This looks like an entry, but there is no `@` in front of `{found[1]}`.",
                    f"Write `@{found[1]}{{`.",
                )
            )

    def _rest_of_entry(self, at: int, bare: str, behind: bool) -> None:
        brace = bare.find("}")
        if brace < 0:
            return
        field = _FIELD.search(bare, 0, brace) if behind else None
        if field is not None:
            self.problems.append(
                error(
                    self._lines.place(at - 1),
                    "bib.braces",
                    "The entry ends at this brace, and fields follow that nobody reads.",
                    "There is one closing brace too many here or before it. Delete it.",
                    self._lines.place(at + brace),
                )
            )
        else:
            self.problems.append(
                warning(
                    self._lines.place(at + brace),
                    "bib.braces",
                    "This closing brace closes nothing.",
                    "Delete it.",
                )
            )

    def mojibake(self, at: int, words: str) -> None:
        """Letters that went through a wrong encoding once."""
        self.problems.append(
            warning(
                self._lines.place(at),
                "bib.encoding",
                f'"{words}" looks like text that was read in a wrong encoding and saved again.',
                "Write the letters that are meant.",
            )
        )

    def nul(self, at: int) -> None:
        """A character that no text holds."""
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.encoding",
                "The file holds a NUL character, so it is no UTF-8 text; it may be UTF-16.",
                "Save the file as UTF-8.",
            )
        )

    def no_comma(self, at: int, behind: str) -> None:
        """Two fields without a comma between them."""
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.syntax",
                f"A comma is missing behind {behind}.",
                "Write it; many programs lose the next field, or the whole entry.",
            )
        )

    def no_value(self, at: int, name: str) -> None:
        """`title = ,`."""
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.syntax",
                f'The field "{name}" has no value.',
                "Write one in braces, or delete the field.",
            )
        )

    def no_field(self, at: int, line: str) -> None:
        """Something that is no `name = value`."""
        words = line.strip()
        shown = words if len(words) <= 40 else f"{words[:40]}…"
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.syntax",
                f"Here a field should begin, and there is `{shown}`.",
                "Write `name = {value},`.",
            )
        )

    def behind_value(self, at: int, name: str, escaped: str) -> None:
        """More text behind a value that is already closed."""
        fix = "Put the whole value into one pair of braces; join parts with `#`."
        if escaped == '"':
            fix = 'A `"` ends the value even behind a backslash: write `{\\"o}`, or use braces.'
        elif escaped:
            fix = "BibTeX counts a brace even behind a backslash: write `\\textbraceright`."
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.syntax",
                f'Text follows the value of "{name}", which ends before it.',
                fix,
            )
        )

    def escaped_brace(self, at: int) -> None:
        """`{a \\{ b}`: BibTeX counts the escaped brace."""
        self.problems.append(
            warning(
                self._lines.place(at),
                "bib.braces",
                "This value holds `\\{` or `\\}` without its partner, and BibTeX counts them.",
                "Write `\\textbraceleft` or `\\textbraceright`, or add the partner.",
            )
        )

    def unclosed(self, at: int, bracket: str, kind: str, key: str) -> None:
        """A brace or quotation mark without its partner."""
        name = {"{": "brace", "(": "parenthesis", '"': "quotation mark"}.get(bracket, "brace")
        whose = f'@{kind} entry "{key}"' if key else f"@{kind}"
        self.problems.append(
            error(
                self._lines.place(at),
                "bib.braces",
                f"The {name} that opens here is never closed, so {whose} does not end.",
                "Close it. Until then the entry ends where the next one begins.",
            )
        )

    def swallowed(self, name: str, at: int, words: str) -> None:
        """A value that holds what looks like whole entries."""
        if "@" not in words or name.lower() in _FREE:
            return
        found = _ENTRY_INSIDE.search(words)
        if found is not None:
            self.problems.append(
                warning(
                    self._lines.place(at),
                    "bib.braces",
                    f'The value of "{name}" holds a whole entry, "{found["key"]}".',
                    "A closing brace is probably missing before it.",
                )
            )
