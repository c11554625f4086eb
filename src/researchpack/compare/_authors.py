"""Lists of authors: order, number, truncation, bodies among persons."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from researchpack.compare._bodies import is_body
from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.compare._names import Likeness, Match, compare_name, has_suffix, shown_name
from researchpack.places import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.records import Name

AUTHOR: Final = "meta.author"
GIVEN: Final = "meta.author-given"
_MANY: Final = 10_000
"""Pairs of names up to which everybody is looked for everywhere; beyond, place by place only."""
_OTHERS: Final = re.compile(
    r"(?:and\s+|und\s+|&\s*)?(?:others|et\.?\s*al\.?|u\.\s?a\.|…|\.{3,}|\[\s*(?:…|\.{3})\s*\]"
    r"|etc\.?|et\s+autres|y\s+otros|(?:\d+\s+)?more(?:\s+authors)?|その他|他|等)",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"[\s,;]+(?:(?:and|&|und)\s+)?(?:others|et\.?\s*al\.?|…|\.{3,}|[他等])\s*$", re.IGNORECASE
)


def compare_authors(ours: tuple[Text, ...], theirs: tuple[Name, ...]) -> Finding:
    """Our authors, in order, against the record's."""
    named = [name for name in theirs if shown_name(name).strip()]
    notes = ["the registry has an unnamed author"] if len(named) < len(theirs) else []
    cut_there = bool(named) and bool(_OTHERS.fullmatch(shown_name(named[-1]).strip()))
    named = [name for name in named if not _OTHERS.fullmatch(shown_name(name).strip())]
    if not named:
        return unsure(ABSENT)
    shown = "; ".join(map(shown_name, named))
    head, tail, cut = _parts([name for written in ours for name in _apart(written)])
    if not head and not tail:
        return unsure("no names here", shown)
    if any(map(_is_run_together, (*head, *tail))):
        return unsure("several names run together here", shown)
    found = _compare(head, tail, named, cut=cut, cut_there=cut_there)
    why = ", ".join(dict.fromkeys([*([found.why] if found.why else []), *notes])) or None
    return replace(found, theirs=shown, why=why, offer=tuple(map(shown_name, named)))


def _apart(written: Text) -> list[Text]:
    """The names of a value that holds several of them: `Lee, Ann; Chen, Bo`."""
    parts = written.split(";")
    if len(parts) == 1 and not is_body(written):
        parts = re.split(r"\s+(?:and|&)\s+(?!others\b|al\b)", written)
    if len(parts) == 1:
        return [written]
    return [Text(part.strip(), written.place) for part in parts if part.strip()]


def _is_run_together(written: Text) -> bool:
    """Whether commas part names here, so that it cannot be told which words are one person's."""
    return written.count(",") > 1 and not has_suffix(written) and not is_body(written)


def _parts(ours: Sequence[Text]) -> tuple[list[Text], list[Text], bool]:
    """The names before and behind `et al.` or an ellipsis, and whether there is one."""
    head: list[Text] = []
    tail: list[Text] = []
    cut = False
    for written in ours:
        if _OTHERS.fullmatch(written.strip()):
            cut = True
            continue
        bare = _TAIL.sub("", written)
        name = written if bare == written else Text(bare, written.place)
        (tail if cut else head).append(name)
        cut = cut or bare != written
    return head, tail, cut


def _compare(
    head: list[Text], tail: list[Text], theirs: list[Name], *, cut: bool, cut_there: bool
) -> Finding:
    if cut and len(head) + len(tail) <= len(theirs):
        first = theirs[: len(head)]
        last = theirs[len(theirs) - len(tail) :]
        return _in_order([*head, *tail], [*first, *last], "shortened")
    ours = [*head, *tail]
    if cut_there and len(ours) >= len(theirs):
        return _in_order(ours[: len(theirs)], theirs, "shortened there")
    if len(ours) == len(theirs):
        return _in_order(ours, theirs, None)
    return _of_other_length(ours, theirs)


def _in_order(ours: list[Text], theirs: list[Name], why: str | None) -> Finding:
    pairs = [compare_name(mine, name) for mine, name in zip(ours, theirs, strict=True)]
    worst = max((pair.match for pair in pairs), default=Match.SAME)
    if worst > Match.NOTED and _all_somewhere(ours, theirs):
        return replace(contradicted("", "in another order"), rule=AUTHOR, place=ours[0].place)
    return _verdict(ours, theirs, pairs, why)


def _verdict(
    ours: list[Text], theirs: list[Name], pairs: list[Likeness], why: str | None
) -> Finding:
    """The worst pair decides."""
    worst = max((pair.match for pair in pairs), default=Match.SAME)
    at = next((n for n, pair in enumerate(pairs) if pair.match is worst), 0)
    notes = list(dict.fromkeys(note for pair in pairs for note in sorted(pair.notes)))
    if worst <= Match.NOTED:
        return confirmed("", ", ".join([*([why] if why else []), *notes]) or None)
    if worst is Match.UNSURE:
        return unsure(", ".join(notes))
    if is_body(ours[at]) != _is_collective(theirs[at]):
        return unsure("a body on one side, a person on the other")
    both = f'"{ours[at]}" here, "{shown_name(theirs[at])}" there'
    words = {
        Match.SPELLING: f"spelling: {both}",
        Match.GIVEN: f"given names: {both}",
        Match.OTHER: f"{_ordinal(ours, at)}: {both}",
    }
    rule = GIVEN if worst is Match.GIVEN else AUTHOR
    return replace(contradicted("", words[worst]), rule=rule, place=ours[at].place)


def _ordinal(ours: list[Text], at: int) -> str:
    return "the author" if len(ours) == 1 else f"author {at + 1}"


def _of_other_length(ours: list[Text], theirs: list[Name]) -> Finding:
    """Lists of different length: bodies may be left out, persons may not."""
    persons = [name for name in theirs if not _is_collective(name)]
    own = [name for name in ours if not is_body(name)]
    if not persons or not own:
        if persons != theirs or own != ours:
            return unsure("a body on one side, persons on the other")
    elif len(persons) == len(own):
        return _in_order(own, persons, "a body is left out on one side")
    what = f"number of authors: {len(ours)} here, {len(theirs)} there"
    if len(ours) * len(theirs) > _MANY:
        return replace(contradicted("", what), rule=AUTHOR, place=ours[0].place)
    strangers = [mine for mine in ours if not any(_agree(mine, name) for name in theirs)]
    if strangers:
        return _stranger(strangers[0], theirs, len(ours))
    missing = [name for name in theirs if not any(_agree(mine, name) for mine in ours)]
    if missing:
        what += f"; not here: {'; '.join(map(shown_name, missing[:5]))}"
    return replace(contradicted("", what), rule=AUTHOR, place=ours[0].place)


def _stranger(name: Text, theirs: list[Name], size: int) -> Finding:
    what = f'"{name}" is not among the authors there ({size} here, {len(theirs)} there)'
    return replace(contradicted("", what), rule=AUTHOR, place=name.place)


def _agree(mine: Text, name: Name) -> bool:
    return compare_name(mine, name).match <= Match.UNSURE


def _is_collective(name: Name) -> bool:
    return bool(name.literal) and not name.family and "," not in name.literal


def _all_somewhere(ours: list[Text], theirs: list[Name]) -> bool:
    """Whether everybody is there, though in another order."""
    if len(ours) * len(theirs) > _MANY:
        return False
    left = list(theirs)
    for mine in ours:
        near = next((name for name in left if compare_name(mine, name).match <= Match.NOTED), None)
        if near is None:
            return False
        left.remove(near)
    return True
