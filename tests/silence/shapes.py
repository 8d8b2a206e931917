"""Shapes of healthy workloads, each a function of its place and name; many look like a gap and are none."""

from __future__ import annotations

from collections.abc import Callable

from tests.silence.objects import (
    EVERYWHERE,
    RUNS,
    Thing,
    autoscaler,
    budget,
    claim,
    claim_volume,
    container,
    cron_job,
    daemon_set,
    deployment,
    ingress,
    job,
    job_spec,
    lease,
    memory_volume,
    resources,
    service,
    stateful_set,
    thing,
)

Shape = Callable[[str, str], list[Thing]]
IMAGE = "registry.example.com/{}:3.{}.1"
GPU = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
SPOT = {"key": "spot", "operator": "Exists", "effect": "NoSchedule"}


def _image(name: str) -> str:
    return IMAGE.format(name, len(name))


def _app(name: str, port: int | None = 8080, **more: object) -> Thing:
    return container(name, _image(name), port, **more)


def _served(place: str, made: Thing, port: int | str = 8080, **more: object) -> list[Thing]:
    """A workload with a Service and a budget of its own."""
    name = made["metadata"]["name"]
    return [made, service(place, name, {"app": name}, 80, port, **more), budget(place, name, {"app": name})]


def web(place: str, name: str) -> list[Thing]:
    """Behind the ingress, with an autoscaler."""
    made = deployment(place, name, 3, [_app(name)], priorityClassName="serving")
    routed = ingress(place, name, f"{name}.{place}.example.com", "nginx")
    return [*_served(place, made), autoscaler(place, name, 3, 12), routed]


def internal(place: str, name: str) -> list[Thing]:
    return _served(place, deployment(place, name, 2, [_app(name)], priorityClassName="serving"))


def by_digest(place: str, name: str) -> list[Thing]:
    digest = f"registry.example.com/{name}@sha256:" + "0123456789abcdef" * 4
    return _served(place, deployment(place, name, 2, [container(name, digest, 8080)], priorityClassName="serving"))


def on_arm(place: str, name: str) -> list[Thing]:
    made = deployment(place, name, 2, [_app(name)], nodeSelector={"kubernetes.io/arch": "arm64"})
    return _served(place, made)


def on_both_architectures(place: str, name: str) -> list[Thing]:
    """One tag of an index that old runtimes resolve to another digest on every architecture."""
    wanted = {"key": "pool", "operator": "In", "values": ["arm", "memory"]}
    required = {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [wanted]}]}
    }
    return _served(place, deployment(place, name, 6, [_app(name)], affinity={"nodeAffinity": required}))


def with_helpers(place: str, name: str) -> list[Thing]:
    """An init container, a sidecar that is one, and a container that serves nothing."""
    prepare = container("prepare", _image("prepare"))
    proxy = container("istio-proxy", "docker.io/istio/proxyv2:1.27.1", 15090, restartPolicy="Always")
    logs = container("logs", "cr.fluentbit.io/fluent/fluent-bit:4.1.0")
    return _served(place, deployment(place, name, 2, [_app(name), logs], initContainers=[prepare, proxy]))


def with_pod_resources(place: str, name: str) -> list[Thing]:
    """Requests and limits of the pod as a whole."""
    one = _app(name)
    del one["resources"]
    whole = {"requests": {"cpu": "200m", "memory": "256Mi"}, "limits": {"cpu": "1", "memory": "256Mi"}}
    return _served(place, deployment(place, name, 2, [one], resources=whole))


def with_grpc_probe(place: str, name: str) -> list[Thing]:
    return _served(place, deployment(place, name, 2, [_app(name, readinessProbe={"grpc": {"port": 8080}})]))


def with_exec_probe(place: str, name: str) -> list[Thing]:
    probe = {"exec": {"command": ["/bin/ready"]}}
    return _served(place, deployment(place, name, 2, [_app(name, readinessProbe=probe)]), "http")


def with_percent_budget(place: str, name: str) -> list[Thing]:
    made = deployment(place, name, 4, [_app(name)], priorityClassName="serving")
    served = service(place, name, {"app": name})
    return [made, served, budget(place, name, {"app": name}, minAvailable="50%")]


def on_node_ports(place: str, name: str) -> list[Thing]:
    return _served(place, deployment(place, name, 2, [_app(name)], priorityClassName="serving"), type="NodePort")


