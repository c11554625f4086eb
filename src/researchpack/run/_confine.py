"""What is taken from a child before it begins: the network, and all above its limits."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from researchpack.records import Limits

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
"""Flags of unshare(2)."""
_MB: Final = 1024 * 1024


def confine(limits: Limits, *, away: bool) -> None:
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


def can_unshare() -> bool:
    """Whether a child can be kept away from the network: tried in a child that does only this."""
    if sys.platform != "linux":
        return False
    pid = os.fork()
    if pid == 0:
        os._exit(0 if _unshare() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
