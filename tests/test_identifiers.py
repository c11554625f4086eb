"""Identifiers in every wrapping: what they are, what is said about them, and which are the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.identifiers import (
    BadIdentifier,
    canonical,
    find_identifiers,
    identify,
    is_address,
    isbn10,
    isbn13,
    issn_problem,
    of_address,
    read,
    same,
    without_tracking,
)
from researchpack.places import Place, Text
from researchpack.records import Identifier

SCHEMES = ("doi", "arxiv", "isbn", "pmid", "url")


def text(words: str) -> Text:
    return Text(words, Place("f", 3, 7))


def values(scheme: str, words: str) -> list[str]:
    return [one.value for one in read(scheme, text(words)).identifiers]


def rules(scheme: str, words: str) -> list[tuple[str, str]]:
    return [(p.level.value, p.rule) for p in read(scheme, text(words)).problems]


WARNED = [("warning", "id.doi-form")]
REFUSED = [("error", "id.doi-form")]


@pytest.mark.parametrize(
    "words",
    [
        "10.5555/Demo.63",
        "10.5555/DEMO.63",
        "  10.5555/demo.63 ",
        "{10.5555/demo.63}",
    ],
)
def test_a_doi_that_is_written_plainly(words: str) -> None:
    assert values("doi", words) == ["10.5555/demo.63"]
    assert rules("doi", words) == []


@pytest.mark.parametrize(
    "words",
    [
        "https://doi.org/10.5555/demo.63",
        "http://dx.doi.org/10.5555/Demo.63",
        "https://www.doi.org/10.5555/demo.63",
        "doi.org/10.5555/demo.63",
        "https://doi.org.proxy.example.edu/10.5555/demo.63",
        "https://doi-org.proxy.example.edu/10.5555/demo.63".replace("doi-org", "x-doi.org"),
        "https://dl.acm.org/doi/10.5555/demo.63",
        "https://dl.acm.org/doi/full/10.5555/demo.63",
        "https://link.example.com/article/10.5555/demo.63?utm_source=x#sec1",
        "https://doi.org/10.5555%2Fdemo.63",
        "10.5555%2Fdemo.63",
        "doi:10.5555/demo.63",
        "DOI 10.5555/demo.63",
        "DOI: https://doi.org/10.5555/demo.63",
        "info:doi/10.5555/demo.63",
        "<10.5555/demo.63>",
        "<https://doi.org/10.5555/demo.63>",
        '"10.5555/demo.63"',
        "10.5555/demo.63.",
        "10.5555/demo.63,",
        "10.5555/demo.63)",
        "10.5555/ demo.63",
        "10.5555/demo.\u200b63",
        "10.5555/demo.63 (accessed 2020)",
        "10.5555/demo.63; PMID 12",
    ],
)
def test_a_doi_in_a_wrapping_is_found_and_told(words: str) -> None:
    reading = read("doi", text(words))
    assert [one.value for one in reading.identifiers] == ["10.5555/demo.63"]
    assert rules("doi", words) == WARNED
    assert reading.clean == "10.5555/demo.63"
    assert "`10.5555/demo.63`" in reading.problems[0].fix
    assert reading.problems[0].place == Place("f", 3, 7)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (r"10.5555/a\_b", "10.5555/a_b"),
        (r"10.5555/a{\_}b", "10.5555/a_b"),
        (r"10.5555/a$\_$b", "10.5555/a_b"),
        (r"10.5555/a\textunderscore b".replace(" ", "{}"), "10.5555/a_b"),
        (r"10.5555/(a){\textless}b{\textgreater}c", "10.5555/(a)<b>c"),
        (r"10.5555/50\%\&x\#1", "10.5555/50%&x#1"),
    ],
)
def test_escapes_of_latex_are_no_part_of_a_doi(words: str, wanted: str) -> None:
    assert values("doi", words) == [wanted]
    assert rules("doi", words) == [("warning", "id.doi-escape")]


@pytest.mark.parametrize(
    "words",
    [
        "10.5555/a,b.12",
        "10.5555/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o",
        "10.5555/978-1-2345-6789-7_13",
        "10.1000.10/123",
        "10.5555/a.b",
    ],
)
def test_marks_that_belong_to_a_doi_stay(words: str) -> None:
    assert values("doi", words) == [words]
    assert rules("doi", words) == []


@pytest.mark.parametrize(
    ("words", "clean"),
    [
        ("10.5555/demo.6310.5555/demo.63", "10.5555/demo.63"),
        ("https://doi.org/10.5555/demo.63https://doi.org/10.5555/demo.63", "10.5555/demo.63"),
        ("10.5555/demo.63, 10.5555/demo.64", None),
        ("l0.5555/demo.63", "10.5555/demo.63"),
        ("10.5/x", None),
        ("10.5555", None),
        ("10.5555/", None),
        ("2401.99001", None),
        ("https://www.example.org/articles/1", None),
        ("n/a", None),
    ],
)
def test_what_is_no_doi_or_more_than_one(words: str, clean: str | None) -> None:
    reading = read("doi", text(words))
    assert reading.identifiers == ()
    assert rules("doi", words) == REFUSED
    assert reading.clean == clean


@pytest.mark.parametrize("words", ["10/abc12", "https://doi.org/abc12", "doi:10/abc12"])
def test_a_short_doi_is_known_as_one(words: str) -> None:
    assert values("doi", words) == ["10/abc12"]
    assert rules("doi", words) == [("info", "id.doi-form")]


@pytest.mark.parametrize(
    ("words", "wanted", "version"),
    [
        ("2401.99007", "2401.99007", None),
        ("2401.99007v2", "2401.99007", 2),
        ("arXiv:2401.99007v12", "2401.99007", 12),
        ("arXiv: 2401.99007", "2401.99007", None),
        ("arXiv:2401.99007 [cs.LG]", "2401.99007", None),
        ("arXiv:2401.99007v2 [cs.LG] (2024)", "2401.99007", 2),
        ("arXiv preprint arXiv:2401.99007", "2401.99007", None),
        ("CoRR abs/2401.99007", "2401.99007", None),
        ("https://arxiv.org/abs/2401.99007v3", "2401.99007", 3),
        ("http://www.arxiv.org/pdf/2401.99007v1.pdf", "2401.99007", 1),
        ("https://arxiv.org/pdf/2401.99007", "2401.99007", None),
        ("https://arxiv.org/html/2401.99007v1#S2", "2401.99007", 1),
        ("https://export.arxiv.org/abs/2401.99007?x=1", "2401.99007", None),
        ("https://ar5iv.labs.arxiv.org/html/2401.99007", "2401.99007", None),
        ("10.48550/arXiv.2401.99007", "2401.99007", None),
        ("https://doi.org/10.48550/ARXIV.2401.99007", "2401.99007", None),
        ("0704.0001", "0704.0001", None),
        ("1412.9999", "1412.9999", None),
        ("1501.00001", "1501.00001", None),
        ("hep-th/9901001", "hep-th/9901001", None),
        ("HEP-TH/9901001v1", "hep-th/9901001", 1),
        ("math.GT/0309136", "math/0309136", None),
        ("cond-mat.mes-hall/0309136", "cond-mat/0309136", None),
        ("https://arxiv.org/abs/cs/0508053", "cs/0508053", None),
        ("hep-th/0703001", "hep-th/0703001", None),
    ],
)
def test_an_arxiv_number_in_any_wrapping(words: str, wanted: str, version: int | None) -> None:
    reading = read("arxiv", text(words))
    assert [(one.value, one.version) for one in reading.identifiers] == [(wanted, version)]
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("astro-ph9912010", "astro-ph/9912010"),
        ("hep-th:9901001", "hep-th/9901001"),
        ("hep-th/2401.99003", "2401.99003"),
        ("2401.99003.", "2401.99003"),
    ],
)
def test_an_arxiv_number_that_is_nearly_right(words: str, wanted: str) -> None:
    assert values("arxiv", words) == [wanted]
    assert rules("arxiv", words) == [("warning", "id.arxiv-form")]


@pytest.mark.parametrize(
    "words",
    [
        "2303.1",
        "2303.101",
        "2401.9900",
        "1412.00001",
        "2413.99001",
        "2400.99001",
        "0703.0001",
        "9901.0001",
        "0112019",
        "nowhere/9901001",
        "hep-th/9913001",
        "hep-th/0704001",
        "hep-th/9001001",
        "240199003",
        "2401.99003v0",
        "arXiv:2401.99003, arXiv:2401.99004",
        "10.5555/demo.63",
        "https://example.org/2401.99003",
        "",
    ],
)
def test_what_is_no_arxiv_number(words: str) -> None:
    assert values("arxiv", words) == []
    assert rules("arxiv", words) == [("error", "id.arxiv-form")]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("9780123456700", ["9780123456700"]),
        ("978-0-12-345670-0", ["9780123456700"]),
        ("978–0–12–345670–0", ["9780123456700"]),
        ("ISBN 978 0 12 345670 0", ["9780123456700"]),
        ("ISBN-13: 978-0-12-345670-0 (hardback)", ["9780123456700"]),
        ("ISBN-10 0-12-345670-3", ["9780123456700"]),
        ("012345672X", ["9780123456724"]),
        ("1-55404-295-x", ["9781554042951"]),
        ("979-1-234-56789-6", ["9791234567896"]),
        ("9780123456700 (print); 9781554042951 (online)", ["9780123456700", "9781554042951"]),
        ("9780123456700 9781554042951", ["9780123456700", "9781554042951"]),
        (r"9780123456700\r9781554042951", ["9780123456700", "9781554042951"]),
    ],
)
def test_an_isbn_in_any_wrapping(words: str, wanted: list[str]) -> None:
    assert values("isbn", words) == wanted
    assert rules("isbn", words) == []


@pytest.mark.parametrize(
    ("words", "level", "part"),
    [
        ("9780123456701", "error", "should be 0"),
        ("0123456704", "error", "should be 3"),
        ("978-1-60558-012-X", "error", "X"),
        ("01234X5670", "error", "not 10 or 13"),
        ("978012345670", "error", "12 digits"),
        ("4006381333931", "error", "978 or 979"),
        ("9790000000001", "error", "ISMN"),
        ("0092-8674", "warning", "is an ISSN"),
        ("10.5555/demo.63", "warning", "is a DOI"),
        ("unknown", "warning", "is not an ISBN"),
    ],
)
def test_what_is_no_isbn(words: str, level: str, part: str) -> None:
    assert values("isbn", words) == []
    assert set(rules("isbn", words)) == {(level, "id.isbn")}
    assert part in read("isbn", text(words)).problems[0].what


@given(st.integers(min_value=0, max_value=10**9 - 1))
def test_ten_digits_and_thirteen_are_one_book(number: int) -> None:
    long = isbn13(f"{number:09d}0")
    short = isbn10(long)
    assert short is not None
    assert values("isbn", short) == values("isbn", long) == [long]
    wrong = long[:-1] + str((int(long[-1]) + 1) % 10)
    assert values("isbn", wrong) == []
    assert isbn10(f"979{number:09d}0") is None


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("0092-8674", None),
        ("00928674", None),
        ("0028-0836, 1476-4687", None),
        ("2434-561x", None),
        ("0092-8675", "id.issn"),
        ("abc", "id.issn"),
    ],
)
def test_issn(words: str, rule: str | None) -> None:
    found = issn_problem(text(words))
    assert (found.rule if found else None) == rule


@pytest.mark.parametrize(
    "words",
    [
        "12345",
        "PMID: 12345",
        "PMID12345",
        "https://pubmed.ncbi.nlm.nih.gov/12345/",
        "http://www.ncbi.nlm.nih.gov/pubmed/12345",
    ],
)
def test_a_pubmed_number_in_any_wrapping(words: str) -> None:
    assert values("pmid", words) == ["12345"]
    assert rules("pmid", words) == []


def test_what_is_no_pubmed_number() -> None:
    assert rules("pmid", "PMC12345") == [("error", "id.pmid")]
    assert rules("pmid", "123456789") == [("error", "id.pmid")]
    assert rules("pmid", "000") == [("error", "id.pmid")]
    assert (values("pmid", "0012"), rules("pmid", "0012")) == (["12"], [("warning", "id.pmid")])


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("https://Example.ORG/Path", "https://example.org/Path"),
        ("HTTP://example.org:80", "http://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("https://example.org/a/./b/../c", "https://example.org/a/c"),
        ("https://example.org/%7euser/%c3%a9", "https://example.org/~user/%C3%A9"),
        ("https://example.org/p#part-2", "https://example.org/p"),
        ("https://example.org/p#:~:text=words", "https://example.org/p"),
        ("https://example.org/#!/inbox", "https://example.org/#!/inbox"),
        ("https://example.org/?", "https://example.org/"),
        ("https://example.org/?b=2&a=1", "https://example.org/?b=2&a=1"),
        (
            "https://example.org/?utc_campaign=1&ref=main",
            "https://example.org/?utc_campaign=1&ref=main",
        ),
        ("<https://example.org/p>", "https://example.org/p"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ],
)
def test_the_normal_form_of_an_address(words: str, wanted: str) -> None:
    assert values("url", words) == [wanted]
    assert rules("url", words) == []
    assert values("url", wanted) == [wanted]


@pytest.mark.parametrize(
    "name", ["utm_source", "UTM_Medium", "fbclid", "gclid", "mc_cid", "mc_eid", "ref_src", "_hsenc"]
)
def test_tracking_is_told_and_dropped(name: str) -> None:
    words = f"https://example.org/p?a=1&{name}=x&b=2#part"
    assert values("url", words) == ["https://example.org/p?a=1&b=2"]
    assert rules("url", words) == [("warning", "url.tracking")]
    assert without_tracking(words) == "https://example.org/p?a=1&b=2#part"
    assert name in read("url", text(words)).problems[0].what


@pytest.mark.parametrize(
    "words",
    ["nowhere", "not kept", "mailto:a@b.org", "https://", "https://a b.org/", "http://[::1/x"],
)
def test_what_is_no_address(words: str) -> None:
    assert values("url", words) == []
    assert rules("url", words) == [("error", "url.form")]
    assert not is_address(words)


def test_an_address_without_its_scheme() -> None:
    assert values("url", "www.example.org/p") == ["https://www.example.org/p"]
    assert rules("url", "www.example.org/p") == [("warning", "url.form")]


@pytest.mark.parametrize(
    ("words", "scheme", "value"),
    [
        ("https://doi.org/10.5555/Demo.63", "doi", "10.5555/demo.63"),
        ("https://dl.acm.org/doi/abs/10.5555/demo.63", "doi", "10.5555/demo.63"),
        ("https://arxiv.org/abs/2401.99007v2", "arxiv", "2401.99007"),
        ("https://pubmed.ncbi.nlm.nih.gov/12345/", "pmid", "12345"),
        ("https://example.org/10.5555/x", "url", "https://example.org/10.5555/x"),
        ("https://arxiv.org/list/cs.LG/recent", "url", "https://arxiv.org/list/cs.LG/recent"),
        (
            "https://web.archive.org/web/2020/https://doi.org/10.5555/x",
            "url",
            "https://web.archive.org/web/2020/https://doi.org/10.5555/x",
        ),
    ],
)
def test_what_an_address_leads_to(words: str, scheme: str, value: str) -> None:
    (found,) = of_address(text(words)).identifiers
    assert (found.scheme, found.value, found.written) == (scheme, value, words)


def one(scheme: str, words: str) -> Identifier:
    found = identify(scheme, text(words))
    assert isinstance(found, Identifier)
    return found


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        (("doi", "10.5555/AbC.9"), ("doi", "https://doi.org/10.5555/abc.9."), True),
        (("doi", r"10.5555/a\_13"), ("doi", "10.5555/a_13"), True),
        (("doi", "10.5555/a_13"), ("doi", "10.5555/a_2"), False),
        (("doi", "10.48550/arXiv.2401.99007"), ("arxiv", "2401.99007v3"), True),
        (("doi", "10.48550/arXiv.hep-th/9901001"), ("arxiv", "hep-th/9901001"), True),
        (("doi", "10.48550/arXiv.2401.99007"), ("arxiv", "2401.99008"), False),
        (("arxiv", "math.GT/0309136"), ("arxiv", "math/0309136v2"), True),
        (("isbn", "0-12-345670-3"), ("isbn", "978-0-12-345670-0"), True),
        (("url", "http://example.org/a/"), ("url", "https://example.org/a?utm_source=x"), True),
        (("url", "https://example.org/a"), ("url", "https://example.org/A"), False),
        (("url", "https://example.org/a?id=1"), ("url", "https://example.org/a?id=2"), False),
        (("pmid", "12345"), ("pmid", "PMID 12345"), True),
        (("pmid", "12345"), ("isbn", "0-12-345670-3"), False),
    ],
)
def test_which_identifiers_are_the_same(
    a: tuple[str, str], b: tuple[str, str], wanted: bool
) -> None:
    assert same(one(*a), one(*b)) is wanted
    assert (canonical(one(*a)) == canonical(one(*b))) is wanted


def test_identify_says_why_there_is_none() -> None:
    found = identify("doi", text("10.5555/a10.5555/a"))
    assert found == BadIdentifier(
        reason='"10.5555/a10.5555/a" is one DOI pasted twice.',
        clean="10.5555/a",
        rule="id.doi-form",
    )


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("10.5555/demo.63", ["doi:10.5555/demo.63"]),
        ("doi:10.5555/demo.63", ["doi:10.5555/demo.63"]),
        ("https://doi.org/10.5555/demo.63", ["doi:10.5555/demo.63"]),
        ("2401.99007", ["arxiv:2401.99007"]),
        ("hep-th/9901001", ["arxiv:hep-th/9901001"]),
        ("978-0-12-345670-0", ["isbn:9780123456700"]),
        ("ISBN 0-12-345670-3", ["isbn:9780123456700"]),
        ("PMID: 12345", ["pmid:12345"]),
        ("https://example.org/p", ["url:example.org/p"]),
        (
            "See (https://doi.org/10.5555/demo.63), arXiv:2401.99007v2; also PMID 12345.",
            ["doi:10.5555/demo.63", "arxiv:2401.99007", "pmid:12345"],
        ),
        ("In 2401.99007 people there were 10.5 of them in 1999.", []),
        ("", []),
    ],
)
def test_identifiers_in_running_text(words: str, wanted: list[str]) -> None:
    assert [canonical(found) for found in find_identifiers(words)] == wanted


PIECES = st.sampled_from(
    re.split(
        "\n",
        "10.5555/\ndemo\n.63\ndoi:\nhttps://doi.org/\narXiv:\n2401.\n99007\nv2\n/\n \n978\n-\n"
        "0123456700\nX\n\\_\n{\n}\n%2F\n<\n>\n?\n#\né\n\u200b\n&lt;",
    )
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join), st.sampled_from(SCHEMES))
def test_any_text_is_read_or_refused_with_a_reason(words: str, scheme: str) -> None:
    reading = read(scheme, text(words))
    assert reading.identifiers or reading.problems
    find_identifiers(words)
    for found in reading.identifiers:
        again = read(scheme, text(found.value))
        assert [one.value for one in again.identifiers] == [found.value]
        assert canonical(again.identifiers[0]) == canonical(found)
