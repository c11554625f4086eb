"""The patch of the accepted proposals: git takes it, and nothing doubtful is in it."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import TODAY
from researchpack.cli import cli
from researchpack.exports.patch import Change, apply, overlaps, unified
from researchpack.patching import NoPatch, Patch, make_patch
from researchpack.resnapshot import resnapshot, write
from researchpack.reviewing import apply_file

if TYPE_CHECKING:
    from conftest import ProjectFolder

SNAPSHOT = "chapter-snapshot.txt"
SIDE = "A side pond saves up to 60% of the water of one passage."


def git(folder: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    """One git command as on a machine where nobody has set anything."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0 or not check, done.stderr.decode()
    return done


def git_apply(folder: Path, patch: str) -> None:
    """Apply a patch at the root of a folder, after git has said that it can."""
    (folder / "it.patch").write_bytes(patch.encode())
    git(folder, "apply", "--check", "it.patch")
    git(folder, "apply", "it.patch")
    (folder / "it.patch").unlink()


def propose(project: ProjectFolder, *proposals: list[dict[str, str]], **more: Any) -> None:
    """Proposals P1, P2 … with these edits, in the place of the one of the small pack."""
    told = [
        {
            "id": f"P{number}",
            "title": f"Number {number}",
            "kind": "clarification",
            "claims": ["C2"],
            "rationale": "It reads better.",
            **({"edits": edits} if edits else {"reason_no_text": "Nobody knows."}),
            **more.get(f"P{number}", {}),
        }
        for number, edits in enumerate(proposals, 1)
    ]
    project.write("proposals.yaml", yaml.safe_dump(told, allow_unicode=True, sort_keys=False))


def decide(project: ProjectFolder, **decisions: Any) -> None:
    """Merge decisions; a list of edits is a revision."""
    told = [
        {
            "target": name,
            "decision": "revise" if isinstance(what, list) else what,
            "by": "the author",
            "date": "2026-11-25",
            **({"edits": what} if isinstance(what, list) else {}),
        }
        for name, what in decisions.items()
    ]
    path = project.root.parent / "decisions.yaml"
    path.write_text(yaml.safe_dump(told, allow_unicode=True, sort_keys=False), encoding="utf-8")
    merged = apply_file(project.root, project.pack, path, TODAY)
    assert merged.added == tuple(decisions)


def patch(project: ProjectFolder, against: Path | None = None) -> Patch:
    return make_patch(project.root, project.pack, TODAY, against)


def old(words: str, new: str) -> dict[str, str]:
    return {"old": words, "new": new}


def after(words: str, new: str) -> dict[str, str]:
    return {"after": words, "new": new}


# --- against the snapshot ---------------------------------------------------------------------


def test_the_patch_of_one_accepted_proposal(project: ProjectFolder) -> None:
    decide(project, P1="accept")
    made = patch(project)
    assert made == Patch(
        text=f"""\
--- a/research/river-craft/03-locks/chapter-snapshot.txt
+++ b/research/river-craft/03-locks/chapter-snapshot.txt
@@ -13,7 +13,7 @@
     return reserve // volume
{" "}
 Saving water
-A side pond saves up to 60% of the water of one passage. A gate is never opened while the levels differ.
+A side pond saves about 40% of the water of one passage. A gate is never opened while the levels differ.
{" "}
 References
 • Ines Halvorsen. Filling Times of Small Locks. Journal of Inland Waters, 2011.
""",  # noqa: E501
        proposals=("P1",),
        refusals=(),
    )
    before = project.read(SNAPSHOT)
    git_apply(project.root, made.text)
    assert project.read(SNAPSHOT) == before.replace("up to 60%", "about 40%")


def test_git_takes_it_in_a_folder_of_a_larger_repository(project: ProjectFolder) -> None:
    decide(project, P1="accept")
    git(project.root.parent, "init", "-q")
    git_apply(project.root, patch(project).text)
    assert "about 40%" in project.read(SNAPSHOT)


@pytest.mark.parametrize(
    "end", ["Brandt. Side Ponds. Canal Press, 1998.", "1998.\r\n", "1998.\n\n"]
)
def test_the_end_of_the_file_is_kept_as_it_is(project: ProjectFolder, end: str) -> None:
    words = "Canal Press, 1998."
    text = project.read(SNAPSHOT).removesuffix(end.strip() + "\n") + end
    project.write(SNAPSHOT, text)
    propose(project, [after(words, " 2nd edition.")], [after(words, "\n• A third work, 2020.")])
    decide(project, P1="accept", P2="accept")
    made = patch(project)
    assert ("\\ No newline at end of file\n" in made.text) == (not end.endswith("\n"))
    git_apply(project.root, made.text)
    new = f"{words} 2nd edition.\n• A third work, 2020."
    assert project.read(SNAPSHOT) == text.replace(words, new)


