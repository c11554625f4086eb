"""What is wrong with a report: everything at once, each with the row it is about and what to write.

An error is what the researcher has to mend before the report can become the pack; a warning is
what a person should look at. Each line can be pasted back as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from researchpack.cites import find_cites
from researchpack.coverage import sentences
from researchpack.drafting import RESIDUE, TRACKING
from researchpack.formats._cells import plain
from researchpack.formats.report import LARGEST, TITLES
from researchpack.formats.vocabulary import DEFAULT
from researchpack.matching import pack_ids
from researchpack.problems import Level, Problem, did_you_mean, error, warning
from researchpack.prose import find_all
from researchpack.records import Ambiguous, Anchored, Changed, Lost, Partial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from researchpack.drafting import Drafts
    from researchpack.formats.report import Report
    from researchpack.locating import Locator
    from researchpack.records import Pack

ODD: Final[dict[str, tuple[str, Level, str]]] = {
    "bom": ("report.bom", Level.INFO, "Nothing has to be done."),
    "crlf": ("report.crlf", Level.INFO, "Nothing has to be done."),
    "front-matter": ("report.front-matter", Level.WARNING, "Leave the front matter out."),
    "wrapped-in-fence": (
        "report.wrapped-in-fence",
        Level.WARNING,
        "Return the report itself, without a fence around it.",
    ),
    "blockquote-unwrapped": (
        "report.blockquote-unwrapped",
        Level.WARNING,
        "Return the report without the marks of a reply.",
    ),
    "encoding": ("report.encoding", Level.ERROR, "Save the report as UTF-8."),
    "too-long": ("report.too-long", Level.ERROR, "Make the report shorter, or mend the line."),
    "extra-section": (
        "report.extra-section",
        Level.WARNING,
        "Put what matters into one of the seven sections.",
    ),
    "duplicate-section": (
        "report.duplicate-section",
        Level.WARNING,
        "Put both texts under one heading.",
    ),
    "heading-by-number": (
        "report.heading-by-number",
        Level.WARNING,
        "Write the heading as the brief asks for it.",
    ),
    "claims-from-blocks": (
        "report.claims-from-blocks",
        Level.WARNING,
        "Write the claims as one table, a row each.",
    ),
    "sources-from-blocks": (
        "report.sources-from-blocks",
        Level.WARNING,
        "Write the sources as one table, a row each.",
    ),
    "claims-elsewhere": (
        "report.claims-elsewhere",
        Level.WARNING,
        "Put the table into section 2.",
    ),
    "yaml-block": (
        "report.yaml-block",
        Level.WARNING,
        "Correct the block, or leave it out: every value has a place in the tables.",
    ),
    "duplicate-claim-id": (
        "report.duplicate-claim-id",
        Level.ERROR,
        "Give every claim an id of its own.",
    ),
    "duplicate-source-id": (
        "report.duplicate-source-id",
        Level.ERROR,
        "Give every source an id of its own.",
    ),
    "ambiguous-date": (
        "report.ambiguous-date",
        Level.WARNING,
        "Write the date as YYYY-MM-DD.",
    ),
    "bad-date": ("report.bad-date", Level.WARNING, "Write a date that exists, as YYYY-MM-DD."),
    "relative-date": (
        "report.relative-date",
        Level.WARNING,
        "Write the day itself, as YYYY-MM-DD.",
    ),
    "future-date": (
        "report.future-date",
        Level.ERROR,
        "Write the day on which it happened, as YYYY-MM-DD.",
    ),
    "ditto-resolved": (
        "table.ditto-resolved",
        Level.INFO,
        "Write the words out in every row: rows are sorted.",
    ),
    "ditto-unresolved": (
        "table.ditto-unresolved",
        Level.WARNING,
        "Write the words out in every row: rows are sorted.",
    ),
    "summary-row-skipped": (
        "table.summary-row-skipped",
        Level.INFO,
        "Leave totals out of the table.",
    ),
    "none-row-skipped": ("table.none-row-skipped", Level.INFO, "Leave the table empty."),
    "repeated-header": ("table.repeated-header", Level.INFO, "Name the columns once."),
    "missing-column": (
        "table.missing-column",
        Level.WARNING,
        "Add the column, and a value in every row.",
    ),
    "missing-header": (
        "table.missing-header",
        Level.WARNING,
        "Write the names of the columns above the row of dashes.",
    ),
}
"""Code of what was read otherwise than it stands -> rule, level, and what to write."""

_RUN_ID: Final = re.compile(r"(?<![\w:-])[\w.-]+:[\w.-]+:\d{8}T\d{6}Z?:[0-9a-f]{6,64}(?![\w])")
_NAMED_RUN: Final = re.compile(r"\brun[ _-]?id\b\W{0,4}`?([\w.:-]{6,80}\w)`?", re.IGNORECASE)
_DEEP: Final = re.compile(
    r"\b(?:section|sec\.|§+|chapter|table|figure|fig\.|appendix|algorithm|equation|theorem"
    r"|page|pages|pp?\.)\s*[A-Z]?\d|\bfull text\b|\b(?:results|methods?|discussion|evaluation)"
    r" section\b",
    re.IGNORECASE,
)
_WORK: Final = re.compile(
    r"\b(?:paper|study|studies|article|book|post|preprint|report|authors?|benchmark|survey"
    r"|documentation|et al\.?)\b.{0,80}?\b(?:shows?|showed|found|finds?|reports?|reported|states?"
    r"|stated|claims?|argues?|proves?|proved|demonstrates?|demonstrated|measures?|measured"
    r"|concludes?|says|said|gives?|writes?|describes?)\b"
    r"|\baccording to\b|\b[A-Z][\w’'-]+(?: et al\.?| and [A-Z][\w’'-]+)?,? \(?(?:19|20)\d\d\)?",
    re.DOTALL,
)
_SHALLOW: Final = ("abstract_only", "metadata_only", "search_snippet", "not_accessible")
_HEDGED: Final = re.compile(
    r"\?\s*$|\b(?:not|no|never|cannot|couldn't|whether|unread|open|unknown|UNVERIFIED)\b"
)
# Lines of a proposal that are not about what a source says.
_OWN_WORDS: Final = re.compile(
    r"\s*[-*+]\s+\**(?:recommend\w*|no text because|kind|claims?|sources?|depends on|affects"
    r"|tradeoffs?)\b[^:]*:",
    re.IGNORECASE,
)
_REWRITE: Final = 0.4
_LITTLE: Final = 0.25
_MOST_OF_ONE: Final = 40
"""Problems of one rule that are told one by one; a report with more has one fault, not many."""


def judge(
    report: Report, drafts: Drafts, pack: Pack | None, locator: Locator | None
) -> list[Problem]:
    """Every violation, in the order of the report."""
    judged = _Judge(report, drafts, pack, locator)
    found = [problem for rule in _RULES for problem in rule(judged)]
    counts: dict[str, int] = defaultdict(int)
    kept = []
    for problem in sorted(dict.fromkeys(found), key=lambda one: one.order):
        counts[problem.rule] += 1
        if problem.level is Level.ERROR or counts[problem.rule] <= _MOST_OF_ONE:
            kept.append(problem)
    return kept


class _Judge:
    """What the rules look at."""

    def __init__(
        self, report: Report, drafts: Drafts, pack: Pack | None, locator: Locator | None
    ) -> None:
        self.report = report
        self.drafts = drafts
        self.pack = pack
        self.locator = locator

    def row(self, line: int) -> str:
        """The row of a line, to be quoted: it can be pasted back without the file."""
        words = self.report.row(line)
        return f" The line: {words}" if words else ""

    def line(self, name: str, entry: dict[str, Any]) -> int:
        return self.drafts.lines.get((name, str(entry.get("id", ""))), 1)

    def statuses(self) -> dict[str, str]:
        return {str(s.get("id")): str(s.get("reading_status", "")) for s in self.drafts.sources}


def _oddities(judge: _Judge) -> Iterator[Problem]:
    for odd in judge.report.oddities:
        code, _, said = odd.code.partition(":")
        if code in ("missing-section", "orphan-citation"):
            continue
        known = ODD.get(code)
        rule, level, fix = known or (
            f"table.{code}",
            Level.WARNING,
            "Put every row on one line, and write a bar inside a cell as \\|.",
        )
        what = f"{odd.what}{judge.row(odd.line)}" if said or level is not Level.INFO else odd.what
        place = judge.report.place(odd.line, odd.column)
        yield Problem(place=place, level=level, rule=rule, what=what, fix=fix)


def _sections(judge: _Judge) -> Iterator[Problem]:
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


def _passages(judge: _Judge) -> Iterator[Problem]:
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


def _old_words(judge: _Judge) -> Iterator[Problem]:
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
    judge: _Judge, draft: dict[str, Any], edit: dict[str, str], lines: dict[str | None, int]
) -> Iterator[Problem]:
    name = "old" if "old" in edit else "after"
    words = edit.get(name) or ""
    count = len(list(find_all(judge.locator.chapter.text, words))) if judge.locator else 1
    if count != 1:
        yield error(
            judge.report.place(lines.get(words, judge.line("proposals", draft))),
            "report.old-not-found",
            f"The words under `{name}` of {draft.get('id') or 'a proposal'} stand {count} times"
            f" in the chapter: {_short(words)}",
            "Copy so many words from the chapter, line breaks included, that they stand"
            " there exactly once.",
        )


def _ids(judge: _Judge) -> Iterator[Problem]:
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


def _citations(judge: _Judge) -> Iterator[Problem]:
    """Every cited id is in the report, or was in the pack before."""
    known = {str(e.get("id")) for n in ("claims", "sources", "proposals", "experiments")
             for e in getattr(judge.drafts, n)}  # fmt: skip
    known |= set(judge.drafts.covers)
    known |= {entry.id for entry in judge.report.experiments if entry.id}
    known |= pack_ids(judge.pack) if judge.pack is not None else set()
    told: set[tuple[int, str]] = set()
    for line, name in [*_cited_by_claims(judge), *_cited_in_text(judge)]:
        if name in known or (line, name) in told:
            continue
        told.add((line, name))
        sources = [one for one in sorted(known) if one[:1] == name[:1]]
        yield error(
            judge.report.place(line),
            "report.orphan-citation",
            f"[{name}] is cited and is in no table of the report.{judge.row(line)}",
            f"Add its row, or cite another one. {did_you_mean(name, sources)}"
            if sources
            else "Add its row to the source ledger.",
        )


def _cited_by_claims(judge: _Judge) -> Iterator[tuple[int, str]]:
    for row in judge.report.claims:
        yield from ((row.line, name) for name in row.cites)


def _cited_in_text(judge: _Judge) -> Iterator[tuple[int, str]]:
    for section in judge.report.sections:
        if section.kind not in ("claims", "findings", "proposal", "experiments"):
            continue
        for line, words in _prose(section.text, section.line):
            for cite in find_cites(words):
                yield line, cite.id
    for bears in judge.report.bears:
        yield bears.line, bears.entry
        yield bears.line, bears.claim


def _prose(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The lines outside of fenced code."""
    fence = ""
    for at, line in enumerate(text.split("\n")):
        match = re.match(r"\s{0,3}(`{3,}|~{3,})", line)
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif match:
            fence = match[1]
        else:
            yield first + at, line


