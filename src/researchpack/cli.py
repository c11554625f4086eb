"""The command line: arguments, printing and exit codes. The work is done elsewhere.

Exit codes: 0 fine; 1 problems in the inputs; 2 usage; 3 the tool itself failed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from researchpack import __version__
from researchpack.commands import COMMANDS
from researchpack.commands._shared import FAILED, FINE, INTERRUPTED, USAGE
from researchpack.problems import PackError, UsageFault


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="researchpack")
@click.option(
    "-C",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The project's folder; else the nearest one upwards with mkdocs.yml and research/.",
)
@click.pass_context
def cli(context: click.Context, folder: Path | None) -> None:
    """Turn the working files of a chapter audit into a browsable, verifiable research pack.

    A pack is named by book and chapter, such as debugging-ai/39-chapter. No name means all.
    """
    context.obj = folder


for _command in COMMANDS:
    cli.add_command(_command)


def main() -> None:
    """Run the command line; no fault of content or of the world ends in a traceback."""
    try:
        code = cli.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else FINE)
    except click.ClickException as fault:
        fault.show()
        sys.exit(fault.exit_code)
    except UsageFault as fault:
        click.echo(f"Error: {fault}", err=True)
        sys.exit(USAGE)
    except PackError as fault:
        click.echo(f"Error: {fault}", err=True)
        sys.exit(FAILED)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FINE)
    except Exception as fault:
        if os.environ.get("RESEARCHPACK_DEBUG"):
            raise
        words = f"researchpack itself failed: {type(fault).__name__}: {fault}"
        click.echo(f"{words}\nSet RESEARCHPACK_DEBUG=1 to see where.", err=True)
        sys.exit(FAILED)
