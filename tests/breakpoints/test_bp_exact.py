"""The exact tests against counting by hand: all deals, all tables, and known intervals."""

from __future__ import annotations

from itertools import combinations
from math import comb, isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from invariant_breakpoints.exact import (
    fisher_p,
    least_p,
    midranks,
    rank_sum_p,
    share_interval,
    shift_interval,
)

SMALL = st.lists(st.integers(0, 6), min_size=1, max_size=5)


@settings(deadline=None, max_examples=60)
@given(SMALL, SMALL)
def test_the_rank_sum_p_is_the_share_of_all_deals(one: list[int], other: list[int]) -> None:
    ranks = midranks([*one, *other])
    seen = sum(ranks[: len(one)])
    deals = [sum(deal) for deal in combinations(ranks, len(one))]
    wanted = sum(total <= seen for total in deals) / len(deals)
    assert isclose(rank_sum_p(one, other), wanted)


def test_three_and_three_cannot_go_below_a_twentieth() -> None:
    assert rank_sum_p([1, 2, 3], [7, 8, 9]) == least_p(3, 3) == 0.05
    assert rank_sum_p([1, 1, 1, 1], [9, 9, 9, 9]) == pytest.approx(1 / 70)
    assert rank_sum_p([5, 5], [5, 5]) == 1.0
    assert rank_sum_p([], [1]) == 1.0


def test_fisher_counts_tables() -> None:
    assert fisher_p(0, 3, 3, 3) == pytest.approx(1 / 20)
    assert fisher_p(1, 4, 3, 4) == pytest.approx((comb(4, 0) * comb(4, 4) + 16) / comb(8, 4))
    assert fisher_p(6, 6, 6, 6) == 1.0
    assert fisher_p(0, 0, 1, 1) == 1.0


def test_the_share_interval_is_that_of_clopper_and_pearson() -> None:
    low, high = share_interval(0, 6)
    assert low == 0.0
    assert high == pytest.approx(1 - 0.025 ** (1 / 6), abs=1e-9)
    low, high = share_interval(6, 6)
    assert (low, high) == (pytest.approx(0.025 ** (1 / 6), abs=1e-9), 1.0)
    low, high = share_interval(5, 10)
    assert (round(low, 4), round(high, 4)) == (0.1871, 0.8129)
    assert share_interval(0, 0) == (0.0, 1.0)


def test_the_shift_interval_says_what_it_covers() -> None:
    assert shift_interval([9, 8, 7], [1, 2, 3]) == (4, 8, pytest.approx(0.9))
    low, high, covers = shift_interval([10, 11, 12, 13, 14, 15], [1, 2, 3, 4, 5, 6])
    # The critical count for six and six at 95 % is 5: the 6th smallest and largest differences.
    differences = sorted(a - b for a in range(10, 16) for b in range(1, 7))
    assert (low, high) == (differences[5], differences[-6])
    assert covers == pytest.approx(1 - 2 * 19 / 924)
    with pytest.raises(ValueError, match="both sides"):
        shift_interval([], [1])
