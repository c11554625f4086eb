"""Section 2: the rows of the claim audit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.cites import find_cites
from researchpack.drafting._words import clean
from researchpack.formats._cells import find_source_ids, plain, value
from researchpack.formats._columns import plain_name
from researchpack.formats.vocabulary import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from researchpack.formats.report import ClaimRow

_FOOTNOTE: Final = re.compile(r"\[\^([^\]\s]+)\]")
_KEPT: Final = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|https?://\S+|\]\([^)]*\)", re.DOTALL)
_ONE: Final = r"S\d+[a-z]?"
_SOURCES: Final = re.compile(
    rf"\[\s*{_ONE}(?:\s*(?:[,;&–—-]|and|to)\s*(?:S?\d+[a-z]?))*\s*\]"
    rf"|(?<![\w\[.-]){_ONE}(?:\s*[–—-]\s*{_ONE})?(?![\w\]])"
)


def draft_claim(row: ClaimRow, footnotes: Mapping[str, str]) -> dict[str, str]:
    """The cells of one row."""
    raw = {name: _cell(cell.text, footnotes) for name, cell in row.cells}
    raw["id"] = row.id or ""
    if "claim" not in raw or (row.claim and raw["claim"].startswith(f"{row.id}:")):
        raw["claim"] = row.claim or ""
    if row.priority and raw.get("priority") not in DEFAULT.known("priority"):
        raw["priority"] = row.priority
    for name in ("kind", "verdict", "class", "response"):
        raw[name] = _words(raw.get(name, ""), name)
    raw["evidence"] = _bracketed(raw.get("evidence", ""), row.cites)
    if value(raw.get("where", "")) is None:
        raw["where"] = ""
    return raw


def _cell(raw: str, footnotes: Mapping[str, str]) -> str:
    """A cell on one line, with the words of its footnotes."""
    text = _FOOTNOTE.sub(lambda m: f" ({footnotes[m[1]]})" if m[1] in footnotes else m[0], raw)
    lines = [re.sub(r"^[-*•]\s+", "", line).strip() for line in text.split("\n")]
    joined = "; ".join(line for line in lines if line) if "\n" in text else text.strip()
    return clean(re.sub(r"\s*<br\s*/?>\s*", " ", joined, flags=re.IGNORECASE))


def _bracketed(cell: str, cites: Iterable[str]) -> str:
    """A cell whose sources are cited as the pack does it: [S1, S2], not S1 or [S1–S2]."""
    told = {cite.id for cite in find_cites(cell)}
    if told >= set(cites):
        return cell
    parts, at = [], 0
    for kept in _KEPT.finditer(cell):
        parts += [_with_brackets(cell[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*parts, _with_brackets(cell[at:])])


def _with_brackets(words: str) -> str:
    def told(match: re.Match[str]) -> str:
        ids = find_source_ids(match[0])
        return f"[{', '.join(ids)}]" if ids else match[0]

    return _SOURCES.sub(told, words)


_KNOWN_WORDS: Final = {
    name: {plain_name(word): word for word in DEFAULT.known(name)}
    for name in ("kind", "verdict", "class", "response")
}


def _words(cell: str, field_name: str) -> str:
    """Values of a list as the vocabulary writes them, when only case and marks differ."""
    known = _KNOWN_WORDS[field_name]
    parts = [part.strip() for part in cell.split(";")]
    if field_name in ("verdict", "response"):
        parts = [cell.strip()]
    if value(cell) is None:
        return ""
    return "; ".join(known.get(plain_name(plain(part)), part) for part in parts)
