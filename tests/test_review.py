"""Merging decisions into review.yaml: nothing that was there changes, and nobody is overruled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import TODAY, ProjectFolder
from researchpack.formats.review import read_review
from researchpack.places import Place, Text
from researchpack.records import Decision, Edit
from researchpack.reviewing import (
    LARGEST,
    BadDecisions,
    Merged,
    appended,
    apply_file,
    merge_told,
    state_of,
)

if TYPE_CHECKING:
    from researchpack.records import View

OLD = "- target: C1\n  decision: agree\n  by: the author\n  date: 2026-11-20\n"
ACCEPT = "- target: P1\n  decision: accept\n  by: the editor\n  date: 2026-11-25\n"
EDITS = '  edits:\n    - old: saves up to 60% of the water\n      new: "saves: less # than 60%"\n'
REVISE = ACCEPT.replace("accept", "revise") + EDITS


def apply(project: ProjectFolder, text: str | bytes) -> Merged:
    """Merge a file of decisions that lies outside of the project."""
    path = project.root.parent / "decisions.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return apply_file(project.root, project.pack, path, TODAY)


def written(project: ProjectFolder) -> list[tuple[str, str, str, str]]:
    """Target, decision, who and when of all entries, as the file has them now."""
    found = read_review(project.read("review.yaml").removeprefix("\ufeff"), "review.yaml")
    assert found.problems == ()
    return [(str(d.target), str(d.decision), str(d.by), str(d.date)) for d in found.value]


# --- every byte of the old file stays ---------------------------------------------------------

FORMS = {
    "comments": "# before\n\n" + OLD + "  # inside of the entry\n\n# at the end\n",
    "line ends of Windows": OLD.replace("\n", "\r\n"),
    "no line end at the end": OLD.rstrip("\n"),
    "a comment without a line end": OLD + "# the end",
    "a byte order mark": "\ufeff" + OLD,
    "an indented list": "".join(f"  {line}\n" for line in OLD.splitlines()),
    "quotes and blocks": OLD + "  reason: |\n    two\n    lines\n",
    "only a comment": "# None has been made yet.\n",
    "nothing": "",
}


@pytest.mark.parametrize("form", FORMS)
def test_what_was_there_stays_byte_for_byte(project: ProjectFolder, form: str) -> None:
    old = FORMS[form]
    project.write("review.yaml", old)
    assert apply(project, REVISE).added == ("P1",)
    new = project.read("review.yaml")
    assert new.startswith(old)
    rest = new.removeprefix(old)
    assert ("\r\n" in rest) == ("\r\n" in old)
    assert rest.count("\n") == rest.count("\r\n") or "\r" not in old
    before = [("C1", "agree", "the author", "2026-11-20")] if "C1" in old else []
    assert written(project) == [*before, ("P1", "revise", "the editor", "2026-11-25")]
    assert project.view().pack.decisions[-1].edits[0].new == "saves: less # than 60%"


def test_a_pack_without_the_file_gets_one(project: ProjectFolder) -> None:
    project.path("review.yaml").unlink()
    apply(project, ACCEPT)
    assert written(project) == [("P1", "accept", "the editor", "2026-11-25")]
    assert project.rules() == []


@pytest.mark.parametrize("old", ["[]\n", "[{target: C1, decision: agree, by: a, date: 2026}]\n"])
def test_a_list_in_brackets_cannot_be_gone_on_with(project: ProjectFolder, old: str) -> None:
    project.write("review.yaml", old)
    with pytest.raises(BadDecisions, match="begin with a dash"):
        apply(project, ACCEPT)
    assert project.read("review.yaml") == old


@pytest.mark.parametrize("old", [OLD + "  - x: [\n", OLD.encode() + b"# \xff\n"])
def test_a_broken_file_is_left_alone(project: ProjectFolder, old: str | bytes) -> None:
    path = project.write("review.yaml", old)
    before = path.read_bytes()
    with pytest.raises(BadDecisions, match="cannot be read"):
        apply(project, ACCEPT)
    assert path.read_bytes() == before


def test_a_link_is_not_replaced_by_a_file(project: ProjectFolder, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text(OLD)
    project.path("review.yaml").unlink()
    project.path("review.yaml").symlink_to(elsewhere)
    with pytest.raises(BadDecisions):
        apply(project, ACCEPT)
    assert project.path("review.yaml").is_symlink()
    assert elsewhere.read_text() == OLD


def test_what_is_merged_is_what_the_check_wants(project: ProjectFolder) -> None:
    apply(project, REVISE + "- target: C2\n  decision: dispute\n  by: a\n  date: 2026-11-25\n")
    assert project.rules() == []
    found = project.view()
    assert {name: str(d.decision) for name, d in found.decisions} == {
        "C1": "agree",
        "P1": "revise",
        "C2": "dispute",
    }
    assert dict(found.decisions)["P1"].of == state_of(found, "P1")
    disputed = found.claim("C2")
    assert disputed is not None
    assert disputed.disputed is not None


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The pack as a browser shows it."""
    root = tmp_path_factory.mktemp("seen") / "project"
    root.mkdir()
    return ProjectFolder(root).view()


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)


