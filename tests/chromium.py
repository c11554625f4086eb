"""Where a Chromium is on this machine; as a script it gets one when there is none.

`make browser` runs it before the tests. A named browser that is not there is a mistake to be told,
so nothing else is tried in its place.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import Error, sync_playwright

VARIABLE: Final = "RESEARCHPACK_CHROMIUM"
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find() -> str | None:
    """The executable to start: the named one, else the first on PATH, else Playwright's own."""
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    for name in NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    return _own()


def get() -> str | None:
    """Install a Chromium, with the system's packages where that is possible.

    Returns the executable, or None when nothing works.
    """
    if _is_debian() and os.geteuid() == 0:
        print("No Chromium is installed; apt-get installs the package chromium.", flush=True)
        if _ran("apt-get", "update") and _ran("apt-get", "install", "-y", "chromium"):
            path = find()
            # Ubuntu's package of this name is a stub that only starts where snaps work.
            if path is not None and _ran(path, "--version"):
                return path
    print("No Chromium is installed; Playwright downloads its own.", flush=True)
    if not _ran(sys.executable, "-m", "playwright", "install", "chromium"):
        return None
    path = _own()
    return path if path is not None and _ran(path, "--version") else None


def main() -> int:
    """Make sure that there is a Chromium, and say what was done."""
    if find() is not None:
        return 0
    if os.environ.get(VARIABLE):
        print(f"{VARIABLE} names a browser that is not there.", file=sys.stderr)
        return 1
    path = get()
    if path is None:
        print(
            "No Chromium could be installed. Install one yourself, or name one with"
            f" {VARIABLE}=/path/to/chromium.",
            file=sys.stderr,
        )
        return 1
    print(f"Chromium is now at {path}.")
    return 0


def _own() -> str | None:
    """The browser that Playwright downloaded, when it did."""
    try:
        with sync_playwright() as playwright:
            path = Path(playwright.chromium.executable_path)
    except Error:
        return None
    return str(path) if path.is_file() else None


def _is_debian() -> bool:
    return Path("/etc/debian_version").is_file() and shutil.which("apt-get") is not None


def _ran(*command: str) -> bool:
    """Whether a command ended well. What it prints is shown: it may take minutes."""
    try:
        return subprocess.run(command, check=False, timeout=1200).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    sys.exit(main())
