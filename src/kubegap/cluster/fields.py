"""The parts that Kubernetes objects are made of, with only the fields that checks read.

Every field may be absent, as it may in the API. Where kubectl and charts also write null, the type allows it.
"""

from datetime import datetime
from typing import Literal

from msgspec import Struct, field

from kubegap.cluster.containers import Container, ContainerStatus, Quantity, ResourceRequirements, Volume


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
    """The Service behind a webhook or an aggregated API; without a port it is asked on 443."""

    namespace: str = ""
    name: str = ""
    port: int | None = None


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


class ObjectReference(Struct, frozen=True):
    """Another object, such as the pod behind an endpoint."""

    kind: str = ""
    name: str = ""


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


class PodResourceClaim(Struct, frozen=True, rename="camel"):
    """A device that is asked for through dynamic resource allocation: by a claim, or by a template that makes one."""

    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class ReadinessGate(Struct, frozen=True):
    """A condition that somebody else sets and that a pod waits for before it is ready; only that it is there."""


class PodOS(Struct, frozen=True):
    """`linux` or `windows`."""

    name: str = ""


class PodSpec(Struct, frozen=True, rename="camel"):
    """Where a pod runs, may run and what it needs there; `resources` are those of the pod as a whole."""

    node_name: str | None = None
    node_selector: dict[str, str] | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    topology_spread_constraints: list[TopologySpreadConstraint] | None = None
    priority_class_name: str | None = None
    priority: int | None = None
    preemption_policy: str | None = None
    restart_policy: str | None = None
    init_containers: list[Container] | None = None
    containers: list[Container] | None = None
    resources: ResourceRequirements | None = None
    overhead: dict[str, Quantity] | None = None
    resource_claims: list[PodResourceClaim] | None = None
    readiness_gates: list[ReadinessGate] | None = None
    volumes: list[Volume] | None = None
    host_network: bool | None = None
    host_ipc: bool | None = field(default=None, name="hostIPC")
    os: PodOS | None = None


class TemplateMetadata(Struct, frozen=True):
    """What pods made from a template carry."""

    labels: dict[str, str] | None = None


class PodTemplate(Struct, frozen=True):
    """What a workload makes its pods from."""

    metadata: TemplateMetadata = TemplateMetadata()
    spec: PodSpec = PodSpec()


class Condition(Struct, frozen=True, rename="camel"):
    """One condition of an object; what a status means depends on the type."""

    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: datetime | None = None
    last_heartbeat_time: datetime | None = None


class PodCondition(Struct, frozen=True, rename="camel"):
    """One condition of a pod; words and time are kept only where it tells of trouble (`sharing`): there are five for every pod."""

    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: datetime | None = None


class PodStatus(Struct, frozen=True, rename="camel"):
    """How a pod is; `reason` and `message` say why the kubelet refused or evicted it."""

    phase: str | None = None
    reason: str | None = None
    message: str | None = None
    conditions: list[PodCondition] | None = None
    init_container_statuses: list[ContainerStatus] | None = None
    container_statuses: list[ContainerStatus] | None = None


class Taint(Struct, frozen=True, rename="camel"):
    """What keeps pods off a node unless they tolerate it; the time is there where the node controller set it."""

    key: str = ""
    value: str | None = None
    effect: str = ""
    time_added: datetime | None = None


class NodeSpec(Struct, frozen=True, rename="camel"):
    """Who made the machine (`aws:///eu-west-1a/i-0abc`), whether new pods may run on it, and their addresses there."""

    provider_id: str | None = field(default=None, name="providerID")
    unschedulable: bool | None = None
    taints: list[Taint] | None = None
    pod_cidrs: list[str] | None = field(default=None, name="podCIDRs")


class NodeInfo(Struct, frozen=True, rename="camel"):
    """What runs on the machine; the suffix of the kubelet's version names the provider: `v1.33.5-eks-113cf36`."""

    kubelet_version: str = ""
    operating_system: str = ""
    architecture: str = ""


class NodeAddress(Struct, frozen=True):
    """An address of a node; one of type `InternalIP` is needed to reach its pods."""

    type: str = ""
    address: str = ""


class NodeStatus(Struct, frozen=True, rename="camel"):
    """What the kubelet and other agents report."""

    node_info: NodeInfo | None = None
    addresses: list[NodeAddress] | None = None
    capacity: dict[str, Quantity] | None = None
    allocatable: dict[str, Quantity] | None = None
    conditions: list[Condition] | None = None
