"""`check --fix`: what a registry contradicts is offered, shown, and replaced exactly, or not."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from bib_served import crossref_record
from researchpack import fixing
from researchpack.cli import cli
from researchpack.exact import (
    CannotWrite,
    add_source,
    change_entries,
    change_ledger,
    field_change,
    key_added,
    opened,
    value_change,
)
from researchpack.fixing import Fixed, fix, seen
from researchpack.formats.bibtex import read_bib
from researchpack.formats.sources import read_sources
from researchpack.places import Place
from researchpack.recording import Records
from researchpack.records import FieldState, Name, RegistryRecord

if TYPE_CHECKING:
    from conftest import ProjectFolder

pytestmark = pytest.mark.slow

TODAY = "2026-11-30"
LEDGER = "sources.yaml"
BIB = "bib/river-craft.bib"
CASE = Path(__file__).parent / "cases" / "bib" / "B70-yaml-comment-drift"
COMMAND = Path(sys.executable).with_name("researchpack")
MESSAGE: dict[str, Any] = {
    "DOI": "10.5555/locks.7",
    "type": "journal-article",
    "title": ["Filling Times of Small Locks"],
    "author": [
        {"family": "Halvorsen", "given": "Ines"},
        {"family": "García Márquez", "given": "Ana"},
    ],
    "container-title": ["Journal of Inland Waters"],
    "volume": "12",
    "issue": "3",
    "page": "101-119",
    "issued": {"date-parts": [[2004, 5]]},
}
OURS = """\
# Sources, by hand.
- id: S1
  type: article
  title: Filling Times of Smal Locks   # as printed
  authors:
    - Halvorsen, Ines
    - Eva Márquez  # who else?
  issued: 1994
  accessed: 2026-11-10
  container: >-
    Journal of Inland
    Roads
  volume: 21
  issue: '3'
  pages: 7-19
  verified: {by: me, date: 2026-11-11}
  copy: {url: not kept, date: 2026-11-12}
  doi: 10.5555/locks.7
  reading_status: full_text
  read: all of it

# --- the next one
- id: S2
  title: Other
  issued: 1994
  reading_status: unknown
  accessed: 2026-11-10
"""
WANTED = """\
# Sources, by hand.
- id: S1
  type: article
  title: "Filling Times of Small Locks"   # as printed
  authors:
    - Halvorsen, Ines
    - "Ana García Márquez"  # who else?
  issued: "2004"
  accessed: 2026-11-10
  container: "Journal of Inland Waters"
  volume: "12"
  issue: '3'
  pages: "101-119"
  verified: {by: me, date: 2026-11-11}
  copy: {url: not kept, date: 2026-11-12}
  doi: 10.5555/locks.7
  reading_status: full_text
  read: all of it

# --- the next one
- id: S2
  title: Other
  issued: 1994
  reading_status: unknown
  accessed: 2026-11-10
