"""The command check."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from researchpack.checking import check_file, check_packs, fails, in_order
from researchpack.commands._shared import (
    FINE,
    PROBLEMS,
    clock,
    format_option,
    pack_name,
    project,
    records_option,
    today_option,
)
from researchpack.reports import REPORTS, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from researchpack.problems import Problem


@click.command(epilog="Example: researchpack check debugging-ai/39-chapter --format github")
@click.argument("targets", metavar="[PACK or FILE]...", nargs=-1)
@records_option
@format_option
@click.option("--strict", is_flag=True, help="Let a warning fail the check too.")
@click.option("--fix", is_flag=True, help="First offer what registries say instead, one by one.")
@click.option("--yes", is_flag=True, help="With --fix: take everything that is offered.")
@today_option
@click.pass_context
def check(
    context: click.Context,
    targets: Sequence[str],
    records: Path | None,
    form: str,
    strict: bool,
    fix: bool,
    yes: bool,
    today: str | None,
) -> None:
    """Tell everything that is wrong with packs or files, in file order.

    A file inside a pack is checked with its pack, and only its own problems are told. A file that
    belongs to no project is checked by the rules that need nothing else.
    """
    if yes and not fix:
        raise click.UsageError("--yes belongs to --fix.")
    if fix:
        _fix(context.obj, targets, today or clock(), records, yes=yes)
    problems = _check(context.obj, targets, today or clock(), records)
    click.echo(REPORTS[form](problems), nl=False)
    click.echo(f"{summary(problems)}.", err=True)
    context.exit(PROBLEMS if fails(problems, strict=strict) else FINE)


def _check(
    folder: Path | None, targets: Sequence[str], today: str, records: Path | None
) -> list[Problem]:
    """The problems of the packs and files that were named; of all packs when none was."""
    files = [Path(target) for target in targets if Path(target).is_file()]
    names = [target for target in targets if not Path(target).is_file()]
    problems: list[Problem] = []
    if names or not files:
        problems += check_packs(
            project(folder), [pack_name(name) for name in names], today, records=records
        )
    for path in files:
        problems += check_file(path, folder, today, records)
    return in_order(problems)


def _fix(
    folder: Path | None, targets: Sequence[str], today: str, records: Path | None, *, yes: bool
) -> None:
    """Offer what registries say; without a terminal and without `yes` only show it."""
    from researchpack.fixing import fix, seen

    files = [Path(target) for target in targets if Path(target).is_file()]
    names = [pack_name(target) for target in targets if not Path(target).is_file()]
    root = folder if files and not names else project(folder)

    def ask() -> str:
        words = "Write this? [y]es [n]o [a]ll [q]uit"
        keys = click.Choice(["y", "n", "a", "q", "yes", "no", "all", "quit"], case_sensitive=False)
        return str(click.prompt(words, type=keys, show_choices=False, err=True))[0]

    answer = (lambda: "a") if yes else ask if sys.stdin.isatty() else None
    found = seen(root, names, files, today, records)
    done = fix(found, answer, lambda line: click.echo(line, err=True))
    told = f"{done.changed} changed, {done.left} left as they are."
    if answer is None and done.left:
        told += " Nothing is written without a terminal; --yes takes everything."
    click.echo(told, err=True)


COMMANDS: tuple[click.Command, ...] = (check,)
