"""Ids of a report -> ids of the pack: a passage that was audited before keeps its id.

A report may number anew. A claim is the same when its passage stands at the same place, a source
when its address or its title is the same; everything else gets an id that was never used.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final

from researchpack.cites import is_id
from researchpack.entries import pack_ids
from researchpack.formats._columns import plain_name
from researchpack.records import Anchored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from researchpack.drafting import Drafts
    from researchpack.entries import Data
    from researchpack.locating import Locator
    from researchpack.prose import Span
    from researchpack.records import Pack

_NAMED: Final = re.compile(r"(?<![\w.#/@-])([A-Z]\d+[a-z]?)(?![\w-])")
_CODE: Final = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|https?://\S+", re.DOTALL)
_ALIKE: Final = 0.6
_LETTERS: Final = {"claims": "C", "sources": "S", "proposals": "P", "experiments": "XL"}


@dataclass(slots=True)
class Ids:
    """What each id of a report is called in the pack."""

    changed: dict[str, str] = field(default_factory=dict)
    """Only those that are called otherwise."""

    def words(self, text: str) -> str:
        """A text with the ids that it names replaced; code and addresses stay."""
        if not self.changed:
            return text
        parts, at = [], 0
        for code in _CODE.finditer(text):
            parts += [self._outside(text[at : code.start()]), code[0]]
            at = code.end()
        return "".join([*parts, self._outside(text[at:])])

    def _outside(self, text: str) -> str:
        return _NAMED.sub(lambda match: self.changed.get(match[1], match[1]), text)

    def data(self, value: Any, key: str = "") -> Any:
        """Plain data with the ids replaced; quoted words of others stay."""
        if key in ("quote", "old", "after", "new", "title", "url", "output", "command"):
            return value
        if isinstance(value, dict):
            return {k: self.data(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [self.data(item, key) for item in value]
        return self.words(value) if isinstance(value, str) else value


def rename(drafts: Drafts, pack: Pack, locator: Locator) -> Ids:
    """Give every entry of `drafts` its id in the pack, and replace the ids in all its words."""
    ids = Ids()
    used = _used(pack)
    for name, same in (
        ("claims", _claims(drafts, pack, locator)),
        ("sources", _sources(pack)),
        ("proposals", _proposals(pack)),
        ("experiments", _experiments(pack)),
    ):
        _number(getattr(drafts, name), name, same, used, ids)
    for covered, row in drafts.covers.items():
        if not any(cells["id"] == covered for cells in drafts.claims):
            ids.changed[covered] = ids.changed.get(row, row)
    _apply(drafts, ids)
    return ids


def _used(pack: Pack) -> set[str]:
    """Every id that the pack has, or had in a frozen pass: none is ever used again."""
    found = pack_ids(pack)
    for frozen in pack.frozen:
        for key in ("claims", "sources", "proposals", "experiments", "checks"):
            for one in (frozen.content or {}).get(key) or ():
                if isinstance(one, dict):
                    found.add(str(one.get("id")))
    return found


def _number(
    entries: list[Any],
    name: str,
    same: Callable[[Data], str | None],
    used: set[str],
    ids: Ids,
) -> None:
    letters = _LETTERS[name]
    reported = [str(entry.get("id", "")) for entry in entries]
    counts = Counter(reported)
    known = set(used)
    given: set[str] = set()
    for entry, old in zip(entries, reported, strict=True):
        new = same(entry)
        if new is None or new in given:
            free = is_id(old, letters) and old not in known and old not in given
            new = old if free else _next(_letter(old, letters), used | given | set(reported))
        given.add(new)
        if new != old and counts[old] == 1 and old:
            ids.changed[old] = new
        entry["id"] = new


def _letter(old: str, letters: str) -> str:
    return old[:1] if old[:1] and old[:1] in letters else letters[0]


def _next(letter: str, taken: Iterable[str]) -> str:
    """The next free id, as wide as those that are there."""
    digits = [re.sub(r"\D", "", one) for one in taken if one[:1] == letter]
    width = max((len(one) for one in digits if one.startswith("0")), default=1)
    number = max((int(one) for one in digits if one), default=0) + 1
    return f"{letter}{number:0{width}d}"


def _claims(drafts: Drafts, pack: Pack, locator: Locator) -> Callable[[Data], str | None]:
    known = _Audit(pack, locator)
    return known.same


class _Audit:
    """The claims of a pack, by where they stand and by what they say."""

    def __init__(self, pack: Pack, locator: Locator) -> None:
        self._locator = locator
        self._at: dict[tuple[Span, ...], str] = {}
        self._words: dict[str, str] = {}
        self._cells: dict[str, str] = {}
        self._spans: dict[str, tuple[Span, ...]] = {}
        for claim in pack.claims:
            name, cell = str(claim.id), str(claim.cell)
            self._cells.setdefault(name, cell)
            self._words.setdefault(plain_name(cell), name)
            which = claim.where.which
            where = f"{claim.where.heading}{f' ({which} of {claim.where.of})' if which else ''}"
            spans = self._spans_of(cell, where)
            if spans:
                self._at.setdefault(spans, name)
                self._spans[name] = spans

    def _spans_of(self, cell: str, where: str) -> tuple[Span, ...]:
        """Where a quoted passage stands; empty for a paraphrase, and when nobody can tell."""
        found = self._locator.cell(cell, cell, where)
        quoted = found.quoted and isinstance(found.standing, Anchored)
        return found.standing.spans if quoted and isinstance(found.standing, Anchored) else ()

    def same(self, row: Data) -> str | None:
        """The claim that a row of a report is about again, or None."""
        own, name = str(row["claim"]), str(row["id"])
        words = plain_name(own)
        if self._words.get(words) == name:
            return name
        spans = self._spans_of(own, str(row["where"]))
        if spans in self._at:
            return self._at[spans]
        if not spans and words in self._words:
            return self._words[words]
        if name not in self._cells:
            return None
        if spans and name in self._spans:
            return name if _overlap(spans, self._spans[name]) else None
        alike = SequenceMatcher(None, words, plain_name(self._cells[name])).ratio()
        return name if alike >= _ALIKE else None


def _overlap(some: tuple[Span, ...], others: tuple[Span, ...]) -> bool:
    return any(a < d and c < b for a, b in some for c, d in others)


def _sources(pack: Pack) -> Callable[[Data], str | None]:
    urls: dict[str, str] = {}
    titles: dict[str, str] = {}
    own: dict[str, str] = {}
    for source in pack.sources:
        name = str(source.id)
        own[name] = plain_name(source.title or "")
        titles.setdefault(plain_name(source.title or "") or name, name)
        for address in (source.url, source.other("doi")):
            if address:
                urls.setdefault(_address(address), name)

    def same(entry: Data) -> str | None:
        name, title = str(entry.get("id", "")), plain_name(str(entry.get("title", "")))
        if name in own and own[name] == title:
            return name
        for key in ("url", "doi"):
            if entry.get(key) and _address(str(entry[key])) in urls:
                return urls[_address(str(entry[key]))]
        return titles.get(title) if title else None

    return same


def _address(words: str) -> str:
    bare = re.sub(r"^(?:https?://)?(?:www\.|dx\.)?(?:doi\.org/)?", "", words.strip().lower())
    return bare.partition("#")[0].rstrip("/")


def _proposals(pack: Pack) -> Callable[[Data], str | None]:
    own = {
        str(entry.id): (
            plain_name(entry.title or ""),
            {str(edit.anchor) for edit in entry.edits},
        )
        for entry in pack.proposals
    }

    def same(entry: Data) -> str | None:
        name, title = str(entry.get("id", "")), plain_name(str(entry.get("title", "")))
        edits = entry.get("edits") or []
        places = {str(e.get("old", e.get("after", ""))) for e in edits if isinstance(e, dict)}
        if name in own and (own[name][0] == title or own[name][1] & places):
            return name
        for known, (other, there) in own.items():
            if (there & places) or (title and other == title and not there and not places):
                return known
        return None

    return same


def _experiments(pack: Pack) -> Callable[[Data], str | None]:
    titles = {plain_name(e.title or "") or str(e.id): str(e.id) for e in pack.experiments}
    own = {str(e.id): plain_name(e.title or "") for e in pack.experiments}

    def same(entry: Data) -> str | None:
        name, title = str(entry.get("id", "")), plain_name(str(entry.get("title", "")))
        if name in own and own[name] == title:
            return name
        found = titles.get(title)
        return found if found and found[:1] == _letter(name, "XL") else None

    return same


def _apply(drafts: Drafts, ids: Ids) -> None:
    drafts.claims = [
        {k: v if k in ("id", "claim", "where") else _cell(ids, k, v) for k, v in row.items()}
        for row in drafts.claims
    ]
    for name in ("sources", "proposals", "experiments"):
        entries = [
            {k: v if k == "id" else ids.data(v, k) for k, v in entry.items()}
            for entry in getattr(drafts, name)
        ]
        setattr(drafts, name, entries)
    drafts.context = [(title, ids.words(body)) for title, body in drafts.context]
    drafts.findings = [(title, ids.words(body)) for title, body in drafts.findings]
    drafts.notes = ids.words(drafts.notes)


def _cell(ids: Ids, name: str, words: str) -> str:
    """A cell with its ids replaced; in a cell of conflicts only those in brackets."""
    if name != "conflicts":
        return ids.words(words)
    return re.sub(r"\[[A-Z]\d+[a-z]?\]", lambda match: ids.words(match[0]), words)