def text(words: str) -> Text:
    return Text(words, Place("here"))


@given(by=WORDS, reason=WORDS, old=WORDS, new=WORDS)
def test_any_words_are_read_back_as_they_were(
    seen: View, by: str, reason: str, old: str, new: str
) -> None:
    """Also words that YAML takes for line breaks, comments, keys or no text at all."""
    decision = Decision(
        target=text("P1"),
        decision=text("revise"),
        by=text(by),
        date=text("2026-11-25"),
        reason=text(reason),
        edits=(Edit(old=text(old), new=text(new), place=Place("here")),),
        place=Place("here"),
    )
    found = read_review(appended(OLD, [decision], seen), "review.yaml")
    assert found.problems == ()
    last = found.value[-1]
    assert (last.by, last.reason, last.edits[0].old, last.edits[0].new) == (by, reason, old, new)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "why"),
    [
        (ACCEPT.replace("P1", "P9"), "P9 is no proposal and no claim"),
        (ACCEPT.replace("P1", "S1"), "S1 is no proposal and no claim"),
        (ACCEPT.replace("accept", "agree"), '"agree" is none of accept, revise, defer, reject'),
        (ACCEPT.replace("P1", "C2"), '"accept" is none of agree, dispute'),
        (ACCEPT.replace("2026-11-25", "yesterday"), "on which day, is missing"),
        (ACCEPT.replace("2026-11-25", '"2026-11-25\\n  of: x"'), "on which day, is missing"),
        (ACCEPT.replace("accept", "revise"), "the wording is missing"),
        (ACCEPT + "  of: 00000000\n", "has changed since"),
    ],
)
def test_what_makes_no_sense_is_refused_and_the_rest_is_taken(
    project: ProjectFolder, decision: str, why: str
) -> None:
    good = "- target: C3\n  decision: agree\n  by: the editor\n  date: 2026-11-25\n"
    merged = apply(project, decision + good)
    assert merged.added == ("C3",)
    (told,) = merged.refused
    assert why in told
    assert len(written(project)) == 2


@pytest.mark.parametrize(
    "data",
    [
        ACCEPT.replace("  by: the editor\n", ""),
        ACCEPT + "  colour: red\n",
        ACCEPT + "\t\n",
        b"\xff\xfe",
        "target: P1\n",
        ACCEPT + "# " + "x" * LARGEST,
    ],
)
def test_a_file_that_is_none_of_ours_changes_nothing(
    project: ProjectFolder, data: str | bytes
) -> None:
    before = project.read("review.yaml")
    with pytest.raises(BadDecisions):
        apply(project, data)
    assert project.read("review.yaml") == before


# --- who decided first ------------------------------------------------------------------------


def test_who_applies_twice_adds_once(project: ProjectFolder) -> None:
    apply(project, ACCEPT)
    before = project.read("review.yaml")
    again = apply(project, ACCEPT)
    assert (again.added, again.already) == ((), ("P1",))
    assert project.read("review.yaml") == before


def test_an_old_file_does_not_bring_back_an_old_decision(project: ProjectFolder) -> None:
    apply(project, ACCEPT)
    apply(project, ACCEPT.replace("accept", "reject").replace("11-25", "11-27"))
    again = apply(project, ACCEPT)
    assert again.already == ("P1",)
    assert dict(project.view().decisions)["P1"].decision == "reject"