def test_line_ends_of_windows_stay(project: ProjectFolder) -> None:
    text = project.read(SNAPSHOT).replace("\n", "\r\n")
    project.write(SNAPSHOT, text)
    decide(project, P1="accept")
    git_apply(project.root, patch(project).text)
    assert project.read(SNAPSHOT) == text.replace("up to 60%", "about 40%")


def test_two_inserts_at_one_place_follow_the_order_of_the_file(project: ProjectFolder) -> None:
    """Whatever order they were decided in; and an insert may touch what another one replaces."""
    propose(
        project,
        [after("How a lock fills", " (one)")],
        [after("How a lock fills", " (two)"), after("How a lock fills", " (three)")],
        [old("How a lock fills", "Filling")],
        [old("\nThe keeper opens", "\nSomebody opens")],
    )
    decide(project, P4="accept", P3="accept", P2="accept", P1="accept")
    made = patch(project)
    git_apply(project.root, made.text)
    assert "\nFilling (one) (two) (three)\nSomebody opens" in project.read(SNAPSHOT)
    assert made.proposals == ("P1", "P2", "P3", "P4")


def test_only_what_counts_is_in_the_patch(project: ProjectFolder) -> None:
    """Accepted and revised; not deferred, rejected, undecided, or decided on as it was before."""
    words = [
        "Locks and weirs\nA lock",
        "The keeper",
        "Saving water",
        "Halvorsen. F",
        "Tomas Brandt",
    ]
    propose(project, *([old(one, one.upper())] for one in words), [old("A side pond", "Ponds")])
    decide(project, P1="accept", P2="defer", P3="reject", P4=[old("Halvorsen. F", "Hal. F")])
    decide(project, P6="accept")
    project.change("proposals.yaml", "new: Ponds", "new: Side ponds")
    made = patch(project)
    assert made.proposals == ("P1", "P4")
    added = [line[1:13] for line in made.text.splitlines() if line.startswith("+")][1:]
    assert added == ["LOCKS AND WE", "A LOCK lifts", "• Ines Hal. "]


def test_a_revised_proposal_uses_the_authors_words_and_places(project: ProjectFolder) -> None:
    own = [old("up to 60%", "some"), after("levels differ.\n\nReferences", "\n(two works)")]
    decide(project, P1=own)
    git_apply(project.root, patch(project).text)
    text = project.read(SNAPSHOT)
    assert "A side pond saves some of the water" in text
    assert "References\n(two works)\n" in text
    assert "40%" not in text


def test_what_overlaps_is_refused_with_both_named(project: ProjectFolder) -> None:
    propose(
        project,
        [old(SIDE, "Ponds save water.")],
        [old("up to 60%", "40%")],
        [after("of the water of", " each and")],
        [old("The keeper", "Somebody")],
    )
    decide(project, P1="accept", P2="accept", P3="accept", P4="accept")
    made = patch(project)
    assert (made.text, made.proposals) == ("", ())
    assert made.refusals == (
        "P1 and P2 change the same words; accept one of them.",
        "P1 and P3 change the same words; accept one of them.",
    )


def test_a_proposal_that_changes_its_own_words_twice_is_refused(project: ProjectFolder) -> None:
    decide(project, P1=[old("up to 60%", "40%"), old("60% of", "half of")])
    assert patch(project).refusals == ("P1 changes the same words twice.",)


def test_what_needs_another_proposal_is_refused_with_both_named(project: ProjectFolder) -> None:
    propose(
        project,
        [old("The keeper", "Somebody")],
        [old("nine minutes", "ten minutes")],
        P2={"depends_on": ["P1"]},
    )
    decide(project, P2="accept", P1="defer")
    assert patch(project).refusals == ("P2 needs P1, which is not accepted.",)
    decide(project, P1="accept")
    assert patch(project).proposals == ("P1", "P2")


@pytest.mark.parametrize(
    ("words", "why"),
    [("no such words", "stand nowhere"), ("A gate is never opened", "stand 2 times")],
)
def test_words_without_one_place_are_refused(project: ProjectFolder, words: str, why: str) -> None:
    decide(project, P1=[old(words, "x")])
    assert patch(project).refusals == (f'P1: its words {why} there: "{words}"',)


def test_a_proposal_without_text_hinders_nobody(project: ProjectFolder) -> None:
    propose(project, [old("The keeper", "Somebody")], [])
    decide(project, P1="accept", P2="accept")
    made = patch(project)
    assert made.proposals == ("P1",)
    assert made.notes == ("P2 has no text yet.",)


