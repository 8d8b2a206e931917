"""Whom the API server asks before it answers: webhooks, and those who convert custom resources between versions.

For pairs that read both kinds of webhook configurations and `apiextensions.k8s.io/v1/customresourcedefinitions`; `callees`
needs Services, endpoint slices and pods besides.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from kubegap.cluster.admission import fails_closed
from kubegap.cluster.evidence import Evidence
from kubegap.cluster.fields import ClientConfig, Rule, ServiceReference, Webhook
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.extension import CustomResourceDefinition
from kubegap.cluster.objects import (
    KubernetesObject,
    MutatingWebhookConfiguration,
    Pod,
    Service,
    ValidatingWebhookConfiguration,
)
from kubegap.cluster.services import backends_of, pods_behind, service_named
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import is_ready, is_staying

DEFAULT_PORT = 443
_SHOWN = 3


class Hook(Struct, frozen=True):
    """One call that the API server makes: whose object says so, where it stands there, and who is called.

    `webhook` is None for a conversion, which the API server cannot do without either.
    """

    holder: KubernetesObject
    path: str
    config: ClientConfig
    webhook: Webhook | None = None

    @property
    def is_conversion(self) -> bool:
        """Whether custom resources are translated and nothing is admitted."""
        return self.webhook is None

    @property
    def fails_closed(self) -> bool:
        """Whether requests fail while nobody answers."""
        return self.webhook is None or fails_closed(self.webhook)

    @property
    def is_about_built_in(self) -> bool:
        """Whether kinds of Kubernetes itself are asked about, and not only custom resources."""
        return self.webhook is not None and any(map(_is_built_in, self.webhook.rules or ()))

    @property
    def port(self) -> int:
        """The port of the Service that is called."""
        return (self.config.service and self.config.service.port) or DEFAULT_PORT


class Callee(Struct, frozen=True):
    """One Service that is called: by whom, itself if it is there, its pods, and how many answer (None: not known)."""

    namespace: str
    name: str
    hooks: tuple[Hook, ...]
    service: Service | None
    pods: tuple[Pod, ...]
    ready: int | None

    @property
    def asked_ports(self) -> list[int]:
        """The ports that are called, each once."""
        return sorted({hook.port for hook in self.hooks})

    @property
    def ports(self) -> list[int]:
        """The ports that the Service has."""
        return [port.port for port in (self.service and self.service.spec.ports) or ()]

    @property
    def has_ports(self) -> bool:
        """Whether the Service has every port that is called."""
        return set(self.asked_ports) <= set(self.ports)

    @property
    def holders(self) -> list[KubernetesObject]:
        """The objects that lead to it, each once."""
        return list({hook.holder.shown: hook.holder for hook in self.hooks}.values())


def hooks(snapshot: Snapshot) -> Sequence[Hook]:
    """Every webhook and conversion, those of one object one after the other."""
    return [*webhooks(snapshot), *conversions(snapshot)]


@indexed
def webhooks(snapshot: Snapshot) -> Sequence[Hook]:
    """Every webhook. Reads both kinds of webhook configurations."""
    holders = (*snapshot.of(ValidatingWebhookConfiguration), *snapshot.of(MutatingWebhookConfiguration))
    return [
        Hook(holder, f"webhooks[{index}]", webhook.client_config, webhook)
        for holder in holders
        for index, webhook in enumerate(holder.webhooks or ())
    ]


@indexed
def conversions(snapshot: Snapshot) -> Sequence[Hook]:
    """Every conversion by webhook. Reads `apiextensions.k8s.io/v1/customresourcedefinitions`."""
    asked = ((one, one.spec.conversion) for one in snapshot.of(CustomResourceDefinition))
    return [
        Hook(definition, "spec.conversion.webhook", conversion.webhook.client_config)
        for definition, conversion in asked
        if conversion and conversion.strategy == "Webhook" and conversion.webhook and conversion.webhook.client_config
    ]


def versions_in_use(definition: CustomResourceDefinition) -> frozenset[str]:
    """The versions in which objects of a kind are served or still stored; with one alone nothing is ever converted."""
    served = (version.name for version in definition.spec.versions or () if version.served)
    return frozenset([*served, *(definition.status.stored_versions or ())])


def callees(snapshot: Snapshot, asked: Iterable[Hook]) -> Iterator[Callee]:
    """The Services behind some hooks; those behind a URL are not among them."""
    found: dict[tuple[str, str], list[Hook]] = defaultdict(list)
    for hook in asked:
        if to := hook.config.service:
            found[to.namespace, to.name].append(hook)
    for (namespace, name), group in found.items():
        service = service_named(snapshot, ServiceReference(namespace, name))
        pods = tuple(filter(is_staying, pods_behind(snapshot, service))) if service else ()
        yield Callee(namespace, name, tuple(group), service, pods, _ready(snapshot, service, pods))


def evidence(callee: Callee) -> Iterator[Evidence]:
    """The fields behind what is said of a Service: itself, its ports and backends, and then who calls it and how."""
    shown = f"Service/{callee.namespace}/{callee.name}"
    if callee.service is None:
        yield Evidence(shown, "metadata.name", None, callee.name)
    else:
        there, asked = (", ".join(map(str, ports)) for ports in (callee.ports, callee.asked_ports))
        if not callee.has_ports:
            yield Evidence(shown, "spec.ports", there or None, asked)
        yield Evidence(shown, "ready endpoints", None if callee.ready is None else str(callee.ready), ">= 2")
        yield from _restarts(callee.pods)
    for hook in callee.hooks[:_SHOWN]:
        called = f"{callee.namespace}/{callee.name}:{hook.port}"
        yield Evidence(hook.holder.shown, f"{hook.path}.clientConfig.service", called)
        if hook.webhook:
            yield Evidence(hook.holder.shown, f"{hook.path}.failurePolicy", hook.webhook.failure_policy)


def _ready(snapshot: Snapshot, service: Service | None, pods: Sequence[Pod]) -> int | None:
    """How many backends answer; where unready pods are published too, only the pods themselves know."""
    if service is None:
        return None
    if service.spec.publish_not_ready_addresses and pods:
        return sum(map(is_ready, pods))
    backends = backends_of(snapshot, ServiceReference(service.namespace or "", service.name))
    return len(backends.ready) if backends else None


def _restarts(pods: Sequence[Pod]) -> Iterator[Evidence]:
    """The containers of the first pods that restarted, and what they wait for."""
    for pod in pods[:_SHOWN]:
        for index, status in enumerate(pod.status.container_statuses or ()):
            place, waiting = f"status.containerStatuses[{index}]", status.state.waiting if status.state else None
            if status.restart_count:
                yield Evidence(pod.shown, f"{place}.restartCount", str(status.restart_count))
            if waiting:
                yield Evidence(pod.shown, f"{place}.state.waiting.reason", waiting.reason)


def _is_built_in(rule: Rule) -> bool:
    """Groups of Kubernetes end in `.k8s.io` or have no dot; those of its projects (`x-k8s.io`) are custom resources."""
    return any(group == "*" or "." not in group or group.endswith(".k8s.io") for group in rule.api_groups or ())
