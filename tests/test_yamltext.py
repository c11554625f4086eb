"""YAML as text with places: the traps of the format, and faults that people make by hand."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.checking import check_file
from researchpack.formats.sources import read_sources
from researchpack.places import Lines
from researchpack.problems import Problem
from researchpack.yamltext import Mapping, Node, Scalar, Sequence, read_yaml

CASES = Path(__file__).parent / "cases" / "yaml"
NAMES = sorted(path.name for path in CASES.iterdir())


def value(node: Node | None) -> Any:
    """The tree as plain lists, maps and strings."""
    match node:
        case Scalar(text=text):
            return str(text)
        case Mapping(items=items):
            return {str(key): value(entry) for key, entry in items}
        case Sequence(items=items):
            return [value(entry) for entry in items]
        case None:
            return None


def read(text: str) -> Any:
    node, problems = read_yaml(text, "f")
    assert problems == []
    return value(node)


def told(text: str) -> list[tuple[str, str]]:
    return [(problem.rule, str(problem.place)) for problem in read_yaml(text, "f")[1]]


# --- the cases


def expected(case: str) -> str:
    return (CASES / case / "expected.md").read_text("utf-8")


def problems(case: str) -> list[Problem]:
    return check_file(CASES / case / "input.yaml", None, "2026-11-30")


@pytest.mark.parametrize("case", NAMES)
def test_a_lone_ledger_is_told_its_trap(case: str) -> None:
    words = expected(case)
    rule, level, line = (
        re.findall(form, words)[0]
        for form in (r"- rule: `(.+)`", r"- result: \*\*(\w+)\*\*", r"- at: `input.yaml:(\d+)`")
    )
    found = [p for p in problems(case) if p.rule == rule]
    assert found
    assert (found[0].level.value, found[0].place.line) == (level, int(line))
    assert {p.level.value for p in found} == {level}


@pytest.mark.parametrize("case", [name for name in NAMES if "## Values" in expected(name)])
def test_the_values_of_a_case_stay_what_was_written(case: str) -> None:
    block = re.search(r"```json\n(.*?)```", expected(case), re.DOTALL)
    assert block is not None
    ledger = read_sources((CASES / case / "input.yaml").read_text("utf-8"), "f").value
    for key, wanted in json.loads(block[1]).items():
        found = [source.other(key) for source in ledger if source.other(key) is not None]
        assert found == (wanted if isinstance(wanted, list) else [wanted])


def test_a_second_key_names_the_first_and_does_not_win() -> None:
    (problem,) = [p for p in problems("B67-yaml-duplicate-key") if p.rule == "yaml.duplicate-key"]
    assert 'Key "title" is already set on line 3' in problem.what
    assert [place.line for place in problem.related] == [3]
    text = (CASES / "B67-yaml-duplicate-key" / "input.yaml").read_text("utf-8")
    assert read_sources(text, "f").value[0].title == "Right Title"


def test_a_title_with_a_colon_gets_the_corrected_line() -> None:
    (problem,) = [p for p in problems("B69-yaml-title-colon") if p.rule == "yaml.syntax"]
    assert problem.place.column == "    title: Ontology 101:".index("101:") + 4
    assert problem.what == "A value with `: ` needs quotes."
    assert '`title: "Ontology 101: A Guide to Rivers"`' in problem.fix


# --- values


@pytest.mark.parametrize(
    "word",
    [
        "2303.10",
        "0123456789",
        "1.10",
        "NO",
        "no",
        "on",
        "1e3",
        "12:30",
        "007",
        "0x1F",
        "2026-11-30",
    ],
)
def test_a_value_stays_what_the_author_wrote(word: str) -> None:
    assert read(f"a: {word}\n") == {"a": word}


def test_quotes_and_folding_are_undone() -> None:
    text = "a: 'it''s'\nb: \"x\\ty\"\nc: |-\n  one\n  two\nd: >-\n  one\n  two\n"
    assert read(text) == {"a": "it's", "b": "x\ty", "c": "one\ntwo", "d": "one two"}


@pytest.mark.parametrize("word", ["", "~", "null", "Null", "NULL"])
def test_nothing_is_an_empty_value_unless_it_is_quoted(word: str) -> None:
    assert read(f"a: {word}\n") == {"a": ""}
    if word:
        assert read(f'a: "{word}"\n') == {"a": word}


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n...\n"])
def test_an_empty_file_is_no_value_and_no_problem(text: str) -> None:
    node, found = read_yaml(text, "f")
    assert found == []
    assert node is None or value(node) == ""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_scalar_knows_where_it_stands(end: str) -> None:
    text = end.join(["# c", "- id: S1", '  title: "ä: b"', "  read: |-", "    x", "- {id: S2}", ""])
    node, _ = read_yaml(text, "f")
    assert isinstance(node, Sequence)
    first, second = node.items
    assert isinstance(first, Mapping)
    assert isinstance(second, Mapping)
    title, name = first.get("title"), second.get("id")
    assert isinstance(title, Scalar)
    assert isinstance(name, Scalar)
    assert (title.text.place.line, title.text.place.column) == (3, 10)
    assert text[title.start : title.end] == '"ä: b"'
    assert (name.text.place.line, name.text.place.column) == (6, 8)
    assert text[name.start : name.end] == "S2"


NAME = st.text(alphabet="abz", min_size=1, max_size=3)
VALUE = st.text(alphabet="ab 0.:#-\"'\\{}[]&*!|>%@,ä\u2019😀", max_size=10)


@given(st.dictionaries(NAME, VALUE, min_size=1))
def test_what_is_written_in_double_quotes_is_read_back_with_its_place(
    values: dict[str, str],
) -> None:
    text = "".join(
        f"{key}: {json.dumps(words, ensure_ascii=False)}\n" for key, words in values.items()
    )
    node, found = read_yaml(text, "f")
    assert found == []
    assert value(node) == values
    assert isinstance(node, Mapping)
    for key, entry in node.items:
        assert isinstance(entry, Scalar)
        at = Lines(text, "f").offset(entry.text.place.line) + entry.text.place.column - 1
        assert at == entry.start
        assert json.loads(text[entry.start : entry.end]) == values[str(key)]


@given(st.text(alphabet="ab: -\n[]{}&*'\"#|>%@!,\t\r~?0", max_size=40))
def test_whatever_stands_in_a_file_is_read_or_told_and_never_thrown(text: str) -> None:
    node, found = read_yaml(text, "f")
    lines = text.count("\n") + text.count("\r") + 1
    assert all(1 <= problem.place.line <= lines + 1 for problem in found)
    assert (
        found or node is not None or not re.sub(r"#.*|---|\.\.\.|%.*", "", text).strip("~ \r\n\t")
    )


# --- faults


@pytest.mark.parametrize("char", list("@`%*&{[|>"))
def test_a_value_that_begins_with_a_sign_of_yaml_gets_its_repair(char: str) -> None:
    text = f"- id: S1\n  title: {char} words\n"
    node, found = read_yaml(text, "f")
    if found:  # `*x` is an alias nobody defined, `{` a map nobody closes …
        (problem,) = found
        assert problem.rule == "yaml.syntax"
        assert (problem.place.line, problem.place.column) == (2, 10)
        assert f'`title: "{char} words"`' in problem.fix
    else:
        assert char == "&"  # an anchor by that name on nothing is YAML
    assert node is None or value(node) != [{"id": "S1", "title": f"{char} words"}]


def test_a_repair_escapes_what_stands_in_the_value() -> None:
    (problem,) = read_yaml('a: the "b": \\c\n', "f")[1]
    fixed = re.search(r"`(.*)`", problem.fix)
    assert fixed is not None
    assert read(fixed[1] + "\n") == {"a": 'the "b": \\c'}


def test_a_tab_is_told_where_it_stands() -> None:
    assert told("a:\n\tb: c\n") == [("yaml.tab", "f:2:1")]
    assert told("a:\tb\n") == [("yaml.tab", "f:1:3")]
    assert told('a: "b\tc"\n') == []
    assert told("a: b # c\td\n") == []


def test_a_nul_is_told_once_and_nothing_is_read() -> None:
    node, found = read_yaml("a: b\nc: d\x00e\n", "f")
    assert node is None
    assert [(p.rule, str(p.place)) for p in found] == [("yaml.syntax", "f:2:5")]


def test_aliases_that_multiply_end_soon() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{n}: &{n} [{', '.join([f'*{p}'] * 9)}]"
        for p, n in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    began = time.monotonic()
    node, found = read_yaml("\n".join(lines), "f")
    assert time.monotonic() - began < 10
    assert [p.rule for p in found].count("yaml.size") == 1
    assert node is not None


def test_an_alias_that_holds_itself_ends_too() -> None:
    assert "yaml.size" in [rule for rule, _ in told("a: &a [*a]\n")]


@pytest.mark.parametrize("opening", ["[", "- ", "{a: ", "? "])
@pytest.mark.parametrize("depth", [60, 3000, 10_000])
def test_deep_nesting_is_a_problem_and_no_crash(opening: str, depth: int) -> None:
    assert told("a: " * (opening == "[") + opening * depth)


def test_ten_levels_are_not_deep() -> None:
    assert read("[" * 10 + "x" + "]" * 10) == [[[[[[[[[["x"]]]]]]]]]]


def test_a_key_that_is_no_word_is_left_out() -> None:
    node, found = read_yaml("? [a]\n: b\nc: d\n", "f")
    assert [p.rule for p in found] == ["yaml.key"]
    assert value(node) == {"c": "d"}


# --- what can be saved


BROKEN = "- id: S1\n  title: a\n- id: S2\n  title: b: c\n- id: S3\n  title: d\n"


@pytest.mark.parametrize("indent", ["", "  "])
def test_a_broken_entry_does_not_hide_the_others(indent: str) -> None:
    text = ("sources:\n" if indent else "") + "".join(
        indent + line for line in BROKEN.splitlines(keepends=True)
    )
    node, found = read_yaml(text, "f")
    assert [p.rule for p in found] == ["yaml.syntax"]
    assert value(node) == [{"id": "S1", "title": "a"}, {"id": "S3", "title": "d"}]


def test_saved_entries_stand_where_they_stand() -> None:
    node, _ = read_yaml(BROKEN, "f")
    assert isinstance(node, Sequence)
    last = node.items[1]
    assert isinstance(last, Mapping)
    title = last.get("title")
    assert isinstance(title, Scalar)
    assert (title.text.place.line, title.text.place.column) == (6, 10)
    assert BROKEN[title.start : title.end] == "d"


def test_nothing_is_saved_of_a_broken_map() -> None:
    node, found = read_yaml("a: b: c\nd: e\n", "f")
    assert node is None
    assert len(found) == 1
