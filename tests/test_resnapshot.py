"""A new revision of the chapter, taken through the real command in a copy of the first pack."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from conftest import REPOSITORY, TODAY
from researchpack import disk
from researchpack.build import shown_packs
from researchpack.gather import gather
from researchpack.pages import history, overview
from researchpack.passing import close_pass
from researchpack.prose import fingerprint
from researchpack.records import State, View
from researchpack.resnapshot import GROUPS, resnapshot, write
from researchpack.views import view

pytestmark = pytest.mark.slow

NAME = "debugging-ai/39-chapter"
SECOND = Path(__file__).parent / "cases" / "second-edition" / "chapter.txt"
COMMAND = Path(sys.executable).parent / "researchpack"
DAY = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
STATES = {word for _, words in GROUPS for word in words}
SETTLED = {
    *("C25", "C36", "C39", "C41", "C42", "C51", "C56", "C57", "C98", "C99", "C100"),
}
"""Claims whose passage the repairs of the second edition took away or rewrote."""
OPEN = {"C82", "C86", "C106"}
"""Claims whose passage the author changed on his own."""


class Copy:
    """The project of this repository, where a test may write."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "research" / NAME
        shutil.copytree(REPOSITORY / "research", root / "research")
        shutil.copytree(REPOSITORY / "bib", root / "bib")
        shutil.copy(REPOSITORY / "mkdocs.yml", root)

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run the command in the project."""
        return subprocess.run(
            [COMMAND, *words], cwd=self.root, capture_output=True, text=True, check=False
        )

    def take(self, new: Path = SECOND, *options: str) -> subprocess.CompletedProcess[str]:
        """Take a new revision, as of the day of the tests."""
        return self.run("resnapshot", NAME, new, "--today", TODAY, *options)

    def told(self, *options: str, new: Path = SECOND) -> dict[str, Any]:
        """What the command says as JSON."""
        found: dict[str, Any] = json.loads(self.take(new, "--format", "json", *options).stdout)
        return found

    def files(self) -> dict[str, bytes]:
        """Every file of the project and its bytes."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def view(self) -> View:
        """The pack as it is now."""
        project = gather(self.root, [NAME])
        return view(project.packs[0], project.vocabulary, TODAY)

    def revision(self, text: str) -> Path:
        """A file with a new revision, outside of the research."""
        path = self.root / "new.txt"
        path.write_bytes(text.encode())
        return path


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A copy of the project, without its site."""
    return Copy(tmp_path)


@pytest.fixture
def chapter() -> str:
    """The text that the last pass read."""
    return (REPOSITORY / "research" / NAME / "chapter-snapshot.txt").read_bytes().decode()


# --- the report -------------------------------------------------------------------------------


def test_a_dry_run_tells_everything_and_writes_nothing(copy: Copy) -> None:
    before = copy.files()
    done = copy.take(SECOND, "--dry-run")
    assert done.returncode == 1
    assert "Nothing was written." in done.stderr
    assert copy.files() == before
    groups = {
        name: int(re.findall(rf"^{name}: (\d+)$", done.stdout, re.M)[0]) for name, _ in GROUPS
    }
    assert groups["moved"] == 1
    assert groups["changed"] + groups["gone"] == len(SETTLED | OPEN)
    assert sum(groups.values()) == len(copy.view().claims)


def test_the_json_report_has_the_agreed_form(copy: Copy) -> None:
    told = copy.told("--dry-run")
    assert list(told) == ["state", "reasons", "snapshot", "claims"]
    assert told["state"] == "STALE"
    old = (copy.folder / "chapter-snapshot.txt").read_bytes()
    assert told["snapshot"] == {
        "old": hashlib.sha256(old).hexdigest(),
        "new": hashlib.sha256(SECOND.read_bytes()).hexdigest(),
    }
    text = SECOND.read_bytes().decode()
    assert [claim["id"] for claim in told["claims"]] == [
        found.claim.id for found in copy.view().claims
    ]
    for claim in told["claims"]:
        assert list(claim) == ["id", "state", "places", "diff"]
        assert claim["state"] in STATES
        assert bool(claim["places"]) == (claim["state"] != "orphan")
        assert (claim["diff"] is not None) == (claim["state"] == "changed")
        for place in claim["places"]:
            assert list(place) == ["start", "end"]
            assert 0 <= place["start"] < place["end"] <= len(text)
    by_id = {claim["id"]: claim for claim in told["claims"]}
    (place,) = by_id["C56"]["places"]
    assert text[place["start"] : place["end"]] == (
        "three tries at each of five layers is a 243x load amplification"
    )
    assert by_id["C106"]["diff"] == [{"old": "not", "new": "", "raised": "negation"}]
    assert by_id["C15"]["state"] == "moved"
    assert len(by_id["C35"]["places"]) == 3 or by_id["C35"]["state"] == "exact"
    assert {c["id"] for c in told["claims"] if c["state"] in ("changed", "orphan")} == (
        SETTLED | OPEN
    )


def test_the_reasons_name_every_claim_that_needs_a_person(copy: Copy) -> None:
    reasons = copy.told("--dry-run")["reasons"]
    assert reasons[0] == "the chapter's text changed since the last pass"
    named = {reason.partition(":")[0] for reason in reasons[1:]}
    assert named == SETTLED | OPEN
    assert "C106: its passage reads differently (negation)" in reasons


# --- what is written --------------------------------------------------------------------------


def test_the_old_revision_is_kept_byte_for_byte(copy: Copy) -> None:
    before = copy.files()
    assert copy.take().returncode == 1
    after = copy.files()
    snapshot = f"research/{NAME}/chapter-snapshot.txt"
    kept = f"research/{NAME}/snapshots/{hashlib.sha256(before[snapshot]).hexdigest()[:12]}.txt"
    assert after[kept] == before[snapshot]
    assert after[snapshot] == SECOND.read_bytes()
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed <= {snapshot, kept, f"research/{NAME}/pack.yaml"}
    assert set(before) <= set(after)


def test_the_day_of_the_snapshot_is_written_and_nothing_else_of_pack_yaml(copy: Copy) -> None:
    before = (copy.folder / "pack.yaml").read_text()
    copy.run("resnapshot", NAME, SECOND, "--today", "2027-03-04")
    after = (copy.folder / "pack.yaml").read_text()
    assert after == re.sub(r"(?m)^(  taken: ).*$", r"\g<1>2027-03-04", before)
    assert after != before


def test_taking_it_twice_changes_nothing_more(copy: Copy) -> None:
    copy.take()
    before = copy.files()
    assert copy.take().returncode == 1
    assert copy.files() == before


def test_accepting_rewrites_the_cells_that_were_named_and_no_other_byte(copy: Copy) -> None:
    before = (copy.folder / "claims.md").read_bytes().decode()
    told = copy.told("--accept", "C56,C42")
    after = (copy.folder / "claims.md").read_bytes().decode()
    pairs = [
        (one, two)
        for one, two in zip(before.split("\n"), after.split("\n"), strict=True)
        if one != two
    ]
    assert [one.split("|")[1].strip() for one, _ in pairs] == ["C42", "C56"]
    for one, two in pairs:
        assert one.split("|")[:2] + one.split("|")[3:] == two.split("|")[:2] + two.split("|")[3:]
    assert pairs[1][1].split("|")[2] == (
        ' "three tries at each of five layers is a 243x load amplification" '
    )
    states = {claim["id"]: claim["state"] for claim in told["claims"]}
    assert states["C56"] == states["C42"] == "exact"
    assert states["C106"] == "changed"
    again = {found.claim.id: found.old_passage for found in copy.view().claims}
    assert again["C56"] is None
    assert again["C106"] is not None


@pytest.mark.parametrize("ids", ["C999", "C56,C999", "C25", "C56,C1", "c56"])
def test_what_cannot_be_accepted_stops_everything(copy: Copy, ids: str) -> None:
    before = copy.files()
    done = copy.take(SECOND, "--accept", ids)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert copy.files() == before


def test_a_revision_that_is_no_text_stops_everything(copy: Copy) -> None:
    path = copy.root / "new.txt"
    path.write_bytes(b"\xff\xfe broken")
    before = copy.files()
    assert copy.take(path).returncode == 2
    assert copy.files() == before


@pytest.mark.parametrize("last", range(4))
def test_whoever_is_stopped_between_two_files_loses_nothing(
    copy: Copy, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, real, written = (copy.folder / "chapter-snapshot.txt").read_bytes(), disk.write_bytes, []

    def stopping(path: Path, data: bytes) -> None:
        if len(written) == last:
            raise KeyboardInterrupt
        written.append(path)
        real(path, data)

    data = SECOND.read_bytes()
    planned = resnapshot(copy.root, NAME, data, ["C56", "C42"], "2026-12-24")
    assert len(planned.writes) == 4
    with monkeypatch.context() as patch:
        patch.setattr(disk, "write_bytes", stopping)
        with pytest.raises(KeyboardInterrupt):
            write(planned)
    kept = copy.folder / "snapshots" / f"{hashlib.sha256(old).hexdigest()[:12]}.txt"
    now = (copy.folder / "chapter-snapshot.txt").read_bytes()
    assert now == old or kept.read_bytes() == old
    write(resnapshot(copy.root, NAME, data, ["C56", "C42"], "2026-12-24"))
    assert kept.read_bytes() == old
    assert (copy.folder / "chapter-snapshot.txt").read_bytes() == data
    states = {found.claim.id: found.old_passage for found in copy.view().claims}
    assert states["C56"] is states["C42"] is None


# --- states -----------------------------------------------------------------------------------


def test_the_first_revision_is_current_and_the_second_is_stale(copy: Copy) -> None:
    assert copy.view().state is State.CURRENT
    copy.take()
    found = copy.view()
    assert found.state is State.STALE
    assert len(found.state_reasons) == 1 + len(SETTLED | OPEN)


def test_other_wrapping_numbers_and_marks_are_not_stale(copy: Copy, chapter: str) -> None:
    words = re.sub(r"(?m)^(\d)\. ", lambda marker: f"{int(marker[1]) + 3}) ", chapter)
    words = re.sub(r"(?<=[a-z]), ", ",\n   ", words.replace("\n• ", "\n- "))
    words = words.replace("“", '"').replace("’", "'").replace("—", "–")
    assert words != chapter
    assert fingerprint(words) == fingerprint(chapter)
    new = copy.revision(words)
    done = copy.take(new)
    assert done.returncode == 0, done.stdout
    found = copy.view()
    assert (found.state, found.state_reasons) == (State.CURRENT, ())
    assert all(claim.old_passage is None for claim in found.claims)


def test_one_number_that_nobody_made_a_claim_about_is_stale(copy: Copy, chapter: str) -> None:
    new = copy.revision(chapter.replace("Part VII", "Part VIII"))
    done = copy.take(new)
    assert done.returncode == 0
    assert copy.view().state is State.STALE
    assert copy.view().state_reasons == ("the chapter's text changed since the last pass",)


@pytest.mark.parametrize(("text", "state"), [("as it was", "CURRENT"), ("another", "STALE")])
def test_a_book_file_that_changed_is_noticed_without_asking(
    copy: Copy, text: str, state: str
) -> None:
    book = copy.root / "book"
    book.mkdir()
    (book / "39.md").write_text(text)
    settings = copy.root / "research" / "settings.yaml"
    old = settings.read_text()
    new = old.replace("book_folders: {}", f"book_folders: {{debugging-ai: {book.as_posix()}}}")
    assert new != old
    settings.write_text(new)
    pack = copy.folder / "pack.yaml"
    digest = hashlib.sha256(b"as it was").hexdigest()
    words = f"snapshot:\n  source: 39.md\n  source_sha256: {digest}\n"
    pack.write_text(pack.read_text().replace("snapshot:\n", words, 1))
    found = copy.view()
    assert found.state.value == state
    assert found.state_reasons == (() if state == "CURRENT" else ("the book's file changed",))


def test_after_the_next_pass_the_pack_is_current_and_the_delta_is_shown(copy: Copy) -> None:
    first = close_pass(copy.root, NAME, DAY, record=False)
    copy.take(SECOND, "--accept", "C56,C42")
    shown = shown_packs(gather(copy.root))[0]
    assert shown.view.state is State.STALE
    delta = shown.view.delta
    assert delta is not None
    assert delta.since == first.id
    assert set(delta.claims_changed) == {"C42", "C56"}
    assert set(delta.claims_settled) >= SETTLED - {"C42", "C56"}
    assert (delta.claims_added, delta.claims_removed, delta.sources_added) == ((), (), ())
    assert delta.relations_reused > 0
    close_pass(copy.root, NAME, DAY + timedelta(hours=1), record=True)
    found = copy.view()
    assert found.pack.snapshot is not None
    assert found.pack.file.passes[-1].read == found.pack.snapshot.sha256
    assert found.base is None
    assert found.state is State.CURRENT


def test_closing_a_pass_tells_the_file_and_the_id(copy: Copy) -> None:
    before = copy.files()
    done = copy.run("pass", "close", NAME)
    assert done.returncode == 0, done.stderr
    (name,) = set(copy.files()) - set(before)
    content = json.loads((copy.root / name).read_bytes())
    assert done.stdout == f"Frozen as {name}\nPass id {content['pass']['id']}\n"
    assert re.fullmatch(r"debugging-ai:39:\d{8}T\d{6}:[0-9a-f]{12}", content["pass"]["id"])
    assert re.fullmatch(
        rf"research/{NAME}/passes/\d{{8}}t\d{{6}}z-{content['pass']['id'][-12:]}\.json", name
    )
    assert {name: data for name, data in copy.files().items() if name in before} == before


# --- what a reviewer sees ---------------------------------------------------------------------


def test_the_pages_group_the_claims_by_what_the_corrections_did(copy: Copy) -> None:
    copy.take()
    shown = shown_packs(gather(copy.root))[0]
    claims = shown.view.claims
    settled = {found.claim.id for found in claims if found.settled_by}
    stale = {found.claim.id for found in claims if found.old_passage is not None}
    assert settled >= SETTLED
    assert stale - settled == OPEN
    numbers = {
        "settled by repairs": len(settled),
        "still to be evaluated anew": len(OPEN),
        "moved": 1,
        "stand unchanged": len(claims) - len(settled | OPEN) - 1,
    }
    for html in (history.page(shown).html, overview.page(shown, []).html):
        words = " ".join(re.sub(r"<[^>]+>", " ", html).split())
        for name, number in numbers.items():
            assert re.search(rf"{number}\W+{name}|{name}[^.]{{0,60}}?\b{number}\b", words), name
    html = history.page(shown).html
    for claim_id in stale | {"C15"}:
        assert re.search(rf"<th scope=\"row\">.*?{claim_id}\b", html), claim_id
    assert len(claims) == sum(numbers.values())
