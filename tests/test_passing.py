"""Closing a pass: what is frozen, under which name, and what is written into pack.yaml."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from researchpack.build import shown_packs
from researchpack.checking import check_packs
from researchpack.exports.pack_json import pack_data
from researchpack.gather import gather
from researchpack.pages import history
from researchpack.passing import Closed, NothingToClose, close_pass
from researchpack.records import State

if TYPE_CHECKING:
    from conftest import ProjectFolder

NOW = datetime(2026, 11, 10, 14, 5, 9, tzinfo=UTC)
"""The day of the entry in the small project's pack.yaml."""


def close(project: ProjectFolder, now: datetime = NOW, *, record: bool = False) -> Closed:
    return close_pass(project.root, project.pack, now, record=record)


def frozen(project: ProjectFolder, closed: Closed) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((project.root / closed.path).read_bytes())
    return content


def test_the_content_of_that_moment_is_frozen_under_a_name_that_comes_from_it(
    project: ProjectFolder,
) -> None:
    shown = shown_packs(gather(project.root))[0]
    told = pack_data(shown.view, shown.problems)
    closed = close(project)
    content = frozen(project, closed)
    told.pop("delta")
    assert content.pop("pass") == {"id": closed.id, "closed": "2026-11-10T14:05:09Z"}
    assert content == json.loads(json.dumps(told))
    del content["problems"]  # they are about the files as they lie there, not about the pass
    words = json.dumps(content, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(words.encode()).hexdigest()[:12]
    assert closed.id == f"river-craft:3:20261110T140509:{digest}"
    folder = f"research/{project.pack}/passes"
    assert closed.path == f"{folder}/20261110t140509z-{digest}.json"


def test_the_name_does_not_depend_on_the_moment(project: ProjectFolder) -> None:
    first = close(project)
    (project.root / first.path).unlink()
    second = close(project, NOW + timedelta(days=300))
    assert first.id.rpartition(":")[2] == second.id.rpartition(":")[2]
    assert first.id != second.id


def test_what_is_frozen_already_is_not_frozen_twice(project: ProjectFolder) -> None:
    first = close(project)
    with pytest.raises(NothingToClose, match=re.escape(first.path.rpartition("/")[2])):
        close(project, NOW + timedelta(hours=1))
    assert len(list(project.path("passes").glob("*.json"))) == 2  # one was there before


def test_a_pack_with_errors_or_without_a_snapshot_is_not_frozen(project: ProjectFolder) -> None:
    good = project.read("sources.yaml")
    project.write("sources.yaml", good + "- id: S1\n")
    with pytest.raises(NothingToClose, match="errors"):
        close(project)
    project.write("sources.yaml", good)
    project.path("chapter-snapshot.txt").unlink()
    with pytest.raises(NothingToClose):
        close(project)
    assert len(list(project.path("passes").glob("*.json"))) == 1


def test_pack_yaml_is_left_alone_unless_the_person_asks(project: ProjectFolder) -> None:
    before = project.read("pack.yaml")
    closed = close(project)
    assert project.read("pack.yaml") == before
    assert not closed.recorded
    assert closed.has_entry  # the small project has an entry that read this snapshot


def test_an_entry_that_was_asked_for_invents_nobody(project: ProjectFolder) -> None:
    before = project.read("pack.yaml")
    closed = close(project, record=True)
    after = project.read("pack.yaml")
    assert closed.recorded
    pack = project.gathered()
    assert pack.snapshot is not None
    added = (
        "  - date: 2026-11-10\n    researcher:\n      name: UNVERIFIED\n      kind: UNVERIFIED\n"
        f"    read: {pack.snapshot.sha256}\n"
    )
    assert after.replace(added, "", 1) == before
    assert pack.file.passes[-1].researcher.name == "UNVERIFIED"
    assert not [p for p in check_packs(project.root, (), "2026-12-01") if p.level.value == "error"]


def test_closing_a_chapter_that_was_never_read_says_that_an_entry_is_missing(
    project: ProjectFolder,
) -> None:
    text = project.read("chapter-snapshot.txt")
    project.write("chapter-snapshot.txt", text + "\nA new last line.\n")
    assert not close(project).has_entry


def test_the_next_state_shows_the_delta_on_the_page_and_in_pack_json(
    project: ProjectFolder,
) -> None:
    closed = close(project)
    claims = project.read("claims.md")
    row = next(line for line in claims.splitlines() if line.startswith("| C1 "))
    cells = row.split("|")
    cells[5] = " another concern "
    project.write("claims.md", claims.replace(row, "|".join(cells)))
    shown = shown_packs(gather(project.root))[0]
    assert shown.view.delta is not None
    assert shown.view.delta.since == closed.id
    assert shown.view.delta.claims_changed == ("C1",)
    assert pack_data(shown.view, shown.problems)["delta"]["claims"]["changed"] == ["C1"]
    html = history.page(shown).html
    assert closed.id in html
    assert re.search(r"<dt>Claims changed</dt>\s*<dd>1: C1</dd>", html)


def test_a_pass_that_found_nothing_new_says_so(project: ProjectFolder) -> None:
    close(project)
    shown = shown_packs(gather(project.root))[0]
    assert shown.view.state is State.CURRENT
    assert shown.view.delta is not None
    assert shown.view.delta.is_empty
    assert "Nothing new" in history.page(shown).html
