"""The table reader: places, oddities, and that nothing gets lost."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.tables import Reading, Table, read_tables


def only(text: str) -> Table:
    (table,) = read_tables(text).tables
    return table


def rows(text: str) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for table in read(text) for row in table.rows]


def read(text: str) -> tuple[Table, ...]:
    return read_tables(text).tables


def codes(text: str) -> list[str]:
    return [oddity.code for oddity in read_tables(text).oddities]


HEAD = "| A | B | C |\n|---|---|---|\n"


# --- places


def test_a_cell_knows_where_its_first_character_stands() -> None:
    table = only("text\n\n| A | B |\n|---|---|\n|   x | `y\\|z` |\n")
    assert [(c.line, c.column) for c in table.header] == [(3, 3), (3, 7)]
    (row,) = table.rows
    assert [(c.text, c.line, c.column) for c in row.cells] == [("x", 5, 5), ("`y|z`", 5, 9)]
    assert (table.line, table.end_line, row.line) == (3, 5, 5)


def test_places_are_those_of_the_whole_file_when_the_first_line_is_given() -> None:
    reading = read_tables(HEAD + "| x | y |\n", first_line=40)
    assert reading.tables[0].line == 40
    assert reading.tables[0].rows[0].line == 42
    assert reading.oddities[0].line == 42


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts_as_one(end: str) -> None:
    table = only(f"x{end}{end}| A |{end}|---|{end}| b |{end}")
    assert table.rows[0].cells[0].line == 5
    assert table.rows[0].cells[0].text == "b"


def test_places_in_quotations_lists_and_behind_tabs_count_what_stands_before() -> None:
    quoted = only("> | A | B |\n> |---|---|\n> | x | y |\n").rows[0].cells
    listed = only("- | A | B |\n  |---|---|\n  | x | y |\n").rows[0].cells
    tabbed = only("\t| A | B |\n\t|---|---|\n\t| x | y |\n").rows[0].cells
    assert [c.column for c in quoted] == [5, 9]
    assert [c.column for c in listed] == [5, 9]
    assert [c.column for c in tabbed] == [4, 8]


def test_a_cell_of_a_wrapped_row_stands_on_its_own_line() -> None:
    table = only(HEAD + "| x | y goes\non | z |\n")
    assert [(c.text, c.line, c.column) for c in table.rows[0].cells] == [
        ("x", 3, 3),
        ("y goes on", 3, 7),
        ("z", 4, 6),
    ]


def test_places_in_html() -> None:
    text = "<div>\n<table><tr><th>A</th></tr>\n<tr><td>\n  x</td></tr></table>\n"
    (cell,) = only(text).rows[0].cells
    assert (cell.text, cell.line, cell.column) == ("x", 4, 3)


# --- bars


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a \\| b | c | d |", ["a | b", "c", "d"]),
        ("| `a \\| b` | c | d |", ["`a | b`", "c", "d"]),
        ("| `a | b` | c | d |", ["`a | b`", "c", "d"]),
        ("| ``a `| b`` | c | d |", ["``a `| b``", "c", "d"]),
        ("| a｜b | c | d |", ["a｜b", "c", "d"]),
        ("p | q | r", ["p", "q", "r"]),
        ("|p|q|r", ["p", "q", "r"]),
        ("| a | | c |", ["a", "", "c"]),
        ("| a | b | c | |", ["a", "b", "c"]),
        ("| \\\\ | b | c |", ["\\\\", "b", "c"]),
    ],
)
def test_a_row_is_cut_where_its_author_meant_it(row: str, cells: list[str]) -> None:
    assert rows(HEAD + row + "\n") == [cells]


def test_a_bar_in_code_that_leaves_too_few_cells_is_doubtful() -> None:
    assert rows(HEAD + "| `p | q` | r |\n") == [["`p", "q`", "r"]]
    assert codes(HEAD + "| `p | q` | r |\n") == ["unescaped-pipe-in-code"]


def test_too_many_cells_are_kept_beside_the_row() -> None:
    row = only(HEAD + "| p(a|b) | c | d |\n").rows[0]
    assert [c.text for c in row.overflow] == ["d"]
    assert codes(HEAD + "| p(a|b) | c | d |\n") == ["long-row"]


def test_an_empty_first_cell_without_outer_bars_is_not_shifted() -> None:
    assert rows("A | B | C\n---|---|---\n  | b | c\n") == [["", "b", "c"]]


# --- where a table begins and ends


@pytest.mark.parametrize(
    ("text", "expected", "odd"),
    [
        (HEAD + "| x | y | z |\n\n| p | q | r |\n", [["x", "y", "z"], ["p", "q", "r"]], True),
        (HEAD + "\n| x | y | z |\n", [["x", "y", "z"]], True),
        ("| A | B | C |\n\n|---|---|---|\n| x | y | z |\n", [["x", "y", "z"]], True),
        (
            HEAD + "| x | y | z |\n\n" + HEAD + "| p | q | r |\n",
            [["x", "y", "z"], ["p", "q", "r"]],
            False,
        ),
        (
            "A | B\n---|---\nx | y\n\nThen a | b in prose.\n",
            [["x", "y"]],
            False,
        ),
        ("A | B\n---|---\nx | y\n\nThis || is prose | here.\n", [["x", "y"]], False),
    ],
    ids=["between rows", "below head", "in head", "two tables", "no outer bars", "prose"],
)
def test_an_empty_line(text: str, expected: list[list[str]], odd: bool) -> None:
    assert rows(text) == expected
    assert ("blank-line-in-table" in codes(text)) is odd


def test_text_right_below_a_table_is_text() -> None:
    reading = read_tables(HEAD + "| x | y | z |\nNotes follow.\n\nMore.\n")
    assert [len(t.rows) for t in reading.tables] == [1]
    assert [p.text for p in reading.prose] == ["Notes follow.\n\nMore."]
    assert [o.code for o in reading.oddities] == ["text-after-table"]


def test_text_between_rows_does_not_end_the_table() -> None:
    reading = read_tables(HEAD + "| x | y | z |\nA remark.\n| p | q | r |\n")
    assert [len(t.rows) for t in reading.tables] == [2]
    assert [p.text for p in reading.prose] == ["A remark."]


@pytest.mark.parametrize(
    "below", ["## Next", "- item", "```\n| a | b | c |\n```", "> quoted", "</div>"]
)
def test_another_block_ends_a_table_without_a_word(below: str) -> None:
    text = HEAD + "| x | y | z |\n" + below + "\n"
    assert rows(text) == [["x", "y", "z"]]
    assert codes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "| x | y\ngoes on | z |\n",
        "| x | y |\nz |\n",
        "| x\n| y | z |\n",
        "| x | y | z\ngoes on |\n",
        "| x | y | z\ngoes on\n| p | q | r |\n",
        "| x |\ny | z\ngoes on |\n",
    ],
)
def test_a_row_that_an_editor_wrapped_is_joined(text: str) -> None:
    assert len(rows(HEAD + text)[0]) == 3
    assert codes(HEAD + text) == ["wrapped-row"]


def test_short_rows_are_not_joined() -> None:
    text = HEAD + "| C1 | x\n| C2 |\n"
    assert rows(text) == [["C1", "x"], ["C2"]]
    assert codes(text) == ["short-row", "short-row"]
    assert rows(HEAD + "| x | y |\nA sentence.\n") == [["x", "y"]]


def test_a_missing_row_of_dashes() -> None:
    text = "| A | B | C |\n| x | y | z |\n| p | q | r |\n"
    assert [c.text for c in only(text).header] == ["A", "B", "C"]
    assert rows(text) == [["x", "y", "z"], ["p", "q", "r"]]
    assert codes(text) == ["missing-delimiter"]
    assert read("|x| is a norm\nand so is |y|\n") == ()


@pytest.mark.parametrize("dashes", ["|---|---|", "|---|---|---|---|", "|---|"])
def test_a_row_of_dashes_of_another_length(dashes: str) -> None:
    text = f"| A | B | C |\n{dashes}\n| x | y | z |\n"
    assert rows(text) == [["x", "y", "z"]]
    assert codes(text) == ["delimiter-count"]


@pytest.mark.parametrize("dashes", ["|:--|:-:|--:|", "| - | - | - |", "|—|—|—|", "|---+---+---|"])
def test_ways_to_write_the_row_of_dashes(dashes: str) -> None:
    assert rows(f"| A | B | C |\n{dashes}\n| x | y | z |\n") == [["x", "y", "z"]]


def test_rows_of_dashes_and_repeated_headers_in_the_body_are_no_rows() -> None:
    text = HEAD + "| x | y | z |\n|---|---|---|\n| **A** | B | c |\n| p | q | r |\n"
    assert rows(text) == [["x", "y", "z"], ["p", "q", "r"]]
    assert codes(text) == ["repeated-header"]
    assert rows(HEAD + "| - | — |  |\n") == [["-", "—", ""]]


def test_a_table_without_header() -> None:
    table = only("|---|---|\n| x | y |\n")
    assert table.header == ()
    assert codes("|---|---|\n| x | y |\n") == ["missing-header"]


def test_full_width_bars_part_columns_only_when_the_dashes_are_written_with_them() -> None:
    assert rows("｜ A ｜ B ｜\n｜---｜---｜\n｜ x ｜ y|z ｜\n") == [["x", "y|z"]]


def test_an_indented_table_is_read_and_told_about_only_where_it_would_be_code() -> None:
    assert codes("    | A | B |\n    |---|---|\n    | x | y |\n") == ["indented-table"]
    assert codes("1.  Item\n\n    | A | B |\n    |---|---|\n    | x | y |\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "```\n{}```\n",
        "~~~~\n~~~\n{}~~~~\n",
        "> ```\n> | A | B |\n> |---|---|\n> | x | y |\n> ```\n",
        "- ```\n  | A | B |\n  |---|---|\n  | x | y |\n  ```\n",
        "<!--\n{}-->\n",
        "<pre>\n{}</pre>\n",
        "```\n{}",
    ],
)
def test_code_and_comments_are_prose(text: str) -> None:
    whole = text.format(HEAD + "| x | y | z |\n")
    reading = read_tables(whole)
    assert reading.tables == ()
    assert reading.prose[0].text == whole.rstrip("\n")


# --- HTML


def test_html_spans_are_expanded() -> None:
    text = (
        "<table>\n<tr><th>A</th><th>B</th><th>C</th></tr>\n"
        '<tr><td rowspan="2">x</td><td colspan="2">y</td></tr>\n'
        "<tr><td>p<br>q</td><td>&lt;r&gt; &amp; s</td></tr>\n"
        '<tr><td colspan="3">group</td></tr>\n</table>\n'
    )
    assert rows(text) == [["x", "y", "y"], ["x", "p\nq", "<r> & s"], ["group"]]
    assert [row.spanning for row in only(text).rows] == [False, False, True]
    assert codes(text) == ["html-table", "colspan-expanded", "rowspan-expanded"]


def test_html_cells_keep_links_code_and_struck_text() -> None:
    text = (
        "<table><tr><th>A</th></tr><tr><td><a href='https://e.org/x'>S1</a> <code>UNRUN</code> "
        "<del>old</del> <b>new</b><ul><li>one</li><li>two</li></ul></td></tr></table>\n"
    )
    assert rows(text) == [["[S1](https://e.org/x) `UNRUN` ~~old~~ new\n- one\n- two"]]


def test_html_around_and_inside_a_table_is_prose() -> None:
    text = "<div><table><caption>Claims</caption><tr><td>A</td></tr></table>after</div>\n"
    assert [p.text for p in read_tables(text).prose] == ["<div>", "Claims\nafter</div>"]


def test_a_table_in_a_cell_becomes_lines_of_the_cell() -> None:
    inner = "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"
    text = f"<table><tr><th>A</th><th>B</th></tr><tr><td>x {inner}</td><td>y</td></tr></table>\n"
    assert rows(text) == [["x\n| 1 | 2\n| 3 | 4", "y"]]
    assert "nested-table" in codes(text)


def test_an_html_table_that_is_never_closed_ends_at_the_next_heading() -> None:
    text = "<table>\n<tr><th>A</th></tr>\n<tr><td>x</td>\n\n## Next\n\n" + HEAD + "| p | q | r |\n"
    assert rows(text) == [["x"], ["p", "q", "r"]]
    assert "unclosed-html-table" in codes(text)


# --- nothing gets lost

SMALL = list("|||` a#*～：\t\n\n\n")
LARGE = ["|---|---|", "---", "\\|", "bc", "d e", "- ", "> ", "\n\n", "C1", "<br>", "```\n", "1. "]
TABLES = ["| x | y |\n", "| h | i |\n|---|---|\n", "h | i\n--|--\n"]
PIECES = st.sampled_from([*SMALL, *LARGE, *TABLES])
CELLS = st.text(alphabet=st.characters(exclude_characters="|`\\\r\n", codec="utf-8"), max_size=8)


def letters(text: str) -> Counter[str]:
    return Counter(char for char in text if char.isalpha())


def told(reading: Reading) -> str:
    cells = [
        cell.text
        for table in reading.tables
        for row in ((*table.header,), *((*r.cells, *r.overflow) for r in table.rows))
        for cell in row
    ]
    repeated = [odd.what.split('"')[1] for odd in reading.oddities if odd.code == "repeated-header"]
    return " ".join([*cells, *(prose.text for prose in reading.prose), *repeated])


@given(st.lists(PIECES, max_size=40).map("".join))
def test_every_letter_of_any_text_is_in_a_cell_or_in_prose(text: str) -> None:
    assert letters(told(read_tables(text))) == letters(text)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_rows_of_plain_cells_come_back_as_they_were(table: list[list[str]]) -> None:
    lines = ["| " + " | ".join(row) + " |" for row in table]
    text = "| Head | of | it |\n|---|---|---|\n" + "\n".join(lines) + "\n"
    wanted = [[cell.strip() for cell in row] for row in table]
    found = rows(text)
    assert [row for row in found if not _dashes(row)] == [row for row in wanted if not _dashes(row)]


def _dashes(row: list[str]) -> bool:
    return all(not cell.strip(":-–—―−─= ") for cell in row)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_every_cell_stands_where_it_says(text: str) -> None:
    lines = text.split("\n")
    for table in read_tables(text).tables:
        for row in table.rows:
            for cell in (*row.cells, *row.overflow):
                first = cell.text[:1].replace("|", "\\")
                assert not first or lines[cell.line - 1][cell.column - 1] == first
