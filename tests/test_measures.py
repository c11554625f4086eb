"""References to measured values, the leaves of values, and the rules over them."""

from __future__ import annotations

import ast
import json
import math
import time
import warnings
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from researchpack.formats.values import values_in
from researchpack.measures import (
    INCONCLUSIVE,
    MET,
    NOT_MET,
    BadRule,
    find_refs,
    flatten,
    judge,
    paths_of,
    read_rule,
    told,
)

VALUES = {
    "span.on.max": 7,
    "span.off.median": 37.0,
    "halts": 0,
    "share": 0.29,
    "word": "H1",
    "fired": True,
    "absent": None,
}


# --- references -------------------------------------------------------------------------------


def test_references_stand_where_they_are_written() -> None:
    text = "Of {X1.a.b_2} and {L12b.c} only one."
    found = list(find_refs(text))
    assert [(ref.id, ref.path) for ref in found] == [("X1", "a.b_2"), ("L12b", "c")]
    assert [text[ref.start : ref.end] for ref in found] == ["{X1.a.b_2}", "{L12b.c}"]


@pytest.mark.parametrize(
    "text", ["{X1}", "{X1.}", "{X1..a}", "{X1.a-b}", "{ X1.a}", "{S1.a}", "{x1.a}", "X1.a", "{X.a}"]
)
def test_what_is_no_reference(text: str) -> None:
    assert list(find_refs(text)) == []


# --- leaves -----------------------------------------------------------------------------------


def test_leaves_are_told_by_dotted_paths_in_order() -> None:
    data = {"b": {"x": 1, "y": {"z": None}}, "a": True, "l": [1, 2], "n": math.nan, "i": math.inf}
    assert list(flatten(data)) == [("b.x", 1), ("b.y.z", None), ("a", True)]


@pytest.mark.parametrize("data", [3, "x", None, [1], [{"a": 1}], {"": 1}, {}])
def test_what_has_no_leaves(data: Any) -> None:
    assert list(flatten(data)) == []


def test_what_is_nested_too_deeply_is_left_out() -> None:
    deep: dict[str, Any] = {"x": 1}
    for _ in range(5000):
        deep = {"x": deep}
    assert list(flatten({"near": 1, "deep": deep})) == [("near", 1)]


def test_half_a_character_is_no_value() -> None:
    data = b'{"a": "\\ud800", "\\udfff": 1, "whole": "\\ud83d\\ude00"}'
    assert values_in([("values.json", data)]) == (("whole", "\U0001f600"),)


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
TREES = st.recursive(LEAVES, lambda inner: st.dictionaries(st.text(), inner) | st.lists(inner))


@given(TREES)
def test_leaves_of_anything_can_be_written_and_read_again(data: Any) -> None:
    """A record holds the leaves as one flat map; read back they must be the same."""
    leaves = dict(flatten(data))
    again = json.loads(json.dumps(leaves, ensure_ascii=False).encode())
    assert dict(flatten(again)) == leaves
    for value in leaves.values():
        assert told(value) == told(value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (37.0, "37"),
        (0.333, "0.333"),
        (True, "yes"),
        (False, "no"),
        (None, "none"),
        ("H1", "H1"),
        (-5, "-5"),
        (1e300, "1e+300"),
    ],
)
def test_values_as_a_reader_sees_them(value: Any, words: str) -> None:
    assert told(value) == words


def test_only_files_of_values_are_read_and_a_later_one_counts() -> None:
    files = [
        ("values.json", b'{"a": 1, "b": 2}'),
        ("other.json", b'{"a": 9}'),
        ("values-late.json", b'{"b": 3}'),
        ("values-Late.json", b'{"a": 9}'),
        ("sub/values.json", b'{"a": 9}'),
        ("values-broken.json", b"{"),
        ("values-deep.json", b"[" * 100_000),
    ]
    assert values_in(files) == (("a", 1), ("b", 3))


# --- rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        ("span.on.max <= 7", MET),
        ("span.on.max < 7", NOT_MET),
        ("span.on.max <= 7 and halts == 0", MET),
        ("span.on.max < 7 or halts == 0", MET),
        ("not halts", INCONCLUSIVE),
        ("not fired", NOT_MET),
        ("fired and halts == 0", MET),
        ("0 <= halts <= 1 < span.on.max", MET),
        ("span.off.median - span.on.max >= 2 * 15", MET),
        ("(share + 0.01) / 3 < -1 or share != 0.29", NOT_MET),
        ("word == 'H1'", MET),
        ('word != "H2"', MET),
        ("word > 3", INCONCLUSIVE),
        ("span.on.max / halts > 1", INCONCLUSIVE),
        ("nothing == 1", INCONCLUSIVE),
        ("absent == 0", INCONCLUSIVE),
        ("halts == 0 or nothing == 1", INCONCLUSIVE),
        ("  span.on.max\n   <= 7 ", MET),
    ],
)
def test_what_a_rule_says(rule: str, outcome: str) -> None:
    assert judge(rule, VALUES).outcome == outcome


