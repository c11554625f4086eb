"""Reading and writing files: whole or not at all, and never outside of the project."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from researchpack import disk
from researchpack.gather import gather
from researchpack.problems import NoProject, NoSuchPack, Unreadable, Unwritable

if TYPE_CHECKING:
    from conftest import ProjectFolder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- writing


def test_a_file_is_made_with_its_folders(tmp_path: Path) -> None:
    disk.write_bytes(tmp_path / "a" / "b" / "c.txt", b"new")
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == b"new"
    assert names(tmp_path / "a" / "b") == ["c.txt"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    path.chmod(mode)
    disk.write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == mode


def test_a_new_file_can_be_read_by_others(tmp_path: Path) -> None:
    disk.write_bytes(tmp_path / "f", b"new")
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_write_that_fails_leaves_the_old_bytes_and_nothing_else(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "f"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(Unwritable, match="No space left"):
        disk.write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["f"]


def test_a_write_that_is_interrupted_leaves_the_old_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "f"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        disk.write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["f"]


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_bytes(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    program = (
        "import os, signal, sys; from pathlib import Path; from researchpack import disk\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "disk.write_bytes(Path(sys.argv[1]), b'new')"
    )
    run = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"


def test_a_folder_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    with pytest.raises(Unwritable):
        disk.write_bytes(tmp_path / "f", b"new")
    assert names(tmp_path) == ["f"]


# --- reading


def test_a_file_that_is_not_there_is_told_or_is_none(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        disk.read_bytes(tmp_path / "f")
    assert disk.read_if_there(tmp_path / "f") is None
    assert disk.read_if_there(tmp_path) is None


def test_a_file_past_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.touch()
    os.truncate(path, disk.LARGEST)
    assert len(disk.read_bytes(path)) == disk.LARGEST
    os.truncate(path, disk.LARGEST + 1)
    with pytest.raises(Unreadable, match="20 MB"):
        disk.read_bytes(path)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    assert disk.read_if_there(tmp_path / "link") is None


# --- finding


def test_the_project_is_the_nearest_folder_upwards(tmp_path: Path) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "inner"
    for root in (outer, inner):
        (root / "research" / "book").mkdir(parents=True)
        (root / "mkdocs.yml").touch()
    assert disk.find_project(inner / "research" / "book") == inner
    assert disk.find_project(inner) == inner
    assert disk.find_project(outer / "research") == outer


def test_half_a_project_is_none(tmp_path: Path) -> None:
    (tmp_path / "a" / "research").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mkdocs.yml").touch()
    (tmp_path / "b" / "research").touch()
    for name in ("a", "b"):
        with pytest.raises(NoProject, match=r"mkdocs\.yml and research/"):
            disk.find_project(tmp_path / name)


def test_books_and_packs_are_the_folders_that_hold_their_files(project: ProjectFolder) -> None:
    research = project.root / "research"
    for name in ("empty", ".hidden/pack", "_draft/pack", "other/01-x", "other/02-y/copies"):
        (research / name).mkdir(parents=True)
    for name in (".hidden/pack/pack.yaml", "_draft/pack/pack.yaml", "other/01-x/claims.md"):
        (research / name).touch()
    assert disk.list_books(project.root) == ["other", "river-craft"]
    assert disk.list_chapters(project.root, "other") == ["01-x"]
    assert disk.list_chapters(project.root, "nowhere") == []


@pytest.mark.parametrize("name", ["river-craft/03-locks", "research/river-craft/03-locks/"])
def test_a_pack_is_found_by_its_name_or_folder(project: ProjectFolder, name: str) -> None:
    assert disk.split_name(project.root, name) == ("river-craft", "03-locks")


@pytest.mark.parametrize(
    "name", ["", "x", "river-craft", "../river-craft/03-locks", "river-craft/."]
)
def test_a_name_that_is_no_pack_offers_the_real_ones(project: ProjectFolder, name: str) -> None:
    with pytest.raises(NoSuchPack, match="river-craft/03-locks"):
        disk.split_name(project.root, name)


def test_what_looks_like_a_file_is_missed_as_a_file(project: ProjectFolder) -> None:
    with pytest.raises(NoSuchPack, match=r'There is no file "nofile\.bib", and no pack'):
        disk.split_name(project.root, "nofile.bib")


# --- nothing outside of the pack is read


def secret(project: ProjectFolder) -> Path:
    path = project.root.parent / "secret.txt"
    path.write_text("not for anybody")
    return path


def holds_secret(project: ProjectFolder) -> bool:
    pack = project.gathered()
    return any(b"not for anybody" in data for _, data in pack.files)


@pytest.mark.parametrize(
    "name",
    ["../../../../secret.txt", "{secret}", "..\\secret.txt", "a/../b", ".hidden", "C:secret.txt"],
)
def test_a_snapshot_is_a_file_of_the_packs_folder(project: ProjectFolder, name: str) -> None:
    wanted = name.format(secret=secret(project))
    project.change("pack.yaml", "file: chapter-snapshot.txt", f"file: '{wanted}'")
    assert project.gathered().snapshot is None
    assert "pack.snapshot-name" in project.rules()
    assert not holds_secret(project)


def test_a_snapshot_that_is_a_link_is_not_followed(project: ProjectFolder) -> None:
    path = project.path("chapter-snapshot.txt")
    path.unlink()
    path.symlink_to(secret(project))
    assert project.gathered().snapshot is None
    assert "pack.snapshot-missing" in project.rules()
    assert not holds_secret(project)


@pytest.mark.parametrize("name", disk.PACK_FILES)
def test_a_pack_file_that_is_a_link_is_not_followed(project: ProjectFolder, name: str) -> None:
    project.path(name).unlink()
    project.path(name).symlink_to(secret(project))
    assert not holds_secret(project)


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/hostname", "a\\b", ".env", "x:y"])
def test_a_copy_is_a_file_of_its_folder(project: ProjectFolder, name: str) -> None:
    project.change("sources.yaml", "{url: not kept,", f"{{file: '{name}',")
    assert "ledger.copy-name" in project.rules()
    copy = project.gathered().sources[1].copy
    assert copy is not None
    assert copy.file is None


@pytest.mark.parametrize(
    "name",
    ["../secret.txt", "bib/../../secret.txt", "research/settings.yaml", "bib\\x", "{secret}"],
)
def test_a_bibliography_is_a_file_of_bib(project: ProjectFolder, name: str) -> None:
    wanted = name.format(secret=secret(project))
    project.change("research/river-craft/book.yaml", "bib/river-craft.bib", f"'{wanted}'")
    assert "book.bibliography" in project.rules()
    assert project.gathered().bibliography == ()


def test_the_books_file_is_compared_only_inside_of_its_folder(
    project: ProjectFolder, tmp_path: Path
) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "ch.md").write_text("chapter")
    secret(project)
    digest = "a" * 64

    def state(source: str) -> str:
        project.write("research/settings.yaml", f"book_folders: {{river-craft: {tmp_path}/book}}\n")
        project.change(
            "pack.yaml", "  taken:", f"  source: {source}\n  source_sha256: {digest}\n  taken:"
        )
        found = gather(project.root).packs[0].book_file
        project.change(
            "pack.yaml", f"  source: {source}\n  source_sha256: {digest}\n  taken:", "  taken:"
        )
        return found

    assert state("ch.md") == "changed"
    assert state("../secret.txt") == "not compared"
    assert state("none.md") == "not compared"
