"""Old words and new ones, as a difference by words."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from markupsafe import Markup, escape


def word_diff(old: str, new: str) -> Markup:
    """`old` and `new` as one text with `del` and `ins`; each can be read on its own.

    A pair that has little in common is shown as a whole: scattered single words help nobody.
    """
    before, after = _words(old), _words(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if old and new and matcher.ratio() < 0.3:
        return Markup("<del>{}</del> <ins>{}</ins>").format(old, new)
    out: list[Markup] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            out.append(escape("".join(before[a:b])))
            continue
        if b > a:
            out.append(Markup("<del>{}</del>").format("".join(before[a:b])))
        if d > c:
            out.append(Markup("<ins>{}</ins>").format("".join(after[c:d])))
    return Markup("").join(out)


def _words(text: str) -> list[str]:
    """Words, runs of white space and single marks; nothing of the text is lost."""
    return re.findall(r"\w+|\s+|[^\w\s]", text)
