"""Citations of a bibliography in running text, as pandoc reads `[@smith2020, p. 3; @{lee--ho}]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_GROUP: Final = re.compile(r"\[[^\[\]\n]*@[^\[\]]*\]")
_KEY: Final = re.compile(r"(?<![\w.`/])@(?:\{([^{}\s]+)\}|([^\s;,\]\[@{}()]+))")
_FORBIDDEN: Final = re.compile(r"[\s,{}#%~\\\"'()=]")
_DOUBLED: Final = re.compile(r"[:.#$%&\-+?<>~/]{2,}|[:.#$%&\-+?<>~/]$")


def cited_keys(text: str, known: Collection[str] = ()) -> Iterator[tuple[str, int]]:
    """The keys that `text` cites, each with its offset: all in `[@…]`, and `@key` of `known` ones.

    Outside of brackets an unknown `@word` is a decorator or an address as often as a citation. A
    key is taken with all its punctuation, doubled marks included: it is what the author meant,
    even where pandoc would stop earlier.
    """
    groups = [group.span() for group in _GROUP.finditer(text)]
    for match in _KEY.finditer(text):
        key = match[1] or match[2].rstrip(".:?!")
        inside = any(start < match.start() < end for start, end in groups)
        if key and (inside or key in known):
            yield key, match.start()


def forbidden(key: str) -> str | None:
    """The first character of a key that breaks BibTeX, LaTeX or a citation; None when none does."""
    match = _FORBIDDEN.search(key)
    return match[0] if match else None


def needs_braces(key: str) -> str | None:
    """What makes pandoc read only the beginning of a bare `@key`; None when nothing does."""
    match = _DOUBLED.search(key)
    return match[0] if match else None
