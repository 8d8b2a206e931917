"""Webhooks that stand in everybody's way or that nobody answers, beside ones that ask for little and are answered."""

from tests.control_plane.world.room import Gap, Room, image
from tests.silence.objects import Thing, budget, container, deployment, namespace, service, thing

_NAME = "kubernetes.io/metadata.name"
_ELSEWHERE = {"matchExpressions": [{"key": _NAME, "operator": "NotIn", "values": ["kube-system", "kube-node-lease"]}]}
_ONLY_GATED = {"matchLabels": {_NAME: "gated"}}


def _webhook(name: str, policy: str, resource: str, client: Thing, **more: object) -> Thing:
    rule = {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": [resource]}
    hook = {"name": f"{name}.example.com", "failurePolicy": policy, "sideEffects": "None", "timeoutSeconds": 1}
    hook |= {"admissionReviewVersions": ["v1"], "clientConfig": client, "rules": [rule], **more}
    return thing("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", name, webhooks=[hook])


def _behind(name: str) -> Thing:
    return {"service": {"namespace": "gated", "name": name, "path": "/check", "port": 443}}


def _backend(name: str, replicas: int) -> list[Thing]:
    labels = {"app": name}
    one = container(name, image(name), 9443)
    return [
        deployment("gated", name, replicas, [one]),
        service("gated", name, labels, 443, 9443),
        budget("gated", name, labels),
    ]


def _definition(plural: str, service: str, *versions: str) -> Thing:
    """A custom resource whose objects are converted by a webhook; the first version is stored."""
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    served = [{"name": one, "served": True, "storage": one == versions[0], "schema": schema} for one in versions]
    webhook = {"clientConfig": _behind(service), "conversionReviewVersions": ["v1"]}
    conversion = {"strategy": "Webhook", "webhook": webhook}
    kind = plural.removesuffix("s").capitalize()
    names = {"plural": plural, "singular": kind.lower(), "kind": kind}
    spec = {"group": "example.com", "scope": "Cluster", "names": names, "versions": served, "conversion": conversion}
    return thing("apiextensions.k8s.io/v1", "CustomResourceDefinition", f"{plural}.example.com", spec=spec)


_URL = {"url": "https://127.0.0.1:1/gate"}
ROOM = Room(
    things=[
        namespace("gated"),
        *_backend("answered", 2),
        *_backend("silent", 0),
        _definition("gears", "unasked", "v1"),
    ],
    gaps=[
        Gap(
            "webhook-fail-closed-wide",
            "ValidatingWebhookConfiguration/-/gate",
            {"webhooks[0].failurePolicy": "Fail", "webhooks[0].rules[0]": 'CREATE ""/v1 nodes'},
        ),
        Gap(
            "webhook-backend-unhealthy",
            "Service/gated/silent",
            {"webhooks[0].clientConfig.service": "gated/silent:443", "ready-endpoints": "0"},
        ),
        Gap(
            "webhook-backend-unhealthy",
            "Service/gated/gone",
            {"spec.conversion.webhook.clientConfig.service": "gated/gone:443"},
        ),
    ],
    look_alikes=[
        ("webhook-fail-closed-wide", "ValidatingWebhookConfiguration/-/gate-elsewhere"),
        ("webhook-fail-closed-wide", "ValidatingWebhookConfiguration/-/gate-open"),
        ("webhook-backend-unhealthy", "Service/gated/answered"),
        ("webhook-backend-unhealthy", "Service/gated/unasked"),
    ],
    # While they stand there, nothing that they ask for can be written; nobody makes a node any more.
    last=[
        _webhook("gate", "Fail", "nodes", _URL),
        _webhook("gate-elsewhere", "Fail", "configmaps", _URL, namespaceSelector=_ELSEWHERE),
        _webhook("gate-open", "Ignore", "nodes", _URL),
        _webhook("unanswered", "Fail", "configmaps", _behind("silent"), namespaceSelector=_ONLY_GATED),
        _webhook("answered", "Fail", "configmaps", _behind("answered"), namespaceSelector=_ONLY_GATED),
        _definition("widgets", "gone", "v1", "v1beta1"),
    ],
)
