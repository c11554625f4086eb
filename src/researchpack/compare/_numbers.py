"""Volumes and issues: the same number under labels, in Roman digits, with zeros in front."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.compare._lists import word_set

_LABEL: Final = re.compile(
    r"^(?:volumes?|vols?|v|bd|band|tome|t|issues?|iss|numbers?|nos?|nr|n°|heft|h|jg)\b[.\s]*",
    re.IGNORECASE,
)
_ROMAN: Final = re.compile(r"m{0,4}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_JOINED: Final = re.compile(r"(\d+)\s*\(\s*([^()]+)\s*\)")
_MONTHS: Final = word_set(
    "jan feb mar apr may jun jul aug sep oct nov dec spring summer autumn fall winter"
)


def compare_numbers(ours: str, theirs: str | None) -> Finding:
    """Our volume or issue against the record's."""
    if not theirs:
        return unsure(ABSENT)
    mine, other = _number(ours), _number(theirs)
    if mine == other:
        return confirmed(theirs)
    joined = _JOINED.fullmatch(ours.strip())
    if joined and other in (_number(joined[1]), _number(joined[2])):
        return confirmed(theirs, "volume and issue in one")
    if _is_month(mine) != _is_month(other):
        return unsure("a month or season on one side", theirs)
    if {mine, other} & {"inpress", "forthcoming", "aheadofprint", "toappear", "online"}:
        return unsure("not numbered on one side", theirs)
    ours_parts, their_parts = set(mine.split("/")), set(other.split("/"))
    if ours_parts < their_parts or their_parts < ours_parts:
        return unsure("one part of a double number", theirs)
    return contradicted(theirs)


def _number(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    plain = _LABEL.sub("", plain) or plain
    plain = re.sub(r"\b(?:supplement|suppl|supp)\b\.?", "s", plain)
    plain = re.sub(r"\s*(?:[-‐‑‒–—/&,+]|\band\b)+\s*", "/", plain)
    parts = ["".join(char for char in part if char.isalnum()) for part in plain.split("/")]
    return "/".join(_arabic(part) for part in parts if part)


def _arabic(part: str) -> str:
    if part.isdecimal():
        return part.lstrip("0") or "0"
    if _ROMAN.fullmatch(part):
        values = [_VALUES[char] for char in part]
        return str(sum(-v if any(w > v for w in values[n:]) else v for n, v in enumerate(values)))
    return part


def _is_month(number: str) -> bool:
    return any(part[:3] in _MONTHS or part in _MONTHS for part in number.split("/"))
