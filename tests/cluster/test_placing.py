"""What pods ask of nodes that the provider may take back."""

import pytest

from kubegap.cluster.fields import (
    Affinity,
    NodeAffinity,
    NodeSelector,
    NodeSelectorTerm,
    PodSpec,
    Requirement,
    Toleration,
)
from kubegap.cluster.placing import wants_spot


def chosen(operator, *values):
    term = NodeSelectorTerm([Requirement("karpenter.sh/capacity-type", operator, list(values))])
    return PodSpec(affinity=Affinity(NodeAffinity(NodeSelector([term]))))


@pytest.mark.parametrize(
    ("pod", "wants"),
    [
        (PodSpec(), False),
        (PodSpec(node_selector={"cloud.google.com/gke-spot": "true"}), True),
        (PodSpec(node_selector={"cloud.google.com/gke-spot": "false"}), False),
        (PodSpec(tolerations=[Toleration("kubernetes.azure.com/scalesetpriority", "Equal", "spot")]), True),
        (PodSpec(tolerations=[Toleration(operator="Exists")]), False),
        (chosen("In", "on-demand", "spot"), True),
        (chosen("NotIn", "spot"), False),
        (PodSpec(affinity=Affinity(NodeAffinity())), False),
    ],
)
def test_spot_is_asked_for_or_put_up_with(pod, wants):
    assert wants_spot(pod) is wants
