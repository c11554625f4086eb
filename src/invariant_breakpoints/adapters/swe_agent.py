"""SWE-agent trajectories (`.traj`): one action string a step, with the state of the shell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import Adapter, Steps, arguments, dicts, error_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILED = re.compile(
    r"command not found|^traceback|syntax error|wrong flag|your proposed edit has introduced"
    r"|execution timed out|no such file or directory",
    re.IGNORECASE | re.MULTILINE,
)


def _error(text: str) -> str | None:
    """The error that the observation tells of; the format has no field for it."""
    found = _FAILED.search(text[:2000])
    if found is None:
        return error_in(text)
    return re.sub(r"[^a-z]+", "_", found.group().lower()).strip("_")


def _step(number: int, entry: dict[str, Any]) -> dict[str, Any]:
    action = str(entry.get("action") or "").strip()
    state = arguments(entry.get("state"))
    seen = entry.get("observation")
    return {
        "step": number,
        "tool": action.split()[0] if action else None,
        "args": {"command": action},
        "observation": seen,
        "error": _error(seen) if isinstance(seen, str) else None,
        "state": state if isinstance(state, dict) and "unparsed" not in state else None,
        "thought": entry.get("thought"),
    }


def _accepts(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("trajectory"), list)


def _runs(document: Any) -> Iterator[Steps]:
    entries = dicts(document.get("trajectory"))
    yield [_step(number, entry) for number, entry in enumerate(entries)]


ADAPTER = Adapter(
    name="swe-agent",
    about="SWE-agent .traj files",
    lacks=("error", "t", "lease", "retry_policy"),
    accepts=_accepts,
    runs=_runs,
)
