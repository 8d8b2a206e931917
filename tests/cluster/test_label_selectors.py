"""Label selectors against the examples of the API and against a second reading of the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubegap.cluster.fields import LabelSelector, Requirement
from kubegap.cluster.selectors import exempting_labels, selects, written

KEYS = st.sampled_from(["a", "b", "kubernetes.io/metadata.name"])
VALUES = st.sampled_from(["", "x", "y"])
LABELS = st.dictionaries(KEYS, VALUES, max_size=3)
REQUIREMENTS = st.one_of(
    st.builds(Requirement, KEYS, st.sampled_from(["In", "NotIn"]), st.lists(VALUES, min_size=1, max_size=2)),
    st.builds(Requirement, KEYS, st.sampled_from(["Exists", "DoesNotExist"]), st.sampled_from([None, []])),
)
SELECTORS = st.builds(
    LabelSelector,
    st.one_of(st.none(), st.dictionaries(KEYS, VALUES, max_size=2)),
    st.one_of(st.none(), st.lists(REQUIREMENTS, max_size=3)),
)


def selects_by_sets(selector, labels):
    """A second reading: each expression is the set of label values (None = no label) that it lets through."""
    world = {"", "x", "y", None}
    let_through = {key: set(world) for key in ("a", "b", "kubernetes.io/metadata.name")}
    for key, value in (selector.match_labels or {}).items():
        let_through[key] &= {value}
    for requirement in selector.match_expressions or []:
        values = set(requirement.values or [])
        allowed = {"In": values, "NotIn": world - values, "Exists": world - {None}, "DoesNotExist": {None}}
        let_through[requirement.key] &= allowed[requirement.operator]
    return all(labels.get(key) in values for key, values in let_through.items())


@given(SELECTORS, LABELS)
def test_selectors_agree_with_a_second_reading(selector, labels):
    assert selects(selector, labels) == selects_by_sets(selector, labels)


@given(SELECTORS, LABELS)
def test_an_exempting_label_exempts_alone(selector, labels):
    for key, value in exempting_labels(selector):
        given_value = value.split("|")[0] if value != "*" else "anything"

        assert not selects(selector, {**labels, key: given_value})


@pytest.mark.parametrize("selector", [None, LabelSelector(), LabelSelector({}, [])])
def test_an_absent_or_empty_selector_picks_everything(selector):
    assert selects(selector, {})
    assert selects(selector, {"a": "x"})


def test_not_in_picks_objects_without_the_label():
    selector = LabelSelector(match_expressions=[Requirement("runlevel", "NotIn", ["0", "1"])])

    assert selects(selector, {})
    assert not selects(selector, {"runlevel": "0"})


def test_a_selector_is_written_as_kubectl_writes_it():
    selector = LabelSelector(
        {"team": "a"},
        [Requirement("tier", "NotIn", ["web", "db"]), Requirement("x", "Exists"), Requirement("y", "DoesNotExist")],
    )

    assert written(selector) == "team=a,tier notin (web,db),x,!y"
    assert written(None) is None
