"""The command itself, as people run it: exit codes, what goes to which stream, what is written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import ProjectFolder

pytestmark = pytest.mark.slow

COMMAND = Path(sys.executable).with_name("researchpack")
PACK = "river-craft/03-locks"


def run(
    *arguments: str | Path, cwd: Path, today: str | None = "2026-11-30", **environment: str
) -> subprocess.CompletedProcess[str]:
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("RESEARCHPACK", "SOURCE_DATE"))
    }
    if today is not None:
        kept["RESEARCHPACK_TODAY"] = today
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def files(root: Path, *, but: tuple[str, ...] = ()) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.relative_to(root).as_posix().startswith(but)
    }


def break_ledger(project: ProjectFolder) -> None:
    project.change("sources.yaml", "title: Side Ponds", "title: Side: Ponds")


def warn(project: ProjectFolder) -> None:
    project.change("sources.yaml", "type: book", "type: pamphlet")


# --- check


def test_a_pack_without_a_problem_is_fine(project: ProjectFolder) -> None:
    done = run("check", cwd=project.root)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "0 errors, 0 warnings, 0 notes.\n"


def test_an_error_is_told_on_its_line_and_fails(project: ProjectFolder) -> None:
    break_ledger(project)
    done = run("check", PACK, cwd=project.root)
    assert done.returncode == 1
    assert done.stdout.startswith(f"research/{PACK}/sources.yaml:19:14: error: ")
    assert done.stdout.endswith("[yaml.syntax]\n")
    assert done.stderr == "1 error, 0 warnings, 0 notes.\n"


@pytest.mark.parametrize(("strict", "code"), [((), 0), (("--strict",), 1)])
def test_a_warning_fails_a_strict_check_only(
    project: ProjectFolder, strict: tuple[str, ...], code: int
) -> None:
    warn(project)
    done = run("check", *strict, cwd=project.root)
    assert done.returncode == code
    assert "[vocabulary.unknown]" in done.stdout


def test_a_note_fails_nothing(project: ProjectFolder) -> None:
    project.change("sources.yaml", "  bib: brandt1998\n", "")
    done = run("check", "--strict", cwd=project.root)
    assert done.returncode == 0
    assert "[bib.not-in-ledger]" in done.stdout


def test_json_is_all_of_the_output(project: ProjectFolder) -> None:
    assert run("check", "--format", "json", cwd=project.root).stdout == "[]\n"
    break_ledger(project)
    done = run("check", "--format", "json", cwd=project.root)
    assert done.returncode == 1
    (problem,) = json.loads(done.stdout)
    assert list(problem) == ["path", "line", "column", "level", "rule", "what", "fix"]
    assert (problem["line"], problem["level"]) == (19, "error")


def test_github_annotations(project: ProjectFolder) -> None:
    break_ledger(project)
    done = run("check", "--format", "github", cwd=project.root)
    assert done.stdout.startswith(f"::error file=research/{PACK}/sources.yaml,line=19,col=14,")


def test_a_file_inside_a_pack_shows_only_its_own_problems(project: ProjectFolder) -> None:
    break_ledger(project)
    project.change("review.yaml", "agree", "nod")
    project.change("claims.md", "| [L1] |", "| |")
    own = run("check", f"research/{PACK}/review.yaml", cwd=project.root)
    assert own.returncode == 0
    assert [line.split(":")[0] for line in own.stdout.splitlines()] == [
        f"research/{PACK}/review.yaml"
    ]
    both = run("check", "sources.yaml", "review.yaml", cwd=project.folder)
    assert both.returncode == 1
    assert len(both.stdout.splitlines()) == 2
    assert run("check", "findings.md", cwd=project.folder).stdout == ""


def test_a_file_of_the_project_shows_only_its_own_problems(project: ProjectFolder) -> None:
    break_ledger(project)
    project.write("research/settings.yaml", "contract: x\n")
    done = run("check", "research/settings.yaml", cwd=project.root)
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["research/settings.yaml"]


def test_a_lone_ledger_needs_no_project(tmp_path: Path) -> None:
    (tmp_path / "ledger.yaml").write_text(
        "- id: smith\n  title: Ponds\n  isbn: 0123456703\n  accessed: 2027-01-01\n  tilte: x\n"
    )
    done = run("check", "ledger.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert [line.rpartition("[")[2] for line in done.stdout.splitlines()] == [
        "yaml.scalar]",
        "date.future]",
        "yaml.unknown-key]",
    ]
    assert done.stdout.startswith("ledger.yaml:3:9: info: ")


def test_the_pack_may_be_named_by_its_folder(project: ProjectFolder) -> None:
    break_ledger(project)
    for name in (PACK, f"research/{PACK}", f"research/{PACK}/"):
        assert run("check", name, cwd=project.root).returncode == 1
    assert run("check", ".", cwd=project.folder.parent.parent.parent).returncode == 2


def test_a_name_that_is_no_pack_offers_the_real_ones(project: ProjectFolder) -> None:
    done = run("check", "river-craft/04-weirs", cwd=project.root)
    assert (done.returncode, done.stdout) == (2, "")
    assert PACK in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("chekc",),
        ("check", "--format", "xml"),
        ("check", "--today", "tomorrow"),
        ("check", "--nope"),
    ],
)
def test_a_wrong_call_is_a_usage_error(project: ProjectFolder, arguments: tuple[str, ...]) -> None:
    done = run(*arguments, cwd=project.root)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Error" in done.stderr


def test_outside_of_a_project_the_way_into_one_is_told(tmp_path: Path) -> None:
    done = run("check", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "-C" in done.stderr
    assert "Traceback" not in done.stderr


def test_another_project_is_named_with_c(project: ProjectFolder, tmp_path: Path) -> None:
    break_ledger(project)
    done = run("-C", project.root, "check", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(f"research/{PACK}/sources.yaml:")
    wrong = run("-C", project.root / "docs", "check", cwd=project.root)
    assert wrong.returncode == 2
    assert "is no project" in wrong.stderr


def test_the_project_is_found_from_any_folder_below(project: ProjectFolder) -> None:
    break_ledger(project)
    assert run("check", cwd=project.folder).returncode == 1


def test_today_is_an_argument_or_of_the_environment(project: ProjectFolder) -> None:
    def rules(*arguments: str, today: str | None) -> str:
        return run("check", *arguments, cwd=project.root, today=today).stdout

    assert rules(today="2026-11-30") == ""
    assert "[date.future]" in rules(today="2026-11-01")
    assert rules("--today", "2026-11-30", today="2026-11-01") == ""
    assert "[date.future]" in rules("--today", "2026-11-01", today=None)


def test_a_fault_of_the_tool_itself_is_no_problem_of_the_content(
    project: ProjectFolder,
) -> None:
    (project.root / "mkdocs.yml").write_text("site_name: x\nplugins: [search]\n")
    done = run("build", cwd=project.root)
    assert done.returncode == 3
    assert "researchpack" in done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_helps_with_an_example(project: ProjectFolder) -> None:
    commands = run("--help", cwd=project.root).stdout.partition("Commands:")[2].split("\n")
    names = [line.split()[0] for line in commands if line.startswith("  ") and line[2] != " "]
    assert {"check", "build", "serve"} <= set(names)
    for name in names:
        done = run(name, "--help", cwd=project.root)
        assert done.returncode == 0
        if "Commands:" not in done.stdout:
            assert "Example: researchpack" in done.stdout, name


def test_a_check_writes_nothing(project: ProjectFolder) -> None:
    before = files(project.root)
    break_ledger(project)
    before["research/river-craft/03-locks/sources.yaml"] = project.path("sources.yaml").read_bytes()
    run("check", cwd=project.root)
    assert files(project.root) == before


# --- build


def add_second_pack(project: ProjectFolder) -> Path:
    other = project.folder.with_name("04-weirs")
    shutil.copytree(project.folder, other)
    return other


@pytest.mark.site
def test_a_site_is_the_same_bytes_every_time_and_nothing_else_is_written(
    project: ProjectFolder,
) -> None:
    before = files(project.root)
    done = run("build", cwd=project.root)
    assert (done.returncode, done.stdout) == (0, "")
    first = files(project.root / "site")
    assert {"index.html", f"books/{PACK}/index.html", f"books/{PACK}/pack.json"} <= set(first)
    assert files(project.root, but=("site/", ".cache/")) == before
    shutil.rmtree(project.root / "site")
    again = run("build", cwd=project.root, today="2027-06-01", TZ="Pacific/Kiritimati")
    assert again.returncode == 0
    assert files(project.root / "site") == first
    assert files(project.root, but=("site/", ".cache/")) == before


@pytest.mark.site
def test_the_bytes_of_a_site_do_not_depend_on_where_the_project_lies(
    project: ProjectFolder, tmp_path: Path
) -> None:
    shutil.copytree(project.root, tmp_path / "elsewhere" / "deep")
    run("build", cwd=project.root)
    run("-C", "deep", "build", cwd=tmp_path / "elsewhere")
    built = files(project.root / "site")
    assert built
    assert files(tmp_path / "elsewhere" / "deep" / "site") == built
    for name, data in built.items():
        assert str(tmp_path).encode() not in data, name


@pytest.mark.site
def test_a_broken_pack_is_shown_as_far_as_it_can_be_read_beside_the_others(
    project: ProjectFolder,
) -> None:
    other = add_second_pack(project)
    (other / "sources.yaml").write_text("- id: S1\n  title: a: b\n")
    (other / "pack.yaml").write_text(": :\n")
    done = run("build", cwd=project.root)
    assert done.returncode == 0
    assert "[yaml.syntax]" in done.stdout
    for pack in (PACK, "river-craft/04-weirs"):
        for page in ("", "chapter/", "claims/", "sources/", "proposals/", "review/", "history/"):
            assert (project.root / "site" / "books" / pack / page / "index.html").is_file()
    overview = (project.root / "site/books/river-craft/04-weirs/index.html").read_text()
    assert "errors in the files of this pack" in overview


@pytest.mark.site
def test_a_strict_build_with_an_error_writes_nothing(project: ProjectFolder) -> None:
    break_ledger(project)
    before = files(project.root)
    done = run("build", "--strict", cwd=project.root)
    assert done.returncode == 1
    assert "[yaml.syntax]" in done.stdout
    assert files(project.root) == before


@pytest.mark.site
def test_a_strict_build_lives_with_a_warning(project: ProjectFolder) -> None:
    warn(project)
    done = run("build", "--strict", "--format", "json", cwd=project.root)
    assert done.returncode == 0
    assert [problem["level"] for problem in json.loads(done.stdout)] == ["warning"]
    assert (project.root / "site" / "index.html").is_file()


@pytest.mark.site
def test_a_draft_is_left_out_and_stops_nothing(project: ProjectFolder) -> None:
    other = add_second_pack(project)
    draft = (other / "pack.yaml").read_text() + "draft: true\n"
    (other / "pack.yaml").write_text(draft.replace("Locks and weirs", "A hidden draft", 1))
    assert run("build", cwd=project.root).returncode == 0
    site = project.root / "site"
    assert (site / "books" / PACK / "index.html").is_file()
    assert not (site / "books" / "river-craft" / "04-weirs").exists()
    for path in site.rglob("*"):
        if path.suffix in (".html", ".json", ".xml"):
            assert b"A hidden draft" not in path.read_bytes(), path
            assert b"04-weirs" not in path.read_bytes(), path


@pytest.mark.site
def test_a_site_goes_where_it_is_told(project: ProjectFolder, tmp_path: Path) -> None:
    done = run("build", "--site", tmp_path / "public", cwd=project.root)
    assert done.returncode == 0
    assert (tmp_path / "public" / "index.html").is_file()
    assert not (project.root / "site").exists()


@pytest.mark.site
def test_a_new_site_takes_the_place_of_the_old_one_whole(project: ProjectFolder) -> None:
    run("build", cwd=project.root)
    page = f"books/{PACK}/index.html"
    old = (project.root / "site" / page).read_bytes()
    project.change("pack.yaml", "title: Locks and weirs", "title: Weirs and locks")
    shutil.rmtree(project.folder / "passes")
    run("build", cwd=project.root)
    assert (project.root / "site" / page).read_bytes() != old
    assert [p for p in (project.root / ".cache").iterdir() if p.name.startswith("site-")] == []


@pytest.mark.site
def test_a_failed_build_leaves_the_last_good_site(project: ProjectFolder) -> None:
    run("build", cwd=project.root)
    good = files(project.root / "site")
    (project.root / "overrides" / "main.html").write_text(
        '{% extends "base.html" %}{% block content %}{{ 1/0 }}{% endblock %}\n'
    )
    done = run("build", cwd=project.root)
    assert done.returncode == 3
    assert files(project.root / "site") == good
    assert [p for p in (project.root / ".cache").iterdir() if p.name.startswith("site-")] == []
