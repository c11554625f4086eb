"""The pack's files as text -> the same files with entries added and values changed.

Everything that does not change keeps its bytes: comments, order, quoting, line ends. A value that
cannot be replaced without touching words of a person beside it is left, and that is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from researchpack.entries import CELLS, KEYS, Data
from researchpack.formats._columns import claim_field
from researchpack.places import Lines
from researchpack.splice import replace_spans
from researchpack.starting import CLAIMS
from researchpack.tables import read_tables
from researchpack.yamlout import entry_lines, value_lines
from researchpack.yamltext import Mapping, Scalar, Sequence, read_yaml

if TYPE_CHECKING:
    from researchpack.records import Section
    from researchpack.tables import Cell, Table

_COMMENT: Final = re.compile(r"^\s*#|\s#\s", re.MULTILINE)


@dataclass(slots=True)
class Rewrite:
    """A file while it is changed."""

    text: str
    left: list[str] = field(default_factory=list)
    """What could not be written, as sentences."""
    done: list[str] = field(default_factory=list)
    """What was, as short words."""

    @property
    def newline(self) -> str:
        """The line end of the file."""
        return "\r\n" if "\r\n" in self.text else "\n"


# --- YAML lists


def write_entries(
    rewrite: Rewrite, name: str, before: dict[str, Data], after: dict[str, Data]
) -> None:
    """Bring a list of entries from `before` to `after`, by id; none is taken away."""
    changes: list[tuple[int, int, str]] = []
    for entry_id, entry in after.items():
        old = before.get(entry_id)
        if old is None or old == entry:
            continue
        for key, value in entry.items():
            if old.get(key) != value:
                changes += _change(rewrite, name, entry_id, key, old.get(key), value)
    rewrite.text = replace_spans(rewrite.text, changes)
    added = [entry for entry_id, entry in after.items() if entry_id not in before]
    if added:
        _append(rewrite, name, added)


def _change(
    rewrite: Rewrite, name: str, entry_id: str, key: str, old: Any, new: Any
) -> list[tuple[int, int, str]]:
    """The change of one value, or nothing, which is told then."""
    entry = _entry(rewrite.text, name, entry_id)
    lines = Lines(rewrite.text, "")
    if entry is None or not _is_block(rewrite.text, entry, lines):
        rewrite.left.append(f"{entry_id} {key}: the entry is not written line by line.")
        return []
    lead = " " * (entry.place.column - 1)
    stretch = _stretch(rewrite.text, entry, key, lines)
    if stretch is None:
        at = _end(rewrite.text, entry, lines)
        rewrite.done.append(f"{entry_id} {key} added")
        words = rewrite.newline.join(value_lines(key, new, lead))
        glue = "" if rewrite.text[:at].endswith("\n") or not at else rewrite.newline
        return [(at, at, f"{glue}{words}{rewrite.newline}")]
    start, end = stretch
    body = rewrite.text[start:end]
    grown = _grown(old, new)
    if grown is not None and re.search(r":\s*$", body.split("\n")[0].rstrip("\r")):
        item_lead = _item_lead(body, lead)
        told = [line for one in grown for line in entry_lines(one, tuple(one), item_lead)]
        words = rewrite.newline.join(told) + rewrite.newline
        glue = "" if body.endswith("\n") else rewrite.newline
        rewrite.done.append(f"{entry_id} {key} grew")
        return [(end, end, glue + words)]
    if _has_comment(body):
        rewrite.left.append(f"{entry_id} {key}: a comment stands in the value.")
        return []
    words = rewrite.newline.join(value_lines(key, new, lead)) + rewrite.newline
    first = rewrite.text[rewrite.text.rfind("\n", 0, start) + 1 : start]
    rewrite.done.append(f"{entry_id} {key} changed")
    return [(start, end, words[len(lead) :] if first.strip() or first == lead else words)]


def _grown(old: Any, new: Any) -> list[Data] | None:
    """The maps that a list has more at its end; None when it changed otherwise."""
    if not (isinstance(old, list) and isinstance(new, list) and old) or len(new) <= len(old):
        return None
    more = new[len(old) :]
    return more if new[: len(old)] == old and all(isinstance(one, dict) for one in more) else None


def _item_lead(body: str, lead: str) -> str:
    match = re.search(r"^([ ]*)- ", body, re.MULTILINE)
    return match[1] if match else f"{lead}  "


def _has_comment(body: str) -> bool:
    """Whether a comment may stand in a value; a sign inside of quotes counts, to be safe."""
    return _COMMENT.search(body) is not None


def _entry(text: str, name: str, entry_id: str) -> Mapping | None:
    node, _ = read_yaml(text, "")
    if isinstance(node, Mapping):
        node = node.get(name)
    for item in node.items if isinstance(node, Sequence) else ():
        own = item.get("id") if isinstance(item, Mapping) else None
        if isinstance(item, Mapping) and isinstance(own, Scalar) and own.text == entry_id:
            return item
    return None


def _is_block(text: str, entry: Mapping, lines: Lines) -> bool:
    """Whether every key of an entry begins a line of its own, in one column."""
    column = entry.place.column
    for number, (key, _) in enumerate(entry.items):
        start = lines.offset(key.place.line)
        before = text[start : start + key.place.column - 1]
        if key.place.column != column or before.strip(" -" if number == 0 else " "):
            return False
    return bool(entry.items)


def _stretch(text: str, entry: Mapping, key: str, lines: Lines) -> tuple[int, int] | None:
    """From a key to the line on which the next one, or the next entry, begins."""
    names = [name for name, _ in entry.items]
    at = next((n for n, name in enumerate(names) if name == key), None)
    if at is None:
        return None
    start = lines.offset(names[at].place.line) + names[at].place.column - 1
    if at + 1 < len(names):
        end = lines.offset(names[at + 1].place.line)
    else:
        end = _end(text, entry, lines)
    return start, _trimmed(text, start, end)


def _end(text: str, entry: Mapping, lines: Lines) -> int:
    """Behind the last line of an entry."""
    last = entry.items[-1][0].place
    column = entry.place.column
    at = lines.offset(last.line)
    end = text.find("\n", at)
    while 0 <= end < len(text) - 1:
        following = text[end + 1 :].split("\n", 1)[0].rstrip("\r")
        indent = len(following) - len(following.lstrip(" "))
        if following.strip() and indent < column - 1:
            break
        nxt = text.find("\n", end + 1)
        if nxt < 0:
            end = len(text) - 1
            break
        end = nxt
    if end < 0:
        return len(text)
    return _trimmed(text, at, end + 1)


def _trimmed(text: str, start: int, end: int) -> int:
    """`end` before the empty lines and the lines of comment that stand at the end."""
    while end > start:
        line = text[text.rfind("\n", 0, end - 1) + 1 : end]
        if line.strip() and not line.lstrip().startswith("#"):
            return end
        end -= len(line)
    return end


def _append(rewrite: Rewrite, name: str, added: list[Data]) -> None:
    node, _ = read_yaml(rewrite.text, "")
    inner = node.get(name) if isinstance(node, Mapping) else node
    lead = ""
    if isinstance(inner, Sequence) and inner.items:
        first = inner.items[0]
        column = first.place.column if isinstance(first, Mapping) else inner.place.column + 2
        lead = " " * max(0, column - 3)
    body = rewrite.text
    if isinstance(inner, Sequence) and not inner.items:  # `[]` holds nothing
        at = Lines(body, "").offset(inner.place.line) + inner.place.column - 1
        body = body[:at] + re.sub(r"\[\s*\]", "", body[at:], count=1)
    if body and not body.endswith("\n"):
        body += rewrite.newline
    parts = []
    for entry in added:
        parts.append(rewrite.newline.join(entry_lines(entry, KEYS[name], lead)) + rewrite.newline)
        rewrite.done.append(f"{entry.get('id')} added")
    glue = rewrite.newline if isinstance(inner, Sequence) and inner.items else ""
    rewrite.text = body + glue + rewrite.newline.join(parts)


# --- the claim table


def claim_cells(text: str) -> dict[str, dict[str, Cell]]:
    """Per claim its cells by field, as they stand in the file; the first of an id counts."""
    found: dict[str, dict[str, Cell]] = {}
    for table, fields in _claim_tables(text):
        for row in table.rows:
            cells = {f: c for f, c in zip(fields, row.cells, strict=False) if f is not None}
            name = cells["id"].text.strip("*_`[] ") if "id" in cells else ""
            if name:
                found.setdefault(name, cells)
    return found


def _claim_tables(text: str) -> list[tuple[Table, list[str | None]]]:
    found = []
    for table in read_tables(text).tables:
        fields = [claim_field(cell.text) for cell in table.header]
        if "claim" in fields and "id" in fields:
            found.append((table, fields))
    return found


def write_cells(rewrite: Rewrite, changes: dict[tuple[str, str], str]) -> None:
    """Replace cells of the claim table: (claim, field) -> new words."""
    cells = claim_cells(rewrite.text)
    lines = Lines(rewrite.text, "")
    spans = []
    for (claim_id, name), words in changes.items():
        cell = cells.get(claim_id, {}).get(name)
        raw = (cell.text if cell else "").replace("|", "\\|")
        at = lines.offset(cell.line) + cell.column - 1 if cell else -1
        if cell is None or rewrite.text[at : at + len(raw)] != raw:
            rewrite.left.append(f"{claim_id} {name}: the table has no such cell.")
            continue
        spans.append((at, at + len(raw), words.replace("|", "\\|")))
        rewrite.done.append(f"{claim_id} {name} changed")
    rewrite.text = replace_spans(rewrite.text, spans)


def write_rows(rewrite: Rewrite, rows: list[dict[str, str]]) -> None:
    """Append claims to the last claim table, which is made when there is none."""
    if not rows:
        return
    tables = _claim_tables(rewrite.text)
    if not tables:
        glue = "" if not rewrite.text or rewrite.text.endswith("\n") else rewrite.newline
        empty = CLAIMS[CLAIMS.index("|") :].replace("\n", rewrite.newline)
        rewrite.text += f"{glue}{rewrite.newline if rewrite.text else ''}{empty}"
        tables = _claim_tables(rewrite.text)
    table, fields = tables[-1]
    lines = rewrite.text.split("\n")
    told = []
    for row in rows:
        cells = [row.get(name or "", "").replace("|", "\\|") for name in fields]
        told.append(f"| {' | '.join(cells)} |")
        rewrite.done.append(f"{row['id']} added")
        for name in CELLS:
            if row.get(name) and name not in fields:
                rewrite.left.append(f"{row['id']} {name}: the table has no such column.")
    end = "\r" if rewrite.newline == "\r\n" else ""
    at = table.end_line
    if at == len(lines):
        lines[-1] += end
        rewrite.text = "\n".join([*lines, *(f"{line}{end}" for line in told)])
        return
    rewrite.text = "\n".join([*lines[:at], *(f"{line}{end}" for line in told), *lines[at:]])


def write_notes(rewrite: Rewrite, notes: str) -> None:
    """Put words above the claim table, unless they stand in the file already."""
    if not notes.strip() or " ".join(notes.split()) in " ".join(rewrite.text.split()):
        return
    tables = _claim_tables(rewrite.text)
    lines = rewrite.text.split("\n")
    at = tables[0][0].line - 1 if tables else len(lines)
    told = [*notes.strip("\n").split("\n"), ""]
    if at and lines[at - 1].strip():
        told.insert(0, "")
    end = "\r" if rewrite.newline == "\r\n" else ""
    rewrite.text = "\n".join([*lines[:at], *(f"{line}{end}" for line in told), *lines[at:]])
    rewrite.done.append("notes added")


# --- Markdown files of sections


def write_sections(
    rewrite: Rewrite, sections: tuple[Section, ...], changed: dict[str, str], added: list[str]
) -> None:
    """Replace the bodies of sections, and append those that are new, by title."""
    lines = Lines(rewrite.text, "")
    spans = []
    for section in sections:
        words = changed.get(str(section.title))
        if words is None or str(section.title) in added:
            continue
        place = section.body.place
        if not section.body:
            at = rewrite.text.find("\n", lines.offset(section.title.place.line))
            at = len(rewrite.text) if at < 0 else at + 1
            spans.append((at, at, f"{rewrite.newline}{_lines(words, rewrite)}{rewrite.newline}"))
        else:
            start = lines.offset(place.line) + place.column - 1
            spans.append((start, start + len(section.body), _lines(words, rewrite)))
        rewrite.done.append(f"{section.title} changed")
    rewrite.text = replace_spans(rewrite.text, spans)
    for title in added:
        body = rewrite.text.rstrip("\r\n")
        glue = rewrite.newline * 2 if body else ""
        words = f"{rewrite.newline * 2}{_lines(changed[title], rewrite)}" if changed[title] else ""
        rewrite.text = f"{body}{glue}## {title}{words}{rewrite.newline}"
        rewrite.done.append(f"{title} added")


def _lines(words: str, rewrite: Rewrite) -> str:
    return words.replace("\n", rewrite.newline)
