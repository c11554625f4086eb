"""The only starter of processes: a declared command in a clean folder, under limits.

On Linux the child gets a network namespace of its own, in which there is nobody to talk to. Where
the system allows none (another system, or a container that forbids it) the run goes on, and what
comes back says `not enforced`. The environment of the child is made here and holds nothing of
the caller's.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from researchpack.problems import PackError
from researchpack.run._confine import can_unshare, confine
from researchpack.run._here import interpreter, package, revision, system
from researchpack.run._place import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from researchpack.records import Limits

__all__ = [
    "NOT_ENFORCED",
    "NO_NETWORK",
    "CannotRun",
    "Ran",
    "interpreter",
    "package",
    "program",
    "revision",
    "run",
    "system",
]

NO_NETWORK: Final = "a network namespace without a way out"
NOT_ENFORCED: Final = "not enforced"
_LOOK: Final = 0.1
"""Seconds between two looks at a running child."""
_GRACE: Final = 2.0
"""Seconds that a child has to end after it was asked to."""
_MB: Final = 1024 * 1024


class CannotRun(PackError):
    """The command cannot be started at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a command ended, and what it left."""

    outcome: str
    """completed, failed, stopped or interrupted."""
    exit_status: int | None
    limits_hit: tuple[str, ...]
    """time, memory, output."""
    seconds: float
    network: str
    artefacts: tuple[tuple[str, bytes], ...]
    """What it wrote to `out/`, and what it printed: `output.txt`, `errors.txt`."""


def run(
    command: Sequence[str],
    files: Iterable[tuple[str, bytes]],
    limits: Limits,
    tick: Callable[[float], None],
) -> Ran:
    """Run a command in a clean folder that holds `files` and an empty folder `out`.

    What is new in the folder afterwards is an artefact; what lies in `out` goes without that name.
    `tick` is called now and then with the seconds that have passed. An interrupt ends the child
    and comes back as the outcome `interrupted`. Raises `CannotRun`.
    """
    with tempfile.TemporaryDirectory(prefix="run-", ignore_cleanup_errors=True) as name:
        place = Place(Path(name).resolve(), files)
        try:
            return _run(command, place, limits, tick)
        finally:
            place.close()


def _run(
    command: Sequence[str], place: Place, limits: Limits, tick: Callable[[float], None]
) -> Ran:
    found = program(command[0])
    if found is None:
        raise CannotRun(f'There is no program "{command[0]}" on this machine.')
    network = NO_NETWORK if can_unshare() else NOT_ENFORCED
    began = time.monotonic()
    try:
        child = subprocess.Popen(
            [found, *command[1:]],
            cwd=place.work,
            env=_environment(place.scratch),
            stdin=subprocess.DEVNULL,
            stdout=place.out,
            stderr=place.err,
            start_new_session=True,
            preexec_fn=lambda: confine(limits, away=network == NO_NETWORK),
        )
    except (OSError, ValueError, subprocess.SubprocessError) as fault:
        raise CannotRun(f"{command[0]} cannot be started: {fault}") from fault
    with _hearing():
        hit, interrupted = _watch(child, place, limits, tick)
    _end_leftovers(place.scratch)
    seconds = round(time.monotonic() - began, 2)
    artefacts, whole = place.made(limits.output_mb * _MB)
    hit |= set() if whole else {"output"}
    hit |= _complaints(child.returncode, dict(artefacts).get("errors.txt", b"")[-2000:])
    ended = "stopped" if hit else "completed" if child.returncode == 0 else "failed"
    return Ran(
        outcome="interrupted" if interrupted else ended,
        exit_status=child.returncode,
        limits_hit=tuple(sorted(hit)),
        seconds=seconds,
        network=network,
        artefacts=artefacts,
    )


def _complaints(code: int, said: bytes) -> set[str]:
    """The limits that a command which failed seems to have hit, by its end and its last words."""
    by_signal = {-signal.SIGXCPU: {"time"}, -signal.SIGXFSZ: {"output"}}
    found = set(by_signal.get(code, ()))
    if code and b"MemoryError" in said:
        found.add("memory")
    if code and b"[Errno 27]" in said:
        found.add("output")
    return found


@contextmanager
def _hearing() -> Iterator[None]:
    """Take a request to end this tool for an interrupt, so that a run is recorded and ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {n: signal.signal(n, interrupt) for n in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _watch(
    child: subprocess.Popen[bytes], place: Place, limits: Limits, tick: Callable[[float], None]
) -> tuple[set[str], bool]:
    """Wait for the child; end it and all that it started when a limit is hit or on an interrupt."""
    began = time.monotonic()
    hit: set[str] = set()
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                child.wait(_LOOK)
                return hit, False
            passed = time.monotonic() - began
            tick(passed)
            if passed > limits.seconds:
                hit.add("time")
            elif place.grown() > limits.output_mb * _MB:
                hit.add("output")
            if hit:
                return hit, False
    except KeyboardInterrupt:
        return hit, True
    finally:
        _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the whole group, also what the child left behind."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
        with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            child.wait(_GRACE)
            if number == signal.SIGKILL:
                return


def _end_leftovers(scratch: Path) -> None:
    """End what left the group of the child: its environment still names a folder of the run."""
    mark = f"TMPDIR={scratch}\0".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in entry.read_bytes():
                os.kill(int(entry.parent.name), signal.SIGKILL)


def program(name: str) -> str | None:
    """Where a program stands: `python` is this interpreter, others are looked for beside it.

    None when there is none on this machine.
    """
    return sys.executable if name in ("python", "python3") else shutil.which(name, path=_path())


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.defpath])


def _environment(scratch: Path) -> dict[str, str]:
    """All that the child knows of its surroundings. What it keeps at home is no artefact."""
    return {
        "PATH": _path(),
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
