"""The drafts of a report into the files that people wrote."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from researchpack import disk
from researchpack.entries import (
    CELLS,
    Data,
    cell_meaning,
    claim_meaning,
    frozen_entries,
    pack_entries,
)
from researchpack.formats.claims import read_claims
from researchpack.formats.experiments import read_experiments
from researchpack.formats.markdown import read_sections
from researchpack.formats.pack import read_pack
from researchpack.formats.proposals import read_proposals
from researchpack.formats.sources import read_sources
from researchpack.ingesting._records import BROKEN, FILES, Ingested, Unmergeable
from researchpack.matching import rename
from researchpack.merging import Merge
from researchpack.records import Anchored
from researchpack.rewriting import (
    Rewrite,
    claim_cells,
    write_cells,
    write_entries,
    write_notes,
    write_rows,
    write_sections,
)
from researchpack.splice import append_item
from researchpack.starting import EMPTY
from researchpack.yamlout import value_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from researchpack.drafting import Drafts
    from researchpack.locating import Locator
    from researchpack.records import Pack

_READERS: Final[dict[str, Callable[[str, str], Any]]] = {
    "claims.md": read_claims,
    "sources.yaml": read_sources,
    "proposals.yaml": read_proposals,
    "experiments.yaml": read_experiments,
    "context.md": read_sections,
    "findings.md": read_sections,
    "pack.yaml": read_pack,
}


def merged(
    root: Path, pack: Pack, drafts: Drafts, locator: Locator, found: Ingested, today: str
) -> Ingested:
    """What a report that was accepted does: the merged files, the conflicts, what was left."""
    ids = rename(drafts, pack, locator)
    frozen = [entry.content for entry in pack.frozen if entry.content is not None]
    base = frozen_entries(frozen[-1]) if frozen else {}
    merge = Merge()
    files = {name: Rewrite(_text(root, pack, name)) for name in FILES}
    _merge_claims(files["claims.md"], pack, drafts, base.get("claims"), merge, locator)
    _merge_lists(files, pack, drafts, base, merge)
    for name in ("context", "findings"):
        _merge_sections(files[f"{name}.md"], pack, drafts, name, base.get(name), merge)
    _add_pass(files["pack.yaml"], pack, drafts, found, today)
    return replace(
        found,
        conflicts=tuple(merge.conflicts),
        left=tuple(f"{name}: {words}" for name, file in files.items() for words in file.left),
        done=tuple((name, tuple(file.done)) for name, file in files.items() if file.done),
        ids=tuple(ids.changed.items()),
        writes=tuple(_writes(root, pack, files)),
    )


def _text(root: Path, pack: Pack, name: str) -> str:
    data = disk.read_if_there(root / pack.folder / name)
    return EMPTY.get(name, "") if data is None else data.decode("utf-8-sig")


def _writes(root: Path, pack: Pack, files: dict[str, Rewrite]) -> list[tuple[Path, bytes]]:
    """The files that changed, each read back before it is written."""
    found = []
    for name, file in files.items():
        path = root / pack.folder / name
        old = disk.read_if_there(path)
        mark = b"\xef\xbb\xbf" if (old or b"")[:3] == b"\xef\xbb\xbf" else b""
        data = mark + file.text.encode()
        if data == old or (old is None and not file.done):
            continue
        before = {p.rule for p in pack.problems if p.place.path == pack.path(name)}
        after = _READERS[name](file.text, pack.path(name)).problems
        broken = [p for p in after if p.rule in BROKEN and p.rule not in before]
        if broken:
            raise Unmergeable(f"{broken[0].place} could not be written: {broken[0].what}")
        found.append((path, data))
    return found


def _merge_claims(
    file: Rewrite,
    pack: Pack,
    drafts: Drafts,
    base: dict[str, Data] | None,
    merge: Merge,
    locator: Locator,
) -> None:
    there = {str(claim.id): claim for claim in pack.claims}
    cells = claim_cells(file.text)
    changes: dict[tuple[str, str], str] = {}
    added = []
    for row in drafts.claims:
        claim = there.get(row["id"])
        row["where"] = _where(row, locator)
        if claim is None:
            added.append(row)
            continue
        ours = claim_meaning(claim)
        before = (base or {}).get(row["id"])
        for name in CELLS[1:]:
            told = row[name]
            if name == "conflicts" and _same_conflicts(told, cells.get(row["id"], {}).get(name)):
                continue
            theirs = _heading(told) if name == "where" else cell_meaning(name, told)
            known = before.get(name, "") if before is not None else None
            merged = merge.value(f"{row['id']} {name}", known, ours[name], theirs)
            if merged == theirs and merged != ours[name]:
                changes[row["id"], name] = told
    write_cells(file, changes)
    write_rows(file, added)
    write_notes(file, drafts.notes)


def _same_conflicts(told: str, cell: Any) -> bool:
    return cell is not None and cell.text == told


def _heading(cell: str) -> str:
    return re.sub(r"\s*\(\d+(?: of \d+| places)\)$", "", cell)


def _where(row: dict[str, str], locator: Locator) -> str:
    """The cell `Where` with a heading of the chapter: the one that is meant, or the real one."""
    cell = row["where"]
    if not cell or _heading(cell) in locator.headings or not locator.headings:
        return cell
    found = locator.cell(row["claim"], row["claim"], cell)
    if isinstance(found.standing, Anchored) and found.quoted and len(found.standing.spans) == 1:
        span = found.standing.spans[0]
        heading = locator.chapter.section(span[0])
        same = [s for s in found.all if locator.chapter.section(s[0]) == heading]
        if len(same) > 1 and span in same:
            return f"{heading} ({same.index(span) + 1} of {len(same)})"
        return heading
    return found.heading or cell  # a person has to look: the report warned of it


def _merge_lists(
    files: dict[str, Rewrite],
    pack: Pack,
    drafts: Drafts,
    base: dict[str, dict[str, Data]],
    merge: Merge,
) -> None:
    for name, entries in pack_entries(pack).items():
        before = {str(entry["id"]): entry for entry in reversed(entries)}
        after = dict(before)
        for entry in getattr(drafts, name):
            entry_id = str(entry["id"])
            if entry_id in before:
                known = base[name].get(entry_id) if name in base else None
                after[entry_id] = merge.map(entry_id, known, before[entry_id], entry)
            else:
                after[entry_id] = entry
        write_entries(files[f"{name}.yaml"], name, before, after)


def _merge_sections(
    file: Rewrite,
    pack: Pack,
    drafts: Drafts,
    name: str,
    base: dict[str, Data] | None,
    merge: Merge,
) -> None:
    sections = pack.context if name == "context" else pack.findings
    there = {str(section.title): str(section.body) for section in sections}
    changed: dict[str, str] = {}
    added = []
    for title, body in getattr(drafts, name):
        if title not in there:
            added.append(title)
            changed[title] = body
            continue
        known = (base or {}).get(title, {}).get("markdown", "") if base is not None else None
        merged = merge.value(title, known, there[title], body)
        if merged != there[title]:
            changed[title] = merged
    write_sections(file, sections, changed, added)


def _add_pass(file: Rewrite, pack: Pack, drafts: Drafts, found: Ingested, today: str) -> None:
    """The entry of the pass: what the report states, and nobody and nothing that it does not."""
    stated = drafts.stated
    who = {"name": "UNVERIFIED", "kind": "UNVERIFIED", **stated.get("researcher", {})}
    who = {key: str(words) for key, words in who.items() if key in ("name", "kind", "tools")}
    assert pack.snapshot is not None
    lines = value_lines("date", str(stated.get("date") or today), "")
    if not stated.get("date"):
        lines[0] += "  # the day on which the report came in; it states none"
    lines += value_lines("researcher", who, "")
    lines += value_lines("read", pack.snapshot.sha256, "")
    lines += value_lines("report", found.report.removeprefix(f"{pack.folder}/"), "")
    file.text = append_item(file.text, "passes", lines)
    file.done.append("pass added")
