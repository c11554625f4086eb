"""The chapter with its audited passages marked in place, and their cards beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from researchpack.pages._marks import Mark, marked
from researchpack.pages._parts import change_of, own_edits, remark, verdict_counts
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.pages._text import css
from researchpack.records import BlockKind
from researchpack.standings import spans_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.records import Block, ClaimView, Snapshot, View

_TAGS = {
    BlockKind.HEADING: "h2",
    BlockKind.PARAGRAPH: "p",
    BlockKind.ITEM: "p",
    BlockKind.CODE: "pre",
    BlockKind.DIAGRAM: "pre",
    BlockKind.TABLE: "pre",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One block of the chapter and the claims that begin in it."""

    tag: str
    kind: str
    html: Markup
    cards: tuple[ClaimView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A sentence that nobody audited and that holds something worth auditing."""

    block: int
    """Number of its block, from 1."""
    words: str
    section: str
    why: tuple[str, ...]


def page(shown: Shown) -> Page:
    """The page `chapter/`."""
    view = shown.view
    snapshot = view.pack.snapshot
    anchored = [found for found in view.claims if spans_of(found.standing)]
    html = render(
        "chapter.html.j2",
        "../",
        shown,
        rows=_rows(view, snapshot) if snapshot else [],
        anchored=len(anchored),
        loose=[found for found in view.claims if found not in anchored],
        counts=verdict_counts(view.claims),
        gaps=_gaps(view, snapshot) if snapshot else [],
        card=_card(shown),
    )
    return Page(
        path=f"{shown.path}/chapter",
        title=f"Chapter · {shown.title}",
        html=html,
        headings=_headings(snapshot),
    )


def _headings(snapshot: Snapshot | None) -> tuple[Heading, ...]:
    blocks = snapshot.blocks if snapshot else ()
    found = [
        Heading(id=f"b{number}", title=snapshot.text[block.start : block.end].strip())
        for number, block in enumerate(blocks, 1)
        if snapshot and block.kind is BlockKind.HEADING
    ]
    return (*found, Heading(id="not-audited", title="Not audited"))


def _rows(view: View, snapshot: Snapshot) -> list[Row]:
    marks = sorted(
        (
            Mark(
                start=start,
                end=end,
                id=found.claim.id,
                css=css(found.stated),
                label=f"{found.claim.id}, {found.stated or 'not stated'}",
                address=f"#card-{found.claim.id}",
                first=number == 0,
            )
            for found in view.claims
            for number, (start, end) in enumerate(spans_of(found.standing))
        ),
        key=lambda mark: (mark.start, -mark.end),
    )
    claims = {str(found.claim.id): found for found in view.claims}
    return [
        Row(
            tag=_TAGS[block.kind],
            kind=block.kind.value,
            html=marked(snapshot.text, block.start, block.end, marks),
            cards=tuple(
                claims[mark.id]
                for mark in marks
                if mark.first and block.start <= mark.start < block.end
            ),
        )
        for block in snapshot.blocks
    ]


def _gaps(view: View, snapshot: Snapshot) -> list[Gap]:
    return [
        Gap(
            block=_block_number(snapshot.blocks, gap.span[0]),
            words=snapshot.text[gap.span[0] : gap.span[1]],
            section=gap.section,
            why=gap.why,
        )
        for gap in view.coverage.untouched
        if gap.why
    ]


def _block_number(blocks: tuple[Block, ...], at: int) -> int:
    return next(n for n, block in enumerate(blocks, 1) if block.start <= at < block.end)


def _card(shown: Shown) -> Callable[[ClaimView], Markup]:
    """Draws the card of a claim."""

    def card(found: ClaimView) -> Markup:
        own = own_edits(shown.view, found)
        return Markup(
            render(
                "card.html.j2",
                "../",
                shown,
                found=found,
                anchored=bool(spans_of(found.standing)),
                edits=own,
                remark=remark,
                change=change_of,
            )
        )

    return card
