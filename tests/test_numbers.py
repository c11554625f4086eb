"""Which numbers of a text are figures of its author, and when a record has them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.checks._numbers import (
    find_literals,
    find_sentences,
    is_known,
    numbers_in,
    ranges_in,
)


def literals(text: str) -> list[str]:
    return [one.words for one in find_literals(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It took 27 steps, not 30.", ["27", "30"]),
        ("A share of 0.29, or 29%, or 29 per cent.", ["0.29", "29%", "29 per cent"]),
        ("From 12–41 and 5-7.", ["12", "41", "5", "7"]),
        ("It fell by −5 or -5.", ["−5", "-5"]),
        ("17,409 bytes, 1,000 runs, 5\u202f718 signs.", ["17,409", "1,000", "5\u202f718"]),
        ("In 3 of 8, or 3/8, of 1/w.", ["3", "8", "3/8"]),
        ("It took 3.", ["3"]),
        ("(4) and [4 steps](x) and a 7th.", ["4", "4"]),
        ("At step 18, at call 3.", ["18", "3"]),
        ("2048 tokens, 1000 runs, 2000 steps.", ["2048", "1000", "2000"]),
        ("Of **12** and *13* and _14_.", ["12", "13"]),
    ],
)
def test_figures_of_the_author(text: str, found: list[str]) -> None:
    assert literals(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Claims C12, S3 and L10, and H1 to H3 of X1.",
        "On 2026-11-30, in 2015, in November 2024, on 30 November 2026 and November 30.",
        "Chapters 29, 38, 40 and 41; chapter 3; Section 2.1; §4; figure 2; pp. 3–7; line 20.",
        "The 3rd of 12th and a 2nd one.",
        'Words such as "243 is 3 times 81" or “80 of 90” or «7 and 8» are quoted.',
        "Code such as `window=10` is code.",
        "Python 3.11.7, CPython 3.12 and version 2.4, v1.0 and v2.",
        "A 2x2 and a 3×3 design, 3+3 trials, 3^5 or 10 x 10.",
        "The 95% lower bound, a 99% confidence level, a 95% Clopper-Pearson interval.",
        "A 90-step budget and a 3-action cycle with SHA-256, UTF-8 and sha256.",
        "See [the page](https://example.org/2/3) and https://example.org/40/41 and <http://e.org/5>.",
        "{X1.span.w10} of {L2.n3} [C12] [S2, S3] [L1].",
        "1. The first item\n2. and another",
        "## 3 Results",
        "Ten of twelve.",
    ],
)
def test_what_is_no_figure(text: str) -> None:
    assert literals(text) == []


def test_ranges_of_the_chapter_name_places_of_it() -> None:
    chapter = frozenset(ranges_in("steps 12–41 and 5-7, not 3.12-41"))
    assert chapter == {"12–41", "5–7"}
    found = find_literals("Of 12-41 and 5–7 and 12–40.", chapter)
    assert [one.words for one in found] == ["12", "40"]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("27", [27.0]),
        ("29%", [0.29]),
        ("29%", [29]),
        ("29%", [0.292]),
        ("3/8", [3, 8]),
        ("3/8", [0.375]),
        ("1/10", [0.1]),
        ("12.5", [12.46]),
        ("813", [812.7]),
        ("-5", [-5]),
        ("5", [-5]),
        ("1,000", [1000]),
        ("0.05", [0.05]),
    ],
)
def test_known_numbers(words: str, numbers: list[float]) -> None:
    (literal,) = find_literals(f"It is {words} there.")
    assert is_known(literal, frozenset(numbers))


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("27", [28, 2.7]),
        ("29%", [0.28, 0.3, 2.9]),
        ("3", [3.4, 2.6]),
        ("3/8", [3, 7]),
        ("12.5", [12, 13, 12.4]),
        ("0.05", [0.5, 5]),
        ("0.3", [0.29]),
        ("4", []),
        ("1/0", [1]),
    ],
)
def test_unknown_numbers(words: str, numbers: list[float]) -> None:
    """A single digit is never taken for a rounded value."""
    (literal,) = find_literals(f"It is {words} there.")
    assert not is_known(literal, frozenset(numbers))


def test_numbers_of_a_text_may_be_read_in_two_ways() -> None:
    assert set(numbers_in("seeds 100,200; 3.5 of H2, k=4")) == {100_200, 100, 200, 3.5, 4}


def sentences(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in find_sentences(text)]


def test_sentences_of_markdown_and_the_citations_behind_them() -> None:
    text = (
        "Intro 1 [X1]. It goes\non 2. [L1] [L2] Then 3.\n\n"
        "- item 4\n- item 5, e.g. 6 [X2]. [L3]\n\n"
        "```\ncode 7. Code [X1].\n```\n\n1. one [X3]\n2. [L4] shows 8. [L5] shows 9.\n"
    )
    assert sentences(text) == [
        "Intro 1 [X1].",
        "It goes on 2. [L1] [L2]",
        "Then 3.",
        "- item 4",
        "- item 5, e.g. 6 [X2]. [L3]",
        "1. one [X3]",
        "2. [L4] shows 8.",
        "[L5] shows 9.",
    ]


@given(st.text(alphabet="ab XL[]{}.,0123456789%/-–\n\"'`", max_size=80))
def test_whatever_is_written_every_number_stands_where_it_is_told(text: str) -> None:
    for start, end in find_sentences(text):
        sentence = text[start:end]
        for one in find_literals(sentence):
            assert sentence[one.start :].lstrip().startswith(one.words)
            is_known(one, frozenset({1.0, 29.0}))


@pytest.mark.parametrize(
    "text",
    [
        "chapter 1" + " , , and , " * 20_000,
        "9" * 100_000,
        "9," * 50_000,
        "a_" * 50_000 + "1",
        "```\n" * 20_000,
        "[X1] " * 30_000,
        '"' * 50_000,
        "1 x " * 30_000,
        "{" * 50_000,
        "'a " * 30_000,
        "1.1." * 30_000,
        "1-1-" * 30_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    began = time.monotonic()
    for start, end in find_sentences(text):
        list(find_literals(text[start:end]))
    assert time.monotonic() - began < 5
