"""Words of people as safe HTML: links, badges, citations, Markdown.

Everything that people wrote is untrusted. Markdown is rendered without raw HTML, without images,
and with http, https and mailto links only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from researchpack.cites import find_cites
from researchpack.measures import find_refs
from researchpack.verdicts import (
    CONTRADICTED,
    INCONSISTENT,
    NOT_NEEDED,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    UNVERIFIED,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import OptionsDict

# Name of the CSS class and the sign, so that a verdict is never told by colour alone.
SIGNS: Final = {
    CONTRADICTED: ("contradicted", "✕"),
    INCONSISTENT: ("inconsistent", "≠"),
    UNSUPPORTED: ("unsupported", "∅"),
    QUALIFIED: ("qualified", "±"),
    UNVERIFIED: ("unverified", "?"),
    SUPPORTED: ("supported", "✓"),
    NOT_NEEDED: ("notneeded", "·"),
}
_PAGE_OF: Final = {
    "C": "claims",
    "S": "sources",
    "P": "proposals",
    "X": "experiments",
    "L": "experiments",
}
_CODE: Final = re.compile(r"`[^`]+`")
_SAFE: Final = re.compile(r"(?:https?://(?!/)|mailto:)", re.IGNORECASE)


def css(verdict: str | None) -> str:
    """The CSS class of a verdict; `unverified` for a word that is not known."""
    return SIGNS.get(verdict or "", ("unverified", "?"))[0]


def sign(verdict: str | None) -> str:
    """The sign of a verdict."""
    return SIGNS.get(verdict or "", ("unverified", "?"))[1]


def badge(verdict: str | None) -> Markup:
    """A verdict as sign and word."""
    return Markup('<span class="b {}"><i aria-hidden="true">{}</i>{}</span>').format(
        css(verdict), sign(verdict), verdict or "not stated"
    )


def chart(counts: list[tuple[str, int]]) -> Markup:
    """A bar of counts; the numbers stand beside it as text, so it is only told once."""
    total = sum(number for _, number in counts) or 1
    bars, at = [], 0
    for word, number in counts:
        kind = css(word) if word in SIGNS else word.replace(" ", "-")
        bars.append(
            Markup('<rect class="{}" x="{}" y="0" width="{}" height="10"/>').format(
                kind, at, number
            )
        )
        at += number
    return Markup(
        '<svg class="bar small" viewBox="0 0 {} 10" preserveAspectRatio="none"'
        ' aria-hidden="true">{}</svg>'
    ).format(total, Markup("").join(bars))


def href(base: str, name: str) -> str:
    """The address of an id, from a page that reaches the overview through `base`."""
    return f"{base}{_PAGE_OF.get(name[:1], 'claims')}/#{quote(name)}"


def chip(base: str, name: str) -> Markup:
    """An id as a link to where it stands."""
    return Markup('<a class="s" href="{}">{}</a>').format(href(base, name), name)


def cited(
    words: object,
    base: str,
    known: frozenset[str],
    values: Callable[[str, str], Markup] | None = None,
) -> Markup:
    """Plain text with its citations as links; an unknown id stays as it is written.

    `values` tells a measured value by experiment and path; without it references stay as written.
    """
    text = str(words or "")
    code = [match.span() for match in _CODE.finditer(text)]
    found = _found(text, base, known, values)
    # What is measured stands for itself; in code it is an example of how to write it.
    kept = (
        (start, end, html)
        for start, end, html in found
        if text[start] != "{" or not any(a < start < b for a, b in code)
    )
    return _code_spans(_replaced(text, kept, escape))


def _found(
    text: str,
    base: str,
    known: frozenset[str],
    values: Callable[[str, str], Markup] | None,
) -> Iterator[tuple[int, int, Markup]]:
    """What links take the place of: start, end, and the link; brackets go with a citation."""
    found = []
    for cite in find_cites(text):
        if cite.id in known:
            start = cite.start - (text[cite.start - 1 : cite.start] == "[")
            end = cite.end + (text[cite.end : cite.end + 1] == "]")
            found.append((start, end, chip(base, cite.id)))
    if values is not None:
        found += [(ref.start, ref.end, values(ref.id, ref.path)) for ref in find_refs(text)]
    yield from sorted(found)


def _replaced(
    text: str, found: Iterator[tuple[int, int, Markup]], told: Callable[[str], Markup]
) -> Markup:
    """`text` with links in their places; `told` does the rest."""
    out: list[Markup] = []
    at = 0
    for start, end, html in found:
        if end > at:
            out += [told(text[at : max(at, start)]), html]
            at = end
    return Markup("").join([*out, told(text[at:])])


def _code_spans(html: Markup) -> Markup:
    """Backticks of already escaped text as code."""
    return Markup(re.sub(r"`([^`<>]+)`", r"<code>\1</code>", str(html)))


def safe_address(address: object) -> str | None:
    """An address that may become a link, or None."""
    text = str(address or "").strip()
    return text if _SAFE.match(text) and not re.search(r"[\s\x00-\x1f\\]", text) else None


def outside(address: object, words: object = None) -> Markup:
    """A link to another site, or plain text when the address is none that may be linked."""
    link = safe_address(address)
    if link is None:
        return escape(str(words or address or ""))
    return Markup('<a href="{}" rel="noopener noreferrer nofollow">{}</a>').format(
        link, words or link
    )


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    """CommonMark with tables, without HTML, images, and any link but http, https and mailto."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    parser.validateLink = _link  # type: ignore[method-assign, assignment]
    parser.add_render_rule("image", _image)
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("heading_open", _heading)
    parser.add_render_rule("heading_close", _heading)
    return parser


