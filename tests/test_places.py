"""Offsets, lines and columns, and words that know where they stand."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.places import Lines, Place, Text

ENDS = st.sampled_from(["\n", "\r\n", "\r"])
WORDS = st.text(alphabet="ab \tä😀\u2028\x0b\x0c\x85", max_size=6)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_ends_a_line_once(end: str) -> None:
    lines = Lines(f"ab{end}{end}c", "f")
    assert lines.place(0) == Place("f", 1, 1)
    assert lines.place(1) == Place("f", 1, 2)
    assert lines.place(2 + len(end)) == Place("f", 2, 1)
    assert lines.place(2 + 2 * len(end)) == Place("f", 3, 1)


@pytest.mark.parametrize("char", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_what_only_python_takes_for_a_line_end_ends_none(char: str) -> None:
    assert Lines(f"a{char}b", "f").place(2) == Place("f", 1, 3)


def test_columns_count_characters_and_not_bytes() -> None:
    assert Lines("ä😀x", "f").place(2).column == 3


def test_the_place_behind_the_last_character_is_one_too() -> None:
    assert Lines("a\n", "f").place(2) == Place("f", 2, 1)
    assert Lines("", "f").place(0) == Place("f", 1, 1)


@given(st.lists(st.tuples(WORDS, ENDS)), WORDS)
def test_a_line_and_a_column_lead_back_to_the_offset(
    parts: list[tuple[str, str]], last: str
) -> None:
    text = "".join(words + end for words, end in parts) + last
    lines = Lines(text, "f")
    for offset in range(len(text) + 1):
        place = lines.place(offset)
        assert lines.offset(place.line) + place.column - 1 == offset


@given(st.lists(st.tuples(WORDS, ENDS), min_size=1))
def test_the_number_of_a_line_is_the_number_of_ends_before_it(
    parts: list[tuple[str, str]],
) -> None:
    text, line = "", 1
    for at, (words, end) in enumerate(parts):
        glued = end == "\r" and at + 1 < len(parts) and (parts[at + 1][0] + parts[at + 1][1])[0]
        text += words + end
        line += 0 if glued == "\n" else 1  # a CR and the LF of the next part are one end
    assert Lines(text, "f").place(len(text)).line == line


def test_a_place_is_told_as_path_line_and_column() -> None:
    assert str(Place("a/b.md", 3, 7)) == "a/b.md:3:7"
    assert sorted([Place("b"), Place("a", 2), Place("a", 1, 2)])[0] == Place("a", 1, 2)


def test_a_text_is_the_string_that_it_is_and_keeps_its_place() -> None:
    text = Text("S2", Place("f", 3, 4))
    assert text == "S2"
    assert {text: 1}["S2"] == 1
    assert f"{text}" == "S2"
    for copied in (copy.copy(text), copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert copied == "S2"
        assert copied.place == Place("f", 3, 4)
