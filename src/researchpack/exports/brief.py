"""The research brief: nine sections that are enough to pass on the first try.

A Jinja template makes it, which a project can replace by `overrides/brief.md.j2`. The bytes depend
on the pack's files only. Chapter and foreign text stand in fences longer than any fence inside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jinja2 import DictLoader, Environment, PackageLoader, StrictUndefined, TemplateError

from researchpack.coverage import sentences
from researchpack.problems import UsageFault
from researchpack.records import BlockKind
from researchpack.verdicts import NOT_NEEDED, SUPPORTED

if TYPE_CHECKING:
    from researchpack.records import Block, ClaimView, Snapshot, View

SECTIONS: Final = (
    "Identity",
    "Chapter text",
    "Existing references and bibliography",
    "Existing evidence",
    "Research objective and questions",
    "Associated material",
    "Research history",
    "How to investigate",
    "Required output",
)


class BudgetTooSmall(UsageFault):
    """Not even a brief without any chapter text fits."""


class BadTemplate(UsageFault):
    """The project's own template cannot be rendered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The chapter text of a brief."""

    text: str
    shown: int
    """Characters of the snapshot that are in it."""
    total: int
    missing: tuple[str, ...]
    """Headings of the sections that are not in it, or not whole."""

    @property
    def whole(self) -> bool:
        """Whether nothing is left out."""
        return self.shown == self.total

    @property
    def per_cent(self) -> int:
        """Rounded down, so that a part is never called the whole."""
        return 100 * self.shown // self.total if self.total else 0


def brief(view: View, *, budget: int | None = None, template: str | None = None) -> str:
    """The brief of a pack in Markdown; with `budget`, at most that many bytes of UTF-8.

    `template` is the project's own. Raises `BudgetTooSmall` and `BadTemplate`.
    """
    snapshot = view.pack.snapshot
    if snapshot is None:
        raise UsageFault(f"{view.pack.name} has no snapshot that can be read, so no brief either.")
    whole = _render(view, excerpt(snapshot, len(snapshot.text)), template)
    if budget is None or len(whole.encode()) <= budget:
        return whole
    least = _render(view, excerpt(snapshot, 0), template)
    if len(least.encode()) > budget:
        shortest = min(len(least.encode()), len(whole.encode()))
        raise BudgetTooSmall(
            f"The shortest brief of this chapter has {shortest} bytes, the whole one"
            f" {len(whole.encode())}. Give a larger --budget."
        )
    return _fitted(view, snapshot, budget, template, least)


def _fitted(view: View, snapshot: Snapshot, budget: int, template: str | None, least: str) -> str:
    """The brief with the longest beginning of the chapter that fits."""
    low, high, best = 0, len(snapshot.text), least
    while low <= high:
        middle = (low + high) // 2
        candidate = _render(view, excerpt(snapshot, middle), template)
        if len(candidate.encode()) <= budget:
            best, low = candidate, middle + 1
        else:
            high = middle - 1
    return best


def excerpt(snapshot: Snapshot, most: int) -> Excerpt:
    """The beginning of the chapter with at most `most` characters.

    It ends at the end of a block, or of a sentence in running text; code and tables are whole or
    absent.
    """
    text = snapshot.text
    if most >= len(text):
        return Excerpt(text=text, shown=len(text), total=len(text), missing=())
    end = 0
    for block in snapshot.blocks:
        if block.end <= most:
            end = block.end
            continue
        end = max(end, _last_sentence(text, block, most))
        break
    end = _without_heading(snapshot, end)
    missing = dict.fromkeys(
        b.section or "(before the first heading)" for b in snapshot.blocks if b.end > end
    )
    return Excerpt(text=text[:end], shown=end, total=len(text), missing=tuple(missing))


def _last_sentence(text: str, block: Block, most: int) -> int:
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM):
        return 0
    ends = [end for _, end in sentences(text, block.start, block.end) if end <= most]
    return ends[-1] if ends else 0


def _without_heading(snapshot: Snapshot, end: int) -> int:
    """An excerpt does not end with a heading that nothing stands under."""
    last = [block for block in snapshot.blocks if block.end <= end]
    while last and last[-1].kind is BlockKind.HEADING:
        last.pop()
        end = last[-1].end if last else 0
    return end


def fenced(text: str, language: str = "text") -> str:
    """`text` as a fenced block; the fence is longer than any run of its mark inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") else "\n"
    return f"{fence}{language}\n{text}{end}{fence}"


def _render(view: View, part: Excerpt, template: str | None) -> str:
    loader = (
        DictLoader({"brief.md.j2": template})
        if template is not None
        else PackageLoader("researchpack.exports")
    )
    env = Environment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    env.filters["fenced"] = fenced
    env.filters["line"] = lambda words: " ".join(str(words or "").split())
    try:
        told: str = env.get_template("brief.md.j2").render(
            view=view,
            pack=view.pack,
            excerpt=part,
            references=_references(view.pack.snapshot),
            open_claims=[found for found in view.claims if _is_open(found)],
            leads=[source for source in view.pack.sources if source.suggested],
            context={section.title: section.body for section in view.pack.context},
            gaps=_gaps(view),
            vocabulary=view.vocabulary,
        )
    except TemplateError as fault:
        raise BadTemplate(f"The template of the brief cannot be rendered: {fault}") from fault
    return re.sub(r"\n{3,}", "\n\n", told) if template is None else told


def _references(snapshot: Snapshot | None) -> list[str]:
    """The entries of the chapter's own list of references."""
    if snapshot is None:
        return []
    return [
        snapshot.text[block.start : block.end]
        for block in snapshot.blocks
        if block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH)
        and block.section.lower().lstrip("# ") in ("references", "bibliography", "works cited")
    ]


def _is_open(found: ClaimView) -> bool:
    """Whether a later pass should look at the claim first."""
    fine = found.stated in (SUPPORTED, NOT_NEEDED) and found.agrees
    return not fine or found.old_passage is not None or found.disputed is not None


def _gaps(view: View) -> list[tuple[str, str]]:
    """Sentences that nobody audited and that hold something worth it, with their section."""
    snapshot = view.pack.snapshot
    if snapshot is None or not view.claims:
        return []
    return [
        (" ".join(snapshot.text[gap.span[0] : gap.span[1]].split()), gap.section)
        for gap in view.coverage.untouched
        if gap.why
    ]
