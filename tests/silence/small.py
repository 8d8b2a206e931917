"""A healthy small cluster: three nodes of the control plane, six workers in three zones, a shop and its oddities."""

from __future__ import annotations

from tests.silence import platform
from tests.silence.objects import (
    CONTROL_PLANE,
    Thing,
    autoscaler,
    budget,
    claim,
    claim_volume,
    container,
    cron_job,
    deployment,
    ingress,
    job_spec,
    namespace,
    node,
    resources,
    service,
    stateful_set,
    thing,
)

SHOP = "shop"


def small() -> list[Thing]:
    """Nodes first, then what the cluster needs, then its users."""
    masters = [_master(number) for number in range(3)]
    workers = [node(f"worker-{number}", f"zone-{number % 3}") for number in range(6)]
    static = [pod for master in masters for pod in platform.static_pods(master)]
    users = [namespace(SHOP), *_serving(), *_stateful(), *_singletons(), *_jobs(), *_sidecars()]
    return [*masters, *workers, *platform.platform(3, 3), *static, *users]


def _master(number: int) -> Thing:
    labels = {"node-role.kubernetes.io/control-plane": ""}
    return node(f"master-{number}", f"zone-{number}", labels=labels, taints=[CONTROL_PLANE])


def _serving() -> list[Thing]:
    """Two services with everything, one of them behind the ingress, by digest and by version."""
    digest = "registry.example.com/web@sha256:" + "0123456789abcdef" * 4
    return [
        deployment(SHOP, "web", 3, [container("web", digest, 8080)], priorityClassName="serving"),
        service(SHOP, "web", {"app": "web"}),
        ingress(SHOP, "web", "shop.example.com", "nginx"),
        budget(SHOP, "web", {"app": "web"}, minAvailable="50%"),
        autoscaler(SHOP, "web", 3, 9),
        deployment(
            SHOP, "cart", 2, [container("cart", "registry.example.com/cart:2.4.1", 8080)], priorityClassName="serving"
        ),
        service(SHOP, "cart", {"app": "cart"}),
        budget(SHOP, "cart", {"app": "cart"}, minAvailable=1),
    ]


def _stateful() -> list[Thing]:
    """A database of three that its own quorum needs, and one of one on a volume that a single node can mount."""
    quorum = container("etcd", "registry.example.com/etcd:3.6.8", 2379, resources=resources("250m", "1Gi"))
    return [
        stateful_set(SHOP, "etcd", 3, [quorum], priorityClassName="serving"),
        service(SHOP, "etcd", {"app": "etcd"}, 2379, 2379, clusterIP="None", publishNotReadyAddresses=True),
        budget(SHOP, "etcd", {"app": "etcd"}, minAvailable=2),
        stateful_set(SHOP, "ledger", 1, [container("ledger", "registry.example.com/postgres:17.6", 5432)]),
        service(SHOP, "ledger", {"app": "ledger"}, 5432, 5432),
    ]


def _singletons() -> list[Thing]:
    """One by design: replaced and not rolled, for the volume's sake; a queue worker; one that KEDA scaled to zero."""
    cache = container("redis", "registry.example.com/redis:8.2.2", 6379)
    paused = {"autoscaling.keda.sh/paused-replicas": "0"}
    return [
        claim(SHOP, "redis"),
        deployment(SHOP, "redis", 1, [cache], strategy={"type": "Recreate"}, volumes=[claim_volume("data", "redis")]),
        service(SHOP, "redis", {"app": "redis"}, 6379, 6379),
        deployment(SHOP, "mailer", 1, [container("mailer", "registry.example.com/mailer:1.8.0")]),
        deployment(
            SHOP, "resizer", 0, [container("resizer", "registry.example.com/resizer:0.9.3")], annotations=paused
        ),
        service(SHOP, "resizer", {"app": "resizer"}),
    ]


def _jobs() -> list[Thing]:
    """CronJobs that do not pile up, one of them suspended, and a Job that ended."""
    labels = {"job": "backup"}
    work = job_spec(
        [container("backup", "registry.example.com/backup:5.1.2")], labels=labels, priorityClassName="batch"
    )
    done = thing(
        "batch/v1", "Job", "migrate", SHOP, spec=job_spec([container("migrate", "registry.example.com/cart:2.4.1")])
    )
    return [
        cron_job(SHOP, "backup", "0 4 * * *", work),
        cron_job(SHOP, "yearly-report", "0 4 1 1 *", work, suspend=True),
        done,
    ]


def _sidecars() -> list[Thing]:
    """A pod with an init container, a restartable one (a sidecar) and a helper that serves nothing."""
    prepare = container("prepare", "registry.example.com/prepare:1.0.4")
    proxy = container("proxy", "docker.io/istio/proxyv2:1.27.1", 15090, restartPolicy="Always")
    mains = [
        container("search", "registry.example.com/search:7.0.1", 8080),
        container("logs", "cr.fluentbit.io/fluent/fluent-bit:4.1.0"),
    ]
    return [
        deployment(SHOP, "search", 2, mains, initContainers=[prepare, proxy], priorityClassName="serving"),
        service(SHOP, "search", {"app": "search"}),
        budget(SHOP, "search", {"app": "search"}),
    ]
