"""Three-way merging of plain data: what the last pass said, what people made of it, what came now.

A report takes nothing away: what it does not mention stays. Where people and the report both
changed the same words, the words of the people stay, and the conflict is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

Data = dict[str, Any]

KEYED: Final = {"bears_on": "claim"}
"""Lists whose items are told apart by a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The same words, changed by people and by the report."""

    path: str
    """Such as `S2 limitations`."""
    ours: str
    theirs: str


@dataclass(slots=True)
class Merge:
    """Collects conflicts while entries are merged."""

    conflicts: list[Conflict] = field(default_factory=list)

    def value(self, path: str, base: Any, ours: Any, theirs: Any) -> Any:
        """The merged value; `base` is None when it is not known."""
        if theirs in (None, "", [], {}) or theirs == ours:
            return ours
        if ours in (None, "", [], {}):
            return theirs if base in (None, "", [], {}) or base != theirs else ours
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return self.map(path, base if isinstance(base, dict) else None, ours, theirs)
        key = KEYED.get(path.rpartition(" ")[2])
        if key and _are_keyed(ours, key) and _are_keyed(theirs, key):
            return self._keyed(path, key, base, ours, theirs)
        if base is not None and base == ours:
            return theirs
        if base is not None and base == theirs:
            return ours
        self.conflicts.append(Conflict(path=path, ours=_shown(ours), theirs=_shown(theirs)))
        return ours

    def map(self, path: str, base: Data | None, ours: Data, theirs: Data) -> Data:
        """The merged map; keys of the report that are new stand behind the others."""
        merged = dict(ours)
        for key, value in theirs.items():
            before = base.get(key, "") if base is not None else None
            found = self.value(f"{path} {key}", before, ours.get(key), value)
            if found not in (None, "", [], {}):
                merged[key] = found
        return merged

    def _keyed(
        self, path: str, key: str, base: Any, ours: list[Data], theirs: list[Data]
    ) -> list[Data]:
        before = {str(one.get(key)): one for one in base or () if isinstance(one, dict)}
        merged = [dict(one) for one in ours]
        mine = {str(one.get(key)): at for at, one in enumerate(merged)}
        for one in theirs:
            name = str(one.get(key))
            if name not in mine:
                if name not in before or before[name] != one:  # else people took it out
                    merged.append(one)
                continue
            at = mine[name]
            known = before.get(name, {}) if base is not None else None
            merged[at] = self.map(f"{path} {name}", known, merged[at], one)
        return merged


def _are_keyed(value: Any, key: str) -> bool:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return False
    names = [one.get(key) for one in value]
    return len(names) == len(set(map(str, names)))


def _shown(value: Any) -> str:
    """A value in one line, to be told."""
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_shown(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return " ".join(str(value).split())
