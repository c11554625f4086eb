"""The story of `review`: decisions are merged into review.yaml, and what is open is told."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from researchpack import disk
from researchpack.cites import is_id
from researchpack.dates import parse_date
from researchpack.formats.review import read_review
from researchpack.gather import decode, gather
from researchpack.places import Place, Text
from researchpack.problems import Level, UsageFault
from researchpack.records import Decision, Edit
from researchpack.views import view
from researchpack.yamltext import Sequence as YamlList
from researchpack.yamltext import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from researchpack.records import View

PROPOSAL_WORDS: Final = ("accept", "revise", "defer", "reject")
FINDING_WORDS: Final = ("agree", "dispute")
_SENT: Final = Place("browser")
LARGEST: Final = 256 * 1024
"""Bytes of a file of decisions."""
_ESCAPED: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON leaves as it is and YAML takes for a line break or does not take at all."""
_HALF: Final = re.compile(r"[\ud800-\udfff]")
"""Half of a character, which no file can hold."""


class BadDecisions(UsageFault):
    """A file of decisions cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What became of the decisions that came in; every one is in exactly one list."""

    added: tuple[str, ...]
    """Targets."""
    already: tuple[str, ...]
    refused: tuple[str, ...]
    """Whole sentences: unknown targets, wrong words, decisions on what has changed since."""
    conflicts: tuple[str, ...]
    """Whole sentences: targets about which somebody has decided otherwise since."""


def apply_file(root: Path, name: str, path: Path, today: str) -> Merged:
    """Merge a file of decisions, as the review page gives it. Raises `BadDecisions`."""
    data = disk.read_bytes(path)
    if len(data) > LARGEST:
        raise BadDecisions(f"{path} is larger than {LARGEST // 1024} KB.")
    text, problem = decode(data, path.as_posix())
    parsed = read_review(text, path.as_posix())
    faults = [problem] if problem else []
    faults += [p for p in parsed.problems if p.level is Level.ERROR]
    if faults:
        raise BadDecisions("\n".join(f"{p.place}: {p.what} {p.fix}" for p in faults if p))
    return merge(root, name, parsed.value, today)


def merge(root: Path, name: str, decisions: Iterable[Decision], today: str) -> Merged:
    """Add decisions at the end of review.yaml, by text; what was there stays byte for byte."""
    project = gather(root, [name])
    pack = project.packs[0]
    found = view(pack, project.vocabulary, today)
    path = root / pack.folder / "review.yaml"
    if pack.is_broken("review.yaml") or path.is_symlink():
        raise BadDecisions(f"{pack.folder}/review.yaml cannot be read; `check` says where.")
    added: list[Decision] = []
    already: list[str] = []
    refused: list[str] = []
    conflicts: list[str] = []
    for decision in decisions:
        fault = _fault(decision, found)
        before = [
            entry
            for entry in (*pack.decisions, *added)
            if entry.target == decision.target and entry.of in (None, state_of(found, entry.target))
        ]
        if fault is not None:
            refused.append(fault)
        elif _is_there(before, decision):
            already.append(str(decision.target))
        elif before and _contradicts(before[-1], decision):
            conflicts.append(
                f"{decision.target}: {before[-1].by} decided {before[-1].decision} on"
                f" {before[-1].date}, and this {decision.decision} by {decision.by} is of"
                f" {decision.date}."
            )
        else:
            added.append(decision)
    if added:
        data = disk.read_if_there(path) or b""
        new = appended(data.decode("utf-8"), added, found).encode()
        _verify(data, new, added, f"{pack.folder}/review.yaml")
        disk.write_bytes(path, new)
    return Merged(
        added=tuple(str(decision.target) for decision in added),
        already=tuple(already),
        refused=tuple(refused),
        conflicts=tuple(conflicts),
    )


