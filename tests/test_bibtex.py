"""The reader of `.bib` files: nothing is lost silently, everything has its place.

bibtexparser is the oracle for entries that are well formed; where it loses something without a
word, the cases say what is read instead.
"""

from __future__ import annotations

import re

import bibtexparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.formats.bibtex import read_bib
from researchpack.records import BibEntry


def entries(text: str) -> tuple[BibEntry, ...]:
    return read_bib(text, "f").value


def fields(text: str) -> list[dict[str, str]]:
    return [{str(f.name): str(f.value) for f in entry.fields} for entry in entries(text)]


def told(text: str) -> list[tuple[str, str, int, int]]:
    """Rule, level, line and column of every problem."""
    problems = read_bib(text, "f").problems
    return [(p.rule, p.level.value, p.place.line, p.place.column) for p in problems]


# --- values


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("{Plain}", "Plain"),
        ('"Quoted"', "Quoted"),
        ('"In {"}braces{"}"', 'In "braces"'),
        ("{Several\n   lines}", "Several lines"),
        ("2020", "2020"),
        ('"A" # { and } # "B"', "A and B"),
        ('"A"#"B"', "AB"),
        ("jan", "1"),
        ("DEC", "12"),
        ("{{Kept}}", "Kept"),
        ("{a {b {c} d} e}", "a b c d e"),
        ("{50% of $a_b$ & \\& G\\\"odel}", '50% of $a_b$ & & Gödel'),
        ("{}", ""),
    ],
)  # fmt: skip
def test_values(value: str, wanted: str) -> None:
    assert fields(f"@misc{{k, title = {value} }}") == [{"title": wanted}]
    assert told(f"@misc{{k, title = {value} }}") == []


@pytest.mark.parametrize("name", ["url", "doi", "eprint", "file", "unknown-field", "abstract"])
def test_latex_is_undone_in_prose_only(name: str) -> None:
    value = r"a\_b%20c&d~e--f{\"o}"
    (entry,) = entries(f"@misc{{k, {name} = {{{value}}}}}")
    assert entry.get(name) == value


def test_a_place_of_publication_with_an_address_stays_as_it_is() -> None:
    (entry,) = entries(r"@misc{k, howpublished = {\url{https://e.org/a%20b_c}}}")
    assert entry.get("howpublished") == r"\url{https://e.org/a%20b_c}"
    (entry,) = entries(r"@misc{k, howpublished = {Blog of {\O}rjan}}")
    assert entry.get("howpublished") == "Blog of Ørjan"


