"""Names of people and bodies, as BibTeX and as a ledger write them -> `Name`.

BibTeX splits a list at ` and ` outside of braces and a name at its commas; words in lower case
before the family name are its particle. A name in braces as a whole is a body, which has no
parts; so is one whose words say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from researchpack.formats._shared import word_set
from researchpack.latex import plain_text
from researchpack.records import Name

OTHERS: Final = "others"
"""The last name of a list that is cut short: `and others`."""

_TRUNCATION: Final = re.compile(
    r"(?:and\s+)?(?:others|et\s*\.?\s*al(?:ii|ia)?\.?|u\.\s?a\.|…|\.\.\.)", re.IGNORECASE
)
_SUFFIX: Final = re.compile(
    r"(?:jr|jnr|sr|snr|ii|iii|iv|vi{0,3}|2nd|3rd|4th|esq|fils|filho|neto|ph\.?\s?d|m\.?\s?d)\.?",
    re.IGNORECASE,
)
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\s]+")
"""Scripts in which the family name comes first."""
_BODY_WORDS: Final = word_set(
    "academy agency alliance association authority bureau center centre centro collaboration"
    " college collective commission committee company congress consortium corporation council"
    " department division federation forum foundation fund government group inc initiative"
    " institut institute institution laboratories laboratory labs library llc ltd ministry"
    " museum network office organisation organization panel programme project research society"
    " taskforce team universidad universität université university gmbh contributors developers"
    " community maintainers authors editors nations"
)
_DASH_PARTICLES: Final = word_set(
    "von van der den de del della di da do dos das du la le ter ten zu zur vom ibn bin al el af av"
    " y e st saint san"
)


@dataclass(frozen=True, slots=True)
class _Word:
    """One word of a name, braces and LaTeX still in it."""

    raw: str

    @property
    def plain(self) -> str:
        return plain_text(self.raw)

    @property
    def is_particle(self) -> bool:
        """BibTeX: the first letter outside of braces is small; a word in braces is none."""
        if self.raw.startswith("{") and not self.raw.startswith("{\\"):
            return False
        first = next((char for char in self.plain if char.isalpha()), "")
        return first.islower()


def is_truncation(name: str) -> bool:
    """Whether `name` stands for names that were left out: `others`, `et al.`."""
    return _TRUNCATION.fullmatch(name.strip()) is not None


def split_names(raw: str) -> tuple[str, ...]:
    """The names of a BibTeX list, LaTeX still in them; empty ones are left out."""
    return tuple(name for name in parts_at(raw, "and") if name)


def parts_at(raw: str, what: str) -> list[str]:
    """`raw` split at the word ` and `, or at commas, outside of braces; each part stripped."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(raw):
        char = raw[at]
        depth += {"{": 1, "}": -1}.get(char, 0)
        length = _separator(raw, at, what) if depth == 0 else 0
        if length:
            parts.append(raw[start:at].strip())
            at += length
            start = at
        else:
            at += 1
    return [*parts, raw[start:].strip()]


def _separator(raw: str, at: int, what: str) -> int:
    """How many characters the separator at `at` has; 0 when there is none."""
    if what == ",":
        return 1 if raw[at] == "," else 0
    if raw[at : at + 3].lower() != "and":
        return 0
    before = at == 0 or raw[at - 1].isspace()
    after = at + 3 == len(raw) or raw[at + 3].isspace()
    return 3 if before and after else 0


def bibtex_name(raw: str) -> Name:
    """One name of a BibTeX list."""
    raw = " ".join(raw.replace("~", " ").split())
    if is_truncation(raw):
        return Name(literal=OTHERS)
    if _in_braces(raw):
        return Name(literal=plain_text(raw))
    parts = [part for part in parts_at(raw, ",") if part]
    if len(parts) >= 3:
        return _three(parts)
    if len(parts) == 2:
        return _two(parts[0], parts[1])
    return _one(raw)


def ledger_name(text: str) -> Name:
    """One name of a ledger: `Marc Brooker`, `Brooker, Marc`, or a body."""
    words = " ".join(text.split())
    if is_truncation(words):
        return Name(literal=OTHERS)
    if _in_braces(words) or is_body(words):
        return Name(literal=plain_text(words))
    return bibtex_name(words)


