"""`research/vocabulary.yaml` -> `Vocabulary`."""

from __future__ import annotations

from typing import Final

from researchpack.formats._shared import Parsed, read_map
from researchpack.records import Vocabulary

DEFAULT: Final = Vocabulary(
    lists=(
        (
            "verdict",
            (
                ("contradicted", "contradicted"),
                ("internally inconsistent", "internally inconsistent"),
                ("unsupported", "unsupported"),
                ("qualified", "qualified"),
                ("unverified", "unverified"),
                ("supported", "supported"),
                ("no source needed", "no source needed"),
            ),
        ),
        ("priority", (("high", "high"), ("medium", "medium"), ("low", "low"))),
        (
            "response",
            (
                ("correction", "correction"),
                ("clarification", "clarification"),
                ("citation", "citation"),
                ("new example", "new example"),
                ("new experiment", "new experiment"),
                ("new section", "new section"),
                ("no change", "no change"),
            ),
        ),
        (
            "kind",
            (
                ("cited fact", "cited fact"),
                ("number", "number"),
                ("definition", "definition"),
                ("own method", "the author's own method"),
                ("code", "code"),
                ("cross-reference", "cross-reference"),
                ("opinion", "opinion"),
                ("scope", "scope"),
                ("status", "status"),
            ),
        ),
        (
            "class",
            (
                ("established background", "established background"),
                ("reported by a source", "reported by a source"),
                ("reproduced locally", "reproduced locally"),
                ("the chapter's own text", "the chapter's own text"),
                ("hypothesis", "hypothesis"),
                ("proposed experiment", "proposed experiment"),
            ),
        ),
        (
            "relation",
            (
                ("supports", "supports"),
                ("extends", "extends"),
                ("empirical_evidence", "is empirical evidence for"),
                ("qualifies", "qualifies"),
                ("limitation", "limits"),
                ("contradicts", "contradicts"),
                ("supersedes", "supersedes"),
                ("alternative", "offers an alternative to"),
                ("background", "is background to"),
                ("method", "gives a method for"),
                ("silent", "is silent on"),
                ("uncertain", "bears on, in a way that is not decided,"),
            ),
        ),
        (
            "check_relation",
            (
                ("supports", "supports"),
                ("qualifies", "qualifies"),
                ("contradicts", "contradicts"),
                ("inconsistent", "is inconsistent with"),
                ("background", "is background to"),
            ),
        ),
        (
            "reading_status",
            (
                ("full_text", "full text"),
                ("partial_text", "parts of the text"),
                ("excerpt", "excerpt only"),
                ("abstract_only", "abstract only"),
                ("search_snippet", "search snippet only"),
                ("metadata_only", "metadata only"),
                ("secondary_source", "secondary source only"),
                ("not_accessible", "not accessible"),
                ("unknown", "unknown"),
            ),
        ),
        (
            "source_type",
            tuple(
                (kind, kind)
                for kind in (
                    "article",
                    "preprint",
                    "book",
                    "chapter",
                    "proceedings",
                    "web page",
                    "software",
                    "documentation",
                    "report",
                    "dataset",
                    "video",
                )
            ),
        ),
        (
            "proposal_kind",
            (
                ("correction", "correction"),
                ("clarification", "clarification"),
                ("citation", "citation"),
                ("new_example", "new example"),
                ("new_experiment", "new experiment"),
                ("new_section", "new section"),
                ("no_change", "no change"),
            ),
        ),
        (
            "decision",
            (("accept", "accept"), ("revise", "revise"), ("defer", "defer"), ("reject", "reject")),
        ),
        ("finding_decision", (("agree", "agree"), ("dispute", "dispute"))),
        ("verbatim_kind", (("code", "code"), ("diagram", "diagram"), ("table", "table"))),
        ("researcher_kind", (("person", "person"), ("model", "model"), ("both", "both"))),
    )
)
"""What the rules of this tool know about, and the words in which pages say it."""


def read_vocabulary(text: str, path: str) -> Parsed[Vocabulary]:
    """The project's lists; what it does not list itself keeps the known values."""
    names = tuple(name for name, _ in DEFAULT.lists)
    fields, notes = read_map(text, path, names)
    if fields is None:
        return notes.parsed(DEFAULT)
    own = {str(key): fields.pairs(key) for key in fields.keys()}  # noqa: SIM118
    lists = tuple(
        (name, tuple({**dict(values), **_plain(own.get(name, ()))}.items()))
        for name, values in DEFAULT.lists
    )
    return notes.parsed(Vocabulary(lists=lists))


def _plain(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {str(value): str(label) or str(value) for value, label in pairs}
