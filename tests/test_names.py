"""Names of people and bodies, as BibTeX and as a ledger write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.formats._bibnames import name_problems
from researchpack.formats.names import (
    bibtex_name,
    is_body,
    is_suffix,
    is_truncation,
    ledger_name,
    shown,
    split_names,
)
from researchpack.places import Place, Text
from researchpack.records import BibField, Name


def name(family: str, given: str = "", particle: str = "", suffix: str = "") -> Name:
    return Name(family=family, given=given, particle=particle, suffix=suffix)


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("Silva, Ana", name("Silva", "Ana")),
        ("Ana Silva", name("Silva", "Ana")),
        ("Plato", name("Plato")),
        ("{A}, B.", name("A", "B.")),
        ("Jan van den Berg", name("Berg", "Jan", "van den")),
        ("van den Berg, Jan", name("Berg", "Jan", "van den")),
        ("Berg, Jan van den", name("Berg", "Jan", "van den")),
        ("{van den Berg}, Jan", name("van den Berg", "Jan")),
        ("Maria {de la Cruz}", name("de la Cruz", "Maria")),
        ("Ludwig van Beethoven", name("Beethoven", "Ludwig", "van")),
        ("de la Vall{\\'e}e Poussin, Charles", name("Vallée Poussin", "Charles", "de la")),
        ("King, Jr., Martin Luther", name("King", "Martin Luther", suffix="Jr.")),
        ("Martin Luther King, Jr.", name("King", "Martin Luther", suffix="Jr.")),
        ("Martin Luther King III", name("King", "Martin Luther", suffix="III")),
        ("Heged{\\H u}s, Anna", name("Hegedűs", "Anna")),
        ("{\\O}rjan Na\\\"{\\i}m", name("Naïm", "Ørjan")),
        ("{\\'E}lie Cartan", name("Cartan", "Élie")),
        ("\\v Stefan Foo", name("Foo", "Štefan")),
        ("Knuth, D.~E.", name("Knuth", "D. E.")),
        ("Smith, J.,", name("Smith", "J.")),
        ("O'Neil, {Sh}aun", name("O'Neil", "Shaun")),
        ("王 小明", name("王", "小明")),
        ("{Barnes and Noble, Inc.}", Name(literal="Barnes and Noble, Inc.")),
        ("others", Name(literal="others")),
        ("et al.", Name(literal="others")),
    ],
)  # fmt: skip
def test_a_name_of_bibtex(raw: str, wanted: Name) -> None:
    assert bibtex_name(raw) == wanted


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("A and B", ("A", "B")),
        ("{A},\n   B. and {C},\n   D.", ("{A},\n   B.", "{C},\n   D.")),
        ("A AND B\tand\nC", ("A", "B", "C")),
        ("{Barnes and Noble} and B", ("{Barnes and Noble}", "B")),
        ("Anderson, Sandy and Brand, Wanda", ("Anderson, Sandy", "Brand, Wanda")),
        ("A and  and B and", ("A", "B")),
        ("", ()),
    ],
)
def test_a_list_of_names_is_split_at_and(raw: str, wanted: tuple[str, ...]) -> None:
    assert split_names(raw) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Marc Brooker", name("Brooker", "Marc")),
        ("Brooker, Marc", name("Brooker", "Marc")),
        ("van den Berg, Jan", name("Berg", "Jan", "van den")),
        ("World Health Organization", Name(literal="World Health Organization")),
        ("{Foo Bar}", Name(literal="Foo Bar")),
        ("The Demo Collaboration", Name(literal="The Demo Collaboration")),
        ("Council of Europe", Name(literal="Council of Europe")),
        ("Amazon Web Services, Inc.", Name(literal="Amazon Web Services, Inc.")),
        ("Bank, Ann", name("Bank", "Ann")),
        ("Grace House", name("House", "Grace")),
        ("OpenAI", name("OpenAI")),
        ("et al.", Name(literal="others")),
    ],
)
def test_a_name_of_a_ledger(text: str, wanted: Name) -> None:
    assert ledger_name(text) == wanted
    assert is_body(text) == bool(wanted.literal not in ("", "others", "Foo Bar"))


@pytest.mark.parametrize("words", ["others", "et al.", "et al", "Et Al.", "and others", "…"])
def test_words_for_names_that_were_left_out(words: str) -> None:
    assert is_truncation(words)


@pytest.mark.parametrize("words", ["Al Others", "Alii", "Otherson"])
def test_names_that_are_no_such_words(words: str) -> None:
    assert not is_truncation(words)


@pytest.mark.parametrize(("words", "wanted"), [("Jr.", True), ("III", True), ("Ira", False)])
def test_suffixes(words: str, wanted: bool) -> None:
    assert is_suffix(words) is wanted


PART = st.text(alphabet="ABCdefé", min_size=1, max_size=6).map(str.capitalize)


@given(
    st.builds(
        name,
        PART,
        PART,
        st.sampled_from(["", "van", "de la"]),
        st.sampled_from(["", "Jr.", "III"]),
    )
)
def test_a_name_that_is_shown_is_read_again(found: Name) -> None:
    assert bibtex_name(shown(found)) == found


def problems(raw: str) -> list[tuple[str, str]]:
    place = Place("f", 2, 5)
    field = BibField(
        name=Text("author", place), raw=Text(raw, place), value=Text(raw, place), start=0, end=1
    )
    found = list(name_problems(field))
    assert all(problem.rule == "bib.names" and problem.place == place for problem in found)
    return [(problem.level.value, problem.fix) for problem in found]


@pytest.mark.parametrize(
    "raw",
    [
        "Silva, Ana and Bo Chen",
        "Ames, Ida and others",
        "King, Jr., Martin Luther",
        "{Barnes, Noble, and Sons; Inc.}",
        "{Procter \\& Gamble}",
        "AT\\&T",
        "García Márquez, Gabriel José",
        "M{\\\"u}ller, Eva and {\\'E}. Cartan",
        "",
    ],
)
def test_lists_that_are_fine(raw: str) -> None:
    assert problems(raw) == []


@pytest.mark.parametrize(
    ("raw", "level", "part"),
    [
        ("Ann Lee, Bo Chen, Cy Diaz", "error", "`Ann Lee and Bo Chen and Cy Diaz`"),
        ("Lee, Ann, Chen, Bo", "error", "`Lee, Ann and Chen, Bo`"),
        ("Lee, Ann; Chen, Bo", "error", "`Lee, Ann and Chen, Bo`"),
        ("Lee, Ann \\& Chen, Bo", "error", "`Lee, Ann and Chen, Bo`"),
        ("A. Lee & B. Chen", "error", "`A. Lee and B. Chen`"),
        ("Smith, J., and Lee, K.", "error", "between two persons"),
        ("A B and", "error", "between two names"),
        ("A B and and C D", "error", "between two names"),
        ("Ames, Ida and et al.", "warning", "and others"),
        ("Ames, Ida et al.", "warning", "and others"),
        ("others and Ames, Ida", "warning", "and others"),
        ("Martin Luther King, Jr.", "warning", "`King, Jr., Martin Luther`"),
    ],
)
def test_lists_that_mean_something_else(raw: str, level: str, part: str) -> None:
    ((found, fix),) = problems(raw)
    assert found == level
    assert part in fix
