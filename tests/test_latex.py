"""LaTeX in prose: what a reader sees, with nothing cut off and mathematics kept."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.latex import plain_text


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (r"Heged{\H u}s", "Hegedűs"),
        (r"Erd\H{o}s", "Erdős"),
        (r"Ole{\'s}", "Oleś"),
        (r"{\L}ucja {\O}rjan \AA{}sa", "Łucja Ørjan Åsa"),
        (r"Na\"{\i}m, \'{\j}, \^\i le", "Naïm, j́, île"),
        (r"Stra{\ss}er und Fu\ss ball", "Straßer und Fußball"),
        (r"{\'E}tude, \'Etude, \'{E}tude", "Étude, Étude, Étude"),
        (r"\v{S}\v C\c{c}\k{a}\u{g}\.{I}\=o\r{u}\d{s}", "ŠČçąğİōůṣ"),
        (r"\ae\oe\o\ b", "æœø b"),
        (r"Schr{\"o}dinger's \emph{cat}", "Schrödinger's cat"),
        ("``q'' a--b---c", "“q” a–b—c"),
        (r"\textquoteleft a\textquoteright{} \textendash{} b", "‘a’ – b"),
    ],
)
def test_accents_letters_and_marks(written: str, wanted: str) -> None:
    assert plain_text(written) == wanted


@pytest.mark.parametrize(
    "written",
    [
        "A 50% cut",
        "a & b",
        "a_b^c",
        "#1",
        "lone $ sign",
        "plain",
        "O'Neil",
        "中文 {x".replace("{", ""),
    ],
)
def test_marks_that_latex_would_take_for_its_own_stay(written: str) -> None:
    assert plain_text(written) == written


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (r"100\% \& more \_ \# \$5 \{a\}", "100% & more _ # $5 {a}"),
        (r"50% \'a", "50% á"),
        (r"a & \'b", "a & b́"),
        (r"\textbackslash x", r"\x"),
        (r"a~b\ c\,d\\e\-f\/g", "a b c d efg"),
        (r"\textless p\textgreater{}", "<p>"),
        (r"\LaTeX{} and \BibTeX", "LaTeX and BibTeX"),
    ],
)
def test_escapes_and_symbols(written: str, wanted: str) -> None:
    assert plain_text(written) == wanted


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (r"$\ell_1$ and $\ell_2$", r"$\ell_1$ and $\ell_2$"),
        (r"the {${\rm GCH}$} {{Deep {Inner}}} end", r"the ${\rm GCH}$ Deep Inner end"),
        (r"\(\alpha\) and \ensuremath{\beta_{1}}", r"$\alpha$ and $\beta_{1}$"),
        (r"$$x^2$$", "$x^2$"),
        (r"$\less$p$\greater$$\less$b$\greater$", r"$\less$p$\greater$$\less$b$\greater$"),
        (r"cost \$5 and $x_1$", "cost $5 and $x_1$"),
        (r"$a\'b$ \'a", r"$a\'b$ á"),
    ],
)
def test_mathematics_stays_as_it_is_written(written: str, wanted: str) -> None:
    assert plain_text(written) == wanted


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (r"\url{https://e.org/a%20b_c}", "https://e.org/a%20b_c"),
        (r"\href{https://e.org/%7e}{the \emph{text}}", "the text"),
        (r"{\noopsort{1973a}}1973", "1973"),
        (r"\textbf{a \textit{b}} {\sc c} {\em d}", "a b c d"),
        (r"CO\textsubscript{2}", "CO2"),
        (r"\unknown{abc} x", "abc x"),
        (r"\mymacro x", r"\mymacro x"),
        (r"see \cite[p.~3]{key}", "see [key]"),
    ],
)
def test_commands(written: str, wanted: str) -> None:
    assert plain_text(written) == wanted


@given(st.text(alphabet="ab é中%&#_^~.,;:()[]<>0123"))
def test_a_text_without_latex_is_itself(text: str) -> None:
    assert plain_text(text.replace("~", " ")) == " ".join(text.replace("~", " ").split())


@given(st.text(alphabet=st.sampled_from("\\{}$%&'`\"^~=.ucHvklo1ab -(\ufdd0"), max_size=40))
def test_any_text_is_read(text: str) -> None:
    told = plain_text(text)
    assert told == " ".join(told.split())


@pytest.mark.parametrize(
    "hostile",
    [
        "\\'" * 3000,
        "\\foo{" * 2000,
        "$" * 20001,
        "\\ensuremath{" * 5000,
        "\\(" * 20000,
        "{" * 50000,
        "\\textsf{\\'" * 3000,
        "\\begin{x}" * 400,
    ],
)
def test_a_hostile_text_takes_no_minutes(hostile: str) -> None:
    start = time.process_time()
    plain_text(hostile)
    assert time.process_time() - start < 5
