"""Entries of a .bib file mean what they seem to mean, and their keys can be cited.

A month is one of the twelve macros, a name or a number. Names are joined by the word "and": commas
between persons make one person of them. An address holds no escapes of LaTeX, and the day on which
it was opened has a field of its own. A key holds no white space and none of `, { } # % ~ \\`; one
with doubled punctuation needs braces where it is cited. What the chapter cites as `[@key]` is a
key of the book's bibliography. Where ledger and entry speak about one work, they say the same; the
ledger's value counts.

Rules: `bib.month`, `bib.names`, `bib.verbatim-field`, `cite.key`, `ledger.bib-differs`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from researchpack.citekeys import cited_keys, forbidden, needs_braces
from researchpack.identifiers import canonical, read
from researchpack.places import Lines
from researchpack.problems import Problem, error, nearest, warning
from researchpack.prose import normalise
from researchpack.records import BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.places import Text
    from researchpack.records import BibEntry, Snapshot, Source, View


def check(view: View) -> Iterator[Problem]:
    """What is wrong with the entries of the book's bibliography, or of one .bib file."""
    for work in view.works:
        yield from (problem for problem in work.problems if problem.rule.startswith("bib."))
    for entry in view.pack.bibliography:
        yield from _key(entry.key)
    if view.pack.snapshot is not None and view.pack.bibliography:
        yield from _cited(view.pack.snapshot, view.pack.bibliography)
    entries = {entry.key.lower(): entry for entry in view.pack.bibliography}
    for source in view.pack.sources:
        entry = entries.get(source.bib.lower()) if source.bib is not None else None
        if entry is not None:
            yield from _differences(source, entry)


def _key(key: Text) -> Iterator[Problem]:
    char = forbidden(key)
    if char is not None:
        name = "white space" if char.isspace() else f"`{char}`"
        yield error(
            key.place,
            "cite.key",
            f'The key "{key}" holds {name}, so it cannot be cited.',
            "Use letters, digits and single marks such as `-`, `_`, `:`, `.` and `+`.",
        )
        return
    marks = needs_braces(key)
    if marks is not None:
        yield warning(
            key.place,
            "cite.key",
            f'Pandoc stops at `{marks}` when it reads the key "{key}".',
            f"Cite it as `[@{{{key}}}]`, or rename it.",
        )


def _cited(snapshot: Snapshot, entries: tuple[BibEntry, ...]) -> Iterator[Problem]:
    keys = {str(entry.key) for entry in entries}
    lines = Lines(snapshot.text, snapshot.path)
    code = (BlockKind.CODE, BlockKind.DIAGRAM)
    for block in snapshot.blocks:
        if block.kind in code:
            continue
        for key, at in cited_keys(snapshot.text[block.start : block.end]):
            if key not in keys:
                near = nearest(key, keys)
                yield warning(
                    lines.place(block.start + at),
                    "cite.key",
                    f'The chapter cites "{key}", which is no key of the bibliography.',
                    f'Did you mean "{near}"?' if near else "Add the entry to the bibliography.",
                )


def _differences(source: Source, entry: BibEntry) -> Iterator[Problem]:
    year = entry.get("date", "year")
    pairs = [
        ("title", source.title, entry.get("title"), _folded),
        ("issued", source.issued, year, _year),
    ]
    for scheme in ("doi", "isbn"):
        ours = next((value for name, value in source.others if name == scheme), None)
        pairs.append((scheme, ours, entry.get(scheme), lambda t, s=scheme: _plain(s, t)))
    for name, ours, theirs, form in pairs:
        if not ours or not theirs or form(ours) == form(theirs) or not form(ours):
            continue
        yield warning(
            ours.place,
            "ledger.bib-differs",
            f'{source.id} says "{ours}" for {name}, and its entry "{entry.key}" says "{theirs}".',
            "Correct one of the two; until then the ledger's value counts.",
            theirs.place,
        )


def _folded(text: Text) -> str:
    return re.sub(r"[\W_]+", "", normalise(text).text) or str(text)


def _year(text: Text) -> str:
    match = re.search(r"\d{4}", text)
    return match[0] if match else ""


def _plain(scheme: str, text: Text) -> str:
    found = read(scheme, text).identifiers
    return canonical(found[0]) if found else str(text)
