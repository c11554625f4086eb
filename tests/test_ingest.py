"""A report comes back: refused with everything that is wrong, or merged into what people wrote."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import BASE, REPOSITORY, ProjectFolder
from researchpack.build import site_of
from researchpack.checking import check_packs
from researchpack.cli import cli
from researchpack.gather import gather
from researchpack.ingesting import CannotIngest, Ingested, ingest, write
from researchpack.passing import close_pass
from researchpack.records import Pack, RunStatus, State
from researchpack.splice import append_item
from researchpack.views import view

CASES = Path(__file__).parent / "cases" / "ingest"
CLEAN = (CASES / "clean" / "report.md").read_text("utf-8")
MESSY = (CASES / "messy" / "report.md").read_text("utf-8")
NAME = "river-craft/03-locks"
FOLDER = Path("research") / NAME
TODAY = "2026-11-30"


def run(root: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["-C", str(root), *words])


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A project with one new pack, begun as a user would."""
    root = tmp_path / "new"
    (root / "research").mkdir(parents=True)
    (root / "docs").mkdir()
    shutil.copy(REPOSITORY / "mkdocs.yml", root)
    chapter = BASE / FOLDER / "chapter-snapshot.txt"
    assert run(root, "new", NAME, str(chapter), "--today", "2026-11-18").exit_code == 0
    return root


def take_in(root: Path, text: str, *words: str) -> Result:
    path = root / "report.md"
    path.write_bytes(text.encode())
    return run(root, "ingest", NAME, str(path), "--today", TODAY, *words)


def planned(root: Path, text: str, **named: Any) -> Ingested:
    path = root / "report.md"
    path.write_bytes(text.encode())
    return ingest(root, NAME, path, TODAY, **named)


def pack(root: Path) -> Pack:
    return gather(root, [NAME]).packs[0]


def state(root: Path) -> State:
    project = gather(root, [NAME])
    return view(project.packs[0], project.vocabulary, TODAY).state


def rules(found: Ingested) -> set[str]:
    return {problem.rule for problem in found.problems}


def contents(root: Path) -> dict[str, bytes]:
    folder = root / FOLDER
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


# --- from nothing to a site -------------------------------------------------------------------


def test_new_brief_messy_clean_site(new: Path) -> None:
    assert state(new) is State.NEVER_RESEARCHED
    brief = run(new, "brief", NAME)
    assert "## 9. Required output" in brief.output
    before = contents(new)

    refused = take_in(new, MESSY)
    assert refused.exit_code == 1
    assert contents(new) == before
    assert state(new) is State.FAILED_LATEST

    accepted = take_in(new, CLEAN)
    assert accepted.exit_code == 0, accepted.output
    assert state(new) is State.CURRENT
    errors = [p for p in check_packs(new, (), TODAY) if p.level.value == "error"]
    assert errors == []
    site = site_of(new)
    history = next(page.html for page in site.pages if page.path.endswith("/history"))
    assert "2026-11-30-1.md" in history
    assert "refused" in history
    files = dict(site.files)
    kept = files[f"books/{NAME}/files/reports/2026-11-30-1.md.txt"]
    assert kept == MESSY.encode()
    assert not any(path.endswith(".md") for path in files)
    assert "<script>alert(1)" not in "".join(page.html for page in site.pages)


