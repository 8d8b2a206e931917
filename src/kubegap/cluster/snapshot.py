"""An immutable picture of a cluster, with how it was obtained and what could not be read."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar, cast

from msgspec import Struct, structs

from kubegap.cluster.evidence import Subject
from kubegap.cluster.objects import KubernetesObject, Namespace, Resource
from kubegap.cluster.resources import RESOURCES
from kubegap.text import Text

T = TypeVar("T", bound=KubernetesObject)


class Origin(StrEnum):
    """Where the objects come from: a cluster that answered, what was saved of one, or files that say what should be."""

    LIVE = "live"
    SAVED = "saved"
    DUMP = "dump"
    MANIFESTS = "manifests"


class ReadState(StrEnum):
    """How far one kind was read; only `read` is a complete list, and `not-served` the proof that there is none."""

    READ = "read"
    NOT_SERVED = "not-served"
    HALF_READ = "half-read"
    REFUSED = "refused"
    TIMED_OUT = "timed-out"
    NOT_IN_THIS_INPUT = "not-in-this-input"


class ReadAtFrom(StrEnum):
    """How the time of the snapshot is known."""

    SERVER = "server"
    OPTION = "option"
    NEWEST_OBJECT = "newest-object"
    UNKNOWN = "unknown"


class Coverage(Struct, frozen=True):
    """What was read of one kind: how many objects, how far, and why not further."""

    resource: Resource
    objects: int
    state: ReadState
    reason: Text | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every object of the kind is known, also where the cluster has no such kind."""
        return self.state in {ReadState.READ, ReadState.NOT_SERVED}


class Minor(Struct, frozen=True, order=True):
    """A version of Kubernetes as far as it matters for what an upgrade changes: 1.37."""

    major: int
    number: int

    @property
    def following(self) -> "Minor":
        """The next one, which an upgrade may go to without leaving any out."""
        return Minor(self.major, self.number + 1)

    def __str__(self) -> str:
        return f"{self.major}.{self.number}"


class Certificate(Struct, frozen=True):
    """From when until when the certificate is valid that the API server showed."""

    not_before: datetime
    not_after: datetime


class Unread(Struct, frozen=True):
    """One piece of the input that could not be read.

    `kind` is a path of `RESOURCES`, or None when the piece might hold any kind, such as broken YAML.
    """

    place: str
    reason: str
    kind: str | None = None


class Place(Struct, frozen=True):
    """Where a manifest holds an object: the path of the file as given, and the line, from 1, where it or its document begins."""

    path: str
    line: int = 1


class Source(Struct, frozen=True):
    """How a snapshot was obtained, as far as it is known; `notes` are what the reader should know about it."""

    origin: Origin
    read_at: datetime | None = None
    read_at_from: ReadAtFrom = ReadAtFrom.UNKNOWN
    name: str | None = None
    context: str | None = None
    server: str | None = None
    version: str | None = None
    requests: int = 0
    bytes: int = 0
    seconds: float = 0.0
    certificate: Certificate | None = None
    notes: tuple[Text, ...] = ()


class Snapshot(Struct, frozen=True, weakref=True):
    """Objects by path of their resource, and the coverage of every kind that checks can ask for.

    `ignored` are documents of the input that are no Kubernetes objects at all, such as Helm values. `places` are those of objects
    in manifests, by kind, namespace and name as `Subject.path` writes them. `target_version` is where the user wants to upgrade to.
    `outdated` are those objects of manifests that are written in a version of the API which Kubernetes takes away.
    """

    source: Source
    objects: Mapping[str, tuple[KubernetesObject, ...]]
    coverage: Mapping[str, Coverage]
    provider: str | None = None
    unread: tuple[Unread, ...] = ()
    ignored: tuple[Unread, ...] = ()
    places: Mapping[str, Place] = {}
    target_version: Minor | None = None
    outdated: tuple[Subject, ...] = ()

    def of(self, kind: type[T]) -> tuple[T, ...]:
        """All objects of a kind that were read; also empty when it was not read, so ask `has` where that matters."""
        return cast(tuple[T, ...], self.objects.get(kind.resource.path, ()))

    def has(self, kind: type[KubernetesObject]) -> bool:
        """Whether the list of a kind is complete."""
        return self.coverage_of(kind.resource.path).is_complete

    def coverage_of(self, path: str) -> Coverage:
        """What was read of a kind by its path, such as `v1/pods`; raises KeyError for one that has no type here."""
        return self.coverage.get(path) or Coverage(RESOURCES[path].resource, 0, ReadState.NOT_IN_THIS_INPUT)

    def is_recent(self, time: datetime | None, age: timedelta) -> bool:
        """Whether something happened less than a time before the snapshot; False where either is unknown."""
        return time is not None and self.source.read_at is not None and self.source.read_at - time < age

    def time_since(self, time: datetime | None) -> timedelta | None:
        """How long before the snapshot something happened; None where either time is unknown."""
        return None if time is None or self.source.read_at is None else self.source.read_at - time

    def namespace(self, name: str) -> Namespace | None:
        """One namespace, if it was read."""
        return next((namespace for namespace in self.of(Namespace) if namespace.name == name), None)

    def as_of(self, time: datetime) -> "Snapshot":
        """The same, taken to have been read at a time that the user gives."""
        source = structs.replace(self.source, read_at=time, read_at_from=ReadAtFrom.OPTION)
        return structs.replace(self, source=source)

    @property
    def uid(self) -> str | None:
        """What tells clusters apart: the UID of the kube-system namespace."""
        found = self.namespace("kube-system")
        return found.metadata.uid if found else None