def _ledger(judge: _Judge) -> Iterator[Problem]:
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


def _experiments(judge: _Judge) -> Iterator[Problem]:
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


def _uncited(judge: _Judge) -> Iterator[Problem]:
    """Sentences that say what a source says and cite none, and that go past an abstract."""
    statuses = judge.statuses()
    names = _work_names(judge)
    for section in judge.report.sections:
        if section.kind not in ("context", "findings", "proposal"):
            continue
        for line, words in _paragraphs(section.text, section.line):
            for start, end in sentences(words, 0, len(words)):
                sentence = words[start:end]
                at = line + words.count("\n", 0, start)
                cites = [cite.id for cite in find_cites(sentence) if cite.id[0] == "S"]
                cites = cites or re.findall(r"(?<!\w)S\d+[a-z]?(?!\w)", sentence)
                own = section.kind == "context" or _OWN_WORDS.match(words) is not None
                if not own and not cites and _is_about(sentence, names):
                    yield warning(
                        judge.report.place(at),
                        "report.uncited",
                        f"A sentence says what a source says and cites none: {_short(sentence)}",
                        "Cite the source, such as [S1].",
                    )
                yield from _too_deep(judge, at, sentence, cites, statuses)


def _too_deep(
    judge: _Judge, at: int, sentence: str, cites: Iterable[str], statuses: dict[str, str]
) -> Iterator[Problem]:
    shallow = [name for name in cites if statuses.get(name) in _SHALLOW]
    if _HEDGED.search(sentence):  # it says what could not be read, or asks
        return
    if shallow and len(shallow) == len(list(cites)) and _DEEP.search(sentence):
        yield warning(
            judge.report.place(at),
            "report.beyond-abstract",
            f"{shallow[0]} is recorded as {statuses[shallow[0]]}, and a sentence points into its"
            f" text: {_short(sentence)}",
            "Correct the reading status, or say only what was read.",
        )