def test_without_a_decision_or_a_snapshot_there_is_no_patch(project: ProjectFolder) -> None:
    with pytest.raises(NoPatch, match="No proposal of river-craft/03-locks is accepted"):
        patch(project)
    decide(project, P1="accept")
    project.path(SNAPSHOT).unlink()
    with pytest.raises(NoPatch, match="no snapshot"):
        patch(project)


# --- what git makes of any change -------------------------------------------------------------

LINES = st.text(
    st.sampled_from(["a", "b", " ", "-", "+", "@", "\\", "\t", "\r", "\u2028", "\x0c", "é", "•"]),
    max_size=6,
)


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, list[Change]]:
    """A text and changes that do not overlap, in any order; some are inserts at one place."""
    text = "\n".join(draw(st.lists(LINES, min_size=1, max_size=14)))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=8)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    spans += [(end, end) for _, end in spans if draw(st.booleans())]
    news = [draw(LINES) + draw(st.sampled_from(["", "\n", "\nx"])) for _ in spans]
    found = [Change(proposal="P1", span=s, new=n) for s, n in zip(spans, news, strict=True)]
    return text, draw(st.permutations(found))


@settings(max_examples=60)
@given(case=changed())
def test_git_makes_of_the_patch_what_apply_makes_of_the_changes(
    case: tuple[str, list[Change]],
) -> None:
    text, changes = case
    assert list(overlaps(changes)) == []
    wanted = apply(text, changes)
    made = unified(text, wanted, "a folder/chapter.txt")
    assert (made == "") == (text == wanted)
    if not made:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a folder").mkdir()
        (folder / "a folder/chapter.txt").write_bytes(text.encode())
        git_apply(folder, made)
        path = folder / "a folder/chapter.txt"
        assert (path.read_bytes() if path.exists() else b"").decode() == wanted


# --- against the chapter's Markdown file ------------------------------------------------------

MARKDOWN = """\
---
title: Locks and weirs
---
# Locks and weirs

A **lock** lifts a boat from one level of water to the next. Every lock
on the Orla needs about 240 cubic metres of water for one passage.

## How a lock fills

The keeper opens the *upper sluice*, and the chamber fills in about nine
minutes ([Halvorsen, 2011](#ref)). A gate is never opened while the levels differ.

The steps are:

- Close the lower gates.
- Open the upper sluice.
- Open the upper gates.

```python
def passages(volume, reserve):
    return reserve // volume
```

## Saving water

A side pond saves up to 60% of the water of one passage. A gate is never
opened while the levels differ.

## References

- Ines Halvorsen. Filling Times of Small Locks. *Journal of Inland Waters*, 2011.
- Tomas Brandt. Side Ponds. Canal Press, 1998.
"""


