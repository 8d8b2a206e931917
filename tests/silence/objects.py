"""Kubernetes objects as people declare them, healthy unless the caller makes them otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable

Thing = dict
SMALL, LARGE = {"cpu": "4", "memory": "16Gi", "pods": "110"}, {"cpu": "16", "memory": "64Gi", "pods": "110"}
ZONE = "topology.kubernetes.io/zone"
HOSTNAME = "kubernetes.io/hostname"
CONTROL_PLANE = {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}
EVERYWHERE = [{"operator": "Exists"}]


def thing(api_version: str, kind: str, name: str, namespace: str | None = None, **fields: object) -> Thing:
    """Any object; `labels` and `annotations` go to its metadata, other fields stand beside it."""
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    metadata |= {key: fields.pop(key) for key in ("labels", "annotations", "ownerReferences") if key in fields}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def owned_by(owner: Thing, child: Thing) -> Thing:
    """The same child with an owner that controls it; who puts them up adds the uid."""
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"]}
    child["metadata"]["ownerReferences"] = [{**reference, "controller": True}]
    return child


def node(name: str, zone: str | None, size: Thing = LARGE, **more: object) -> Thing:
    """A node; `labels`, `taints` and `provider` (its providerID) besides, and `holds` beside processors and memory."""
    labels = {HOSTNAME: name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    labels |= {**({ZONE: zone} if zone else {}), **more.get("labels", {})}
    has = {**size, "ephemeral-storage": "100Gi", **more.get("holds", {})}
    spec = {"taints": more["taints"]} if "taints" in more else {}
    spec |= {"providerID": more["provider"]} if "provider" in more else {}
    status = {"capacity": has, "allocatable": dict(has)}
    return thing("v1", "Node", name, labels=labels, spec=spec, status=status)


def namespace(name: str, **labels: str) -> Thing:
    return thing("v1", "Namespace", name, labels={"kubernetes.io/metadata.name": name, **labels})


def priority_class(name: str, value: int, **fields: object) -> Thing:
    return thing("scheduling.k8s.io/v1", "PriorityClass", name, value=value, **fields)


def container(name: str, image: str, port: int | None = None, **fields: object) -> Thing:
    """A container with requests, a memory limit and, if it has a port, a readiness probe."""
    resources = {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "128Mi"}}
    own: Thing = {"name": name, "image": image, "resources": resources}
    if port:
        own["ports"] = [{"name": "http", "containerPort": port, "protocol": "TCP"}]
        own["readinessProbe"] = {"httpGet": {"path": "/ready", "port": port}}
    return own | fields


def resources(cpu: str, memory: str, devices: Thing | None = None) -> Thing:
    """Requests, with limits of the same for memory and devices."""
    wanted = {"memory": memory, **(devices or {})}
    return {"requests": {"cpu": cpu, **wanted}, "limits": wanted}


def template(labels: Thing, containers: Iterable[Thing], **spec: object) -> Thing:
    return {"metadata": {"labels": labels}, "spec": {"containers": list(containers), **spec}}


def spread(labels: Thing, *, is_hard: bool = True) -> list[Thing]:
    """Over nodes as a must, over zones as a wish."""
    how = "DoNotSchedule" if is_hard else "ScheduleAnyway"
    selector = {"labelSelector": {"matchLabels": labels}, "maxSkew": 1}
    return [
        {**selector, "topologyKey": ZONE, "whenUnsatisfiable": "ScheduleAnyway"},
        {**selector, "topologyKey": HOSTNAME, "whenUnsatisfiable": how},
    ]


def deployment(place: str, name: str, replicas: int, containers: Iterable[Thing], **spec: object) -> Thing:
    """A Deployment whose pods are spread; `strategy` and `annotations` besides the fields of the pod."""
    labels = {"app": name, **spec.pop("labels", {})}
    own = {key: spec.pop(key) for key in ("strategy",) if key in spec}
    annotations = {"annotations": spec.pop("annotations")} if "annotations" in spec else {}
    spec = {**({"topologySpreadConstraints": spread(labels)} if replicas > 1 else {}), **spec}
    body = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template(labels, containers, **spec)}
    return thing("apps/v1", "Deployment", name, place, labels=labels, **annotations, spec={**body, **own})


def daemon_set(place: str, name: str, containers: Iterable[Thing], **spec: object) -> Thing:
    """An agent on every node."""
    labels = {"app": name}
    body = {"selector": {"matchLabels": labels}, "template": template(labels, containers, **spec)}
    return thing("apps/v1", "DaemonSet", name, place, labels=labels, spec=body)


def stateful_set(place: str, name: str, replicas: int, containers: Iterable[Thing], **spec: object) -> Thing:
    """A StatefulSet; each pod has a volume that one node at a time can mount, unless `claims` says otherwise."""
    labels = {"app": name, **spec.pop("labels", {})}
    claims = spec.pop("claims", [claim(place, "data")])
    spec = {**({"topologySpreadConstraints": spread(labels)} if replicas > 1 else {}), **spec}
    body = {"serviceName": name, "replicas": replicas, "selector": {"matchLabels": labels}}
    body |= {"template": template(labels, containers, **spec), "volumeClaimTemplates": claims}
    return thing("apps/v1", "StatefulSet", name, place, labels=labels, spec=body)


def claim(place: str, name: str, mode: str = "ReadWriteOnce", size: str = "20Gi") -> Thing:
    spec = {"accessModes": [mode], "resources": {"requests": {"storage": size}}, "storageClassName": "standard"}
    return thing("v1", "PersistentVolumeClaim", name, place, spec=spec)


def claim_volume(name: str, claimed: str) -> Thing:
    return {"name": name, "persistentVolumeClaim": {"claimName": claimed}}


def service(place: str, name: str, selector: Thing, port: int = 80, target: int | str = 8080, **spec: object) -> Thing:
    labels = {"labels": spec.pop("labels")} if "labels" in spec else {}
    ports = [{"name": "http", "port": port, "targetPort": target, "protocol": "TCP"}]
    return thing("v1", "Service", name, place, **labels, spec={"selector": selector, "ports": ports, **spec})


def budget(place: str, name: str, selector: Thing, **spec: object) -> Thing:
    """One pod may go at a time."""
    body = {"selector": {"matchLabels": selector}, **(spec or {"maxUnavailable": 1})}
    return thing("policy/v1", "PodDisruptionBudget", name, place, spec=body)


def autoscaler(place: str, name: str, least: int, most: int) -> Thing:
    """A HorizontalPodAutoscaler that has room above."""
    metric = {
        "type": "Resource",
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}},
    }
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    spec = {"scaleTargetRef": target, "minReplicas": least, "maxReplicas": most, "metrics": [metric]}
    return thing("autoscaling/v2", "HorizontalPodAutoscaler", name, place, spec=spec)


def ingress(place: str, name: str, host: str, class_name: str) -> Thing:
    backend = {"service": {"name": name, "port": {"number": 80}}}
    path = {"path": "/", "pathType": "Prefix", "backend": backend}
    spec = {"ingressClassName": class_name, "rules": [{"host": host, "http": {"paths": [path]}}]}
    return thing("networking.k8s.io/v1", "Ingress", name, place, spec=spec)


# Simulated kubelets end the pods of a Job at once, but for those with this label.
RUNS = {"kubegap-tests/runs": "on"}


def job_spec(containers: Iterable[Thing], *, labels: Thing | None = None, **spec: object) -> Thing:
    """A Job that ends: it has a deadline, few retries, and is cleaned away."""
    own = ("priorityClassName", "tolerations", "nodeSelector", "volumes", "affinity")
    pod = {key: spec.pop(key) for key in own if key in spec}
    body = {"backoffLimit": 2, "activeDeadlineSeconds": 1800, "ttlSecondsAfterFinished": 86400, **spec}
    return body | {"template": template(labels or {}, containers, restartPolicy="Never", **pod)}


def job(place: str, name: str, spec: Thing, active: int = 0) -> Thing:
    """A Job that ended well, or one with that many pods at work."""
    status = {"status": {"active": active, "ready": active}} if active else {}
    return thing("batch/v1", "Job", name, place, spec=spec, **status)


def pod(place: str, name: str, spec: Thing, **labels: str) -> Thing:
    """A pod that an operator makes itself."""
    return thing("v1", "Pod", name, place, labels=labels, spec=spec)


def cron_job(place: str, name: str, schedule: str, job: Thing, **spec: object) -> Thing:
    """A CronJob that does not overlap with itself."""
    body = {"schedule": schedule, "concurrencyPolicy": "Forbid", "startingDeadlineSeconds": 300, **spec}
    body |= {"successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1, "jobTemplate": {"spec": job}}
    return thing("batch/v1", "CronJob", name, place, spec=body)


def lease(place: str, name: str, holder: str) -> Thing:
    """Held by somebody, or, as `@namespace/name<rest>`, by the first pod of a Deployment, who writes `<rest>` behind its name."""
    spec = {"holderIdentity": holder, "leaseDurationSeconds": 15}
    return thing("coordination.k8s.io/v1", "Lease", name, place, spec=spec)


def resolve_holder(held: Thing, pods: Iterable[Thing]) -> None:
    """Put the name of the pod into a Lease that waits for one."""
    found = re.fullmatch(r"@([a-z0-9-]+)/([a-z0-9-]+?)([_.].*)?", held["spec"]["holderIdentity"])
    if found:
        names = sorted(pod["metadata"]["name"] for pod in pods if _is_of(pod, found[1], found[2]))
        held["spec"]["holderIdentity"] = f"{names[0]}{(found[3] or '').removeprefix('.')}"


def _is_of(pod: Thing, place: str, deployment: str) -> bool:
    owners = pod["metadata"].get("ownerReferences", [])
    revision = pod["metadata"].get("labels", {}).get("pod-template-hash")
    return pod["metadata"]["namespace"] == place and any(one["name"] == f"{deployment}-{revision}" for one in owners)


def memory_volume(size: str) -> tuple[Thing, Thing]:
    """A volume for /dev/shm, and how a container mounts it."""
    volume = {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    return volume, {"name": "shm", "mountPath": "/dev/shm"}
