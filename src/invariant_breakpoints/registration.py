"""The registration of a trial series: everything that must be written down before the first trial.

A TOML file. Its SHA-256 goes into the result, so that a changed prediction shows.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from invariant_breakpoints.guards import BadGuard, armed, written
from invariant_breakpoints.toys import HEALTHY, LOOPING
from invariant_breakpoints.verdicts import Settings

LEAST_TRIALS = 3


class BadRegistration(ValueError):
    """The file cannot start trials; each reason is a sentence."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One agent, run with the guard off and on."""

    name: str
    kind: str
    """`looping` or `healthy`."""
    agent: str
    """`toy:NAME`, `trace:FILE` beside the registration, or `module:function`."""
    first: int
    last: int | None
    """The steps of a trace that are used, both included."""
    off: str
    on: str
    """The written predictions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """What was registered."""

    name: str
    sha256: str
    guard: str
    options: Mapping[str, Any]
    settings: Settings
    window: int
    budget: int
    seeds: tuple[int, ...]
    arms: tuple[Arm, ...]
    folder: Path


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _whole(raw: Mapping[str, Any], name: str, reasons: list[str]) -> int:
    value = raw.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    reasons.append(f"`{name}` must be a whole number above 0.")
    return 1


def _settings(raw: object, reasons: list[str]) -> Settings:
    known = {one.name for one in fields(Settings)}
    given = raw if isinstance(raw, dict) else {}
    for name, value in given.items():
        if name not in known:
            reasons.append(f"There is no threshold `{name}`.")
        elif isinstance(value, bool) or not isinstance(value, int) or value < 1:
            reasons.append(f"The threshold `{name}` must be a whole number above 0.")
    return Settings() if reasons else Settings(**given)


def _arm(raw: Mapping[str, Any], reasons: list[str]) -> Arm:
    name = _text(raw.get("name"))
    told = raw.get("predictions")
    predicted = told if isinstance(told, dict) else {}
    if not name or not _text(raw.get("agent")):
        reasons.append("Each arm needs a `name` and an `agent`.")
    if raw.get("kind") not in (HEALTHY, LOOPING):
        reasons.append(f"The arm `{name}` needs a `kind`: `{LOOPING}` or `{HEALTHY}`.")
    for side in ("off", "on"):
        if not _text(predicted.get(side)):
            reasons.append(f"The arm `{name}` has no written prediction for the guard {side}.")
    steps = raw.get("steps", [0])
    if not isinstance(steps, list) or not all(type(one) is int for one in steps[:2]) or not steps:
        reasons.append(f"`steps` of the arm `{name}` must be [first] or [first, last].")
        steps = [0]
    return Arm(
        name=name,
        kind=_text(raw.get("kind")),
        agent=_text(raw.get("agent")),
        first=steps[0],
        last=steps[1] if len(steps) > 1 else None,
        off=_text(predicted.get("off")),
        on=_text(predicted.get("on")),
    )


def _seeds(raw: object, reasons: list[str]) -> tuple[int, ...]:
    seeds = tuple(one for one in raw if type(one) is int) if isinstance(raw, list) else ()
    if len(seeds) < LEAST_TRIALS or len(set(seeds)) < len(seeds):
        reasons.append(f"`seeds` must list {LEAST_TRIALS} different whole numbers or more.")
    return seeds


def _guard(raw: object, reasons: list[str]) -> tuple[str, dict[str, Any]]:
    """The one guard of the series: an effect of two could not be told apart."""
    if not isinstance(raw, dict) or not _text(raw.get("name")):
        reasons.append("`[guard]` must name exactly one guard.")
        return "", {}
    name, options = raw["name"], {key: value for key, value in raw.items() if key != "name"}
    try:
        armed(name, written(options))
    except BadGuard as bad:
        reasons.append(str(bad))
    return name, options


def registered(path: Path) -> Registration:
    """The registration in a file; raises `BadRegistration` with every reason at once."""
    data = path.read_bytes()
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as bad:
        raise BadRegistration([f"The file is not TOML: {bad}."]) from None
    reasons: list[str] = []
    listed = raw.get("arm")
    arms = tuple(_arm(one, reasons) for one in _tables(listed))
    if not arms:
        reasons.append("There is no `[[arm]]`.")
    guard, options = _guard(raw.get("guard"), reasons)
    found = Registration(
        name=_text(raw.get("name")) or path.stem,
        sha256=hashlib.sha256(data).hexdigest(),
        guard=guard,
        options=options,
        window=_whole(raw, "window", reasons),
        budget=_whole(raw, "budget", reasons),
        seeds=_seeds(raw.get("seeds"), reasons),
        settings=_settings(raw.get("settings"), reasons),
        arms=arms,
        folder=path.parent,
    )
    if reasons:
        raise BadRegistration(reasons)
    return found


def _tables(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
