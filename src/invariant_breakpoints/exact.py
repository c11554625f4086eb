"""Exact tests and intervals for small trials: no normal approximation, no random resampling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

LEVEL = 0.95


def midranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value, ties sharing theirs: whole numbers, so sums are exact."""
    ranked = sorted(values)
    first = {value: ranked.index(value) for value in set(ranked)}
    count = Counter(ranked)
    return [2 * first[value] + count[value] + 1 for value in values]


def rank_sum_p(smaller: Sequence[float], larger: Sequence[float]) -> float:
    """The one-sided exact p of the rank-sum test that `smaller` is smaller; ties are exact, too.

    Of all ways to deal the values into two groups of these sizes: the share whose first group has
    a rank sum at most as large. 1.0 when a group is empty.
    """
    size, ranks = len(smaller), midranks([*smaller, *larger])
    if not smaller or not larger:
        return 1.0
    ways: list[Counter[int]] = [Counter({0: 1})] + [Counter() for _ in range(size)]
    for rank in ranks:
        for taken in range(size - 1, -1, -1):
            for total, number in list(ways[taken].items()):
                ways[taken + 1][total + rank] += number
    seen = sum(ranks[:size])
    at_most = sum(number for total, number in ways[size].items() if total <= seen)
    return at_most / comb(len(ranks), size)


def least_p(first: int, second: int) -> float:
    """The smallest one-sided p that so many trials can reach: 0.05 for three and three."""
    return 1 / comb(first + second, first)


def fisher_p(hits: int, of: int, other_hits: int, other_of: int) -> float:
    """The one-sided exact p that the first share is smaller; 1.0 when a group is empty."""
    if not of or not other_of:
        return 1.0
    total = hits + other_hits
    lowest = max(0, total - other_of)
    ways = sum(comb(of, k) * comb(other_of, total - k) for k in range(lowest, hits + 1))
    return ways / comb(of + other_of, total)


def _at_most(hits: int, of: int, share: float) -> float:
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(hits + 1))


def share_interval(hits: int, of: int, level: float = LEVEL) -> tuple[float, float]:
    """The exact interval of Clopper and Pearson for a share; (0, 1) without a trial."""
    if not of:
        return 0.0, 1.0
    tail = (1 - level) / 2

    def bisected(least: int, wanted: float) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            if _at_most(least, of, middle) > wanted:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    lower = 0.0 if hits == 0 else bisected(hits - 1, 1 - tail)
    upper = 1.0 if hits == of else bisected(hits, tail)
    return lower, upper


def shift_interval(
    off: Sequence[float], on: Sequence[float], level: float = LEVEL
) -> tuple[float, float, float]:
    """The interval of the shift (off minus on) from the ordered differences, and what it covers.

    Hodges and Lehmann: the ends are the k-th smallest and k-th largest difference, with the largest
    k that keeps the level. Few trials may not reach the level with any k: then the whole range is
    told, with the smaller coverage that it has. Raises `ValueError` when a group is empty.
    """
    if not off or not on:
        raise ValueError("An interval needs trials on both sides.")
    differences = sorted(one - other for one in off for other in on)
    n, m = len(off), len(on)
    # u[k]: how many deals give the Mann-Whitney count k when nothing differs and nothing ties.
    ways: list[Counter[int]] = [Counter({0: 1})] + [Counter() for _ in range(n)]
    for rank in range(n + m):
        for taken in range(min(n, rank + 1) - 1, -1, -1):
            for total, number in list(ways[taken].items()):
                ways[taken + 1][total + rank] += number
    counts = {total - n * (n - 1) // 2: number for total, number in ways[n].items()}
    all_ways, k, below = comb(n + m, n), 1, counts[0]
    while k < len(differences) // 2 and 1 - 2 * (below + counts[k]) / all_ways >= level:
        below += counts[k]
        k += 1
    return differences[k - 1], differences[-k], 1 - 2 * below / all_ways
