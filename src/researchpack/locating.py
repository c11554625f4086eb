"""Where the claims of a report stand in the chapter: what a report says about a place is a hint.

The audit of a pack says exactly what it means; a report may write a passage without quotation
marks, name half a heading, or leave the place out. Nothing is guessed here either: words that
stand nowhere are lost, and the passage that resembles them most is told and never adopted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from researchpack.anchors import Chapter, Target, anchor
from researchpack.anchors._changes import changed
from researchpack.formats._columns import plain_name
from researchpack.formats.claims import unquote
from researchpack.formats.layout import propose_layout
from researchpack.formats.snapshot import read_snapshot
from researchpack.places import Place, Text
from researchpack.records import (
    Ambiguous,
    Anchored,
    BlockKind,
    Changed,
    Layout,
    Lost,
    Paraphrase,
    Partial,
    Verbatim,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.formats.report import ClaimRow, Report
    from researchpack.prose import Span
    from researchpack.records import Snapshot, Standing

_WHICH: Final = re.compile(r"\s*\((\d+)(?: of (\d+)| places)\)$")
_SIMILAR: Final = 0.8
"""How alike a passage must be to be told as one that was changed."""
_LEAST: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One claim of a report and where it stands."""

    standing: Standing
    heading: str | None
    """The heading that the report means; None when it names none of the chapter."""
    quoted: bool
    """Whether the cell is a passage in quotation marks."""
    all: tuple[Span, ...] = ()
    """Every place in the chapter at which the words stand."""


class Locator:
    """Looks for the claims of one report in one chapter."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.chapter = Chapter.of(snapshot)
        self.headings = tuple(
            dict.fromkeys(
                snapshot.text[block.start : block.end].strip()
                for block in snapshot.blocks
                if block.kind is BlockKind.HEADING
            )
        )

    def row(self, row: ClaimRow) -> Found:
        """Where a claim stands."""
        raw = next((cell.text for name, cell in row.cells if name == "claim"), row.claim or "")
        place = next((cell.text for name, cell in row.cells if name == "where"), row.where or "")
        return self.cell(" ".join(raw.split("\n")), row.claim or "", place)

    def cell(self, raw: str, seen: str, where: str) -> Found:
        """Where the words of a claim cell stand: as written, and as a reader sees them."""
        inner = unquote(raw.strip())
        heading = self.heading(where)
        words = [inner, raw, seen, unquote(seen)] if inner is not None else [raw, seen]
        if inner is None and (bare := unquote(seen)) is not None:
            words.append(bare)
        for way in dict.fromkeys(filter(None, words)):
            exact, others = self.chapter.passages(way)
            if exact or others:
                how = "exact" if exact else "normalised"
                spans = exact or others
                return Found(
                    standing=self._choose(spans, how, where, heading),
                    heading=heading,
                    quoted=inner is not None,
                    all=spans,
                )
        standing = self._otherwise(inner or unquote(seen) or seen, heading)
        if inner is None and unquote(seen) is None and isinstance(standing, Lost | Changed):
            standing = Paraphrase()
        return Found(standing=standing, heading=heading, quoted=inner is not None)

    def heading(self, where: str) -> str | None:
        """The heading that a cell means: the longest one that it holds, as whole words."""
        cell = _WHICH.sub("", where).strip().strip('*_`"“”#').strip()
        if cell in self.headings:
            return cell
        said = f" {plain_name(cell)} "
        known = [name for name in self.headings if _key(name) and f" {_key(name)} " in said]
        if not known and len(said) > 5:
            known = [name for name in self.headings if f" {_key(name)} ".startswith(said.rstrip())]
            known = known if len(known) == 1 else []
        return max(known, key=len) if known else None

    def _choose(
        self, spans: tuple[Span, ...], how: str, where: str, heading: str | None
    ) -> Standing:
        inside = tuple(s for s in spans if self.chapter.section(s[0]) == heading)
        meant = inside if heading is not None and inside else spans
        match = _WHICH.search(where)
        if match and match[2] is None:
            return Anchored(spans=meant, how=how)
        if match and int(match[1]) <= len(meant):
            return Anchored(spans=(meant[int(match[1]) - 1],), how=how)
        if len(meant) == 1:
            return Anchored(spans=meant, how=how)
        return Ambiguous(spans=meant)

    def _otherwise(self, words: str, heading: str | None) -> Standing:
        """Words that leave something out, or that resemble a passage."""
        found = anchor(Target(exact=words, section=heading), self.chapter)
        if not isinstance(found, Lost) or found.nearest is None or len(words) < _LEAST:
            return found
        start, end = found.nearest
        now = self.chapter.text[start:end]
        near = self.chapter.index.near(self._normal(words), 1 - _SIMILAR)
        if len(near) == 1:
            return changed(words, now, (found.nearest,))
        return found

    @staticmethod
    def _normal(words: str) -> str:
        from researchpack.prose import normalise

        return normalise(words).text


def _key(heading: str) -> str:
    return plain_name(heading.lstrip("#").strip())


def chapter_of(data: bytes) -> Snapshot | None:
    """A lone chapter with the layout that can be guessed; None when it is no UTF-8 text."""
    place = Place("")
    try:
        proposed = propose_layout(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None
    layout = Layout(
        headings=tuple(Text(heading, place) for heading in proposed.headings),
        verbatim=tuple(
            Verbatim(first=Text(a, place), last=Text(b, place), kind=Text(kind, place))
            for a, b, kind in proposed.verbatim
        ),
    )
    return read_snapshot(data, "", layout).value


def anchors_data(report: Report, snapshot: Snapshot) -> dict[str, Any]:
    """Per claim where it stands, as plain data."""
    locator = Locator(snapshot)
    return {
        row.id: dict(_told(locator.row(row), locator.chapter))
        for row in report.claims
        if row.id is not None
    }


def _told(found: Found, chapter: Chapter) -> Iterator[tuple[str, Any]]:
    standing = found.standing
    match standing:
        case Anchored(spans=spans, how=how):
            yield "state", how
            yield "chapter", " … ".join(chapter.text[a:b] for a, b in spans)
            yield "places", [{"start": a, "end": b} for a, b in spans]
            if how == "multipart":
                yield "parts", len(spans)
            elif len(spans) == 1 and spans[0] in found.all:
                yield "occurrence", found.all.index(spans[0]) + 1
                yield "occurrences", len(found.all)
        case Partial(spans=spans, missing=missing):
            yield "state", "partial"
            yield "found", len(spans)
            yield "of", len(spans) + len(missing)
            yield "missing", list(missing)
        case Ambiguous(spans=spans):
            yield "state", "ambiguous"
            yield "occurrences", len(spans)
            yield "places", [{"start": a, "end": b} for a, b in spans]
        case Changed(spans=spans, changes=changes):
            yield "state", "changed"
            yield "chapter", " … ".join(chapter.text[a:b] for a, b in spans)
            yield "changes", [{"old": c.old, "new": c.new, "raised": c.raised} for c in changes]
        case Paraphrase():
            yield "state", "paraphrase"
        case _:
            yield "state", "orphan"
            nearest = standing.nearest if isinstance(standing, Lost) else None
            yield "nearest", chapter.text[slice(*nearest)] if nearest else None
    yield "where", found.heading