@pytest.mark.parametrize(
    ("edit", "was", "became"),
    [
        (old(SIDE, "It saves 40%."), SIDE, "It saves 40%."),
        (
            old("Every lock on the Orla needs", "A lock there needs"),
            "Every lock\non the Orla needs",
            "A lock there needs",
        ),
        (after("Open the upper gates.", "\n• Go."), "upper gates.", "upper gates.\n- Go."),
        (
            old("• Tomas Brandt. Side Ponds. Canal Press, 1998.", "• T. Brandt, 1998."),
            "- Tomas Brandt. Side Ponds. Canal Press, 1998.",
            "- T. Brandt, 1998.",
        ),
        (old("Halvorsen, 2011", "Halvorsen, 2012"), "[Halvorsen, 2011]", "[Halvorsen, 2012]"),
        (
            old("while the levels differ.\n\nThe steps are:", "while they differ.\n\nSteps:"),
            "while the levels differ.\n\nThe steps are:",
            "while they differ.\n\nSteps:",
        ),
        (
            after("def passages(volume, reserve):", "\n    assert volume"),
            "reserve):\n",
            "reserve):\n    assert volume\n",
        ),
        (old("The steps are:", "Steps:"), "The steps are:", "Steps:"),
    ],
)
def test_what_can_be_mapped_goes_into_the_markdown_file(
    project: ProjectFolder, edit: dict[str, str], was: str, became: str
) -> None:
    path = project.root / "docs" / "chapter.md"
    path.write_text(MARKDOWN)
    assert MARKDOWN.count(was) == 1
    decide(project, P1=[edit])
    made = patch(project, path)
    assert made.left_out == ()
    assert made.proposals == ("P1",)
    git_apply(project.root, made.text)
    assert path.read_text() == MARKDOWN.replace(was, became)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (old("A lock lifts a boat", "Locks lift boats"), "stand there with markup among them"),
        (
            old("about nine minutes (Halvorsen, 2011)", "nine minutes"),
            "stand there with a link among them",
        ),
        (
            old("Journal of Inland Waters, 2011.", "JIW, 2011."),
            "stand there with markup among them",
        ),
        (after("The keeper opens the upper sluice", " slowly"), "stand there with markup"),
        (after("(Halvorsen, 2011", ", p. 3"), "stand there with a link among them"),
        (after("Halvorsen, 2011", ", p. 3"), "stand there with markup among them"),
        (after("fills in about nine", "\n• ten"), "stand there outside of a list"),
        (
            old("References\n• Ines", "References\n• I."),
            "stand there outside of a list, and the new words are items of one",
        ),
        (
            old("differ.\n\nReferences", "differ."),
            "stand nowhere there and once in the snapshot",
        ),
        (old("A side pond", "Ponds.\nA side pond"), "would stand there without their line breaks"),
    ],
)
def test_what_cannot_be_mapped_without_doubt_is_left_out_with_the_reason(
    project: ProjectFolder, edit: dict[str, str], why: str
) -> None:
    path = project.root / "docs" / "chapter.md"
    path.write_text(MARKDOWN)
    propose(project, [edit, old("up to 60%", "40%")], [old("The steps are:", "Steps:")])
    decide(project, P1="accept", P2="accept")
    made = patch(project, path)
    (line,) = made.left_out
    assert line.startswith(f"P1: its words {why}")
    assert made.proposals == ("P2",), "a proposal goes in whole or not at all"
    git_apply(project.root, made.text)
    assert path.read_text() == MARKDOWN.replace("The steps are:", "Steps:")


def test_words_that_stand_elsewhere_too_are_not_guessed(project: ProjectFolder) -> None:
    """The front matter repeats the words; which one the snapshot means is not certain."""
    path = project.root / "docs" / "chapter.md"
    path.write_text(MARKDOWN.replace("title: Locks", "about: Saving water\ntitle: Locks"))
    decide(project, P1=[old("Saving water", "Less water")])
    made = patch(project, path)
    assert made.text == ""
    assert "stand 2 times there and once in the snapshot" in made.left_out[0]


def test_the_same_words_in_two_places_keep_their_order(project: ProjectFolder) -> None:
    """What is unique by its case in the snapshot is found by its number in the other file."""
    path = project.root / "docs" / "chapter.md"
    path.write_text(MARKDOWN.replace("# How a lock fills", "# **How a lock fills**"))
    text = project.read(SNAPSHOT).replace("Saving water\n", "Side ponds\n")
    project.write(SNAPSHOT, text)
    path.write_text(path.read_text().replace("Saving water", "Side ponds"))
    decide(project, P1=[old("Tomas Brandt. Side Ponds", "T. Brandt. Ponds")])
    git_apply(project.root, patch(project, path).text)
    assert "- T. Brandt. Ponds. Canal" in path.read_text()
    assert "## Side ponds" in path.read_text()


def test_the_markdown_file_keeps_its_line_ends(project: ProjectFolder) -> None:
    path = project.root / "docs" / "chapter.md"
    text = MARKDOWN.replace("\n", "\r\n")
    path.write_bytes(text.encode())
    decide(project, P1=[after("Open the upper gates.", "\n• Go.")])
    git_apply(project.root, patch(project, path).text)
    assert path.read_bytes().decode() == text.replace(
        "upper gates.\r\n", "upper gates.\r\n- Go.\r\n"
    )


def test_the_file_of_the_book_is_patched_where_it_is_known(
    project: ProjectFolder, tmp_path: Path
) -> None:
    """`snapshot.source` in the folder that the settings name; paths are those of the book."""
    book = tmp_path / "book"
    (book / "text").mkdir(parents=True)
    (book / "text" / "locks.md").write_text(MARKDOWN)
    project.write("research/settings.yaml", "book_folders: {river-craft: ../book}\n")
    project.change("pack.yaml", "  taken: ", "  source: text/locks.md\n  taken: ")
    decide(project, P1="accept")
    made = patch(project)
    assert made.text.startswith("--- a/text/locks.md\n+++ b/text/locks.md\n")
    assert made.notes == ("Made for text/locks.md.",)
    git_apply(book, made.text)
    assert "saves about 40%" in (book / "text" / "locks.md").read_text()
    snapshot = patch(project, project.path(SNAPSHOT))
    assert snapshot.text.startswith(f"--- a/research/{project.pack}/{SNAPSHOT}\n")