def merge_told(root: Path, told: dict[str, Any], today: str) -> Merged:
    """Merge what the review buttons of `serve` send: `{pack, decisions: [{target, …}]}`.

    Raises `BadDecisions` for anything else, and `NoSuchPack`.
    """
    entries = told.get("decisions")
    if not isinstance(told.get("pack"), str) or not isinstance(entries, list):
        raise BadDecisions("This is no list of decisions on a pack.")
    return merge(root, told["pack"], [_decision(entry) for entry in entries], today)


def _decision(entry: object) -> Decision:
    if not isinstance(entry, dict):
        raise BadDecisions("A decision is no map.")
    words = {
        key: Text(str(entry[key]), _SENT)
        for key in ("target", "decision", "by", "date", "reason", "of")
        if isinstance(entry.get(key), str) and entry[key]
    }
    if not is_id(words.get("target", ""), "CP") or parse_date(words.get("date", "")) is None:
        raise BadDecisions("A decision names no target, or no day.")
    return Decision(
        target=words["target"],
        decision=words.get("decision"),
        by=words.get("by"),
        date=words.get("date"),
        reason=words.get("reason"),
        of=words.get("of"),
        edits=tuple(_sent_edit(edit) for edit in _list(entry.get("edits"))),
        place=_SENT,
    )


def _list(value: object) -> list[object]:
    if value is not None and not isinstance(value, list):
        raise BadDecisions("The wordings of a decision are no list.")
    return value or []


def _sent_edit(edit: object) -> Edit:
    if not isinstance(edit, dict) or not isinstance(edit.get("new"), str):
        raise BadDecisions("A wording has no new words.")
    old, after = (
        Text(edit[key], _SENT) if isinstance(edit.get(key), str) else None
        for key in ("old", "after")
    )
    if (old is None) == (after is None):
        raise BadDecisions("A wording does not say where it goes.")
    return Edit(old=old, after=after, new=Text(edit["new"], _SENT), place=_SENT)


