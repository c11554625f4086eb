"""The chapter's notebook: the scripts of experiments, cell by cell, against what was recorded.

An experiment with `notebook: yes` and a run that stands is in it; every other one is named at the
end with the reason. The contract: one question, the standard library and NumPy only, no network,
seeds that are fixed, no outputs, every cell of code ends in assertions, less than 120 seconds. A
script that does not keep it is refused. The bytes depend on the pack's files only.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from researchpack.formats.values import VALUES
from researchpack.measures import find_refs, strict_json, told
from researchpack.percent import CODE, Cell, read_script, script_of
from researchpack.problems import UsageFault
from researchpack.records import RunStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from researchpack.records import Artefact, ExperimentView, Pack, RunRecord

LONGEST: Final = 120
"""Seconds that the recorded runs may have taken together."""
_METADATA: Final = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_ID: Final = re.compile(r"[XL]\d{1,9}[a-z]?")
_MARKUP: Final = re.compile(r"[&<>$\\`*_\[\]|~#]")
_ENTITIES: Final = frozenset("&<>$\\")
"""What a backslash does not keep from being HTML or a formula in every reader of notebooks."""
_FIRST: Final = re.compile(r"^(\d+)(?=[.)])|^(?=[-+=])")
_HEADING: Final = re.compile(r"(#{1,5}) ")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")

Part = tuple[str, str, str]
"""Id, kind, and source of a cell."""


class NoNotebook(UsageFault):
    """No notebook can be made of the pack; the message says of which file, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """An experiment that is in the notebook."""

    view: ExperimentView
    run: RunRecord
    script: str
    """Its path in the pack."""
    cells: tuple[Cell, ...]
    recorded: tuple[tuple[str, Any], ...]
    """Name and content of the artefacts with measured values."""

    @property
    def id(self) -> str:
        """`L1`."""
        return str(self.view.experiment.id)


def notebook(pack: Pack, views: Sequence[ExperimentView]) -> bytes:
    """The notebook of a pack, as JSON in UTF-8. Raises `NoNotebook`."""
    if pack.is_broken("experiments.yaml"):
        raise NoNotebook("experiments.yaml cannot be read; `check` says why.")
    left = [(view, _why_not(view)) for view in views]
    wanted = [view for view, why in left if not why]
    if not wanted:
        raise NoNotebook(
            f"{pack.name} has no experiment with `notebook: yes` and a run that stands."
        )
    chosen = [_chosen(pack, view) for view in wanted]
    _within(pack, chosen)
    parts = [_title(pack, chosen), _needed(chosen)]
    for one in chosen:
        parts += _experiment(one, views)
    parts.append(_skip_log(pack, [(view, why) for view, why in left if why]))
    return _written(parts)


def _why_not(view: ExperimentView) -> str:
    """Why an experiment is not in the notebook; empty when it is."""
    experiment = view.experiment
    found = []
    if view.status is not RunStatus.RUN:
        found.append(f"{view.status.value}, {' '.join(view.reason.split())}")
    if experiment.outside:
        names = ", ".join(str(one.name) for one in experiment.outside)
        found.append(f"it reads files from outside of the project ({names})")
    if experiment.packages and not experiment.notebook:
        found.append(f"it needs what a notebook has not ({', '.join(experiment.packages)})")
    if found:
        return "; ".join(found)
    if not experiment.notebook:
        return "it is not marked with `notebook: yes`"
    if view.current is None or not _artefacts(view.current):
        return "its run recorded no values"
    return ""


def _artefacts(run: RunRecord) -> list[Artefact]:
    """The artefacts with measured values."""
    return [one for one in run.artefacts if VALUES.fullmatch(one.name)]


def _chosen(pack: Pack, view: ExperimentView) -> _Chosen:
    own, run = str(view.experiment.id), view.current
    assert run is not None
    if _ID.fullmatch(own) is None:
        raise NoNotebook(f'"{own}" can be no id of a cell.')
    given = dict(pack.laboratory.given).get(own)
    script = script_of(run.command, [one.file for one in given.inputs] if given else [])
    if script is None:
        raise NoNotebook(f"The command of {own} names none of its inputs that ends in .py.")
    try:
        text = dict(pack.files)[script].decode("utf-8-sig")
    except (KeyError, UnicodeDecodeError):
        raise NoNotebook(f"{pack.path(script)} cannot be read as text.") from None
    cells, faults = read_script(text)
    if faults:
        first = faults[0]
        more = f" ({len(faults) - 1} more of the kind.)" if len(faults) > 1 else ""
        raise NoNotebook(f"{pack.path(script)}:{first.line}: {first.what}{more}")
    recorded = tuple((one.name, _content(own, one)) for one in _artefacts(run))
    return _Chosen(view=view, run=run, script=script, cells=cells, recorded=recorded)


