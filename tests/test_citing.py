"""`cite`: an identifier becomes one entry, and every other byte of the file stays."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bib_served import crossref_record
from registries import Registries, entry
from researchpack.bibout import balanced, prose
from researchpack.citing import Cited, Order, free_id, recognised, run
from researchpack.cli import cli
from researchpack.describing import bib_fields, bib_key, source_data
from researchpack.exact import CannotWrite, add_entry, add_source, opened
from researchpack.exact._reading import quoted
from researchpack.formats.bibtex import read_bib
from researchpack.formats.sources import read_sources
from researchpack.formats.works import work_of_entry, work_of_source
from researchpack.latex import plain_text
from researchpack.places import Place, Text
from researchpack.problems import UsageFault
from researchpack.recording import Records
from researchpack.records import Identifier, Name, RegistryRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import ProjectFolder

pytestmark = pytest.mark.slow

TODAY = "2026-11-30"
LEDGER = "sources.yaml"
BIB = "bib/river-craft.bib"
WORK: dict[str, Any] = {
    "DOI": "10.5555/Locks.7",
    "type": "journal-article",
    "title": ["Side Ponds: An <i>Old</i> Saving"],
    "author": [
        {"family": "García Márquez", "given": "Ana"},
        {"family": "de Vries", "given": "Hugo"},
        {"name": "The Lock Keepers"},
    ],
    "container-title": ["Journal of Inland Waters"],
    "publisher": "Canal & Sons",
    "volume": "12",
    "issue": "3",
    "page": "101-119",
    "issued": {"date-parts": [[2004, 5]]},
    "resource": {"primary": {"URL": "https://evil.example/?<script>"}},
}


@pytest.fixture(scope="module")
def registries() -> Iterator[Registries]:
    with Registries() as found:
        yield found


@pytest.fixture(autouse=True)
def _known(registries: Registries) -> None:
    for service in registries.services.values():
        service.items.clear()
        service.asked.clear()
        service.mode = "ok"
    registries.crossref.items["10.5555/locks.7"] = WORK


def cite(
    project: ProjectFolder, registries: Registries, words: str = "10.5555/locks.7", **more: Any
) -> Cited:
    return run(project.root, Order(identifier=words, **more), registries.environment(), today=TODAY)


def given_by(**fields: Any) -> RegistryRecord:
    """The record of the work above with other fields."""
    return replace(crossref_record(WORK), **fields)


def doi(value: str = "10.5555/locks.7") -> Identifier:
    return Identifier(scheme="doi", value=value, written=Text(value, Place("")))


# --- one entry more


def test_an_entry_of_the_ledger(project: ProjectFolder, registries: Registries) -> None:
    before = project.read(LEDGER)
    done = cite(project, registries, "see https://doi.org/10.5555%2FLOCKS.7.")
    after = project.read(LEDGER)
    assert after.startswith(before), "every byte that was there is there"
    assert (
        after[len(before) :]
        == """
- id: S3
  type: article
  title: "Side Ponds: An Old Saving"
  authors: ["García Márquez, Ana", "Hugo de Vries", "The Lock Keepers"]
  issued: "2004-05"
  container: "Journal of Inland Waters"
  publisher: "Canal & Sons"
  volume: "12"
  issue: "3"
  pages: "101-119"
  doi: "10.5555/locks.7"
  url: "https://doi.org/10.5555/locks.7"
  reading_status: metadata_only
  read: not read yet
"""
    )
    assert done.outcome == "added"
    assert done.lines[0] == f"research/{project.pack}/sources.yaml:33: S3 was added."
    assert done.entry == after[len(before) :].strip("\n")


def test_what_nobody_did_is_not_claimed(project: ProjectFolder, registries: Registries) -> None:
    done = cite(project, registries)
    source = project.gathered().sources[-1]
    assert (source.accessed, source.verified, source.copy, source.bears_on) == (
        None,
        None,
        None,
        (),
    )
    assert source.reading_status == "metadata_only"
    assert [one.rule for one in done.problems] == ["ledger.accessed-or-copy"]
    assert done.problems == [one for one in project.problems() if one.place.line >= 33]


def test_the_record_confirms_the_entry(project: ProjectFolder, registries: Registries) -> None:
    cite(project, registries)
    cite(project, registries, bib=True)
    checks = dict(project.view().field_checks)
    for name in ("S3", "garciamarquez2004side"):
        assert {one.state.value for one in checks[name]} == {"confirmed"}, checks[name]
        assert len(checks[name]) == 8


def test_an_entry_of_the_bibliography(project: ProjectFolder, registries: Registries) -> None:
    before = project.read(BIB)
    done = cite(project, registries, bib=True)
    after = project.read(BIB)
    assert (
        after
        == before
        + """
