"""Match conditions: what is told, and that everything else is left open and never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubegap.cluster.expressions import holds

FACTS = {
    "request.namespace": "kube-system",
    "request.operation": "CREATE",
    "request.resource.group": "",
    "request.resource.resource": "pods",
    "request.userInfo.username": "system:node:a",
    "request.userInfo.groups": ("system:nodes", "system:authenticated"),
}


@pytest.mark.parametrize(
    "expression",
    [
        "request.namespace == 'kube-system'",
        'request.namespace != "shop"',
        "request.namespace in ['a', 'kube-system']",
        "'system:nodes' in request.userInfo.groups",
        "request.userInfo.username.startsWith('system:node:')",
        "request.namespace.endsWith('-system') && request.namespace.contains('be-s')",
        "!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')",
        "request.namespace == 'x' || request.operation == 'CREATE'",
        "request . namespace == 'kube-system'",
        "true",
        "!false && !(false || false)",
        "object.x == 'y' || true",
    ],
)
def test_true_expressions(expression):
    assert holds(expression, FACTS) is True


@pytest.mark.parametrize(
    "expression",
    [
        "request.namespace != 'kube-system'",
        "!(request.namespace in ['kube-system'])",
        "request.namespace in []",
        "!('system:nodes' in request.userInfo.groups)",
        "!request.userInfo.username.startsWith('system:')",
        "has(object.metadata) && false",
        "false && object.spec.x == 'y'",
    ],
)
def test_false_expressions(expression):
    assert holds(expression, FACTS) is False


@pytest.mark.parametrize(
    "expression",
    [
        "object.metadata.labels['a'] == 'b'",
        "has(object.metadata.labels)",
        "request.namespace.matches('^kube-')",
        "authorizer.group('x').resource('y').check('use').allowed()",
        "request.namespace == 'kube-system' ? true : false",
        "request.dryRun == true",
        "request.namespace > 'a'",
        "object.spec.x == 'y' || false",
        "request.namespace == true",
        r"request.namespace == 'kube\x2dsystem'",
        "request.userInfo.groups.exists(g, g == 'system:nodes')",
        "request.namespace",
        "request.namespace ==",
        "('a'",
        "",
        "true true",
        "!" * 5000 + "true",
        "(" * 500 + "true" + ")" * 500,
    ],
)
def test_what_cannot_be_told_is_left_open(expression):
    assert holds(expression, FACTS) is None


def test_and_binds_tighter_than_or():
    assert holds("true || false && false", {}) is True


@given(st.text(alphabet="!()[]&|=.,'\" abrequestnamspcif\\\n", max_size=60))
def test_no_expression_breaks_the_reader(expression):
    assert holds(expression, FACTS) in {True, False, None}
