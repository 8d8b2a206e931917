"""Puts the made-up training cluster up on the real control plane and saves what kubegap sees in `examples/`.

`make example` runs it again. It takes 22 minutes once the control plane is built, nearly all of it waiting: checks give
what is young time to settle, and time here is the API server's own. Do so when `world.yaml` changes or a new check reads what the
file lacks, and run `make readme` after it. Names and gaps come out the same each time; uids, times and the last digits of names of
pods do not.
"""

from __future__ import annotations

import gzip
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from tests.control_plane.plane import Plane, running
from tests.control_plane.putting_up import put_up

from scripts.training_cluster.world import EXAMPLE, HOSTNAME, objects

ROOT = Path(__file__).parent.parent.parent
CONTEXT = "training"
# Where an API server usually is; the address stands in the file.
PORT = 6443
# What the waiting times of most checks come to.
MINUTES = 21


def save(plane: Plane, path: Path) -> None:
    """What `kubegap snapshot save` writes for one who may read what the checks read, without a word of this machine."""
    command = [sys.executable, "-m", "kubegap", "snapshot", "save", str(path)]
    access = ["--kubeconfig", kubeconfig(plane), "--context", CONTEXT]
    subprocess.run([*command, *access], cwd=ROOT, env=os.environ, check=True)  # noqa: S603, our own command
    path.write_bytes(without_this_machine(path.read_bytes()))
    path.chmod(0o644)


def kubeconfig(plane: Plane) -> str:
    """That of the reader, with the cluster's own name in the place of the tests'."""
    config = yaml.safe_load(Path(plane.kubeconfig("reader")).read_text(encoding="utf-8"))
    (cluster,), (context,) = config["clusters"], config["contexts"]
    cluster["name"] = context["name"] = context["context"]["cluster"] = config["current-context"] = CONTEXT
    path = plane.folder / "training.kubeconfig"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return str(path)


def without_this_machine(saved: bytes) -> bytes:
    """The API server and the simulated kubelets write the name of the machine that they run on into their leases."""
    text, name = gzip.decompress(saved).decode(), platform.node()
    text = text.replace(f'"{HOSTNAME}":"{name}"', f'"{HOSTNAME}":"control-plane-0"')
    return gzip.compress(text.replace(f'"holderIdentity":"{name}_', '"holderIdentity":"kubelet_').encode(), mtime=0)


if __name__ == "__main__":
    minutes = int(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), port=PORT) as started:
        put_up(started, objects(late=False))
        time.sleep(minutes * 60)
        # The policy engine is asked about everything, and nobody answers: from here on nothing can be written.
        started.create(*objects(late=True))
        save(started, ROOT / EXAMPLE)
