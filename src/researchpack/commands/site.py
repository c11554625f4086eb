"""The commands about the site: build, serve."""

from __future__ import annotations

from pathlib import Path

import click

from researchpack.checking import check_packs, fails
from researchpack.commands._shared import (
    PROBLEMS,
    clock,
    format_option,
    project,
    today_option,
)
from researchpack.reports import REPORTS, summary


@click.command(epilog="Example: researchpack build --strict")
@click.option("--strict", is_flag=True, help="Build nothing when a check finds an error.")
@click.option(
    "--site",
    "site",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the site goes; else as mkdocs.yml says.",
)
@format_option
@today_option
@click.pass_context
def build(
    context: click.Context, strict: bool, site: Path | None, form: str, today: str | None
) -> None:
    """Build the site.

    A pack with a broken file shows the rest and says what is wrong. With --strict an error stops
    the build before anything is written.
    """
    from researchpack.site import build_site  # MkDocs takes half a second to import

    root = project(context.obj)
    problems = check_packs(root, (), today or clock(), drafts=False)
    click.echo(REPORTS[form](problems), nl=False)
    if strict and fails(problems, strict=False):
        click.echo(f"{summary(problems)}. Nothing was built.", err=True)
        context.exit(PROBLEMS)
    pages = build_site(root, site)
    click.echo(f"{summary(problems)}. Built {pages} pages.", err=True)


@click.command(epilog="Example: researchpack serve --port 8123")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Where it listens on 127.0.0.1; 0 takes a free one.",
)
@click.pass_context
def serve(context: click.Context, port: int) -> None:
    """Show the site on this machine, and build it again whenever a file is saved.

    Drafts are shown. An error is told in the page and in the terminal, and the last good state
    stays. Only this machine can open it.
    """
    from researchpack.live import LiveServer
    from researchpack.serving import serve_project, take_decisions
    from researchpack.site import build_site, site_prefix

    root = project(context.obj)
    folder = root / ".cache" / "serve"
    review = take_decisions(root, clock())
    server = LiveServer(folder, site_prefix(root), port, review)
    serve_project(root, server, lambda site: build_site(root, folder, site=site), click.echo)


COMMANDS: tuple[click.Command, ...] = (build, serve)
