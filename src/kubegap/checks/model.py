"""What a check says: findings with evidence, severity and confidence, and the states a check can end in.

A pair's `find` yields `Finding`s. Sentences stay in the pair's page: a finding names them by key, with the facts that
fill their places.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

from msgspec import Struct

from kubegap.cluster.objects import KubernetesObject


class Severity(StrEnum):
    """How bad a finding is if it is true, worst first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst; sorts and compares."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """How sure a finding is: the bad state is there now, the setting behind it is, or only a pattern speaks for it."""

    OBSERVED = "observed"
    CONFIG = "config"
    HEURISTIC = "heuristic"


class State(StrEnum):
    """How a check ended; every check that was chosen ends in exactly one."""

    FOUND = "found"
    CLEAR = "clear"
    NOT_SEEN = "not-seen"
    NOT_APPLICABLE = "not-applicable"
    NOT_VISIBLE = "not-visible"
    NOT_IN_THIS_INPUT = "not-in-this-input"


class Subject(Struct, frozen=True):
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


# A tuple is a list of words, each a key of the page's `words` or a name that stands for itself.
Fact = str | int | tuple[str, ...]


class Message(Struct, frozen=True):
    """A sentence of the page by its key, and what fills its places."""

    key: str
    facts: Mapping[str, Fact] = {}


class Finding(Struct, frozen=True):
    """One subject in which a check saw its pattern; `messages` are read one after the other."""

    subject: Subject
    severity: Severity
    confidence: Confidence
    messages: tuple[Message, ...]
    evidence: tuple[Evidence, ...]
    members: tuple[str, ...] = ()


# `find(cluster)`; a page with waiting times hands each over as a keyword, so the pair writes `find(cluster, rollout)`.
Finder = Callable[..., Iterable[Finding]]
