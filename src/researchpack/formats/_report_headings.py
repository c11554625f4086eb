"""Which heading of a report opens which of its seven sections, however it is written."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from researchpack.formats._cells import plain
from researchpack.formats._columns import plain_name

KINDS: Final = (
    "context",
    "claims",
    "sources",
    "findings",
    "proposal",
    "experiments",
    "review",
)
"""The seven sections of a report, in their order."""
TITLES: Final = {
    "context": "1. Context and provenance",
    "claims": "2. Claim audit",
    "sources": "3. Source ledger",
    "findings": "4. Findings",
    "proposal": "5. Upgrade proposal",
    "experiments": "6. Experiment opportunities",
    "review": "7. Review checklist",
}
"""Their headings as the brief asks for them."""

_WHOLE: Final = {
    plain_name(name): kind
    for kind, names in {
        "context": "context and provenance|context|provenance|provenance and context"
        "|context provenance|identity and context",
        "claims": "claim audit|claims audit|claim audit table|audit of claims|audit of the claims"
        "|claims|claim ledger|the claim audit",
        "sources": "source ledger|sources ledger|ledger of sources|source list|sources"
        "|ledger|the source ledger",
        "findings": "findings|key findings|main findings|the findings",
        "proposal": "upgrade proposal|upgrade proposals|proposal|proposals|proposed upgrade"
        "|proposed changes|change proposal|proposed upgrades",
        "experiments": "experiment opportunities|experiment opportunity|experiments"
        "|experimental opportunities|opportunities for experiments|experiments and checks"
        "|proposed experiments",
        "review": "review checklist|reviewer checklist|review check list|checklist"
        "|checklist for review|review",
    }.items()
    for name in names.split("|")
}
_BEGINNINGS: Final = {plain_name(TITLES[kind].partition(" ")[2]): kind for kind in KINDS}
# What a section that nobody asked for is called; a number before it says nothing.
_OTHERS: Final = re.compile(
    r"\b(?:appendix|annex|summary|abstract|introduction|overview|search log|glossary|conclusions?"
    r"|acknowledge?ments?|references|bibliography|notes?|table of contents|contents|changelog"
    r"|method(?:s|ology)?|disclaimer)\b"
)
_KEYCAP: Final = re.compile(r"(\d)\ufe0f?\u20e3")
_NUMBER: Final = re.compile(
    r"(?:(?:§|section|sec\.|part|no\.|nr\.|第|#)\s*)?"
    r"(?:(\d{1,2})(?!\d|\.\d)\s*(?:[.):\]、—–-]+|章|节|節|部分|(?=\s)|$)"
    r"|([ivx]{1,5})\s*[.):—–-]+)\s*",
    re.IGNORECASE,
)
_ROMAN: Final = {
    "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10,
}  # fmt: skip
_HASHES: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")
_TAGGED: Final = re.compile(r" {0,3}<h([1-6])\b[^>]*>(.+?)</h\1>\s*$", re.IGNORECASE)
_BOLD: Final = re.compile(r" {0,3}(\*\*|__)(?=\S)(.+?)\1:?[ \t]*$")
_LONGEST: Final = 300
BOLD_LEVEL: Final = 7
PLAIN_LEVEL: Final = 8


@dataclass(frozen=True, slots=True)
class Named:
    """What a title says."""

    number: int | None
    kind: str | None
    """One of `KINDS` by its words; None when they are none of the known ones."""
    other: bool
    """Whether its words are those of a section that nobody asked for."""
    whole: bool = False
    """Whether its words are a known name and nothing else."""


@lru_cache(maxsize=4096)
def name_of(title: str) -> Named:
    """The number and the kind of a title."""
    words = unicodedata.normalize("NFKC", _KEYCAP.sub(r"\1 ", title)).strip(" []")
    match = _NUMBER.match(words)
    number = None
    if match:
        number = int(match[1]) if match[1] else _ROMAN.get(match[2].lower())
        words = words[match.end() :] if number is not None else words
    first = re.split(r"\s[—–-]+\s|[:：(（]", words)[0]
    names = plain_name(first), plain_name(words)
    kind = next((_WHOLE[name] for name in names if name in _WHOLE), None)
    whole = kind is not None
    if kind is None:
        kind = next((k for name, k in _BEGINNINGS.items() if names[1].startswith(f"{name} ")), None)
    return Named(number, kind, kind is None and _OTHERS.search(names[1]) is not None, whole)


def heading_at(line: str) -> tuple[int, str] | None:
    """The level and the plain title of a line that is a heading by itself, bold lines included."""
    if len(line) > _LONGEST:
        return None
    if match := _HASHES.match(line):
        return len(match[1]), plain(match[2])
    if match := _TAGGED.match(line):
        return int(match[1]), plain(match[2])
    if match := _BOLD.match(line):
        return BOLD_LEVEL, plain(match[2])
    return None


@lru_cache(maxsize=4096)
def is_section_line(line: str) -> bool:
    """Whether a line is the heading of one of the seven sections."""
    found = heading_at(line)
    if found is None or found[0] >= BOLD_LEVEL:
        return False
    named = name_of(found[1])
    return named.kind is not None or (named.number in range(1, 8) and not named.other)
