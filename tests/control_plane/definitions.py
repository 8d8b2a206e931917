"""The real definitions of custom resources, read from the Go modules that carry them, and short ones where none does.

Nothing of them is committed but the modules' hashes, in `definitions/go.sum`.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import yaml

from kubegap.cluster.objects import Resource
from kubegap.cluster.resources import RESOURCES
from tests.control_plane.build import find_go
from tests.control_plane.plane import OWN

HERE = Path(__file__).parent / "definitions"
FOLDERS = {
    "github.com/kubeflow/trainer/v2": "manifests/base/crds",
    "github.com/kubeflow/training-operator": "manifests/base/crds",
    "github.com/ray-project/kuberay/ray-operator": "config/crd/bases",
    "sigs.k8s.io/karpenter": "pkg/apis/crds",
}
# JobSet, LeaderWorkerSet, Volcano, KServe and the Gateway API carry theirs in no module.
ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def definitions(groups: set[str]) -> list[dict]:
    """One for every custom kind of these groups that kubegap reads, the real one where it can be had."""
    real = [yaml_of(file) for module in FOLDERS for file in _files(module) if file.name.partition("_")[0] in groups]
    names = {made["metadata"]["name"] for made in real}
    short = [_definition(kind.resource) for path, kind in RESOURCES.items() if path not in OWN]
    return [*real, *(one for one in short if one["spec"]["group"] in groups and one["metadata"]["name"] not in names)]


def _files(module: str) -> list[Path]:
    versions = dict(line.split()[:2] for line in (HERE / "go.mod").read_text().splitlines() if line.startswith("\t"))
    command = [find_go(), "mod", "download", "-json", f"{module}@{versions[module]}"]
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"}
    told = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, check=True).stdout
    return sorted((Path(json.loads(told)["Dir"]) / FOLDERS[module]).glob("*_*.yaml"))


def yaml_of(file: Path) -> dict:
    """Megabytes of it: the parser in C takes seconds, the other one a minute."""
    return yaml.load(file.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _definition(resource: Resource) -> dict:
    names = {"plural": resource.plural, "singular": resource.kind.lower(), "kind": resource.kind}
    served = {"name": resource.version, "served": True, "storage": True, "schema": {"openAPIV3Schema": ANYTHING}}
    spec = {"group": resource.group, "scope": "Namespaced" if resource.namespaced else "Cluster", "names": names}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        # Groups of Kubernetes itself are kept for what it has approved.
        "metadata": {
            "name": f"{resource.plural}.{resource.group}",
            "annotations": {"api-approved.kubernetes.io": "unapproved"},
        },
        "spec": {**spec, "versions": [served]},
    }