@article{garciamarquez2004side,
  author    = {García Márquez, Ana and de Vries, Hugo and {The Lock Keepers}},
  title     = {{Side Ponds: An Old Saving}},
  journal   = {Journal of Inland Waters},
  volume    = {12},
  number    = {3},
  pages     = {101--119},
  year      = {2004},
  publisher = {Canal \\& Sons},
  doi       = {10.5555/locks.7}
}
"""
    )
    assert done.entry == after[len(before) :].strip("\n")
    assert done.lines == [f"{BIB}:15: garciamarquez2004side was added."]


def test_the_registry_is_asked_once_and_its_record_kept(
    project: ProjectFolder, registries: Registries
) -> None:
    cite(project, registries)
    path = project.root / "bib/records/doi/10.5555%2flocks.7.json"
    assert json.loads(path.read_text())["title"] == "Side Ponds: An Old Saving"
    assert registries.count() == 1
    cite(project, registries, bib=True)
    assert registries.count() == 1, "the record was there"


def test_another_folder_of_records(
    project: ProjectFolder, registries: Registries, tmp_path: Path
) -> None:
    cite(project, registries, records=tmp_path / "mine")
    assert (tmp_path / "mine/doi/10.5555%2flocks.7.json").is_file()
    assert not (project.root / "bib/records").exists()


def test_the_other_registries(project: ProjectFolder, registries: Registries) -> None:
    registries.arxiv.items["2401.99001v2"] = entry("2401.99001v2", "A Model of Locks")
    registries.openlibrary.items["9780306406157"] = {
        "title": "Locks",
        "authors": [{"name": "Ida Ames"}],
        "publishers": [{"name": "Canal Press"}],
        "publish_date": "1999",
    }
    page = f"{registries.pages.url}/lock"
    registries.pages.items["/lock"] = (
        "<html><head><title>Of Locks</title><meta name='author' content='Ida Ames'></head></html>"
    )
    for words in ("https://arxiv.org/pdf/2401.99001v2", "ISBN 0-306-40615-2", page):
        assert cite(project, registries, words).outcome == "added", words
        assert cite(project, registries, words, bib=True).outcome == "added", words
    told = [
        (str(one.id), str(one.type), str(one.title), *map(str, one.authors), str(one.url))
        for one in project.gathered().sources[2:]
    ]
    assert told == [
        ("S3", "preprint", "A Model of Locks", "Ida Ames", "https://arxiv.org/abs/2401.99001v2"),
        ("S4", "book", "Locks", "Ida Ames", "None"),
        ("S5", "web page", "Of Locks", "Ida Ames", page),
    ]
    entries = map(work_of_entry, project.gathered().bibliography[2:])
    assert [
        (str(e.id), e.type, e.identifiers[0].scheme, e.identifiers[0].version) for e in entries
    ] == [
        ("ames2024model", "preprint", "arxiv", 2),
        ("ames1999locks", "book", "isbn", None),
        ("ameslocks", "web page", "url", None),
    ]


# --- what is there already


@pytest.mark.parametrize("bib", [False, True])
def test_nothing_is_added_twice(project: ProjectFolder, registries: Registries, bib: bool) -> None:
    cite(project, registries, bib=bib)
    name = BIB if bib else LEDGER
    before = project.read(name)
    again = cite(project, registries, "https://dx.doi.org/10.5555/LOCKS.7", bib=bib)
    assert (again.outcome, project.read(name)) == ("there", before)
    known = "garciamarquez2004side" if bib else "S3"
    assert f"DOI 10.5555/locks.7 is {known} already: " in again.lines[0]


def test_all_names_of_one_work(project: ProjectFolder, registries: Registries) -> None:
    project.write(LEDGER, "- id: S7\n  title: T\n  url: http://arxiv.org/abs/2401.99001v1\n")
    done = cite(project, registries, "doi:10.48550/arXiv.2401.99001")
    assert (done.outcome, registries.count()) == ("there", 0)


def test_an_entry_of_the_bibliography_is_pointed_at(
    project: ProjectFolder, registries: Registries
) -> None:
    cite(project, registries, bib=True)
    cite(project, registries)
    assert project.gathered().sources[-1].bib == "garciamarquez2004side"
    assert "id.duplicate" not in project.rules()


def test_a_source_of_the_ledger_is_named(project: ProjectFolder, registries: Registries) -> None:
    cite(project, registries)
    done = cite(project, registries, bib=True)
    said = f"S3 of {project.pack} is the same work: write `bib: garciamarquez2004side` there."
    assert said in done.lines


# --- files as people have them


FORMS = {
    "empty": ("", "- id: S1"),
    "comments only": ("# none yet\n", "- id: S1"),
    "no final newline": ("- id: S1\n  title: T", "- id: S2"),
    "crlf": ("- id: S1\r\n  title: T # mine\r\n", "- id: S2"),
    "old mac": ("- id: S1\r  title: T\r", "- id: S2"),
    "mark": ("\ufeff- id: S1\n  title: T\n", "- id: S2"),
    "under a key": ("sources:\n  - id: S1\n    title: T\n", "  - id: S2"),
    "under a key, not indented": ("sources:\n- id: S1\n  title: T\n", "- id: S2"),
    "under a key, empty": ("# top []\nsources:\n", "  - id: S1"),
    "wide dashes": ("-   id: S1\n    title: T\n", "- id: S2"),
    "comment behind": ("- id: S1\n  title: T\n\n# the end\n", "- id: S2"),
    "block behind": ("- id: S1\n  title: >-\n    one\n    two\n", "- id: S2"),
    "kept block behind": ("- id: S1\n  read: |+\n    one\n", "- id: S2"),
    "start mark": ("---\n- id: S1\n  title: T\n", "- id: S2"),
}


@pytest.mark.parametrize("name", FORMS)
def test_whatever_the_ledger_looks_like(name: str) -> None:
    before, item = FORMS[name]
    mark, text = opened(before.encode(), LEDGER)
    number = item.rpartition("S")[2]
    after = mark + add_source(text, LEDGER, source_data(given_by(), doi(), f"S{number}"))
    assert after.startswith(before)
    newline = "\r\n" if "\r\n" in before else "\r" if "\r" in before else "\n"
    added = after[len(before) :]
    assert added.replace(newline, "").count("\n") + added.replace(newline, "").count("\r") == 0
    assert added.lstrip("\r\n").startswith(item)
    sources = read_sources(after.removeprefix("\ufeff"), LEDGER).value
    assert [str(one.id) for one in sources] == [f"S{n}" for n in range(1, int(number) + 1)]


@pytest.mark.parametrize("name", [LEDGER, BIB])
def test_the_mark_at_the_beginning_stays(
    project: ProjectFolder, registries: Registries, name: str
) -> None:
    before = "\ufeff" + project.read(name).replace("\n", "\r\n")
    project.write(name, before)
    assert cite(project, registries, bib=name == BIB).outcome == "added"
    added = project.read(name).removeprefix(before)
    assert len(added) < 700
    assert added.count("\r\n") == added.count("\n") > 9


@pytest.mark.parametrize("before", ["[]\n", "sources: []  # [] none\n", "sources: ~\n"])
def test_an_empty_list_gives_way(before: str) -> None:
    after = add_source(before, LEDGER, source_data(given_by(), doi(), "S1"))
    assert [str(one.id) for one in read_sources(after, LEDGER).value] == ["S1"]
    assert ("# [] none" in after) == ("# [] none" in before)


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("- id: S1\n...\n", "cannot be continued at its end"),
        ("[{id: S1, title: T}]\n", "cannot be continued at its end"),
        ("- id: S1\n  read: |+\n    one", "cannot be continued at its end"),
        ("- id: S1\n  title: a: b\n", "cannot be read (yaml.syntax)"),
        ("title: T\n", "is no list of sources"),
        ("just words\n", "is no list of sources"),
    ],
)
def test_a_ledger_that_cannot_be_continued(before: str, words: str) -> None:
    with pytest.raises(CannotWrite, match=words.replace("(", r"\(").replace(")", r"\)")):
        add_source(before, LEDGER, source_data(given_by(), doi(), "S9"))


def test_a_refusal_writes_nothing(project: ProjectFolder, registries: Registries) -> None:
    before = project.read(LEDGER) + "...\n"
    project.write(LEDGER, before)
    done = cite(project, registries)
    assert (done.outcome, done.lines[-1]) == ("refused", "Nothing was written.")
    assert project.read(LEDGER) == before
    assert not (project.root / "bib/records").exists()


@pytest.mark.parametrize(
    "before",
    [
        "",
        "% only a remark",
        "@string{jiw = {J}}\r\n@article{a, title = {T}}\r\n",
        "\ufeff@book{a,\n  title = {T}\n}\n\n\n",
        "@comment{jabref-meta: x}\n@book(a, title = {T})\n",
        "@book{broken, title = \n@book{a, title = {T}}",
    ],
)
def test_whatever_the_bibliography_looks_like(before: str) -> None:
    mark, text = opened(before.encode(), BIB)
    after = mark + add_entry(text, BIB, "article", "k", bib_fields(given_by(), doi())[1])
    assert after.startswith(before)
    assert str(read_bib(after.removeprefix("\ufeff"), BIB).value[-1].key) == "k"
    assert after.count("\r\n") == (after.count("\n") if "\r\n" in before else 0)


@pytest.mark.parametrize(
    "before", ["@book{a,\n  title = {T\n", "@book{a, title = {T}", '@book{a, x = "']
)
def test_a_bibliography_that_is_not_closed(before: str) -> None:
    with pytest.raises(CannotWrite, match="cannot be continued"):
        add_entry(before, BIB, "article", "k", bib_fields(given_by(), doi())[1])


def test_bytes_that_are_no_text(project: ProjectFolder, registries: Registries) -> None:
    project.write(BIB, b"@book{a, title = {\xe9t\xe9}}\n")
    done = cite(project, registries, bib=True)
    assert (done.outcome, done.lines[0]) == (
        "refused",
        f"{BIB} is not UTF-8, so nothing was written.",
    )


# --- what a registry sends is data


HOSTILE = [
    'He said "no"',
    "It's: a trap # not a comment",
    "- id: S1",
    "*alias &anchor !tag | > % @ `",
    "{a: b}, [c]",
    "back\\slash \\n \\textbf{x}",
    "\\",
    "100% of_all & more # $5 and $6",
    "formula $\\ell_1$ and $x^{2}$",
    "a } b",
    "}, key = {x",
    "}\n\n@book{evil, title = {x}}",
    "a { b",
    "\ud83d\ude00 emoji".encode("utf-16", "surrogatepass").decode("utf-16"),
    "bidi \u202e override \ufeff mark",
    "true",
    "0123",
    "2303.10",
    "~",
    "ends with colon:",
    "河 Ωμέγα",
    "x" * 100_000,
    "word " * 20_000,
    "-- --- `` ''",
    "@article{x,",
    'jan # " X',
    "???",
]


REFUSED = [
    "a } b",
    "a { b",
    "}, key = {x",
    "}\n\n@book{evil, title = {x}}",
    "@article{x,",
    "~",
    "-- --- `` ''",
]
"""What BibTeX would read otherwise, however it is escaped."""


def bib_fields_written(before: str, record: RegistryRecord) -> str:
    return add_entry(before, BIB, "book", "k", bib_fields(record, doi())[1])


@pytest.mark.parametrize("words", HOSTILE, ids=lambda words: ascii(words[:20]))
def test_hostile_words_stay_one_value_of_the_ledger(words: str) -> None:
    record = given_by(
        title=words,
        subtitle=None,
        authors=(Name(family=words, given=words), Name(literal=words)),
        containers=(words,),
        publisher=words,
        pages=words,
    )
    before = "# top\n- id: S1\n  title: T\n"
    after = add_source(before, LEDGER, source_data(record, doi(), "S2"))
    assert after.startswith(before)
    one, two = read_sources(after, LEDGER).value
    line = " ".join(words.split())
    assert (str(one.id), str(two.id)) == ("S1", "S2")
    assert (two.title, two.container, two.other("publisher")) == (line, line, line)
    assert two.authors[1] == line
    assert len(work_of_source(two).identifiers) == 1


@pytest.mark.parametrize("words", HOSTILE, ids=lambda words: ascii(words[:20]))
def test_hostile_words_stay_one_value_of_the_bibliography_or_are_refused(words: str) -> None:
    record = given_by(title=words, subtitle=None, publisher=words)
    before = "@book{a, title = {T}}\n"
    if words in REFUSED:
        with pytest.raises(CannotWrite, match="cannot be written so that BibTeX reads the same"):
            bib_fields_written(before, record)
        return
    after = bib_fields_written(before, record)
    assert after.startswith(before)
    first, second = read_bib(after, BIB).value
    line = " ".join(words.split())
    assert (str(first.key), str(second.key)) == ("a", "k")
    assert (second.get("title"), second.get("publisher")) == (line, line)


@pytest.mark.parametrize("sign", ["\0", "\x1b[31m", "\x7f", "\ud800", "\ufffe", "\ufdd0"])
@pytest.mark.parametrize("field", ["title", "publisher", "volume"])
def test_what_no_text_holds_is_refused(sign: str, field: str) -> None:
    record = given_by(**{field: f"a{sign}b"})
    said = f"The {field} holds the character U\\+"
    with pytest.raises(CannotWrite, match=said):
        source_data(record, doi(), "S1")
    with pytest.raises(CannotWrite, match=said):
        bib_fields(record, doi())


def test_a_stored_record_is_data_too(project: ProjectFolder, registries: Registries) -> None:
    store = Records(project.root / "bib/records", "bib/records")
    store.save(given_by(title="a\0b"))
    before = project.read(LEDGER)
    done = cite(project, registries)
    assert (done.outcome, registries.count()) == ("refused", 0)
    assert project.read(LEDGER) == before


@pytest.mark.parametrize(
    ("name", "written"),
    [
        (Name(family="Smith and Jones", given="Ida"), "{Smith and Jones}, Ida"),
        (Name(family="King", given="Martin", suffix="Jr."), "King, Jr., Martin"),
        (Name(family="Berg", given="Jan", particle="van den"), "van den Berg, Jan"),
        (Name(family="Health Office"), "{Health Office}"),
        (Name(literal="Locks, Ponds and Co"), "{Locks, Ponds and Co}"),
        (Name(family="O'Neil, III", given="A."), "{O'Neil, III}, A."),
        (Name(family="Müller_x", given="50%"), "Müller\\_x, 50\\%"),
    ],
)
def test_names_of_a_bibliography(name: Name, written: str) -> None:
    record = given_by(authors=(name, Name(family="Last", given="Al")))
    after = add_entry("", BIB, "article", "k", bib_fields(record, doi())[1])
    assert f"author    = {{{written} and Last, Al}}," in after


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("$5 and $6 more", "\\$5 and \\$6 more"),
        ("$5/$6 each", "\\$5/\\$6 each"),
        ("the $x^2$ norm", "the $x^2$ norm"),
        ("50% of a_b & {c}", "50\\% of a\\_b \\& \\{c\\}"),
        ("\\emph", "\\textbackslash{}emph"),
        ("a } b {", None),
        ("x -- y", None),
    ],
)
def test_prose(words: str, written: str | None) -> None:
    assert prose(words) == written


@pytest.mark.parametrize("words", ["Rivers & Roads", "https://a.example/x_y", "www.a.example/x_y"])
def test_where_a_web_page_stands(words: str) -> None:
    record = given_by(type="webpage", containers=(words,))
    kind, fields = bib_fields(record, doi())
    after = add_entry("", BIB, kind, "k", fields)
    assert read_bib(after, BIB).value[0].get("howpublished") == words
    assert f"howpublished = {{{words.replace('&', chr(92) + '&')}}}," in after


@pytest.mark.parametrize(
    ("kind", "key", "name"),
    [("book", "a, b", "title"), ("book", "k}", "title"), ("string", "k", "title"),
     ("book", "k", "ti tle"), ("comment", "k", "title"), ("book", "", "title"),
     ("Book", "k", "title"), ("book", "k", "Pages")],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "@book{a, title = {T}}\n"])
def test_an_entry_that_is_read_otherwise_is_not_written(
    kind: str, key: str, name: str, before: str
) -> None:
    with pytest.raises(CannotWrite, match="cannot be continued"):
        add_entry(before, BIB, kind, key, [(name, "T")])


@given(st.text(max_size=60))
def test_prose_is_read_as_it_was_or_not_written(words: str) -> None:
    line = " ".join(words.split())
    written = prose(line)
    assert written is None or (plain_text(written) == line and balanced(written))


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cn")), max_size=60))
def test_quotes_keep_every_text(words: str) -> None:
    text = f"- id: S1\n  title: {quoted(words)}\n"
    (source,) = read_sources(text, LEDGER).value
    assert (source.title or "") == words


# --- ids and keys


def test_an_id_is_never_given_twice(project: ProjectFolder) -> None:
    pack = project.gathered()
    assert free_id(pack) == "S3"
    project.write("findings.md", project.read("findings.md") + "\n## Later\n\nSee [S7, S4a].\n")
    assert free_id(project.gathered()) == "S8"
    for path in (project.folder / "passes").iterdir():
        told = json.loads(path.read_bytes())
        told["sources"] = [{"id": "S11", "title": "gone since"}]
        path.write_text(json.dumps(told))
    assert free_id(project.gathered()) == "S12"


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({}, "garciamarquez2004side"),
        ({"title": "On the Œuvre"}, "garciamarquez2004oeuvre"),
        ({"title": "河"}, "garciamarquez2004work"),
        ({"authors": (Name(family="Łuk", given="A"),)}, "luk2004side"),
        ({"authors": (Name(family="李", given="A"),)}, "anon2004side"),
        ({"authors": (), "editors": ()}, "anon2004side"),
        ({"years": ()}, "garciamarquezside"),
        ({"years": (("online", "1999-01"), ("print", "1998"))}, "garciamarquez1998side"),
    ],
)
def test_keys(fields: dict[str, Any], key: str) -> None:
    assert bib_key(given_by(**fields), ()) == key


def test_a_key_is_unique_whatever_its_case() -> None:
    taken = ["GarciaMarquez2004Side", "garciamarquez2004side-2"]
    assert bib_key(given_by(), taken) == "garciamarquez2004side-3"


# --- identifiers


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("10.5555/A.", "doi:10.5555/a"),
        ("{10.5555/a\\_b}", "doi:10.5555/a_b"),
        ("<https://doi.org/10.5555%2Fa>", "doi:10.5555/a"),
        ("arXiv:2401.99001v3", "arxiv:2401.99001"),
        ("hep-th/9901001", "arxiv:hep-th/9901001"),
        ("978-0-306-40615-7", "isbn:9780306406157"),
        ("https://a.example/x?utm_source=y#z", "url:https://a.example/x"),
        ("www.a.example/x", "url:https://www.a.example/x"),
    ],
)
def test_any_wrapping(words: str, value: str) -> None:
    found = recognised(words)
    assert f"{found.scheme}:{found.value}" == value


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("hello", '"hello" is no identifier. Write a DOI'),
        ("10.5555/\udcff", "What was given is not UTF-8."),
        ("", '"" is no identifier.'),
        ("S2", "is no identifier"),
        ("978-0-306-40615-8", "check digit"),
        ("10.5555/a and 10.5555/b", "names several works"),
        ("PMID 12345", "No registry that is asked here covers PMID 12345"),
        ("ftp://a.example/x", "is no identifier"),
        ("file:///etc/passwd", "is no identifier"),
    ],
)
def test_what_is_no_identifier(words: str, said: str) -> None:
    with pytest.raises(UsageFault) as fault:
        recognised(words)
    assert said in str(fault.value)


# --- which pack


def second(project: ProjectFolder) -> None:
    shutil.copytree(project.folder, project.folder.with_name("04-weirs"))


def test_which_of_several_packs(project: ProjectFolder, registries: Registries) -> None:
    second(project)
    with pytest.raises(UsageFault, match="river-craft/03-locks, river-craft/04-weirs"):
        cite(project, registries)
    cite(project, registries, pack="river-craft/04-weirs")
    assert "S3" in (project.folder.with_name("04-weirs") / LEDGER).read_text()
    assert "S3" not in project.read(LEDGER)


def test_a_book_without_a_bibliography(project: ProjectFolder, registries: Registries) -> None:
    project.change("research/river-craft/book.yaml", "bibliography: bib/river-craft.bib\n", "")
    with pytest.raises(UsageFault, match=r"book\.yaml names none"):
        cite(project, registries, bib=True)


# --- bad days


def test_an_unknown_identifier(project: ProjectFolder, registries: Registries) -> None:
    before = project.read(LEDGER)
    done = cite(project, registries, "10.5555/none")
    assert done.outcome == "refused"
    assert done.lines == ["DOI 10.5555/none is not known to doi.org.", "Nothing was written."]
    assert project.read(LEDGER) == before
    assert not (project.root / "bib/records").exists()


def test_a_registry_that_is_down(project: ProjectFolder, registries: Registries) -> None:
    registries.crossref.mode = "503"
    done = cite(project, registries)
    assert done.outcome == "refused"
    assert done.lines[0].startswith("Crossref could not be asked about DOI 10.5555/locks.7: ")
    assert not (project.root / "bib/records").exists()


def test_offline(project: ProjectFolder, registries: Registries) -> None:
    done = cite(project, registries, offline=True)
    assert (done.outcome, registries.count()) == ("refused", 0)
    assert "There is no record of DOI 10.5555/locks.7" in done.lines[0]
    Records(project.root / "bib/records", "").save(given_by())
    assert cite(project, registries, offline=True).outcome == "added"
    assert registries.count() == 0


def test_a_work_that_was_unknown_is_asked_about_again(
    project: ProjectFolder, registries: Registries
) -> None:
    store = Records(project.root / "bib/records", "")
    store.save(given_by(found=False, title=None))
    assert cite(project, registries).outcome == "added"
    assert store.record("doi", "10.5555/locks.7") is not None
    assert registries.count() == 1


def test_an_agency_whose_metadata_are_not_read(
    project: ProjectFolder, registries: Registries
) -> None:
    registries.doi.items["10.5555/other"] = "mEDRA"
    done = cite(project, registries, "10.5555/other")
    assert done.lines[0].startswith("DOI 10.5555/other is registered with mEDRA")


def test_a_file_without_a_title(project: ProjectFolder, registries: Registries) -> None:
    registries.crossref.items["10.5555/bare"] = {"DOI": "10.5555/bare"}
    done = cite(project, registries, "10.5555/bare")
    assert done.lines[0] == "The record has no title, so there is nothing to make an entry of."


def test_a_damaged_record_is_told_and_made_anew(
    project: ProjectFolder, registries: Registries
) -> None:
    path = project.root / "bib/records/doi/10.5555%2flocks.7.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    done = cite(project, registries)
    assert done.outcome == "added"
    assert any("The record of a registry cannot be read" in line for line in done.lines)
    assert json.loads(path.read_text())["found"] is True


def test_a_link_is_not_replaced_by_a_file(
    project: ProjectFolder, registries: Registries, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "real.yaml"
    shutil.move(project.path(LEDGER), elsewhere)
    project.path(LEDGER).symlink_to(elsewhere)
    done = cite(project, registries)
    assert (done.outcome, "is a link to another file" in done.lines[0]) == ("refused", True)
    assert project.path(LEDGER).is_symlink()


# --- the command


def command(project: ProjectFolder, registries: Registries, *words: str) -> tuple[int, str, str]:
    environment = registries.environment(RESEARCHPACK_TODAY=TODAY)
    done = CliRunner().invoke(
        cli, ["-C", str(project.root), "cite", *words], env=environment, catch_exceptions=False
    )
    return done.exit_code, done.stdout, done.stderr


def test_the_command(project: ProjectFolder, registries: Registries) -> None:
    code, out, err = command(project, registries, "10.5555/locks.7", "--format", "json")
    assert code == 0
    assert [one["rule"] for one in json.loads(out)] == ["ledger.accessed-or-copy"]
    assert "S3 was added." in err
    assert '  title: "Side Ponds: An Old Saving"\n' in err
    assert command(project, registries, "10.5555/locks.7")[0] == 0, "it is there already"
    code, out, err = command(project, registries, "10.5555/none", "--bib")
    assert (code, out) == (1, "")
    assert err.endswith("Nothing was written.\n")
