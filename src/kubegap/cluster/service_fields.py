"""The parts of Services and of the endpoints behind them, with only the fields that checks read."""

from msgspec import Struct, field

from kubegap.cluster.fields import ObjectReference


class EndpointConditions(Struct, frozen=True):
    """Whether traffic may go to an endpoint; an unknown `ready` counts as ready, as the API says."""

    ready: bool | None = None


class Endpoint(Struct, frozen=True, rename="camel"):
    """One backend of a Service."""

    addresses: list[str] | None = None
    conditions: EndpointConditions | None = None
    node_name: str | None = None
    target_ref: ObjectReference | None = None


class ServicePort(Struct, frozen=True, rename="camel"):
    """One port of a Service, and the port of its pods by number or name; None is the same number."""

    port: int = 0
    name: str | None = None
    target_port: int | str | None = None


class ServiceSpec(Struct, frozen=True, rename="camel"):
    """Which pods a Service sends traffic to, and from where: `LoadBalancer` and `NodePort` also from outside."""

    type: str | None = None
    cluster_ip: str | None = field(default=None, name="clusterIP")
    publish_not_ready_addresses: bool | None = None
    selector: dict[str, str] | None = None
    ports: list[ServicePort] | None = None
