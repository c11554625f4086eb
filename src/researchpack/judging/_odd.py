"""What was read otherwise than it stands: which of it is a fault, and what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.problems import Level, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.judging._records import Judge


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


def oddities(judge: Judge) -> Iterator[Problem]:
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
