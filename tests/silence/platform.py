"""What a well-kept cluster has beside its workloads: priorities, DNS, network, metrics, ingress, certificates, monitoring."""

from __future__ import annotations

from tests.silence.objects import (
    CONTROL_PLANE,
    EVERYWHERE,
    Thing,
    autoscaler,
    budget,
    container,
    daemon_set,
    deployment,
    lease,
    namespace,
    owned_by,
    priority_class,
    resources,
    service,
    stateful_set,
    thing,
)

NODE, CLUSTER = "system-node-critical", "system-cluster-critical"
# Highest first; what names none gets `standard`.
PRIORITIES = {"platform": 1_000_000, "serving": 100_000, "standard": 1_000, "batch": 100}


def priorities() -> list[Thing]:
    special = {"standard": {"globalDefault": True}, "batch": {"preemptionPolicy": "Never"}}
    return [priority_class(name, value, **special.get(name, {})) for name, value in PRIORITIES.items()]


def static_pods(node: Thing) -> list[Thing]:
    """Mirrors of the control plane's pods as the kubelet of a node shows them."""
    name = node["metadata"]["name"]
    parts = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
    return [owned_by(node, _mirror(part, name)) for part in parts]


def _mirror(part: str, node: str) -> Thing:
    image = f"registry.k8s.io/{part}:v1.37.2" if part != "etcd" else "registry.k8s.io/etcd:3.7.0-0"
    one = container(part, image, resources={"requests": {"cpu": "100m"}})
    marks = {"kubernetes.io/config.mirror": "0123456789abcdef", "kubernetes.io/config.source": "file"}
    spec = {"nodeName": node, "hostNetwork": True, "priorityClassName": NODE, "containers": [one]}
    labels = {"component": part, "tier": "control-plane"}
    spec["tolerations"] = [{"operator": "Exists", "effect": "NoExecute"}]
    return thing("v1", "Pod", f"{part}-{node}", "kube-system", labels=labels, annotations=marks, spec=spec)


def dns(replicas: int) -> list[Thing]:
    """CoreDNS that grows with the cluster."""
    labels = {"k8s-app": "kube-dns"}
    ports = [
        {"name": "dns", "containerPort": 53, "protocol": "UDP"},
        {"name": "dns-tcp", "containerPort": 53, "protocol": "TCP"},
    ]
    probe = {"httpGet": {"path": "/ready", "port": 8181}}
    program = container("coredns", "registry.k8s.io/coredns/coredns:v1.14.6", ports=ports, readinessProbe=probe)
    command = [
        "/cluster-proportional-autoscaler",
        "--namespace=kube-system",
        "--configmap=dns-autoscaler",
        "--target=Deployment/coredns",
    ]
    image = "registry.k8s.io/cpa/cluster-proportional-autoscaler:v1.9.0"
    scaler = container("autoscaler", image, command=command)
    served = service("kube-system", "kube-dns", labels, labels=labels, clusterIP="10.96.0.10")
    served["spec"]["ports"] = [
        {"name": "dns", "port": 53, "protocol": "UDP", "targetPort": 53},
        {"name": "dns-tcp", "port": 53, "protocol": "TCP", "targetPort": 53},
    ]
    return [
        deployment(
            "kube-system",
            "coredns",
            replicas,
            [program],
            labels=labels,
            priorityClassName=CLUSTER,
            tolerations=[CONTROL_PLANE],
        ),
        deployment("kube-system", "dns-autoscaler", 1, [scaler], priorityClassName=CLUSTER),
        served,
        budget("kube-system", "coredns", labels),
    ]