def test_a_source_outside_of_the_book_is_not_read(project: ProjectFolder, tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "secret.md").write_text(MARKDOWN)
    project.write("research/settings.yaml", "book_folders: {river-craft: ../book}\n")
    project.change("pack.yaml", "  taken: ", "  source: ../secret.md\n  taken: ")
    decide(project, P1="accept")
    assert SNAPSHOT in patch(project).text


def test_no_path_of_this_machine_is_in_a_patch(project: ProjectFolder, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.md"
    path.write_text(MARKDOWN)
    decide(project, P1="accept")
    assert patch(project, path).text.startswith("--- a/elsewhere.md\n+++ b/elsewhere.md\n")


def test_a_file_that_is_no_text_is_not_patched(project: ProjectFolder, tmp_path: Path) -> None:
    path = tmp_path / "chapter.md"
    path.write_bytes(b"\xff")
    decide(project, P1="accept")
    with pytest.raises(NoPatch, match="not UTF-8"):
        patch(project, path)


# --- the command ------------------------------------------------------------------------------


def command(project: ProjectFolder, *arguments: str | Path) -> Result:
    whole = ["-C", project.root, "patch", project.pack, *arguments, "--today", TODAY]
    return CliRunner().invoke(cli, [str(word) for word in whole])


def test_the_patch_is_all_of_the_output(project: ProjectFolder, tmp_path: Path) -> None:
    decide(project, P1="accept")
    done = command(project)
    assert (done.exit_code, done.stdout) == (0, patch(project).text)
    assert done.stderr == "In the patch: P1.\n"
    path = tmp_path / "it.patch"
    filed = command(project, "-o", path)
    assert (filed.exit_code, filed.stdout) == (0, "")
    assert path.read_bytes().decode() == done.stdout


def test_a_refusal_writes_nothing_and_fails(project: ProjectFolder, tmp_path: Path) -> None:
    decide(project, P1=[old("no such words", "x")])
    path = tmp_path / "it.patch"
    done = command(project, "-o", path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.endswith("No patch was made.\n")
    assert not path.exists()


def test_what_was_left_out_fails_and_the_rest_is_written(
    project: ProjectFolder, tmp_path: Path
) -> None:
    path = tmp_path / "chapter.md"
    path.write_text(MARKDOWN)
    propose(project, [old("A lock lifts", "Locks lift")], [old("up to 60%", "40%")])
    decide(project, P1="accept", P2="accept")
    done = command(project, "--against", path)
    assert done.exit_code == 1
    assert "P1: its words stand there with markup among them" in done.stderr
    assert done.stderr.endswith("In the patch: P2.\n")
    assert "+A side pond saves 40% of the water" in done.stdout


# --- the chapter takes it over ----------------------------------------------------------------


def test_a_chapter_that_took_the_patch_over_has_its_claims_settled(
    project: ProjectFolder,
) -> None:
    """Accepted and revised alike; and the next patch holds only what is still to be done."""
    propose(
        project,
        [old("up to 60%", "about 40%")],
        [old("about nine minutes", "nine minutes")],
        [old("The keeper", "Somebody")],
        P2={"claims": ["C1"]},
        P3={"claims": ["C3"]},
    )
    own = [old("in about nine minutes", "within ten minutes"), after("The steps are:", " (three)")]
    decide(project, P1="accept", P2=own)
    before = project.path(SNAPSHOT).read_bytes()
    git_apply(project.root, patch(project).text)
    revised = project.path(SNAPSHOT).read_bytes()
    project.path(SNAPSHOT).write_bytes(before)
    write(resnapshot(project.root, project.pack, revised, (), TODAY))
    found = project.view()
    settled = {str(one.claim.id): one.settled_by for one in found.claims}
    assert settled == {"C1": ("P2",), "C2": ("P1",), "C3": ()}
    done = patch(project)
    assert (done.text, done.proposals, done.refusals) == ("", (), ())
    assert done.notes == (
        "P1: the chapter reads so already.",
        "P2: the chapter reads so already.",
    )
    decide(project, P3="accept")
    assert patch(project).proposals == ("P3",)
    git_apply(project.root, patch(project).text)
    assert "\nSomebody opens" in project.read(SNAPSHOT)


def test_claims_are_settled_as_soon_as_their_repair_is_accepted(project: ProjectFolder) -> None:
    """Also where only the author's own wording reaches them."""
    decide(project, P1=[old("Every lock on the Orla", "Every lock there")])
    settled = {str(one.claim.id): one.settled_by for one in project.view().claims}
    assert settled == {"C1": (), "C2": (), "C3": ("P1",)}
