"""What a single file is, told by its content: a file that belongs to no project has no folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.formats.vocabulary import DEFAULT
from researchpack.yamltext import Mapping, Sequence, read_yaml

if TYPE_CHECKING:
    from researchpack.yamltext import Node

_BY_KEYS: Final = (
    ("review", {"target", "decision"}),
    ("proposals", {"edits", "reason_no_text", "rationale", "tradeoffs", "depends_on"}),
    ("experiments", {"method", "predictions", "success", "failure", "reported", "question"}),
)
_MAPS: Final = (
    ("sources", {"sources"}),
    ("quotations", {"claims"}),
    ("pack", {"snapshot", "passes", "layout", "chapter", "declared", "objective"}),
    ("settings", {"contact", "registries", "cache", "records", "allow_private_hosts"}),
    ("book", {"bibliography", "title"}),
    ("vocabulary", {name for name, _ in DEFAULT.lists}),
)


def kind_of(name: str, text: str) -> str:
    """bib, claims, sections, sources, quotations, proposals, review, experiments, pack, settings,
    book or vocabulary.

    A list that looks like nothing else is a ledger.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix == "bib":
        return "bib"
    if suffix in ("md", "markdown", "txt"):
        return "claims" if "|" in text else "sections"
    node, _ = read_yaml(text, name)
    if isinstance(node, Mapping):
        keys = {str(key) for key, _ in node.items}
        return next((kind for kind, marks in _MAPS if keys & marks), "sources")
    if isinstance(node, Sequence):
        keys = _keys(node.items)
        return next((kind for kind, marks in _BY_KEYS if keys & marks), "sources")
    return "sources"


def _keys(items: tuple[Node, ...]) -> set[str]:
    return {str(key) for item in items if isinstance(item, Mapping) for key, _ in item.items}
