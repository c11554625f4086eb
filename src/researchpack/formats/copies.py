"""Local copies of sources -> their words: text, HTML and PDF, within limits.

A copy is whatever somebody downloaded, so nothing in it is trusted: there are limits on bytes,
pages, characters and time, and a file that cannot be read gives a reason and never an exception.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
import time
from dataclasses import dataclass, replace
from functools import lru_cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Final

from researchpack.records import CopyText

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_PAGES: Final = 600
MOST_CHARACTERS: Final = 2_000_000
MOST_SECONDS: Final = 20.0

_HTML: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head)\b",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET: Final = re.compile(
    rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]{2,40})""", re.IGNORECASE
)
_PAGE_NUMBER: Final = re.compile(r"\A\s*(?:page\s+)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?\s*$\n?|"
                                 r"^\s*(?:page\s+)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?\s*\Z",
                                 re.IGNORECASE | re.MULTILINE)  # fmt: skip
_SUPER: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_MARK: Final = re.compile(r"[\[\](]?\s*\d{1,3}[a-z]?(?:\s*[,;–-]\s*\d{1,3})*\s*[\])]?")
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details"}
    | {"dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1"}
    | {"h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p"}
    | {"pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr"}
    | {"ul"}
)
_UNREAD: Final = frozenset({"script", "style", "template", "noscript", "svg", "iframe", "object"})


def read_copy(name: str, data: bytes, clock: Callable[[], float] = time.monotonic) -> CopyText:
    """The words of the copy `name`; `clock` gives seconds."""
    sha256 = hashlib.sha256(data).hexdigest()
    kind = _kind(name, data)
    blank = CopyText(file=name, kind=kind, text=None, sha256=sha256)
    if kind == "pdf":
        return _read_pdf(blank, data, clock)
    if kind == "other":
        reason = "the file is neither text nor HTML nor PDF"
        return replace(blank, kind="text", reason=reason)
    text = _decode(data, html=kind == "html")
    if kind == "html":
        text = _html_text(text[: 4 * MOST_CHARACTERS])
    return _limited(blank, text)


@lru_cache(maxsize=16)
def read_copy_once(name: str, data: bytes) -> CopyText:
    """`read_copy`, remembered: `serve` asks again after every change."""
    return read_copy(name, data)


def _limited(blank: CopyText, text: str, reason: str | None = None) -> CopyText:
    if not text.strip():
        return replace(blank, reason=reason or "there are no words in the file")
    if len(text) > MOST_CHARACTERS:
        reason = f"only the first {MOST_CHARACTERS} characters were read"
        return replace(blank, text=text[:MOST_CHARACTERS], partial=True, reason=reason)
    return replace(blank, text=text, partial=reason is not None, reason=reason)


def _kind(name: str, data: bytes) -> str:
    """pdf, html, text, or other; what a file begins with counts more than its name."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "html" if _is_html(name) else "text"
    if b"\0" in data[:8192] or data[:4] == b"PK\x03\x04":
        return "other"
    if name.lower().endswith(".pdf"):
        return "other"
    return "html" if _is_html(name) or _HTML.match(data[:4096]) else "text"


def _is_html(name: str) -> bool:
    return name.lower().endswith((".html", ".htm", ".xhtml"))


def _decode(data: bytes, *, html: bool) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    named = _CHARSET.search(data[:4096]) if html else None
    for encoding in ("utf-8-sig", named[1].decode("ascii") if named else "cp1252"):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", "replace")


class _Words(HTMLParser):
    """Collects the words that a reader of the page sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unread = 0
        self._super: list[str] | None = None
        self._linked = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Blocks begin on a line of their own."""
        if tag in _UNREAD:
            self._unread += 1
        elif tag in _BLOCKS:
            self.parts.append("\n")
        elif tag == "sup":
            self._super, self._linked = [], False
        elif tag == "a" and self._super is not None:
            self._linked = True

    def handle_endtag(self, tag: str) -> None:
        """What stands raised is a citation mark or an exponent."""
        if tag in _UNREAD:
            self._unread = max(0, self._unread - 1)
        elif tag in _BLOCKS:
            self.parts.append("\n")
        elif tag == "sup" and self._super is not None:
            self.parts.append(_raised("".join(self._super), linked=self._linked))
            self._super = None

    def handle_data(self, data: str) -> None:
        """Text, unless a reader does not see it."""
        if self._unread:
            return
        if self._super is not None and len(self._super) < 20:
            self._super.append(data)
        else:
            self.parts.append(data)

    def text(self) -> str:
        """Everything that was collected."""
        rest = "".join(self._super or [])
        return re.sub(r"[ \t]*\n\s*", "\n", "".join([*self.parts, rest]))


def _raised(words: str, *, linked: bool) -> str:
    """`[12]` for a mark; raised digits for an exponent, so that 10² does not become 102."""
    bare = words.strip()
    if linked and _MARK.fullmatch(bare):
        return f"[{bare.strip('[]() ')}]"
    return words.translate(_SUPER) if bare.isdecimal() and bare.isascii() else words


def _html_text(text: str) -> str:
    words = _Words()
    words.feed(text)
    words.close()
    return words.text()


class _OutOfTime(Exception):
    """Reading takes longer than is allowed."""


@dataclass(slots=True)
class _Pages:
    """What has been read of a PDF so far."""

    texts: list[str]
    characters: int = 0
    reason: str | None = None


def _read_pdf(blank: CopyText, data: bytes, clock: Callable[[], float]) -> CopyText:
    from pypdf import PdfReader  # takes long to load, and most packs have no PDF

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells every flaw of a file
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            return replace(blank, reason="the PDF is encrypted")
        pages = _read_pages(reader, clock)
    except Exception as fault:  # whatever a broken file makes the library stumble over
        return replace(blank, reason=_why(fault))
    if not any(text.strip() for text in pages.texts):
        return replace(blank, reason=pages.reason or "the PDF holds pictures of words, not words")
    return _limited(blank, "\n".join(pages.texts), pages.reason)


def _why(fault: Exception) -> str:
    name = type(fault).__name__
    if "Encrypt" in name or "Password" in name or "Dependency" in name:
        return "the PDF is encrypted"
    return f"the PDF is broken ({name})"


def _read_pages(reader: Any, clock: Callable[[], float]) -> _Pages:
    pages, end = _Pages([]), clock() + MOST_SECONDS
    total = len(reader.pages)

    def look_at_clock(*_: Any) -> None:
        if clock() > end:
            raise _OutOfTime

    for number in range(total):
        if number == MOST_PAGES or pages.characters > MOST_CHARACTERS:
            pages.reason = f"only the first {number} of {total} pages were read"
            break
        try:
            look_at_clock()
            text = reader.pages[number].extract_text(visitor_operand_before=look_at_clock)
        except _OutOfTime:
            pages.reason = f"only the first {number} of {total} pages were read in time"
            break
        except Exception as fault:  # one broken page does not hide the others
            pages.reason = f"page {number + 1} of {total} is broken ({type(fault).__name__})"
            continue
        pages.texts.append(_PAGE_NUMBER.sub("", text))
        pages.characters += len(text)
    return pages
