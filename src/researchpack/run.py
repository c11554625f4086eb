"""The only starter of processes: a declared command in a clean folder, under limits.

On Linux the child gets a network namespace of its own, in which there is nobody to talk to. Where
the system allows none (another system, or a container that forbids it) the run goes on, and what
comes back says `not enforced`. The environment of the child is made here and holds nothing of
the caller's.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from researchpack.problems import PackError
from researchpack.records import Limits, Package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

NO_NETWORK: Final = "a network namespace without a way out"
NOT_ENFORCED: Final = "not enforced"
_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
"""Flags of unshare(2)."""
_LOOK: Final = 0.1
"""Seconds between two looks at a running child."""
_GRACE: Final = 2.0
"""Seconds that a child has to end after it was asked to."""
_MB: Final = 1024 * 1024
_EVERYWHERE: Final = ("/", "/usr", "/usr/local")
"""Folders whose names tell nothing about this machine."""


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

    `tick` is called now and then with the seconds that have passed. An interrupt ends the child
    and comes back as the outcome `interrupted`. Raises `CannotRun`.
    """
    with tempfile.TemporaryDirectory(prefix="run-") as name:
        folder = Path(name).resolve()
        (folder / "out").mkdir()
        for file, data in files:
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        with tempfile.TemporaryDirectory(prefix="said-") as said:
            return _run(command, folder, Path(said), limits, tick)


def _run(
    command: Sequence[str],
    folder: Path,
    said: Path,
    limits: Limits,
    tick: Callable[[float], None],
) -> Ran:
    found = program(command[0])
    if found is None:
        raise CannotRun(f'There is no program "{command[0]}" on this machine.')
    network = NO_NETWORK if _can_unshare() else NOT_ENFORCED
    began = time.monotonic()
    with (said / "output.txt").open("wb") as out, (said / "errors.txt").open("wb") as err:
        try:
            child = subprocess.Popen(
                [found, *command[1:]],
                cwd=folder,
                env=_environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                preexec_fn=lambda: _confine(limits, away=network == NO_NETWORK),
            )
        except (OSError, subprocess.SubprocessError) as fault:
            raise CannotRun(f"{command[0]} cannot be started: {fault}") from fault
        hit, interrupted = _watch(child, folder, said, limits, tick)
        _end_leftovers(folder)
    seconds = round(time.monotonic() - began, 2)
    artefacts, too_much = _collect(folder, said, limits)
    hit |= {"output"} if too_much else set()
    if child.returncode and b"MemoryError" in dict(artefacts).get("errors.txt", b"")[-2000:]:
        hit |= {"memory"}
    if child.returncode in (-signal.SIGXCPU, -signal.SIGXFSZ):
        hit |= {"time" if child.returncode == -signal.SIGXCPU else "output"}
    ended = "stopped" if hit else "completed" if child.returncode == 0 else "failed"
    return Ran(
        outcome="interrupted" if interrupted else ended,
        exit_status=child.returncode,
        limits_hit=tuple(sorted(hit)),
        seconds=seconds,
        network=network,
        artefacts=artefacts,
    )


def _watch(
    child: subprocess.Popen[bytes],
    folder: Path,
    said: Path,
    limits: Limits,
    tick: Callable[[float], None],
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
            elif _size(folder / "out") + _size(said) > limits.output_mb * _MB:
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


def _end_leftovers(folder: Path) -> None:
    """End what left the group of the child: its environment still names the folder of the run."""
    mark = f"TMPDIR={folder}\0".encode()
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


def _environment(folder: Path) -> dict[str, str]:
    """All that the child knows of its surroundings."""
    return {
        "PATH": _path(),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _confine(limits: Limits, *, away: bool) -> None:
    """In the child, before the command: no network, and no more than the limits."""
    if away:
        _unshare()
    memory, output = limits.memory_mb * _MB, limits.output_mb * _MB
    for kind, soft, hard in (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, limits.seconds + 1, limits.seconds + 5),
        (resource.RLIMIT_FSIZE, output, output),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        with suppress(ValueError, OSError):  # not every system knows every limit
            resource.setrlimit(kind, (soft, hard))


def _unshare() -> bool:
    """Give this process a network of its own; a user of its own first where that is needed."""
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    return any(unshare(flags) == 0 for flags in (_NEW_NET, _NEW_USER | _NEW_NET))


def _can_unshare() -> bool:
    """Whether a child can be kept away from the network: tried in a child that does only this."""
    if sys.platform != "linux":
        return False
    pid = os.fork()
    if pid == 0:
        os._exit(0 if _unshare() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_size
    return total


def _collect(
    folder: Path, said: Path, limits: Limits
) -> tuple[tuple[tuple[str, bytes], ...], bool]:
    """What the run left, and whether that is too much. Links and special files are left alone."""
    found: list[tuple[str, bytes]] = []
    room = limits.output_mb * _MB
    kept = [(path.name, path) for path in sorted(said.iterdir())]
    kept += [(p.relative_to(folder / "out").as_posix(), p) for p in sorted(_files(folder / "out"))]
    for name, path in kept:
        room -= path.stat().st_size
        if room < 0:
            return tuple(found), True
        data = _masked(path.read_bytes(), folder)
        if data or path.parent != said:
            found.append((name, data))
    return tuple(found), False


def _files(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()]


def _masked(data: bytes, folder: Path) -> bytes:
    """The bytes without the paths of this machine that a command may print."""
    for path, instead in (
        (str(folder), "."),
        (sys.prefix, "<python>"),
        (sys.base_prefix, "<python>"),
        (str(Path.home()), "~"),
    ):
        if path not in _EVERYWHERE:
            data = data.replace(path.encode(), instead.encode())
    return data


def package(name: str) -> Package:
    """An installed package: its version, and one SHA-256 over its code.

    The digest is over the path and the SHA-256 of each `.py` and `.json` file, sorted by path.
    """
    try:
        spec = importlib.util.find_spec(name) if name.isidentifier() else None
    except (ImportError, ValueError):
        spec = None
    places = spec.submodule_search_locations if spec else None
    if not places:
        return Package(name=name, version="", sha256="")
    folder = Path(next(iter(places)))
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda p: p.relative_to(folder).as_posix()):
        if path.suffix in (".py", ".json") and path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            whole.update(f"{digest}  {path.relative_to(folder).as_posix()}\n".encode())
    return Package(name=name, version=_version(name), sha256=whole.hexdigest())


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name.replace("_", "-"))
    except importlib.metadata.PackageNotFoundError:
        return ""


def interpreter() -> str:
    """Name and version of the interpreter: `CPython 3.11.7`."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def system() -> str:
    """The kind of machine, without its name: `Linux x86_64`."""
    return f"{platform.system()} {platform.machine()}"


def revision(root: Path, folder: str) -> str:
    """The commit of the project, and whether something outside of the pack was changed since.

    What a run takes from the pack itself is recorded file by file. `UNKNOWN` when the project is
    in no Git repository.
    """
    told = _git(root, "rev-parse", "HEAD")
    if told is None:
        return "UNKNOWN"
    changed = _git(root, "status", "--porcelain", "--", ".", f":(exclude){folder}")
    return f"{told.strip()}{' with changes' if changed else ''}"


def _git(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *words], capture_output=True, check=True, timeout=30
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")