def is_body(text: str) -> bool:
    """Whether the words of a name say that it is no person."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    if "," in text and len(words) <= 3 and not text.rstrip(".").lower().endswith((" inc", " ltd")):
        return False
    named = len(words) > 1 and not _BODY_WORDS.isdisjoint(words[1:] + words[:1])
    return named or (len(words) > 2 and {"of", "for"} & set(words[1:-1]) != set())


def shown(name: Name) -> str:
    """The name in one line, family first, so that reading it again gives the same parts."""
    if name.literal:
        return OTHERS if name.literal == OTHERS else f"{{{name.literal}}}"
    family = f"{name.particle} {name.family}".strip()
    return ", ".join(part for part in (family, name.suffix, name.given) if part)


def _in_braces(raw: str) -> bool:
    """Whether one pair of braces encloses the whole name, and not just one accent in it."""
    if not (raw.startswith("{") and raw.endswith("}")) or raw.startswith("{\\"):
        return False
    depth = 0
    for at, char in enumerate(raw):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0:
            return at == len(raw) - 1
    return False


def _three(parts: list[str]) -> Name:
    """`von Last, Jr, First`; with more commas only the first two mean anything."""
    particle, family = _family(parts[0])
    given = ", ".join(plain_text(part) for part in parts[2:])
    return Name(family=family, particle=particle, suffix=plain_text(parts[1]), given=given)


def _two(first: str, second: str) -> Name:
    particle, family = _family(first)
    if is_suffix(plain_text(second)):  # `Martin Luther King, Jr.`
        whole = _one(first)
        return Name(
            family=whole.family,
            particle=whole.particle,
            given=whole.given,
            suffix=plain_text(second),
        )
    words = [_Word(word) for word in _words(second)]
    trailing: list[str] = []  # `Berg, Jan van den`: the particle went to the wrong side
    while len(words) > 1 and words[-1].is_particle and words[-1].plain.lower() in _DASH_PARTICLES:
        trailing.insert(0, words.pop().plain)
    given = " ".join(word.plain for word in words)
    return Name(family=family, particle=" ".join(trailing) if trailing else particle, given=given)


def _one(raw: str) -> Name:
    """`First von Last`, perhaps with a suffix without its comma."""
    words = [_Word(word) for word in _words(raw)]
    suffix = ""
    if len(words) > 2 and is_suffix(words[-1].plain):
        suffix = words.pop().plain
    if len(words) == 1:
        return Name(family=words[0].plain, suffix=suffix)
    if not words:
        return Name(literal=plain_text(raw))
    start = next((at for at, word in enumerate(words[:-1]) if word.is_particle), None)
    if start is None and len(words) == 2 and _CJK.fullmatch(raw):
        return Name(family=words[0].plain, given=words[1].plain)
    if start is None:
        family = [words[-1]]
        return Name(family=_said(family), given=_said(words[:-1]), suffix=suffix)
    end = max(at for at, word in enumerate(words[:-1]) if word.is_particle) + 1
    return Name(
        family=_said(words[end:]),
        particle=_said(words[start:end]),
        given=_said(words[:start]),
        suffix=suffix,
    )


def is_suffix(text: str) -> bool:
    """Jr., III, PhD …: what stands behind a name without being one."""
    return _SUFFIX.fullmatch(text.strip().rstrip(",")) is not None


def _family(raw: str) -> tuple[str, str]:
    """Particle and family name of what stands before the comma."""
    words = [_Word(word) for word in _words(raw)]
    end = 0
    while end < len(words) - 1 and words[end].is_particle:
        end += 1
    return _said(words[:end]), _said(words[end:])


def _said(words: list[_Word]) -> str:
    return plain_text(" ".join(word.raw for word in words))


def _words(raw: str) -> list[str]:
    """Split at white space outside of braces; an accent macro keeps its letter."""
    raw = re.sub(r"(\\[a-zA-Z])\s+(?=[a-zA-Z]\b)", r"\1 ", raw)
    out, depth, word = [], 0, ""
    for char in raw:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char.isspace() and depth <= 0 and not re.search(r"\\[a-zA-Z]$", word):
            out.append(word)
            word = ""
        else:
            word += char
    return [part for part in [*out, word] if part]
