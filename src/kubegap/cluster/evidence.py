"""What findings are made of: which object they are about, and the fields that were seen."""

from msgspec import Struct

from kubegap.cluster.objects import KubernetesObject


class Subject(Struct, frozen=True, order=True):
    """The top owner object that a finding is about; `namespace` is None for kinds without one."""

    api_version: str
    kind: str
    namespace: str | None
    name: str

    @classmethod
    def of(cls, thing: KubernetesObject) -> "Subject":
        """The object in hand as a subject."""
        return cls(thing.resource.api_version, thing.resource.kind, thing.namespace, thing.name)

    @property
    def path(self) -> str:
        """Kind, namespace and name, with `-` for no namespace; `/` can stand in none of them."""
        return f"{self.kind}/{self.namespace or '-'}/{self.name}"

    @property
    def shown(self) -> str:
        """As people read it: `Deployment/shop/cart`, `Node/gpu-7`."""
        return "/".join(part for part in (self.kind, self.namespace, self.name) if part)


class Evidence(Struct, frozen=True):
    """A field as seen: whose it is, where it stands, its value (None when it is not set), and what was hoped for."""

    object: str
    path: str
    value: str | None
    expected: str | None = None
