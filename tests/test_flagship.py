"""The first published pack: what it promises, counted from its files."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest

from conftest import REPOSITORY, TODAY
from researchpack.checking import check_packs
from researchpack.gather import gather
from researchpack.problems import Level
from researchpack.records import Anchored, RunStatus, State, View
from researchpack.views import view

NAME = "debugging-ai/39-chapter"
SHA256 = "29aab44bbaad3c2b1d9e233789c4f701637796ba95909520c4296c725f59ac73"


@pytest.fixture(scope="module")
def flagship() -> View:
    project = gather(REPOSITORY, [NAME])
    return view(project.packs[0], project.vocabulary, TODAY)


def test_the_snapshot_is_the_one_that_was_audited(flagship: View) -> None:
    assert flagship.pack.snapshot is not None
    assert flagship.pack.snapshot.sha256 == SHA256
    assert [str(entry.read) for entry in flagship.pack.file.passes] == [SHA256]
    assert flagship.state is State.CURRENT


def test_all_claims_are_anchored_character_by_character(flagship: View) -> None:
    assert [str(found.claim.id) for found in flagship.claims] == [f"C{n:02}" for n in range(1, 107)]
    assert flagship.pack.snapshot is not None
    text = flagship.pack.snapshot.text
    for found in flagship.claims:
        assert isinstance(found.standing, Anchored), found.claim.id
        assert found.standing.how == "exact", found.claim.id
        assert found.claim.quote is not None
        for start, end in found.standing.spans:
            assert text[start:end] in (found.claim.quote.text, found.claim.quote.marked)


def test_the_stated_verdicts_are_these(flagship: View) -> None:
    counts = Counter(found.stated for found in flagship.claims)
    assert counts == {
        "supported": 35,
        "qualified": 33,
        "internally inconsistent": 25,
        "contradicted": 6,
        "unverified": 4,
        "unsupported": 3,
    }


def test_every_source_was_read_in_a_copy_and_none_at_its_address(flagship: View) -> None:
    sources = flagship.pack.sources
    ids = [f"S{n}" for n in (*range(1, 9), "9a", "9b", *range(10, 31))]
    assert len(sources) == 31
    assert [str(source.id) for source in sources] == ids
    assert all(source.copy is not None for source in sources)
    assert all(source.accessed is None for source in sources)


def test_all_was_run_but_what_needs_a_live_model(flagship: View) -> None:
    assert dict(flagship.statuses) == {
        **{f"X{n}": RunStatus.RUN for n in range(1, 5)},
        "X5": RunStatus.UNRUN,
        **{f"L{n}": RunStatus.RUN for n in range(1, 15)},
    }


def test_the_nine_steps_of_repair_come_first(flagship: View) -> None:
    ids = [str(proposal.id) for proposal in flagship.pack.proposals]
    assert ids[:9] == [f"P{n}" for n in range(1, 10)]
    assert all(proposal.edits for proposal in flagship.pack.proposals[:9])


def test_all_proposals_can_be_accepted_together(flagship: View) -> None:
    assert flagship.edits
    spans = []
    for placed in flagship.edits:
        assert placed.span is not None, placed.edit.place
        assert placed.occurrences == 1
        spans.append(placed.span)
    for one, two in combinations(spans, 2):
        assert not (one[0] < two[1] and two[0] < one[1]), (one, two)


def test_everything_that_is_contradicted_has_a_repair(flagship: View) -> None:
    assert all(found.proposals for found in flagship.claims if found.stated == "contradicted")
    for found in flagship.claims:
        if found.stated == "contradicted":
            assert any(bearing.relation == "contradicts" for _, bearing in found.evidence)


def test_the_check_finds_no_error() -> None:
    problems = check_packs(REPOSITORY, [NAME], TODAY)
    assert [problem for problem in problems if problem.level is Level.ERROR] == []


def test_every_citation_leads_to_something(flagship: View) -> None:
    pack = flagship.pack
    known = {
        str(entry.id)
        for entries in (pack.claims, pack.sources, pack.proposals, pack.experiments)
        for entry in entries
    }
    bodies = [section.body for section in (*pack.findings, *pack.context)]
    named = {name for body in bodies for name in re.findall(r"\[([CSPXL]\d+[a-z]?)\]", body)}
    assert len(named) > 50
    assert named <= known
