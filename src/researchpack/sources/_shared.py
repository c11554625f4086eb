"""What the readers of metadata services share: what is asked, what came back, and plain words."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from researchpack.records import Name, RegistryRecord

LARGEST: Final = 10 * 1024 * 1024
"""Bytes of one answer."""
DEEPEST: Final = 60
"""Levels of one answer; the services nest ten."""
LONGEST: Final = 4000
"""Characters of one value that is kept."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked of a service."""

    url: str
    accept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, and what was asked about."""

    scheme: str
    id: str
    version: int | None = None
    """Of an arXiv id that names one."""
    request: str
    """The address that was asked."""
    url: str
    """The address that answered."""
    redirects: tuple[str, ...] = ()
    status: int = 200
    content_type: str = ""
    body: bytes
    sha256: str = ""
    at: str
    """ISO time in UTC at which it was answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """The service answered and does not know the identifier."""

    why: str | None = None
    """Its own words, when it says more than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """The service answered with something that cannot be read. It says nothing about the work."""

    reason: str


Reading = RegistryRecord | Unknown | Broken


def record(answer: Answer, registry: str, **fields: Any) -> RegistryRecord:
    """A record of this answer with these fields; addresses that are none of the web are dropped."""
    for key in ("url", "archive"):
        if not re.match(r"https?://", fields.get(key) or "", re.IGNORECASE):
            fields.pop(key, None)
    return RegistryRecord(
        scheme=answer.scheme,
        id=answer.id,
        registry=registry,
        request=answer.request,
        retrieved_at=answer.at,
        checked_at=answer.at,
        status=answer.status,
        sha256=answer.sha256,
        redirects=answer.redirects,
        **{"found": True, **fields},
    )


def escaped(words: str) -> str:
    """`words` as one part of a path: every character that means something is escaped."""
    return quote(words, safe="")


# --- JSON ---------------------------------------------------------------------------------------


def read_json(answer: Answer) -> Any | Broken:
    """The JSON of an answer; `Broken` when it is none, too large or too deep."""
    if len(answer.body) > LARGEST:
        return Broken(reason="the answer is too large")
    if answer.status != 200:
        return Broken(reason=f"it answered with status {answer.status}")
    try:
        value = json.loads(answer.body)
    except RecursionError:
        return Broken(reason="the answer nests too deeply")
    except ValueError:
        return Broken(reason=_no_json(answer))
    if _depth(value) > DEEPEST:
        return Broken(reason="the answer nests too deeply")
    return value


def _no_json(answer: Answer) -> str:
    start = answer.body[:300].lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<")):
        return "it answered with a web page instead of data"
    if start.startswith((b"{", b"[")):
        return "the answer breaks off or is not JSON"
    return "it answered with text instead of data"


def _depth(value: Any) -> int:
    deepest, level = 0, [value]
    while level and deepest <= DEEPEST:
        deepest += 1
        level = [inner for outer in level for inner in _inside(outer)]
    return deepest


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def texts(value: Any) -> list[str]:
    """The non-empty strings of a list, or of a single string, cut at a sane length.

    Half a surrogate pair, which JSON can say and no file can hold, becomes a question mark.
    """
    values = value if isinstance(value, list) else [value]
    found = [one[:LONGEST] for one in values if isinstance(one, str) and one.strip()]
    return [one.encode("utf-8", "replace").decode() for one in found]


def text(value: Any) -> str | None:
    """The value as one line of text: a string, or a whole number; None for everything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    found = texts(value)
    return one_line(found[0]) or None if found else None


