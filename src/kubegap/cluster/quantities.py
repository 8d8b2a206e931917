"""Quantities, exactly as Kubernetes reads them.

Source: `k8s.io/apimachinery` `pkg/api/resource/quantity.go` (`ParseQuantity`) and `suffix.go` at Kubernetes 1.37.
"""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from kubegap.cluster.containers import Quantity

_QUANTITY = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d*)(?:\.(?P<part>\d*))?(?P<suffix>[KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)", re.ASCII
)
_BINARY = {f"{letter}i": 1024**power for power, letter in enumerate("KMGTPE", 1)}
_DECIMAL = {letter: 1000**power for power, letter in enumerate("kMGTPE", 1)}
_SMALL = {letter: Fraction(1, 1000**power) for power, letter in enumerate("mun", 1)}
_SUFFIXES: Mapping[str, int | Fraction] = {"": 1, **_BINARY, **_DECIMAL, **_SMALL}
_NANO = 10**9
_LARGEST = 2**63 - 1
# Longer ones are refused here; Kubernetes reads them, and takes its time over it.
_EXPONENT_LIMIT = 400
_LENGTH_LIMIT = 300
# With its letter and sign, one that fits into 64 bits.
_LONGEST_EXPONENT = 20


class BadQuantity(ValueError):
    """A text that Kubernetes would not take for a quantity."""


def parse(quantity: Quantity) -> Fraction:
    """The exact value: `500m` is 1/2, `1Ki` is 1024; finer than a billionth is rounded away from zero.

    A bare number, as manifests have it, means the same as its digits. Only binary suffixes are capped, at 2^63-1.
    Without a digit, as in `Ki`, it is zero, which the grammar forbids and the API server takes. Raises `BadQuantity`.
    """
    # Decoding an object trims its quantities (`Quantity.UnmarshalJSON`) before they are parsed.
    text = str(quantity).strip()
    match = _QUANTITY.fullmatch(text)
    if not match or not 0 < len(text) <= _LENGTH_LIMIT or isinstance(quantity, bool):
        raise BadQuantity(text)
    part, suffix = match["part"] or "", match["suffix"]
    digits = match["whole"] + part
    if not digits and suffix in {"Pi", "Ei"}:
        # These take another way through Kubernetes' parser, which stumbles there.
        raise BadQuantity(text)
    if not digits.strip("0") and len(suffix) < _LONGEST_EXPONENT:
        # No exponent makes anything of it, however large.
        return Fraction(0)
    size = _rounded(Fraction(int(digits), 10 ** len(part)) * _factor(suffix))
    size = min(size, Fraction(_LARGEST)) if suffix in _BINARY else size
    return -size if match["sign"] == "-" else size


def count(quantities: Mapping[str, Quantity] | None, name: str) -> int:
    """How many whole pieces of a resource stand in a list; 0 for one that is absent or cannot be read."""
    try:
        return math.floor(parse((quantities or {}).get(name, 0)))
    except BadQuantity:
        return 0


@lru_cache(maxsize=10_000)
def amount(resource: str, quantity: Quantity) -> int:
    """A quantity of a resource as the scheduler counts it: CPU in thousandths, all else in whole units, rounded up.

    0 for what cannot be read.
    """
    try:
        return math.ceil(parse(quantity) * (1000 if resource == "cpu" else 1))
    except BadQuantity:
        return 0


def _factor(suffix: str) -> Fraction:
    if suffix in _SUFFIXES:
        return Fraction(_SUFFIXES[suffix])
    exponent = int(suffix[1:])
    if abs(exponent) > _EXPONENT_LIMIT:
        raise BadQuantity(suffix)
    return Fraction(10) ** exponent


def _rounded(size: Fraction) -> Fraction:
    return Fraction(math.ceil(size * _NANO), _NANO)
