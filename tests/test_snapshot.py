"""A chapter and its layout: blocks, sections, references, and layout lines that are not there."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.formats.snapshot import read_snapshot
from researchpack.places import Place, Text
from researchpack.problems import Problem
from researchpack.prose import fingerprint
from researchpack.records import BlockKind, Layout, Snapshot, Verbatim

HEADING, PARAGRAPH, ITEM, CODE = (
    BlockKind.HEADING,
    BlockKind.PARAGRAPH,
    BlockKind.ITEM,
    BlockKind.CODE,
)


def layout(headings: list[str], verbatim: list[tuple[str, str, str]]) -> Layout:
    return Layout(
        headings=tuple(
            Text(words, Place("pack.yaml", n, 7)) for n, words in enumerate(headings, 1)
        ),
        verbatim=tuple(
            Verbatim(
                first=Text(first, Place("pack.yaml", 20 + n, 1)),
                last=Text(last, Place("pack.yaml", 20 + n, 2)),
                kind=Text(kind, Place("pack.yaml", 20 + n, 3)),
            )
            for n, (first, last, kind) in enumerate(verbatim)
        ),
    )


def read(
    text: str, headings: list[str] | None = None, verbatim: list[tuple[str, str, str]] | None = None
) -> tuple[Snapshot, tuple[Problem, ...]]:
    parsed = read_snapshot(text.encode(), "c.txt", layout(headings or [], verbatim or []))
    assert parsed.value is not None
    return parsed.value, parsed.problems


def blocks(snapshot: Snapshot) -> list[tuple[BlockKind, str]]:
    return [(b.kind, snapshot.text[b.start : b.end]) for b in snapshot.blocks]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_chapter_is_cut_into_headings_paragraphs_items_and_code(end: str) -> None:
    text = end.join(
        ["A", "one", "two", "", "• x", "- y", "12) z", "", "def f():", "", "    pass", "after", "B"]
    )
    found, problems = read(text + end, ["A", "B"], [("def f():", "    pass", "code")])
    assert problems == ()
    assert blocks(found) == [
        (HEADING, "A"),
        (PARAGRAPH, f"one{end}two"),
        (ITEM, "• x"),
        (ITEM, "- y"),
        (ITEM, "12) z"),
        (CODE, f"def f():{end}{end}    pass"),
        (PARAGRAPH, "after"),
        (HEADING, "B"),
    ]
    assert [b.section for b in found.blocks] == ["A"] * 7 + ["B"]


def test_what_stands_before_the_first_heading_has_no_section() -> None:
    found, _ = read("lead\n\nA\ntext\n", ["A"])
    assert [b.section for b in found.blocks] == ["", "A", "A"]


def test_a_heading_that_stands_twice_is_two_headings_in_order() -> None:
    found, problems = read("A\nx\nA\ny\n", ["A", "A"])
    assert problems == ()
    assert [b.kind for b in found.blocks] == [HEADING, PARAGRAPH, HEADING, PARAGRAPH]


def test_a_line_that_only_looks_like_a_heading_is_none() -> None:
    found, _ = read("A\n# B\nx\n", ["A"])
    assert blocks(found)[1] == (PARAGRAPH, "# B\nx")


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("code", BlockKind.CODE),
        ("diagram", BlockKind.DIAGRAM),
        ("table", BlockKind.TABLE),
        ("poem", BlockKind.CODE),  # the vocabulary tells that there is no such kind
    ],
)
def test_a_verbatim_block_has_the_kind_that_was_written(kind: str, wanted: BlockKind) -> None:
    found, _ = read("x\ny\n", verbatim=[("x", "y", kind)])
    assert [b.kind for b in found.blocks] == [wanted]


def test_a_verbatim_block_of_one_line() -> None:
    found, problems = read("x\n\ny\n", verbatim=[("x", "x", "code")])
    assert problems == ()
    assert blocks(found) == [(CODE, "x"), (PARAGRAPH, "y")]


def test_layout_lines_that_are_not_there_are_told_where_the_layout_says_them() -> None:
    _, problems = read(
        "One\n\ntwo\n\nthree\n",
        ["One", "Ome", "three", "two"],
        [("two", "four", "code"), ("zero", "three", "code")],
    )
    assert [(p.rule, p.place.line, p.place.column) for p in problems] == [
        ("pack.layout-line", 2, 7),
        ("pack.layout-line", 4, 7),
        ("pack.layout-line", 20, 2),
        ("pack.layout-line", 21, 1),
    ]
    assert 'Did you mean "One"?' in problems[0].fix
    assert "behind the ones before" in problems[1].what


def test_a_heading_that_is_not_there_does_not_hide_the_next() -> None:
    found, problems = read("A\nx\nB\n", ["A", "no such line", "B"])
    assert len(problems) == 1
    assert [b.kind for b in found.blocks] == [HEADING, PARAGRAPH, HEADING]


@pytest.mark.parametrize("title", ["References", "references", "# Bibliography", "Works cited"])
def test_the_entries_of_a_list_of_references_are_counted(title: str) -> None:
    text = f"A\nx\n\n{title}\n• one\n• two,\n  continued\n\nthree\n\nEnd\ny\n"
    found, _ = read(text, ["A", title, "End"])
    assert found.references == 3
    assert read(text, ["A", "End"])[0].references == 0


def test_the_bytes_are_kept_and_hashed() -> None:
    data = "A\r\n“x”\r\n".encode()
    found = read_snapshot(data, "c.txt", Layout()).value
    assert found is not None
    assert found.data == data
    assert found.text == "A\r\n“x”\r\n"
    assert found.sha256 == hashlib.sha256(data).hexdigest()
    assert found.fingerprint == fingerprint(found.text)


def test_bytes_that_are_no_text_are_told_with_their_line() -> None:
    parsed = read_snapshot(b"a\nb\xff\n", "c.txt", Layout())
    assert parsed.value is None
    assert [(p.rule, p.place.line) for p in parsed.problems] == [("snapshot.encoding", 2)]


LINE = st.sampled_from(
    [
        "",
        " ",
        "A",
        "B",
        "• item",
        "1. item",
        "text",
        "  indented",
        "\tx",
        "-",
        "C",
        "\u2003",
        "é\x0b",
    ]
)


@st.composite
def chapters(draw: st.DrawFn) -> tuple[str, Layout]:
    lines = draw(st.lists(LINE, max_size=14))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    visible = st.sampled_from([line for line in lines if line.strip()] or ["A"])
    some = st.lists(visible, max_size=4)
    pairs = st.lists(st.tuples(visible, visible), max_size=3)
    verbatim = [(first, last, "code") for first, last in draw(pairs)]
    text = end.join(lines) + draw(st.sampled_from(["", end]))
    return text, layout(draw(some), verbatim)


@given(chapters())
def test_every_visible_character_is_in_exactly_one_block(case: tuple[str, Layout]) -> None:
    text, wanted = case
    found = read_snapshot(text.encode(), "c.txt", wanted).value
    assert found is not None
    at = 0
    for block in found.blocks:
        assert at <= block.start < block.end <= len(text)
        assert not text[at : block.start].strip()
        at = block.end
    assert not text[at:].strip()


@given(chapters())
def test_every_block_stands_under_a_heading_of_the_layout_or_none(
    case: tuple[str, Layout],
) -> None:
    text, wanted = case
    found = read_snapshot(text.encode(), "c.txt", wanted).value
    assert found is not None
    headings = {heading.strip() for heading in wanted.headings}
    section = ""
    for block in found.blocks:
        if block.kind is HEADING:
            section = text[block.start : block.end].strip()
            assert section in headings
        assert block.section == section
