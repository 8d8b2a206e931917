"""Which requests the API server sends to a webhook: the corners of rules, scopes and selectors."""

import pytest

from kubegap.cluster.admission import Request, chooses_namespace, chooses_object, conditions_hold, covers, written
from kubegap.cluster.fields import LabelSelector, MatchCondition, Rule, Webhook

POD = Request(operation="CREATE", resource="pods", namespace="kube-system")
EVICTION = Request(operation="CREATE", resource="pods", subresource="eviction", namespace="shop")
NODE = Request(operation="UPDATE", resource="nodes")
NAMESPACE = Request(operation="UPDATE", resource="namespaces")
EVENT = Request(operation="CREATE", resource="events", namespace="x", equivalents=(("events.k8s.io", "v1"),))
TEAM = LabelSelector({"team": "a"})


def rule(resource="*", group="*", version="*", operation="*", scope=None):
    return Rule([operation], [group], [version], [resource], scope)


@pytest.mark.parametrize(
    ("request_", "resource", "covered"),
    [
        (POD, "pods", True),
        (POD, "*", True),
        (POD, "*/*", True),
        (POD, "pods/*", True),
        (POD, "pods/eviction", False),
        (EVICTION, "pods", False),
        (EVICTION, "*", False),
        (EVICTION, "pods/eviction", True),
        (EVICTION, "*/eviction", True),
        (EVICTION, "*/*", True),
        (EVICTION, "pods/*", True),
    ],
)
def test_resources_and_subresources(request_, resource, covered):
    assert bool(covers(Webhook(rules=[rule(resource)]), request_)) is covered


@pytest.mark.parametrize(
    ("request_", "scope", "covered"),
    [
        (POD, "Namespaced", True),
        (POD, "Cluster", False),
        (NODE, "Namespaced", False),
        (NODE, "Cluster", True),
        (NAMESPACE, "Namespaced", False),
        (NAMESPACE, "Cluster", True),
        (NODE, "*", True),
        (POD, None, True),
    ],
)
def test_scopes(request_, scope, covered):
    assert bool(covers(Webhook(rules=[rule(scope=scope)]), request_)) is covered


@pytest.mark.parametrize(
    "narrow",
    [rule(operation="DELETE"), rule(group="apps"), rule(version="v1beta1"), Rule(), Rule(["*"], ["*"], ["*"], None)],
)
def test_rules_that_ask_for_something_else(narrow):
    assert covers(Webhook(rules=[narrow]), POD) is None


def test_an_equivalent_group_counts_unless_the_match_policy_is_exact():
    by_other_group = [rule("events", group="events.k8s.io")]

    assert covers(Webhook(rules=by_other_group), EVENT)
    assert covers(Webhook(rules=by_other_group, match_policy="Exact"), EVENT) is None


def test_cluster_scoped_kinds_ignore_the_namespace_selector():
    assert chooses_namespace(Webhook(namespace_selector=TEAM), NODE, {})


def test_namespace_objects_are_judged_by_their_own_labels():
    webhook = Webhook(namespace_selector=TEAM)

    assert chooses_namespace(webhook, NAMESPACE, {"team": "a"})
    assert not chooses_namespace(webhook, NAMESPACE, {})


def test_one_picked_object_is_enough():
    webhook = Webhook(object_selector=TEAM)

    assert chooses_object(webhook, [{}, {"team": "a"}])
    assert not chooses_object(webhook, [{}, {"team": "b"}])


def test_a_false_condition_decides_over_one_that_cannot_be_told():
    unknown, false = MatchCondition("a", "object.x == 'y'"), MatchCondition("b", "request.resource.resource == 'x'")

    assert conditions_hold(Webhook(match_conditions=[unknown, false]), POD) is False
    assert conditions_hold(Webhook(match_conditions=[unknown]), POD) is None
    assert conditions_hold(Webhook(), POD) is True


def test_an_empty_field_is_absent_for_conditions():
    namespace_asked = Webhook(match_conditions=[MatchCondition("a", "request.namespace != 'kube-system'")])

    assert conditions_hold(namespace_asked, NODE) is None


def test_the_core_group_is_present_and_empty_for_conditions():
    core_asked = Webhook(match_conditions=[MatchCondition("a", "request.resource.group == ''")])

    assert conditions_hold(core_asked, POD) is True


def test_a_rule_in_one_line():
    assert written(Rule(["CREATE"], [""], ["v1"], ["pods"], "Namespaced")) == 'CREATE ""/v1 pods scope=Namespaced'
