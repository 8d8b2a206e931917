"""The parts that Kubernetes objects are made of, with only the fields that checks read.

Every field may be absent, as it may in the API. Where kubectl and charts also write null, the type allows it.
"""

from datetime import datetime
from typing import Literal

from msgspec import Struct


class Requirement(Struct, frozen=True):
    """One expression of a label selector."""

    key: str
    operator: str
    values: list[str] | None = None


class LabelSelector(Struct, frozen=True, rename="camel"):
    """`metav1.LabelSelector`; the rules are in `selectors`."""

    match_labels: dict[str, str] | None = None
    match_expressions: list[Requirement] | None = None


class Rule(Struct, frozen=True, rename="camel"):
    """Which requests a webhook asks for; the rules of matching are in `admission`."""

    operations: list[str] | None = None
    api_groups: list[str] | None = None
    api_versions: list[str] | None = None
    resources: list[str] | None = None
    scope: str | None = None


class MatchCondition(Struct, frozen=True):
    """A CEL expression that must hold for the webhook to be called."""

    name: str = ""
    expression: str = ""


class ServiceReference(Struct, frozen=True):
    """The Service behind a webhook."""

    namespace: str = ""
    name: str = ""


class ClientConfig(Struct, frozen=True):
    """How the API server reaches a webhook: a Service in the cluster, or a URL."""

    service: ServiceReference | None = None
    url: str | None = None


class Webhook(Struct, frozen=True, rename="camel"):
    """One webhook of a configuration, validating or mutating: the fields read are the same."""

    name: str = ""
    client_config: ClientConfig = ClientConfig()
    rules: list[Rule] | None = None
    failure_policy: Literal["Fail", "Ignore"] | None = None
    match_policy: Literal["Exact", "Equivalent"] | None = None
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    match_conditions: list[MatchCondition] | None = None


class EndpointConditions(Struct, frozen=True):
    """Whether traffic may go to an endpoint; an unknown `ready` counts as ready, as the API says."""

    ready: bool | None = None


class ObjectReference(Struct, frozen=True):
    """The pod behind an endpoint."""

    kind: str = ""
    name: str = ""


class Endpoint(Struct, frozen=True, rename="camel"):
    """One backend of a Service."""

    addresses: list[str] | None = None
    conditions: EndpointConditions | None = None
    node_name: str | None = None
    target_ref: ObjectReference | None = None


class ServicePort(Struct, frozen=True):
    """One port of a Service."""

    port: int = 0


class ServiceSpec(Struct, frozen=True, rename={"cluster_ip": "clusterIP"}):
    """Which pods a Service sends traffic to, and from where: `LoadBalancer` and `NodePort` also from outside."""

    type: str | None = None
    cluster_ip: str | None = None
    selector: dict[str, str] | None = None
    ports: list[ServicePort] | None = None


class Toleration(Struct, frozen=True):
    """A taint that a pod puts up with; the rules are in `placing`."""

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None


class NodeSelectorTerm(Struct, frozen=True, rename="camel"):
    """Expressions over labels and fields of a node that must all hold."""

    match_expressions: list[Requirement] | None = None
    match_fields: list[Requirement] | None = None


class NodeSelector(Struct, frozen=True, rename="camel"):
    """Terms of which one must hold."""

    node_selector_terms: list[NodeSelectorTerm] | None = None


class NodeAffinity(Struct, frozen=True, rename={"required": "requiredDuringSchedulingIgnoredDuringExecution"}):
    """The nodes that a pod must have; preferences are not read."""

    required: NodeSelector | None = None


class PodAffinityTerm(Struct, frozen=True, rename="camel"):
    """Between what pods are kept apart, such as `kubernetes.io/hostname`."""

    topology_key: str = ""


class WeightedPodAffinityTerm(Struct, frozen=True, rename="camel"):
    """The same as a wish."""

    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


class PodAntiAffinity(
    Struct,
    frozen=True,
    rename={
        "required": "requiredDuringSchedulingIgnoredDuringExecution",
        "preferred": "preferredDuringSchedulingIgnoredDuringExecution",
    },
):
    """What keeps pods apart."""

    required: list[PodAffinityTerm] | None = None
    preferred: list[WeightedPodAffinityTerm] | None = None


class Affinity(Struct, frozen=True, rename="camel"):
    """Where a pod must or wants to run."""

    node_affinity: NodeAffinity | None = None
    pod_anti_affinity: PodAntiAffinity | None = None


class TopologySpreadConstraint(Struct, frozen=True, rename="camel"):
    """How evenly pods are to be spread, and whether that is a must (`DoNotSchedule`)."""

    topology_key: str = ""
    when_unsatisfiable: str = ""


# As the API writes quantities; manifests also write bare numbers. The rules are in `quantities`.
Quantity = str | int | float


class ResourceRequirements(Struct, frozen=True):
    """What a container asks for, and the most that it may use."""

    requests: dict[str, Quantity] | None = None
    limits: dict[str, Quantity] | None = None


class Container(Struct, frozen=True):
    """A container; its environment and arguments are never read."""

    name: str = ""
    resources: ResourceRequirements | None = None


class VolumeClaimSource(Struct, frozen=True, rename="camel"):
    """The claim behind a volume."""

    claim_name: str = ""


class Volume(Struct, frozen=True, rename="camel"):
    """A volume of a pod; only whether it is a claim, and which."""

    persistent_volume_claim: VolumeClaimSource | None = None


class PodResourceClaim(Struct, frozen=True):
    """A device that is asked for through dynamic resource allocation."""

    name: str = ""


class PodSpec(Struct, frozen=True, rename="camel"):
    """Where a pod runs, may run and what it needs there."""

    node_name: str | None = None
    node_selector: dict[str, str] | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    topology_spread_constraints: list[TopologySpreadConstraint] | None = None
    priority_class_name: str | None = None
    restart_policy: str | None = None
    containers: list[Container] | None = None
    resource_claims: list[PodResourceClaim] | None = None
    volumes: list[Volume] | None = None


class Condition(Struct, frozen=True, rename="camel"):
    """One condition of a node; what a status means depends on the type."""

    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: datetime | None = None
    last_heartbeat_time: datetime | None = None


class PodCondition(Struct, frozen=True):
    """One condition of a pod, without its words and times: there are four for every pod."""

    type: str = ""
    status: str = ""


class PodStatus(Struct, frozen=True):
    """How a pod is; `reason` and `message` say why the kubelet refused or evicted it."""

    phase: str | None = None
    reason: str | None = None
    message: str | None = None
    conditions: list[PodCondition] | None = None


class Taint(Struct, frozen=True):
    """What keeps pods off a node unless they tolerate it."""

    key: str = ""
    value: str | None = None
    effect: str = ""


class NodeSpec(Struct, frozen=True, rename={"provider_id": "providerID"}):
    """Who made the machine (`aws:///eu-west-1a/i-0abc`), and whether new pods may run on it."""

    provider_id: str | None = None
    unschedulable: bool | None = None
    taints: list[Taint] | None = None


class NodeInfo(Struct, frozen=True, rename="camel"):
    """The kubelet's version, whose suffix names the provider: `v1.33.5-eks-113cf36`."""

    kubelet_version: str = ""


class NodeStatus(Struct, frozen=True, rename="camel"):
    """What the kubelet and other agents report."""

    node_info: NodeInfo | None = None
    capacity: dict[str, Quantity] | None = None
    allocatable: dict[str, Quantity] | None = None
    conditions: list[Condition] | None = None