def quorum(place: str, name: str) -> list[Thing]:
    """Three members that find each other before they are ready."""
    made = stateful_set(place, name, 3, [_app(name, 2379)], priorityClassName="serving")
    hidden = service(place, name, {"app": name}, 2379, 2379, clusterIP="None", publishNotReadyAddresses=True)
    return [made, hidden, budget(place, name, {"app": name})]


def gossip(place: str, name: str) -> list[Thing]:
    """Members that only look each other up, and so need no readiness."""
    made = stateful_set(place, name, 3, [_app(name, None)], claims=[])
    hidden = service(place, name, {"app": name}, 7946, 7946, clusterIP="None", publishNotReadyAddresses=True)
    return [made, hidden, budget(place, name, {"app": name})]


def with_canary(place: str, name: str) -> list[Thing]:
    """One pod of the next version behind the Service of three of this one."""
    app = {"app": name}
    stable = deployment(place, name, 3, [_app(name)], labels={"track": "stable"})
    canary = deployment(place, f"{name}-canary", 1, [_app(name)], labels={**app, "track": "canary"})
    return [stable, canary, service(place, name, app), budget(place, name, app)]


def database(place: str, name: str) -> list[Thing]:
    """One, on a volume that a single node can mount."""
    made = stateful_set(place, name, 1, [_app(name, 5432)], priorityClassName="serving")
    return [made, service(place, name, {"app": name}, 5432, 5432)]


def replaced(place: str, name: str) -> list[Thing]:
    """One, that is taken down before the next comes up, for the volume's sake."""
    volume = claim_volume("data", name)
    made = deployment(place, name, 1, [_app(name, 6379)], strategy={"type": "Recreate"}, volumes=[volume])
    return [claim(place, name), made, service(place, name, {"app": name}, 6379, 6379)]


def workers(place: str, name: str) -> list[Thing]:
    """Two that nobody calls."""
    return [deployment(place, name, 2, [_app(name, None)]), budget(place, name, {"app": name})]


def queue_worker(place: str, name: str) -> list[Thing]:
    return [deployment(place, name, 1, [_app(name, None)])]


def on_spot(place: str, name: str) -> list[Thing]:
    """Cheap and cheerful: it reads a queue, and what it lost comes back to the queue."""
    more = {"nodeSelector": {"pool": "spot"}, "tolerations": [SPOT], "priorityClassName": "batch"}
    return [
        deployment(place, name, 6, [_app(name, None)], **more),
        budget(place, name, {"app": name}, maxUnavailable="50%"),
    ]


def scaled_to_zero(place: str, name: str) -> list[Thing]:
    made = deployment(place, name, 0, [_app(name)], annotations={"autoscaling.keda.sh/paused-replicas": "0"})
    return [made, service(place, name, {"app": name}), budget(place, name, {"app": name})]


def daily(place: str, name: str) -> list[Thing]:
    work = job_spec([_app(name, None)], priorityClassName="batch")
    return [cron_job(place, name, "0 4 * * *", work, timeZone="Asia/Seoul")]


def every_ten_minutes(place: str, name: str) -> list[Thing]:
    work = job_spec([_app(name, None)], activeDeadlineSeconds=300)
    return [cron_job(place, name, "*/10 * * * *", work, concurrencyPolicy="Replace")]


def suspended(place: str, name: str) -> list[Thing]:
    return [cron_job(place, name, "0 4 1 1 *", job_spec([_app(name, None)]), suspend=True)]


def migrated(place: str, name: str) -> list[Thing]:
    return [job(place, name, job_spec([_app(name, None)]))]


SHAPES: dict[str, Shape] = {
    "storefront": web,
    "search": web,
    "cart": internal,
    "prices": internal,
    "payments": internal,
    "ledger-api": by_digest,
    "thumbnails": on_arm,
    "profiles": on_both_architectures,
    "gateway": with_helpers,
    "sessions": with_pod_resources,
    "inventory": with_grpc_probe,
    "shipping": with_exec_probe,
    "reviews": with_percent_budget,
    "legacy": on_node_ports,
    "raft": quorum,
    "gossip": gossip,
    "checkout": with_canary,
    "postgres": database,
    "redis": replaced,
    "events": workers,
    "mailer": queue_worker,
    "encoder": on_spot,
    "resizer": scaled_to_zero,
    "backup": daily,
    "sync": every_ten_minutes,
    "yearly": suspended,
    "migrate": migrated,
}


def operator(place: str, name: str) -> list[Thing]:
    """A controller with one replica that holds its Lease."""
    return [
        deployment(place, name, 1, [_app(name, None)]),
        lease(place, f"{name}.example.com", f"@{place}/{name}_0123"),
    ]


