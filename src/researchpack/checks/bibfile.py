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
from functools import partial
from typing import TYPE_CHECKING

from researchpack.citekeys import cited_keys, forbidden, needs_braces
from researchpack.identifiers import canonical, read
from researchpack.places import Lines
from researchpack.problems import Problem, error, nearest, warning
from researchpack.prose import normalise
from researchpack.records import BlockKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from researchpack.places import Text
    from researchpack.records import BibEntry, Snapshot, Source, View


def check(view: View) -> Iterator[Problem]:
    """What is wrong with the entries of the book's bibliography, or of one .bib file."""
    for work in view.works:
        yield from (problem for problem in work.problems if problem.rule.startswith("bib."))
    entries = {entry.key.lower(): entry for entry in view.pack.bibliography}
    for entry in view.pack.bibliography:
        yield from _key(entry.key)
    if view.pack.snapshot is not None and entries:
        yield from _cited(view.pack.snapshot, view.pack.bibliography)
    for source in view.pack.sources:
        if source.bib is not None and source.bib.lower() in entries:
            yield from _differences(source, entries[source.bib.lower()])


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
    own = {str(name): value for name, value in source.others}
    yield from _differs(source, "title", source.title, entry.get("title"), _folded)
    yield from _differs(source, "issued", source.issued, entry.get("date", "year"), _year)
    yield from _differs(source, "doi", own.get("doi"), entry.get("doi"), partial(_plain, "doi"))
    yield from _differs(source, "isbn", own.get("isbn"), entry.get("isbn"), partial(_plain, "isbn"))


def _differs(
    source: Source, name: str, ours: Text | None, theirs: Text | None, form: Callable[[Text], str]
) -> Iterator[Problem]:
    if not ours or not theirs or form(ours) == form(theirs) or not form(ours):
        return
    yield warning(
        ours.place,
        "ledger.bib-differs",
        f'{source.id} says "{ours}" for `{name}`, and the entry "{source.bib}" says "{theirs}".',
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
