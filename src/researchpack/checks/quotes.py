"""A quote of a source stands in the copy of that source, when one is kept.

Found is not proved: whether the words bear out the claim is for a person to say, in `because`; a
quote without it is told as one that nobody has judged. A quote that a whole text does not hold is
an error. It is a warning when the copy is cut short or is an excerpt, and when it is a PDF, whose
words come in the order in which they were drawn. One quote for several claims is told: it can
hardly say all of them. A copy that is not there, or that cannot be read, is no problem; the page
shows that the quote was not checked.

Rules: `quote.not-found`, `quote.reused`, `quote.copy`, `claim.review`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.problems import Problem, error, info, warning
from researchpack.prose import normalise
from researchpack.records import QuoteState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Bearing, CopyText, QuoteCheck, Source, View

_EXCERPTS: Final = ("excerpt", "abstract_only", "search_snippet", "metadata_only")
"""Reading statuses that go with a copy that is not the whole work."""


def check(view: View) -> Iterator[Problem]:
    """What is wrong with the quotes of one ledger."""
    copies = {copy.file: copy for copy in view.pack.copies}
    found = iter(view.quote_checks)
    for source in view.pack.sources:
        copy = copies.get(source.copy.file) if source.copy and source.copy.file else None
        yield from _changed(source, copy)
        quoted = [bearing for bearing in source.bears_on if bearing.quote is not None]
        for bearing in quoted:
            yield from _of_quote(source, bearing, next(found), copy)
        yield from _reused(source, quoted)


def _of_quote(
    source: Source, bearing: Bearing, found: QuoteCheck, copy: CopyText | None
) -> Iterator[Problem]:
    if found.state is QuoteState.NOT_FOUND:
        yield _not_found(source, found, copy)
    elif found.state is not QuoteState.NOT_CHECKABLE and bearing.because is None:
        yield info(
            found.quote.place,
            "claim.review",
            f"The quote stands in the copy {found.copy} ({found.state.value}); that it bears out "
            f"{found.claim} nobody has said.",
            "Read both, and write `because`.",
        )


def _not_found(source: Source, found: QuoteCheck, copy: CopyText | None) -> Problem:
    kind = copy.kind.upper() if copy is not None and copy.kind != "text" else "text"
    what = (
        f"The quote of {source.id} for {found.claim} does not stand in the copy {found.copy} "
        f"({kind}, {found.lines} lines searched)."
    )
    partial = found.partial or source.reading_status in _EXCERPTS
    if partial:
        what += " The copy does not hold the whole work."
    if found.nearest:
        what += f' The nearest passage: "{found.nearest}".'
    say = warning if partial or kind == "PDF" else error
    return say(found.quote.place, "quote.not-found", what, "Quote what the source says, verbatim.")


def _reused(source: Source, quoted: list[Bearing]) -> Iterator[Problem]:
    first: dict[str, Bearing] = {}
    claims: dict[str, list[Bearing]] = {}
    for bearing in quoted:
        words = normalise(bearing.quote or "").text
        first.setdefault(words, bearing)
        claims.setdefault(words, []).append(bearing)
    for words, uses in claims.items():
        if len({str(use.claim) for use in uses}) > 1 and uses[1].quote is not None:
            one = first[words].quote
            yield info(
                uses[1].quote.place,
                "quote.reused",
                f"One quote of {source.id} stands for {', '.join(str(use.claim) for use in uses)}.",
                "Quote for each claim the words that bear on it.",
                *([one.place] if one is not None else []),
            )


def _changed(source: Source, copy: CopyText | None) -> Iterator[Problem]:
    """A copy that is another file than the one that was read."""
    stated = source.copy.sha256 if source.copy is not None else None
    if copy is None or stated is None or stated.strip().lower() == copy.sha256:
        return
    yield error(
        stated.place,
        "quote.copy",
        f"The copy {copy.file} is another file than the one that was read: its SHA-256 is "
        f"{copy.sha256}.",
        "Read the quotes again in this file, and correct `sha256`.",
    )
