"""Starts and stops the real control plane on this machine: etcd, API server, controllers, scheduler, simulated nodes.

Everything binds to 127.0.0.1 and writes into one folder. Users are tokens: `admin` may do all, `reader` what the role of
`kubegap-reader` grants, `nobody` nothing, and `lacks-<plural>` all that `reader` may but one kind.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import trustme
import urllib3
import yaml

from kubegap.cluster.objects import METRICS, Resource
from kubegap.cluster.resources import RESOURCES
from tests.control_plane.build import binaries

HERE = Path(__file__).parent
READY_SECONDS = 60
# Kinds that Kubernetes brings itself; custom ones are there only where a test installs them.
OWN = {
    path: kind
    for path, kind in RESOURCES.items()
    if "." not in kind.resource.group
    or (kind.resource.group.endswith(".k8s.io") and "gateway" not in kind.resource.group)
}
PLURALS = sorted({kind.resource.plural for kind in RESOURCES.values()})
USERS = ["admin", "reader", "nobody", "granted", *(f"lacks-{plural}" for plural in PLURALS)]
AUDIT = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [{"level": "Metadata"}],
}


class Plane:
    """A running control plane."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.binaries = binaries()
        self.port = port
        self.url = f"https://127.0.0.1:{self.port}"
        self.audit_log = folder / "audit.log"
        self._write_files()
        self._pool = urllib3.PoolManager(ca_certs=str(folder / "ca.pem"), maxsize=8)

    def kubeconfig(self, user: str) -> str:
        return str(self.folder / f"{user}.kubeconfig")

    def request(self, method: str, path: str, body: object = None, user: str = "admin", **headers: str) -> dict:
        status, data = self.answer(method, path, body, user, **headers)
        if status >= 400:
            raise AssertionError(f"{method} {path}: {status} {json.dumps(data)[:500]}")
        return data

    def answer(
        self, method: str, path: str, body: object = None, user: str = "admin", **headers: str
    ) -> tuple[int, dict]:
        """The status and what came with it, also where the server refuses."""
        answer = self._pool.request(
            method,
            self.url + path,
            body=None if body is None else json.dumps(body),
            headers={"Authorization": f"Bearer {user}", "Content-Type": "application/json", **headers},
        )
        return answer.status, json.loads(answer.data)

    def is_ready(self) -> bool:
        answer = self._pool.request(
            "GET", f"{self.url}/readyz", headers={"Authorization": "Bearer admin"}, retries=False
        )
        return answer.status == 200

    def create(self, *objects: dict) -> None:
        for thing in objects:
            path = path_of(thing["apiVersion"], thing["kind"], thing["metadata"].get("namespace"))
            self.request("POST", path, thing)

    def list(self, path: str) -> list[dict]:
        return self.request("GET", path)["items"]

    def audited(self, user: str) -> list[dict]:
        """Everything that a user asked so far."""
        lines = self.audit_log.read_text().splitlines()
        events = (json.loads(line) for line in lines if line.endswith("}"))
        return [event for event in events if event["user"].get("username") == user]

    def _write_files(self) -> None:
        ca = trustme.CA()
        ca.cert_pem.write_to_path(self.folder / "ca.pem")
        serving = ca.issue_cert("127.0.0.1", "localhost")
        serving.private_key_and_cert_chain_pem.write_to_path(self.folder / "serving.pem")
        # Any key signs service account tokens; nobody here checks them with another.
        serving.private_key_pem.write_to_path(self.folder / "accounts.key")
        tokens = [f"{user},{user},{user},{'system:masters' if user == 'admin' else 'people'}" for user in USERS]
        (self.folder / "tokens.csv").write_text("\n".join(tokens))
        (self.folder / "audit.yaml").write_text(yaml.safe_dump(AUDIT))
        for user in USERS:
            Path(self.kubeconfig(user)).write_text(yaml.safe_dump(self._config(user)))

    def _config(self, user: str) -> dict:
        cluster = {"server": self.url, "certificate-authority": str(self.folder / "ca.pem")}
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "test",
            "clusters": [{"name": "test", "cluster": cluster}],
            "users": [{"name": user, "user": {"token": user}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": user}}],
        }


@contextmanager
def running(folder: Path, *, port: int | None = None, is_hasty: bool = False) -> Iterator[Plane]:
    """A control plane that answers; it is stopped at the end, each process by its own id.

    `port` is the API server's, any free one by default; `is_hasty` lets controllers and scheduler write as fast as they can.
    """
    with ExitStack() as stack:
        plane = Plane(folder, port or free_port())
        client, peer = free_port(), free_port()
        stack.enter_context(_process(plane, "etcd", _etcd(plane, client, peer)))
        audit = [] if is_hasty else [f"--audit-policy-file={folder}/audit.yaml", f"--audit-log-path={plane.audit_log}"]
        stack.enter_context(_process(plane, "kube-apiserver", [*_api_server(plane, client), *audit]))
        wait(plane.is_ready)
        for name, arguments in _controllers(plane, is_hasty=is_hasty).items():
            stack.enter_context(_process(plane, name, arguments))
        _grant(plane)
        yield plane


def _controllers(plane: Plane, *, is_hasty: bool) -> dict[str, list[str]]:
    """What makes objects move, with the arguments of each."""
    config = plane.kubeconfig("admin")
    connection = {"kubeconfig": config, **({"qps": 2000, "burst": 4000} if is_hasty else {})}
    scheduler = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": connection,
        "leaderElection": {"leaderElect": False},
    }
    (plane.folder / "scheduler.yaml").write_text(yaml.safe_dump(scheduler))
    key = f"--service-account-private-key-file={plane.folder}/accounts.key"
    # Ten thousand pods in minutes; a busy machine must not make nodes look lost meanwhile.
    haste = ["--kube-api-qps=2000", "--kube-api-burst=4000", "--node-monitor-grace-period=1h"] if is_hasty else []
    return {
        "kube-controller-manager": [f"--kubeconfig={config}", "--leader-elect=false", "--secure-port=0", key, *haste],
        "kube-scheduler": [f"--config={plane.folder}/scheduler.yaml", "--secure-port=0"],
        "kwok": [
            f"--kubeconfig={config}",
            f"--config={HERE}/stages.yaml",
            "--manage-all-nodes",
            "--node-lease-duration-seconds=40",
        ],
    }


