"""Sources and entries in one shape: what identifies them, what they say, and what is odd."""

from __future__ import annotations

import pytest

from researchpack.citekeys import cited_keys, forbidden, needs_braces
from researchpack.formats._bibdates import month_number
from researchpack.formats.bibtex import read_bib
from researchpack.formats.sources import read_sources
from researchpack.formats.works import works_of
from researchpack.identifiers import canonical
from researchpack.records import Work


def of_bib(text: str) -> tuple[Work, ...]:
    return works_of((), read_bib(text, "f.bib").value)


def entry(fields: str, kind: str = "misc") -> Work:
    (work,) = of_bib(f"@{kind}{{k, {fields}}}")
    return work


def ids(work: Work) -> list[str]:
    return [canonical(one) for one in work.identifiers]


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ("doi = {10.5555/A}", ["doi:10.5555/a"]),
        ("eprint = {2401.99001v2}, archiveprefix = {arXiv}", ["arxiv:2401.99001"]),
        ("eprint = {2401.99001}, eprinttype = {arxiv}", ["arxiv:2401.99001"]),
        ("eprint = {2401.99001}", ["arxiv:2401.99001"]),
        ("eprint = {9901001}, archiveprefix = {hep-th}", ["arxiv:hep-th/9901001"]),
        ("eprint = {12345}, eprinttype = {pubmed}", ["pmid:12345"]),
        ("eprint = {123.jstor}, eprinttype = {jstor}", []),
        ("eprint = {https://example.org/x.pdf}", []),
        ("arxivId = {2401.99001}", ["arxiv:2401.99001"]),
        ("journal = {arXiv preprint arXiv:2401.99001}", ["arxiv:2401.99001"]),
        ("journal = {CoRR}, volume = {abs/2401.99001}", ["arxiv:2401.99001"]),
        ("isbn = {0-12-345670-3}", ["isbn:9780123456700"]),
        ("pmid = {12345}", ["pmid:12345"]),
        ("url = {https://arxiv.org/abs/2401.99001}", ["arxiv:2401.99001"]),
        ("url = {https://doi.org/10.5555/a}", ["doi:10.5555/a"]),
        ("url = {\\url{https://example.org/a}}", ["url:example.org/a"]),
        ("howpublished = {\\url{https://example.org/a%20b}}", ["url:example.org/a%20b"]),
        ("howpublished = {Blog, https://example.org/a}", ["url:example.org/a"]),
        (
            "url = {https://example.org/a}, doi = {10.5555/a}, isbn = {9780123456700}",
            ["doi:10.5555/a", "isbn:9780123456700", "url:example.org/a"],
        ),
        ("abstract = {arXiv:2401.99001}, note = {doi:10.5555/a}, keywords = {PMID 1}", []),
        ("title = {10.5555/a}, file = {10.5555/a.pdf}, annote = {ISBN 0-12-345670-3}", []),
    ],
)
def test_what_identifies_an_entry(fields: str, wanted: list[str]) -> None:
    assert ids(entry(fields)) == wanted


@pytest.mark.parametrize("kind", ["incollection", "inproceedings", "inbook", "article"])
def test_the_isbn_of_a_volume_identifies_no_part(kind: str) -> None:
    assert ids(entry("isbn = {9780123456700}", kind)) == []
    assert ids(entry("isbn = {9780123456700}", "book")) == ["isbn:9780123456700"]


