"""Every case in `cases/report`, whole: what a report that came back says."""

from __future__ import annotations

import json
import re
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from researchpack.formats.report import TITLES, Report, plain_data, read_report
from researchpack.ingesting import CannotIngest, parse_only

pytestmark = pytest.mark.slow

CASES = Path(__file__).parent / "cases" / "report"
TODAY = "2026-11-30"


def expected(folder: Path) -> dict[str, Any]:
    block = re.search(r"```yaml\n(.*?)```", (folder / "expected.md").read_text("utf-8"), re.DOTALL)
    assert block is not None
    wanted = yaml.safe_load(block[1])
    assert isinstance(wanted, dict)
    return wanted


def cut(value: Any, wanted: Any) -> Any:
    """What was read, cut down to the keys that a case asks about; lists keep their length."""
    if isinstance(wanted, dict) and isinstance(value, dict):
        return {key: cut(value.get(key, "absent"), inner) for key, inner in wanted.items()}
    if isinstance(wanted, list) and isinstance(value, list) and len(wanted) == len(value):
        return [cut(one, inner) for one, inner in zip(value, wanted, strict=True)]
    return value


@pytest.mark.parametrize("folder", sorted(CASES.iterdir()), ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    wanted = {name.removesuffix("_expected"): value for name, value in expected(folder).items()}
    chapter = folder / "chapter.txt"
    told = parse_only(
        (folder / "input.md").read_bytes(),
        "input.md",
        TODAY,
        chapter.read_bytes() if chapter.exists() else None,
    )
    json.dumps(told)
    if folder.name.startswith("own-"):  # these hold nothing but the two tables
        about = ("missing-section", "orphan-citation", "crlf")
        told["warnings"] = [code for code in told["warnings"] if not code.startswith(about)]
    assert cut(told, wanted) == wanted


def read(text: str) -> Report:
    return read_report(text.encode(), "report.md", date.fromisoformat(TODAY))


def whole(**bodies: str) -> str:
    """A report with its seven sections."""
    return "".join(f"## {title}\n\n{bodies.get(kind, 'x')}\n\n" for kind, title in TITLES.items())


AUDIT = "| ID | Claim | Evidence | Concern | Priority | Response |\n|---|---|---|---|---|---|\n"
LEDGER = "| ID | Source | URL | Reading status | Verified | Accessed |\n|---|---|---|---|---|---|\n"


def kinds(text: str) -> list[tuple[str, str]]:
    return [(section.title, section.kind) for section in read(text).sections]


def test_headings_of_all_dresses_open_sections() -> None:
    text = """# Claim audit of chapter 3

1. Context and provenance
=========================

x

**2. Claim audit**

x

### 3. Source ledger

x

#### Findings

x

Upgrade proposal

x

## 6. Experiment opportunities

x

<h2>7. Review checklist</h2>

x
"""
    assert kinds(text) == [
        ("1. Context and provenance", "context"),
        ("2. Claim audit", "claims"),
        ("3. Source ledger", "sources"),
        ("Findings", "findings"),
        ("Upgrade proposal", "proposal"),
        ("6. Experiment opportunities", "experiments"),
        ("7. Review checklist", "review"),
    ]


def test_a_heading_that_goes_on_as_the_brief_does_is_the_section() -> None:
    text = whole().replace("## 4. Findings", "## 4. Findings — supporting and qualifying")
    assert kinds(text)[3] == ("4. Findings — supporting and qualifying", "findings")
    assert read(text).missing == ()


def test_a_number_does_not_make_an_appendix_a_section() -> None:
    text = whole().replace("## 6. Experiment opportunities", "## 6. Appendix")
    report = read(text)
    assert report.missing == ("experiments",)
    assert ("6. Appendix", "extra") in kinds(text)


def test_a_sub_heading_named_like_a_section_opens_none() -> None:
    text = whole(findings="### Findings\n\n- one\n\n### Review\n\n- two")
    assert [kind for _, kind in kinds(text)] == list(TITLES)


def test_a_section_that_stands_twice_is_read_twice_and_told() -> None:
    row = "| C{} | a | - | - | low | - |\n"
    text = whole(claims=AUDIT + row.format(1)) + "## Claim audit (continued)\n\n"
    report = read(text + AUDIT + row.format(2))
    assert [row.id for row in report.claims] == ["C1", "C2"]
    assert "duplicate-section" in {odd.code for odd in report.oddities}


def test_headings_in_comments_and_fences_open_nothing() -> None:
    text = whole(context="<!--\n## 2. Claim audit\n-->\n\n~~~\n## 3. Source ledger\n~~~")
    assert [kind for _, kind in kinds(text)] == list(TITLES)


def test_a_fence_that_is_never_closed_does_not_swallow_the_sections_below() -> None:
    report = read(whole(findings="```\ncode without an end"))
    assert report.missing == ()
    assert "unclosed-block" in {odd.code for odd in report.oddities}


def test_a_wrapping_fence_of_three_marks_with_fences_inside() -> None:
    inner = whole(proposal="```diff\n-old\n+new\n```", findings="```\nplain\n```")
    report = read(f"Here it is:\n\n```markdown\n{inner}```\n\nAnything else?\n")
    assert report.missing == ()
    assert report.patches == 1
    assert "wrapped-in-fence" in {odd.code for odd in report.oddities}
    assert "Anything else" not in "\n".join(report.lines)


def test_places_are_those_of_the_report_as_it_came() -> None:
    row = "| C1 | a | - | - | low | - |"
    text = whole(claims=AUDIT + row)
    quoted = "".join(f"> > {line}\n" for line in text.splitlines())
    claim = read(quoted).claims[0]
    place = read(quoted).place(claim.line, claim.column)
    line = quoted.splitlines()[place.line - 1]
    assert line == f"> > {row}"
    assert line[place.column - 1 :].startswith("C1")


def test_claims_that_stand_in_no_table() -> None:
    text = whole(
        claims="""- **C1**: "nine minutes" — Where: Locks. Evidence: S1, S2–S3. Priority: low.
- **C2** Never opened. Priority: high; Response: citation

### C3 — Retries

**Claim:** "two words"
**Concern:** UNVERIFIED
"""
    )
    told = plain_data(read(text))
    picked = [(c["id"], c["claim"], c["priority"], c["cites"]) for c in told["claims"]]
    assert picked == [
        ("C1", '"nine minutes"', "low", ["S1", "S2", "S3"]),
        ("C2", "Never opened.", "high", []),
        ("C3", '"two words"', None, []),
    ]
    assert told["claims_from_blocks"] == told["claims"]
    assert told["claims"][2]["markers"] == ["UNVERIFIED"]
    assert "claims-from-blocks" in told["warnings"]


def test_claims_in_another_section_are_found_only_when_section_2_has_none() -> None:
    row = AUDIT + "| C7 | a | - | - | low | - |"
    assert [c.id for c in read(whole() + f"## Appendix\n\n{row}\n").claims] == ["C7"]
    own = AUDIT + "| C1 | a | - | - | low | - |"
    assert [c.id for c in read(whole(claims=own) + f"## Appendix\n\n{row}\n").claims] == ["C1"]


def test_sources_that_stand_in_no_table() -> None:
    text = whole(
        sources="""- S1: Filling times. https://example.org/a (full text). Accessed: 2026-11-19
- S2 Brandt. URL: https://example.org/b. Reading status: abstract only
"""
    )
    sources = read(text).sources
    assert [(s.id, s.url, s.reading_status, s.accessed) for s in sources] == [
        ("S1", "https://example.org/a", "full_text", "2026-11-19"),
        ("S2", "https://example.org/b", "abstract_only", None),
    ]


def test_the_two_tables_of_the_brief() -> None:
    text = whole(
        sources=LEDGER
        + "| S1 | A title | https://e.org | full_text | | 2026-11-01 |\n\n"
        + "| Source | Claim | Relation | Because | Quote | Locator |\n|---|---|---|---|---|---|\n"
        + '| S1 | C01 | contradicts | It says 40 \\| 41. | "forty" | p. 3 |\n'
    )
    report = read(text)
    assert [source.id for source in report.sources] == ["S1"]
    (pair,) = report.bears
    assert (pair.entry, pair.claim, pair.relation) == ("S1", "C01", "contradicts")
    assert (pair.because, pair.locator) == ("It says 40 | 41.", "p. 3")


def test_edits_are_read_from_blocks_labels_and_patches() -> None:
    text = whole(
        proposal="""### P1: One

- Kind: correction

```old
old  words
 of two lines
```

```new
```

### P2: Two

Insert after:

```
a place
```

New text:

```
more
```

### P3: Three

```diff
@@ -1,3 +1,4 @@
 kept
-minus
+plus
 kept too
+added
```
"""
    )
    first, second, third = read(text).proposals
    assert [(e.old, e.after, e.new) for e in first.edits] == [
        ("old  words\n of two lines", None, "")
    ]
    assert [(e.old, e.after, e.new) for e in second.edits] == [(None, "a place", "more")]
    assert [(e.old, e.after, e.new) for e in third.edits] == [
        ("minus", None, "plus"),
        (None, "kept too", "\nadded"),
    ]
    assert first.text("kind") == "correction"


def test_old_words_without_new_ones_are_told() -> None:
    (entry,) = read(whole(proposal="### P1: One\n\n```old\na\n```\n\nwords")).proposals
    assert entry.edits == ()
    assert len(entry.unpaired) == 1


def test_experiments_of_tables_lists_and_headings() -> None:
    text = whole(
        experiments="""| ID | Experiment | Method | Status |
|---|---|---|---|
| X1 | Time it | stopwatch | UNRUN |
| X2 | Weigh it | scale | RUN 2026-11-20 |

- **X3: Count it** (UNRUN): with a bell.

### L1: Volume

- Command: `bc`
- Outcome: 240
- Date: 2026-11-19

```output
240
```
"""
    )
    told = {e.id: (e.title, e.run, e.date, e.result) for e in read(text).experiments}
    assert told == {
        "X1": ("Time it", "UNRUN", None, None),
        "X2": ("Weigh it", "RUN", "2026-11-20", None),
        "X3": ("Count it", "UNRUN", None, None),
        "L1": ("Volume", "RUN", "2026-11-19", "240"),
    }


def test_decisions_of_items_and_tables() -> None:
    text = whole(
        review="""| Proposal | Recommended decision | Reason |
|---|---|---|
| P1 | **Accept** | the figure is wrong |

1. Reject P3 because it is vague.
- [x] P4 — revise: shorter words.
- [ ] P5: accept | revise | defer | reject, because …
- [ ] Decide on C1–C2
"""
    )
    told = [(d.target, d.decision, d.reason, d.checked) for d in read(text).decisions]
    assert told == [
        ("P1", "accept", "the figure is wrong", None),
        ("P3", "reject", "it is vague.", None),
        ("P4", "revise", "shorter words.", True),
        ("P5", None, None, False),
        ("C1", None, None, False),
        ("C2", None, None, False),
    ]


def test_yaml_blocks_are_data_and_foreign_ones_stay_text() -> None:
    text = whole(
        sources="```yaml\nsources:\n  - id: S1\n    doi: 10.1/x\n```\n\n```yaml\na: b\n```",
        findings="```yaml\nsources:\n  - id: S9\n```",
    )
    report = read(text)
    assert report.extras.entries("sources") == [{"id": "S1", "doi": "10.1/x"}]
    assert "a: b" in report.of("sources")[0].text
    assert "S9" in report.of("findings")[0].text


def test_front_matter_is_data_and_a_rule_is_none() -> None:
    text = "---\ntitle: x\npath: ../../etc/passwd\n---\n" + whole()
    assert dict(read(text).front_matter) == {"title": "x", "path": "../../etc/passwd"}
    assert read("---\n\nwords\n\n---\n\n" + whole()).front_matter == ()


HUGE = {
    "bars": "|" * 200_000,
    "cells": AUDIT + "| C1 | a | b | c | low | d |\n" * 4_000,
    "quotes": ">" * 50_000 + " ## 1. Context",
    "brackets": "[" * 100_000 + "](" * 50_000,
    "yaml": "```yaml\nsources: " + "[" * 5_000 + "\n```",
    "aliases": "```yaml\nsources:\n- &a [x, x]\n" + "- &b [*a, *a]\n" * 300 + "\n```",
    "backticks": "`" * 100_001 + " x " + "`" * 99_999,
    "html": "<table><tr>" + "<td>" * 20_000,
    "headings": "## 2. Claim audit\n" * 20_000,
    "emphasis": "**" * 100_000,
    "stars": "- **C1**" * 20_000,
    "colons": "- C1 " + "a: " * 30_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_nothing_is_slow_or_fatal(name: str) -> None:
    body = HUGE[name]
    text = whole(claims=body, sources=body, proposal=body, experiments=body, review=body)
    start = time.process_time()
    parse_only(text.encode(), "report.md", TODAY, b"A chapter.\n\nWith words.")
    assert time.process_time() - start < 30


def test_a_report_past_any_size_is_not_read() -> None:
    with pytest.raises(CannotIngest):
        parse_only(b"x" * (5 * 1024 * 1024 + 1), "report.md", TODAY, None)


PIECES = st.sampled_from(
    [
        *(f"## {title}" for title in TITLES.values()),
        AUDIT.rstrip(),
        LEDGER.rstrip(),
        '| C1 | "a \\| b" | [S1] | - | low | no change |',
        "| S1 | T | https://e.org | full_text | | 2026-11-01 |",
        "### P1: x",
        "```old",
        "```",
        "```yaml",
        "sources:",
        "  - id: S1",
        "    bears_on: x",
        "> quoted",
        "---",
        "\ufeff",
        "<table><tr><td>x",
        "- [ ] P1: accept",
        "UNRUN",
        "\x00\x0c\u2028",
        "",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=40).map("\n".join))
def test_any_report_is_read_and_told(text: str) -> None:
    data = text.encode("utf-8", errors="surrogatepass")
    told = parse_only(data, "report.md", TODAY, b"One\n\na | b is a passage. T too.")
    json.dumps(told)
    last = len(re.split(r"\r\n|\r|\n", data.decode("utf-8", errors="replace")))
    assert all(1 <= problem["line"] <= last for problem in told["problems"])
