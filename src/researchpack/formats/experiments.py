"""`experiments.yaml` -> `Experiment` records: experiments (X) and local checks (L)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.formats._shared import Fields, Parsed, read_list
from researchpack.formats.sources import read_bearings
from researchpack.problems import did_you_mean, error
from researchpack.records import Experiment, Figure, Limits, Outside, Prediction, Reported

if TYPE_CHECKING:
    from researchpack.places import Text

KEYS = (
    "id",
    "title",
    "question",
    "method",
    "predictions",
    "success",
    "success_rule",
    "failure",
    "failure_rule",
    "command",
    "inputs",
    "outside",
    "seeds",
    "packages",
    "limits",
    "needs",
    "limitations",
    "figures",
    "notebook",
    "reported",
    "bears_on",
)
PREDICTION: Final = ("text", "written", "rule")
OUTSIDE: Final = ("name", "what", "files", "required")
LIMITS: Final = ("seconds", "memory_mb", "output_mb")
FIGURE: Final = ("title", "file", "kind", "x", "y", "summary")
KINDS: Final = ("bars", "lines", "dots", "table", "text", "strips")
REPORTED = ("by", "date", "command", "outcome", "output")
_SHELLS: Final = re.compile(r"(?:ba|da|a|z|k|c|tc|fi)?sh|busybox|cmd|pwsh|powershell")
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_MOST_OUTPUT: Final = 20
"""MB: a larger file of a pack is not read."""
_YES_NO: Final = {"yes": True, "true": True, "no": False, "false": False}


def read_experiments(text: str, path: str) -> Parsed[tuple[Experiment, ...]]:
    """Experiments and checks, in file order."""
    entries, notes = read_list(text, path, KEYS)
    found = []
    for entry in entries:
        experiment_id = entry.required("id", "An experiment")
        if experiment_id is None:
            continue
        found.append(
            Experiment(
                id=experiment_id,
                title=entry.required("title", f'Experiment "{experiment_id}"'),
                question=entry.text("question"),
                method=entry.text("method"),
                predictions=_predictions(entry),
                success=entry.text("success"),
                success_rule=entry.text("success_rule"),
                failure=entry.text("failure"),
                failure_rule=entry.text("failure_rule"),
                command=entry.texts("command"),
                inputs=entry.texts("inputs"),
                outside=_outside(entry),
                seeds=entry.texts("seeds"),
                packages=entry.texts("packages"),
                limits=_limits(entry),
                needs=entry.text("needs"),
                limitations=entry.text("limitations"),
                figures=_figures(entry),
                notebook=_yes(entry, "notebook"),
                reported=_reported(entry),
                bears_on=read_bearings(entry),
                place=entry.place,
            )
        )
    return notes.parsed(tuple(found))


def program_fault(program: str) -> str:
    """Why a command cannot begin with this word: it is `a path` or `a shell`; empty when it can."""
    if "/" in program or "\\" in program:
        return "a path"
    return "a shell" if _SHELLS.fullmatch(program.lower().removesuffix(".exe")) else ""


def _predictions(entry: Fields) -> tuple[Prediction, ...]:
    found = []
    for fields in entry.maps("predictions", PREDICTION):
        words = fields.required("text", "A prediction")
        if words is not None:
            found.append(
                Prediction(text=words, written=fields.text("written"), rule=fields.text("rule"))
            )
    return tuple(found)


def _outside(entry: Fields) -> tuple[Outside, ...]:
    found: list[Outside] = []
    for fields in entry.maps("outside", OUTSIDE):
        name = fields.required("name", "What a run reads from outside")
        if name is not None and not _PLAIN.fullmatch(name):
            what = f'"{name}" cannot be the name of a folder.'
            _wrong(fields, name, what, "Use letters, digits, - and _.")
        elif name is not None and any(one.name == name for one in found):
            _wrong(fields, name, f'"{name}" stands here twice.', "Give each a name of its own.")
        elif name is not None:
            found.append(
                Outside(
                    name=name,
                    what=fields.text("what"),
                    files=fields.texts("files"),
                    required=_yes(fields, "required"),
                )
            )
    return tuple(found)


def _figures(entry: Fields) -> tuple[Figure, ...]:
    found = []
    for fields in entry.maps("figures", FIGURE):
        title = fields.required("title", "A figure")
        file = fields.required("file", "A figure")
        kind = fields.required("kind", "A figure")
        if kind is not None and kind not in KINDS:
            _wrong(fields, kind, f'There is no kind of figure "{kind}".', did_you_mean(kind, KINDS))
        elif title is not None and file is not None and kind is not None:
            found.append(
                Figure(
                    title=title,
                    file=file,
                    kind=kind,
                    x=fields.text("x"),
                    y=fields.texts("y"),
                    summary=fields.text("summary"),
                )
            )
    return tuple(found)


def _limits(entry: Fields) -> Limits:
    fields = entry.map("limits", LIMITS)
    usual = Limits()
    if fields is None:
        return usual
    return Limits(
        seconds=_whole(fields, "seconds", usual.seconds),
        memory_mb=_whole(fields, "memory_mb", usual.memory_mb),
        output_mb=_whole(fields, "output_mb", usual.output_mb, _MOST_OUTPUT),
    )


def _whole(fields: Fields, key: str, usual: int, most: int = 10**6) -> int:
    words = fields.text(key)
    if words is None:
        return usual
    if words.isascii() and words.isdigit() and len(words) < 8 and 0 < int(words) <= most:
        return int(words)
    fix = f"Write a whole number from 1 to {most}."
    _wrong(fields, words, f'"{words}" is no limit.', fix)
    return usual


def _yes(fields: Fields, key: str) -> bool:
    words = fields.text(key)
    if words is None or words.lower() in _YES_NO:
        return _YES_NO[words.lower()] if words else False
    _wrong(fields, words, f'The value of "{key}" is neither yes nor no.', "Write yes or no.")
    return False


def _wrong(fields: Fields, at: Text, what: str, fix: str) -> None:
    fields.notes.problems.append(error(at.place, "yaml.shape", what, fix))


def _reported(entry: Fields) -> Reported | None:
    fields = entry.map("reported", REPORTED)
    if fields is None:
        return None
    return Reported(
        by=fields.required("by", "A reported run"),
        date=fields.required("date", "A reported run"),
        command=fields.text("command"),
        outcome=fields.required("outcome", "A reported run"),
        output=fields.text("output"),
        place=fields.place,
    )