"""
OUR_BIB = """\
% by hand
@string{jir = "Journal of Inland Roads"}
@article{locks,
  title   = {{Filling Times of Smal Locks}}, % as printed
  author  = {Halvorsen, Ines and
             Eva M{\\'a}rquez},
  journal = jir,
  year    = 1994,
  volume  = "21",
  number  = {3},
  pages   = {7--19},
  urldate = {2026-11-10},
  doi     = {10.5555/LOCKS.7}
}
@article{other, title = {Other}, journal = jir, year = 1994}
"""
WANTED_BIB = """\
% by hand
@string{jir = "Journal of Inland Roads"}
@article{locks,
  title   = {{Filling Times of Small Locks}}, % as printed
  author  = {Halvorsen, Ines and
             García Márquez, Ana},
  journal = {Journal of Inland Waters},
  year    = {2004},
  volume  = {12},
  number  = {3},
  pages   = {101--119},
  urldate = {2026-11-10},
  doi     = {10.5555/LOCKS.7}
}
@article{other, title = {Other}, journal = jir, year = 1994}
"""


def record(**fields: Any) -> RegistryRecord:
    return replace(crossref_record(MESSAGE), **fields)


class Desk:
    """One file that belongs to no project, beside its records."""

    def __init__(self, folder: Path, name: str, text: str, **fields: Any) -> None:
        self.file, self.records = folder / name, folder / "records"
        self.file.write_bytes(text.encode())
        Records(self.records, "records").save(record(**fields))
        self.told: list[str] = []

    def fix(self, *answers: str) -> Fixed:
        """Answer one after the other; without any nobody is asked."""
        left = list(answers)
        found = seen(None, [], [self.file], TODAY, self.records)
        return fix(found, (lambda: left.pop(0)) if answers else None, self.told.append)

    @property
    def text(self) -> str:
        return self.file.read_bytes().decode()


# --- the whole of it


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", [True, False])
def test_every_contradicted_field_of_a_ledger(
    tmp_path: Path, mark: str, newline: str, end: bool
) -> None:
    def as_written(text: str) -> str:
        return mark + (text if end else text.removesuffix("\n")).replace("\n", newline)

    desk = Desk(tmp_path, LEDGER, as_written(OURS))
    assert desk.fix("a") == Fixed(changed=6, left=0)
    assert desk.text == as_written(WANTED)
    assert desk.fix("a") == Fixed(), "nothing is left"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_contradicted_field_of_a_bibliography(
    tmp_path: Path, mark: str, newline: str
) -> None:
    desk = Desk(tmp_path, "input.bib", mark + OUR_BIB.replace("\n", newline))
    assert desk.fix("a") == Fixed(changed=6, left=0)
    assert desk.text == mark + WANTED_BIB.replace("\n", newline)
    assert desk.fix("a") == Fixed()


def test_each_is_shown_before_it_is_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, OURS)
    desk.fix("a")
    path = desk.file.as_posix()
    assert desk.told[:4] == [
        f"{path}:4:10: title of S1 (Crossref, asked 2026-11-30; spelling)",
        '- title: Filling Times of Smal Locks\n+ title: "Filling Times of Small Locks"',
        f"{path}:7:7: authors of S1 (Crossref, asked 2026-11-30; "
        'given names: "Eva Márquez" here, "Ana García Márquez" there)',
        '- - Halvorsen, Ines - Eva Márquez\n+ - Halvorsen, Ines - "Ana García Márquez"',
    ]


# --- yes, no, all, quit


def test_only_what_somebody_said_yes_to(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, OURS)
    assert desk.fix("n", "n", "n", "n", "y", "n") == Fixed(changed=1, left=5)
    assert desk.text == OURS.replace("volume: 21", 'volume: "12"')


def test_quitting_keeps_what_was_taken(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, OURS)
    assert desk.fix("y", "q") == Fixed(changed=1, left=0)
    assert desk.text == OURS.replace(
        "Filling Times of Smal Locks", '"Filling Times of Small Locks"'
    )


def test_all_that_follow(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, OURS)
    assert desk.fix("n", "a") == Fixed(changed=5, left=1)
    assert desk.text == WANTED.replace(
        '"Filling Times of Small Locks"', "Filling Times of Smal Locks"
    )


def test_without_anybody_to_ask_nothing_is_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, OURS)
    assert desk.fix() == Fixed(changed=0, left=6)
    assert desk.text == OURS
    assert len(desk.told) == 12


def test_what_is_taken_is_on_disk_before_the_next_question(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, OURS)
    seen_then: list[str] = []

    def ask() -> str:
        seen_then.append(desk.text)
        return "y"

    fix(seen(None, [], [desk.file], TODAY, desk.records), ask, desk.told.append)
    assert len(set(seen_then)) == 6


def test_a_file_that_somebody_saves_meanwhile_is_left(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, OURS)

    def ask() -> str:
        desk.file.write_text("- id: S1\n")
        return "y"

    done = fix(seen(None, [], [desk.file], TODAY, desk.records), ask, desk.told.append)
    assert (done.changed, desk.text) == (0, "- id: S1\n")
    assert "was changed by somebody else meanwhile." in desk.told[-1]


# --- what is not offered


def test_dates_of_people_are_never_offered(tmp_path: Path) -> None:
    keys = {key for keys in fixing.KEYS.values() for key in keys}
    assert not keys & {"accessed", "copy", "verified", "archive", "read", "reading_status"}
    fields = {name for names in fixing.FIELDS.values() for name in names}
    assert not fields & {"urldate", "accessed", "visited", "note"}
    desk = Desk(tmp_path, LEDGER, OURS)
    desk.fix("a")
    for line in re.findall(r".*2026-11-1\d.*\n", OURS):
        assert line in desk.text


def test_another_work_is_not_offered(tmp_path: Path) -> None:
    other = (Name(family="Else", given="Somebody"),)
    desk = Desk(tmp_path, LEDGER, OURS, title="Of Something Quite Different", authors=other)
    assert desk.fix("a") == Fixed()
    assert desk.text == OURS


def test_what_is_not_contradicted_is_not_offered(tmp_path: Path) -> None:
    desk = Desk(tmp_path, LEDGER, WANTED)
    assert (desk.fix("a"), desk.text) == (Fixed(), WANTED)


def test_a_subtitle_of_its_own_is_for_a_person(tmp_path: Path) -> None:
    text = OURS.replace("   # as printed", "\n  subtitle: A Studdy")
    desk = Desk(tmp_path, LEDGER, text, title="Filling Times of Small Locks: A Study")
    desk.fix("a")
    assert "  Title and subtitle stand apart here: change them by hand." in desk.told
    assert "title: Filling Times of Smal Locks\n  subtitle: A Studdy\n" in desk.text


def test_what_an_entry_inherits_is_left(tmp_path: Path) -> None:
    text = (
        "@inproceedings{a, title = {Filling Times of Small Locks}, author = {Ines Halvorsen and"
        " Ana García Márquez}, crossref = {all}, doi = {10.5555/locks.7}}\n"
        "@proceedings{all, title = {Roads and Bridges}, year = 1994}\n"
    )
    desk = Desk(tmp_path, "input.bib", text)
    assert desk.fix("a") == Fixed(changed=0, left=2)
    assert desk.text == text
    assert desk.told[1::2] == ['  The value belongs to "all", which others inherit from.'] * 2


# --- what a registry sends is data


HOSTILE = [
    'x" # y: {z}, [a]\\n',
    "- id: S9",
    "a\n- id: S9\n",
    "}",
    "{",
    "*a &b !c",
    "\\",
    "1994 % x",
]


RIGHT = ("Eva Márquez", "Ana García Márquez"), ("Eva M{\\'a}rquez", "Ana García Márquez")
"""With the right authors a record is about this work, whatever title it has."""


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_stay_one_value_of_a_ledger(tmp_path: Path, words: str) -> None:
    desk = Desk(tmp_path, LEDGER, OURS.replace(*RIGHT[0]), title=f"Waters {words}")
    desk.fix("y", *"nnnn")
    line = " ".join(f"Waters {words}".split())
    one, two = read_sources(desk.text, LEDGER).value
    assert (str(two.id), two.title) == ("S2", "Other")
    assert one.title == line
    assert desk.text.count("\n") == OURS.count("\n")


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_stay_one_value_of_a_bibliography(tmp_path: Path, words: str) -> None:
    desk = Desk(tmp_path, "input.bib", OUR_BIB.replace(*RIGHT[1]), title=f"Waters {words}")
    desk.fix("a")
    line = " ".join(f"Waters {words}".split())
    entries = read_bib(desk.text, "x").value
    assert [str(one.key) for one in entries] == ["locks", "other"]
    assert entries[0].get("journal") == "Journal of Inland Waters", "the others were taken"
    refused = words in ("}", "{")
    assert entries[0].get("title") == ("Filling Times of Smal Locks" if refused else line)


@pytest.mark.parametrize(("name", "text"), [(LEDGER, OURS), ("input.bib", OUR_BIB)])
@pytest.mark.parametrize("sign", ["\0", "\x1b[2J", "\ufffe"])
def test_what_no_text_holds_is_refused(tmp_path: Path, name: str, text: str, sign: str) -> None:
    desk = Desk(tmp_path, name, text, containers=(f"Journal {sign} of Locks",))
    assert desk.fix("a") == Fixed(changed=5, left=1)
    assert any("which no text has" in line for line in desk.told)
    assert sign not in desk.text
    assert not any(sign in line for line in desk.told)


def test_a_hundred_kilobytes(tmp_path: Path) -> None:
    long = ("Waters " * 15_000).strip()
    desk = Desk(tmp_path, LEDGER, OURS.replace(*RIGHT[0]), title=long)
    desk.fix("a")
    assert read_sources(desk.text, LEDGER).value[0].title == long
    assert max(map(len, desk.told)) < 4500, "what is shown is cut"


# --- exactly, or not at all


@pytest.mark.parametrize(
    "text",
    [
        "- id: S1\n  title: &t Old\n  container: *t\n",
        "- id: S1\n  container: &t Old\n  title: *t\n",
    ],
)
def test_a_value_that_others_share_is_left(text: str) -> None:
    source = read_sources(text, LEDGER).value[0]
    assert source.title is not None
    with pytest.raises(CannotWrite):
        value_change(text, LEDGER, source.title.place, ("title",), ("New",))


def test_a_value_that_is_gone_is_told() -> None:
    with pytest.raises(CannotWrite, match="not where it was"):
        value_change("- id: S1\n  title: T\n", LEDGER, Place(LEDGER, 9, 9), ("title",), ("N",))
    with pytest.raises(CannotWrite, match="not where it was"):
        value_change("- id: S1\n  title: T\n", LEDGER, Place(LEDGER, 2, 10), ("issued",), ("N",))
    with pytest.raises(CannotWrite, match="not where it was"):
        field_change("@book{a, title = {T}}", BIB, Place(BIB, 1, 19), ("year",), "a", "N")


def test_a_change_that_does_more_is_refused() -> None:
    text = "- id: S1\n  title: T\n  volume: 1\n"
    good = value_change(text, LEDGER, Place(LEDGER, 2, 10), ("title",), ("N",))
    assert change_ledger(text, LEDGER, [good]) == text.replace(" T", ' "N"')
    for new in ('"N"\n  title: M', '"N"\n  issue: 2', '"M"', '"N" x', '"N"\n- id: S2'):
        with pytest.raises(CannotWrite):
            change_ledger(text, LEDGER, [replace(good, new=new)])
    with pytest.raises(CannotWrite):
        change_ledger(text, LEDGER, [replace(good, end=len(text))])
    bib = "@book{a, title = {T}, year = 1}\n@book{b, title = {U}}\n"
    fine = field_change(bib, BIB, Place(BIB, 1, 18), ("title",), "a", "N")
    assert change_entries(bib, BIB, [fine]) == bib.replace("{T}", "{N}")
    last = field_change(bib, BIB, Place(BIB, 2, 18), ("title",), "b", "N")
    for new in ("{N}}\n@book{c, title = {X}", "{N} junk", "{N} % remark\n"):
        with pytest.raises(CannotWrite):
            change_entries(bib, BIB, [replace(last, new=new)])
    for new in ("{N}, month = 1", "{M}", "{N", "{N}}\n@book{c, title = {N}"):
        with pytest.raises(CannotWrite):
            change_entries(bib, BIB, [replace(fine, new=new)])


@pytest.mark.parametrize(
    ("written", "values", "wanted"),
    [
        ("[A B, C D]", ("A B", "X Y"), '[A B, "X Y"]'),
        ("[A B, C D]", ("B A", "C D", "E F"), '["B A", "C D", "E F"]'),
        ("A B", ("X Y",), '"X Y"'),
        ("A B", ("A B", "X Y"), '["A B", "X Y"]'),
        ("\n  - A B\n  - C D", ("X Y",), '\n  - "X Y"'),
        ("\n    - A B", ("A B", "C D"), '\n    - "A B"\n    - "C D"'),
        ("['B, A', >-\n]", None, None),
    ],
)
def test_lists_of_names(written: str, values: tuple[str, ...] | None, wanted: str | None) -> None:
    text = f"- id: S1\n  authors: {written}\n  title: T\n"
    if values is None:
        with pytest.raises(CannotWrite):
            value_change(text, LEDGER, Place(LEDGER, 2, 12), ("authors",), ("X",))
        return
    place = read_sources(text, LEDGER).value[0].authors[0].place
    change = value_change(text, LEDGER, place, ("authors",), values)
    assert change_ledger(text, LEDGER, [change]) == f"- id: S1\n  authors: {wanted}\n  title: T\n"


def test_a_comment_between_names_is_not_thrown_away() -> None:
    text = "- id: S1\n  authors:\n    - A B  # first\n    - C D\n"
    with pytest.raises(CannotWrite, match="A comment stands between the names"):
        value_change(text, LEDGER, Place(LEDGER, 3, 7), ("authors",), ("A B",))


def test_more_authors_of_a_bibliography() -> None:
    text = "@book{a, author = {A B and others}, title = {T}}\n"
    names = (Name(family="B", given="A"), Name(family="D", given="C"), Name(literal="Some Body"))
    change = field_change(text, BIB, Place(BIB, 1, 19), ("author",), "a", names)
    assert change.new == "{B, A and D, C and {Some Body}}"


# --- the comment of the next entry


def test_case_b70() -> None:
    mark, text = opened((CASE / "input.yaml").read_bytes(), "input.yaml")
    change = key_added(text, "input.yaml", "a", "verified", "2026-11-30")
    after = mark + change_ledger(text, "input.yaml", [change])
    assert after.encode() == (CASE / "wanted.yaml").read_bytes()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- id: a", '- id: a\n  k: "v"\n'),
        ("- id: a\n  t: >-\n    x\n    y\n\n# b\n- id: b\n",
         '- id: a\n  t: >-\n    x\n    y\n  k: "v"\n\n# b\n- id: b\n'),
        ("- id: a\n  t: [x, y]  # z\n- id: b\n", '- id: a\n  t: [x, y]  # z\n  k: "v"\n- id: b\n'),
    ],
)  # fmt: skip
def test_a_key_more(before: str, after: str, newline: str) -> None:
    before, after = before.replace("\n", newline), after.replace("\n", newline)
    change = key_added(before, LEDGER, "a", "k", "v")
    if newline == "\r\n" and "\n" not in before:
        after = after.replace("\r\n", "\n")  # no line end to go by
    assert change_ledger(before, LEDGER, [change]) == after


@pytest.mark.parametrize("text", ["- {id: a, t: x}\n", "- id: b\n", "- id: a\n  verified: x\n"])
def test_a_key_that_cannot_be_added(text: str) -> None:
    with pytest.raises(CannotWrite):
        key_added(text, LEDGER, "a", "verified", "v")


def test_the_comment_of_the_next_entry_stays_when_one_is_added() -> None:
    text = (CASE / "input.yaml").read_text() + "  # --- the end\n"
    after = add_source(text, "input.yaml", {"id": "S1", "title": "T"})
    assert after == text + '\n  - id: S1\n    title: "T"\n'


# --- in a project


def of_project(project: ProjectFolder) -> None:
    project.change(BIB, "  year    = {2011}", "  year    = {1994},\n  doi     = {10.5555/locks.7}")
    project.change(LEDGER, "  issued: 2011\n", "")
    Records(project.root / "bib/records", "").save(
        record(authors=(Name(family="Halvorsen", given="Ines"),))
    )


def run(project: ProjectFolder, *words: str) -> tuple[int, str, str]:
    environment = {"RESEARCHPACK_TODAY": TODAY}
    done = CliRunner().invoke(
        cli, ["-C", str(project.root), "check", *words], env=environment, catch_exceptions=False
    )
    return done.exit_code, done.stdout, done.stderr


def test_a_field_of_the_entry_behind_a_source(project: ProjectFolder) -> None:
    of_project(project)
    before = project.read(LEDGER)
    code, out, err = run(project, "--fix", "--yes", "--format", "json")
    assert (code, json.loads(out)) == (0, [])
    assert f"{BIB}:5:13: issued of S1 (Crossref, asked 2026-11-30)" in err
    assert "- year = {1994}\n+ year = {2004}\n" in err
    assert "1 changed, 0 left as they are." in err
    assert "  year    = {2004},\n" in project.read(BIB)
    assert project.read(LEDGER) == before


def test_without_a_terminal_it_only_shows(project: ProjectFolder) -> None:
    of_project(project)
    before = project.read(BIB)
    code, out, err = run(project, "--fix")
    assert (code, project.read(BIB)) == (1, before)
    assert "[meta.year]" in out
    assert "+ year = {2004}\n" in err
    assert "0 changed, 1 left as they are. Nothing is written without a terminal" in err


def test_one_file_of_a_project(project: ProjectFolder) -> None:
    of_project(project)
    assert "0 changed, 0 left" in run(project, "--fix", "--yes", str(project.path(LEDGER)))[2]
    assert "1 changed, 0 left" in run(project, "--fix", "--yes", str(project.path(BIB)))[2]


def test_one_value_of_two_packs_is_offered_once(project: ProjectFolder) -> None:
    of_project(project)
    shutil.copytree(project.folder, project.folder.with_name("04-weirs"))
    assert "1 changed, 0 left" in run(project, "--fix", "--yes")[2]


def test_yes_alone_is_a_mistake(project: ProjectFolder) -> None:
    code, _, err = run(project, "--yes")
    assert (code, "--yes belongs to --fix." in err) == (2, True)


def test_a_check_without_fix_writes_nothing(project: ProjectFolder) -> None:
    of_project(project)
    before = {p: p.read_bytes() for p in project.root.rglob("*") if p.is_file()}
    run(project)
    assert {p: p.read_bytes() for p in project.root.rglob("*") if p.is_file()} == before


def test_on_a_terminal_it_asks(project: ProjectFolder) -> None:
    of_project(project)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "check", "--fix"],
        cwd=project.root,
        env={**os.environ, "RESEARCHPACK_TODAY": TODAY},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.write(ours, b"yes\n")
        _, told = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert "Write this? [y]es [n]o [a]ll [q]uit" in told
    assert (process.returncode, "1 changed, 0 left" in told) == (0, True)
    assert "{2004}" in project.read(BIB)


def test_every_field_that_is_compared_has_its_place() -> None:
    from researchpack.checks.bibliography import _WORDS

    assert set(fixing.KEYS) == set(fixing.FIELDS) == set(_WORDS)
    assert FieldState.CONTRADICTED.value == "contradicted"