def _work_names(judge: _Judge) -> list[str]:
    """Family names of authors and titles of the ledger, long enough to be told apart."""
    found: list[str] = []
    for source in judge.drafts.sources:
        title = str(source.get("title", ""))
        found += [title] if len(title.split()) > 2 else []
        for author in source.get("authors") or ():
            name = str(author).split(",")[0].split()[-1:]
            found += [part for part in name if len(part) > 3 and part[0].isupper()]
    return list(dict.fromkeys(found))


def _is_about(sentence: str, names: Iterable[str]) -> bool:
    if _WORK.search(sentence):
        return True
    verb = re.search(
        r"\b(?:shows?|showed|found|finds|reports?|reported|states?|argues?|gives|says|said|measured)\b",
        sentence,
    )
    return verb is not None and any(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence) for name in names
    )


def _paragraphs(text: str, first: int) -> Iterator[tuple[int, str]]:
    """Paragraphs and items outside of code, tables and headings, with their first line."""
    lines: list[str] = []
    start = first
    for at, line in [*_prose(text, first), (-1, "")]:
        block = re.match(r"\s*(?:#|\||>|[-*+]\s|\d+[.)]\s)", line)
        if not line.strip() or block:
            if lines:
                yield start, "\n".join(lines)
            lines = []
        if line.strip() and not re.match(r"\s*(?:#|\|)", line):
            start = start if lines else at
            lines.append(line)
    if lines:
        yield start, "\n".join(lines)


