"""Markdown sections, BibTeX keys, the kinds of lone files, and cells of the claim table."""

from __future__ import annotations

import pytest

from researchpack.formats.bibtex import read_bib
from researchpack.formats.claims import read_claims, unquote
from researchpack.formats.kinds import kind_of
from researchpack.formats.markdown import read_sections
from researchpack.formats.review import read_review
from researchpack.formats.vocabulary import DEFAULT, read_vocabulary
from researchpack.records import Claim, Quote

# --- markdown


def test_sections_are_cut_at_headings_of_the_second_level() -> None:
    text = "# Title\n\nlead\n\n## One\n\nbody *x*\n\n### Sub\n\nmore\n\n##  Two ##\n\nend\n"
    parsed = read_sections(text, "f")
    assert parsed.problems == ()
    assert [(s.title, s.body) for s in parsed.value] == [
        ("One", "body *x*\n\n### Sub\n\nmore"),
        ("Two", "end"),
    ]
    assert [(s.title.place.line, s.title.place.column) for s in parsed.value] == [(5, 4), (13, 5)]
    assert [s.body.place.line for s in parsed.value] == [7, 15]


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_heading_inside_a_fence_is_none(fence: str) -> None:
    text = f"## One\n\n{fence} sh\n## not one\n``\n{fence}\n\n## Two\n"
    assert [s.title for s in read_sections(text, "f").value] == ["One", "Two"]


def test_a_fence_is_closed_by_one_that_is_as_long_and_bare() -> None:
    text = "## One\n````\n```\n## no\n```` x\n## no\n`````\n## Two\n"
    assert [s.title for s in read_sections(text, "f").value] == ["One", "Two"]


def test_a_section_that_stands_twice_is_told_and_both_are_kept() -> None:
    parsed = read_sections("## A\nx\n## A\ny\n", "f")
    assert [(p.rule, p.place.line) for p in parsed.problems] == [("text.duplicate-section", 3)]
    assert [s.body for s in parsed.value] == ["x", "y"]


@pytest.mark.parametrize("text", ["", "no heading\n", "##no space\n", "### third\n", " \n"])
def test_a_file_without_sections_has_none(text: str) -> None:
    assert read_sections(text, "f").value == ()


# --- bibtex


def keys(text: str) -> list[str]:
    return [str(entry.key) for entry in read_bib(text, "f").value]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@article{a, title={x}}", ["a"]),
        ("@article(a, title={x})\n@book{b,}", ["a", "b"]),
        ("@ Article { a ,}", ["a"]),
        ("@a{x:y/z-1.2+3,}", ["x:y/z-1.2+3"]),
        ("@a{a, title={b {@c{d,} e}}}\n@a{f,}", ["a", "f"]),
        ("text @ x.org\n@a{a,}", ["a"]),
        ("@a(a, title={(x)}, note={)})\n@a{b,}", ["a", "b"]),
        ("", []),
    ],
)
def test_the_keys_of_a_bibliography(text: str, wanted: list[str]) -> None:
    parsed = read_bib(text, "f")
    assert keys(text) == wanted
    assert parsed.problems == ()


def test_a_key_knows_where_it_stands_and_what_its_entry_is() -> None:
    (entry,) = read_bib("% c\n@InProceedings{ smith,}", "f").value
    assert (entry.key.place.line, entry.key.place.column) == (2, 17)
    assert entry.type == "inproceedings"


def test_a_second_entry_with_one_key_is_told_and_the_first_counts() -> None:
    parsed = read_bib("@a{Smith,}\n@b{smith,}\n@c{other,}", "f")
    assert [(p.rule, p.place.line, p.related[0].line) for p in parsed.problems] == [
        ("bib.duplicate-key", 2, 1)
    ]
    assert [(str(e.key), e.type) for e in parsed.value] == [("Smith", "a"), ("other", "c")]


@pytest.mark.parametrize("text", ["@a{}\n", "@a{,}\n", "@a{ title = {x}}\n"])
def test_an_entry_without_a_key_does_not_hide_the_next(text: str) -> None:
    parsed = read_bib(f"{text}@a{{b,}}", "f")
    assert [p.rule for p in parsed.problems] == ["bib.syntax"]
    assert [str(e.key) for e in parsed.value] == ["b"]


