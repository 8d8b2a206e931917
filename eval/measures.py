"""How good a list is: nDCG@10, reciprocal rank, precision and recall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from statistics import fmean

DEPTH = 10


def ndcg(ids: Sequence[str], grades: Mapping[str, int]) -> float:
    """Gain 2^grade - 1, discounted by the rank's logarithm, over that of the best order.

    It is not defined where no record deserves a grade: such queries are counted apart.
    """
    best = sorted(grades.values(), reverse=True)
    return _gain(grades.get(incident, 0) for incident in ids[:DEPTH]) / _gain(best[:DEPTH])


def reciprocal_rank(ids: Sequence[str], grades: Mapping[str, int]) -> float:
    """One over the rank of the first record that is exactly what was looked for."""
    most = max(grades.values(), default=0)
    ranks = (rank for rank, incident in enumerate(ids[:DEPTH], 1) if grades.get(incident, 0) == most)
    return 1 / next(ranks, float("inf"))


def mean(values: Iterable[float]) -> float:
    """The mean, or 0 of nothing."""
    found = list(values)
    return fmean(found) if found else 0.0


def _gain(grades: Iterable[int]) -> float:
    return sum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades, 1))