@pytest.mark.parametrize(
    ("decision", "by", "date", "wanted"),
    [
        ("reject", "the author", "2026-11-24", "conflict"),
        ("reject", "the editor", "2026-11-24", "conflict"),
        ("reject", "the author", "2026-11-25", "conflict"),
        ("reject", "the editor", "2026-11-25", "added"),
        ("reject", "the author", "2026-11-26", "added"),
        ("accept", "the author", "2026-11-24", "added"),
        ("accept", "the editor", "2026-11-26", "already"),
    ],
)
def test_who_decided_otherwise_since_is_not_overruled(
    project: ProjectFolder, decision: str, by: str, date: str, wanted: str
) -> None:
    """In the file: the editor accepted on the 25th."""
    apply(project, ACCEPT)
    merged = apply(project, f"- target: P1\n  decision: {decision}\n  by: {by}\n  date: {date}\n")
    told = {"added": merged.added, "already": merged.already, "conflict": merged.conflicts}
    assert [name for name, found in told.items() if found] == [wanted]
    for line in merged.conflicts:
        assert "the editor decided accept on 2026-11-25" in line
        assert f"this {decision} by {by} is of {date}" in line


def test_of_two_decisions_in_one_file_the_last_one_counts(project: ProjectFolder) -> None:
    merged = apply(project, ACCEPT + ACCEPT.replace("accept", "defer"))
    assert merged.added == ("P1", "P1")
    assert dict(project.view().decisions)["P1"].decision == "defer"


# --- what a decision is about ------------------------------------------------------------------


def test_a_decision_on_a_changed_proposal_does_not_count_and_can_be_made_anew(
    project: ProjectFolder,
) -> None:
    apply(project, ACCEPT)
    project.change("proposals.yaml", "saves about 40%", "saves about 45%")
    assert "P1" not in dict(project.view().decisions)
    assert project.rules() == ["review.outdated"]
    assert apply(project, ACCEPT).added == ("P1",), "the same words about another proposal"
    assert dict(project.view().decisions)["P1"].decision == "accept"
    assert project.rules() == []


def test_a_decision_on_a_changed_claim_does_not_count(project: ProjectFolder) -> None:
    apply(project, "- target: C2\n  decision: dispute\n  by: a\n  date: 2026-11-25\n")
    project.change("claims.md", "The source gives another figure.", "It gives 40%.")
    found = project.view().claim("C2")
    assert found is not None
    assert found.disputed is None
    assert project.rules() == ["review.outdated"]


def test_a_new_title_leaves_a_decision_as_it_is(project: ProjectFolder) -> None:
    apply(project, ACCEPT)
    project.change("proposals.yaml", "title: The saving of a side pond", "title: Side ponds")
    assert dict(project.view().decisions)["P1"].decision == "accept"


# --- what the buttons of `serve` send ---------------------------------------------------------

SENT: dict[str, Any] = {
    "target": "P1",
    "decision": "accept",
    "by": "x",
    "date": "2026-11-25",
}


def test_what_the_buttons_send_is_merged(project: ProjectFolder) -> None:
    sent = {
        **SENT,
        "decision": "revise",
        "reason": "a\nb",
        "of": state_of(project.view(), "P1"),
        "edits": [{"old": "saves up to 60% of the water", "new": "\u2028x\u0085"}],
    }
    told = json.loads(json.dumps({"pack": project.pack, "decisions": [sent]}))
    assert merge_told(project.root, told, TODAY).added == ("P1",)
    last = project.view().pack.decisions[-1]
    assert (last.reason, last.edits[0].new) == ("a\nb", "\u2028x\u0085")


@pytest.mark.parametrize(
    "decisions",
    [
        None,
        {},
        "P1",
        [1],
        [{}],
        [{**SENT, "target": 5}],
        [{**SENT, "target": "../P1"}],
        [{**SENT, "date": "today"}],
        [{**SENT, "date": None}],
        [{**SENT, "edits": 5}],
        [{**SENT, "edits": "abc"}],
        [{**SENT, "edits": {"old": "a", "new": "b"}}],
        [{**SENT, "edits": [{"old": "a"}]}],
        [{**SENT, "edits": [{"new": "a"}]}],
        [{**SENT, "edits": [{"old": "a", "after": "b", "new": "c"}]}],
    ],
)
def test_anything_else_is_no_list_of_decisions(project: ProjectFolder, decisions: Any) -> None:
    before = project.read("review.yaml")
    with pytest.raises(BadDecisions):
        merge_told(project.root, {"pack": project.pack, "decisions": decisions}, TODAY)
    assert project.read("review.yaml") == before


def test_half_of_a_character_is_refused(project: ProjectFolder) -> None:
    """JSON can hold it, no file can."""
    told = {"pack": project.pack, "decisions": [{**SENT, "reason": "\ud83d"}]}
    merged = merge_told(project.root, told, TODAY)
    assert merged.added == ()
    assert "half of a character" in merged.refused[0]
