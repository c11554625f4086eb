"""Changes of files that people wrote: what was asked for, and not one byte more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.splice import append_item, replace_spans, set_scalar

ITEM = ["date: 2026-12-01", "researcher:", "  name: UNVERIFIED"]


def test_stretches_are_replaced_and_the_rest_stays() -> None:
    assert replace_spans("one two three", [(8, 13, "3"), (0, 3, "1")]) == "1 two 3"
    assert replace_spans("ab", [(1, 1, "-")]) == "a-b"
    assert replace_spans("ab", []) == "ab"


def test_stretches_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        replace_spans("abcdef", [(0, 3, "x"), (2, 4, "y")])


@given(text=st.text(max_size=40), data=st.data())
def test_putting_the_same_words_back_changes_nothing(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    changes = [(a, b, text[a:b]) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    assert replace_spans(text, changes) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("snapshot:\n  taken: 2026-01-01 # by hand\n", "snapshot:\n  taken: NEW # by hand\n"),
        ('snapshot: {file: a, taken: "2026-01-01"}\n', "snapshot: {file: a, taken: NEW}\n"),
        ("# top\r\nsnapshot:\r\n  taken: x\r\n", "# top\r\nsnapshot:\r\n  taken: NEW\r\n"),
        ("taken: other\nsnapshot:\n  taken: x", "taken: other\nsnapshot:\n  taken: NEW"),
    ],
)
def test_one_value_is_replaced(text: str, wanted: str) -> None:
    assert set_scalar(text, "NEW", "snapshot", "taken") == wanted


@pytest.mark.parametrize("text", ["", "a: b\n", "snapshot: x\n", "snapshot:\n  taken: [a]\n"])
def test_a_value_that_is_not_there_is_not_made(text: str) -> None:
    assert set_scalar(text, "NEW", "snapshot", "taken") == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "passes:\n  - date: a\n    read: b # c\nlast: x\n",
            "passes:\n  - date: a\n    read: b # c\n  - date: 2026-12-01\n    researcher:\n"
            "      name: UNVERIFIED\nlast: x\n",
        ),
        (
            "passes:\n- date: a",
            "passes:\n- date: a\n- date: 2026-12-01\n  researcher:\n    name: UNVERIFIED\n",
        ),
        (
            "id: x",
            "id: x\npasses:\n  - date: 2026-12-01\n    researcher:\n      name: UNVERIFIED\n",
        ),
        (
            "passes:\r\n- date: a\r\n",
            "passes:\r\n- date: a\r\n- date: 2026-12-01\r\n  researcher:\r\n"
            "    name: UNVERIFIED\r\n",
        ),
    ],
)
def test_an_item_is_put_behind_the_last_one(text: str, wanted: str) -> None:
    assert append_item(text, "passes", ITEM) == wanted