# --- kinds


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.bib", "", "bib"),
        ("A.BIB", "", "bib"),
        ("x.md", "| ID | Claim |\n", "claims"),
        ("x.md", "## Read\n", "sections"),
        ("x.yaml", "- id: S1\n  title: x\n", "sources"),
        ("x.yaml", "sources:\n  - id: S1\n", "sources"),
        ("x.yaml", "- id: P1\n  edits: []\n", "proposals"),
        ("x.yaml", "- {target: P1, decision: accept}\n", "review"),
        ("x.yaml", "- id: X1\n  method: x\n", "experiments"),
        ("x.yaml", "chapter: {}\n", "pack"),
        ("x.yaml", "contact: x\n", "settings"),
        ("x.yaml", "title: x\n", "book"),
        ("x.yaml", "", "sources"),
        ("x.yaml", "- id: S1\n  title: a: b\n- id: X1\n  method: x\n", "experiments"),
    ],
)
def test_a_lone_file_is_told_by_its_content(name: str, text: str, wanted: str) -> None:
    assert kind_of(name, text) == wanted


# --- claims


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        ('"a"', "a"),
        ("“a”", "a"),
        ("„a“", "a"),
        ("«a»", "a"),
        ("« a »", "a"),
        ("‘a’", "a"),
        ("'a'", "a"),
        ('"a "b" c"', 'a "b" c'),
        ('"*a* <b> _c_"', "*a* <b> _c_"),
        ("`a`", "a"),
        ("`` a`b ``", "a`b"),
        ("`` `a` ``", "`a`"),
        ("` a `", " a "),
        ('"a', None),
        ('a"', None),
        ('""', None),
        ("“a” and b", None),
        ("", None),
    ],
)
def test_a_cell_between_one_pair_of_marks_is_a_passage(cell: str, wanted: str | None) -> None:
    assert unquote(cell) == wanted


def claims(rows: str, header: str = "ID | Claim | Where | Kind | Conflicts with") -> list[Claim]:
    dashes = "|".join("---" for _ in header.split("|"))
    return list(read_claims(f"| {header} |\n|{dashes}|\n{rows}", "f").value.claims)


def test_values_of_a_cell_are_parted_by_semicolons_each_with_its_place() -> None:
    (claim,) = claims("| C1 | x | y | number;  own method ; | |\n")
    assert [str(kind) for kind in claim.kinds] == ["number", "own method"]
    assert [kind.place.column for kind in claim.kinds] == [16, 25]


def test_conflicts_are_passages_and_ids() -> None:
    (claim,) = claims('| C1 | x | y | | "a; b"; [C70]; “c”; [C8] |\n')
    told = [str(e.text) if isinstance(e, Quote) else f"id {e}" for e in claim.conflicts]
    assert told == ["a; b", "id C70", "c", "id C8"]


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        ("One", ("One", None, None)),
        ("One (2 of 3)", ("One", 2, 3)),
        ("One (2 places)", ("One", None, 2)),
        ("One (two)", ("One (two)", None, None)),
        ("One (2 of 3) more", ("One (2 of 3) more", None, None)),
        ("(2 of 3)", ("", 2, 3)),
    ],
)
def test_where_is_a_heading_and_which_of_its_places(
    cell: str, wanted: tuple[str, int | None, int | None]
) -> None:
    (claim,) = claims(f"| C1 | x | {cell} | | |\n")
    assert (str(claim.where.heading), claim.where.which, claim.where.of) == wanted


def test_an_id_in_marks_is_the_id() -> None:
    rows = "".join(
        f"| {cell} | x | y | | |\n" for cell in ("C1", "**C2**", "[C3]", "`C4`", "no id")
    )
    assert [str(claim.id) for claim in claims(rows)] == ["C1", "C2", "C3", "C4", "no id"]


def test_what_is_quoted_is_nobodys_own_words() -> None:
    text = '| ID | Claim | Where |\n|---|---|---|\n| C1 | "a \\| b" | y |\n'
    parsed = read_claims(text, "f")
    assert [text[start:end] for start, end in parsed.quoted] == ['"a \\| b"']
    assert parsed.value.claims[0].quote is not None
    assert parsed.value.claims[0].quote.text == "a | b"


# --- others


def test_a_projects_own_words_are_added_to_the_known_ones() -> None:
    parsed = read_vocabulary("source_type:\n  pamphlet:\n  book: bound book\n", "f")
    found = parsed.value
    assert parsed.problems == ()
    assert found.label("source_type", "pamphlet") == "pamphlet"
    assert found.label("source_type", "book") == "bound book"
    assert set(found.known("source_type")) == {*DEFAULT.known("source_type"), "pamphlet"}
    assert found.known("priority") == DEFAULT.known("priority")
    assert found.label("priority", "urgent") == "urgent"
    assert found.known("no such list") == ()


def test_decisions_are_kept_in_order_the_earlier_ones_too() -> None:
    text = "".join(
        f"- {{target: P1, decision: {d}, by: x, date: 2026-11-20}}\n" for d in ("defer", "accept")
    )
    assert [str(d.decision) for d in read_review(text, "f").value] == ["defer", "accept"]
