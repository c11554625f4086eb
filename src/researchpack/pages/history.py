"""The history of a pack: revisions and what they did to the claims, passes, delta, decisions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from researchpack.dates import parse_date
from researchpack.pages._parts import change_of, changes
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.records import Anchored

if TYPE_CHECKING:
    from collections.abc import Callable

    from researchpack.records import ClaimView, Delta, Pack, Pass


def page(shown: Shown) -> Page:
    """The page `history/`."""
    view = shown.view
    return Page(
        path=f"{shown.path}/history",
        title=f"History · {shown.title}",
        html=render(
            "history.html.j2",
            "../",
            shown,
            context=view.pack.context,
            revision=changes(view),
            # Those of single claims are told in the table of the revision.
            reasons=[r for r in view.state_reasons if not re.match(r"C\d+[a-z]?: ", r)],
            touched=[found for found in view.claims if view.base and _is_touched(found)],
            change=change_of,
            delta_rows=_rows(view.delta) if view.delta else [],
            frozen=_frozen(view.pack),
        ),
        headings=(
            Heading(id="passes", title="Research passes"),
            *([Heading(id="reports", title="Reports")] if view.pack.reports else []),
            Heading(id="revisions", title="Chapter revisions"),
            Heading(id="decisions", title="Decisions"),
        ),
    )


def _is_touched(found: ClaimView) -> bool:
    moved = isinstance(found.standing, Anchored) and found.standing.how == "moved"
    return found.old_passage is not None or moved


def _rows(delta: Delta) -> list[tuple[str, tuple[str, ...]]]:
    return [
        ("Claims added", delta.claims_added),
        ("Claims changed", delta.claims_changed),
        ("Claims removed", delta.claims_removed),
        ("Claims settled", delta.claims_settled),
        ("Relations re-validated", delta.relations_revalidated),
        ("Relations added", delta.relations_added),
        ("Relations removed", delta.relations_removed),
        ("Sources added", delta.sources_added),
        ("Sources removed", delta.sources_removed),
    ]


def _frozen(pack: Pack) -> Callable[[Pass], list[str]]:
    """Tells which frozen files belong to an entry of `passes`: those of its day."""

    def names(entry: Pass) -> list[str]:
        day = parse_date(entry.date or "")
        stamp = day.first.strftime("%Y%m%d") if day else "never"
        return [frozen.name for frozen in pack.frozen if frozen.name.startswith(stamp)]

    return names
