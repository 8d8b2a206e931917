"""A cluster that is being put up: its objects by kind, and where its pods stand."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.silence.objects import Thing

AGE = timedelta(days=30)


@dataclass
class Cluster:
    """A cluster that is being put up."""

    read_at: datetime
    by_kind: dict[str, list[Thing]] = field(default_factory=lambda: defaultdict(list))
    # The nodes of the pods of every owner, and how many pods stand on a node.
    placed: dict[tuple[str | None, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    load: Counter[str] = field(default_factory=Counter)

    def of(self, kind: str) -> list[Thing]:
        return list(self.by_kind[kind])

    def time(self, ago: timedelta = AGE) -> str:
        return (self.read_at - ago).strftime("%Y-%m-%dT%H:%M:%SZ")

    def add(self, *made: Thing) -> None:
        for one in made:
            metadata = one["metadata"]
            metadata.setdefault("creationTimestamp", self.time())
            metadata.setdefault("uid", str(uuid.uuid5(uuid.NAMESPACE_URL, repr(key(one)))))
            metadata.setdefault("generation", 1)
            self.by_kind[one["kind"]].append(one)


def key(one: Thing) -> tuple[str, str | None, str]:
    return one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"]


def reference(owner: Thing) -> Thing:
    return {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"]}


def condition(cluster: Cluster, kind: str, status: str) -> Thing:
    return {"type": kind, "status": status, "lastTransitionTime": cluster.time()}
