"""DOIs: out of addresses, labels and LaTeX, in lower case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from researchpack.identifiers._shared import Reading, tidy, unescaped, unwrapped, without_tail
from researchpack.problems import error, info, warning
from researchpack.records import Identifier

if TYPE_CHECKING:
    from researchpack.places import Text
    from researchpack.problems import Problem

PREFIX: Final = re.compile(r"(?<![\d.])10\.\d{4,9}(?:\.\d+)*/")
_ANY_PREFIX: Final = re.compile(r"10\.\d{4,9}(?:\.\d+)*/")
_WHOLE: Final = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_SHORT: Final = re.compile(r"10/[a-z0-9]{2,}", re.IGNORECASE)
_LABEL: Final = re.compile(
    r"(?:digital object identifier|info:doi/|urn:doi:|doi(?![a-z.]))\s*[:=]?\s*", re.IGNORECASE
)
_ADDRESS: Final = re.compile(
    r"(?:https?:)?/{1,2}(?P<host>[\w.-]+\.[a-z]+)(?::\d+)?/(?P<path>.*)"
    r"|(?P<bare>(?:dx\.|www\.)?doi\.org)/(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_RESOLVER: Final = re.compile(r"(?:^|\.|-)doi\.(?:org|acm\.org|ieeecomputersociety\.org)", re.I)
_VIEWS: Final = re.compile(
    r"(?:/(?:full|abs|abstract|pdf|epdf|html|meta|summary|references|citedby|fulltext|full-text"
    r"|suppl_file))+/?$|(?:v\d+)?\.full(?:\.pdf)?$|\.pdf$",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\s+(?=[(\[]|[A-Za-z]{4,}\b|and\b)|\s*[;,]\s+")
_UPPER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def lower(doi: str) -> str:
    """A DOI in its normal form: only the letters of ASCII have no case."""
    return doi.translate(_UPPER)


def read_doi(written: Text) -> Reading:
    """What a field for a DOI says."""
    plain = unescaped(written)
    core = _core(unwrapped(tidy(plain)))
    starts = [match.start() for match in _ANY_PREFIX.finditer(core)]
    if len(starts) > 1:
        return _several(written, core, starts)
    doi = lower(without_tail(core))
    if _WHOLE.fullmatch(doi):
        found = Identifier(scheme="doi", value=doi, written=written)
        problems = tuple(_remarks(written, plain, doi))
        return Reading(identifiers=(found,), problems=problems, clean=doi if problems else None)
    if _SHORT.fullmatch(doi):
        return _short(written, doi)
    return _none(written, doi)


def doi_of_address(address: str) -> str | None:
    """The DOI that an address leads to; None when it shows none."""
    match = _ADDRESS.fullmatch(address.strip())
    if match is None:
        return None
    host = match["host"] or match["bare"]
    if not _RESOLVER.search(host) and not re.search(
        r"/(?:doi|article|articles|chapter|book|content|protocol)s?/(?:[a-z]+/){0,2}10\.\d{4}",
        unquote(f"/{match['path']}"),
        re.IGNORECASE,
    ):
        return None
    doi = lower(without_tail(_core(address.strip())))
    return doi if _WHOLE.fullmatch(doi) or _SHORT.fullmatch(doi) else None


def _core(text: str) -> str:
    """`text` without labels and without the address of a resolver, white space taken out."""
    for _ in range(4):
        before = text
        text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
        text = _out_of_address(text)
        text = unwrapped(text)
        if text == before:
            break
    if "/" not in text and "%2f" in text.lower():
        text = unquote(text)
    if PREFIX.match(text):
        text = _ASIDE.split(text, maxsplit=1)[0] if _complete(text) else text
    return "".join(text.split())


def _complete(text: str) -> bool:
    """Whether what stands before the first white space is a DOI, so that the rest is an aside."""
    rest = text.split(None, 1)
    second = len(_ANY_PREFIX.findall(text)) > 1
    return len(rest) > 1 and bool(_WHOLE.fullmatch(rest[0])) and not second


def _out_of_address(text: str) -> str:
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return text
    host, path = match["host"] or match["bare"], match["path"] or match["rest"] or ""
    if not _RESOLVER.search(host):
        found = PREFIX.search(unquote(path))
        inside = re.split(r"[?#&]", unquote(path)[found.start() :])[0] if found else text
        return _VIEWS.sub("", inside) if found else text
    rest = unquote(re.split(r"[?#]", path)[0]).strip().rstrip("/")
    return f"10/{rest}" if re.fullmatch(r"[a-z0-9]{2,12}", rest, re.IGNORECASE) else rest


def _remarks(written: Text, plain: str, doi: str) -> list[Problem]:
    found = []
    if plain != written:
        found.append(
            warning(
                written.place,
                "id.doi-escape",
                "The DOI holds an escape of LaTeX, which is no part of it.",
                f"Write `{doi}`.",
            )
        )
    if lower(unwrapped(plain) if plain[:1] == "{" else plain.strip()) != doi:
        found.append(
            warning(
                written.place,
                "id.doi-form",
                f'"{written}" is more than a DOI: {_what(plain, doi)}.',
                f"Write `{doi}`.",
            )
        )
    return found


def _what(plain: str, doi: str) -> str:
    text = tidy(plain)
    if _ADDRESS.search(text):
        return "it stands in an address"
    if _LABEL.match(text):
        return "it has a label"
    end = lower(text)
    if end.startswith(doi) and len(end) - len(doi) == 1:
        return f"`{end[-1]}` at its end does not belong to it"
    if re.search(r"\s", text):
        return "there are spaces or words in it"
    return "it holds characters that copying left behind"


def _several(written: Text, core: str, starts: list[int]) -> Reading:
    between = re.search(r"(?:https?://|doi:)\S*$", core[: starts[1]], re.IGNORECASE)
    first = without_tail(core[: between.start() if between else starts[1]])
    second = without_tail(core[starts[1] :])
    twice = lower(first) == lower(second)
    clean = lower(first) if twice else None
    what = f'"{written}" is one DOI pasted twice.' if twice else f'"{written}" is several DOIs.'
    fix = f"Write `{clean}`." if twice else f"Keep one of them: `{first}` or `{second}`."
    return Reading(problems=(error(written.place, "id.doi-form", what, fix),), clean=clean)


def _short(written: Text, doi: str) -> Reading:
    found = Identifier(scheme="doi", value=doi, written=written)
    remark = info(
        written.place,
        "id.doi-form",
        f'"{written}" is a short DOI, which another service expands.',
        "Write the DOI that the work itself shows; `refresh` asks doi.org for it.",
    )
    return Reading(identifiers=(found,), problems=(remark,))


def _none(written: Text, doi: str) -> Reading:
    look_alike = re.fullmatch(r"[l1I|][0oO]\.(\d{4,9}/\S+)", doi)
    clean = f"10.{look_alike[1]}" if look_alike else None
    fix = f"Did you mean `{clean}`?" if clean else _other_field(str(written).strip())
    what = f'"{written}" is not a DOI.'
    return Reading(problems=(error(written.place, "id.doi-form", what, fix),), clean=clean)


def _other_field(text: str) -> str:
    if re.match(r"(?:arxiv:\s*|https?://arxiv\.org/\S*/)?\d{4}\.\d{4,5}(?:v\d+)?$", text, re.I):
        return "It looks like an arXiv number: put it into `arxiv`, in a .bib file into `eprint`."
    if re.match(r"(?:https?://|www\.)", text, re.IGNORECASE):
        return "It is an address: put it into `url`."
    return "A DOI begins with `10.`, four or more digits and a slash, such as `10.1000/182`."