def on_one_pool(place: str, name: str) -> list[Thing]:
    """An agent of one pool, with the network of the node."""
    more = {"nodeSelector": {"pool": "spot"}, "tolerations": EVERYWHERE, "priorityClassName": "platform"}
    return [daemon_set(place, name, [_app(name, 9200)], hostNetwork=True, **more)]


def load_balanced_agent(place: str, name: str) -> list[Thing]:
    """A proxy on every node of its pool, behind a load balancer that goes to the node itself."""
    more = {"nodeSelector": {"pool": "ingress"}, "tolerations": EVERYWHERE, "priorityClassName": "platform"}
    balanced = service(place, name, {"app": name}, type="LoadBalancer", externalTrafficPolicy="Local")
    return [daemon_set(place, name, [_app(name)], **more), balanced]


def on_windows(place: str, name: str) -> list[Thing]:
    taint = {"key": "os", "operator": "Exists", "effect": "NoSchedule"}
    more = {"nodeSelector": {"kubernetes.io/os": "windows"}, "tolerations": [taint], "os": {"name": "windows"}}
    return _served(place, deployment(place, name, 2, [_app(name)], **more))


def on_virtual_nodes(place: str, name: str) -> list[Thing]:
    """Work of an hour on nodes that no kubelet runs."""
    place_ = {"nodeSelector": {"type": "virtual-kubelet"}, "tolerations": [{"operator": "Exists"}]}
    return [job(place, name, job_spec([_app(name, None)], labels=dict(RUNS), **place_), active=1)]


def on_gpus(place: str, name: str) -> list[Thing]:
    """A model on one GPU each; the pool has room for an update."""
    volume, mount = memory_volume("4Gi")
    one = _app(name, 8000, resources=resources("4", "16Gi", {"nvidia.com/gpu": "1"}), volumeMounts=[mount])
    more = {"nodeSelector": {"pool": "gpu"}, "tolerations": [GPU], "priorityClassName": "serving", "volumes": [volume]}
    return _served(place, deployment(place, name, 3, [one], **more), 8000)


def external_name(place: str, name: str) -> list[Thing]:
    """A name for something outside the cluster."""
    return [
        thing(
            "v1",
            "Service",
            name,
            place,
            spec={"type": "ExternalName", "externalName": "db.example.com", "ports": [{"port": 5432}]},
        )
    ]


def without_selector(place: str, name: str) -> list[Thing]:
    """A Service whose endpoints somebody wrote by hand."""
    made = thing("v1", "Service", name, place, spec={"ports": [{"name": "sql", "port": 5432, "protocol": "TCP"}]})
    labels = {"kubernetes.io/service-name": name}
    endpoints = [{"addresses": ["192.0.2.10"], "conditions": {"ready": True}}]
    ports = [{"name": "sql", "port": 5432, "protocol": "TCP"}]
    more = {"labels": labels, "addressType": "IPv4", "endpoints": endpoints, "ports": ports}
    return [made, thing("discovery.k8s.io/v1", "EndpointSlice", f"{name}-1", place, **more)]


def with_quota(place: str, name: str) -> list[Thing]:
    """A namespace with a quota and with defaults for those who ask for nothing."""
    limit = {"type": "Container", "default": {"memory": "256Mi"}, "defaultRequest": {"cpu": "50m", "memory": "128Mi"}}
    hard = {"pods": "500", "requests.cpu": "200"}
    return [
        thing("v1", "ResourceQuota", name, place, spec={"hard": hard}),
        thing("v1", "LimitRange", name, place, spec={"limits": [limit]}),
    ]


def mesh_gateway(place: str, name: str) -> list[Thing]:
    """A proxy of the mesh that stands alone is the data plane of a gateway."""
    one = container("istio-proxy", "docker.io/istio/proxyv2:1.27.1", 8080)
    made = deployment(place, name, 3, [one], priorityClassName="platform")
    return _served(place, made, type="LoadBalancer")


SINGLE: dict[str, Shape] = {
    "shop-operator": operator,
    "spot-agent": on_one_pool,
    "edge-proxy": load_balanced_agent,
    "billing-iis": on_windows,
    "bursts": on_virtual_nodes,
    "recommender": on_gpus,
    "old-database": external_name,
    "partner-database": without_selector,
    "limits": with_quota,
    "mesh-gateway": mesh_gateway,
}