def node_agents() -> list[Thing]:
    """On every node, with its network or without; none of them serves."""
    port = {"ports": [{"name": "metrics", "containerPort": 9100, "hostPort": 9100}]}
    agents = {
        "kube-proxy": ("registry.k8s.io/kube-proxy:v1.37.2", {}),
        "calico-node": (
            "quay.io/calico/node:v3.30.2",
            {"readinessProbe": {"exec": {"command": ["/bin/calico-node", "-felix-ready"]}}},
        ),
        "csi-node": ("registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.14.0", {}),
        "node-exporter": ("quay.io/prometheus/node-exporter:v1.9.1", port),
    }
    linux = {"nodeSelector": {"kubernetes.io/os": "linux"}, "tolerations": EVERYWHERE, "priorityClassName": NODE}
    return [
        daemon_set("kube-system", name, [container(name, image, **more)], hostNetwork=True, **linux)
        for name, (image, more) in agents.items()
    ]


def metrics() -> list[Thing]:
    labels = {"app": "metrics-server"}
    program = container("metrics-server", "registry.k8s.io/metrics-server/metrics-server:v0.8.1", 10250)
    spec = {
        "service": {"name": "metrics-server", "namespace": "kube-system"},
        "group": "metrics.k8s.io",
        "version": "v1beta1",
    }
    spec |= {"insecureSkipTLSVerify": True, "groupPriorityMinimum": 100, "versionPriority": 100}
    available = {"conditions": [{"type": "Available", "status": "True"}]}
    return [
        deployment("kube-system", "metrics-server", 2, [program], priorityClassName=CLUSTER),
        service("kube-system", "metrics-server", labels, 443, 10250),
        budget("kube-system", "metrics-server", labels),
        thing("apiregistration.k8s.io/v1", "APIService", "v1beta1.metrics.k8s.io", spec=spec, status=available),
    ]


def ingress_controller(replicas: int) -> list[Thing]:
    labels = {"app": "ingress-nginx-controller"}
    program = container("controller", "registry.k8s.io/ingress-nginx/controller:v1.13.3", 8080)
    return [
        namespace("ingress-nginx"),
        thing("networking.k8s.io/v1", "IngressClass", "nginx", spec={"controller": "k8s.io/ingress-nginx"}),
        deployment("ingress-nginx", "ingress-nginx-controller", replicas, [program], priorityClassName="platform"),
        service("ingress-nginx", "ingress-nginx-controller", labels, type="LoadBalancer"),
        budget("ingress-nginx", "ingress-nginx-controller", labels),
        autoscaler("ingress-nginx", "ingress-nginx-controller", replicas, replicas * 4),
    ]


def certificates() -> list[Thing]:
    """An operator with one replica that holds its Lease, beside a webhook that asks only for its own kinds."""
    labels = {"app": "cert-manager-webhook"}
    image = "quay.io/jetstack/cert-manager-{}:v1.21.2"
    rule = {
        "apiGroups": ["cert-manager.io"],
        "apiVersions": ["v1"],
        "resources": ["*/*"],
        "operations": ["CREATE", "UPDATE"],
    }
    backend = {
        "service": {"name": "cert-manager-webhook", "namespace": "cert-manager", "path": "/validate", "port": 443}
    }
    hook = {"name": "webhook.cert-manager.io", "failurePolicy": "Fail", "sideEffects": "None", "timeoutSeconds": 10}
    hook |= {"admissionReviewVersions": ["v1"], "clientConfig": backend, "rules": [rule]}
    kind = "ValidatingWebhookConfiguration"
    parts = {name: container(name, image.format(name)) for name in ("controller", "cainjector")}
    return [
        namespace("cert-manager"),
        deployment("cert-manager", "cert-manager", 1, [parts["controller"]], priorityClassName="platform"),
        deployment("cert-manager", "cert-manager-cainjector", 1, [parts["cainjector"]], priorityClassName="platform"),
        lease("kube-system", "cert-manager-controller", "@cert-manager/cert-manager.-external-cert-manager-controller"),
        lease("kube-system", "cert-manager-cainjector-leader-election", "@cert-manager/cert-manager-cainjector_0a1b2c"),
        deployment(
            "cert-manager",
            "cert-manager-webhook",
            2,
            [container("webhook", image.format("webhook"), 10250)],
            priorityClassName="platform",
        ),
        service("cert-manager", "cert-manager-webhook", labels, 443, 10250),
        budget("cert-manager", "cert-manager-webhook", labels),
        thing("admissionregistration.k8s.io/v1", kind, "cert-manager-webhook", webhooks=[hook]),
    ]


