"""`runs/…/*.json` -> `RunRecord` and `Registration`, and back to JSON.

The name of a file ends in the first 12 hex digits of the SHA-256 of what it says, so that a change
made by hand shows. What cannot be read is a record with a fault, never nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from researchpack.measures import flatten
from researchpack.records import (
    Artefact,
    Criterion,
    Experiment,
    InputFile,
    Package,
    Registration,
    RunRecord,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


RUN: Final = "researchpack.run.v1"
REGISTRATION: Final = "researchpack.registration.v1"
OUTCOMES: Final = ("completed", "failed", "stopped", "interrupted")
SAID: Final = frozenset({"output.txt", "errors.txt"})
"""What a run printed, which may name the part that it left out."""
CHANGED: Final = "it was changed after it was written"
_NAME: Final = re.compile(r"(\d{8}t\d{6}z)-([0-9a-f]{12})\.json")

Json = dict[str, Any]


def canonical(data: Any) -> bytes:
    """`data` as JSON in one way only: sorted keys, no spaces."""
    told = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return told.encode()


def as_file(data: Json) -> bytes:
    """`data` as the bytes of a file."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def file_name(stamp: str, digest: str) -> str:
    """The name of a record's file; `stamp` as `2026-11-30T14:15:00.123Z`, kept to the second."""
    plain = stamp.replace("-", "").replace(":", "").lower()
    return f"{plain[:15]}z-{digest[:12]}.json"


def unlike(before: RunRecord, after: RunRecord, *, partly: bool) -> list[str]:
    """The names of the artefacts in which two runs differ; `partly`: the second left a part out, so
    that only what it made counts, and not what it printed."""
    then = {one.name: one.sha256 for one in before.artefacts}
    now = {one.name: one.sha256 for one in after.artefacts}
    names = now.keys() - SAID if partly else then.keys() | now.keys()
    return sorted(name for name in names if then.get(name) != now.get(name))


def registered(experiment: Experiment) -> Json | None:
    """What of an experiment is registered before a run; None when it predicts nothing."""
    told: Json = {
        "predictions": [
            {"text": _said(p.text), "written": _said(p.written), "rule": _said(p.rule)}
            for p in experiment.predictions
        ],
        "success": {"text": _said(experiment.success), "rule": _said(experiment.success_rule)},
        "failure": {"text": _said(experiment.failure), "rule": _said(experiment.failure_rule)},
    }
    empty = not told["predictions"] and not told["success"]["text"] and not told["failure"]["text"]
    return None if empty else told


def registered_sha256(experiment: Experiment) -> str | None:
    """The SHA-256 over the predictions and criteria of an experiment; None without any."""
    told = registered(experiment)
    return None if told is None else hashlib.sha256(canonical(told)).hexdigest()


def _said(words: str | None) -> str:
    return " ".join(str(words or "").split())


def registration_json(experiment: Experiment, content: Json, stamp: str) -> Json:
    """The file of a registration."""
    return {
        "schema": REGISTRATION,
        "experiment": str(experiment.id),
        "registered": stamp,
        **content,
        "sha256": hashlib.sha256(canonical(content)).hexdigest(),
    }


def read_registration(name: str, experiment: str, data: bytes | None) -> Registration:
    """A registration, with a fault when it is not what the tool wrote."""
    raw, fault = _read(data, REGISTRATION, experiment)
    content = {key: raw.get(key) for key in ("predictions", "success", "failure")}
    digest = hashlib.sha256(canonical(content)).hexdigest()
    told = str(raw.get("sha256") or "")
    stamp = str(raw.get("registered") or "")
    if not fault and (told != digest or name != file_name(stamp, _sha(data))):
        fault = CHANGED
    found = Registration(
        name=name,
        experiment=experiment,
        registered=stamp,
        predictions=tuple(
            (_word(one, "text"), _word(one, "written"), _word(one, "rule"))
            for one in _maps(raw.get("predictions"))
        ),
        success=(_word(raw.get("success"), "text"), _word(raw.get("success"), "rule")),
        failure=(_word(raw.get("failure"), "text"), _word(raw.get("failure"), "rule")),
        sha256=digest,
        fault=fault,
    )
    return replace(found, fault=fault or _unlike(raw, _registration_json(found)))


def _registration_json(found: Registration) -> Json:
    """A registration that was read, as the tool would have written it."""
    return {
        "schema": REGISTRATION,
        "experiment": found.experiment,
        "registered": found.registered,
        "predictions": [{"text": t, "written": w, "rule": r} for t, w, r in found.predictions],
        "success": {"text": found.success[0], "rule": found.success[1]},
        "failure": {"text": found.failure[0], "rule": found.failure[1]},
        "sha256": found.sha256,
    }


