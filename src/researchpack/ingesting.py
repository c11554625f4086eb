"""The story of `ingest`: a report is read, judged, kept, and becomes the pack's own files.

A report with errors is refused: it is kept with what is wrong, and what stood before stays. An
accepted one is merged into what people wrote; nothing of theirs is taken away, and where both
changed the same words theirs stay and the conflict is told.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace
from datetime import date as Day
from typing import TYPE_CHECKING, Any, Final

from researchpack import disk
from researchpack.drafting import Drafts, draft, without_own_runs
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
from researchpack.formats.report import LARGEST, Report, plain_data, read_report
from researchpack.formats.sources import read_sources
from researchpack.gather import gather
from researchpack.judging import judge
from researchpack.locating import Locator, anchors_data, chapter_of
from researchpack.matching import rename
from researchpack.merging import Conflict, Merge
from researchpack.problems import Level, PackError, UsageFault
from researchpack.records import UNREAD, Anchored
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
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from researchpack.problems import Problem
    from researchpack.records import Pack

SCHEMA: Final = "researchpack.report.v1"
ACCEPTED: Final = "accepted"
WITH_ERRORS: Final = "accepted with errors"
REFUSED: Final = "refused"
FILES: Final = (
    "claims.md",
    "sources.yaml",
    "proposals.yaml",
    "experiments.yaml",
    "context.md",
    "findings.md",
    "pack.yaml",
)
"""What a report may change."""
_READERS: Final[dict[str, Callable[[str, str], Any]]] = {
    "claims.md": read_claims,
    "sources.yaml": read_sources,
    "proposals.yaml": read_proposals,
    "experiments.yaml": read_experiments,
    "context.md": read_sections,
    "findings.md": read_sections,
    "pack.yaml": read_pack,
}


_BROKEN: Final = (*UNREAD, "yaml.duplicate-key", "yaml.key", "yaml.size", "yaml.shape")
"""What keeps a file from being merged into: some of what people wrote was not read."""


class CannotIngest(UsageFault):
    """The report cannot be taken into this pack."""


class Unmergeable(PackError):
    """What would be written could not be read back; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What a report does to a pack, and what has to be written."""

    name: str
    report: str
    """The path under which the report is kept, relative to the project."""
    outcome: str
    problems: tuple[Problem, ...]
    conflicts: tuple[Conflict, ...] = ()
    left: tuple[str, ...] = ()
    """What could not be written, per file."""
    done: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Per file what was written, in short words."""
    ids: tuple[tuple[str, str], ...] = ()
    """Ids of the report that are called otherwise in the pack."""
    writes: tuple[tuple[Path, bytes], ...] = ()
    """Files in the order in which they are safely written: the report first."""

    @property
    def refused(self) -> bool:
        """Whether nothing of the report went into the pack."""
        return self.outcome == REFUSED


def ingest(
    root: Path, name: str, path: Path, today: str, *, accepted_by: str | None = None
) -> Ingested:
    """Work out everything; nothing is written.

    `accepted_by`: who takes the report in although it has errors. Raises `CannotIngest`.
    """
    data = disk.read_bytes(path)
    pack = gather(root, [name]).packs[0]
    _able(pack, data)
    assert pack.snapshot is not None
    report = read_report(data, path.as_posix(), Day.fromisoformat(today))
    drafts = draft(report)
    without_own_runs(drafts, (run.id for run in pack.laboratory.runs))
    locator = Locator(pack.snapshot)
    problems = judge(report, drafts, pack, locator)
    errors = any(problem.level is Level.ERROR for problem in problems)
    outcome = (WITH_ERRORS if accepted_by else REFUSED) if errors else ACCEPTED
    kept = _kept_name(pack, today)
    found = Ingested(
        name=pack.name,
        report=pack.path(f"reports/{kept}.md"),
        outcome=outcome,
        problems=tuple(problems),
    )
    if not found.refused:
        found = _merged(root, pack, drafts, locator, found, today)
    result = _result(found, data, today, accepted_by if errors else None, path.as_posix())
    folder = root / pack.folder
    kept_files = (
        (folder / "reports" / f"{kept}.md", data),
        (folder / "reports" / f"{kept}.result.json", result),
    )
    return replace(found, writes=(*kept_files, *found.writes))


