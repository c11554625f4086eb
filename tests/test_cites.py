"""The citation grammar, the order of ids, and dates of any precision."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.cites import find_cites, id_order, is_id
from researchpack.dates import parse_date


def ids(text: str) -> list[str]:
    return [cite.id for cite in find_cites(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("as [S2] says", ["S2"]),
        ("[C12] [X1] [L8] [P3]", ["C12", "X1", "L8", "P3"]),
        ("[S2, S3; S9a]", ["S2", "S3", "S9a"]),
        ("[S2 ,S3]", ["S2", "S3"]),
        ("([S2])", ["S2"]),
        ("[S2].", ["S2"]),
        ("`[S2]` and [S3]", ["S3"]),
        ("`` ` [S2] `` [S3]", ["S3"]),
        ("` [S2]", ["S2"]),
        ("[S2](https://example.org/)", []),
        ("[S2]: https://example.org/", []),
        ("[A2] [S] [S2ab] [s2] [S 2] [2] []", []),
        ("[see S2]", []),
        ("S2", []),
    ],
)
def test_what_is_a_citation_and_what_is_none(text: str, wanted: list[str]) -> None:
    assert ids(text) == wanted


@given(st.text(alphabet="[]SC12a,; `(:\n", max_size=30))
def test_a_citation_knows_where_its_id_stands(text: str) -> None:
    for cite in find_cites(text):
        assert text[cite.start : cite.end] == cite.id
        assert is_id(cite.id)


@pytest.mark.parametrize("word", ["C1", "S12", "P3a", "X1", "L99"])
def test_an_id_is_a_letter_digits_and_at_most_one_small_letter(word: str) -> None:
    assert is_id(word)
    assert is_id(word, word[0])
    assert not is_id(word, "Z")


@pytest.mark.parametrize("word", ["", "C", "1", "c1", "C1A", "C1ab", "C-1", "Q1", "C1 ", "C1\n"])
def test_nothing_else_is_an_id(word: str) -> None:
    assert not is_id(word)


def test_ids_are_ordered_as_people_count() -> None:
    words = ["S10", "S9b", "C2", "S2", "S9a", "S9", "C10"]
    assert sorted(words, key=id_order) == ["C2", "C10", "S2", "S9", "S9a", "S9b", "S10"]


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("2019", date(2019, 1, 1), date(2019, 12, 31)),
        ("2019-02", date(2019, 2, 1), date(2019, 2, 28)),
        ("2020-02", date(2020, 2, 1), date(2020, 2, 29)),
        ("2019-12-22", date(2019, 12, 22), date(2019, 12, 22)),
        (" 2019 ", date(2019, 1, 1), date(2019, 12, 31)),
        ("9999", date(9999, 1, 1), date(9999, 12, 31)),
    ],
)
def test_a_date_keeps_its_precision(words: str, first: date, last: date) -> None:
    found = parse_date(words)
    assert found is not None
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "n.d.",
        "19",
        "2019-13",
        "2019-00",
        "2019-02-29",
        "2019-12-00",
        "2019-1-1",
        "20191222",
        "2019-12-22T10:00",
        "22.12.2019",
        "about 2019",
        "0000",
        "2019-2020",
    ],
)
def test_what_is_no_iso_date_is_none(words: str) -> None:
    assert parse_date(words) is None


@given(st.dates())
def test_every_day_is_read_back(day: date) -> None:
    found = parse_date(day.isoformat())
    assert found is not None
    assert found.first == found.last == day
