"""Where the passage of a claim stands: exactly, in other marks, in which place, or nowhere."""

from __future__ import annotations

import pytest

from researchpack.anchors import Finder
from researchpack.formats.claims import read_claims
from researchpack.formats.snapshot import read_snapshot
from researchpack.places import Place, Text
from researchpack.records import (
    Ambiguous,
    Anchored,
    Layout,
    Lost,
    NoSnapshot,
    Paraphrase,
    Snapshot,
    Standing,
)

HERE = Place("f")
CHAPTER = """Before any heading water flows.

One
Water flows down, and water flows on. The gate “opens *slowly*”, they say.

Two
Water flows down. "Mind the gate" is painted there, and `a|b` beside it.
"""


def snapshot(text: str = CHAPTER, headings: tuple[str, ...] = ("One", "Two")) -> Snapshot:
    layout = Layout(headings=tuple(Text(heading, HERE) for heading in headings))
    found = read_snapshot(text.encode(), "f", layout).value
    assert found is not None
    return found


def stand(cell: str, where: str = "One", chapter: Snapshot | None = None) -> Standing:
    table = f"| ID | Claim | Where |\n|---|---|---|\n| C1 | {cell} | {where} |\n"
    (claim,) = read_claims(table, "claims.md").value.claims
    return Finder(chapter or snapshot()).claim(claim)


def words(standing: Standing) -> list[str]:
    assert isinstance(standing, Anchored | Ambiguous)
    return [CHAPTER[start:end] for start, end in standing.spans]


def test_a_passage_that_stands_there_character_by_character() -> None:
    standing = stand('"and water flows on"')
    assert isinstance(standing, Anchored)
    assert standing.how == "exact"
    assert words(standing) == ["and water flows on"]


@pytest.mark.parametrize(
    "cell",
    ['"gate "opens slowly""', '"THE GATE  “opens *slowly*”"', '"the gate „opens slowly“, they"'],
)
def test_a_passage_in_other_marks_is_the_same_passage(cell: str) -> None:
    standing = stand(cell)
    assert isinstance(standing, Anchored)
    assert standing.how == "normalised"
    assert "gate “opens *slowly*”" in words(standing)[0]


def test_exact_words_win_over_the_same_words_in_other_marks() -> None:
    standing = stand('"Water flows"')  # "water flows" stands there too
    assert isinstance(standing, Anchored)
    assert standing.how == "exact"
    assert words(standing) == ["Water flows"]


def test_nothing_is_anchored_to_a_look_alike() -> None:
    assert isinstance(stand('"Water flows up, and water flows on."'), Lost)
    assert isinstance(stand('"water flows"', "Three", snapshot("", ())), Lost)


def test_a_passage_in_another_section_is_lost_and_stands_elsewhere() -> None:
    standing = stand('"and water flows on"', "Two")
    assert isinstance(standing, Lost)
    assert [CHAPTER[a:b] for a, b in standing.elsewhere] == ["and water flows on"]


def test_an_unknown_heading_does_not_hide_the_passage() -> None:
    assert isinstance(stand('"and water flows on"', "Three"), Anchored)


def test_a_passage_that_stands_twice_in_its_section_is_ambiguous() -> None:
    standing = stand('"WATER FLOWS"')
    assert isinstance(standing, Ambiguous)
    assert words(standing) == ["Water flows", "water flows"]
    assert standing.spans[0] < standing.spans[1]


def test_the_section_decides_among_places() -> None:
    one, two = stand('"Water flows down"'), stand('"Water flows down"', "Two")
    assert isinstance(one, Anchored)
    assert isinstance(two, Anchored)
    assert one.spans < two.spans


@pytest.mark.parametrize(("which", "at"), [("1 of 2", 0), ("2 of 2", 1)])
def test_the_author_says_which_place_is_meant(which: str, at: int) -> None:
    places = stand('"WATER FLOWS"')
    standing = stand('"WATER FLOWS"', f"One ({which})")
    assert isinstance(places, Ambiguous)
    assert isinstance(standing, Anchored)
    assert standing.spans == (places.spans[at],)


def test_the_author_says_that_all_places_are_meant() -> None:
    places = stand('"WATER FLOWS"')
    standing = stand('"WATER FLOWS"', "One (2 places)")
    assert isinstance(places, Ambiguous)
    assert isinstance(standing, Anchored)
    assert standing.spans == places.spans


def test_a_place_past_the_last_is_not_taken_for_another() -> None:
    assert isinstance(stand('"WATER FLOWS"', "One (3 of 3)"), Ambiguous)


def test_the_bare_words_are_tried_before_the_marks() -> None:
    text = 'One\nMind the gate. "Mind the gate" again.\n'
    standing = stand('"Mind the gate"', "One (1 of 2)", snapshot(text, ("One",)))
    assert isinstance(standing, Anchored)
    (start, end) = standing.spans[0]
    assert text[start:end] == "Mind the gate"
    assert start == 4


def test_marks_that_belong_to_the_passage_are_tried_second() -> None:
    text = "One\n«« Mind »» the gate.\n"
    standing = stand("« « Mind » »", "One", snapshot(text, ("One",)))
    assert isinstance(standing, Anchored)


def test_a_code_span_is_a_passage_and_its_bar_needs_its_backslash_only_in_the_table() -> None:
    standing = stand("``a\\|b` beside``", "Two")
    assert isinstance(standing, Anchored)
    assert words(standing) == ["a|b` beside"]


@pytest.mark.parametrize("cell", ["Water flows down", 'he said "Water flows down"', '"', "``"])
def test_a_cell_that_is_no_quotation_is_a_paraphrase(cell: str) -> None:
    assert isinstance(stand(cell), Paraphrase)


def test_without_a_snapshot_nothing_is_said_to_be_lost() -> None:
    table = '| ID | Claim | Where |\n|---|---|---|\n| C1 | "Water" | One |\n'
    (claim,) = read_claims(table, "claims.md").value.claims
    assert isinstance(Finder(None).claim(claim), NoSnapshot)


def test_a_passage_before_the_first_heading_stands_under_no_heading() -> None:
    assert isinstance(stand('"Before any heading water flows."', ""), Anchored)
    assert isinstance(stand('"Before any heading water flows."', "One"), Lost)


def test_a_passage_in_conflict_may_stand_anywhere_but_once() -> None:
    table = (
        "| ID | Claim | Where | Conflicts with |\n|---|---|---|---|\n"
        '| C1 | x | One | "and water flows on"; "Water flows down"; "Water flows up" |\n'
    )
    (claim,) = read_claims(table, "claims.md").value.claims
    finder = Finder(snapshot())
    found = [finder.quote(entry) for entry in claim.conflicts if not isinstance(entry, Text)]
    assert [type(standing) for standing in found] == [Anchored, Ambiguous, Lost]