def test_the_clean_report_becomes_the_records_that_it_says(new: Path) -> None:
    take_in(new, CLEAN)
    found = pack(new)
    assert [str(claim.id) for claim in found.claims] == ["C01", "C02", "C03", "C04"]
    assert found.claims[0].quote is not None
    source = found.sources[0]
    assert (source.title, source.authors) == ("Filling Times of Small Locks", ("Ines Halvorsen",))
    assert (source.reading_status, source.accessed) == ("full_text", "2026-11-19")
    assert source.verified is not None
    assert source.verified.fields == ("title", "authors", "issued")
    assert source.bears_on[0].quote == "nine minutes and six seconds"
    copy = found.sources[1].copy
    assert copy is not None
    assert (copy.url, copy.date) == ("not kept", "2026-11-19")
    (proposal,) = found.proposals
    assert proposal.edits[0].old == "saves up to 60% of the water"
    assert proposal.recommend is not None
    assert (proposal.recommend.decision, proposal.recommend.reason) == (
        "accept",
        "the figure is wrong",
    )
    project = gather(new, [NAME])
    statuses = dict(view(project.packs[0], project.vocabulary, TODAY).statuses)
    assert statuses == {"X1": RunStatus.UNRUN, "L1": RunStatus.REPORTED}
    assert [section.title for section in found.context] == [
        "Read",
        "Means and limits",
        "Open questions",
    ]
    (entry,) = found.file.passes
    assert (entry.date, entry.researcher.name, entry.researcher.kind) == (
        "2026-11-20",
        "a reader",
        "UNVERIFIED",
    )
    assert entry.report == "reports/2026-11-30-1.md"
    assert found.snapshot is not None
    assert entry.read == found.snapshot.sha256
    assert found.decisions == (), "advice is no decision"


def test_the_messy_report_is_refused_with_everything_at_once(new: Path) -> None:
    found = planned(new, MESSY)
    errors = {p.rule for p in found.problems if p.level.value == "error"}
    warnings = {p.rule for p in found.problems if p.level.value == "warning"}
    assert errors == {
        "report.passage-not-found",
        "report.orphan-citation",
        "report.duplicate-claim-id",
        "report.future-date",
        "report.no-date",
        "report.no-reading-status",
        "report.old-not-found",
        "report.result-for-unrun",
        "report.missing-section",
    }
    assert {
        "report.front-matter",
        "report.extra-section",
        "report.unknown-run",
        "report.opaque-citation",
        "report.tracking-parameter",
        "report.uncited",
        "report.beyond-abstract",
        "report.run-status-missing",
        "report.relative-date",
    } <= warnings


def test_each_line_that_is_told_quotes_the_row_and_says_what_to_write(new: Path) -> None:
    told = take_in(new, MESSY, "--dry-run").stdout
    assert not (new / FOLDER / "reports").exists()
    line = next(words for words in told.splitlines() if "report.passage-not-found" in words)
    assert "report.md:22:8: error: The passage of C1 is not in the chapter." in line
    assert '| C1 | "the chamber fills in about ninety minutes" |' in line
    assert "The nearest passage is: the chamber fills in about nine minutes" in line
    assert all(words.startswith(str(new / "report.md")) for words in told.splitlines())


