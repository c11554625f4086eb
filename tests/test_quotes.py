"""Quotes: found whatever a printer or a quoter did to the marks; never in other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pdfs import pdf
from researchpack.problems import Level
from researchpack.quotes import MOST, find_quote
from researchpack.records import QuoteState

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import ProjectFolder

VERBATIM, NORMALISED, NOT_FOUND, NOT_CHECKABLE = QuoteState

TEXT = """The system (mostly) fails [see below] when the load [of the database] grows.
We found "[t]he whole state" to be lost. It defaults to 250 tries. Patients¹² died at
10 m² and 10² times. The data-base is a database. In 21-
28 cases, COVID-
19 won. Results (n =
10) of the cohort are shown. x = a[0] + a[1]; the foot.12 Next one of all.
据说机器学习是很有用的方法。 A struc-
tural thing; pre- and post-test scores; long-
term care of back -
ground noise. Failure developed in 21/28 patients [12]. Loss occurred in 12/28 [ 2 , 6 , 7 ] of
the cohort. “Curly” quotes — and dashes – and \ufb01gures."""


@pytest.mark.parametrize(
    "quote",
    [
        "the load [of the database] grows",
        "It defaults to 250 tries",
        "机器学习是很有用的方法",
        "a[0] + a[1]; the foot",
    ],
)
def test_verbatim(quote: str) -> None:
    found = find_quote(quote, TEXT)
    assert found.state is VERBATIM
    assert found.span is not None
    assert TEXT[slice(*found.span)] == quote


@pytest.mark.parametrize(
    ("quote", "begins", "ends"),
    [
        ("the load of the database grows", "the load [", "grows"),
        ("[T]he system (mostly) fails", "The system", "fails"),
        ("the system mostly fails", None, None),
        ("The whole state to be lost", None, None),
        ("[T]he whole state\" to be lost", "[t]he", "lost"),
        ("The system … grows", "The system", "grows"),
        ("(mostly) fails when the load grows", "(mostly)", "grows"),
        ("The system (…) when the load [...] grows", "The system", "grows"),
        ("The system [mostly] fails", "The system", "fails"),
        ("fails [when] the load", "fails", "the load"),
        ("Patients died at 10 m²", "Patients", "m²"),
        ("In 21-28 cases, COVID-19 won", "In 21", "won"),
        ("(n = 10) of the cohort are shown", "(n", "shown"),
        ("the foot. Next one of all", "the foot", "of all"),
        ("A structural thing", "A struc", "thing"),
        ("a struc-tural thing", "A struc", "thing"),
        ("struc- tural thing; pre- and", "struc", "and"),
        ("long-term care", "long", "care"),
        ("background noise", "back", "noise"),
        ("in 21/28 patients. Loss occurred in 12/28 of the cohort.", "in 21", "cohort."),
        ("21/28 patients [12]. Loss occurred in 12/28 [2, 6, 7] of", "21/28", "of"),
        ('"Curly" quotes - and dashes - and figures', "“Curly", "gures"),
    ],
)  # fmt: skip
def test_found_in_other_marks(quote: str, begins: str | None, ends: str | None) -> None:
    found = find_quote(quote, TEXT)
    if begins is None or ends is None:
        assert found.state is NOT_FOUND  # round brackets and quotation marks are words of the text
        return
    assert found.state is NORMALISED
    assert found.span is not None
    place = TEXT[slice(*found.span)]
    assert place.startswith(begins)
    assert place.endswith(ends)


@pytest.mark.parametrize(
    "quote",
    [
        "It defaults to 25",
        "failure developed in 22/28 patients",
        "developed in 21/28 patients [13]",
        "Loss occurred in 12/28 [2, 6, 8] of the cohort",
        "10 m2 and 102 times",
        "2128 cases, COVID-19",
        "a[1] + a[0]; the foot",
        "grows … The system",
        "the load never grows",
        "The system … zebras",
        "The systematic thing",
        "COVID-20 won. Results",
    ],
)
def test_other_words_and_numbers_are_not_found(quote: str) -> None:
    assert find_quote(quote, TEXT).state is NOT_FOUND


def test_what_is_not_found_shows_the_nearest_passage() -> None:
    found = find_quote("failure developed in 22 of 28 patients", TEXT)
    assert "Failure developed in 21/28 patients [12]" in (found.nearest or "")
    assert find_quote("zebras graze quietly at dawn", TEXT).nearest is None


def test_a_word_or_two_prove_nothing_and_a_page_is_no_quote() -> None:
    assert find_quote("uncertain", TEXT).state is NOT_CHECKABLE
    assert find_quote("x" * (MOST + 1), TEXT).state is NOT_CHECKABLE
    assert find_quote("机器学习", TEXT).state is VERBATIM


def test_parts_far_apart_are_no_quotation() -> None:
    far = "It begins here and now." + " filler" * 600 + " It ends there and then."
    assert find_quote("begins here and now … ends there and then", far).state is NOT_FOUND
    near = far.replace(" filler" * 500, "")
    assert find_quote("begins here and now … ends there and then", near).state is NORMALISED


WORDS = st.lists(
    st.text(alphabet="abcdefghilmnoprstuvw", min_size=3, max_size=9), min_size=6, max_size=40
)


@given(WORDS, st.data())
def test_a_quote_is_found_however_its_text_is_wrapped(
    words: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(words) - 5))
    quote = " ".join(words[start : start + 5])
    wrapped = []
    for word in words:
        how = data.draw(st.sampled_from(["", "", "hyphen", "soft", "mark"]))
        cut = len(word) // 2
        if how == "hyphen":
            word = f"{word[:cut]}-\n{word[cut:]}"
        elif how == "soft":
            word = f"{word[:cut]}\u00ad{word[cut:]}"
        elif how == "mark":
            word = f"{word} [7]"
        wrapped.append(word)
    text = data.draw(st.sampled_from([" ", "\n", "  \n"])).join(wrapped)
    assert find_quote(quote, text).state in (VERBATIM, NORMALISED)


@given(WORDS, st.data())
def test_a_quote_with_another_number_is_not_found(words: list[str], data: st.DataObject) -> None:
    number, other = data.draw(st.tuples(st.integers(10, 99999), st.integers(10, 99999)))
    assume(number != other)
    text = " ".join([*words[:3], str(number), *words[3:]])
    quote = " ".join([*words[:3], str(other), *words[3:6]])
    assert find_quote(quote, text).state is NOT_FOUND


# --- in a pack ----------------------------------------------------------------------------------

QUOTED = """
    - claim: C1
      relation: supports
      because: table 2 gives 9.1 minutes for chambers of this size
      quote: "{quote}"
