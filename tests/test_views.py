"""What is worked out about a pack: its state, decisions, what they settle, statuses."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from researchpack.records import RunStatus, State
from researchpack.views import proposal_state

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import ProjectFolder

DECISION = "- {{target: {}, decision: {}, by: the author, date: 2026-11-20}}\n"


def decide(project: ProjectFolder, *decisions: tuple[str, str]) -> None:
    project.write("review.yaml", "".join(DECISION.format(*decision) for decision in decisions))


# --- state


def test_a_pack_whose_last_pass_read_its_snapshot_is_current(project: ProjectFolder) -> None:
    view = project.view()
    assert (view.state, view.state_reasons) == (State.CURRENT, ())


def test_a_pack_without_a_pass_was_never_researched(project: ProjectFolder) -> None:
    project.write("pack.yaml", project.read("pack.yaml").partition("passes:")[0])
    project.write("chapter-snapshot.txt", "other text\n")
    view = project.view()
    assert (view.state, view.state_reasons) == (State.NEVER_RESEARCHED, ())


def test_a_snapshot_that_no_pass_read_makes_the_pack_stale(project: ProjectFolder) -> None:
    project.write("chapter-snapshot.txt", project.read("chapter-snapshot.txt") + "\nMore.\n")
    view = project.view()
    assert view.state is State.STALE
    (reason,) = view.state_reasons
    assert "another revision" in reason


def test_only_the_last_pass_counts(project: ProjectFolder) -> None:
    project.write(
        "pack.yaml", project.read("pack.yaml") + f"  - date: 2026-11-12\n    read: {'0' * 64}\n"
    )
    assert project.view().state is State.STALE


def test_a_pack_without_its_snapshot_is_stale(project: ProjectFolder) -> None:
    project.path("chapter-snapshot.txt").unlink()
    assert project.view().state_reasons == ("the snapshot cannot be read",)


@pytest.mark.parametrize(("text", "state"), [("same", State.CURRENT), ("new", State.STALE)])
def test_the_books_own_file_is_looked_at(
    project: ProjectFolder, tmp_path: Path, text: str, state: State
) -> None:
    (tmp_path / "ch.md").write_text(text)
    digest = hashlib.sha256(b"same").hexdigest().upper()
    project.write("research/settings.yaml", f"book_folders: {{river-craft: {tmp_path}}}\n")
    project.change("pack.yaml", "  taken:", f"  source: ch.md\n  source_sha256: {digest}\n  taken:")
    view = project.view()
    assert view.state is state
    assert view.state_reasons == (() if state is State.CURRENT else ("the book's file changed",))
    assert view.pack.book_file == ("unchanged" if state is State.CURRENT else "changed")


def test_all_reasons_are_told(project: ProjectFolder, tmp_path: Path) -> None:
    (tmp_path / "ch.md").write_text("new")
    project.write("research/settings.yaml", f"book_folders: {{river-craft: {tmp_path}}}\n")
    project.change(
        "pack.yaml", "  taken:", f"  source: ch.md\n  source_sha256: {'0' * 64}\n  taken:"
    )
    project.write("chapter-snapshot.txt", project.read("chapter-snapshot.txt") + "\nMore.\n")
    assert len(project.view().state_reasons) == 2


# --- decisions


def test_the_last_decision_of_a_target_counts(project: ProjectFolder) -> None:
    decide(project, ("P1", "accept"), ("C1", "dispute"), ("P1", "reject"), ("C1", "agree"))
    view = project.view()
    assert {name: str(d.decision) for name, d in view.decisions} == {"P1": "reject", "C1": "agree"}
    assert len(view.pack.decisions) == 4
    first = view.claim("C1")
    assert first is not None
    assert first.disputed is None


def test_a_disputed_claim_says_so(project: ProjectFolder) -> None:
    decide(project, ("C2", "dispute"))
    assert [str(c.claim.id) for c in project.view().claims if c.disputed] == ["C2"]


@pytest.mark.parametrize(
    ("decision", "settled"),
    [("accept", ("P1",)), ("revise", ("P1",)), ("defer", ()), ("reject", ())],
)
def test_an_accepted_proposal_settles_the_claim_whose_words_it_replaces(
    project: ProjectFolder, decision: str, settled: tuple[str, ...]
) -> None:
    decide(project, ("P1", decision))
    view = project.view()
    assert {str(c.claim.id): c.settled_by for c in view.claims} == {
        "C1": (),
        "C2": settled,
        "C3": (),
    }


def test_words_inserted_behind_a_passage_settle_nothing(project: ProjectFolder) -> None:
    project.change(
        "proposals.yaml", "old: saves up to 60% of the water", "after: one passage. A gate"
    )
    decide(project, ("P1", "accept"))
    assert all(not found.settled_by for found in project.view().claims)


def test_a_decision_on_what_it_was_about_counts(project: ProjectFolder) -> None:
    state = proposal_state(project.gathered().proposals[0])
    line = f"- {{target: P1, decision: accept, by: x, date: 2026-11-20, of: {state}}}\n"
    project.write("review.yaml", line)
    assert [name for name, _ in project.view().decisions] == ["P1"]


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("about 40%", "some 40%", False),
        ("kind: correction", "kind: clarification", False),
        ("claims: [C2]", "claims: [C2, C1]", False),
        ("title: The saving", "title: What is saved", True),
        ("reason: the figure", "reason: the one figure", True),
    ],
)
def test_a_decision_on_what_has_changed_since_is_outdated(
    project: ProjectFolder, old: str, new: str, counts: bool
) -> None:
    state = proposal_state(project.gathered().proposals[0])
    line = f"- {{target: P1, decision: accept, by: x, date: 2026-11-20, of: {state}}}\n"
    project.write("review.yaml", line)
    project.change("proposals.yaml", old, new)
    view = project.view()
    assert bool(view.decisions) is counts
    assert bool(view.claims[1].settled_by) is counts


def test_a_state_is_eight_hex_digits(project: ProjectFolder) -> None:
    state = proposal_state(project.gathered().proposals[0])
    assert len(state) == 8
    assert int(state, 16) >= 0


# --- evidence


def test_a_claim_knows_its_evidence(project: ProjectFolder) -> None:
    first, second, third = project.view().claims
    assert [(str(s.id), str(b.relation)) for s, b in first.evidence] == [("S1", "supports")]
    assert [(str(s.id), str(b.relation)) for s, b in second.evidence] == [("S2", "contradicts")]
    assert [(str(c.id), str(b.relation)) for c, b in third.checks] == [("L1", "supports")]
    assert [str(p.id) for p in second.proposals] == ["P1"]
    assert [found.derived for found in (first, second, third)] == [
        "supported",
        "contradicted",
        "supported",
    ]
    assert all(found.agrees for found in (first, second, third))


def test_a_check_that_nobody_ran_is_no_evidence(project: ProjectFolder) -> None:
    assert dict(project.view().statuses) == {"X1": RunStatus.UNRUN, "L1": RunStatus.REPORTED}
    text = project.read("experiments.yaml")
    line = next(words for words in text.splitlines(keepends=True) if "reported:" in words)
    project.write("experiments.yaml", text.replace(line, ""))
    view = project.view()
    assert view.status("L1") is RunStatus.UNRUN
    assert view.claims[2].checks == ()
    assert view.claims[2].derived == "unsupported"


def test_edits_know_their_place_in_the_unchanged_snapshot(project: ProjectFolder) -> None:
    project.change(
        "proposals.yaml",
        "      new: saves about 40% of the water\n",
        "      new: saves about 40% of the water\n    - {after: of one passage, new: x}\n"
        "    - {old: the levels, new: x}\n    - {old: nowhere, new: x}\n",
    )
    view = project.view()
    assert view.pack.snapshot is not None
    text = view.pack.snapshot.text
    replaced, inserted, twice, lost = view.edits
    assert replaced.span is not None
    assert inserted.span is not None
    assert text[slice(*replaced.span)] == "saves up to 60% of the water"
    assert inserted.span[0] == inserted.span[1]
    assert text[: inserted.span[0]].endswith("of one passage")
    assert (twice.span, twice.occurrences) == (None, 2)
    assert (lost.span, lost.occurrences) == (None, 0)


def test_sentences_that_a_claim_touches_are_audited(project: ProjectFolder) -> None:
    view = project.view()
    assert view.pack.snapshot is not None
    told = [view.pack.snapshot.text[slice(*s.span)] for s in view.coverage.untouched]
    assert "A side pond saves up to 60% of the water of one passage." not in told
    assert "A lock lifts a boat from one level of water to the next." in told
    project.write("claims.md", "# none\n")
    assert len(project.view().coverage.untouched) == view.coverage.sentences
