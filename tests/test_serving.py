"""`serve`: the last good state stays, with what is wrong now; and it all works as one process."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from researchpack.problems import PackError
from researchpack.serving import Preview

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import ProjectFolder
    from researchpack.build import Site

COMMAND = Path(sys.executable).with_name("researchpack")
CLAIMS = "books/river-craft/03-locks/claims"


class Told:
    """Stands where the server stands, and keeps what it was told."""

    def __init__(self) -> None:
        self.changes = 0
        self.messages: list[str] = []

    def changed(self) -> None:
        self.changes += 1

    def failed(self, message: str) -> None:
        self.messages.append(message)


class Shelf:
    """Takes the place of MkDocs: keeps every site that it is handed."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.fault: PackError | None = None

    def __call__(self, site: Site) -> int:
        if self.fault is not None:
            raise self.fault
        self.sites.append(site)
        return len(site.pages)

    def page(self, path: str = CLAIMS) -> str:
        """A page of the newest site."""
        return next(page.html for page in self.sites[-1].pages if page.path == path)


@pytest.fixture
def preview(project: ProjectFolder) -> tuple[Preview, Shelf, Told, list[str]]:
    shelf, told, said = Shelf(), Told(), list[str]()
    made: Any = Preview(project.root, told, shelf, said.append)  # type: ignore[arg-type]
    return made, shelf, told, said


def test_it_builds_when_a_file_was_saved_and_only_then(
    project: ProjectFolder, preview: tuple[Preview, Shelf, Told, list[str]]
) -> None:
    look, shelf, told, said = preview
    assert look.look()
    assert not look.look()
    project.change("claims.md", "The source gives another figure.", "It gives 40%.")
    assert look.look()
    assert (len(shelf.sites), told.changes) == (2, 2)
    assert "It gives 40%." in shelf.page()
    assert said[0].startswith("0 errors, 0 warnings, 0 notes. Built ")


def test_drafts_are_shown(
    project: ProjectFolder, preview: tuple[Preview, Shelf, Told, list[str]]
) -> None:
    project.write("pack.yaml", "draft: true\n" + project.read("pack.yaml"))
    look, shelf, _, _ = preview
    look.look()
    assert "C2" in shelf.page()


def test_the_last_good_state_stays_with_the_errors_of_now(
    project: ProjectFolder, preview: tuple[Preview, Shelf, Told, list[str]]
) -> None:
    look, shelf, told, said = preview
    look.look()
    project.change("claims.md", "The source gives another figure.", "Words of later.")
    project.change("sources.yaml", "title: Side Ponds", "title: Side: Ponds")
    look.look()
    page = shelf.page()
    assert "The source gives another figure." in page
    assert "Words of later." not in page
    assert "1 error in the files of this pack." in page
    assert "the state before the last change" in page
    assert "sources.yaml:19:14" in page
    assert "sources.yaml:19:14: error:" in said[-1]
    assert told.changes == 2
    project.change("sources.yaml", "title: Side: Ponds", "title: Side Ponds")
    look.look()
    assert "Words of later." in shelf.page()
    assert "in the files of this pack" not in shelf.page()


def test_a_pack_that_was_never_good_is_shown_as_far_as_it_can_be_read(
    project: ProjectFolder, preview: tuple[Preview, Shelf, Told, list[str]]
) -> None:
    look, shelf, _, _ = preview
    project.change("sources.yaml", "title: Side Ponds", "title: Side: Ponds")
    look.look()
    assert "The source gives another figure." in shelf.page()
    assert "What could be read is shown." in shelf.page()


def test_a_build_that_fails_leaves_the_pages_and_says_why(
    project: ProjectFolder, preview: tuple[Preview, Shelf, Told, list[str]]
) -> None:
    look, shelf, told, said = preview
    look.look()
    shelf.fault = PackError("mkdocs.yml cannot be read")
    project.change("claims.md", "The source gives another figure.", "Words of later.")
    assert look.look()
    assert told.messages == ["mkdocs.yml cannot be read"]
    assert told.changes == 1
    assert said[-1] == "Error: mkdocs.yml cannot be read\nThe last good pages stay."
    shelf.fault = None
    assert not look.look(), "it waits for the next save"


# --- the whole command ------------------------------------------------------------------------


class Running:
    """`researchpack serve` in a process of its own."""

    def __init__(self, project: ProjectFolder) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "serve", "--port", "0"],
            cwd=project.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.lines: list[str] = []
        for line in self.process.stdout:
            self.lines.append(line)
            if line.startswith("Open "):
                break
        self.address = urlsplit(self.lines[-1].split()[1])

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Any:
        connection = http.client.HTTPConnection(self.address.netloc, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, self.address.path + path, body, named)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def version(self) -> int:
        return int(json.loads(self.ask("GET", "__live/state")[1])["version"])


@pytest.fixture
def running(project: ProjectFolder) -> Iterator[Running]:
    started = Running(project)
    yield started
    started.process.kill()
    started.process.wait()


@pytest.mark.site
def test_serve_shows_writes_and_builds_again(running: Running, project: ProjectFolder) -> None:
    status, page = running.ask("GET", f"{CLAIMS}/")
    assert status == 200
    (token,) = re.findall(r'data-review-token="([^"]+)"', page)
    built = project.root / ".cache" / "serve"
    assert (built / CLAIMS / "index.html").is_file()
    for path in built.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes(), path

    before = running.version()
    told = {"target": "P1", "decision": "reject", "by": "the author", "date": "2026-11-25"}
    status, answer = running.ask(
        "POST",
        "__live/review",
        json.dumps({"pack": project.pack, "decisions": [told]}),
        Origin=f"http://{running.address.netloc}",
        Content_Type="application/json",
        X_Review_Token=token,
    )
    assert (status, json.loads(answer)["added"]) == (200, ["P1"])
    assert "  decision: reject\n" in project.read("review.yaml")
    end = time.monotonic() + 30
    while running.version() == before:
        assert time.monotonic() < end, "nothing was built again"
        time.sleep(0.1)
    assert "reject by the author, 2026-11-25" in running.ask("GET", f"{CLAIMS}/")[1]
    assert token in running.ask("GET", f"{CLAIMS}/")[1]

    running.process.send_signal(2)
    assert running.process.wait(20) == 0


def test_a_taken_port_ends_in_three(project: ProjectFolder) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = subprocess.run(
            [COMMAND, "serve", "--port", port],
            cwd=project.root,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.startswith(f"Error: Port {port} cannot be used")
    assert "--port" in done.stderr