@pytest.mark.parametrize(
    ("kind", "fields", "wanted"),
    [
        ("article", "journal = {J}", "article"),
        ("article", "journal = {arXiv preprint arXiv:2401.99001}", "preprint"),
        ("misc", "eprint = {2401.99001}, archiveprefix = {arXiv}", "preprint"),
        ("misc", "url = {https://example.org/a}", "web page"),
        ("misc", "note = {N}", None),
        ("inproceedings", "", "proceedings"),
        ("incollection", "", "chapter"),
        ("phdthesis", "", "thesis"),
        ("online", "", "web page"),
        ("foo", "", None),
    ],
)
def test_types_become_words_of_the_ledger(kind: str, fields: str, wanted: str | None) -> None:
    assert entry(f"title = {{T}}, {fields}", kind).type == wanted


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ("year = 2020", "2020"),
        ("year = {2020}, month = jul", "2020-07"),
        ("year = {2020}, month = {July}, day = 4", "2020-07-04"),
        ("year = {(2020)}", "2020"),
        ("year = 2020, month = {Summer}", "2020"),
        ("date = {2020-07-04}, year = 1999", "2020-07-04"),
        ("date = {2020/2021}", "2020"),
        ("date = {2020-07-04T10:00:00}", "2020-07-04"),
        ("year = {in press}", "in press"),
        ("title = {T}", None),
    ],
)
def test_dates(fields: str, wanted: str | None) -> None:
    assert entry(fields).issued == wanted


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("jan", 1), ("feb", 2), ("february", 2), ("Sept.", 9), ("12", 12), ("07", 7), ("0", None),
        ("13", None), ("Summer", 0), ("May--June", 5), ("4 July", 7), ("7~4", 7), ("juillet", 7),
        ("nonsense", None),
    ],
)  # fmt: skip
def test_months(written: str, wanted: int | None) -> None:
    assert month_number(written) == wanted


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ("urldate = {2019-02-19}", "2019-02-19"),
        ("note = {Online; accessed 19-February-2019}", "2019-02-19"),
        ("note = {Last accessed: 2019-02-19}", "2019-02-19"),
        ("howpublished = {\\url{https://e.org}, accessed February 19, 2019}", "2019-02-19"),
        ("urldate = {2020-01-01}, note = {accessed 2019-02-19}", "2020-01-01"),
        ("note = {Accessed by few}", None),
    ],
)
def test_the_day_of_access(fields: str, wanted: str | None) -> None:
    work = entry(fields)
    assert work.accessed == wanted
    told = [problem.rule for problem in work.problems if problem.rule == "bib.verbatim-field"]
    assert told == (["bib.verbatim-field"] if wanted and "urldate" not in fields else [])


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("Ana Silva and Chen, Bo", ["Ana Silva", "Chen, Bo"]),
        ("{Demo and Sons} and others", ["{Demo and Sons}", "others"]),
        ("Maria {de la Cruz}", ["de la Cruz, Maria"]),
        ("Heged{\\H u}s, Anna", ["Hegedűs, Anna"]),
        ("{\\O}rjan Naim", ["Ørjan Naim"]),
    ],
)
def test_names_of_an_entry(raw: str, wanted: list[str]) -> None:
    assert [str(author) for author in entry(f"author = {{{raw}}}").authors] == wanted


LEDGER = """- id: S1
  title: Own Title
  issued: 2011
  doi: 10.5555/Own
  bib: Entry1
- id: S2
  title: Alone
  type: chapter
  isbn: 978-0-12-345670-0
  url: https://example.org/a
  also: ["https://example.org/b?utm_source=x"]
  issn: 0092-8675
"""
BIB = """@article{entry1, title = {T}, author = {X, Y}, year = 2010, doi = {10.5555/other},
  url = {https://example.org/e}, journal = {J}, volume = 3}
@misc{entry2, title = {U}}
@xdata{lent, publisher = {P}}
"""


def both() -> tuple[Work, ...]:
    return works_of(read_sources(LEDGER, "l").value, read_bib(BIB, "f.bib").value)


def test_a_source_wins_over_its_entry_which_fills_the_gaps() -> None:
    one = both()[0]
    assert (one.id, one.title, one.issued, one.container) == ("S1", "Own Title", "2011", "J")
    assert (one.volume, one.authors, one.entry) == ("3", ("X, Y",), "entry1")
    assert ids(one) == ["doi:10.5555/own", "url:example.org/e"]


def test_entries_without_a_source_follow_and_those_that_only_lend_do_not() -> None:
    assert [str(work.id) for work in both()] == ["S1", "S2", "entry2"]


def test_identifiers_of_a_ledger_are_read_and_told() -> None:
    two = both()[1]
    assert ids(two) == ["url:example.org/a"]
    assert [problem.rule for problem in two.problems] == ["url.tracking", "id.issn"]


def test_a_problem_of_an_inherited_field_is_told_where_it_stands_only() -> None:
    text = (
        "@inbook{a, title = {A}, crossref = {b}}\n@book{b, title = {B}, issn = {1}, month = {13}}"
    )
    told = [[problem.rule for problem in work.problems] for work in of_bib(text)]
    assert told == [[], ["id.issn", "bib.month"]]


# --- citation keys


def test_keys_in_brackets_and_known_keys_outside() -> None:
    text = "See [@a.b; -@c:d+1, p. 3], @known says, @app.route, x@known and [@{e--f}]. [text](@no)"
    assert [key for key, _ in cited_keys(text)] == ["a.b", "c:d+1", "e--f"]
    found = dict(cited_keys(text, ["known"]))
    assert list(found) == ["a.b", "c:d+1", "known", "e--f"]
    assert text[found["known"] :].startswith("@known says")


@pytest.mark.parametrize("char", list(" ,{}#%~\\\"'="))
def test_a_key_with_a_forbidden_character(char: str) -> None:
    assert forbidden(f"a{char}b") == char


@pytest.mark.parametrize("key", ["Jay.2023", "ref:Kay+2020", "Öz2022411", "a_b-c/d", "x1"])
def test_a_key_that_can_be_cited(key: str) -> None:
    assert forbidden(key) is None
    assert needs_braces(key) is None


@pytest.mark.parametrize(("key", "marks"), [("a--b", "--"), ("a.:b", ".:"), ("ab.", ".")])
def test_a_key_at_which_pandoc_stops(key: str, marks: str) -> None:
    assert needs_braces(key) == marks