def _content(own: str, artefact: Artefact) -> Any:
    """What an artefact says."""
    data = artefact.data
    if data is None or hashlib.sha256(data).hexdigest() != artefact.sha256:
        raise NoNotebook(f"The values that {own} recorded are not there as the record has them.")
    try:
        return strict_json(data)
    except ValueError:
        raise NoNotebook(f"The values that {own} recorded cannot be compared.") from None


def _within(pack: Pack, chosen: Sequence[_Chosen]) -> None:
    """Raise `NoNotebook` when ids or seconds of the experiments do not fit together."""
    ids = [one.id for one in chosen]
    twice = next((own for own in ids if ids.count(own) > 1), None)
    if twice is not None:
        raise NoNotebook(f"{pack.name} has more than one experiment {twice}.")
    seconds = sum(one.run.seconds for one in chosen)
    if seconds >= LONGEST:
        raise NoNotebook(
            f"The experiments with `notebook: yes` took {seconds:.0f} s; a notebook has to end"
            f" within {LONGEST} s. Leave out some."
        )


def _title(pack: Pack, chosen: Sequence[_Chosen]) -> Part:
    file = pack.file
    usual = f"Do the recorded values of {file.title or pack.name} come out again?"
    asked = str(file.notebook_question or next(iter(file.questions), usual))
    number = f"Chapter {file.number}" if file.number else "The chapter"
    names = ", ".join(one.id for one in chosen)
    return (
        "title",
        "markdown",
        f"# {_plain(asked)}\n\n"
        f"{_plain(number)} of {_plain(pack.book.title or pack.book.id)}:"
        f" {_plain(file.title or pack.name)}. The chapter is the authority; this notebook runs"
        f" what its research pack {_plain(pack.name)} recorded once more: {_plain(names)}.\n\n"
        "Mode: reproduce. The standard library and NumPy are all it may import; it asks no other"
        " machine for anything, and its seeds are fixed. Every cell of code ends in assertions."
        " Where one fails, what the pack says of that experiment does not hold here.\n\n"
        "This file was generated. Change the experiments of the pack, not this.",
    )


def _needed(chosen: Sequence[_Chosen]) -> Part:
    """The first cell of code: the files that the scripts read, as they were."""
    files = {
        given.file: given.sha256
        for one in chosen
        for given in one.run.inputs
        if given.file != one.script and not given.is_outside
    }
    listed = _literal(dict(sorted(files.items())))
    return (
        "files",
        CODE,
        "import hashlib\n"
        "from pathlib import Path\n\n"
        "# The files of the pack that have to lie in this folder, below these names.\n"
        f"needed: dict[str, str] = {listed}\n"
        "missing = [name for name in needed if not Path(name).is_file()]\n"
        'assert not missing, f"Copy these files of the pack into this folder: {missing}"\n'
        'Path("out").mkdir(exist_ok=True)\n'
        "changed = [\n"
        "    name\n"
        "    for name, sha256 in needed.items()\n"
        "    if hashlib.sha256(Path(name).read_bytes()).hexdigest() != sha256\n"
        "]\n"
        'assert not changed, f"Not the files that the recorded runs read: {changed}"',
    )


def _experiment(one: _Chosen, views: Sequence[ExperimentView]) -> Iterator[Part]:
    """What is asked, the cells of the script, and the comparison with the record."""
    experiment = one.view.experiment
    lines = [f"## {_plain(one.id)}: {_plain(experiment.title or 'UNVERIFIED')}"]
    for name, words in (
        ("Question", experiment.question),
        ("Method", experiment.method),
        ("What this does not show", experiment.limitations),
    ):
        if words is not None:
            lines.append(f"**{name}.** {_plain(_filled(words, views))}")
    lines.append(f"Recorded in run {_plain(one.run.id)}.")
    yield one.id, "markdown", "\n\n".join(lines)
    called = one.run.command[one.run.command.index(one.script) :]
    if len(called) > 1:
        yield f"{one.id}-command", CODE, _arguments(called)
    for number, (kind, source) in enumerate(_shown(one.cells), start=1):
        yield f"{one.id}-{number}", kind, source
    for number, (name, content) in enumerate(one.recorded):
        yield f"{one.id}-recorded{number or ''}", CODE, _comparison(one, name, content)


