"""The made-up training cluster: its objects, and the gaps that were planted in them, both from `world.yaml`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

WORLD = Path(__file__).with_name("world.yaml")
EXAMPLE = "examples/training.snapshot"
HOSTNAME = "kubernetes.io/hostname"
Thing = dict[str, Any]


def objects(*, late: bool) -> list[Thing]:
    """What is put up first, or what comes late, one of each."""
    return [one for declared in _declared() if declared.get("late", False) is late for one in _copies(declared)]


def planted() -> set[tuple[str, str]]:
    """Checks and the subjects in which they must find something, as the table names them."""
    return {(check, subject(one)) for one in _declared() for check in one.get("gaps", ())}


def subject(one: Thing) -> str:
    """`Kind/namespace/name`, without a namespace where the kind has none."""
    metadata = one["metadata"]
    return "/".join(part for part in (one["kind"], metadata.get("namespace"), metadata["name"]) if part)


def _declared() -> list[Thing]:
    return list(yaml.safe_load_all(WORLD.read_text(encoding="utf-8")))


def _copies(declared: Thing) -> list[Thing]:
    own = {key: value for key, value in declared.items() if key not in {"gaps", "copies", "late"}}
    names = declared.get("copies") or [declared["metadata"]["name"]]
    return [_named(own, name) for name in names]


def _named(own: Thing, name: str) -> Thing:
    """A copy that shares nothing with the others; `$name` in it is its name, and a node calls itself by it."""
    made: Thing = json.loads(json.dumps(own).replace("$name", name))
    made["metadata"]["name"] = name
    if made["kind"] == "Node":
        made["metadata"]["labels"][HOSTNAME] = name
    return made
