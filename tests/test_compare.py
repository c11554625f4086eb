"""Each comparison by itself: pairs that are the same, pairs that are not, and what is left open."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.compare import compare, mark_of, strip_markup
from researchpack.places import Place, Text
from researchpack.records import FieldState, Identifier, Name, RegistryRecord, Work

HERE = Place("sources.yaml", 1, 1)
CONFIRMED, OPEN, CONTRADICTED = (
    FieldState.CONFIRMED,
    FieldState.NOT_CONFIRMED,
    FieldState.CONTRADICTED,
)


def text(words: str) -> Text:
    return Text(words, HERE)


def record(**fields: Any) -> RegistryRecord:
    known: dict[str, Any] = {
        "scheme": "doi", "id": "10.5555/x", "registry": "crossref", "found": True, "request": "",
        "retrieved_at": "", "checked_at": "2026-11-30T00:00:00Z", "status": 200, "sha256": "",
    }  # fmt: skip
    return RegistryRecord(**{**known, **fields})


def look(theirs: dict[str, Any], **ours: Any) -> tuple[FieldState, str | None]:
    """State and reason of the one field of a work that has only this one."""
    asked = Identifier(scheme="doi", value="10.5555/x", written=text("10.5555/x"))
    work = Work(id=text("S1"), identifiers=(asked,), place=HERE, **ours)
    (found,) = compare(work, (record(**theirs),))
    return found.state, found.why


def title(ours: str, theirs: str, **more: Any) -> tuple[FieldState, str | None]:
    return look({"title": theirs, **more}, title=text(ours))


def person(spec: str) -> Name:
    """`Family|Given|suffix|particle`, or a body in braces."""
    if spec.startswith("{"):
        return Name(literal=spec[1:-1])
    family, given, suffix, particle = [*spec.split("|"), "", "", ""][:4]
    return Name(family=family, given=given, suffix=suffix, particle=particle)


def authors(ours: list[str], theirs: list[str]) -> tuple[FieldState, str | None]:
    return look({"authors": tuple(map(person, theirs))}, authors=tuple(map(text, ours)))


# --- titles -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Fish like Piscis demo, and more", "Fish like\n   <i>Piscis demo,</i>\n and more"),
        ("Cells & Signals", "Cells &amp;amp; Signals"),
        ("Cells and Signals", "Cells &amp; Signals"),
        ("CO2 in CO₂", "CO<sub>2</sub> in CO$_2$"),
        (r"$\ell_1$ norms", "ℓ<sub>1</sub> norms"),
        (r"$\ell_1$ norms", "<mml:math><mml:mi>ℓ</mml:mi>\n<mml:mn>1</mml:mn></mml:math> norms"),
        (r"An $O(n \log n)$ bound", "An <alternatives><tex-math>$O(n \\log n)$</tex-math>"
         "<mml:math><mml:mi>O</mml:mi></mml:math></alternatives> bound"),
        ("$\\less$b$\\greater$Testudo$\\less$/b$\\greater$ lives", "<b>Testudo</b> lives"),
        ("β-catenin", "Beta-Catenin"),
        ("THE FAST FOX", "The fast fox"),
        ("TCP/IP", "TCP-IP"),
        ("“Quoted” words", "'Quoted' words"),
        ("Straße", "STRASSE"),
        ("机器学习：导论", "机器学习:导论"),
        ("Nodules in Rivers", "RETRACTED: Nodules in Rivers"),
        ("Nodules in Rivers", "[RETRACTED] Nodules in Rivers"),
        ("Nodules in Rivers", "RETRACTED ARTICLE: Nodules in Rivers"),
        ("Nodules in Rivers", "WITHDRAWN: Nodules in Rivers"),
        ("Nodules in Rivers", "Nodules in Rivers (Retracted article. See vol. 3, p. 4)"),
        ("Retracted: Nodules in Rivers", "Nodules in Rivers"),
        ("Planning with A", "Planning with A*"),
    ],
)  # fmt: skip
def test_titles_that_are_the_same(ours: str, theirs: str) -> None:
    assert title(ours, theirs)[0] is CONFIRMED


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (r"$\ell_1$ norms", "ℓ<sub>2</sub> norms"),
        (r"$\ell_1$ norms", r"$\ell_2$ norms"),
        ("C++ for all", "C for all"),
        ("Web 2.0 today", "Web 20 today"),
        ("24/7 work", "247 work"),
        ("机器学习导论", "深度学习导论"),
        ("Ελληνικά", "Αγγλικά"),
        ("हिन्दी", "हन्द"),
        ("???", "!!!"),
        ("List<T> at work", "List at work"),
        ("Retracted nodules", "Nodules"),
        ("Not this at all", "Something else"),
    ],
)
def test_titles_that_are_not(ours: str, theirs: str) -> None:
    assert title(ours, theirs)[0] is CONTRADICTED


def test_titles_in_parts() -> None:
    sub = {"title": "The Fast Fox", "subtitle": "A Story"}
    assert look(sub, title=text("The Fast Fox: A Story")) == (CONFIRMED, None)
    assert look(sub, title=text("The Fast Fox"), subtitle=text("A Story")) == (CONFIRMED, None)
    assert title("The Fast Fox", "The Fast Fox – A Story") == (CONFIRMED, "subtitle left out")
    assert title("The Fast Fox: A Story", "The Fast Fox") == (OPEN, "the registry has no subtitle")
    assert title("Foxes", "Foxes: A Story of Ten")[0] is CONTRADICTED  # many works begin so
    assert title("A Long Tale of Locks …", "A Long Tale of Locks and Ponds") == (
        CONFIRMED,
        "shortened",
    )
    assert title("A …", "A Long Tale of Locks")[0] is CONTRADICTED
    assert title("Trees (2nd ed.)", "Trees") == (CONFIRMED, "edition left out")


def test_titles_in_other_scripts_and_spellings() -> None:
    assert title("A Primer", "机器学习导论") == (OPEN, "another language or script there")
    assert title("A Primer", "机器学习导论", original_title="A Primer") == (CONFIRMED, None)
    assert title("Erdos and Paths", "Erdős and Paths") == (CONFIRMED, "accents differ")
    assert title("Privacys of Rivers", "Privacy of Rivers") == (CONTRADICTED, "spelling")
    assert title("The Cat of Rivers", "The Bat of Rivers") == (CONTRADICTED, None)


@given(st.text(max_size=40))
def test_a_title_is_the_same_as_itself(words: str) -> None:
    if words.strip() and strip_markup(words):
        assert title(words, words)[0] is CONFIRMED


@given(st.text(alphabet="אבגд丁七万デあ가나ñ", min_size=2, max_size=8), st.integers(0, 7))
def test_letters_of_every_script_count(words: str, at: int) -> None:
    at %= len(words)
    other = words[:at] + "Ω" + words[at + 1 :]
    assert title(words, other)[0] is not CONFIRMED


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("RETRACTED: Ponds", "retracted"),
        ("Retraction Note to: Ponds", "retraction note to"),
        ("Author Correction: Ponds", "author correction"),
        ("Expression of Concern: Ponds", "expression of concern"),
        ("Erratum to “Ponds”", "erratum to"),
        ("Corrections in Prison: A History", None),
        ("Retraction of Muscles", None),
        ("Ponds", None),
    ],
)
def test_marks_of_publishers(words: str, mark: str | None) -> None:
    assert mark_of(words) == mark


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Aron van den Oorn", "van den Oorn|Aron"),
        ("de la Cruz, Ana", "Cruz|Ana de la"),
        ("Hora, Jr., Don", "Hora|Don|Jr."),
        ("Don Hora Jr.", "Hora|Don|Jr"),
        ("J. von Neumann", "Neumann|John||von"),
        ("DeVries, P.", "De Vries|Peter"),
        ("O'Brien, Tim", "OBrien|Tim"),
        ("Mosner, A. M.", "Mosner|Alex Martin"),
        ("Mosner, Alex", "Mosner|Alex Martin"),
        ("Smith JD", "Smith|John David"),
        ("JD Smith", "Smith|John David"),
        ("Smith, John David", "Smith|J.D."),
        ("Kenneth Smith", "Smith|J. Kenneth"),
        ("Jean-Pierre Dupont", "Dupont|J.-P."),
        ("Li Xiaoming", "Li|Xiao-Ming"),
        ("Quoc Le", "Le|Quoc V."),
        ("Deniz İpekoğlu", "İPEKOĞLU|Deniz"),
        ("K. L. Browne", "BROWNE|K.L."),
        ("Browne, K. L.", "{Browne, K.L.}"),
        ("Mirel", "Mirel"),
        ("The ATLAS Collaboration", "{ATLAS Collaboration}"),
        ("Barnes and Noble, Inc.", "{Barnes &amp; Noble Inc.}"),
        ("王伟", "王|伟"),
    ],
)
def test_names_that_are_the_same(ours: str, theirs: str) -> None:
    state, why = authors([ours], [theirs])
    assert (state, why) in ((CONFIRMED, None), (CONFIRMED, "the family name stands first"))


@pytest.mark.parametrize(
    ("ours", "theirs", "note"),
    [
        ("Olive Van Der Aa", "Der Aa|Olive", "particles differ"),
        ("Al-Rfou, Rami", "Rfou|Rami", "particles differ"),
        ("Hegedus, Anna", "Hegedűs|Anna", "accents differ"),
        ("Orjan Naim", "Naïm|Ørjan", "accents differ"),
        ("Oerjan Naim", "Naïm|Ørjan", "accents differ"),
        ("Müller, K.", "Mueller|Klaus", "accents differ"),
        ("Bob Smith", "Smith|Robert", "a short form of the given name"),
        ("Silvio García Márquez", "García|Silvio", "part of a double name"),
        ("S. Marquez", "García Márquez|Silvio", "part of a double name"),
        ("Yan, Ma", "Ma|Yan", "given and family name are swapped"),
        ("Martin King", "King|Martin|Jr.", "suffix on one side only"),
    ],
)
def test_names_that_are_the_same_with_a_note(ours: str, theirs: str, note: str) -> None:
    assert authors([ours], [theirs]) == (CONFIRMED, note)


@pytest.mark.parametrize(
    ("ours", "theirs", "begins"),
    [
        ("Mosner, Anna Maria", "Mosner|Alex Martin", "given names"),
        ("Alex Maria Mosner", "Mosner|Alex Martin", "given names"),
        ("ANN SMITH", "Smith|Alex", "given names"),
        ("Mosner, B. M.", "Mosner|Alex Martin", "given names"),
        ("Li, Wei", "Ma|Yan", "the author"),
        ("Wei Li", "Wei|Xu", "the author"),
        ("Jonson, Ben", "Johnson|Ben", "spelling"),
        ("Bo Chen", "Chan|Bo", "the author"),  # too short for a slip of the keys
    ],
)
def test_names_that_are_not(ours: str, theirs: str, begins: str) -> None:
    state, why = authors([ours], [theirs])
    assert state is CONTRADICTED
    assert (why or "").startswith(begins)


@pytest.mark.parametrize(
    ("ours", "theirs", "state", "why"),
    [
        (["A Lee", "others"], ["Lee|Ann", "Chen|Bo"], CONFIRMED, "shortened"),
        (["A Lee et al."], ["Lee|Ann", "Chen|Bo"], CONFIRMED, "shortened"),
        (["A Lee", "…", "C Diaz"], ["Lee|Ann", "Chen|Bo", "Diaz|Cy"], CONFIRMED, "shortened"),
        (["A Lee", "…", "B Chen"], ["Lee|Ann", "Chen|Bo", "Diaz|Cy"], CONTRADICTED, None),
        (["Z Roe", "others"], ["Lee|Ann", "Chen|Bo"], CONTRADICTED, None),
        (["A Lee"], ["Lee|Ann", "{et al.}"], CONFIRMED, "shortened there"),
        (["B Chen", "A Lee"], ["Lee|Ann", "Chen|Bo"], CONTRADICTED, "in another order"),
        (["A Lee"], ["Lee|Ann", "Chen|Bo"], CONTRADICTED,
         "number of authors: 1 here, 2 there; not here: Bo Chen"),
        (["A Lee", "B Chen", "C Roe"], ["Lee|Ann", "Chen|Bo"], CONTRADICTED,
         '"C Roe" is not among the authors there (3 here, 2 there)'),
        (["Mirel", "Tom Weld"], ["Mirel", "Weld|Tom", ""], CONFIRMED,
         "the registry has an unnamed author"),
        (["A Lee"], ["Lee|Ann", "{Demo Consortium}"], CONFIRMED,
         "a body is left out on one side"),
        (["OpenAI"], ["Lee|Ann", "Chen|Bo"], OPEN, "a body on one side, persons on the other"),
        (["王伟"], ["Wang|Wei"], OPEN, "another script there"),
        (["A Lee"], [], OPEN, "field absent there"),
        (["Lee, Ann; Chen, Bo"], ["Lee|Ann", "Chen|Bo"], CONFIRMED, None),
        (["Ann Lee and Bo Chen"], ["Lee|Ann", "Chen|Bo"], CONFIRMED, None),
        (["Barnes and Noble Inc."], ["{Barnes & Noble Inc.}"], CONFIRMED, None),
        (["Ann Lee, Bo Chen, Cy Diaz"], ["Lee|Ann", "Chen|Bo", "Diaz|Cy"], OPEN,
         "several names run together here"),
    ],
)  # fmt: skip
def test_lists_of_authors(
    ours: list[str], theirs: list[str], state: FieldState, why: str | None
) -> None:
    found = authors(ours, theirs)
    assert found[0] is state
    assert why is None or found[1] == why


@given(
    st.lists(
        st.tuples(
            st.text(alphabet="abcdefghijklmnoprstu", min_size=3, max_size=9),
            st.text(alphabet="abcdefghijklmnoprstu", min_size=3, max_size=9),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_name_is_the_same_in_both_orders_and_with_initials(names: list[tuple[str, str]]) -> None:
    theirs = [f"{family.title()}|{first.title()}" for family, first in names]
    for form in ("{1} {0}", "{0}, {1}", "{0}, {2}.", "{2}. {0}"):
        ours = [form.format(f.title(), g.title(), g[0].upper()) for f, g in names]
        assert authors(ours, theirs)[0] is CONFIRMED, form


def test_thousands_of_authors_take_no_time() -> None:
    ours = [f"Ann Lee{n}x" for n in range(2000)]
    theirs = [f"Lee{n + 1}x|Ann" for n in range(2000)]
    assert authors(ours, theirs)[0] is CONTRADICTED


# --- years, pages, numbers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "state", "why"),
    [
        ("2020", {"issued": "2020"}, CONFIRMED, None),
        ("2020-03-02", {"issued": "2020"}, CONFIRMED, None),
        ("2020-03-02", {"issued": "2020-03"}, CONFIRMED, None),
        ("2020-03-02", {"issued": "2020-04"}, OPEN,
         "the year agrees, the month or day does not"),
        ("2021", {"issued": "2020", "online": "2020-11", "print": "2021-03"}, CONFIRMED,
         "print year"),
        ("2020", {"issued": "2020", "online": "2020-11", "print": "2021-03"}, CONFIRMED,
         "online year"),
        ("1990", {"issued": "1990", "print": "1990-07", "online": "2007"}, CONFIRMED, "print year"),
        ("2000", {"issued": "1990", "print": "1990-07", "online": "2007"}, CONTRADICTED, None),
        ("1928", {"issued": "2005", "online": "2005"}, OPEN,
         "put online later; the print date is not known"),
        ("2021", {"issued": "2020", "online": "2020-11"}, OPEN,
         "one year after it was put online; the print date is not known"),
        ("2019", {"issued": "2020", "online": "2020-11"}, CONTRADICTED, None),
        ("2019", {"issued": "2020"}, CONTRADICTED, None),
        ("2018", {"submitted": "2013", "updated": "2022"}, OPEN,
         "between its first and its last date"),
        ("n.d.", {"issued": "2020"}, OPEN, "undated here"),
        ("in press", {"issued": "2020"}, OPEN, "not published yet, it says here"),
        ("2020", {}, OPEN, "field absent there"),
        ("c. 2015", {"issued": "2015"}, CONFIRMED, None),
        ("２０１５", {"issued": "2015"}, CONFIRMED, None),
    ],
)  # fmt: skip
def test_years(ours: str, theirs: dict[str, str], state: FieldState, why: str | None) -> None:
    assert look({"years": tuple(theirs.items())}, issued=text(ours)) == (state, why)


@pytest.mark.parametrize(
    ("ours", "theirs", "state"),
    [
        ("74–94", "74-94", CONFIRMED),
        ("74--94", "74-94", CONFIRMED),
        ("pp. 74-94", "74-94", CONFIRMED),
        ("1234-9", "1234-1239", CONFIRMED),
        ("100-99", "100-199", CONFIRMED),
        ("74", "74-94", CONFIRMED),
        ("e123", "123", CONFIRMED),
        ("Article 5", "5", CONFIRMED),
        ("S1–S9", "S1-S9", CONFIRMED),
        ("xi–xx", "xi-xx", CONFIRMED),
        ("1:1–1:24", "1-24", CONFIRMED),
        ("74–94, 101", "74-94", CONFIRMED),
        ("80", "74-94", OPEN),
        ("1-12", "1023", OPEN),
        ("12-20", "e1005", OPEN),
        ("300 p.", "74", OPEN),
        ("in press", "74-94", OPEN),
        ("74-95", "74-94", CONTRADICTED),
        ("75-94", "74-94", OPEN),
        ("73-94", "74-94", CONTRADICTED),
        ("88", "90", CONTRADICTED),
    ],
)
def test_pages(ours: str, theirs: str, state: FieldState) -> None:
    assert look({"pages": theirs}, pages=text(ours))[0] is state


@given(st.integers(1, 99999), st.integers(0, 400))
def test_an_abbreviated_last_page_is_the_same(first: int, more: int) -> None:
    whole, last = str(first), str(first + more)
    if len(whole) == len(last):
        cut = next((n for n, (a, b) in enumerate(zip(whole, last, strict=True)) if a != b), 0)
        assert look({"pages": f"{first}-{last}"}, pages=text(f"{first}–{last[cut:]}"))[0] is (
            CONFIRMED
        )


@pytest.mark.parametrize(
    ("ours", "theirs", "state"),
    [
        ("vol. 20", "20", CONFIRMED),
        ("XX", "20", CONFIRMED),
        ("020", "20", CONFIRMED),
        ("3–4", "3/4", CONFIRMED),
        ("Suppl. 1", "S1", CONFIRMED),
        ("20(4)", "20", CONFIRMED),
        ("3", "3-4", OPEN),
        ("July", "4", OPEN),
        ("7", "8", CONTRADICTED),
        ("20", "2", CONTRADICTED),
    ],
)
def test_volumes_and_issues(ours: str, theirs: str, state: FieldState) -> None:
    assert look({"volume": theirs}, volume=text(ours))[0] is state
    assert look({"issue": theirs}, issue=text(ours))[0] is state


# --- containers and publishers ------------------------------------------------------------------

PNAS = "Proceedings of the National Academy of Sciences"
ICML = "Proceedings of the International Conference on Machine Learning"


@pytest.mark.parametrize(
    ("ours", "theirs", "state"),
    [
        ("Clinical and Demo Medicine", ["Clinical &amp; Demo Medicine"], CONFIRMED),
        ("Care in Rivers", ["Legal Issues", "Care in Rivers", "Symposium Series"], CONFIRMED),
        ("The Lancet", ["Lancet"], CONFIRMED),
        ("J. Demo Res.", ["Journal of Demo Research"], CONFIRMED),
        ("Journal of Demo Research", ["J Demo Res"], CONFIRMED),
        ("Proc. Natl. Acad. Sci.", [PNAS], CONFIRMED),
        ("PNAS", [PNAS], CONFIRMED),
        ("Commun. ACM", ["Communications of the ACM"], CONFIRMED),
        ("Proceedings of the 35th International Conference on Machine Learning (ICML)", [ICML],
         CONFIRMED),
        ("arXiv preprint arXiv:1706.03762", ["arXiv"], CONFIRMED),
        ("arXiv preprint arXiv:1706.03762", [], OPEN),
        ("CoRR", ["Journal of Rivers"], OPEN),
        ("ICML 2019", ["International Conference on Machine Learning"], OPEN),
        ("Lecture Notes in Computer Science", ["Advances in Rivers"], OPEN),
        ("机器", ["Journal"], OPEN),
        ("Rivers of Europe", ["Rivers of Europe: A Journal"], CONFIRMED),
        ("Physics", ["Physics: A Journal"], CONTRADICTED),
        ("Nature", ["Nature Communications"], CONTRADICTED),
        ("Science", ["Science Advances"], CONTRADICTED),
        ("Physical Review E", ["Physical Review D"], CONTRADICTED),
        ("Journal of Trees", ["Journal of Rivers"], CONTRADICTED),
    ],
)  # fmt: skip
def test_containers(ours: str, theirs: list[str], state: FieldState) -> None:
    assert look({"containers": tuple(theirs)}, container=text(ours))[0] is state


def test_the_order_of_several_containers_means_nothing() -> None:
    names = ("Legal Issues", "Care in Rivers", "Legal Issues", "Series")
    for order in (names, names[::-1]):
        state, why = look({"containers": order}, container=text("Care in Rivers"))
        assert state is CONFIRMED
        assert sorted((why or "").removeprefix("also listed as ").split("; ")) == [
            "Legal Issues",
            "Series",
        ]


@pytest.mark.parametrize(
    ("ours", "theirs", "state"),
    [
        ("Springer", "Springer Science and Business Media LLC", CONFIRMED),
        ("ACM", "Association for Computing Machinery (ACM)", CONFIRMED),
        ("ACM Press", "Association for Computing Machinery", CONFIRMED),
        ("O'Reilly Media, Inc.", "O'Reilly Media", CONFIRMED),
        ("Addison-Wesley", "Pearson Education", CONFIRMED),
        ("CRC Press", "Informa UK Limited", CONFIRMED),
        ("New York: Wiley", "John Wiley & Sons, Ltd", CONFIRMED),
        ("Elsevier", "Elsevier BV", CONFIRMED),
        ("North Press", "South Press", CONTRADICTED),
        ("Addison-Wesley", "O'Reilly Media", CONTRADICTED),
    ],
)
def test_publishers(ours: str, theirs: str, state: FieldState) -> None:
    assert look({"publisher": theirs}, publisher=text(ours))[0] is state


# --- hostile values -----------------------------------------------------------------------------

HOSTILE = ("<alternatives>", "<i>", "$", "&amp;", "<p a", "\\", "[retracted ", "\u0301", "1-", "…")


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_nonsense_takes_no_time_and_raises_nothing(piece: str) -> None:
    words = piece * 20_000
    title(words, words[:-1])
    authors([words], [f"{words}|x"])
    look({"pages": words, "containers": (words,)}, pages=text(words[:-1]))
    look({"containers": (words,)}, container=text(f"{words}x"))
    look({"publisher": words}, publisher=text(f"{words}x"))


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_raises(ours: str, theirs: str) -> None:
    title(ours, theirs)
    authors([ours], [f"{{{theirs}}}"])
    authors([ours], [theirs])
    for field in ("pages", "volume", "publisher"):
        look({field: theirs}, **{field: text(ours)})
    look({"containers": (theirs,)}, container=text(ours))
    look({"years": (("issued", theirs),)}, issued=text(ours))
