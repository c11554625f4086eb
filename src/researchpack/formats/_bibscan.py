"""BibTeX text -> blocks with exact offsets. What cannot be read is told; reading then goes on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from researchpack.formats._bibvalues import Part, Values, escaped_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.formats._bibfaults import Faults

_HEAD: Final = re.compile(r"@\s*(?P<type>[A-Za-z][\w.:+-]*)\s*(?P<open>[{(])")
_HEAD_AT_LINE: Final = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(?=@\s*[A-Za-z][\w.:+-]*\s*[{(])")
_WORD_AT: Final = re.compile(r"@\s*([A-Za-z]\w*)")
_NAME: Final = re.compile(r"(?P<name>[^\s\"#%'(),={}@\\]+)\s*=")
_MOJIBAKE: Final = re.compile("(?:(?<!\\w)\\w*|)(?:\ufffd|[ÂÃ][\u0080-\u00bf])\\w*")
_LINE_END: Final = re.compile(r"[\r\n]|\Z")
_KEY_END: Final = re.compile(r"[,=\r\n{}\"]|\Z")
_KEY_END_ROUND: Final = re.compile(r"[,=\r\n{}\")]|\Z")
_FIELD_IN_LINE: Final = re.compile(
    r"(?<![\w:+-])(?P<name>[A-Za-z][\w:+-]*)[ \t]*=[ \t]*(?P<value>[^\r\n]*)"
)
_SWALLOWED: Final = re.compile(r"[\r\n][ \t]*[A-Za-z][\w-]*[ \t]*=[ \t]*[\w{\"]|,\s*\}$")


@dataclass(slots=True)
class RawField:
    """A field as it stands in the file."""

    name: str
    at: int
    parts: list[Part]
    end: int

    @property
    def start(self) -> int:
        """Where the value begins."""
        return self.parts[0].start


@dataclass(slots=True)
class Block:
    """`@type{…}`: an entry, or with an empty key a `@string` or `@preamble`."""

    type: str
    at: int
    """Of the `@`."""
    open: int
    """Of the brace."""
    key: str = ""
    key_at: int = 0
    fields: list[RawField] = field(default_factory=list)
    end: int = 0


class Scanner:
    """Walks over one text."""

    def __init__(self, text: str, faults: Faults) -> None:
        self._text = text
        self._faults = faults
        self._values = Values(text, faults)

    def blocks(self) -> Iterator[Block]:
        """Entries, strings and preambles in file order."""
        at, gap = 0, 0
        if "\0" in self._text:
            self._faults.nul(self._text.index("\0"))
        for match in _MOJIBAKE.finditer(self._text):
            self._faults.mojibake(match.start(), match[0])
        while True:
            sign = self._text.find("@", at)
            if sign < 0:
                self._between(gap, len(self._text))
                return
            head = _HEAD.match(self._text, sign)
            if head is None:
                at = self._no_head(sign)
                continue
            self._between(gap, sign)
            if self._commented(sign):
                at = gap = self._skip_commented(head)
                continue
            kind = head["type"].lower()
            if kind == "comment":
                at = gap = self._comment(head)
                continue
            block = Block(kind, sign, head.end() - 1, end=head.end())
            self._body(block)
            at = gap = max(block.end, head.end())
            yield block

    # --- between the blocks

    def _no_head(self, sign: int) -> int:
        """An `@` without a brace looks like an entry at the start of a line, else like mail."""
        word = _WORD_AT.match(self._text, sign)
        if word is None:
            return sign + 1
        if word[1].lower() != "comment" and not self._line_before(sign).strip():
            self._faults.no_brace(sign, word[1])
        return word.end()

    def _line_before(self, at: int) -> str:
        start = max(self._text.rfind("\n", 0, at), self._text.rfind("\r", 0, at)) + 1
        return self._text[start:at]

    def _commented(self, sign: int) -> bool:
        return self._line_before(sign).lstrip().startswith("%")

    def _skip_commented(self, head: re.Match[str]) -> int:
        """Past an entry behind a `%`."""
        partner = self._values.partner(head.end() - 1)
        end = partner + 1 if partner is not None else self._line_end(head.end())
        self._tell_commented(head.start(), end)
        return end

    def _comment(self, head: re.Match[str]) -> int:
        end = self._values.closing(head.end() - 1)
        if end is None:
            end = self._line_end(head.end())
        self._tell_commented(head.end(), end)
        return end

    def _tell_commented(self, start: int, end: int) -> None:
        for head in _HEAD.finditer(self._text, start, end):
            self._faults.commented(head.start(), self._text[head.start() : head.end() + 200])

    def _between(self, start: int, end: int) -> None:
        if start < end:
            behind = self._text[start - 1 : start] in ("}", ")")
            self._faults.between(start, self._text[start:end], behind)

    # --- one block

    def _body(self, block: Block) -> None:
        close = "}" if self._text[block.open] == "{" else ")"
        at = self._values.space(block.open + 1)
        if block.type == "preamble":
            parts, at = self._values.value(at)
            if parts is None:
                self._unclosed(block, at)
                return
            self._end(block, at, close)
            return
        if block.type != "string":
            at = self._key(block, close)
        self._fields(block, at, close)

    def _end(self, block: Block, at: int, close: str) -> None:
        at = self._values.space(at)
        if self._text[at : at + 1] == close:
            block.end = at + 1
        else:
            self._unclosed(block, at)

    def _key(self, block: Block, close: str) -> int:
        """Sets the key and returns where the fields begin."""
        start = self._values.space(block.open + 1)
        if self._text[start : start + 1] == "%":
            self._faults.comment_inside(start)
            start = self._values.space(self._line_end(start))
        form = _KEY_END_ROUND if close == ")" else _KEY_END
        stop = form.search(self._text, start)
        assert stop is not None  # the end of the text matches
        end = stop.start()
        if stop[0] in ("{", '"'):  # no key has these, but what stands here is meant as one
            end = re.compile(r"[,\r\n]|\Z").search(self._text, end).start()  # type: ignore[union-attr]
        words = self._text[start:end].rstrip()
        block.key_at = start
        if stop[0] == "=":
            return self._key_without_comma(block, words, start)
        block.key = "" if words.startswith(("{", '"')) else words
        at = self._values.space(end)
        following = self._text[at : at + 1]
        if following == ",":
            return at + 1
        if following not in ("", close) and words and _NAME.match(self._text, at):
            self._faults.no_comma(start + len(words), f"the key `{words}`")
        return at

    def _key_without_comma(self, block: Block, words: str, start: int) -> int:
        parts = words.split()
        if len(parts) < 2:
            return start
        block.key = parts[0]
        self._faults.no_comma(start + len(parts[0]), f"the key `{parts[0]}`")
        return start + words.rfind(parts[-1])

    def _fields(self, block: Block, at: int, close: str) -> None:
        while True:
            at = self._values.space(at)
            char = self._text[at : at + 1]
            if char == close:
                block.end = at + 1
                self._look_for_swallowed(block)
                return
            if char == "" or (char == "@" and _HEAD_AT_LINE.match(self._text, self._line(at))):
                self._unclosed(block, at)
                return
            if char == ",":
                at += 1
            elif char == "%":
                self._faults.comment_inside(at)
                at = self._line_end(at)
            else:
                name = _NAME.match(self._text, at)
                after = self._junk(at, close) if name is None else self._field(block, name, close)
                if after is None:
                    return
                at = after

    def _line(self, at: int) -> int:
        return at - len(self._line_before(at))

    def _field(self, block: Block, name: re.Match[str], close: str) -> int | None:
        """Reads a field and returns where the next begins; None when the entry is never closed."""
        parts, at = self._values.value(self._values.space(name.end()))
        if parts is None:
            self._unclosed(block, at, name.start())
            return None
        if not parts:
            self._faults.no_value(name.start(), name["name"])
            return at
        end = parts[-1].end
        block.fields.append(RawField(name["name"], name.start(), parts, end))
        at = self._values.space(end)
        if self._text[at : at + 1] not in ("", ",", close, "@", "%"):
            if _NAME.match(self._text, at):
                self._faults.no_comma(end, f"`{name['name']}`")
            else:
                self._faults.behind_value(at, name["name"], escaped_end(parts[-1]))
                return self._past_junk(at, close)
        return at

    def _junk(self, at: int, close: str) -> int:
        self._faults.no_field(at, self._text[at : self._line_end(at)])
        return self._past_junk(at, close)

    def _past_junk(self, at: int, close: str) -> int:
        """Where reading can go on behind `at`: a comma, the end of the entry, a line with a field.

        It is always further on, so that nothing is looked at twice.
        """
        while at < len(self._text):
            partner = self._values.partner(at) if self._text[at] == "{" else None
            at = at + 1 if partner is None else partner + 1
            char = self._text[at : at + 1]
            if char in (",", close) or (char == "@" and not self._line_before(at).strip()):
                break
            if char in "\r\n" and _NAME.match(self._text, self._values.space(at)):
                break
        return at

    # --- an entry that is never closed

    def _unclosed(self, block: Block, at: int, unread: int | None = None) -> None:
        """Ends the entry where the next one begins and saves what its lines say.

        `unread`: where the field begins whose value is never closed.
        """
        following = _HEAD_AT_LINE.search(self._text, block.open + 1)
        limit = following.end() if following else len(self._text)
        culprit = next((f for f in block.fields if self._swallows(f, limit)), None)
        if culprit is not None:
            place = culprit.start
        else:
            inside = block.open < at < limit and self._text[at] in '{"'
            place = at if inside else block.open
        self._faults.unclosed(place, self._text[place], block.type, block.key)
        block.end = limit
        if culprit is not None:
            block.fields, unread = block.fields[: block.fields.index(culprit)], culprit.at
        if block.type != "string":
            block.fields += self._salvaged(at if unread is None else unread, limit)

    def _swallows(self, raw: RawField, limit: int) -> bool:
        words = self._text[raw.start : raw.end]
        return raw.end > limit or _SWALLOWED.search(words) is not None

    def _salvaged(self, start: int, end: int) -> Iterator[RawField]:
        for match in _FIELD_IN_LINE.finditer(self._text, start, end):
            if match.start() != start and self._line_before(match.start()).strip():
                continue
            words = match["value"].rstrip().rstrip(",")
            bare = words
            if bare[:1] in '{"':
                bare = bare[1:-1] if bare.endswith(("}", '"')) else bare[1:]
            while bare.count("}") > bare.count("{") and bare.endswith("}"):
                bare = bare[:-1]
            first, last = match.start("value"), match.start("value") + len(words)
            if bare:
                kind = "word" if bare == words and bare.isdigit() else "braced"
                yield RawField(
                    match["name"], match.start("name"), [Part(kind, bare, first, last)], last
                )

    def _look_for_swallowed(self, block: Block) -> None:
        for raw in block.fields:
            self._faults.swallowed(raw.name, raw.start, self._text[raw.start : raw.end])

    def _line_end(self, at: int) -> int:
        match = _LINE_END.search(self._text, at)
        return match.start() if match else len(self._text)