def maps(value: Any) -> list[Json]:
    """The maps of a list."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, dict)]


def first(values: list[str]) -> str | None:
    """The first value, or None."""
    return values[0] if values else None


def unique(values: list[str]) -> tuple[str, ...]:
    """The values in their order, each once."""
    return tuple(dict.fromkeys(value for value in values if value))


def name(family: str | None, given: str | None, suffix: str | None = None) -> Name:
    """A person. Somebody with a given name only has that as the family name."""
    return Name(family=family or given or "", given=given if family and given else "",
                suffix=suffix or "")  # fmt: skip


def iso_date(parts: list[Any]) -> str | None:
    """Year, month and day -> ISO with the precision that is there and possible; None without."""
    numbers: list[int] = []
    for part in parts[:3]:
        words = str(part).strip() if isinstance(part, (int, str)) else ""
        if isinstance(part, bool) or not words.isdecimal():
            break
        numbers.append(int(words))
    if not numbers or not 1000 <= numbers[0] <= 9999:
        return None
    found = f"{numbers[0]:04d}"
    if len(numbers) > 1 and 1 <= numbers[1] <= 12:
        found += f"-{numbers[1]:02d}"
        if len(numbers) > 2 and 1 <= numbers[2] <= 31:
            found += f"-{numbers[2]:02d}"
    return found


# --- words --------------------------------------------------------------------------------------

_TAGS: Final = (
    "a abbr alternatives article-title b big bdi bdo bold br break cite code del div em emph "
    "ext-link fixed-case font h1 h2 h3 h4 i inf inline-formula ins italic kbd label li list "
    "list-item monospace named-content overline p pre q roman sans-serif sc scp sec small span "
    "strike strong styled-content sub subtitle sup tex-math title tt u ul underline uri var xref"
)
_NAMES: Final = "|".join(sorted(_TAGS.split(), key=len, reverse=True))
_TAG: Final = re.compile(rf"</?(?:jats:|xhtml:)?(?:{_NAMES})(?:\s[^<>]*)?/?>", re.I)
_BREAK: Final = re.compile(
    r"<(?:jats:)?(?:br|break)\s*/?>|</(?:jats:)?(?:p|li|title|h[1-4])>", re.I
)
_MATH: Final = re.compile(r"<((?:mml:|m:)?)math\b[^<>]*>(.*?)</\1math\s*>", re.I | re.S)
_TEX: Final = re.compile(
    r"<(?:mml:|m:)?annotation\b[^<>]*tex[^<>]*>(.*?)</(?:mml:|m:)?annotation\s*>", re.I | re.S
)
_NOTES: Final = re.compile(r"<((?:mml:|m:)?annotation(?:-xml)?)\b[^<>]*>.*?</\1\s*>", re.I | re.S)
_ANY_TAG: Final = re.compile(r"<[^<>]+>")
_LOOSE_MATH: Final = re.compile(r"</?(?:mml:)[a-z]+(?:\s[^<>]*)?/?>", re.I)
_COMMENT: Final = re.compile(r"<!--.*?-->|<!\[CDATA\[|\]\]>|<\?[^<>]*\?>", re.S)
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INVISIBLE: Final = re.compile("[\u00ad\u200b\u2060\ufeff\x00-\x08\x0e-\x1f\x7f]")


def plain(words: str) -> str:
    """A title or name as plain text on one line.

    Entities are decoded until nothing changes, but three times at most; tags of HTML, JATS and
    MathML are dropped without adding a space, and formulas keep their letters. What looks like a
    tag and is none of these (`List<T>`) stays.
    """
    for _ in range(3):
        before = words
        words = _undo_markup(words)
        words = _ENTITY.sub(lambda match: html.unescape(match.group()), words)
        if words == before:
            break
    return one_line(_undo_markup(words))


def _undo_markup(words: str) -> str:
    if "<" not in words:
        return words
    words = _COMMENT.sub("", words)
    words = _MATH.sub(lambda match: _formula(match[2]), words)
    words = _BREAK.sub(" ", words)
    return _LOOSE_MATH.sub("", _TAG.sub("", words))


def _formula(inner: str) -> str:
    """The letters of a formula without the white space that only lays out its tags."""
    tex = _TEX.search(inner)
    if tex is not None and tex[1].strip():
        return f"${one_line(tex[1]).strip('$ ')}$"
    bare = _ANY_TAG.sub("\n", _NOTES.sub("", inner))
    return "".join(part.strip() for part in bare.split("\n"))


def one_line(words: str) -> str:
    """White space made single, invisible characters dropped, letters composed."""
    words = _INVISIBLE.sub("", unicodedata.normalize("NFC", words))
    return " ".join(words.split())[:LONGEST]


def plain_text(value: Any) -> str | None:
    """`plain` of the first string of a value; None when nothing is left."""
    found = texts(value)
    return plain(found[0]) or None if found else None


_DOI: Final = re.compile(r"10\.\d{4,9}/\S+")


def doi_in(value: Any) -> str | None:
    """The DOI in a value, in lower case and without a resolver; None when there is none."""
    match = _DOI.search(value) if isinstance(value, str) else None
    return match.group().rstrip(".,;").lower() if match else None
