"""What a workload is to all others, so that a pair can tell what would be missed from what would not.

For pairs that read the group `workloads` and, as `optional`, `v1/services`, `networking.k8s.io/v1/ingresses`,
`gateway.networking.k8s.io/v1/httproutes`, both kinds of webhook configurations, `apiregistration.k8s.io/v1/apiservices` and
`apiextensions.k8s.io/v1/customresourcedefinitions`.
"""

from kubegap.cluster.dependents import services_before, ties_of
from kubegap.cluster.dns import is_dns
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.apps import StatefulSet
from kubegap.cluster.programs import Program, has_data_plane_elsewhere, program_of, runs
from kubegap.cluster.requests import running_containers
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates


def duties_of(snapshot: Snapshot, template: Template) -> tuple[str, ...]:
    """What others have of a workload: `dns`, what `ties_of` names, `data`, and the program that its image names.

    `outside` is also told of an ingress controller at the nodes' own ports. `data`: it keeps volumes of its own. Programs are
    the words of `Program`, such as `ingress` or `monitoring`.
    """
    services = services_before(snapshot, template)
    program = main_program(template)
    found = [
        *(["dns"] if any(map(is_dns, services)) else []),
        *ties_of(snapshot, services),
        *(["outside"] if is_door_on_nodes(template) else []),
        *(["data"] if template.owner.kind == "StatefulSet" and _has_volumes(template) else []),
        *([program] if program else []),
    ]
    return tuple(dict.fromkeys(found))


@indexed
def nodes_leaned_on(snapshot: Snapshot) -> frozenset[str]:
    """The nodes, by name, with pods that have duties; agents on every node and pods that run to an end do not count."""
    standing = (one for one in templates(snapshot) if not (one.is_on_every_node or one.is_batch))
    pods = (pod for one in standing if one.pods and duties_of(snapshot, one) for pod in one.pods)
    return frozenset(pod.spec.node_name for pod in pods if pod.spec.node_name)


def main_program(template: Template) -> Program | None:
    """The program of the first container, by its image; an ingress controller wherever it stands.

    The others help the first: a collector of logs beside it makes no monitoring of a shop.
    """
    if runs(template.spec, {Program.INGRESS}):
        return Program.INGRESS
    first = next(iter(template.spec.containers or ()), None)
    program = program_of(first.image or "") if first else None
    return None if program is Program.MESH_PROXY else program


def is_door_on_nodes(template: Template) -> bool:
    """Whether an ingress controller takes traffic at the nodes' own ports; one that only sets up what others carry takes none."""
    spec = template.running_spec
    ports = (port for container in running_containers(spec) for port in container.ports or ())
    is_on_nodes = bool(spec.host_network) or any(port.host_port for port in ports)
    return is_on_nodes and main_program(template) is Program.INGRESS and not has_data_plane_elsewhere(spec)


def _has_volumes(template: Template) -> bool:
    is_claimed = isinstance(template.source, StatefulSet) and bool(template.source.spec.volume_claim_templates)
    return is_claimed or any(volume.persistent_volume_claim for volume in template.running_spec.volumes or ())
