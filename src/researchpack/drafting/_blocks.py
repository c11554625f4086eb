"""The YAML blocks of a report, which win over its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from researchpack.entries import CELLS, KEYS, LISTS, Data, full
from researchpack.formats.experiments import FIGURE, OUTSIDE, PREDICTION

if TYPE_CHECKING:
    from researchpack.drafting._records import Drafts
    from researchpack.formats.report import Report


def overlay(found: Drafts, report: Report) -> None:
    """Put what the blocks say over what the tables say."""
    extras = report.extras
    for name in ("claims", "sources", "proposals", "experiments"):
        entries: list[Any] = getattr(found, name)
        for own in extras.entries(name):
            told = _shaped(own, name, found.dropped)
            mine = next((e for e in entries if e.get("id") == told.get("id")), None)
            if mine is None:
                entries.append(told)
                found.lines.setdefault((name, str(told.get("id", ""))), extras.lines[name])
            else:
                mine.update(told)
        if name != "claims":
            setattr(found, name, [_tidy(entry) for entry in entries])
    if isinstance(notes := extras.values.get("notes"), str):
        found.notes = notes
    for name in ("context", "findings"):
        parts = [
            (str(e.get("title", "")), str(e.get("markdown", ""))) for e in extras.entries(name)
        ]
        titles = {title for title, _ in parts}
        rest = [part for part in getattr(found, name) if part[0] not in titles]
        setattr(found, name, [*parts, *rest])


_MAPS: Final = ("copy", "verified", "suggested", "recommend", "reported", "limits")
_MAP_LISTS: Final = {
    "bears_on": ("claim", "relation", "because", "quote", "locator"),
    "edits": ("old", "after", "new"),
    "predictions": PREDICTION,
    "outside": OUTSIDE,
    "figures": FIGURE,
}


def _shaped(own: Data, name: str, dropped: list[str]) -> Data:
    """The entry of a block as far as its values have the shape of their keys."""
    found: Data = {}
    known = CELLS if name == "claims" else KEYS[name]
    for key, told in own.items():
        if key not in known or not _fits(key, told):
            dropped.append(f"{own.get('id', 'an entry')} {key}")
            continue
        if key in _MAP_LISTS and isinstance(told, list):
            told = [
                {k: v for k, v in one.items() if k in _MAP_LISTS[key] and _is_words(v)}
                for one in told
            ]
        found[key] = told
    return found


def _fits(key: str, told: Any) -> bool:
    if told == "":
        return True
    if key in _MAPS:
        return isinstance(told, dict)
    if key in _MAP_LISTS:
        return isinstance(told, list) and all(isinstance(one, dict) for one in told)
    return _is_words(told) if key in LISTS else isinstance(told, str)


def _is_words(told: Any) -> bool:
    """Whether it is one value or a list of values."""
    return isinstance(told, str) or (
        isinstance(told, list) and all(isinstance(one, str) for one in told)
    )


def _tidy(entry: Data) -> Data:
    """Without what is empty; but words that an edit replaces by nothing stay."""
    edits = entry.get("edits")
    told = full({key: v for key, v in entry.items() if key != "edits"})
    if isinstance(edits, list) and edits:
        told["edits"] = [
            {str(k): str(v) for k, v in edit.items()} for edit in edits if isinstance(edit, dict)
        ]
    return told
