"""What all tests share: no network, the one small project, and the flag for golden files."""

from __future__ import annotations

import ipaddress
import shutil
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from researchpack.checking import check_packs
from researchpack.gather import gather
from researchpack.problems import Problem
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Pack, View

# A run in the background may ignore SIGINT, and children would inherit that: the tests that stop
# a command with it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

REPOSITORY = Path(__file__).parent.parent
BASE = Path(__file__).parent / "cases" / "check" / "_base"
"""The complete small pack that has no problem."""
TODAY = "2026-11-30"

# A red run must come from the change that it tests, not from the examples of the day; whoever
# wants to look further runs with --hypothesis-profile=explore.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files."""
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write what the code says into the expected files; review the difference",
    )


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are rewritten instead of compared."""
    return bool(request.config.getoption("--update-goldens"))


class NetworkForbidden(AssertionError):
    """A test wanted to talk to another machine. No `OSError`, so that nobody swallows it."""


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Forbid every connection and every look-up but those of this machine."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
        patch.setattr(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo))
        yield


def _guarded(real: Any) -> Any:
    def call(self: socket.socket, *values: Any) -> Any:
        address = values[-1]
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_here(str(address[0])):
            raise NetworkForbidden(f"A test wanted to reach {address}.")
        return real(self, *values)

    return call


def _guarded_lookup(real: Any) -> Any:
    def call(host: Any, *values: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not _is_here(name):
            raise NetworkForbidden(f"A test wanted to look up {name}.")
        return real(host, *values, **named)

    return call


def _is_here(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


class ProjectFolder:
    """A made project whose files a test replaces one by one."""

    pack = "river-craft/03-locks"

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "research" / self.pack
        shutil.copytree(BASE, root, dirs_exist_ok=True)
        shutil.copy(REPOSITORY / "mkdocs.yml", root)
        shutil.copytree(REPOSITORY / "overrides", root / "overrides")
        (root / "docs").mkdir()
        (root / "docs" / "guide.md").write_text("# Guide\n")

    def path(self, name: str) -> Path:
        """A file of the pack; names that begin with research/ or bib/ are of the project."""
        of_project = name.startswith(("research/", "bib/"))
        return (self.root if of_project else self.folder) / name

    def read(self, name: str) -> str:
        """The text of a file."""
        return self.path(name).read_bytes().decode()

    def write(self, name: str, data: str | bytes) -> Path:
        """Replace a file, or make it; line ends stay as they are given."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def change(self, name: str, old: str, new: str) -> None:
        """Replace words of a file that stand there once."""
        text = self.read(name)
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))

    def problems(self, today: str = TODAY) -> list[Problem]:
        """What a check says about all packs."""
        return check_packs(self.root, (), today)

    def rules(self) -> list[str]:
        """The rules of all problems, in file order."""
        return [problem.rule for problem in self.problems()]

    def gathered(self) -> Pack:
        """The one pack as its files say it."""
        (pack,) = gather(self.root).packs
        return pack

    def view(self) -> View:
        """The one pack with everything that is worked out."""
        project = gather(self.root)
        return view(project.packs[0], project.vocabulary, TODAY)


@pytest.fixture
def project(tmp_path: Path) -> ProjectFolder:
    """A minimal complete project: one book, one pack, no problem."""
    root = tmp_path / "project"
    root.mkdir()
    return ProjectFolder(root)
