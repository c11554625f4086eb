"""The story of `check`: gather, work out, look, and tell everything at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from researchpack import disk
from researchpack.checks import check, check_alone
from researchpack.checks.leaks import look
from researchpack.gather import gather, gather_file
from researchpack.problems import Level, NoProject, Problem
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.records import Project, View


def check_packs(
    root: Path,
    names: Iterable[str],
    today: str,
    *,
    drafts: bool = True,
    records: Path | None = None,
) -> list[Problem]:
    """All problems of the named packs, or of all, in file order; drafts can be left out.

    `records`: another folder of records of registries than the project's own.
    """
    project = gather(root, names, records)
    views = [found for found in views_of(project, today) if drafts or not found.pack.file.draft]
    leaks = (problem for file in project.authored for problem in look(file))
    return in_order([*project.problems, *leaks, *of_views(views)])


def check_file(
    path: Path, root: Path | None, today: str, records: Path | None = None
) -> list[Problem]:
    """The problems of one file.

    A file inside a pack is checked with its pack, and only its own problems are returned; one of
    another project folder likewise. A file that belongs to no project is checked by the rules
    that need nothing else.
    """
    home = root if root is not None and _inside(path, root) else _project_of(path)
    inside = home is not None and _inside(path, home)
    relative = path.resolve().relative_to(home.resolve()).as_posix() if home and inside else ""
    parts = relative.split("/")
    if home is None or parts[0] not in ("research", "bib"):
        return in_order(check_alone(view(*gather_file(path, records), today)))
    pack = "/".join(parts[1:3]) if parts[0] == "research" and len(parts) > 3 else None
    known = pack is not None and parts[2] in disk.list_chapters(home, parts[1])
    found = check_packs(home, [pack] if known and pack else [], today, records=records)
    return [problem for problem in found if problem.place.path == relative]


def views_of(project: Project, today: str) -> list[View]:
    """The views of all packs of a project."""
    return [view(pack, project.vocabulary, today) for pack in project.packs]


def of_views(views: Iterable[View]) -> list[Problem]:
    """The problems of reading and of content, pack by pack."""
    return [problem for found in views for problem in (*found.pack.problems, *check(found))]


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """File order, each once."""
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.order)


def fails(problems: Iterable[Problem], *, strict: bool) -> bool:
    """Whether a check fails: for an error, and when it is strict for a warning; never for info."""
    levels = {problem.level for problem in problems}
    return Level.ERROR in levels or (strict and Level.WARNING in levels)


def _inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())


def _project_of(path: Path) -> Path | None:
    try:
        return disk.find_project(path.parent)
    except NoProject:
        return None
