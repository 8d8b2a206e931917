"""Quantities, label selectors and placing: against answers of Kubernetes' own code, and against second readings.

`oracle/` holds the program that gave the answers in `data/`, built from the modules of Kubernetes 1.37.2.
"""

import json
from decimal import ROUND_UP, Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubegap.cluster.fields import (
    LabelSelector,
    NodeSelector,
    NodeSelectorTerm,
    NodeSpec,
    PodSpec,
    Requirement,
    Taint,
    Toleration,
)
from kubegap.cluster.objects import Metadata, Node, Pod
from kubegap.cluster.placing import may_run, picks, tolerates
from kubegap.cluster.quantities import BadQuantity, count, parse
from kubegap.cluster.selectors import selects

DATA = Path(__file__).parent / "data"


def answers(name):
    return json.loads((DATA / f"{name}.json").read_text())


def value_of(text):
    try:
        return str(parse(text))
    except BadQuantity:
        return None


def test_quantities_are_read_as_kubernetes_reads_them():
    # What an object holds is trimmed before Kubernetes parses it; the answers are those of the parser alone.
    wanted = {text: value for text, value in answers("quantities").items() if text == text.strip()}

    assert {text: value_of(text) for text in wanted} == wanted


def test_selectors_pick_what_kubernetes_picks():
    for asked in answers("selectors"):
        assert selects(msgspec.convert(asked["selector"], LabelSelector), asked["labels"]) is asked["picks"], asked


def test_pods_may_run_where_kubernetes_lets_them():
    for asked in answers("placing"):
        pod, node = msgspec.convert(asked["pod"], Pod), msgspec.convert(asked["node"], Node)

        assert may_run(pod.spec, node) is asked["may_run"], asked


POWERS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY = {f"{letter}i": 2 ** (10 * power) for power, letter in enumerate("KMGTPE", 1)}
NUMBERS = st.from_regex(r"[+-]?([0-9]{1,12}(\.[0-9]{0,12})?|\.[0-9]{1,12})", fullmatch=True)
SUFFIXES = st.sampled_from([*POWERS, *BINARY]) | st.builds("{}{}".format, st.sampled_from("eE"), st.integers(-30, 30))


def value_by_decimals(number, suffix):
    """A second reading, with decimal arithmetic: the number times its suffix, rounded up to billionths."""
    with localcontext() as context:
        context.prec = 200
        size = abs(Decimal(number))
        if suffix in BINARY:
            size *= BINARY[suffix]
        else:
            size = size.scaleb(POWERS[suffix] if suffix in POWERS else int(suffix[1:]))
        size = size.quantize(Decimal("1e-9"), rounding=ROUND_UP)
        size = min(size, Decimal(2**63 - 1)) if suffix in BINARY else size
        return Fraction(-size if number.startswith("-") else size)


@given(NUMBERS, SUFFIXES)
def test_quantities_agree_with_decimal_arithmetic(number, suffix):
    assert parse(number + suffix) == value_by_decimals(number, suffix)


@given(st.text(max_size=20))
def test_any_text_is_a_quantity_or_refused(text):
    value_of(text)


@pytest.mark.parametrize("bad", ["1e999999999", "9" * 1000, True, ""])
def test_what_would_take_for_ever_is_refused(bad):
    with pytest.raises(BadQuantity):
        parse(bad)


@pytest.mark.parametrize(("seen", "whole"), [("8", 8), (8, 8), ("8500m", 8), ("1k", 1000), ("-1", -1), ("x", 0)])
def test_counting_whole_pieces(seen, whole):
    assert count({"nvidia.com/gpu": seen}, "nvidia.com/gpu") == whole


def test_what_is_not_listed_counts_none():
    assert count(None, "nvidia.com/gpu") == count({}, "nvidia.com/gpu") == 0


KEYS = st.sampled_from(["a", "nvidia.com/gpu"])
VALUES = st.sampled_from([None, "", "x"])
EFFECTS = st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"])
TAINTS = st.builds(Taint, KEYS, VALUES, EFFECTS)
TOLERATIONS = st.builds(
    Toleration,
    st.none() | KEYS,
    st.sampled_from([None, "Equal", "Exists"]),
    VALUES,
    st.none() | EFFECTS,
)


def tolerates_by_listing(tolerations, node):
    """A second reading: each toleration strikes out the taints it names, and none that blocks may be left."""
    left = {(taint.key, taint.value or "", taint.effect) for taint in node.spec.taints or []}
    left |= {("node.kubernetes.io/unschedulable", "", "NoSchedule")} if node.spec.unschedulable else set()
    for one in tolerations or []:
        keys = {one.key} if one.key else {key for key, _, _ in left}
        effects = {one.effect} if one.effect else {"NoSchedule", "NoExecute", "PreferNoSchedule"}
        values = {value for _, value, _ in left} if one.operator == "Exists" else {one.value or ""}
        left -= {taint for taint in left if taint[0] in keys and taint[1] in values and taint[2] in effects}
    return all(effect == "PreferNoSchedule" for _, _, effect in left)


@given(st.lists(TOLERATIONS, max_size=3), st.lists(TAINTS, max_size=3), st.booleans())
def test_tolerations_agree_with_a_second_reading(tolerations, taints, cordoned):
    node = Node(spec=NodeSpec(unschedulable=cordoned, taints=taints))

    assert tolerates(tolerations, node) == tolerates_by_listing(tolerations, node)


def test_a_selector_without_terms_and_a_term_that_says_nothing_pick_no_node():
    node = Node(metadata=Metadata(name="n"))

    assert picks(None, node)
    assert not picks(NodeSelector([]), node)
    assert not picks(NodeSelector([NodeSelectorTerm()]), node)
    assert picks(NodeSelector([NodeSelectorTerm(match_fields=[Requirement("metadata.name", "In", ["n"])])]), node)


def test_a_pod_that_asks_for_nothing_may_run_on_a_node_that_asks_for_nothing():
    assert may_run(PodSpec(), Node())
