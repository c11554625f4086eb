"""Records as files: written and read without loss, named safely, and told when they are broken."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.formats.registry import (
    LONGEST_NAME,
    file_name,
    read_failure,
    read_record,
    record_path,
    write_failure,
    write_record,
)
from researchpack.places import Place, Text
from researchpack.recording import Records, recorded
from researchpack.records import Failure, Identifier, Name, Notice, NoticeKind, RegistryRecord

if TYPE_CHECKING:
    from pathlib import Path

RECORD = RegistryRecord(
    scheme="doi",
    id="10.1287/inte.20.4.74",
    registry="crossref",
    found=True,
    request="https://r.example/works/10.1287%2Finte.20.4.74",
    retrieved_at="2026-11-29T08:00:00Z",
    checked_at="2026-11-30T12:00:00Z",
    status=200,
    sha256="ab" * 32,
    redirects=("https://r.example/a", "https://r.example/b"),
    type="article-journal",
    title="Tabu Search: “A” $\\ell_1$ 河",
    authors=(Name(family="Glover", given="Fred"), Name(), Name(literal="A Group")),
    years=(("issued", "1990-08"), ("print", "1990")),
    containers=("Interfaces",),
    pages="74-94",
    version=0,
    notices=(Notice(kind=NoticeKind.CORRECTION, doi="10.1/c", date="1991"),),
    is_notice_for=("10.1/d",),
)


def read(words: str) -> RegistryRecord:
    parsed = read_record(words, "r.json")
    assert parsed.value is not None, parsed.problems
    assert parsed.problems == ()
    return parsed.value


def test_a_record_comes_back_as_it_was() -> None:
    assert read(write_record(RECORD)) == RECORD


LINE = st.text(max_size=20)
NAMES = st.builds(Name, family=LINE, given=LINE, particle=LINE, suffix=LINE, literal=LINE)
NOTICES = st.builds(
    Notice,
    kind=st.sampled_from(NoticeKind),
    doi=st.none() | LINE.filter(bool),
    date=st.none() | LINE.filter(bool),
    source=st.none(),
    label=st.none() | LINE.filter(bool),
)
RECORDS = st.builds(
    RegistryRecord,
    scheme=LINE,
    id=LINE,
    registry=LINE,
    found=st.booleans(),
    request=LINE,
    retrieved_at=st.just("2026-11-29T08:00:00Z"),
    checked_at=st.just("2026-11-30T12:00:00Z"),
    status=st.integers(100, 599),
    sha256=LINE,
    title=st.none() | LINE,
    authors=st.lists(NAMES, max_size=3).map(tuple),
    years=st.lists(st.tuples(LINE, LINE), max_size=3).map(tuple),
    containers=st.lists(LINE, max_size=3).map(tuple),
    notices=st.lists(NOTICES, max_size=2).map(tuple),
    version=st.none() | st.integers(),
    asked_version=st.none() | st.integers(),
    remark=st.none() | LINE,
)


@given(RECORDS)
def test_every_record_comes_back_as_it_was(record: RegistryRecord) -> None:
    words = write_record(record)
    assert read(words.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")) == record


def test_a_difference_is_one_line() -> None:
    before = write_record(RECORD).splitlines()
    after = write_record(replace(RECORD, checked_at="2026-12-01T00:00:00Z")).splitlines()
    assert len(before) == len(after)
    assert [line for line in after if line not in before] == [
        '  "checked_at": "2026-12-01T00:00:00Z",'
    ]


def test_one_field_a_line_in_the_order_of_the_record() -> None:
    keys = re.findall(r'^  "(\w+)": ', write_record(RECORD), re.MULTILINE)
    known = [field.name for field in fields(RegistryRecord)]
    assert keys == ["schema", *[key for key in known if key in keys]]
    assert "subtitle" not in keys, "what is absent is left out"


def test_later_versions_may_add_something() -> None:
    told = json.loads(write_record(RECORD)) | {"impact": {"deep": [1]}}
    told["notices"][0]["more"] = "x"
    told["notices"].append({"kind": "something-new"})
    record = read(json.dumps(told))
    assert record.title == RECORD.title
    assert record.notices[1].kind is NoticeKind.UNKNOWN


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": "200"}, '"status" has the wrong form'),
        ({"status": True}, '"status" has the wrong form'),
        ({"found": 1}, '"found" has the wrong form'),
        ({"title": ["T"]}, '"title" has the wrong form'),
        ({"title": None}, '"title" has the wrong form'),
        ({"authors": "Ida"}, '"authors" has the wrong form'),
        ({"authors": ["Ida"]}, '"authors" has the wrong form'),
        ({"authors": [{"family": 7}]}, '"authors" has the wrong form'),
        ({"years": [["issued"]]}, '"years" has the wrong form'),
        ({"containers": [7]}, '"containers" has the wrong form'),
        ({"notices": {}}, '"notices" has the wrong form'),
        ({"checked_at": "yesterday"}, '"checked_at" is no time'),
    ],
)
def test_a_record_that_is_none(change: dict[str, Any], words: str) -> None:
    told = json.loads(write_record(RECORD)) | change
    parsed = read_record(json.dumps(told), "bib/records/doi/x.json")
    assert parsed.value is None
    (problem,) = parsed.problems
    assert (problem.rule, problem.place) == ("records.unreadable", Place("bib/records/doi/x.json"))
    assert words in problem.what


def test_a_record_that_lacks_something() -> None:
    told = json.loads(write_record(RECORD))
    del told["sha256"]
    (problem,) = read_record(json.dumps(told), "x").problems
    assert 'it has no "sha256"' in problem.what


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ('{\n  "schema": "x",\n<<<<<<< ours\n', 3),
        ("{", 1),
        ("[" * 100_000, 1),
        ("[]", 1),
    ],
)
def test_a_file_that_is_no_record(text: str, line: int) -> None:
    parsed = read_record(text, "x.json")
    assert parsed.value is None
    assert [one.place.line for one in parsed.problems] == [line]


@given(st.binary(max_size=100))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    read_record(text, "x")
    read_failure(text, "x")


# --- names of files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        ("10.1287/inte.20.4.74", "10.1287%2finte.20.4.74.json"),
        ("hep-th/9901001", "hep-th%2f9901001.json"),
        ("math.GT/0309136", "math.%47%54%2f0309136.json"),
        ("https://a.example/X?q=1", "https%3a%2f%2fa.example%2f%58%3fq%3d1.json"),
        ("../../etc/passwd", "%2e.%2f..%2fetc%2fpasswd.json"),
        (".hidden", "%2ehidden.json"),
        ("a%2fb", "a%252fb.json"),
        ("ü", "%c3%bc.json"),
    ],
)
def test_names_of_files(identifier: str, name: str) -> None:
    assert file_name(identifier) == name


def test_a_version_is_part_of_the_name() -> None:
    assert record_path("arxiv", "2401.99001", 2) == "arxiv/2401.99001v2.json"


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=300))
def test_every_name_is_safe(identifier: str) -> None:
    name = file_name(identifier)
    assert re.fullmatch(r"[a-z0-9_%-][a-z0-9._%-]*", name)
    assert len(name) <= LONGEST_NAME + 13 + len(".json")


def test_a_long_name_is_cut_and_stays_its_own() -> None:
    one, other = file_name("a" * 200), file_name("a" * 201)
    assert one != other
    assert re.fullmatch(r"a{120}-[0-9a-f]{12}\.json", one)


@given(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=200),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=200),
)
def test_two_identifiers_never_share_a_file(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)


# --- the folder ---------------------------------------------------------------------------------


def identifier(scheme: str, value: str, version: int | None = None) -> Identifier:
    written = Text(value, Place("x.yaml", 3, 5))
    return Identifier(scheme=scheme, value=value, version=version, written=written)


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    store = Records(tmp_path, "bib/records")
    other = replace(RECORD, id="10.1/other")
    pinned = replace(RECORD, scheme="arxiv", id="2401.99001", asked_version=1)
    newest = replace(pinned, asked_version=None)
    copy = replace(RECORD, scheme="archive", id="https://a.example/")
    for one in (RECORD, other, pinned, newest, copy):
        store.save(one)
    (tmp_path / "doi" / "10.1%2fbroken.json").write_text("{")
    found = recorded(
        tmp_path,
        "bib/records",
        [
            identifier("doi", RECORD.id),
            identifier("doi", RECORD.id),
            identifier("arxiv", "2401.99001", 1),
            identifier("url", "https://a.example/"),
            identifier("doi", "10.1/none"),
        ],
    )
    assert found.records == (RECORD, pinned, newest, copy)
    assert found.problems == (), "a broken record of another pack is none of ours"
    broken = recorded(tmp_path, "bib/records", [identifier("doi", "10.1/broken")])
    assert [str(one.place) for one in broken.problems] == ["bib/records/doi/10.1%2fbroken.json:1:1"]


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    found = recorded(tmp_path / "none", "none", [identifier("doi", RECORD.id)])
    assert (found.records, found.failures, found.problems) == ((), (), ())


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "doi").mkdir()
    (tmp_path / "doi" / file_name(RECORD.id)).write_bytes(b"\xff\xfe{}")
    found = recorded(tmp_path, "r", [identifier("doi", RECORD.id)])
    assert [one.rule for one in found.problems] == ["records.unreadable"]


def test_a_record_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text(write_record(RECORD))
    (tmp_path / "doi").mkdir()
    (tmp_path / "doi" / file_name(RECORD.id)).symlink_to(tmp_path / "secret.json")
    assert recorded(tmp_path, "r", [identifier("doi", RECORD.id)]).records == ()


FAILURE = Failure(
    scheme="doi",
    id="10.1/a",
    registry="crossref",
    request="https://r.example/",
    at="2026-11-30T12:00:00Z",
    reason="it answered 503",
)


def test_a_failure_stays_until_there_is_a_record(tmp_path: Path) -> None:
    store = Records(tmp_path, "r")
    store.save_failure(FAILURE)
    assert store.failure("doi", "10.1/a") == FAILURE
    assert recorded(tmp_path, "r", [identifier("doi", "10.1/a")]).failures == (FAILURE,)
    store.save(replace(RECORD, id="10.1/a"))
    assert store.failure("doi", "10.1/a") is None


def test_a_failure_comes_back_as_it_was() -> None:
    assert read_failure(write_failure(FAILURE), "x").value == FAILURE
    pinned = replace(FAILURE, asked_version=2)
    assert read_failure(write_failure(pinned), "x").value == pinned
    assert read_failure("{}", "x").value is None
