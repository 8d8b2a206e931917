"""Containers whose memory nobody counts and nothing bounds."""

from collections.abc import Iterator, Sequence

from kubegap.checks.model import Confidence, Evidence, Finding, Message, Severity, Subject
from kubegap.cluster.capacity import short_of_memory
from kubegap.cluster.containers import Container
from kubegap.cluster.duties import duties_of, nodes_leaned_on
from kubegap.cluster.objects import Node, Service
from kubegap.cluster.placing import nodes_for
from kubegap.cluster.programs import Program, program_of
from kubegap.cluster.providers import is_for_development, is_run_by_provider
from kubegap.cluster.requests import defaults_in, is_sidecar, requested, requests_of, running_containers
from kubegap.cluster.snapshot import Origin, Snapshot
from kubegap.cluster.templates import Template, templates_by_subject

MEMORY = "memory"
WORSE = {Severity.LOW: Severity.MEDIUM, Severity.MEDIUM: Severity.HIGH}
# Parts of a workload, each with its containers that ask for no memory.
Lacks = Sequence[tuple[Template, Sequence[Container]]]


def find(cluster: Snapshot) -> Iterator[Finding]:
    """One finding for each workload with a container that asks for no memory; a limit counts as a request."""
    for subject, parts in templates_by_subject(cluster).items():
        if lacks := [(template, found) for template in parts if (found := list(_lacking(cluster, template)))]:
            yield _finding(cluster, subject, lacks)


def guard_provider_owned(cluster: Snapshot, template: Template) -> bool:
    """The provider or installer set it so, and would set it so again."""
    return is_run_by_provider(template, cluster.provider)


def guard_static(template: Template) -> bool:
    """Static pods are the node's own, no LimitRange reaches them, and the kubelet does not evict them."""
    return template.owner.kind == "Node"


def guard_not_wanted(template: Template) -> bool:
    """Suspended, or scaled to none."""
    return template.is_suspended


def guard_pod_level(template: Template) -> bool:
    """The pod asks as a whole."""
    return MEMORY in requests_of(template.spec.resources)


def guard_limit_range(cluster: Snapshot, template: Template) -> bool:
    """No pod is there yet, and a LimitRange will write the request into it."""
    return not template.pods and MEMORY in defaults_in(cluster, template.namespace)


def guard_prepares(template: Template, container: Container) -> bool:
    """An init container ends before the pod serves."""
    return container in (template.spec.init_containers or ()) and not is_sidecar(container)


def guard_mesh_sidecar(template: Template, container: Container) -> bool:
    """What the proxy of a service mesh asks for is set by its injector."""
    is_proxy = program_of(container.image or "") is Program.MESH_PROXY
    return is_proxy and len(running_containers(template.spec)) > 1


def guard_set_at_admission(template: Template, container: Container) -> bool:
    """A LimitRange, a VerticalPodAutoscaler or another webhook wrote the request into the running pod."""
    running = running_containers(template.running_spec)
    return any(one.name == container.name and MEMORY in requests_of(one.resources) for one in running)


def guard_nodes_apart(cluster: Snapshot, template: Template) -> bool:
    """None of the nodes that the batch pods run on, or may run on, carries what others lean on."""
    nodes = {node.name for node in nodes_for(cluster, template.spec)}
    return nodes_leaned_on(cluster).isdisjoint(nodes | {pod.spec.node_name for pod in template.pods})


def guard_development(cluster: Snapshot) -> bool:
    """On a cluster of one node or on somebody's own machine nobody else is harmed."""
    return is_for_development(cluster.of(Node))


def _lacking(cluster: Snapshot, template: Template) -> Iterator[Container]:
    if guard_provider_owned(cluster, template) or guard_static(template) or guard_not_wanted(template):
        return
    if guard_pod_level(template) or guard_limit_range(cluster, template):
        return
    for container in (*(template.spec.init_containers or ()), *(template.spec.containers or ())):
        excused = guard_prepares(template, container) or guard_mesh_sidecar(template, container)
        asks = MEMORY in requests_of(container.resources) or guard_set_at_admission(template, container)
        if not (excused or asks):
            yield container


def _harms(cluster: Snapshot, template: Template) -> tuple[str, ...]:
    """Why others suffer, as words of the page."""
    batch = template.is_batch and not guard_nodes_apart(cluster, template)
    agent = ["every-node"] if template.is_on_every_node else []
    return (*duties_of(cluster, template), *agent, *(["batch"] if batch else []))


def _shares_unseen(cluster: Snapshot, template: Template) -> bool:
    """Whether batch pods may share nodes all the same, for want of nodes or Services; manifests have no nodes at all."""
    is_seen = cluster.source.origin is Origin.MANIFESTS or (cluster.has(Node) and cluster.has(Service))
    return template.is_batch and guard_nodes_apart(cluster, template) and not is_seen


def _severity(harms: Sequence[str], template: Template) -> Severity:
    if not harms:
        return Severity.LOW
    severity = Severity.HIGH if "dns" in harms or {"ingress", "outside"} <= set(harms) else Severity.MEDIUM
    # Where other containers of the pod ask, it is not the first to go.
    return severity.milder if requested(template.spec).get(MEMORY) else severity


def _finding(cluster: Snapshot, subject: Subject, lacks: Lacks) -> Finding:
    harms = [_harms(cluster, template) for template, _ in lacks]
    pressed = short_of_memory(cluster, [pod for template, _ in lacks for pod in template.pods])
    severity = Severity.worst(_severity(words, template) for words, (template, _) in zip(harms, lacks, strict=True))
    is_dev = guard_development(cluster)
    names = tuple(dict.fromkeys(container.name for _, containers in lacks for container in containers))
    unseen = any(_shares_unseen(cluster, template) for template, _ in lacks)
    told = {
        "no-memory": tuple(f"`{name}`" for name in names),
        "harms": tuple(dict.fromkeys(word for words in harms for word in words)),
        "pressure": tuple(f"`{name}`" for name in pressed),
        "nodes-unseen": ("nodes-unseen",) if unseen else (),
        "development": ("development",) if is_dev else (),
    }
    return Finding(
        subject=subject,
        severity=Severity.INFO if is_dev else WORSE.get(severity, severity) if pressed else severity,
        confidence=Confidence.OBSERVED if pressed else Confidence.CONFIG,
        messages=tuple(Message(key, {"names": words}) for key, words in told.items() if words),
        evidence=tuple(_evidence(lacks, pressed)),
        members=names,
    )


def _evidence(lacks: Lacks, pressed: Sequence[str]) -> Iterator[Evidence]:
    for template, containers in lacks:
        for container in containers:
            path = f"{template.path_of(container)}.resources.requests.memory"
            yield Evidence(template.place, path, None)
    for name in pressed:
        yield Evidence(f"Node/{name}", "status.conditions[MemoryPressure]", "True", "False")