def test_a_judgement_names_what_took_part_and_what_is_missing() -> None:
    assert judge("span.on.max <= 7 and halts == 0", VALUES).because == "span.on.max = 7, halts = 0"
    assert judge("span.on.max <= nothing.here", VALUES).because == "nothing.here was not measured"


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "span.max",
        "7",
        "-span.max",
        "a +",
        "a = 1",
        "len(a) > 1",
        "a[0] > 1",
        "[a] == a",
        "a ** 2 > 1",
        "a // 2 > 1",
        "a % 2 == 1",
        "a is b",
        "a in b",
        "a if b > 1 else c",
        "(lambda: 1) > 1",
        "__import__('os').system('x') == 0",
        "(a, b) > c",
        "(a := 3) > 2",
        "f'{a}' == 'x'",
        "a == None",
        "a == b'x'",
        "a == 1j",
        "a == ...",
        "'x'.y > 1",
        "(a + b).c > 1",
        "~a > 1",
        "a <= 7; b",
        "x" * 1001,
        "(" * 300 + "a > 1" + ")" * 300,
        "not " * 200 + "a > 1",
        "a > " + "-" * 900 + "1",
        "a" + ".a" * 400 + " > 1",
        "a > 1\0",
    ],
)
def test_what_is_no_rule(rule: str) -> None:
    """Whatever it is, it is told by a sentence, and nothing is run, and no stack ends."""
    with pytest.raises(BadRule, match=r"^[A-Z].+\.$"):
        read_rule(rule)


@pytest.mark.parametrize(
    "rule", ["halts == 0 and " * 60 + "halts == 0", "halts < " + "9" * 990, "halts == 0 # none"]
)
def test_long_rules_large_numbers_and_notes_are_fine(rule: str) -> None:
    assert judge(rule, VALUES).outcome == MET


def test_a_rule_never_makes_something_huge() -> None:
    values = {"word": "x", "n": 10**9}
    began = time.monotonic()
    assert judge("word * n == word", values).outcome == INCONCLUSIVE
    assert judge("n * 'xxxxxxxxxxxx' == word", values).outcome == INCONCLUSIVE
    assert judge("word + 'y' == 'xy'", values).outcome == INCONCLUSIVE
    assert time.monotonic() - began < 1


def test_a_rule_with_numbers_that_no_float_holds_is_inconclusive() -> None:
    assert judge("a / 3 > 1", {"a": 10**400}).outcome == INCONCLUSIVE
    assert judge("a + 0.5 > 1", {"a": 10**400}).outcome == INCONCLUSIVE
    assert judge("a > 1", {"a": 10**400}).outcome == MET


def test_reading_a_rule_warns_nobody() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        judge("word == '\\d'", VALUES)
        judge("halts == 1or halts == 0", VALUES)
    assert caught == []


def test_paths_are_told_once_and_in_order() -> None:
    assert paths_of(read_rule("b.c > 1 and a < b.c + d.e.f")) == ["b.c", "a", "d.e.f"]


@given(st.text(max_size=60))
def test_no_text_is_run_or_ends_in_another_fault(text: str) -> None:
    try:
        outcome = judge(text, VALUES).outcome
    except BadRule:
        return
    assert outcome in (MET, NOT_MET, INCONCLUSIVE)


NAMES = st.sampled_from([*VALUES, "nothing"])
TERMS = st.recursive(
    NAMES | st.integers(-99, 99).map(str) | st.sampled_from(["0.5", "'H1'"]),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda parts: f"({' '.join(parts)})"
    ),
    max_leaves=4,
)
COMPARISONS = st.tuples(TERMS, st.sampled_from("< <= == != >= >".split()), TERMS).map(" ".join)  # noqa: SIM905
RULES = st.recursive(
    COMPARISONS,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        )
        | inner.map(lambda one: f"not ({one})")
    ),
    max_leaves=4,
)


class _Nested:
    """The values as attributes, so that Python itself can say what a rule means."""

    def __init__(self, values: dict[str, Any]) -> None:
        for path, value in values.items():
            first, _, rest = path.partition(".")
            if not rest:
                setattr(self, first, value)
        for first in {path.partition(".")[0] for path in values if "." in path}:
            inside = {
                path.partition(".")[2]: value
                for path, value in values.items()
                if path.startswith(f"{first}.")
            }
            setattr(self, first, _Nested(inside))


@given(RULES)
def test_rules_mean_what_python_means_by_them(rule: str) -> None:
    """Where everything was measured and only numbers are counted with."""
    told_paths = paths_of(read_rule(rule))
    assume(not {"nothing", "absent"} & set(told_paths))
    found = judge(rule, VALUES)
    assume(found.outcome != INCONCLUSIVE)
    known = vars(_Nested(VALUES))
    expected = eval(compile(ast.parse(rule, mode="eval"), "rule", "eval"), {}, known)
    assert (found.outcome == MET) is bool(expected)


@given(RULES)
def test_a_value_that_is_missing_anywhere_makes_a_rule_inconclusive(rule: str) -> None:
    if {"nothing", "absent"} & set(paths_of(read_rule(rule))):
        assert judge(rule, VALUES).outcome == INCONCLUSIVE
