"""Faults of what is written between the tables: citations, depth of reading, leftovers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.cites import find_cites
from researchpack.coverage import sentences
from researchpack.drafting import RESIDUE, TRACKING
from researchpack.entries import pack_ids
from researchpack.judging._records import lines_of, short
from researchpack.problems import Problem, did_you_mean, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.judging._records import Judge


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


def citations(judge: Judge) -> Iterator[Problem]:
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


def _cited_by_claims(judge: Judge) -> Iterator[tuple[int, str]]:
    for row in judge.report.claims:
        yield from ((row.line, name) for name in row.cites)


def _cited_in_text(judge: Judge) -> Iterator[tuple[int, str]]:
    for section in judge.report.sections:
        if section.kind not in ("claims", "findings", "proposal", "experiments"):
            continue
        for line, words in lines_of(section.text, section.line):
            for cite in find_cites(words):
                yield line, cite.id
    for bears in judge.report.bears:
        yield bears.line, bears.entry
        yield bears.line, bears.claim


def uncited(judge: Judge) -> Iterator[Problem]:
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
                        f"A sentence says what a source says and cites none: {short(sentence)}",
                        "Cite the source, such as [S1].",
                    )
                yield from _too_deep(judge, at, sentence, cites, statuses)


def _too_deep(
    judge: Judge, at: int, sentence: str, cites: Iterable[str], statuses: dict[str, str]
) -> Iterator[Problem]:
    shallow = [name for name in cites if statuses.get(name) in _SHALLOW]
    if _HEDGED.search(sentence):  # it says what could not be read, or asks
        return
    if shallow and len(shallow) == len(list(cites)) and _DEEP.search(sentence):
        yield warning(
            judge.report.place(at),
            "report.beyond-abstract",
            f"{shallow[0]} is recorded as {statuses[shallow[0]]}, and a sentence points into its"
            f" text: {short(sentence)}",
            "Correct the reading status, or say only what was read.",
        )


def _work_names(judge: Judge) -> list[str]:
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
    for at, line in [*lines_of(text, first), (-1, "")]:
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


def claims_too_deep(judge: Judge) -> Iterator[Problem]:
    statuses = judge.statuses()
    for bears in judge.report.bears:
        words = " ".join(filter(None, (bears.because, bears.locator)))
        yield from _too_deep(judge, bears.line, words, [bears.entry], statuses)


def runs(judge: Judge) -> Iterator[Problem]:
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


def residue(judge: Judge) -> Iterator[Problem]:
    for at, line in enumerate(judge.report.lines, 1):
        token = RESIDUE.search(line)
        if token and token[0].strip():
            yield warning(
                judge.report.place(at, token.start() + 1),
                "report.opaque-citation",
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