def _link(address: str) -> bool:
    return safe_address(address) is not None


def _image(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    idx: int,
    options: OptionsDict,
    env: dict[str, Any],
) -> str:
    """An image is shown as its description: a page asks no other host for anything."""
    del renderer, options, env
    return f"<em>[image: {escape(tokens[idx].content)}]</em>"


def _link_open(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    idx: int,
    options: OptionsDict,
    env: dict[str, Any],
) -> str:
    del renderer, options, env
    address = str(tokens[idx].attrGet("href") or "")
    return f'<a href="{escape(address)}" rel="noopener noreferrer nofollow">'


def _heading(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    idx: int,
    options: OptionsDict,
    env: dict[str, Any],
) -> str:
    """Headings of authored text stay below those of the page."""
    del renderer, options, env
    slash = "/" if tokens[idx].nesting < 0 else ""
    return f"<{slash}h{min(int(tokens[idx].tag[1]) + 2, 6)}>"


def markdown(
    words: object,
    base: str,
    known: frozenset[str],
    values: Callable[[str, str], Markup] | None = None,
) -> Markup:
    """Authored Markdown as safe HTML, with its citations as links and measured values filled in.

    What stands in code or in a link keeps its brackets; in a link a value is no second link.
    """
    html: str = _markdown().render(str(words or ""))
    out: list[str] = []
    code = link = 0
    for tag, text in re.findall(r"(?s)(<[^>]*>)|([^<]+)", html):
        if tag:
            code += bool(re.match(r"<(?:code|pre)[ >]", tag)) - bool(
                re.match(r"</(?:code|pre)>", tag)
            )
            link += tag.startswith("<a ") - (tag == "</a>")
            out.append(tag)
        elif code:
            out.append(text)
        elif link:
            plain = _found(text, base, frozenset(), _unlinked(values))
            out.append(_replaced(text, plain, Markup))
        else:
            out.append(_replaced(text, _found(text, base, known, values), Markup))
    return Markup("".join(out))


def _unlinked(
    values: Callable[[str, str], Markup] | None,
) -> Callable[[str, str], Markup] | None:
    """The same values without their links."""
    if values is None:
        return None
    return lambda name, path: escape(values(name, path).striptags())
