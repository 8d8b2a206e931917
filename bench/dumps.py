"""A dump as long as one of a real cluster, as kubectl prints it, without a cluster."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import yaml

from bench.made_up import maker, pod

MEGABYTES = 50


def write(path: Path, *, megabytes: int = MEGABYTES) -> int:
    """A List of pods in the form that the name ends with; returns how many pods."""
    make = maker(pod())
    item = {"apiVersion": "v1", "kind": "Pod", **json.loads(make(0)), "metadata": _metadata(json.loads(make(0)))}
    is_json = path.suffix == ".json"
    template = _as_json(item) if is_json else _as_yaml(item)
    count = megabytes * 1_000_000 // len(template)
    head, between, tail = _JSON if is_json else _YAML
    with path.open("w", encoding="utf-8") as file:
        file.write(head)
        for number in range(count):
            file.write(between if number else "")
            file.write(template.replace("POD-NAME", f"pod-{number}"))
        file.write(tail)
    return count


def _metadata(item: dict) -> dict:
    """As kubectl shows it: without the managed fields, and with the annotation of `kubectl apply`."""
    meta = {key: value for key, value in item["metadata"].items() if key != "managedFields"}
    applied = {"kubectl.kubernetes.io/last-applied-configuration": json.dumps(item["spec"])}
    return {**meta, "name": "POD-NAME", "uid": "7d3c9d5e-0000-4000-8000-000000000000", "annotations": applied}


def _as_json(item: dict) -> str:
    return textwrap.indent(json.dumps(item, indent=4), " " * 8)


def _as_yaml(item: dict) -> str:
    return f"- {textwrap.indent(yaml.safe_dump(item), '  ')[2:]}"


_JSON = (
    '{\n    "apiVersion": "v1",\n    "items": [\n',
    ",\n",
    '\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n',
)
_YAML = "apiVersion: v1\nitems:\n", "", 'kind: List\nmetadata:\n  resourceVersion: ""\n'