def test_raw_and_offsets_are_those_of_the_file() -> None:
    text = '@misc{k,\n  title = {G{\\"o}del},\n  note = "a" # jan\n}\nrest'
    (entry,) = entries(text)
    assert [field.raw for field in entry.fields] == ['G{\\"o}del', "a1"]
    assert [text[f.start : f.end] for f in entry.fields] == ['{G{\\"o}del}', '"a" # jan']
    assert text[entry.start : entry.end] == text.removesuffix("\nrest")
    assert [(f.name.place.line, f.name.place.column) for f in entry.fields] == [(2, 3), (3, 3)]
    assert [(f.value.place.line, f.value.place.column) for f in entry.fields] == [(2, 11), (3, 10)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(newline: str) -> None:
    text = newline.join(
        ["% c", "@misc{a,", "  title = {A", "  B},", "  note = nomacro", "}", "@misc{b,}"]
    )
    assert told(text) == [("bib.string", "error", 5, 10)]
    assert [entry.key.place.line for entry in entries(text)] == [2, 7]
    assert entries(text)[0].get("title") == "A B"


# --- macros


def test_macros_are_defined_from_the_top_and_joined() -> None:
    text = '@string{a = {x}}\n@STRING(B = A # "y")\n@misc{k, title = b # { z}}'
    assert fields(text) == [{"title": "xy z"}]
    assert told(text) == []


def test_a_macro_that_is_not_defined_leaves_the_field_unset() -> None:
    text = "@string{journal = {J}}\n@misc{k, title = {T}, note = jurnal, year = 2020}"
    assert fields(text) == [{"title": "T", "year": "2020"}]
    assert told(text) == [("bib.string", "error", 2, 30)]
    assert 'Did you mean "journal"?' in read_bib(text, "f").problems[0].fix


def test_a_macro_that_is_defined_twice_is_told() -> None:
    text = "@string{a = {x}}\n@string{A = {y}}\n@misc{k, title = a}"
    assert told(text) == [("bib.string", "warning", 2, 9)]
    assert fields(text) == [{"title": "y"}]


# --- what others lose without a word


@pytest.mark.parametrize(
    ("text", "wanted", "problem"),
    [
        (
            "@misc{k,\n title = {T}\n year = 2020\n}",
            [{"title": "T", "year": "2020"}],
            ("bib.syntax", "error", 2, 13),
        ),
        (
            "@misc{k\n title = {T}}",
            [{"title": "T"}],
            ("bib.syntax", "error", 1, 8),
        ),
        (
            "@misc{k,\n title = {T}, % a remark, with = {braces}\n year = 2020}",
            [{"title": "T", "year": "2020"}],
            ("bib.comment", "error", 2, 15),
        ),
        (
            "@misc{k,\n title = {T},\n title = {U}}",
            [{"title": "T"}],
            ("bib.duplicate-field", "error", 3, 2),
        ),
        (
            "@misc{k,\n title = ,\n year = 2020}",
            [{"year": "2020"}],
            ("bib.syntax", "error", 2, 2),
        ),
        (
            "@misc{k,\n title = {T} and more,\n year = 2020}",
            [{"title": "T", "year": "2020"}],
            ("bib.syntax", "error", 2, 14),
        ),
        (
            '@misc{k,\n title = "G\\"odel",\n year = 2020}',
            [{"title": "G", "year": "2020"}],
            ("bib.syntax", "error", 2, 14),
        ),
        (
            "@misc{k,\n ? what,\n year = 2020}",
            [{"year": "2020"}],
            ("bib.syntax", "error", 2, 2),
        ),
        (
            "@misc\n\n{k, title = {T}}\n@article l, title = {U}\n",
            [{"title": "T"}],
            ("bib.syntax", "error", 4, 1),
        ),
        (
            "article{k, title = {T}}\n@misc{l,}",
            [{}],
            ("bib.syntax", "error", 1, 1),
        ),
        (
            "@misc{k,\n title = {T}},\n year = 2020\n}\n@misc{l,}",
            [{"title": "T"}, {}],
            ("bib.braces", "error", 2, 13),
        ),
        (
            "@misc{k,\n title = {T {U},\n year = 2020\n}\n@misc{l, note = {N}}",
            [{"title": "T U", "year": "2020"}, {"note": "N"}],
            ("bib.braces", "error", 2, 10),
        ),
        (
            "@misc{k,\n year = 2020,\n title = {T {U,\n@misc{l, note = {N}}",
            [{"year": "2020", "title": "T U"}, {"note": "N"}],
            ("bib.braces", "error", 3, 10),
        ),
        (
            '@misc{k,\n title = "T,\n year = 2020\n}\n@misc{l,}',
            [{"title": "T", "year": "2020"}, {}],
            ("bib.braces", "error", 2, 10),
        ),
        (
            "@misc{k, title = {T}, year = 2020",
            [{"title": "T", "year": "2020"}],
            ("bib.braces", "error", 1, 6),
        ),
        (
            "@misc{k, title = {T}}\n}\n@misc{l,}",
            [{"title": "T"}, {}],
            ("bib.braces", "warning", 2, 1),
        ),
        (
            "@misc{k,\n title = {a \\{ b},\n}\n@misc{l,}",
            [{"title": "a { b"}, {}],
            ("bib.braces", "error", 2, 10),
        ),
        (
            "@string{a = {x}\n@misc{k, title = {T}}",
            [{"title": "T"}],
            ("bib.braces", "error", 1, 8),
        ),
    ],
)
def test_a_fault_is_told_and_reading_goes_on(
    text: str, wanted: list[dict[str, str]], problem: tuple[str, str, int, int]
) -> None:
    assert problem in told(text)
    assert fields(text) == wanted


def test_an_entry_that_was_swallowed_by_a_value_is_told() -> None:
    text = "@misc{a,\n title = {{T,\n note = {N}\n}\n@article{b,\n title = {U}\n}\n}\n}\n@misc{c,}"
    assert ("bib.braces", "warning", 2, 10) in told(text)
    assert "b" in read_bib(text, "f").problems[0].what


def test_a_value_may_hold_a_line_that_looks_like_an_entry() -> None:
    text = "@misc{a,\n abstract = {See\n@foo{bar,\n x = {y}\n}\n},\n year = 2020}\n@misc{b,}"
    assert [str(entry.key) for entry in entries(text)] == ["a", "b"]
    assert told(text) == []


def test_letters_that_were_spoilt_and_text_that_is_none() -> None:
    assert told("@misc{k,\n title = {BÃ¤cker}}") == [("bib.encoding", "warning", 2, 11)]
    assert told("@misc{k,\n title = {B\ufffdcker}}") == [("bib.encoding", "warning", 2, 11)]
    assert told("@misc{k, title = {Bäcker, São Paulo, Ãx}}") == []
    assert told("@\0m\0i\0s\0c\0")[0] == ("bib.encoding", "error", 1, 2)


# --- comments


@pytest.mark.parametrize(
    "text",
    [
        "@comment{ @article{old, title = {T}} }\n@misc{k,}",
        "%@article{old, title = {T}}\n@misc{k,}",
        "% @article{old,\n%   title = {T}\n% }\n@misc{k,}",
    ],
)
def test_a_commented_entry_is_no_source_and_is_told(text: str) -> None:
    assert [str(entry.key) for entry in entries(text)] == ["k"]
    assert [problem[:3] for problem in told(text)] == [("bib.comment", "info", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "@Comment{jabref-meta: databaseType:biblatex;}\n@misc{k,}",
        "Written by me@example.org, 100 % by hand\n@misc{k,}",
        "@comment no braces at all\n@misc{k,}",
        "@preamble{ \"\\newcommand{\\x}[1]{#1}\" # {@misc{no,}} }\n@misc{k,}",
    ],
)  # fmt: skip
def test_comments_are_no_problem(text: str) -> None:
    assert [str(entry.key) for entry in entries(text)] == ["k"]
    assert told(text) == []


# --- inheritance


PARENT = """@inproceedings{a, title = {A}, author = {X, Y}, crossref = {P}}
@article{b, title = {B}, crossref = {q}}
@book{c, title = {C}, publisher = {Own}, xdata = {x, y}}
@proceedings{p, title = {Whole}, subtitle = {Sub}, year = 2020, doi = {10.5555/p}, isbn = {1}}
@periodical{q, title = {Journal}, volume = 3}
@xdata{x, publisher = {Lent}, address = {Here}}
@xdata{y, xdata = {x}, series = {S}}
"""


def inherited(at: int) -> dict[str, str]:
    return {str(field.name): str(field.value) for field in entries(PARENT)[at].inherited}


def test_fields_are_taken_over_as_the_type_asks() -> None:
    assert inherited(0) == {"booktitle": "Whole", "booksubtitle": "Sub", "year": "2020"}
    assert inherited(1) == {"journaltitle": "Journal", "volume": "3"}
    assert inherited(2) == {"address": "Here", "series": "S"}
    assert entries(PARENT)[2].get("publisher") == "Own"
    assert told(PARENT) == []


def test_an_inherited_field_keeps_its_place() -> None:
    field = entries(PARENT)[0].field("booktitle")
    assert field is not None
    assert field.value.place.line == 4


def test_a_circle_of_references_ends() -> None:
    text = "@book{a, crossref = {b}, title = {A}}\n@book{b, crossref = {a}, note = {N}}"
    assert [entry.get("title", "note") for entry in entries(text)] == ["A", "A"]
    assert told(text) == []


def test_a_reference_to_nothing_is_told() -> None:
    text = "@book{alpha,}\n@inbook{b, title = {B}, crossref = {alpa}}"
    assert told(text) == [("bib.crossref", "error", 2, 36)]
    assert 'Did you mean "alpha"?' in read_bib(text, "f").problems[0].fix


# --- any text, and the oracle


SNIPPETS = st.sampled_from(
    ["@misc{k,", "@string{a = ", "@comment{", "@preamble{", "title = ", "{T}", '"Q"', "jan", "#"]
)
MARKS = st.sampled_from(["{", "}", "(", ")", '"', ",", "=", "%", "@", "\\", "\n", "\r", " ", "x"])


@given(st.lists(SNIPPETS | MARKS, max_size=25).map("".join))
def test_any_text_is_read_and_what_is_odd_is_told(text: str) -> None:
    parsed = read_bib(text, "f")
    for entry in parsed.value:
        assert text[entry.start] == "@"
        assert entry.start < entry.end <= len(text)
        for field in entry.fields:
            assert entry.start < field.start < field.end <= len(text)
    count = len(re.findall(r"@misc\{k,", text))
    assert bool(parsed.value or parsed.problems) or count == 0


WORD = st.text(alphabet="abcXYZ 0189.:-é中", min_size=1, max_size=12).map(str.strip).filter(bool)
BRACED = st.recursive(
    WORD,
    lambda inner: inner.map(lambda w: f"{{{w}}}") | st.tuples(inner, inner).map("".join),
    max_leaves=4,
)
FIELD = st.tuples(st.sampled_from(["title", "note", "journal", "publisher"]), BRACED, st.booleans())


@st.composite
def libraries(draw: st.DrawFn) -> tuple[str, list[tuple[str, dict[str, str]]]]:
    """A well-formed file and what it says."""
    out, wanted = [], []
    for number in range(draw(st.integers(1, 4))):
        found: dict[str, str] = {}
        lines = []
        for name, value, quoted in draw(st.lists(FIELD, max_size=3)):
            if name not in found:
                found[name] = value
                lines.append(f"{name} = " + (f'"{value}"' if quoted else f"{{{value}}}"))
        comma = "," if draw(st.booleans()) else ""
        out.append(
            f"@article{{key{number},\n  " + ",\n  ".join(lines) + f"{comma if lines else ''}\n}}\n"
        )
        wanted.append((f"key{number}", found))
    return "\n".join(out), wanted


@given(libraries())
def test_well_formed_entries_are_read_as_they_stand_and_as_the_oracle_reads_them(
    made: tuple[str, list[tuple[str, dict[str, str]]]],
) -> None:
    text, wanted = made
    parsed = read_bib(text, "f")
    assert parsed.problems == ()
    ours = [(str(e.key), {str(f.name): str(f.raw) for f in e.fields}) for e in parsed.value]
    assert ours == wanted
    library = bibtexparser.parse_string(text)
    theirs = [(e.key, {f.key: f.value for f in e.fields}) for e in library.entries]
    assert ours == [(key, {n: v for n, v in found.items()}) for key, found in theirs]


def test_the_oracle_still_loses_what_the_decision_says() -> None:
    """Reasons of decision 0010; when one of them falls, the decision wants another look."""
    comma = bibtexparser.parse_string("@misc{k,\n title = {T}\n year = {2020}\n}").entries[0]
    assert "year" not in comma.fields_dict
    remark = bibtexparser.parse_string("@misc{k,\n title = {T},\n% r\n year = {2020}\n}").entries[0]
    assert "year" not in remark.fields_dict
    joined = bibtexparser.parse_string('@misc{k, title = "a" # "b"}').entries[0]
    assert joined.fields_dict["title"].value != "ab"
    macro = bibtexparser.parse_string("@misc{k, title = nomacro}")
    assert (macro.entries[0].fields_dict["title"].value, macro.failed_blocks) == ("nomacro", [])
    split = bibtexparser.parse_string("@misc\n{k, title = {T}}")
    assert (split.entries, split.failed_blocks) == ([], [])
