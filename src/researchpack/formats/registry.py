"""A registry's record <-> `bib/records/<scheme>/<id>.json`.

One field a line, in a fixed order, absent fields left out: a difference shows what a registry has
changed. Keys that are not known here are passed over, so that a later version may add some.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import fields
from typing import Any, Final

from researchpack.formats._shared import Parsed
from researchpack.places import Lines, Place
from researchpack.problems import Problem, error
from researchpack.records import Failure, Name, Notice, NoticeKind, RegistryRecord

SCHEMA: Final = "researchpack.record.v1"
LONGEST_NAME: Final = 120
"""Characters of a file's name; what is longer is cut and gets a part of its hash."""

_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789._-")
_TEXTS: Final = ("redirects", "containers", "isbn", "issn", "is_notice_for", "published_as")
_NAMES: Final = ("authors", "editors")
_NUMBERS: Final = ("status", "version", "asked_version")
_REQUIRED: Final = (
    "scheme",
    "id",
    "registry",
    "found",
    "request",
    "retrieved_at",
    "checked_at",
    "status",
    "sha256",
)
_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")


def file_name(identifier: str, version: int | None = None) -> str:
    """The name of the file of a record: `10.1287%2finte.20.4.74.json`."""
    whole = identifier if version is None else f"{identifier}v{version}"
    name = "".join(chr(b) if b in _PLAIN else f"%{b:02x}" for b in whole.encode())
    if name.startswith("."):
        name = f"%2e{name[1:]}"
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(whole.encode()).hexdigest()[:12]}"
    return f"{name}.json"


def record_path(scheme: str, identifier: str, version: int | None = None) -> str:
    """The path of a record below the folder of records."""
    return f"{scheme}/{file_name(identifier, version)}"


def write_record(record: RegistryRecord) -> str:
    """The text of a record's file."""
    lines = [f'"schema": "{SCHEMA}"']
    for field in fields(record):
        value = _plain(getattr(record, field.name))
        if value is None or value == []:
            continue
        lines.append(f'"{field.name}": {_told(value)}')
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def write_failure(failure: Failure) -> str:
    """The text of the file that says that a registry could not be asked."""
    shown = {field.name: getattr(failure, field.name) for field in fields(failure)}
    lines = [f'"{key}": {_told(value)}' for key, value in shown.items() if value is not None]
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def read_failure(text: str, path: str) -> Parsed[Failure | None]:
    """That a registry could not be asked. A file that cannot be read says nothing."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Parsed(value=None)
    known = {field.name for field in fields(Failure)}
    if not isinstance(value, dict):
        return Parsed(value=None)
    try:
        read = {key: _field(key, one) for key, one in value.items() if key in known}
        return Parsed(value=Failure(**read))
    except (_Wrong, TypeError):
        return Parsed(value=None)


def _told(value: Any) -> str:
    """A list of maps has one line for each; everything else stands on one."""
    if isinstance(value, list) and isinstance(value[0], dict):
        inner = ",\n    ".join(json.dumps(one, ensure_ascii=False) for one in value)
        return f"[\n    {inner}\n  ]"
    return json.dumps(value, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Name | Notice):
        shown = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        return {key: one for key, one in shown.items() if one}
    if isinstance(value, NoticeKind):
        return value.value
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def read_record(text: str, path: str) -> Parsed[RegistryRecord | None]:
    """The record of a file, or None and what is wrong with it. Nothing is guessed."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as fault:
        place = Lines(text, path).place(min(fault.pos, max(len(text) - 1, 0)))
        return Parsed(value=None, problems=(_unreadable(place, "it is not JSON"),))
    except RecursionError:
        return Parsed(value=None, problems=(_unreadable(Place(path), "it nests too deeply"),))
    try:
        return Parsed(value=_record(value))
    except _Wrong as fault:
        return Parsed(value=None, problems=(_unreadable(Place(path), str(fault)),))


def _unreadable(place: Place, why: str) -> Problem:
    return error(
        place,
        "records.unreadable",
        f"The record of a registry cannot be read: {why}.",
        "Take the version of the history back, or delete the file and run `researchpack refresh`.",
    )


class _Wrong(Exception):
    """The file says something that a record cannot be."""


def _record(value: Any) -> RegistryRecord:
    if not isinstance(value, dict):
        raise _Wrong("it is no map")
    missing = [key for key in _REQUIRED if key not in value]
    if missing:
        raise _Wrong(f'it has no "{missing[0]}"')
    known = {field.name for field in fields(RegistryRecord)}
    read = {key: _field(key, one) for key, one in value.items() if key in known}
    return RegistryRecord(**read)


def _field(key: str, value: Any) -> Any:
    if key == "found":
        return _typed(key, value, bool)
    if key in _NUMBERS:
        return _typed(key, value, int)
    if key in _TEXTS:
        return tuple(_typed(key, one, str) for one in _typed(key, value, list))
    if key in _NAMES:
        return tuple(_name(key, one) for one in _typed(key, value, list))
    if key == "years":
        return tuple(_year(one) for one in _typed(key, value, list))
    if key == "notices":
        return tuple(_notice(one) for one in _typed(key, value, list))
    words = _typed(key, value, str)
    if key in ("retrieved_at", "checked_at") and not _TIME.fullmatch(words):
        raise _Wrong(f'"{key}" is no time such as 2026-11-30T12:00:00Z')
    return words


def _typed(key: str, value: Any, wanted: type) -> Any:
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise _Wrong(f'the value of "{key}" has the wrong form')
    return value


def _strings(key: str, value: Any, known: tuple[str, ...]) -> dict[str, str]:
    items = _typed(key, value, dict).items()
    return {name: _typed(key, one, str) for name, one in items if name in known}


def _name(key: str, value: Any) -> Name:
    return Name(**_strings(key, value, tuple(field.name for field in fields(Name))))


def _year(value: Any) -> tuple[str, str]:
    pair = _typed("years", value, list)
    if len(pair) != 2:
        raise _Wrong('the value of "years" has the wrong form')
    return (_typed("years", pair[0], str), _typed("years", pair[1], str))


def _notice(value: Any) -> Notice:
    words = _strings("notices", value, tuple(field.name for field in fields(Notice)))
    try:
        kind = NoticeKind(words.pop("kind", ""))
    except ValueError:
        kind = NoticeKind.UNKNOWN
    return Notice(kind=kind, **words)
