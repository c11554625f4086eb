"""Every case in `cases/report`: the tables of sections 2 and 3 of a report that came back."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from researchpack.formats.audit_tables import (
    ClaimTables,
    SourceTables,
    read_claim_tables,
    read_footnotes,
    read_link_targets,
    read_source_tables,
)

CASES = Path(__file__).parent / "cases" / "report"
WHOLE = {"sections", "missing_sections", "decisions_expected"}
"""Keys of cases that are about a whole report: `test_report.py` drives them, and all others."""
TODAY = date(2026, 11, 30)
ASSERTED = {
    "claims",
    "claims_expected",
    "covers",
    "footnotes",
    "sources",
    "warnings",
    "warnings_expected",
}


def sections(text: str) -> dict[int, tuple[int, str]]:
    """Number of a `## N.` section -> its first line and its text, heading included."""
    starts = list(re.finditer(r"^## (\d)\.", text, re.MULTILINE))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return {
        int(start[1]): (text.count("\n", 0, start.start()) + 1, text[start.start() : end])
        for start, end in zip(starts, ends, strict=True)
    }


def read(text: str) -> tuple[ClaimTables, SourceTables]:
    notes, targets = read_footnotes(text), read_link_targets(text)
    part = sections(text)
    line, claims = part[2]
    audit = read_claim_tables(claims, first_line=line, footnotes=notes, targets=targets)
    line, sources = part[3]
    ledger = read_source_tables(
        sources, first_line=line, today=TODAY, footnotes=notes, targets=targets
    )
    return audit, ledger


def expected(folder: Path) -> dict[str, Any]:
    block = re.search(r"```yaml\n(.*?)```", (folder / "expected.md").read_text("utf-8"), re.DOTALL)
    assert block is not None
    wanted = yaml.safe_load(block[1])
    assert isinstance(wanted, dict)
    return wanted


def asserted(row: object, wanted: dict[str, Any]) -> dict[str, Any]:
    """The fields of a row that a case asks about, with lists for tuples."""
    return {name: as_lists(getattr(row, name)) for name in wanted}


def as_lists(value: object) -> object:
    return [as_lists(item) for item in value] if isinstance(value, tuple) else value


def found(folder: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    """What was read, cut down to what the case asks about."""
    text = (folder / "input.md").read_bytes().decode("utf-8")
    audit, ledger = read(text)
    codes = sorted({odd.code for odd in (*audit.oddities, *ledger.oddities)})
    rows = {"claims": audit.claims, "claims_expected": audit.claims, "sources": ledger.sources}
    result: dict[str, Any] = {
        "covers": {row.id: list(row.covers) for row in audit.claims if row.covers},
        "footnotes": read_footnotes(text),
        "warnings": codes,
        "warnings_expected": codes,
    }
    for name, read_rows in rows.items():
        asked = wanted.get(name) or []
        keys = [*asked, *[{"id": None}] * (len(read_rows) - len(asked))]
        result[name] = [asserted(row, key) for row, key in zip(read_rows, keys, strict=False)]
    return {name: result[name] for name in wanted}


def table_cases() -> list[Path]:
    """The cases that two tables are enough for."""
    found = []
    for folder in sorted(CASES.iterdir()):
        wanted = expected(folder)
        orphans = any("orphan" in code for code in wanted.get("warnings", ()))
        if not wanted.keys() & WHOLE and not orphans:
            found.append(folder)
    return found


@pytest.mark.parametrize("folder", table_cases(), ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    wanted = {name: v for name, v in expected(folder).items() if name in ASSERTED}
    assert wanted, "the case asserts nothing that this test knows"
    assert found(folder, wanted) == wanted


def test_rows_and_oddities_stand_on_the_lines_of_the_report() -> None:
    text = (CASES / "R21-short-and-long-rows" / "input.md").read_text("utf-8")
    audit, ledger = read(text)
    assert [(row.id, row.line) for row in audit.claims] == [("C1", 9), ("C2", 10), ("C3", 11)]
    assert [(odd.code, odd.line) for odd in audit.oddities] == [("short-row", 9), ("long-row", 11)]
    assert [(row.id, row.line) for row in ledger.sources] == [("S1", 17)]


def test_both_readers_find_their_tables_in_a_whole_report() -> None:
    text = (CASES / "R06-links-with-parentheses" / "input.md").read_text("utf-8")
    assert [row.id for row in read_claim_tables(text).claims] == ["C1"]
    assert [row.id for row in read_source_tables(text).sources] == ["S1", "S2", "S3", "S4", "S5"]
    assert len(read_claim_tables(text).others) == 1


def test_nothing_is_in_the_future_without_a_today() -> None:
    text = "| ID | Source | URL | Reading status | Verified | Accessed |\n|-|-|-|-|-|-|\n"
    text += "| S1 | a | https://e.org | full text | 2099-01-01 | 2099 |\n"
    assert read_source_tables(text).oddities == ()
    codes = [odd.code for odd in read_source_tables(text, today=TODAY).oddities]
    assert codes == ["future-date", "future-date"]


def test_every_sentence_about_an_oddity_is_one() -> None:
    for folder in table_cases():
        audit, ledger = read((folder / "input.md").read_bytes().decode("utf-8"))
        for odd in (*audit.oddities, *ledger.oddities):
            assert odd.what.endswith("."), odd
            assert len(odd.what.split()) > 3, odd
