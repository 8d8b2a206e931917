"""Quantities, exactly as Kubernetes reads them.

Source: `k8s.io/apimachinery` `pkg/api/resource/quantity.go` (`ParseQuantity`) and `suffix.go` at Kubernetes 1.34.
"""

import math
import re
from collections.abc import Mapping
from fractions import Fraction

from kubegap.cluster.fields import Quantity

_QUANTITY = re.compile(
    r"(?P<sign>[+-]?)(?P<number>\d+\.?\d*|\.\d+)(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)", re.ASCII
)
_BINARY = {f"{letter}i": 1024**power for power, letter in enumerate("KMGTPE", 1)}
_DECIMAL = {letter: 1000**power for power, letter in enumerate("kMGTPE", 1)}
_SMALL = {letter: Fraction(1, 1000**power) for power, letter in enumerate("mun", 1)}
_SUFFIXES: Mapping[str, int | Fraction] = {"": 1, **_BINARY, **_DECIMAL, **_SMALL}
_NANO = 10**9
_LARGEST = 2**63 - 1
# Beyond these, every number with digits is the largest or rounds up to one billionth.
_EXPONENT_LIMIT = 400
_DIGITS_LIMIT = 300


class BadQuantity(ValueError):
    """A text that Kubernetes would not take for a quantity."""


def parse(quantity: Quantity) -> Fraction:
    """The exact value: `500m` is 1/2, `1Ki` is 1024; finer than a billionth is rounded away from zero.

    A bare number, as manifests have it, means the same as its digits. Raises `BadQuantity`.
    """
    text = str(quantity)
    match = _QUANTITY.fullmatch(text)
    if not match or len(text) > _DIGITS_LIMIT or isinstance(quantity, bool):
        raise BadQuantity(text)
    size = Fraction(match["number"].strip(".") if match["number"].endswith(".") else match["number"])
    size = min(_rounded(size * _factor(match["suffix"])), Fraction(_LARGEST))
    return -size if match["sign"] == "-" else size


def count(quantities: Mapping[str, Quantity] | None, name: str) -> int:
    """How many whole pieces of a resource stand in a list; 0 for one that is absent or cannot be read."""
    try:
        return math.floor(parse((quantities or {}).get(name, 0)))
    except BadQuantity:
        return 0


def _factor(suffix: str) -> Fraction:
    if suffix[:1] in {"e", "E"} and len(suffix) > 1 and suffix != "Ei":
        exponent = int(suffix[1:])
        return Fraction(10) ** max(-_EXPONENT_LIMIT, min(exponent, _EXPONENT_LIMIT))
    return Fraction(_SUFFIXES[suffix])


def _rounded(size: Fraction) -> Fraction:
    return Fraction(math.ceil(size * _NANO), _NANO)
