"""Which browser the tests take, and how one is got when there is none."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import chromium

if TYPE_CHECKING:
    from pathlib import Path


class Machine:
    """A made PATH; commands are noted, not run, and end with what `fails` says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ran: list[str] = []
        self.fails: set[str] = set()
        self.brings: dict[str, str] = {}
        """What stands on PATH after a command: its words, and the name."""

    def program(self, name: str) -> str:
        """Put a program on PATH and return its path."""
        path = self.folder / name
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return str(path)

    def run(self, command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[bytes]:
        """In the place of `subprocess.run`."""
        words = " ".join(command).removeprefix(f"{sys.executable} ")
        self.ran.append(words)
        if words in self.brings:
            self.program(self.brings[words])
        return subprocess.CompletedProcess(command, int(words in self.fails))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine without any browser, run by root, with the packages of Debian."""
    made = Machine(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium, "_own", lambda: None)
    monkeypatch.setattr(chromium, "_is_debian", lambda: True)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("subprocess.run", made.run)
    return made


def test_a_named_browser_comes_before_those_on_path(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.program("chromium")
    named = machine.program("another")
    monkeypatch.setenv(chromium.VARIABLE, named)
    assert chromium.find() == named


def test_a_named_browser_that_is_not_there_is_told_and_nothing_is_installed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.program("chromium")
    monkeypatch.setenv(chromium.VARIABLE, str(machine.folder / "none"))
    assert chromium.main() == 1
    assert "names a browser that is not there" in capsys.readouterr().err
    assert machine.ran == []


def test_the_first_known_name_on_path_is_taken_and_nothing_is_said(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.program("google-chrome")
    first = machine.program("chromium-browser")
    assert chromium.find() == first
    assert chromium.main() == 0
    assert machine.ran == []
    assert capsys.readouterr().out == ""


def test_root_on_debian_gets_the_package(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.brings["apt-get install -y chromium"] = "chromium"
    path = str(machine.folder / "chromium")
    assert chromium.main() == 0
    assert machine.ran == ["apt-get update", "apt-get install -y chromium", f"{path} --version"]
    assert path in capsys.readouterr().out


def test_when_nothing_works_that_is_said(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = {"apt-get update", "-m playwright install chromium"}
    assert chromium.main() == 1
    assert machine.ran == ["apt-get update", "-m playwright install chromium"]
    assert "No Chromium could be installed." in capsys.readouterr().err


def test_others_get_the_browser_of_playwright(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(chromium, "_own", lambda: "/own/chrome" if len(machine.ran) > 0 else None)
    assert chromium.get() == "/own/chrome"
    assert machine.ran == ["-m playwright install chromium", "/own/chrome --version"]