def run_json(record: RunRecord) -> Json:
    """The file of a run: nothing of it names a person or a machine."""
    return {
        "schema": RUN,
        "experiment": record.experiment,
        "outcome": record.outcome,
        "exit_status": record.exit_status,
        "limits_hit": list(record.limits_hit),
        "command": list(record.command),
        "started": record.started,
        "ended": record.ended,
        "seconds": record.seconds,
        "network": record.network,
        "interpreter": record.interpreter,
        "platform": record.platform,
        "packages": [
            {"name": p.name, "version": p.version, "sha256": p.sha256} for p in record.packages
        ],
        "revision": record.revision,
        "seeds": list(record.seeds),
        "registration": record.registration,
        "inputs": [
            {"file": one.file, "sha256": one.sha256, "bytes": one.size} for one in record.inputs
        ],
        "artefacts": [
            {"name": one.name, "file": one.file, "sha256": one.sha256, "bytes": one.size}
            for one in record.artefacts
        ],
        "values": dict(record.values),
        "criteria": [
            {
                "kind": one.kind,
                "text": one.text,
                "rule": one.rule,
                "outcome": one.outcome,
                "because": one.because,
            }
            for one in record.criteria
        ],
        "skipped": [{"what": what, "why": why} for what, why in record.skipped],
        "reproduces": record.reproduces,
    }


def read_run(
    name: str, experiment: str, data: bytes | None, kept: Callable[[str], bytes | None]
) -> RunRecord:
    """A run record; `kept` gives the bytes of an artefact's file."""
    raw, fault = _read(data, RUN, experiment)
    stamp = str(raw.get("started") or "")
    if not fault and name != file_name(stamp, _sha(data)):
        fault = CHANGED
    if not fault and raw.get("outcome") not in OUTCOMES:
        fault = "it names no outcome"
    status = raw.get("exit_status")
    values = raw.get("values")
    found = RunRecord(
        id=name.removesuffix(".json"),
        experiment=experiment,
        outcome=str(raw.get("outcome") or ""),
        exit_status=status if isinstance(status, int) else None,
        limits_hit=_words(raw.get("limits_hit")),
        command=_words(raw.get("command")),
        started=stamp,
        ended=str(raw.get("ended") or ""),
        seconds=_seconds(raw.get("seconds")),
        network=str(raw.get("network") or ""),
        interpreter=str(raw.get("interpreter") or ""),
        platform=str(raw.get("platform") or ""),
        revision=str(raw.get("revision") or ""),
        packages=tuple(
            Package(
                name=_word(one, "name"), version=_word(one, "version"), sha256=_word(one, "sha256")
            )
            for one in _maps(raw.get("packages"))
        ),
        seeds=_words(raw.get("seeds")),
        registration=str(raw["registration"]) if raw.get("registration") else None,
        inputs=tuple(
            InputFile(file=_word(one, "file"), sha256=_word(one, "sha256"), size=_size(one))
            for one in _maps(raw.get("inputs"))
        ),
        artefacts=tuple(
            Artefact(
                name=_word(one, "name"),
                file=_word(one, "file"),
                sha256=_word(one, "sha256"),
                size=_size(one),
                data=kept(_word(one, "file")),
            )
            for one in _maps(raw.get("artefacts"))
        ),
        values=tuple(flatten(values)) if isinstance(values, dict) else (),
        criteria=tuple(
            Criterion(
                kind=_word(one, "kind"),
                text=_word(one, "text"),
                rule=_word(one, "rule") or None,
                outcome=_word(one, "outcome"),
                because=_word(one, "because"),
            )
            for one in _maps(raw.get("criteria"))
        ),
        skipped=tuple((_word(one, "what"), _word(one, "why")) for one in _maps(raw.get("skipped"))),
        reproduces=str(raw["reproduces"]) if raw.get("reproduces") else None,
        fault=fault,
    )
    return replace(found, fault=fault or _unlike(raw, run_json(found)))


def _unlike(raw: Json, told: Json) -> str:
    """Why a file is not one that the tool writes, although its name fits its content."""
    odd = [key for key, value in raw.items() if key not in told or told[key] != value]
    return f'the tool does not write such a value of "{odd[0][:40]}"' if odd else ""


def _seconds(value: Any) -> float:
    try:
        return float(value) if isinstance(value, int | float) else 0.0
    except OverflowError:
        return 0.0


def is_record_name(name: str) -> bool:
    """Whether a file name is one that the tool gives to a record or a registration."""
    return _NAME.fullmatch(name) is not None


def _read(data: bytes | None, schema: str, experiment: str) -> tuple[Json, str]:
    """The map of a file, and why it cannot be trusted."""
    try:
        raw = json.loads(data or b"")
        canonical(raw)  # what cannot be written again, such as half a character, is no JSON either
    except (ValueError, RecursionError):
        return {}, "it is no JSON"
    if not isinstance(raw, dict) or raw.get("schema") != schema:
        return {}, f"it is no {schema}"
    if raw.get("experiment") != experiment:
        return raw, f"it is of {str(raw.get('experiment'))[:40]} and lies with {experiment}"
    return raw, ""


def _sha(data: bytes | None) -> str:
    return hashlib.sha256(data or b"").hexdigest()


def _word(raw: Any, key: str) -> str:
    value = raw.get(key) if isinstance(raw, dict) else None
    return value if isinstance(value, str) else ""


def _size(raw: Mapping[str, Any]) -> int:
    value = raw.get("bytes")
    return value if isinstance(value, int) else 0


def _words(value: Any) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _maps(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
