"""Problems in three forms, and how they are counted."""

from __future__ import annotations

import json

import pytest

from researchpack.places import Place
from researchpack.problems import Problem, did_you_mean, error, info, nearest, warning
from researchpack.reports import REPORTS, as_github, as_json, as_text, summary

PROBLEMS = [
    error(Place("a,b:c/100%.md", 3, 7), "cite.unknown", 'No "S9".', "Write S1.", Place("x")),
    warning(Place("b.yaml"), "yaml.comment", "One.\nTwo, three: 50%", "Quote\r\nit."),
    info(Place("b.yaml", 2, 1), "yaml.scalar", "Größe.", "Quote it."),
]


def test_text_is_one_line_a_problem() -> None:
    assert as_text(PROBLEMS).splitlines() == [
        'a,b:c/100%.md:3:7: error: No "S9". Write S1. [cite.unknown]',
        "b.yaml:1:1: warning: One. Two, three: 50% Quote it. [yaml.comment]",
        "b.yaml:2:1: info: Größe. Quote it. [yaml.scalar]",
    ]


def test_json_has_exactly_these_keys_in_this_order() -> None:
    told = json.loads(as_json(PROBLEMS))
    assert [list(entry) for entry in told] == [
        ["path", "line", "column", "level", "rule", "what", "fix"]
    ] * len(PROBLEMS)
    assert told[0] == {
        "path": "a,b:c/100%.md",
        "line": 3,
        "column": 7,
        "level": "error",
        "rule": "cite.unknown",
        "what": 'No "S9".',
        "fix": "Write S1.",
    }
    assert told[1]["what"] == "One.\nTwo, three: 50%"
    assert "Größe" in as_json(PROBLEMS)


def test_github_annotations_escape_what_has_a_meaning_there() -> None:
    assert as_github(PROBLEMS).splitlines() == [
        '::error file=a%2Cb%3Ac/100%25.md,line=3,col=7,title=cite.unknown::No "S9". Write S1.',
        "::warning file=b.yaml,line=1,col=1,title=yaml.comment::"
        "One.%0ATwo, three: 50%25 Quote%0D%0Ait.",
        "::notice file=b.yaml,line=2,col=1,title=yaml.scalar::Größe. Quote it.",
    ]


@pytest.mark.parametrize(("form", "wanted"), [("text", ""), ("json", "[]\n"), ("github", "")])
def test_no_problem_is_told_too(form: str, wanted: str) -> None:
    assert REPORTS[form]([]) == wanted
    assert list(REPORTS) == ["text", "json", "github"]


@pytest.mark.parametrize(
    ("problems", "wanted"),
    [
        ([], "0 errors, 0 warnings, 0 notes"),
        (PROBLEMS, "1 error, 1 warning, 1 note"),
        (PROBLEMS * 2, "2 errors, 2 warnings, 2 notes"),
    ],
)
def test_problems_are_counted_in_words(problems: list[Problem], wanted: str) -> None:
    assert summary(problems) == wanted


def test_problems_are_ordered_by_path_line_and_column() -> None:
    places = [Place("a", 2, 1), Place("a", 10, 1), Place("a", 2, 3), Place("B", 9, 9)]
    problems = [info(place, "yaml.scalar", "", "") for place in places]
    told = [problem.place for problem in sorted(problems, key=lambda p: p.order)]
    assert told == [Place("B", 9, 9), Place("a", 2, 1), Place("a", 2, 3), Place("a", 10, 1)]


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("limitation", "limitations"),
        ("TITLE", "title"),
        ("tilte", "title"),
        ("zzz", None),
        ("", None),
    ],
)
def test_the_nearest_known_name_is_offered(word: str, wanted: str | None) -> None:
    known = ("title", "limitations", "Claims")
    assert nearest(word, known) == wanted
    offer = did_you_mean(word, known)
    assert offer == (
        f'Did you mean "{wanted}"?' if wanted else "Known here: title, limitations, Claims."
    )
    assert did_you_mean(word, ()) == "Nothing of that kind is known here."