def write(found: Ingested) -> None:
    """Write what was worked out; the report is safe before a file of a person changes."""
    for path, data in found.writes:
        disk.write_bytes(path, data)


def _able(pack: Pack, data: bytes) -> None:
    if pack.snapshot is None:
        raise CannotIngest(f"{pack.name} has no snapshot that can be read; mend pack.yaml first.")
    if len(data) > LARGEST:
        raise CannotIngest(f"The report is larger than {LARGEST // 2**20} MB; it was not read.")
    broken = [p for p in pack.problems if p.rule in _BROKEN and _is_own(pack, p.place.path)]
    if broken:
        raise CannotIngest(
            f"{broken[0].place} cannot be read, so nothing can be merged into it. `check` says"
            " what is wrong."
        )
    digest = hashlib.sha256(data).hexdigest()
    for kept in pack.reports:
        if kept.sha256 == digest and kept.outcome != REFUSED:
            raise CannotIngest(f"This report was taken in before, as reports/{kept.name}.")


def _is_own(pack: Pack, path: str) -> bool:
    return any(path == pack.path(name) for name in FILES)


def _kept_name(pack: Pack, today: str) -> str:
    numbers = [
        int(match[1])
        for kept in pack.reports
        if (match := re.fullmatch(rf"{today}-(\d+)\.md", kept.name))
    ]
    return f"{today}-{max(numbers, default=0) + 1}"


# --- merging


def _merged(
    root: Path, pack: Pack, drafts: Drafts, locator: Locator, found: Ingested, today: str
) -> Ingested:
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
        broken = [p for p in after if p.rule in _BROKEN and p.rule not in before]
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


# --- telling


def _result(
    found: Ingested, data: bytes, today: str, accepted_by: str | None, source: str
) -> bytes:
    """The file beside the kept report."""
    kept = found.report
    told = {
        "schema": SCHEMA,
        "report": kept.rpartition("/")[2],
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "taken_in": today,
        "outcome": found.outcome,
        "accepted_by": accepted_by,
        "ids": dict(found.ids),
        "changes": {name: list(done) for name, done in found.done},
        "conflicts": [
            {"at": one.path, "kept": one.ours, "report": one.theirs} for one in found.conflicts
        ],
        "left": list(found.left),
        "problems": [
            {
                "line": problem.place.line,
                "column": problem.place.column,
                "level": problem.level.value,
                "rule": problem.rule,
                "what": problem.what.replace(source, kept),
                "fix": problem.fix,
            }
            for problem in found.problems
        ],
    }
    return (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode()


def as_text(found: Ingested) -> str:
    """What was done, for people; the problems are told apart from it."""
    lines = []
    for name, done in found.done:
        lines.append(f"{name}: {len(done)} {'change' if len(done) == 1 else 'changes'}")
    for old, new in found.ids:
        lines.append(f"{old} of the report is {new} in the pack.")
    for one in found.conflicts:
        lines.append(f"Conflict at {one.path}: kept “{one.ours}”; the report says “{one.theirs}”.")
    lines += [f"Not written: {words}" for words in found.left]
    return "".join(f"{line}\n" for line in lines)


def parse_only(data: bytes, path: str, today: str, chapter: bytes | None) -> dict[str, Any]:
    """What a report says, as plain data; it needs no project.

    Raises `CannotIngest` for what is far too large, or a chapter that is no text.
    """
    if len(data) > LARGEST:
        raise CannotIngest(f"The report is larger than {LARGEST // 2**20} MB; it was not read.")
    snapshot = chapter_of(chapter) if chapter is not None else None
    if chapter is not None and snapshot is None:
        raise CannotIngest("The chapter is not UTF-8 text.")
    report: Report = read_report(data, path, Day.fromisoformat(today))
    told = plain_data(report)
    if snapshot is not None:
        told["anchors"] = anchors_data(report, snapshot)
    problems = judge(report, draft(report), None, Locator(snapshot) if snapshot else None)
    told["problems"] = _problems(problems)
    return told


def _problems(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    return [
        {
            "line": p.place.line,
            "column": p.place.column,
            "level": p.level.value,
            "rule": p.rule,
            "what": p.what,
            "fix": p.fix,
        }
        for p in problems
    ]
