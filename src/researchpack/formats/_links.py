"""Links in Markdown text: inline, by reference, in angle brackets, bare; and bare DOIs."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ANGLE: Final = re.compile(r"<((?:https?|ftp|doi|mailto):[^<>\s]+)>", re.IGNORECASE)
_HREF: Final = re.compile(
    r"<a\b[^<>]*?href\s*=\s*[\"']?([^\"'>\s]+)[^>]*>(.*?)</a\s*>", re.IGNORECASE | re.DOTALL
)
# Full-width punctuation ends an address; other characters of any script may be part of it.
_BARE: Final = re.compile(
    r"(?:https?|ftp)://[^\s<>\"`|；，。、：！？（）【】「」『』《》]+", re.IGNORECASE
)
_DOI: Final = re.compile(
    r"(?<![\w./])(?:doi:\s*)?(10\.\d{4,9}/[^\s<>\"`|；，。、]+)", re.IGNORECASE
)
_ARXIV: Final = re.compile(r"\barxiv:\s*(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+/\d{7})", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:amp|lt|gt|quot|#38|#x26);", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_TITLE: Final = re.compile(r"\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\))\s*$")
_DEFINITION: Final = re.compile(
    r"^[ >\t]*\[(?!\^)([^\]\n]+)\]:[ \t]*<?([^\s<>]+)>?(?:[ \t]+[\"'(].*)?[ \t]*\r?$", re.MULTILINE
)
_FOOTNOTE: Final = re.compile(r"[ >\t]*\[\^([^\]\s]+)\]:[ \t]*(.*)")
_FENCE: Final = re.compile(r"[ >\t]*(`{3,}|~{3,})")
_BLOCK: Final = re.compile(r"[ \t]*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\||<|>|\[\^?[^\]]+\]:)")

# No text or address of a link is longer; whatever opens a bracket and never closes it is none.
_LONGEST: Final = 2500


@dataclass(frozen=True, slots=True)
class Link:
    """One link in a text."""

    start: int
    end: int
    text: str
    """What a reader sees; may hold Markdown when `marked`."""
    target: str
    marked: bool = True
    """False for an address that is its own text."""


def find_links(text: str, targets: Mapping[str, str]) -> list[Link]:
    """The links of a text, in order, none inside another. `targets`: see `read_link_targets`."""
    found: list[Link] = []
    at = 0
    while at < len(text):
        link = _link_at(text, at, targets)
        if link is None:
            at += 1
            continue
        found.append(link)
        at = max(link.end, at + 1)
    return found


def _link_at(text: str, at: int, targets: Mapping[str, str]) -> Link | None:
    char = text[at]
    if char == "[" or text.startswith("![", at):
        return _bracketed(text, at, targets)
    if char == "<":
        if match := _ANGLE.match(text, at):
            return Link(at, match.end(), match[1], match[1], marked=False)
        match = _HREF.match(text, at)
        return Link(at, match.end(), match[2], html.unescape(match[1])) if match else None
    bare = char in "hHfF" and not text[at - 1 : at].isalnum() and _BARE.match(text, at)
    if not bare:
        return None
    written = trim_address(bare[0])
    address = _plain_address(written)
    return Link(at, at + len(written), address, address, marked=False)


def _bracketed(text: str, at: int, targets: Mapping[str, str]) -> Link | None:
    """An inline link, an image, or a link by reference whose label is defined."""
    start = at + (text[at] == "!")
    close = _closing(text, start, "[", "]")
    if close is None or text.startswith("[^", start):
        return None
    inner = text[start + 1 : close]
    if text.startswith("(", close + 1):
        end = _closing(text, close + 1, "(", ")")
        target = _destination(text[close + 2 : end]) if end else None
        return Link(at, end + 1, inner, target) if end and target is not None else None
    label, end = inner, close + 1
    # "[S1][S2]" with both defined is two links; only a text that is no label is a link's text.
    if _label(inner) not in targets and (second := _closing(text, close + 1, "[", "]")):
        label, end = text[close + 2 : second] or inner, second + 1
    target = targets.get(_label(label))
    return Link(at, end, inner, target) if target else None


def _closing(text: str, at: int, opening: str, closing: str) -> int | None:
    """Where the bracket that opens at `at` is closed; None when none opens there or it stays open.

    Brackets in angle brackets do not count.
    """
    if not text.startswith(opening, at):
        return None
    depth = 0
    last = text.rfind(closing, at, at + _LONGEST)
    while at <= last:
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "<" and opening == "(" and (end := text.find(">", at)) > 0:
            at = end
        elif char in (opening, closing):
            depth += 1 if char == opening else -1
            if depth == 0:
                return at
        at += 1
    return None


def _destination(inner: str) -> str | None:
    """The address in the parentheses of a link; None for words, as in "[S1](p. 4)"."""
    inner = inner.strip()
    if inner.startswith("<") and ">" in inner:
        return _plain_address(inner[1 : inner.index(">")])
    address = _TITLE.sub("", inner).strip()
    return None if re.search(r"\s", address) else _plain_address(address)


def _plain_address(address: str) -> str:
    return _ESCAPE.sub(r"\1", _ENTITY.sub(lambda match: html.unescape(match[0]), address))


def trim_address(address: str) -> str:
    """A bare address without the punctuation of the sentence around it."""
    while address:
        last = address[-1]
        opening = {")": "(", "]": "[", "}": "{"}.get(last)
        unbalanced = opening is not None and address.count(last) > address.count(opening)
        if not unbalanced and last not in ".,;:!?'*~\\’”»…":
            break
        address = address[:-1]
    return address


def find_url(raw: str, targets: Mapping[str, str] | None = None) -> str | None:
    """The first address in a raw cell, verbatim; a bare DOI or arXiv number becomes one.

    None when the cell holds no address with a scheme: nothing is guessed.
    """
    for link in find_links(raw, targets or {}):
        if re.match(r"(?:https?|ftp)://", link.target, re.IGNORECASE):
            return link.target
        if (named := _by_number(link.target)) is not None:
            return named
    return _by_number(raw)


def _by_number(text: str) -> str | None:
    if match := _DOI.search(text):
        return f"https://doi.org/{_plain_address(trim_address(match[1]))}"
    if match := _ARXIV.search(text):
        return f"https://arxiv.org/abs/{match[1]}"
    return None


def read_link_targets(text: str) -> dict[str, str]:
    """Label -> address of the link definitions (`[label]: https://…`) of a document."""
    found: dict[str, str] = {}
    for match in _DEFINITION.finditer(text):
        found.setdefault(_label(match[1]), _plain_address(match[2]))
    return found


def _label(label: str) -> str:
    return " ".join(label.split()).casefold()


def read_footnotes(text: str) -> dict[str, str]:
    """Label -> words of the footnote definitions (`[^label]: …`) of a document, as written.

    Lines of one definition are joined with spaces. The first definition of a label counts.
    """
    found: dict[str, str] = {}
    label = ""
    apart = False
    for line in _unfenced(text):
        match = _FOOTNOTE.match(line)
        if match:
            label = "" if match[1] in found else match[1]
            found.setdefault(match[1], match[2].strip())
        elif line.strip() and label:
            goes_on = line.startswith(("  ", "\t")) or not (apart or _BLOCK.match(line))
            found[label] += f" {line.strip()}" if goes_on else ""
            label = label if goes_on else ""
        apart = not line.strip()
    return found


def _unfenced(text: str) -> Iterator[str]:
    """The lines outside of fenced code."""
    fence = ""
    for line in re.split(r"\r\n|\r|\n", text):
        match = _FENCE.match(line)
        if fence:
            fence = "" if match and match[1].startswith(fence) else fence
        elif match:
            fence = match[1]
        else:
            yield line
