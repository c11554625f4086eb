"""What changed between two wordings, with the changes that turn a meaning first."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from researchpack.records import Changed, WordChange

# A Chinese character is a word of its own here: the script does not say where words end.
_WORD: Final = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff]"
    r"|[^\W\u3400-\u9fff\uf900-\ufaff]+(?:[.,'’_][^\W\u3400-\u9fff\uf900-\ufaff]+)*%?"
    r"|[^\w\s]"
)
_RAISED: Final = (
    (
        "negation",
        re.compile(
            r"not|no|never|none|nothing|nobody|neither|nor|without|cannot|hardly|\w+n['’]t|non"
            r"|un(?!der|til|it|ion|iq|ive)\w{4,}|nicht|kein\w*|nie|ne|pas|jamais|sin|nunca"
            r"|不|没|沒|無|无|非|未|\w*ない\w*|\w*ません\w*|안|못|\w*않\w*|لا|ليس|لم|לא|אין|не|ни",
            re.IGNORECASE,
        ),
    ),
    (
        "number",
        re.compile(
            r".*\d.*|one|two|three|four|five|six|seven|eight|nine|ten|half|twice"
            r"|dozen|hundred|thousand|million|billion",
            re.IGNORECASE,
        ),
    ),
    (
        "unit",
        re.compile(
            r"%|percent|ms|s|sec|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?"
            r"|bits?|steps?|tokens?|layers?|tries|retries|times|x|hz|[kmg]hz|kg|g|mg|km|m|cm|mm",
            re.IGNORECASE,
        ),
    ),
    (
        "modal",
        re.compile(
            r"must|may|might|can|could|should|shall|will|would|always|only|all|any|every|some|often"
            r"|sometimes|usually|rarely|possibly|probably|likely|at|least|most",
            re.IGNORECASE,
        ),
    ),
)


def changed(old: str, new: str, spans: tuple[tuple[int, int], ...]) -> Changed:
    """The record of a passage that now reads `new`; `spans` is where it stands."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    parts = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        gone, come = " ".join(before[a:b]), " ".join(after[c:d])
        parts.append(WordChange(old=gone, new=come, raised=_why(before[a:b], after[c:d])))
    parts.sort(key=lambda part: part.raised is None)
    return Changed(spans=spans, changes=tuple(parts))


def _why(gone: list[str], come: list[str]) -> str | None:
    """Why a change is raised to the top, or None: it adds, drops or swaps a word that decides."""
    for name, form in _RAISED:
        before = sorted(word.casefold() for word in gone if form.fullmatch(word))
        after = sorted(word.casefold() for word in come if form.fullmatch(word))
        if before != after:
            return name
    return None