"""


def quote(project: ProjectFolder, words: str, name: str = "s1.txt") -> None:
    old = project.read("sources.yaml")
    begin, end = old.index("  bears_on:\n    - claim: C1"), old.index("\n- id: S2")
    copy = f"  copy: {{file: {name}, date: 2026-11-10}}\n  bears_on:"
    project.write("sources.yaml", old[:begin] + copy + QUOTED.format(quote=words) + old[end:])


def told(project: ProjectFolder) -> list[tuple[Level, str]]:
    return [
        (problem.level, problem.rule)
        for problem in project.problems()
        if problem.rule.startswith(("quote.", "claim."))
    ]


def test_a_quote_that_stands_in_the_copy_is_no_problem(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in nine minutes")
    project.write("copies/s1.txt", "A cham-\nber of this size fills in nine minutes.")
    (check,) = project.view().quote_checks
    assert (check.source, check.claim, check.state) == ("S1", "C1", NORMALISED)
    assert (check.copy, check.lines, check.partial) == ("s1.txt", 2, False)
    assert told(project) == []


def test_a_quote_that_does_not_stand_there_is_an_error(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in ten minutes")
    project.write("copies/s1.txt", "A chamber of this size fills in nine minutes.")
    (problem,) = [p for p in project.problems() if p.rule == "quote.not-found"]
    assert problem.level is Level.ERROR
    assert "1 lines searched" in problem.what
    assert "fills in nine minutes" in problem.what


def test_in_a_pdf_and_in_an_excerpt_it_is_a_warning(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in ten minutes", "s1.pdf")
    project.write("copies/s1.pdf", pdf("A chamber of this size fills in nine minutes."))
    assert told(project) == [(Level.WARNING, "quote.not-found")]
    quote_of_excerpt = project.read("sources.yaml").replace("s1.pdf", "s1.txt")
    project.write(
        "sources.yaml",
        quote_of_excerpt.replace("reading_status: full_text", "reading_status: excerpt"),
    )
    project.write("copies/s1.txt", "Something about locks and ponds.")
    assert told(project) == [(Level.WARNING, "quote.not-found")]


def test_without_a_copy_nothing_is_said(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in nine minutes")
    (check,) = project.view().quote_checks
    assert (check.state, check.why) == (NOT_CHECKABLE, "there is no file copies/s1.txt here")
    assert told(project) == []
    project.write("copies/s1.txt", b"\0")
    (check,) = project.view().quote_checks
    assert check.why == "the file is neither text nor HTML nor PDF"


def test_copies_are_not_among_the_files_of_the_pack(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in nine minutes")
    project.write("copies/s1.txt", "A chamber of this size fills in nine minutes.")
    pack = project.gathered()
    assert [copy.file for copy in pack.copies] == ["s1.txt"]
    assert not any("s1.txt" in name for name, _ in pack.files)


def test_a_copy_that_is_another_file_is_an_error(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in nine minutes")
    project.write("copies/s1.txt", "A chamber of this size fills in nine minutes.")
    project.change(
        "sources.yaml",
        "date: 2026-11-10}\n  bears_on",
        f'date: 2026-11-10, sha256: "{"0" * 64}"}}\n  bears_on',
    )
    assert told(project) == [(Level.ERROR, "quote.copy")]


def test_one_quote_for_two_claims_is_told(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in nine minutes")
    project.change(
        "sources.yaml",
        '      quote: "a chamber of this size fills in nine minutes"\n',
        '      quote: "a chamber of this size fills in nine minutes"\n'
        "    - {claim: C2, relation: background, because: b,"
        ' quote: "A chamber of this size fills in nine minutes"}\n',
    )
    assert told(project) == [(Level.INFO, "quote.reused")]


def test_a_quote_without_a_reason_is_one_that_nobody_has_judged(project: ProjectFolder) -> None:
    quote(project, "a chamber of this size fills in nine minutes")
    project.change(
        "sources.yaml", "      because: table 2 gives 9.1 minutes for chambers of this size\n", ""
    )
    assert told(project) == []  # nothing was looked at
    project.write("copies/s1.txt", "A chamber of this size fills in nine minutes.")
    assert told(project) == [(Level.INFO, "claim.review")]


def test_a_list_of_quotes_is_checked_alone(tmp_path: Path) -> None:
    from researchpack.checking import check_file

    path = tmp_path / "quotes.yaml"
    path.write_text(
        "claims:\n"
        '  - {id: q1, source: s1, quote: "the lock fills slowly today"}\n'
        '  - {id: q2, source: s1, quote: "the lock fills quickly today", reviewed_by: Ann}\n'
        '  - {id: q3, source: s2, quote: "nobody has a copy of this"}\n'
    )
    (tmp_path / "s1.txt").write_text("The lock fills slowly today.")
    found = [(p.rule, p.place.line) for p in check_file(path, None, "2026-11-30")]
    assert found == [("claim.review", 2), ("quote.not-found", 3)]
