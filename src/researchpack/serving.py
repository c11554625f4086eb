"""The story of `serve`: build, show, watch, and build again when a file was saved."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from researchpack.build import own_template, shown_packs, site_with
from researchpack.disk import signature
from researchpack.gather import gather
from researchpack.live import Answer, LiveServer
from researchpack.problems import PackError
from researchpack.reports import as_text, summary
from researchpack.reviewing import merge_told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from researchpack.build import Site
    from researchpack.pages._records import Shown

WATCHED: Final = ("mkdocs.yml", "research", "bib", "docs", "overrides")
PAUSE: Final = 0.4
"""Seconds between two looks at the files; a save is also given that long to be complete."""


class Preview:
    """The site as it is shown, and the last good state of every pack."""

    def __init__(
        self,
        root: Path,
        server: LiveServer,
        build: Callable[[Site], int],
        say: Callable[[str], object],
    ) -> None:
        self._root = root
        self._server = server
        self._build = build
        self._say = say
        self._good: dict[str, Shown] = {}
        self._seen: object = None

    def look(self) -> bool:
        """Build again if a file has changed since the last look, and say whether one had."""
        now = signature(self._root, WATCHED)
        if now == self._seen:
            return False
        self._seen = now
        started = time.monotonic()
        try:
            packs = [self._keep(shown) for shown in shown_packs(gather(self._root))]
            pages = self._build(site_with(packs, drafts=True, template=own_template(self._root)))
        except PackError as fault:
            self._say(f"Error: {fault}\nThe last good pages stay.")
            self._server.failed(str(fault))
            return True
        problems = [problem for shown in packs for problem in shown.problems]
        errors = as_text([problem for shown in packs for problem in shown.errors])
        took = time.monotonic() - started
        self._say(f"{errors}{summary(problems)}. Built {pages} pages in {took:.1f} s.")
        self._server.changed()
        return True

    def _keep(self, shown: Shown) -> Shown:
        """The pack, or its last good state with the errors of now."""
        name = shown.view.pack.name
        if not shown.errors:
            self._good[name] = shown
            return shown
        good = self._good.get(name)
        return shown if good is None else replace(good, problems=shown.problems, older=True)


def take_decisions(root: Path, today: str) -> Callable[[dict[str, Any]], Answer]:
    """What the server does with decisions that the review buttons send."""

    one_at_a_time = threading.Lock()

    def take(told: dict[str, Any]) -> Answer:
        try:
            with one_at_a_time:
                merged = merge_told(root, told, today)
        except PackError as fault:
            return HTTPStatus.BAD_REQUEST, {"error": str(fault)}
        return HTTPStatus.OK, {
            "added": list(merged.added),
            "already": list(merged.already),
            "refused": list(merged.refused),
            "conflicts": list(merged.conflicts),
        }

    return take


def serve_project(
    root: Path,
    server: LiveServer,
    build: Callable[[Site], int],
    say: Callable[[str], object],
) -> None:
    """Show the project until it is interrupted."""
    preview = Preview(root, server, build, say)
    preview.look()
    server.start()
    say(f"Open {server.address} in the browser; Ctrl+C ends.")
    try:
        while True:
            time.sleep(PAUSE)
            preview.look()
    except KeyboardInterrupt:
        say("Stopped.")
    finally:
        server.close()