def _arguments(words: Sequence[str]) -> str:
    listed = ", ".join(map(_string, words))
    return f"import sys\n\nsys.argv = [{listed}]\nassert len(sys.argv) == {len(words)}"


def _shown(cells: Iterable[Cell]) -> Iterator[tuple[str, str]]:
    """Kind and source of a script's cells. Its title is left out, for the experiment has one."""
    titled = False
    for cell in cells:
        source = cell.source
        if cell.kind != CODE:
            if not titled and source.startswith("# "):
                titled = True
                source = source.partition("\n")[2].strip("\n")
            source = _harmless(source)
        if source:
            yield cell.kind, source


def _comparison(one: _Chosen, name: str, content: Any) -> str:
    return (
        "import json\n"
        "from pathlib import Path\n\n"
        f"# What run {one.run.id} recorded.\n"
        f"recorded = {_literal(content)}\n"
        f"measured = json.loads(Path({_string(f'out/{name}')}).read_text(encoding="
        '"utf-8"))\n'
        f"assert measured == recorded, {_string(f'{one.id}: not what was recorded')}"
    )


def _skip_log(pack: Pack, left: Sequence[tuple[ExperimentView, str]]) -> Part:
    lines = [
        f"- {_plain(view.experiment.id)}, {_plain(view.experiment.title or 'UNVERIFIED')}:"
        f" {_plain(why)}."
        for view, why in left
    ]
    told = "\n".join(lines) or f"Every experiment of {_plain(pack.name)} is in this notebook."
    return "skip-log", "markdown", f"## Skip log\n\n{told}"


def _filled(words: str, views: Sequence[ExperimentView]) -> str:
    """`words` with measured values in place of their references; an unknown one stays."""
    found, at = [], 0
    known = {str(view.experiment.id): view for view in views}
    for ref in find_refs(words):
        measured = known[ref.id].measured(ref.path) if ref.id in known else None
        if measured is not None:
            found += [words[at : ref.start], told(measured.value)]
            at = ref.end
    return "".join(found) + words[at:]


def _plain(words: str) -> str:
    """`words` as one line of Markdown that means nothing but them: no markup, HTML or formula."""
    line = _MARKUP.sub(lambda match: _escaped(match[0]), " ".join(words.split()))
    return _FIRST.sub(lambda match: f"{match[0]}\\", line)


def _escaped(mark: str) -> str:
    return f"&#{ord(mark)};" if mark in _ENTITIES else f"\\{mark}"


def _harmless(words: str) -> str:
    """Markdown of a script one heading lower, without HTML and without pictures."""
    lines, fence = [], ""
    for line in words.split("\n"):
        mark = _FENCE.match(line)
        if mark is not None:
            closes = bool(fence) and mark[1].startswith(fence)
            fence = "" if closes else fence or mark[1]
        elif not fence and _HEADING.match(line):
            line = f"#{line}"
        lines.append(line)
    return "\n".join(lines).replace("<", "&lt;").replace("![", "!\\[")


def _literal(data: Any, indent: str = "") -> str:
    """Data of JSON as an expression of Python, one entry a line."""
    deeper = f"{indent}    "
    if isinstance(data, dict) and data:
        body = [f"{_string(key)}: {_literal(value, deeper)}" for key, value in data.items()]
        return "{\n" + "".join(f"{deeper}{line},\n" for line in body) + f"{indent}}}"
    if isinstance(data, list) and data:
        body = [_literal(value, deeper) for value in data]
        return "[\n" + "".join(f"{deeper}{line},\n" for line in body) + f"{indent}]"
    return _string(data) if isinstance(data, str) else repr(data)


def _string(words: str) -> str:
    """A string of Python, in double quotes where nothing of it has to be escaped."""
    plain = words.isprintable() and not set(words) & {'"', "\\"}
    return f'"{words}"' if plain else repr(words)


def _written(parts: Iterable[Part]) -> bytes:
    """The cells as a file of nbformat 4.5."""
    import nbformat  # here, because few commands need it

    made: Any = nbformat.v4  # its functions have no types
    cells = [
        made.new_code_cell(source, id=own)
        if kind == CODE
        else made.new_markdown_cell(source, id=own)
        for own, kind, source in parts
    ]
    whole = made.new_notebook(cells=cells, metadata=_METADATA)
    whole.nbformat_minor = 5  # whatever the newest version is that is installed
    nbformat.validate(whole)
    return f"{made.writes(whole).rstrip()}\n".encode()