def _claims_too_deep(judge: _Judge) -> Iterator[Problem]:
    statuses = judge.statuses()
    for bears in judge.report.bears:
        words = " ".join(filter(None, (bears.because, bears.locator)))
        yield from _too_deep(judge, bears.line, words, [bears.entry], statuses)


def _runs(judge: _Judge) -> Iterator[Problem]:
    known = " ".join(
        str((frozen.content or {}).get("pass", ""))
        for frozen in (judge.pack.frozen if judge.pack else ())
    )
    for at, line in enumerate(judge.report.lines, 1):
        found = [m[0] for m in _RUN_ID.finditer(line)]
        found += [m[1] for m in _NAMED_RUN.finditer(line) if any(c.isdigit() for c in m[1])]
        for name in dict.fromkeys(found):
            if name not in known:
                yield warning(
                    judge.report.place(at),
                    "report.unknown-run",
                    f'No record and no earlier pass has the run "{name}".{judge.row(at)}',
                    "Leave run identifiers out that this pack does not have.",
                )


def _residue(judge: _Judge) -> Iterator[Problem]:
    for at, line in enumerate(judge.report.lines, 1):
        token = RESIDUE.search(line)
        if token and token[0].strip():
            yield warning(
                judge.report.place(at, token.start() + 1),
                "report.assistant-citation",
                f"A mark of an assistant stands where a citation should: {token[0][:60]}."
                f"{judge.row(at)}",
                "Cite the source by its id in the ledger, such as [S1].",
            )
        tracked = TRACKING.search(line)
        if tracked:
            yield warning(
                judge.report.place(at, tracked.start() + 1),
                "report.tracking-parameter",
                f"An address carries a tracking parameter: {tracked[0][:60]}.{judge.row(at)}",
                "Write the address without it.",
            )


def _rewrite(judge: _Judge) -> Iterator[Problem]:
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


def _words(judge: _Judge) -> Iterator[Problem]:
    for row in judge.drafts.claims:
        line = judge.line("claims", row)
        for name in ("priority", "response"):
            known = DEFAULT.known(name)
            if row[name] and row[name] not in known:
                yield warning(
                    judge.report.place(line),
                    "report.unknown-word",
                    f'The {name} of {row["id"]} is "{_short(row[name])}", which is none of the'
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


def _short(words: str) -> str:
    told = " ".join(words.split())
    return told if len(told) <= 160 else f"{told[:157]}..."


_RULES: Final = (
    _oddities,
    _sections,
    _passages,
    _old_words,
    _ids,
    _citations,
    _ledger,
    _experiments,
    _uncited,
    _claims_too_deep,
    _runs,
    _residue,
    _rewrite,
    _words,
)