def monitoring() -> list[Thing]:
    """Prometheus with one replica on a volume that one node can mount, and its pair of alert managers."""
    prometheus = container(
        "prometheus", "quay.io/prometheus/prometheus:v3.7.1", 9090, resources=resources("500m", "2Gi")
    )
    reloader = container("config-reloader", "quay.io/prometheus-operator/prometheus-config-reloader:v0.87.1")
    alerts = container("alertmanager", "quay.io/prometheus/alertmanager:v0.29.0", 9093)
    labels = {"app": "alertmanager"}
    return [
        namespace("monitoring"),
        stateful_set("monitoring", "prometheus", 1, [prometheus, reloader], priorityClassName="platform"),
        service("monitoring", "prometheus", {"app": "prometheus"}, 9090, 9090),
        stateful_set("monitoring", "alertmanager", 2, [alerts], priorityClassName="platform"),
        service("monitoring", "alertmanager", labels, 9093, 9093, clusterIP="None", publishNotReadyAddresses=True),
        budget("monitoring", "alertmanager", labels),
    ]


def platform(dns_replicas: int, ingress_replicas: int) -> list[Thing]:
    """All of it."""
    parts = (
        priorities(),
        dns(dns_replicas),
        node_agents(),
        metrics(),
        ingress_controller(ingress_replicas),
        certificates(),
        monitoring(),
    )
    return [one for part in parts for one in part]


def large_cluster() -> list[Thing]:
    """What large clusters have besides: DNS on every node, a node autoscaler, an agent of the mesh, and room held free."""
    cache = container("node-cache", "registry.k8s.io/dns/k8s-dns-node-cache:1.26.8", 9253)
    agents = {"nodeSelector": {"kubernetes.io/os": "linux"}, "tolerations": EVERYWHERE, "priorityClassName": NODE}
    scaler = container("controller", "public.ecr.aws/karpenter/controller:1.8.2", 8081)
    names = container("external-dns", "registry.k8s.io/external-dns/external-dns:v0.19.0")
    room = container("pause", "registry.k8s.io/pause:3.10.1", resources=resources("2", "4Gi"))
    labels = {"app": "karpenter"}
    return [
        priority_class("placeholder", -10),
        _outside_webhook(),
        daemon_set("kube-system", "node-local-dns", [cache], hostNetwork=True, **agents),
        deployment("kube-system", "karpenter", 2, [scaler], priorityClassName=CLUSTER, nodeSelector={"pool": "system"}),
        service("kube-system", "karpenter", labels, 8080, 8081),
        budget("kube-system", "karpenter", labels),
        lease("kube-system", "karpenter-leader-election", "@kube-system/karpenter_0123"),
        deployment("kube-system", "external-dns", 1, [names], priorityClassName="platform"),
        deployment(
            "kube-system", "placeholder", 6, [room], priorityClassName="placeholder", nodeSelector={"pool": "general"}
        ),
        budget("kube-system", "placeholder", {"app": "placeholder"}, maxUnavailable="100%"),
    ]


def _outside_webhook() -> Thing:
    """Answered by somebody outside, asked for kinds of its own alone."""
    rule = {"apiGroups": ["policy.example.com"], "apiVersions": ["*"], "resources": ["*"], "operations": ["CREATE"]}
    hook = {"name": "check.policy.example.com", "failurePolicy": "Ignore", "sideEffects": "None", "timeoutSeconds": 2}
    hook |= {
        "admissionReviewVersions": ["v1"],
        "rules": [rule],
        "clientConfig": {"url": "https://policy.example.com/check"},
    }
    return thing("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "outside", webhooks=[hook])
