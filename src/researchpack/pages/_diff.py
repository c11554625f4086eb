"""Old words and new ones, as a difference by words."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from markupsafe import Markup, escape

_TOO_DIFFERENT: Final = 0.4
"""Similarity, from 0 to 1, below which a pair is shown as a whole."""
_REST: Final = 2
"""Words that two changes must have between them to be shown as two."""


def word_diff(old: str, new: str) -> Markup:
    """`old` and `new` as one text with `del` and `ins`; each can be read on its own.

    A pair that has little in common is shown as a whole: scattered single words help nobody.
    """
    before, after = _words(old), _words(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if old and new and matcher.ratio() < _TOO_DIFFERENT:
        return _pair(old, new)
    out: list[Markup] = []
    gone, come = "", ""
    for kind, a, b, c, d in matcher.get_opcodes():
        changed = bool(gone or come)
        if kind == "equal" and (not changed or b == len(before) or _is_bridge(before[a:b])):
            out += [_pair(gone, come), escape("".join(before[a:b]))]
            gone, come = "", ""
        else:
            gone += "".join(before[a:b])
            come += "".join(after[c:d])
    return Markup("").join([*out, _pair(gone, come)])


def _is_bridge(words: list[str]) -> bool:
    """Whether a common stretch is long enough to rest the eye on between two changes."""
    return sum(word[0].isalnum() for word in words) >= _REST


def _pair(gone: str, come: str) -> Markup:
    out = Markup("<del>{}</del>").format(gone) if gone else Markup("")
    return out + (Markup("<ins>{}</ins>").format(come) if come else Markup(""))


def _words(text: str) -> list[str]:
    """Words, runs of white space and single marks; nothing of the text is lost."""
    return re.findall(r"\w+|\s+|[^\w\s]", text)
