"""Periods are exact: against brute force, for all sequences and all periods up to the bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from invariant_breakpoints.chant import laps
from invariant_breakpoints.periods import Periods

SOME_KEYS = st.lists(st.sampled_from("abc"), max_size=120)


def run_by_hand(keys: list[str], at: int, period: int) -> int:
    run = 0
    while at - run - period >= 0 and keys[at - run] == keys[at - run - period]:
        run += 1
    return run


@given(SOME_KEYS, st.integers(1, 9))
def test_every_run_is_the_one_of_brute_force(keys: list[str], longest: int) -> None:
    finder = Periods(longest)
    for at, key in enumerate(keys):
        by_hand = {p: run_by_hand(keys, at, p) for p in range(1, longest + 1)}
        assert finder.push(key) == {p: run for p, run in by_hand.items() if run}


@given(SOME_KEYS, st.integers(1, 32), st.integers(2, 4))
def test_a_planted_cycle_of_up_to_32_is_found(before: list[str], period: int, count: int) -> None:
    finder = Periods(32)
    for key in before:
        finder.push(key)
    alive: dict[int, int] = {}
    for key in [f"p{place}" for place in range(period)] * count:
        alive = finder.push(key)
    assert next(iter(alive)) == period, "the shortest period comes first"
    assert alive[period] == period * (count - 1)


def test_nothing_older_than_the_longest_period_is_kept() -> None:
    finder = Periods(4)
    for place in range(1000):
        finder.push(f"k{place}")
    assert len(finder._at) <= 5


def test_a_phrase_said_again_and_again_is_a_chant() -> None:
    assert laps("Let me look at the file again. " * 20) >= 15


def test_a_list_with_a_long_shared_beginning_is_no_chant() -> None:
    names = "billing auth search queue mail cache files users audit cron".split()  # noqa: SIM905
    assert laps("\n".join(f"projects/p-1/locations/eu-1/services/{name}" for name in names)) == 0


def test_dividers_are_no_chant() -> None:
    assert laps("title\n" + "--- " * 200) == 0
