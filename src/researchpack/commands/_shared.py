"""What the modules of the command line share: options, exit codes, and where the project is."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from researchpack import disk
from researchpack.problems import NoProject
from researchpack.reports import REPORTS

FINE, PROBLEMS, USAGE, FAILED = 0, 1, 2, 3
INTERRUPTED = 130


class _Day(click.ParamType[str]):
    """An ISO date."""

    name = "DATE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            self.fail(f"{value!r} is not a date like 2026-11-30.", param, ctx)


today_option = click.option(
    "--today",
    type=_Day(),
    envvar="RESEARCHPACK_TODAY",
    help="Judge dates as on this day, such as 2026-11-30; else by the clock.",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(list(REPORTS)),
    default="text",
    show_default=True,
    help="How problems are told.",
)
told_as_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is told.",
)
records_option = click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the registries' records; else bib/records of the project.",
)


def pack_name(target: str) -> str:
    """The name of a pack, also when its folder was named."""
    folder = Path(target).resolve()
    if folder.is_dir() and folder.parent.parent.name == "research":
        return f"{folder.parent.name}/{folder.name}"
    return target


def project(folder: Path | None) -> Path:
    if folder is not None:
        if (folder / "mkdocs.yml").is_file() and (folder / "research").is_dir():
            return folder.resolve()
        raise NoProject(f"{folder} is no project: it does not hold mkdocs.yml and research/.")
    return disk.find_project(Path.cwd())


def clock() -> str:
    return datetime.now(tz=UTC).date().isoformat()