def _etcd(plane: Plane, client: int, peer: int) -> list[str]:
    return [
        f"--data-dir={plane.folder}/etcd",
        "--unsafe-no-fsync",
        "--log-level=error",
        f"--listen-client-urls=http://127.0.0.1:{client}",
        f"--advertise-client-urls=http://127.0.0.1:{client}",
        f"--listen-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-cluster=default=http://127.0.0.1:{peer}",
    ]


def _api_server(plane: Plane, etcd: int) -> list[str]:
    folder = plane.folder
    return [
        f"--etcd-servers=http://127.0.0.1:{etcd}",
        "--bind-address=127.0.0.1",
        f"--secure-port={plane.port}",
        f"--tls-cert-file={folder}/serving.pem",
        f"--tls-private-key-file={folder}/serving.pem",
        f"--cert-dir={folder}",
        "--authorization-mode=RBAC",
        f"--token-auth-file={folder}/tokens.csv",
        "--anonymous-auth=false",
        f"--service-account-key-file={folder}/accounts.key",
        f"--service-account-signing-key-file={folder}/accounts.key",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--disable-admission-plugins=ServiceAccount",
        "--endpoint-reconciler-type=none",
        # A version that 1.38 removes, off by default, for what looks for its users.
        "--runtime-config=resource.k8s.io/v1beta1=true",
    ]


@contextmanager
def _process(plane: Plane, name: str, arguments: list[str]) -> Iterator[None]:
    with (plane.folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen([plane.binaries / name, *arguments], stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _grant(plane: Plane) -> None:
    """The roles of all users; RBAC is the cluster's own."""
    for user in USERS[1:]:
        if user in {"nobody", "granted"}:
            continue
        lacked = user.removeprefix("lacks-")
        rules = [_rule(kind.resource) for kind in RESOURCES.values() if kind.resource.plural != lacked]
        name = f"kubegap-{user}"
        plane.create(
            {**_RBAC, "kind": "ClusterRole", "metadata": {"name": name}, "rules": rules},
            {
                **_RBAC,
                "kind": "ClusterRoleBinding",
                "metadata": {"name": name},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
                "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}],
            },
        )


def _rule(resource: Resource) -> dict:
    if resource.is_metric:
        return {"nonResourceURLs": [METRICS], "verbs": ["get"]}
    return {"apiGroups": [resource.group], "resources": [resource.plural], "verbs": ["get", "list"]}


_RBAC = {"apiVersion": "rbac.authorization.k8s.io/v1"}
_PLURALS = {"Service": "services", "NetworkPolicy": "networkpolicies"}


def path_of(version: str, kind: str, namespace: str | None) -> str:
    """Where the API server serves objects of a kind."""
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    plural = _PLURALS.get(kind) or kind.lower() + ("es" if kind.endswith("s") else "s")
    return f"{root}/namespaces/{namespace}/{plural}" if namespace else f"{root}/{plural}"


def wait(is_there, seconds: float = READY_SECONDS, pause: float = 0.2) -> None:
    """Until something is there, asked again after every pause; errors on the way count as not there."""
    end = time.monotonic() + seconds
    while True:
        try:
            if is_there():
                return
        except (AssertionError, urllib3.exceptions.HTTPError, ValueError) as error:
            last = error
        else:
            last = None
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s for {is_there}: {last}")
        time.sleep(pause)


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]
