"""`values.json`, `values-….json` -> the measured values of a run, and what is wrong with them."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from researchpack.measures import flatten, strict_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.records import Values

VALUES: Final = re.compile(r"values(?:-[a-z0-9_-]+)?\.json")
"""Names of the artefacts that measured values are read out of."""
MOST: Final = 5000
"""More are no measurement that somebody reads."""
_QUOTED: Final = re.compile(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*")


def values_in(artefacts: Iterable[tuple[str, bytes]]) -> Values:
    """The leaves of every such artefact, by dotted path."""
    found: dict[str, Any] = {}
    for name, data in artefacts:
        if VALUES.fullmatch(name):
            try:
                told = json.loads(data)
            except (ValueError, RecursionError):
                continue
            found |= dict(flatten(told))
    return tuple(islice(found.items(), MOST))


def value_faults(artefacts: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """What keeps values from being measured, or from being quoted, a sentence each."""
    seen: dict[str, str] = {}
    for name, data in artefacts:
        if VALUES.fullmatch(name):
            yield from _faults(name, data, seen)
    if len(seen) > MOST:
        yield f"Of {len(seen)} values the first {MOST} are kept."


def _faults(name: str, data: bytes, seen: dict[str, str]) -> Iterator[str]:
    try:
        told = strict_json(data)
    except ValueError as fault:
        yield f"{name} cannot be read whole: {fault}"
        return
    if not isinstance(told, dict):
        yield f"{name} holds no values: it is no map."
        return
    for path, _ in flatten(told):
        if not _QUOTED.fullmatch(path):
            yield f'The value "{path}" of {name} cannot be quoted: keys are letters, digits and _.'
        elif path in seen:
            yield f'The value "{path}" stands twice, in {seen[path]} and in {name}.'
        seen.setdefault(path, name)