def appended(text: str, decisions: Sequence[Decision], found: View) -> str:
    """review.yaml with more decisions at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    body = text if not text or text.endswith("\n") else text + newline
    node = read_yaml(text.removeprefix("\ufeff"), "")[0]
    # Whoever has indented the list goes on at the same column.
    lead = " " * (node.place.column - 1) if isinstance(node, YamlList) and node.items else ""
    lines = [line for decision in decisions for line in _lines(decision, found)]
    return body + "".join(f"{lead}{line}{newline}" for line in lines)


def _verify(old: bytes, new: bytes, added: Sequence[Decision], path: str) -> None:
    """Look whether the new file says what the old one said and the new decisions besides.

    Raises `BadDecisions`: a list in brackets, say, cannot be gone on with at the end of the file.
    """
    before, after = (read_review(decode(data, path)[0], path) for data in (old, new))
    wanted = [_told(decision) for decision in (*before.value, *added)]
    faults = [{(p.rule, p.what) for p in parsed.problems} for parsed in (before, after)]
    if faults[1] - faults[0] or [_told(decision) for decision in after.value] != wanted:
        raise BadDecisions(
            f"Nothing can be added at the end of {path}: its list is not one of lines that begin"
            " with a dash. Write it so, or remove an empty one."
        )


def _texts(decision: Decision) -> list[str]:
    """Everything in it that a person wrote freely."""
    edits = [words for e in decision.edits for words in (e.old, e.after, e.new)]
    return [str(words) for words in (decision.by, decision.reason, *edits) if words]


def _told(decision: Decision) -> tuple[object, ...]:
    edits = [(e.old, e.after, e.new) for e in decision.edits]
    return (decision.target, decision.decision, decision.by, decision.date, decision.reason, edits)


def _lines(decision: Decision, found: View) -> list[str]:
    """One decision in YAML; JSON strings are YAML, whatever they hold."""
    lines = [
        f"- target: {decision.target}",
        f"  decision: {decision.decision}",
        f"  by: {_quoted(decision.by)}",
        f"  date: {decision.date}",
    ]
    if decision.reason:
        lines.append(f"  reason: {_quoted(decision.reason)}")
    lines.append(f'  of: "{state_of(found, str(decision.target))}"')
    if decision.edits:
        lines.append("  edits:")
        lines += [line for edit in decision.edits for line in _edit(edit)]
    return lines


def _edit(edit: Edit) -> list[str]:
    name = "old" if edit.old is not None else "after"
    return [f"    - {name}: {_quoted(edit.anchor)}", f"      new: {_quoted(edit.new)}"]


def _quoted(words: object) -> str:
    told = json.dumps(str(words or ""), ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", told)


def state_of(found: View, target: str) -> str | None:
    """What a decision on `target` would be about now, in eight hex digits; None for no target."""
    return dict(found.target_states).get(target)


def _fault(decision: Decision, found: View) -> str | None:
    """Why a decision cannot be taken, or None."""
    target = str(decision.target)
    state = state_of(found, target)
    allowed = FINDING_WORDS if target.startswith("C") else PROPOSAL_WORDS
    if state is None:
        return f"{target} is no proposal and no claim of {found.pack.name}."
    if decision.decision not in allowed:
        return f'{target}: "{decision.decision}" is none of {", ".join(allowed)}.'
    if not decision.by or parse_date(decision.date or "") is None:
        return f"{target}: who decided, or on which day, is missing."
    if any(_HALF.search(words) for words in _texts(decision)):
        return f"{target}: a text holds half of a character."
    if decision.of is not None and decision.of != state:
        return f"{target} has changed since this decision was made; decide again."
    if decision.decision == "revise" and not decision.edits:
        return f"{target} is revised, and the wording is missing."
    return None


def _is_there(before: Sequence[Decision], decision: Decision) -> bool:
    """Whether the decision was merged before; its day counts only when others followed it."""
    told = _told(decision)
    return any(
        _told(replace(entry, date=decision.date if entry is before[-1] else entry.date)) == told
        for entry in before
    )


def _contradicts(before: Decision, decision: Decision) -> bool:
    """Whether somebody has decided otherwise since, or on the same day as somebody else."""
    if (before.decision, _told(before)[-1]) == (decision.decision, _told(decision)[-1]):
        return False
    then, now = before.date or "", decision.date or ""
    return then > now or (then == now and before.by != decision.by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """One line of the publisher's table."""

    pack: str
    state: str
    book: str
    """`unchanged`, `changed` or `not compared`."""
    proposals: tuple[str, ...]
    undecided: tuple[str, ...]
    disputed: tuple[str, ...]
    oldest_access: str | None
    """The oldest day on which a source, or its copy, was read."""


def statuses(root: Path, names: Iterable[str], today: str) -> list[Status]:
    """The open work of the named packs, or of all."""
    project = gather(root, names)
    return [_status(view(pack, project.vocabulary, today)) for pack in project.packs]


def _status(found: View) -> Status:
    decided = dict(found.decisions)
    read = [
        str(day)
        for source in found.pack.sources
        for day in (source.accessed, source.copy.date if source.copy else None)
        if day
    ]
    return Status(
        pack=found.pack.name,
        state=found.state.value,
        book=found.pack.book_file,
        proposals=tuple(str(p.id) for p in found.pack.proposals),
        undecided=tuple(str(p.id) for p in found.pack.proposals if p.id not in decided),
        disputed=tuple(str(c.claim.id) for c in found.claims if c.disputed is not None),
        oldest_access=min(read, default=None),
    )


def status_json(found: Sequence[Status]) -> str:
    """The table for programs."""
    told: list[dict[str, Any]] = [
        {
            "pack": s.pack,
            "state": s.state,
            "book": s.book,
            "proposals": len(s.proposals),
            "undecided": list(s.undecided),
            "disputed": list(s.disputed),
            "oldest_access": s.oldest_access,
        }
        for s in found
    ]
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def status_text(found: Sequence[Status]) -> str:
    """The table for people."""
    rows = [("pack", "state", "book", "undecided", "disputed", "oldest access")]
    rows += [
        (
            s.pack,
            s.state,
            s.book,
            f"{len(s.undecided)} of {len(s.proposals)}",
            str(len(s.disputed)),
            s.oldest_access or "never",
        )
        for s in found
    ]
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )
