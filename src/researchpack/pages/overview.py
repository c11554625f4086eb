"""The overview of a pack: what needs the author, what the pack is, what was not looked at."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from researchpack.pages._parts import changes, proposal_views, status_counts, verdict_counts
from researchpack.pages._recorded import recorded
from researchpack.pages._records import Heading, Page, Shown
from researchpack.pages._render import render
from researchpack.pages.sources import field_counts
from researchpack.verdicts import CONTRADICTED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.pages._parts import ProposalView
    from researchpack.records import View

Download = tuple[str, str, int, str]


def page(shown: Shown, downloads: Iterable[tuple[str, bytes]] = ()) -> Page:
    """The page at the pack's own address; `downloads` are the files beside it."""
    view = shown.view
    repairs = proposal_views(view)
    beside = list(downloads)
    left = [repair for repair in repairs if not _is_done(repair)]
    urgent = [repair for repair in left if _is_urgent(repair)] or left
    counts = verdict_counts(view.claims)
    html = render(
        "overview.html.j2",
        "",
        shown,
        lead=_lead(view, len(urgent)),
        counts=counts,
        bar=_bar(counts),
        repairs=urgent,
        further=len(left) - len(urgent),
        contradicted=[found for found in view.claims if found.stated == CONTRADICTED],
        references_differ=_references_differ(view),
        reading=_reading(view),
        opened=sum(source.accessed is not None for source in view.pack.sources),
        differing=sum(not found.agrees for found in view.claims),
        experiment_counts=_statuses(view, "X"),
        check_counts=_statuses(view, "L"),
        decided=sum(name.startswith("P") for name, _ in view.decisions),
        disputed=sum(found.disputed is not None for found in view.claims),
        context=view.pack.context,
        revision=changes(view),
        field_totals=field_counts(
            tuple(check for _, checks in view.field_checks for check in checks)
        ),
        recorded=len(recorded(view)),
        notebook=any(name == "notebook.ipynb" for name, _ in beside),
        downloads=[_download(name, data) for name, data in beside if not _is_of_runs(name)],
        run_files=[_download(name, data, whole=True) for name, data in beside if _is_of_runs(name)],
    )
    return Page(
        path=shown.path,
        title=shown.title,
        html=html,
        headings=(
            Heading(id="repairs", title="The repairs, in order"),
            Heading(id="pack", title="This pack"),
            Heading(id="downloads", title="Take it with you"),
            Heading(id="problems", title="What the check says"),
        ),
        description=f"Research pack of {view.pack.book.title}: {shown.title}",
    )


def _lead(view: View, urgent: int) -> str:
    """The first sentence, from what is counted."""
    if not view.claims:
        return "This chapter has not been researched yet."
    severe = [found for found in view.claims if found.stated == CONTRADICTED]
    repairs = f"{urgent} {'repair' if urgent == 1 else 'repairs'}"
    return (
        f"{len(view.claims)} claims of the chapter were audited; {len(severe)} are contradicted by"
        f" a source. {repairs}, in this order, answer the claims of high priority."
    )


def _is_urgent(repair: ProposalView) -> bool:
    return any(
        found.claim.priority == "high" or found.stated == CONTRADICTED for found in repair.claims
    )


def _is_done(repair: ProposalView) -> bool:
    """Whether the chapter has taken over all its edits."""
    return bool(repair.edits) and all(placed.applied for placed, _ in repair.edits)


def _bar(counts: list[tuple[str, int]]) -> list[tuple[str, int, int]]:
    """Verdict, width and left edge, in claims."""
    at, out = 0, []
    for verdict, number in counts:
        out.append((verdict, number, at))
        at += number
    return out


def _references_differ(view: View) -> bool:
    declared = view.pack.file.declared_references
    number = view.pack.snapshot.references if view.pack.snapshot else 0
    return declared is not None and declared != (str(number) if number else "none")


def _reading(view: View) -> list[tuple[str, int]]:
    """How deep the sources were read, and how many of each."""
    counts = Counter(source.reading_status or "unknown" for source in view.pack.sources)
    order = list(view.vocabulary.known("reading_status"))
    ranked = sorted(counts, key=lambda word: order.index(word) if word in order else len(order))
    return [(view.vocabulary.label("reading_status", word), counts[word]) for word in ranked]


def _statuses(view: View, letter: str) -> list[tuple[str, int]]:
    return status_counts(status for name, status in view.statuses if name.startswith(letter))


def _is_of_runs(name: str) -> bool:
    """Whether a file lies in a folder of the pack that people do not read first."""
    folder = name.removeprefix("files/").partition("/")
    return name.startswith("files/") and bool(folder[1]) and folder[0] != "reports"


def _download(name: str, data: bytes, *, whole: bool = False) -> Download:
    words = name.removeprefix("files/") if whole else name.rpartition("/")[2]
    return name, words, len(data), hashlib.sha256(data).hexdigest()
