"""What a cell says: its plain words, its markers, the sources it cites, the ids it covers."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from researchpack.formats._links import find_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_CODE: Final = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_MATH: Final = re.compile(
    r"\\\(.+?\\\)|\\\[(?=(?:(?!\\\]).)*?(?!\\\])[\\^_={}]).+?\\\]|\$\$.+?\$\$", re.DOTALL
)
_STRUCK: Final = re.compile(r"~~(.+?)~~|<(del|s|strike)\b[^>]*>.*?</\2\s*>", re.DOTALL | re.I)
_BREAK: Final = re.compile(r"<br\s*/?>|</?(?:p|div|ul|ol)\b[^>]*>", re.IGNORECASE)
_ITEM: Final = re.compile(r"<li\b[^>]*>", re.IGNORECASE)
_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|em|font|i|ins|kbd|li|mark|q|samp|small|span|strong|sub|sup|tt"
    r"|u|var)\b[^>]*>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{2,31});")
_ESCAPE: Final = re.compile(r"\\([*_`~#<>&\[\]$+.!{}\\-])")
# An emphasis that nobody closes must not cost a look at the whole rest of a long cell.
_FAR: Final = "{1,1000}?"
_EMPHASIS: Final = (
    re.compile(rf"(\*\*\*|\*\*)(?=\S)(.{_FAR})(?<=\S)\1", re.DOTALL),
    re.compile(rf"(?<![\w*])(\*)(?=[^\s*])(.{_FAR})(?<=[^\s*])\1(?!\*)", re.DOTALL),
    re.compile(rf"(?<!\*)(\*)(?=[^\s*])([^*]{_FAR})(?<=[^\s*])\1(?![\w*])", re.DOTALL),
    re.compile(rf"(?<!\w)(___|__|_)(?=[^\s_])(.{_FAR})(?<=[^\s_])\1(?!\w)", re.DOTALL),
)
# Display controls. U+200C and U+200D are spelling in several scripts and stay.
_CONTROLS: Final = dict.fromkeys(
    [0x200B, 0x200E, 0x200F, 0x061C, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_EMPTY: Final = re.compile(r"[-–—―−‐\s]*|n\.?\s?/?\s?[ad]\.?", re.IGNORECASE)
# Protected pieces stand as one character of plane 15 while the marks around them are taken off.
_FIRST_SLOT: Final = 0xF0000


def plain(raw: str, targets: Mapping[str, str] | None = None, *, code: bool = True) -> str:
    """The words of a cell as a reader sees them.

    Links become their text, emphasis goes, struck text goes with its marks, `<br>` and blocks
    become line breaks, entities and escapes are undone, display controls vanish. Footnote labels
    and mathematics stay. `code=False` leaves out what stands in code spans. `targets` are the
    link definitions of the document.
    """
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return chr(_FIRST_SLOT + len(kept) - 1)

    text = _CODE.sub(lambda match: keep(_code_text(match[2]) if code else " "), raw)
    text = _MATH.sub(lambda match: keep(match[0]), text)
    text = _ESCAPE.sub(lambda match: keep(match[1]), text)
    text = _links_to_text(text, targets or {}, keep)
    text = _STRUCK.sub(" ", text)
    text = _TAG.sub("", _ITEM.sub("\n- ", _BREAK.sub("\n", text)))
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    for pattern in _EMPHASIS:
        text = pattern.sub(r"\2", text)
    for _ in range(3):  # a kept piece may hold kept pieces: code in the text of a link
        text = "".join(_restored(char, kept) for char in text)
    return _tidy(text)


def _code_text(inner: str) -> str:
    padded = len(inner) > 2 and inner[0] == inner[-1] == " " and inner.strip()
    return inner[1:-1] if padded else inner


def _links_to_text(text: str, targets: Mapping[str, str], keep: Callable[[str], str]) -> str:
    parts: list[str] = []
    at = 0
    for link in find_links(text, targets):
        if parts and link.start == at:
            parts.append(" ")  # "[S1](…)[S2](…)" are two words
        parts += [text[at : link.start], link.text if link.marked else keep(link.text)]
        at = link.end
    return "".join([*parts, text[at:]])


def _restored(char: str, kept: list[str]) -> str:
    slot = ord(char) - _FIRST_SLOT
    return kept[slot] if 0 <= slot < len(kept) else char


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.translate(_CONTROLS).split("\n"))
    return "\n".join(line for line in lines if line)


def value(text: str) -> str | None:
    """`text`, or None when it is empty, only dashes, or says that there is nothing to say."""
    return None if _EMPTY.fullmatch(text) else text


# --- markers

MARKERS: Final = ("UNVERIFIED", "UNRUN")
_MARKER: Final = re.compile(
    r"(?<![A-Za-z0-9_-])(?:(?P<unverified>UNVERIFIED|UN-VERIFIED|NON VÉRIFIÉE?|UNGEPRÜFT"
    r"|NICHT GEPRÜFT|SIN VERIFICAR|NO VERIFICAD[OA])"
    r"|(?P<unrun>UNRUN|UN-RUN|NON EXÉCUTÉE?|NICHT AUSGEFÜHRT|SIN EJECUTAR|NO EJECUTAD[OA]))"
    r"(?!-?[A-Za-z0-9_])"
    r"|(?P<unverified_cjk>未(?:经)?(?:验证|驗證|核实|核實|検証)|미검증)"
    r"|(?P<unrun_cjk>未(?:运行|運行|执行|執行|実行)|미실행)"
)
_CLAUSE: Final = re.compile(r"[.;:!?,。；：，！？、()\[\]（）\n–—]")
# How far from a marker its negation may stand, in characters.
_NEAR: Final = 200
# What may stand between a negation and the marker that it cancels.
_FILLER: Final = (
    r"(?:an?|any|are|as|be|been|being|called|cells?|claims?|considered|entry|entries|further|here"
    r"|is|items?|labell?ed|left|longer|marked|more|now|of|other|remain|remaining|remains|rows?"
    r"|still|tagged|the|them|these|this|those|(?:UNVERIFIED|UNRUN) (?:n?or|and)"
    r"|(?:fields?|figures?|sources?) (?:are|is|left|remains?|still))"
)
_CANCELLED_BEFORE: Final = re.compile(
    r"(?:\b(?:no|not|none|nothing|never|without|zero|0|isn['’]t|aren['’]t|wasn['’]t"
    r"|aucune?|pas|plus|keine?|nicht|ningun[ao]?|ningún|sin|ya no)"
    rf"(?:\s+{_FILLER})*"
    r"|\b(?:previously|formerly|originally|initially|earlier|once|used to be|had been|no longer"
    r"|auparavant|früher|zuvor|anteriormente|previamente|antes)(?:\s+(?:marked|labell?ed|was|as))*"
    r"|(?:没有|沒有|无|無|不再|已非|曾)"
    r"|\b(?:word|label|tag|marker|term|string)s?\s+[\"“‘'«「])\s*$",
    re.IGNORECASE,
)
_CANCELLED_AFTER: Final = re.compile(
    r"\s*(?:→|->|=>|⇒)\s*(?:verified|confirmed|checked|resolved|run\b|✓|✔|✅)"
    r"|\s*[:=]\s*(?:0(?![\d.,])|none\b|nil\b|no\b)|\s+0(?![\d.,])"
    r"|\s+(?:(?:rows?|claims?)\s+)?(?:no more|resolved|removed|lifted|cleared)\b",
    re.IGNORECASE,
)


def find_markers(text: str) -> tuple[str, ...]:
    """The markers that hold in a plain text without code, each once, in a fixed order.

    "No UNVERIFIED rows", "previously UNVERIFIED" and "UNVERIFIED: 0" mention one that does not.
    """
    found = {
        "UNVERIFIED" if (match.lastgroup or "").startswith("unverified") else "UNRUN"
        for match in _MARKER.finditer(text)
        if not _is_cancelled(text, match)
    }
    return tuple(marker for marker in MARKERS if marker in found)


def _is_cancelled(text: str, match: re.Match[str]) -> bool:
    clause = _CLAUSE.split(text[max(0, match.start() - _NEAR) : match.start()])[-1]
    if _CANCELLED_BEFORE.search(clause) or _CANCELLED_AFTER.match(text, match.end()):
        return True
    was = re.search(r"\b(?:was|were)\s+$", clause)
    return (
        was is not None
        and re.search(r"\bnow\b", text[match.end() : match.end() + _NEAR]) is not None
    )


# --- citations and ids

_TO: Final = r"\s*(?:-|–|—|−|‑|~|～|〜|…|\.{2,3}|\bto\b|\bthrough\b|\bbis\b|至|到)\s*"
# The end of a range may drop its letter, but only directly behind the dash: "S4–6".
_RANGE_END: Final = r"(?:[-–—−‑~～〜](\d{1,3})(?![\w%]|[.,]\d))"
_CITE: Final = re.compile(rf"(?<![\w#@-])S(\d+[a-z]?)(?:{_TO}S(\d+)|{_RANGE_END})?(?!\w)")
# "Table S1" is in a paper, and "Amazon S3" is a product.
_NO_CITE: Final = re.compile(
    r"(?:Amazon|AWS|Tables?|Fig(?:ure|s)?\.?|Sections?|Eqs?\.?|Texts?|Movies?|Supplement\w*"
    r"|Appendix)\s+$",
    re.IGNORECASE,
)
_URL: Final = re.compile(r"\b(?:https?|ftp)://\S+", re.IGNORECASE)
# What nobody can have meant as a range.
_MOST_IDS: Final = 500


def find_source_ids(text: str) -> tuple[str, ...]:
    """The source ids that a plain text without code cites, each once, in order: S1, S4–S6."""
    found: list[str] = []
    text = _URL.sub(" ", text)
    for match in _CITE.finditer(text):
        if not _NO_CITE.search(text[max(0, match.start() - _NEAR) : match.start()]):
            found += _span("S", match[1], match[2] or match[3])
    return tuple(dict.fromkeys(found))


def _span(letter: str, first: str, last: str | None) -> Iterator[str]:
    """The ids from `first` to `last`, padded as they are; just these two when that is no range."""
    yield letter + first
    if last is None:
        return
    width = len(first) if first.startswith("0") else 0
    start = int(first) if first.isdecimal() else int(last)
    if not start < int(last) <= start + _MOST_IDS:
        start = int(last) - 1
    for number in range(start + 1, int(last) + 1):
        yield f"{letter}{number:0{width}d}"


_ONE_ID: Final = r"[A-Z]{1,4}-?\d+[a-z]?"
_COVERED: Final = re.compile(
    rf"(?<![\w-])([A-Z]{{1,4}}-?)(\d+[a-z]?)(?:{_TO}\1(\d+)|{_RANGE_END})?(?!\w)"
)
_ONLY_IDS: Final = re.compile(
    rf"{_ONE_ID}(?:(?:\s*[,;/&+、，；]\s*|\s+(?:and|et|und|y)\s+|\s+|{_TO}){_ONE_ID}"
    rf"|{_RANGE_END})+"
)
_LED_BY_ID: Final = re.compile(
    rf"({_ONE_ID})[.:)]?(?:\s*[(（].*[)）]|\s+[^\w\s.:/–—-].*|\s+UN[A-Z]+)?$", re.DOTALL
)
_ID_START: Final = re.compile(rf"({_ONE_ID})\s*[.:)）：–—]\s*(?=\S)")


def row_id(text: str) -> str | None:
    """The id in an id cell, without brackets, punctuation and remarks; None when it is empty."""
    text = " ".join(text.split()).strip("[]#【】 ")
    if value(text) is None:
        return None
    if _ONLY_IDS.fullmatch(text):
        return text
    led = _LED_BY_ID.match(text)
    return led[1] if led else text.rstrip(".:") or None


def is_id(text: str) -> bool:
    """Whether a plain cell holds an id, or several: one word with a digit, such as `05A`."""
    found = row_id(text) or ""
    return bool(_ONLY_IDS.fullmatch(found)) or bool(re.fullmatch(r"(?=\D*\d)\S+", found))


def covered_ids(row: str | None) -> tuple[str, ...]:
    """The ids of a row about several claims: "C1–C3" or "C4, C6"; empty for any other row."""
    if row is None or not _ONLY_IDS.fullmatch(row):
        return ()
    return find_ids(row)


def find_ids(text: str, letter: str = "") -> tuple[str, ...]:
    """The ids in a plain text that begin with `letter`, ranges filled in, each once, in order."""
    found: list[str] = []
    for match in _COVERED.finditer(text):
        if match[1].startswith(letter):
            found += _span(match[1], match[2], match[3] or match[4])
    return tuple(dict.fromkeys(found))


def leading_id(text: str) -> tuple[str, str] | None:
    """The id with which a text begins ("C1: …") and the rest of it; None when there is none."""
    match = _ID_START.match(text)
    return (match[1], text[match.end() :]) if match else None


def ascii_digits(text: str) -> str:
    """`text` with the decimal digits of every script written as 0 to 9."""
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
