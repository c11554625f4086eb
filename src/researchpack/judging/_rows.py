"""Faults of single rows and blocks: passages, edits, ids, the ledger, experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.formats._cells import plain
from researchpack.formats.report import LARGEST, TITLES
from researchpack.formats.vocabulary import DEFAULT
from researchpack.judging._records import short
from researchpack.problems import Problem, did_you_mean, error, warning
from researchpack.prose import find_all
from researchpack.records import Ambiguous, Anchored, Changed, Lost, Partial

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from researchpack.judging._records import Judge
    from researchpack.locating import Locator
    from researchpack.records import Pack


_REWRITE: Final = 0.4


_LITTLE: Final = 0.25


def sections(judge: Judge) -> Iterator[Problem]:
    for kind in judge.report.missing:
        yield error(
            judge.report.place(max(1, len(judge.report.lines))),
            "report.missing-section",
            f'The section "{TITLES[kind]}" is missing.',
            f"Add the heading `## {TITLES[kind]}`; when there is nothing to say, write None below.",
        )
    if not judge.drafts.claims and "claims" not in judge.report.missing:
        section = judge.report.of("claims")[0]
        yield error(
            judge.report.place(section.line),
            "report.no-claims",
            "No claim can be read in section 2.",
            "Write one table with a row for each claim: ID | Claim | Where | Current evidence |"
            " Concern | Priority | Response.",
        )
    if len(judge.report.data) > LARGEST:
        yield error(
            judge.report.place(1),
            "report.too-large",
            f"The report is larger than {LARGEST // 2**20} MB; the rest was not read.",
            "Return the report without what it need not hold.",
        )


def passages(judge: Judge) -> Iterator[Problem]:
    if judge.locator is None:
        return
    for row in judge.report.claims:
        found = judge.locator.row(row)
        cell = next((cell for name, cell in row.cells if name == "claim"), None)
        place = judge.report.place(cell.line if cell else row.line, cell.column if cell else 1)
        name = row.id or "A claim"
        match found.standing:
            case Lost() | Partial() | Changed() if found.quoted or not isinstance(
                found.standing, Lost
            ):
                yield error(
                    place,
                    "report.passage-not-found",
                    f"The passage of {name} is not in the chapter.{judge.row(row.line)}",
                    f"{_nearest(judge.locator, found.standing)}Copy the words from the chapter"
                    " character by character, or leave the quotation marks out if it is a"
                    " paraphrase.",
                )
            case Ambiguous(spans=spans) if found.quoted:
                yield warning(
                    place,
                    "report.passage-ambiguous",
                    f"The passage of {name} stands {len(spans)} times there.{judge.row(row.line)}",
                    f"Add (1 of {len(spans)}) to the cell Where, or ({len(spans)} places) when all"
                    " are meant.",
                )
            case Anchored():
                continue
            case _:
                continue


def _nearest(locator: Locator, standing: Lost | Partial | Changed) -> str:
    if isinstance(standing, Lost):
        span = standing.nearest
    else:
        span = standing.spans[0] if standing.spans else None
    if span is None:
        return ""
    words = " ".join(locator.chapter.text[slice(*span)].split())
    return f"The nearest passage is: {words if len(words) <= 200 else words[:197] + '...'} "


def old_words(judge: Judge) -> Iterator[Problem]:
    for entry in judge.report.proposals:
        for line in entry.unpaired:
            yield error(
                judge.report.place(line),
                "report.edit-alone",
                f"{entry.id or 'A proposal'} has old words without new ones, or the reverse.",
                "Write a block `old` (or `after`) and behind it a block `new`.",
            )
    if judge.locator is None:
        return
    lines = {
        (edit.old if edit.old is not None else edit.after): edit.line
        for entry in judge.report.proposals
        for edit in entry.edits
    }
    for draft in judge.drafts.proposals:
        for edit in draft.get("edits") or ():
            yield from _old_count(judge, draft, edit, lines)


def _old_count(
    judge: Judge, draft: dict[str, Any], edit: dict[str, str], lines: dict[str | None, int]
) -> Iterator[Problem]:
    name = "old" if "old" in edit else "after"
    words = edit.get(name) or ""
    count = len(list(find_all(judge.locator.chapter.text, words))) if judge.locator else 1
    if count != 1:
        yield error(
            judge.report.place(lines.get(words, judge.line("proposals", draft))),
            "report.old-not-found",
            f"The words under `{name}` of {draft.get('id') or 'a proposal'} stand {count} times"
            f" in the chapter: {short(words)}",
            "Copy so many words from the chapter, line breaks included, that they stand"
            " there exactly once.",
        )


def ids(judge: Judge) -> Iterator[Problem]:
    for name in ("proposals", "experiments"):
        seen: dict[str, int] = {}
        entries = judge.report.proposals if name == "proposals" else judge.report.experiments
        for entry in entries:
            if entry.id and entry.id in seen:
                yield error(
                    judge.report.place(entry.line),
                    "report.duplicate-id",
                    f"The id {entry.id} stands on line {seen[entry.id]} too."
                    f"{judge.row(entry.line)}",
                    "Give every entry an id of its own.",
                )
            if entry.id:
                seen.setdefault(entry.id, entry.line)
    for row in judge.report.claims:
        if row.id is None:
            yield warning(
                judge.report.place(row.line, row.column),
                "report.no-id",
                f"A claim has no id; it gets the next free one.{judge.row(row.line)}",
                "Give it an id, such as C12.",
            )
        if row.covers:
            yield warning(
                judge.report.place(row.line, row.column),
                "report.row-of-several",
                f"One row is about several claims; it is kept as {row.covers[0]}."
                f"{judge.row(row.line)}",
                "Write one row for each claim.",
            )


def ledger(judge: Judge) -> Iterator[Problem]:
    for source in judge.drafts.sources:
        line = judge.line("sources", source)
        name = source.get("id") or "A source"
        if not source.get("reading_status"):
            yield error(
                judge.report.place(line),
                "report.no-reading-status",
                f"{name} does not say how deep it was read.{judge.row(line)}",
                f"Write one of: {', '.join(DEFAULT.known('reading_status'))}.",
            )
        copy = source.get("copy")
        if not source.get("accessed") and not (isinstance(copy, dict) and copy.get("date")):
            yield error(
                judge.report.place(line),
                "report.no-date",
                f"{name} has no date on which it was read.{judge.row(line)}",
                "Write the day under Accessed as YYYY-MM-DD; when a copy was read, fill in Copy and"
                " Copy date.",
            )
        for bearing in source.get("bears_on", ()):
            if bearing.get("relation") == "uncertain" and not bearing.get("because"):
                yield warning(
                    judge.report.place(line),
                    "report.no-relation",
                    f"{name} does not say how it bears on {bearing.get('claim')}.{judge.row(line)}",
                    f"Write one of: {', '.join(DEFAULT.known('relation'))}.",
                )


def experiments(judge: Judge) -> Iterator[Problem]:
    shown = {b.entry: b.line for b in judge.report.bears}
    for entry in judge.report.experiments:
        name = entry.id or entry.title or "An experiment"
        place = judge.report.place(entry.line)
        result = entry.result or (entry.id in shown and entry.id)
        if entry.run == "UNRUN" and result and not _says_nothing(entry.result):
            yield error(
                place,
                "report.result-for-unrun",
                f"{name} is UNRUN and has a result.{judge.row(entry.line)}",
                "Take the result out; or, if it was run, take UNRUN out and write Date and"
                " Outcome.",
            )
        if entry.run is None:
            yield warning(
                place,
                "report.run-status-missing",
                f"{name} says neither that it was run nor UNRUN.{judge.row(entry.line)}",
                "Add (UNRUN) to its title, or Date and Outcome if it was run.",
            )
        if entry.run == "RUN" and not (entry.date or judge.drafts.stated.get("date")):
            yield error(
                place,
                "report.run-undated",
                f"{name} was run, and not said when.{judge.row(entry.line)}",
                "Add a line `- Date: YYYY-MM-DD`.",
            )
    for draft in judge.drafts.experiments:
        if draft.get("command") and draft.get("command") not in _commands(judge.pack):
            yield warning(
                judge.report.place(judge.line("experiments", draft)),
                "report.command",
                f"{draft.get('id')} brings a command: {' '.join(map(str, draft['command']))}.",
                "Read it before you run it: it was written by whoever wrote the report.",
            )


def _commands(pack: Pack | None) -> list[list[str]]:
    return [list(map(str, e.command)) for e in pack.experiments] if pack else []


def _says_nothing(result: str | None) -> bool:
    words = plain(result or "x").strip(" .").lower()
    return words in ("none", "none yet", "unrun", "not run", "n/a", "-", "pending", "unknown")


def rewrite(judge: Judge) -> Iterator[Problem]:
    """A wholesale rewrite where the audit found little."""
    if judge.locator is None or not judge.drafts.claims:
        return
    size = len(judge.locator.chapter.text)
    olds = [e.old or "" for p in judge.report.proposals for e in p.edits]
    replaced = sum(map(len, olds))
    open_claims = [row for row in judge.drafts.claims if not _asks_nothing(row["response"])]
    share = len(open_claims) / len(judge.drafts.claims)
    if size and replaced > _REWRITE * size and share <= _LITTLE:
        line = next((p.line for p in judge.report.proposals if p.edits), 1)
        yield warning(
            judge.report.place(line),
            "report.wholesale-rewrite",
            f"The proposals replace {100 * replaced // size} % of the chapter, and"
            f" {len(open_claims)} of {len(judge.drafts.claims)} claims ask for a change.",
            "Replace only the words that the evidence speaks against.",
        )


def _asks_nothing(response: str) -> bool:
    words = plain(response).lower().strip(" .-")
    return words in ("", "no change", "none", "leave", "leave alone", "keep", "n/a")


def _where(judge: Judge, row: dict[str, str], line: int) -> Iterator[Problem]:
    """A place that names no heading, and no passage that would tell it."""
    locator = judge.locator
    if locator is None or not locator.headings or not row["where"]:
        return
    found = locator.cell(row["claim"], row["claim"], row["where"])
    sure = isinstance(found.standing, Anchored) and found.quoted
    if found.heading is None and not sure:
        yield warning(
            judge.report.place(line),
            "report.where-unknown",
            f'The place of {row["id"]}, "{short(row["where"])}", names no heading of the chapter.'
            f"{judge.row(line)}",
            "Write the heading under which it stands, exactly as in the chapter."
            f" {did_you_mean(row['where'], locator.headings)}",
        )


def words(judge: Judge) -> Iterator[Problem]:
    for row in judge.drafts.claims:
        line = judge.line("claims", row)
        yield from _where(judge, row, line)
        for name in ("priority", "response"):
            known = DEFAULT.known(name)
            if row[name] and row[name] not in known:
                yield warning(
                    judge.report.place(line),
                    "report.unknown-word",
                    f'The {name} of {row["id"]} is "{short(row[name])}", which is none of the'
                    f" known words.{judge.row(line)}",
                    f"Write one of: {', '.join(known)}.",
                )
    for dropped in judge.drafts.dropped:
        yield warning(
            judge.report.place(1),
            "report.yaml-block",
            f"A value in a YAML block has no such key or not its shape: {dropped}.",
            "Correct it, or leave it out.",
        )
    if judge.drafts.unsorted:
        yield warning(
            judge.report.place(judge.report.of("findings")[0].line),
            "report.findings-unsorted",
            "Findings stand under none of the four headings; they are kept as unresolved.",
            "Put them under `### Supporting`, `### Qualifying`, `### Contradictory` or"
            " `### Unresolved`.",
        )
    stated = judge.drafts.stated.get("read")
    snapshot = judge.pack.snapshot if judge.pack else None
    if (
        stated
        and snapshot
        and stated not in (snapshot.sha256, snapshot.fingerprint.rpartition(":")[2])
    ):
        yield warning(
            judge.report.place(1),
            "report.other-revision",
            f"The report names another revision than this one: {stated[:12]}.",
            "Say which revision was read; passages are looked for in the one that is here.",
        )