FAULTS = {
    "missing-section": ("## 4. Findings", "## Results of the day", "report.missing-section"),
    "no-claims": ("| ID | Claim | Where |", "| a | b | c |", "report.no-claims"),
    "passage": ("about nine minutes (Halv", "about ten minutes (Halv", "report.passage-not-found"),
    "old": ("saves up to 60% of the water\n```", "saves 1%\n```", "report.old-not-found"),
    "old-twice": ("saves up to 60% of the water\n```", "A gate\n```", "report.old-not-found"),
    "claim-id": ("| C04 |", "| C03 |", "report.duplicate-claim-id"),
    "source-id": ("| S2 | Side", "| S1 | Side", "report.duplicate-source-id"),
    "entry-id": ("### L1: Volume", "### X1: Volume", "report.duplicate-id"),
    "citation": ("| [S1] | |", "| [S7] | |", "report.orphan-citation"),
    "citation-in-findings": ("[C02] [S2].", "[C02] [S9].", "report.orphan-citation"),
    "pair": ("| S2 | C02 |", "| S2 | C88 |", "report.orphan-citation"),
    "status": ("| full_text |", "|  |", "report.no-reading-status"),
    "date": ("| 2026-11-19 | | | title, authors, issued", "| | | | title", "report.no-date"),
    "future": ("| article | 2026-11-19 |", "| article | 2028-11-19 |", "report.future-date"),
    "unrun": ("- Method: Time ten", "- Outcome: 12\n- Method: Time ten", "report.result-for-unrun"),
    "new-alone": ("```old\nsaves up to 60% of the water\n```", "", "report.edit-alone"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_refuses(new: Path, name: str) -> None:
    old, changed, rule = FAULTS[name]
    if name == "future":
        old, changed = "| the whole article | 2026-11-19 |", "| the whole article | 2028-11-19 |"
    assert old in CLEAN
    assert rule not in rules(planned(new, CLEAN))
    found = planned(new, CLEAN.replace(old, changed, 1))
    assert found.refused
    assert rule in {p.rule for p in found.problems if p.level.value == "error"}


WARNED = {
    "extra": ("## 7. Review", "## Appendix\n\nx\n\n## 7. Review", "report.extra-section"),
    "uncited": (
        "### Qualifying\n",
        "### Qualifying\n\nHalvorsen reports nine.\n",
        "report.uncited",
    ),
    "run": ("A library and", "Run id: abc-2026. A library and", "report.unknown-run"),
    "oaicite": ("[C01] [S1].", "[C01] [S1] 【4†source】.", "report.opaque-citation"),
    "tracking": ("halvorsen-2011 |", "halvorsen-2011?utm_source=x |", "report.tracking-parameter"),
    "word": ("| low | no change | cited", "| low | leave it | cited", "report.unknown-word"),
    "revision": ("### Read\n", f"### Read\n\nSHA-256 {'ab' * 32}\n", "report.other-revision"),
}


@pytest.mark.parametrize("name", WARNED)
def test_a_warning_does_not_refuse(new: Path, name: str) -> None:
    old, changed, rule = WARNED[name]
    assert rule not in rules(planned(new, CLEAN))
    found = planned(new, CLEAN.replace(old, changed, 1))
    assert rule in rules(found)
    assert not found.refused


def test_full_text_claims_about_an_abstract_are_told(new: Path) -> None:
    text = CLEAN.replace("| full_text | the whole article", "| abstract_only | the abstract")
    assert "report.beyond-abstract" in rules(planned(new, text))


def test_a_wholesale_rewrite_where_little_was_found_is_told(new: Path) -> None:
    found = pack(new)
    assert found.snapshot is not None
    words = found.snapshot.text[: len(found.snapshot.text) // 2]
    text = CLEAN.replace("```old\nsaves up to 60% of the water", f"```old\n{words}")
    assert "report.wholesale-rewrite" in rules(planned(new, text))


def test_no_change_is_a_result(new: Path) -> None:
    start, end = CLEAN.index("### P1"), CLEAN.index("## 6.")
    text = CLEAN[:start] + "No change is justified.\n\n" + CLEAN[end:]
    text = text.replace("- [ ] P1: accept, because the figure is wrong", "None.")
    assert not planned(new, text).refused
    assert planned(new, text).conflicts == ()


# --- acceptance with errors, refusal, and what is kept ----------------------------------------


def test_who_accepts_errors_is_recorded(new: Path) -> None:
    text = CLEAN.replace("about nine minutes (Halv", "about ten minutes (Halv")
    assert take_in(new, text, "--accept-with-errors").exit_code == 2
    done = take_in(new, text, "--accept-with-errors", "--by", "the author")
    assert done.exit_code == 0
    result = json.loads((new / FOLDER / "reports/2026-11-30-1.result.json").read_bytes())
    assert result["outcome"] == "accepted with errors"
    assert result["accepted_by"] == "the author"
    assert [p["rule"] for p in result["problems"] if p["level"] == "error"] == [
        "report.passage-not-found"
    ]
    assert "reports.with-errors" in {p.rule for p in check_packs(new, (), TODAY)}
    assert state(new) is State.CURRENT


def test_what_stood_before_stays_when_a_later_report_is_refused(new: Path) -> None:
    take_in(new, CLEAN)
    before = contents(new)
    take_in(new, MESSY)
    assert contents(new) == before
    project = gather(new, [NAME])
    found = view(project.packs[0], project.vocabulary, TODAY)
    assert found.state is State.FAILED_LATEST
    assert found.state_reasons == (
        "the newest report, reports/2026-11-30-2.md, was refused: 9 errors",
    )
    assert len(found.claims) == 4
    assert "reports.refused" in {p.rule for p in check_packs(new, (), TODAY)}


def test_reports_are_counted_as_people_count(new: Path) -> None:
    for number in range(1, 12):
        take_in(new, MESSY.replace("Everything", f"Everything {number}"))
    assert [kept.name for kept in pack(new).reports][-1] == "2026-11-30-11.md"
    take_in(new, CLEAN)
    assert state(new) is State.CURRENT


def test_the_same_report_is_not_taken_in_twice(new: Path) -> None:
    take_in(new, CLEAN)
    with pytest.raises(CannotIngest, match=r"reports/2026-11-30-1\.md"):
        planned(new, CLEAN)


def test_a_kept_report_that_was_changed_is_told(new: Path) -> None:
    take_in(new, CLEAN)
    folder = new / FOLDER / "reports"
    (folder / "2026-11-30-1.md").write_text("other")
    (folder / "2026-11-30-9.md").write_text("alone")
    (folder / "2026-11-30-8.result.json").write_text("{}")
    found = [p.rule for p in check_packs(new, (), TODAY) if p.rule.startswith("reports.")]
    assert found == ["reports.changed", "reports.missing", "reports.no-result"]
    (folder / "2026-11-30-1.md").unlink()
    (folder / "2026-11-30-1.result.json").unlink()
    told = [p for p in check_packs(new, (), TODAY) if p.rule == "reports.missing"]
    assert any(p.place.path.endswith("pack.yaml") for p in told)


def test_a_pack_that_cannot_be_read_is_not_merged_into(project: ProjectFolder) -> None:
    project.write("sources.yaml", "- id: S1\n  title: a: b\n")
    with pytest.raises(CannotIngest, match=r"sources\.yaml"):
        planned(project.root, CLEAN)


def test_a_byte_that_is_no_text_is_refused(new: Path) -> None:
    path = new / "report.md"
    path.write_bytes(CLEAN.encode() + b"\xff")
    assert "report.encoding" in rules(ingest(new, NAME, path, TODAY))


# --- merging ----------------------------------------------------------------------------------


def test_people_s_bytes_stay(new: Path) -> None:
    """Comments, order, quoting and line ends; a report that says the same changes nothing."""
    take_in(new, CLEAN)
    ledger = new / FOLDER / "sources.yaml"
    text = ledger.read_text("utf-8").replace("  issued: 2011\n", "  issued: '2011'  # printed\n")
    ledger.write_bytes(f"# mine\n{text}".replace("\n", "\r\n").encode())
    before = contents(new)
    found = planned(new, CLEAN + "\n")
    assert found.conflicts == ()
    write(found)
    after = contents(new)
    assert {name for name in after if after[name] != before[name]} == {"pack.yaml"}


def test_new_rows_and_keys_are_added_beside_what_people_wrote(new: Path) -> None:
    take_in(new, CLEAN)
    ledger = new / FOLDER / "sources.yaml"
    ledger.write_text(ledger.read_text("utf-8").replace("- id: S2", "# about ponds\n- id: S2"))
    text = CLEAN.replace(
        "| S2 | C02 | contradicts |",
        "| S2 | C03 | silent | It gives no volume. | | |\n| S2 | C02 | contradicts |",
    ).replace("| 1998 | | book |", "| 1998 | Canal Press | book |")
    text = text.replace("| [L1] | none |", "| [L1] [S2] | none |")
    found = planned(new, text)
    assert [one.path for one in found.conflicts] == ["C03 evidence"]
    write(found)
    written = ledger.read_text("utf-8")
    assert "# about ponds\n- id: S2\n" in written
    s2 = pack(new).sources[1]
    assert s2.container == "Canal Press"
    assert [(b.claim, b.relation) for b in s2.bears_on] == [
        ("C02", "contradicts"),
        ("C03", "silent"),
    ]
    assert pack(new).claims[2].evidence == "[L1]", "people's words stay"


def frozen(root: Path) -> None:
    """Freeze the pack, so that what people change afterwards can be told from the pass."""
    close_pass(root, NAME, datetime(2026, 11, 20, 12, tzinfo=UTC), record=False)


def test_three_ways_with_a_frozen_pass(new: Path) -> None:
    take_in(new, CLEAN)
    frozen(new)
    claims = new / FOLDER / "claims.md"
    claims.write_text(claims.read_text("utf-8").replace("another figure.", "another figure: 40%."))
    text = CLEAN.replace("| medium | no change |", "| high | clarification |")
    text = text.replace("The source gives another figure.", "The book disagrees.")
    found = planned(new, text)
    assert [(c.path, c.ours, c.theirs) for c in found.conflicts] == [
        ("C02 concern", "The source gives another figure: 40%.", "The book disagrees.")
    ]
    write(found)
    row = pack(new).claims[2]
    assert (row.priority, row.response) == ("high", "clarification")
    assert "another figure: 40%." in claims.read_text("utf-8")
    result = json.loads((new / FOLDER / "reports/2026-11-30-2.result.json").read_bytes())
    assert result["conflicts"][0]["at"] == "C02 concern"


def test_what_people_changed_stays_when_the_report_repeats_the_last_pass(new: Path) -> None:
    take_in(new, CLEAN)
    frozen(new)
    proposals = new / FOLDER / "proposals.yaml"
    proposals.write_text(proposals.read_text("utf-8").replace("about 40%", "at most 40%"))
    found = planned(new, CLEAN + "\n")
    assert found.conflicts == ()
    write(found)
    assert pack(new).proposals[0].edits[0].new == "saves at most 40% of the water"


def test_a_passage_keeps_its_id_whatever_the_report_calls_it(new: Path) -> None:
    take_in(new, CLEAN)
    text = CLEAN.replace("C02", "C99").replace("C03", "C02").replace("C99", "C03")
    text = text.replace("S1", "S9").replace("S2", "S1").replace("S9", "S2")
    found = planned(new, text)
    assert dict(found.ids) == {"C02": "C03", "C03": "C02", "S1": "S2", "S2": "S1"}
    assert found.conflicts == ()
    write(found)
    bearings = {(str(s.id), str(b.claim)) for s in pack(new).sources for b in s.bears_on}
    assert bearings == {("S1", "C01"), ("S2", "C02")}
    assert len(pack(new).claims) == 4


def test_an_id_that_means_another_passage_now_gets_a_new_one(new: Path) -> None:
    take_in(new, CLEAN)
    text = CLEAN.replace(
        '"A side pond saves up to 60% of the water of one passage." | Saving water',
        '"Close the lower gates." | How a lock fills',
    )
    found = planned(new, text)
    assert dict(found.ids)["C02"] == "C05"
    write(found)
    rows = {str(claim.id): str(claim.cell) for claim in pack(new).claims}
    assert rows["C02"].startswith('"A side pond')
    assert rows["C05"] == '"Close the lower gates."'
    # The findings of the pack differ, and nobody froze it: the sentence with [C05] is left.
    assert [c.path for c in found.conflicts if "[C05]" in c.theirs] == ["Contradictory"]


def test_nothing_is_taken_away_by_a_report_that_is_silent(new: Path) -> None:
    take_in(new, CLEAN)
    row = next(line for line in CLEAN.splitlines() if line.startswith("| C04 |"))
    write(planned(new, CLEAN.replace(row + "\n", "")))
    assert [str(claim.id) for claim in pack(new).claims] == ["C01", "C02", "C03", "C04"]


def test_what_cannot_be_written_without_a_person_s_comment_is_left(new: Path) -> None:
    take_in(new, CLEAN)
    frozen(new)
    ledger = new / FOLDER / "sources.yaml"
    text = ledger.read_text("utf-8")
    ledger.write_text(
        text.replace("  limitations: Six locks only.", "  limitations: Six locks only.  # six?")
    )
    found = planned(new, CLEAN.replace("Six locks only.", "Seven locks."))
    assert any("S1 limitations" in words for words in found.left)
    write(found)
    assert "# six?" in ledger.read_text("utf-8")


def test_sources_that_are_cited_bare_are_cited_as_the_pack_does(new: Path) -> None:
    text = CLEAN.replace("| [S2] | The source gives", "| S1–S2 and `S1` | The source gives")
    write(planned(new, text))
    assert pack(new).claims[1].evidence == "[S1, S2] and `S1`"


def test_a_place_that_is_half_a_heading_becomes_the_heading(new: Path) -> None:
    path = new / FOLDER / "pack.yaml"
    path.write_text(path.read_text("utf-8").replace("headings: []", "headings: [Saving water]"))
    text = CLEAN.replace("| Saving water | [S2]", "| Saving water, first sentence | [S2]")
    write(planned(new, text))
    assert pack(new).claims[1].where.heading == "Saving water"


def test_a_command_of_a_report_is_never_one_of_the_pack(new: Path) -> None:
    text = CLEAN.replace(
        "- Method: Time ten fillings.", "- Method: Time it.\n- Command: `rm -rf /`"
    )
    write(planned(new, text))
    experiment = pack(new).experiments[0]
    assert experiment.command == ()
    assert experiment.method is not None
    assert "rm -rf" in experiment.method
    block = "```yaml\nexperiments:\n  - id: X1\n    command: [rm, -rf, /]\n```\n\n### X1"
    assert "report.command" in rules(planned(new, CLEAN.replace("### X1", block, 1)))


def test_markup_and_paths_of_a_report_do_nothing(new: Path) -> None:
    text = CLEAN.replace(
        "Six locks only.", "<script>alert(1)</script> {{ 7 * 7 }} [x](javascript:a)"
    )
    text = text.replace("| not kept |", "| ../../../etc/passwd |")
    write(planned(new, text))
    html = "".join(page.html for page in site_of(new).pages)
    assert "<script>alert(1)" not in html
    assert 'href="javascript:' not in html
    assert "{{ 7 * 7 }}" in html
    written = {p.relative_to(new / FOLDER).parts[0] for p in (new / FOLDER).rglob("*")}
    assert "etc" not in written


# --- the command ------------------------------------------------------------------------------


def test_parse_only_needs_no_project(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text(CLEAN)
    done = CliRunner().invoke(cli, ["ingest", "--parse-only", str(path), "--format", "json"])
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)["claims"]) == 4


@pytest.mark.parametrize(
    "words",
    [
        ["ingest"],
        ["ingest", NAME],
        ["ingest", NAME, "report.md", "--by", "x"],
        ["ingest", NAME, "--parse-only", "report.md"],
        ["ingest", NAME, "report.md", "--chapter", "report.md"],
    ],
)
def test_calls_that_make_no_sense(new: Path, words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(new)
        (new / "report.md").write_text(CLEAN)
        assert run(new, *words).exit_code == 2


def test_an_empty_list_of_passes_gets_its_first_entry() -> None:
    for text in ("a: 1\npasses: []\nb: 2\n", "a: 1\npasses:\nb: 2\n"):
        assert append_item(text, "passes", ["date: x"]) == "a: 1\nb: 2\npasses:\n  - date: x\n"


def test_the_example_of_the_guide_is_the_clean_report() -> None:
    guide = (REPOSITORY / "docs" / "guide" / "researchers.md").read_text("utf-8")
    assert f"````markdown\n{CLEAN}````" in guide
