"""What is taken from a child before it begins: the network, its way out of the family, and all
above its limits.

On Linux the command becomes the second process of a process namespace whose first one waits for
it. When that one ends, for whatever reason, the system ends everything in the namespace, whatever
session or environment it has given itself.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from researchpack.records import Limits

_NEW_USER, _NEW_PID, _NEW_NET = 0x10000000, 0x20000000, 0x40000000
"""Flags of unshare(2)."""
_PARENT_DEATH: Final = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
_MB: Final = 1024 * 1024
_FILES: Final = 4096
"""No process of this tool has as many files open."""


def confine(limits: Limits, *, away: bool) -> None:
    """In the child, before the command: no network, and no more than the limits."""
    _die_with_parent()
    if away and _unshare():
        _found_family()
    memory, output = limits.memory_mb * _MB, limits.output_mb * _MB
    for kind, soft, hard in (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, limits.seconds + 1, limits.seconds + 5),
        (resource.RLIMIT_FSIZE, output, output),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        with suppress(ValueError, OSError):  # not every system knows every limit
            resource.setrlimit(kind, (soft, hard))


@cache
def can_unshare() -> bool:
    """Whether a child can be kept away from the network: tried in a child that does only this."""
    if sys.platform != "linux":
        return False
    pid = os.fork()
    if pid == 0:
        os._exit(0 if _unshare() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _unshare() -> bool:
    """Give this process a network, and its children process numbers, of their own; a user of its
    own first where that is needed."""
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    own = _NEW_NET | _NEW_PID
    return any(unshare(flags) == 0 for flags in (own, own | _NEW_USER))


def _die_with_parent() -> None:
    """Ask the system to end this process when the one that started it ends, even by force."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)


def _found_family() -> None:
    """Fork twice; only the youngest returns. The two others wait and pass on how it ended.

    The command is not number 1 of the namespace, because number 1 does not hear signals that it
    sends to itself.
    """
    told, tell = os.pipe()
    first = os.fork()
    if first:
        _wait_outside(first, told)
    _die_with_parent()
    command = os.fork()
    if command:
        _wait_inside(command, tell)
    _die_with_parent()


def _wait_outside(first: int, told: int) -> NoReturn:
    """End as the command did, so that whoever waits for this process hears it."""
    _only(told)
    os.waitpid(first, 0)
    data = os.read(told, 4)
    code = struct.unpack("i", data)[0] if len(data) == 4 else -signal.SIGKILL
    if code < 0:
        with suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


def _wait_inside(command: int, tell: int) -> NoReturn:
    """Reap whatever ends in the namespace; when the command ends, the namespace does."""
    _only(tell)
    while True:
        pid, status = os.wait()
        if pid == command:
            os.write(tell, struct.pack("i", os.waitstatus_to_exitcode(status)))
            os._exit(0)


def _only(kept: int) -> None:
    """Close all files but one: whoever waits for the others to be closed must not wait for us."""
    # The command is asked to end by the signal; these two have to outlive it to say how it did.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, kept)
    os.closerange(kept + 1, _FILES)
