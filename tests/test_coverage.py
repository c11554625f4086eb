"""Sentences, and which of them no claim touches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.coverage import coverage, sentences
from researchpack.formats.snapshot import read_snapshot
from researchpack.places import Place, Text
from researchpack.records import Layout, Snapshot, Verbatim

HERE = Place("f")


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("One is. Two is! Three is? Four…", ["One is.", "Two is!", "Three is?", "Four…"]),
        ("He said “so.” Then he left.", ["He said “so.”", "Then he left."]),
        ("(It is.) So.", ["(It is.)", "So."]),
        ("See e.g. the case of al. and J. Smith.", ["See e.g. the case of al. and J. Smith."]),
        ("Hou et al. say so. Fig. 3 shows it.", ["Hou et al. say so.", "Fig. 3 shows it."]),
        ("Version 3.11 is at example.org today.", ["Version 3.11 is at example.org today."]),
        ("これは文です。次の文です。", ["これは文です。", "次の文です。"]),
        ("彼は「そうだ。」と言った。", ["彼は「そうだ。」", "と言った。"]),
        ("no end", ["no end"]),
        ("  spaces  around.  ", ["spaces  around."]),
        ("... --- 123 !", []),
        ("", []),
    ],
)
def test_a_text_is_cut_into_its_sentences(text: str, wanted: list[str]) -> None:
    assert split(text) == wanted


@given(st.text(alphabet='ab1 .!?\n"”)。…', max_size=40), st.data())
def test_sentences_lie_in_order_inside_and_lose_no_letter(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans = list(sentences(text, start, end))
    at = start
    for first, last in spans:
        assert at <= first < last <= end
        assert text[first:last] == text[first:last].strip()
        assert not any(char.isalpha() for char in text[at:first])
        at = last
    assert not any(char.isalpha() for char in text[at:end])


CHAPTER = """Title 1
A plain one. It rose by 40%. Smith (2019) agrees.

def code(): return "No sentence here. None."

Always true. • not an item here.
1. The first step.
"""


def snapshot() -> Snapshot:
    code = Text('def code(): return "No sentence here. None."', HERE)
    layout = Layout(
        headings=(Text("Title 1", HERE),),
        verbatim=(Verbatim(first=code, last=code, kind=Text("code", HERE)),),
    )
    found = read_snapshot(CHAPTER.encode(), "f", layout).value
    assert found is not None
    return found


def test_headings_and_code_hold_no_sentences() -> None:
    found = coverage(snapshot(), ())
    told = [CHAPTER[a:b] for a, b in (sentence.span for sentence in found.untouched)]
    assert told == [
        "A plain one.",
        "It rose by 40%.",
        "Smith (2019) agrees.",
        "Always true.",
        "• not an item here.",
        "1. The first step.",
    ]
    assert found.sentences == 6
    assert {sentence.section for sentence in found.untouched} == {"Title 1"}


def test_what_a_sentence_holds_that_ought_to_be_audited() -> None:
    why = [sentence.why for sentence in coverage(snapshot(), ()).untouched]
    wanted = [(), ("figure",), ("figure", "citation"), ("absolute word",), (), ("absolute word",)]
    assert why == wanted


def test_a_claim_that_touches_one_character_touches_the_sentence() -> None:
    at = CHAPTER.index("plain")
    found = coverage(snapshot(), [(at, at + 1)])
    assert len(found.untouched) == found.sentences - 1
    assert CHAPTER[slice(*found.untouched[0].span)] == "It rose by 40%."


def test_a_claim_that_ends_where_a_sentence_begins_does_not_touch_it() -> None:
    at = CHAPTER.index("It rose")
    assert len(coverage(snapshot(), [(at - 1, at)]).untouched) == 6
    assert len(coverage(snapshot(), [(at - 2, at + 1)]).untouched) == 4
