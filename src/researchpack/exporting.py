"""The story of `export`: a pack leaves as one file for another program or person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from researchpack.drafting import Drafts, draft, recorded_as
from researchpack.entries import CELLS, pack_entries
from researchpack.exports.notebook import notebook
from researchpack.exports.report import Content, report
from researchpack.formats.report import read_report
from researchpack.gather import gather
from researchpack.outcomes import experiment_views
from researchpack.problems import PackError
from researchpack.rewriting import claim_cells

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from researchpack.records import Pack

_LISTS: Final = ("claims", "sources", "proposals", "experiments")


class NotTold(PackError):
    """The pack holds something that a report cannot carry."""


def export(root: Path, name: str, to: str) -> bytes:
    """The named pack as one of `EXPORTS`."""
    return EXPORTS[to](gather(root, [name]).packs[0])


def export_report(pack: Pack) -> bytes:
    """The pack as a report that `ingest` reads back to equal records.

    The report is read back until nothing differs: what the tables do not carry, or carry
    otherwise, goes into the YAML block of its section.
    """
    content = _content(pack)
    for _ in range(4):
        text = report(pack, content)
        if not _differs(content, draft(read_report(text.encode(), ""))):
            return text.encode()
    raise NotTold(f"{pack.name} cannot be told as a report; this is a fault of the tool.")


def export_notebook(pack: Pack) -> bytes:
    """The notebook of the pack's experiments. Raises `NoNotebook`."""
    return notebook(pack, experiment_views(pack.experiments, pack.laboratory))


EXPORTS: Final[dict[str, Callable[[Pack], bytes]]] = {
    "report": export_report,
    "notebook": export_notebook,
}
"""What a pack can be exported to."""


def _content(pack: Pack) -> Content:
    entries = pack_entries(pack)
    return Content(
        claims=_claims(pack),
        notes=_notes(pack),
        sources=entries["sources"],
        proposals=entries["proposals"],
        experiments=_with_runs(pack, entries["experiments"]),
        context=[(str(s.title), str(s.body)) for s in pack.context],
        findings=[(str(s.title), str(s.body)) for s in pack.findings],
        stated=_stated(pack),
    )


def _with_runs(pack: Pack, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries, where what was run here is told as a report tells it: said, and not recorded."""
    views = {str(v.experiment.id): v for v in experiment_views(pack.experiments, pack.laboratory)}
    found = []
    for entry in entries:
        view = views[entry["id"]]
        if view.shown and "reported" not in entry:
            run = view.shown[0]
            told = {"by": "UNVERIFIED", "date": run.started[:10], "outcome": recorded_as(run.id)}
            entry = {**entry, "reported": told}
        found.append(entry)
    return found


def _claims(pack: Pack) -> list[dict[str, str]]:
    """The cells of the audit as they stand in its table, in file order."""
    text = next((a.text for a in pack.authored if a.path == pack.path("claims.md")), "")
    cells = claim_cells(text)
    found = []
    for claim in pack.claims:
        row = cells.get(str(claim.id), {})
        told = {name: row[name].text if name in row else "" for name in CELLS}
        found.append({**told, "id": str(claim.id)})
    return found


def _notes(pack: Pack) -> str:
    notes = "\n\n".join(str(note) for note in pack.audit.notes)
    return notes.removeprefix("# Claim audit").strip("\n")


def _stated(pack: Pack) -> dict[str, Any]:
    """What the last pass states about itself."""
    if not pack.file.passes:
        return {}
    last = pack.file.passes[-1]
    who = last.researcher
    told = {"name": who.name, "kind": who.kind, "tools": who.tools}
    researcher = {key: str(words) for key, words in told.items() if words is not None}
    found: dict[str, Any] = {"date": str(last.date)} if last.date is not None else {}
    if researcher:
        found["researcher"] = researcher
    if last.read is not None:
        found["read"] = str(last.read)
    return found


def _differs(content: Content, read: Drafts) -> bool:
    """Whether what was read back is something else; puts what is into the YAML blocks."""
    found = False
    for name in _LISTS:
        found |= _list_differs(content, name, getattr(read, name))
    if content.notes != read.notes.strip("\n"):
        content.hidden.add("notes")
        content.extras["notes"] = content.notes
        found = True
    for name in ("context", "findings"):
        sections = getattr(content, name)
        if sections != getattr(read, name):
            content.hidden.add(name)
            content.extras[name] = [{"title": t, "markdown": body} for t, body in sections]
            found = True
    return found


def _list_differs(content: Content, name: str, read: list[dict[str, Any]]) -> bool:
    wanted = getattr(content, name)
    by_id = {str(entry.get("id")): entry for entry in read}
    extras = content.extras.setdefault(name, [])
    found = False
    for entry in wanted:
        told = by_id.pop(str(entry["id"]), {})
        differing = {key: v for key, v in entry.items() if key != "id" and told.get(key) != v}
        differing |= {key: "" for key in told if key not in entry}
        if name == "claims":
            differing |= {key: "" for key in told if not entry.get(key) and told[key]}
        if not differing and told:
            continue
        found = True
        own = next((one for one in extras if one["id"] == entry["id"]), None)
        if own is None:
            own = {"id": entry["id"]}
            extras.append(own)
        own.update(differing)
        if "edits" in differing:
            content.hidden.add(entry["id"])
            own.update({key: v for key, v in entry.items() if key != "id"})
    order = [entry["id"] for entry in wanted]
    if [str(e.get("id")) for e in read if str(e.get("id")) in order] != order and not found:
        raise NotTold(f"The {name} cannot be told in their order; this is a fault of the tool.")
    return found or bool(by_id)
