"""Faults that were once in the tool: each test says what is wanted."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from researchpack import disk
from researchpack.build import site_of
from researchpack.cites import find_cites
from researchpack.coverage import sentences
from researchpack.dates import parse_date
from researchpack.formats.claims import unquote
from researchpack.formats.kinds import kind_of
from researchpack.pages._text import markdown
from researchpack.prose import normalise
from researchpack.records import Anchored
from researchpack.verdicts import derive
from researchpack.yamltext import read_yaml

ROW = "| C4 | {} | {} | | none | low | no change | definition | no source needed | hypothesis |\n"


@pytest.fixture(autouse=True)
def _alarm():
    def stop(*_):
        raise TimeoutError("hangs")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(20)
    yield
    signal.alarm(0)


# A. crashes and hangs of the whole tool (one pack's typo stops all)


@pytest.mark.parametrize(
    "change",
    [
        ("claims.md", "| C3 |", "| 3 |"),
        ("sources.yaml", "id: S2", "id: brandt"),
        ("proposals.yaml", "id: P1", "id: Q1"),
        ("proposals.yaml", "sources: [S2]", "sources: [zz]"),
        ("proposals.yaml", "  rationale", "  depends_on: [foo]\n  rationale"),
        ("experiments.yaml", "id: X1", "id: E1"),
        ("sources.yaml", "claim: C1", "claim: 7"),
        ("review.yaml", "target: C1", "target: zz"),
    ],
)
def test_a_malformed_id_does_not_stop_the_build(project, change):
    project.change(*change)
    assert site_of(project.root).pages


@pytest.mark.parametrize("year", ["9999", "9999-12-31", "9999-12"])
def test_a_date_at_the_end_of_time_is_a_problem_and_no_crash(project, year):
    project.change("sources.yaml", "accessed: 2026-11-10", f"accessed: {year}")
    assert "date.future" in project.rules()


def test_today_at_the_end_of_time(project):
    project.problems("9999-12-31")


def test_a_blank_layout_line_does_not_hang(project):
    project.change(
        "pack.yaml",
        '      to: "    return reserve // volume"\n      kind: code',
        '      to: "    return reserve // volume"\n      kind: code\n'
        '    - from: " "\n      to: " "\n      kind: code',
    )
    project.rules()


@pytest.mark.parametrize("text", ["?", "a:\n  ?", "x: \u2028y\n", '- a: "x\u2028y\u2028z"\n  b: c'])
def test_yaml_never_throws(text):
    read_yaml(text, "f")


def test_places_behind_a_unicode_line_separator_are_those_of_editors():
    text = 'a: "x\u2028y"\nb: c\n'
    node, _ = read_yaml(text, "f")
    b = node.get("b")
    assert (b.text.place.line, text[b.start : b.end]) == (2, "c")


# B. files of people may be lost


@pytest.mark.parametrize("target", ["docs", "research", "."])
def test_a_folder_that_is_no_site_is_not_replaced(project, target):
    before = {p: p.read_bytes() for p in project.root.rglob("*") if p.is_file()}
    done = subprocess.run(
        [Path(sys.executable).with_name("researchpack"), "build", "--site", target],
        cwd=project.root,
        capture_output=True,
        text=True,
    )
    assert all(p.is_file() and p.read_bytes() == data for p, data in before.items()), done.stderr


# C. what people should be told and are not


def test_a_secret_in_a_file_of_the_project_is_told(project):
    project.write("research/settings.yaml", "contact: AKIAIOSFODNN7EXAMPLE\n")
    assert "text.secret" in project.rules()


def test_a_secret_in_the_bibliography_is_told(project):
    project.change("bib/river-craft.bib", "Canal Press", "AKIAIOSFODNN7EXAMPLE")
    assert "text.secret" in project.rules()


def test_a_problem_names_no_machine_path(project):
    os.truncate(project.path("findings.md"), disk.LARGEST + 1)
    assert not [p for p in project.problems() if str(project.root) in p.what]


def test_two_broken_entries_are_both_told(project):
    project.change("sources.yaml", "title: Filling Times of Small Locks", "title: Filling: Times")
    project.change("sources.yaml", "title: Side Ponds", "title: Side: Ponds")
    assert project.rules().count("yaml.syntax") == 2


def test_a_wrong_count_of_places_is_told(project):
    project.write(
        "claims.md", project.read("claims.md") + ROW.format('"water"', "Locks and weirs (1 of 5)")
    )
    assert "claims.where-count" in project.rules()


def test_a_count_for_a_passage_that_stands_once_is_told(project):
    project.change("claims.md", "| Saving water |", "| Saving water (2 of 3) |")
    assert "claims.where-count" in project.rules()


def test_place_zero_is_none(project):
    project.write(
        "claims.md", project.read("claims.md") + ROW.format('"water"', "Locks and weirs (0 of 2)")
    )
    assert not isinstance(project.view().claims[-1].standing, Anchored)
    assert {"claims.where-count", "claims.passage-ambiguous"} & set(project.rules())


def test_the_authors_own_wording_of_a_revision_is_checked(project):
    project.write(
        "review.yaml",
        "- {target: P1, decision: revise, by: a, date: 2026-11-20,"
        " edits: [{old: not there, new: x}]}\n",
    )
    assert "proposals.edit-lost" in project.rules()


def test_two_columns_of_one_meaning_are_told(project):
    project.change(
        "claims.md", "| Concern |", "| Source |"
    )  # 'Current evidence' and 'Source' both mean evidence
    assert any("Current evidence" in p.what and "two" in p.what.lower() for p in project.problems())


def test_a_broken_bibliography_is_told_once(project):
    project.write("bib/river-craft.bib", b"@book{brandt1998,\n title={\xe4}}\n")
    rules = project.rules()
    assert "book.bibliography" not in rules
    assert "ledger.bib-key" not in rules


def test_a_wrong_bibliography_path_does_not_blame_the_ledger(project):
    project.change("research/river-craft/book.yaml", "bib/river-craft.bib", "bib/rivercraft.bib")
    assert project.rules() == ["book.bibliography"]


def test_a_repair_is_not_as_long_as_the_file():
    _, (problem, *_) = read_yaml("contact: " + "[" * 5000, "f")
    assert len(problem.fix) < 400


def test_a_bracket_that_is_never_closed_is_told_where_it_opens():
    _, (problem,) = read_yaml("- id: P1\n  claims: [C2\n  sources: [S2]\n", "f")
    assert problem.place.line == 2


# D. judged wrongly


def test_a_sentence_may_end_in_a_number():
    text = "It rose by 40. Smith agrees."
    assert len(list(sentences(text, 0, len(text)))) == 2


def test_a_sentence_may_end_in_no_or_a_letter():
    text = "The answer is no. This is plan b. It works."
    assert len(list(sentences(text, 0, len(text)))) == 3


def test_a_citation_before_a_colon_is_one():
    assert [c.id for c in find_cites("as shown in [S2]: the figure")] == ["S2"]


def test_two_citations_side_by_side_are_two():
    assert [c.id for c in find_cites("[C12][S3]")] == ["C12", "S3"]


def test_a_cell_of_two_code_spans_is_a_paraphrase():
    assert unquote("`a` and `b`") is None


def test_a_revising_decision_is_a_review():
    assert kind_of("r.yaml", "- {target: P1, decision: revise, edits: []}\n") == "review"


def test_full_width_digits_are_no_iso_date():
    assert parse_date("２０１９") is None


def test_a_joiner_behind_a_virama_changes_the_word():
    assert normalise("क्\u200dष").text != normalise("क्ष").text


def test_a_combining_mark_behind_white_space_leaves_no_line_break():
    words = normalise("a\n\u0301b").text
    assert "\n" not in words


def _verdict(project, *entries):
    claim = project.view().claims[0].claim
    from researchpack.formats.sources import read_sources

    text = "".join(
        f"- {{id: S{n}, reading_status: {st}, bears_on: [{{claim: C1, relation: {r}}}]}}\n"
        for n, (r, st) in enumerate(entries, 1)
    )
    return derive(claim, tuple((s, s.bears_on[0]) for s in read_sources(text, "f").value), ())[0]


def test_a_silent_source_does_not_turn_unverified_into_unsupported(project):
    assert (
        _verdict(project, ("supports", "not_accessible"), ("silent", "full_text")) == "unverified"
    )


def test_a_silent_source_that_nobody_read_verifies_nothing_either_way(project):
    assert _verdict(project, ("silent", "not_accessible")) == "unsupported"


def test_code_in_markdown_holds_no_link():
    assert "<a" not in markdown("`[S1]`", "", frozenset({"S1"}))


def test_a_link_in_markdown_holds_no_link():
    html = markdown("[see [S1] here](https://x.example/)", "", frozenset({"S1"}))
    assert not re.search(r"<a [^>]*>(?:(?!</a>).)*<a ", html)


def test_a_link_to_a_folder_outside_is_not_followed(project, tmp_path):
    outside = tmp_path / "outside"
    shutil.copytree(project.folder, outside)
    (project.folder.parent / "04-link").symlink_to(outside)
    assert disk.list_chapters(project.root, "river-craft") == ["03-locks"]
