"""What a workload is to all others, so that a pair can tell what would be missed from what would not.

For pairs that read the group `workloads` and, as `optional`, `v1/services`, `networking.k8s.io/v1/ingresses`,
`gateway.networking.k8s.io/v1/httproutes`, both kinds of webhook configurations and `apiregistration.k8s.io/v1/apiservices`.
"""

from kubegap.cluster.dependents import is_behind_api, is_behind_webhook, is_routed, services_before
from kubegap.cluster.dns import is_dns
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.apps import StatefulSet
from kubegap.cluster.programs import Program, program_of, runs
from kubegap.cluster.requests import running_containers
from kubegap.cluster.services import is_open_to_outside
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates


def duties_of(snapshot: Snapshot, template: Template) -> tuple[str, ...]:
    """What others have of a workload: `dns`, `webhook`, `api`, `outside`, `route`, `data`, and the program that its image names.

    `outside`: traffic from outside the cluster comes in through a Service or ports of the node. `data`: it keeps volumes
    of its own. Programs are the words of `Program`, such as `ingress` or `monitoring`.
    """
    services = services_before(snapshot, template)
    found = {
        "dns": any(map(is_dns, services)),
        "webhook": is_behind_webhook(snapshot, services),
        "api": is_behind_api(snapshot, services),
        "outside": any(map(is_open_to_outside, services)) or _is_door_on_nodes(template),
        "route": is_routed(snapshot, services),
        "data": template.owner.kind == "StatefulSet" and _has_volumes(template),
    }
    program = main_program(template)
    return tuple(dict.fromkeys([*(name for name, holds in found.items() if holds), *([program] if program else [])]))


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


def _is_door_on_nodes(template: Template) -> bool:
    """Whether an ingress controller takes traffic at the nodes' own ports."""
    ports = (port for container in running_containers(template.spec) for port in container.ports or ())
    return main_program(template) is Program.INGRESS and any(port.host_port for port in ports)


def _has_volumes(template: Template) -> bool:
    is_claimed = isinstance(template.source, StatefulSet) and bool(template.source.spec.volume_claim_templates)
    return is_claimed or any(volume.persistent_volume_claim for volume in template.running_spec.volumes or ())
