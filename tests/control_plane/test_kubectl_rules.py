"""Kubeconfigs merge, and proxies are chosen, as by the real kubectl."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kubegap.cluster.kubeconfig import BadKubeconfig, chosen
from tests.cluster.proxy import EXCEPTIONS, HttpProxy

KUBECTL = Path(sys.executable).parent / "kubectl"


def config(current, **servers):
    return {
        "apiVersion": "v1",
        "kind": "Config",
        **({"current-context": current} if current else {}),
        "clusters": [{"name": name, "cluster": {"server": server}} for name, server in servers.items()],
        "users": [{"name": name, "user": {"token": f"{server}-token"}} for name, server in servers.items()],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}} for name in servers],
    }


FILES = {
    "one": config("a", a="https://one"),
    "two": config("b", a="https://two", b="https://b"),
    "none": config("", c="https://c"),
    "dangling": {**config("d"), "contexts": [{"name": "d", "context": {"cluster": "gone", "user": "gone"}}]},
}


@pytest.mark.parametrize(
    "names", [names for size in (1, 2, 3) for names in itertools.permutations(FILES, size)], ids="+".join
)
def test_the_same_server_and_token_as_kubectl(tmp_path, names):
    for name in names:
        (tmp_path / name).write_text(yaml.safe_dump(FILES[name]))
    listed = os.pathsep.join(str(tmp_path / name) for name in [*names, "missing"])
    environment = {"KUBECONFIG": listed, "HOME": str(tmp_path)}

    command = [KUBECTL, "config", "view", "--minify", "--raw", "-o", "json"]
    said = subprocess.run(command, env=environment, capture_output=True, check=False)
    theirs = json.loads(said.stdout) if said.returncode == 0 else {}

    try:
        ours = chosen(None, None, environment)
    except BadKubeconfig:
        # `config view` shows a context whose cluster is missing; kubectl fails only once it uses it.
        assert not theirs.get("clusters")
    else:
        assert ours.context == theirs["current-context"]
        assert ours.cluster.server == theirs["clusters"][0]["cluster"]["server"]
        assert ours.user.token == theirs["users"][0]["user"]["token"]


@pytest.mark.parametrize(("server", "exceptions", "is_proxied"), EXCEPTIONS)
def test_kubectl_asks_the_same_servers_through_the_proxy(tmp_path, server, exceptions, is_proxied):
    # What passes the proxy ends at a port where nobody listens; what does not, nowhere.
    with HttpProxy(1).running() as proxy:
        environment = {"HTTPS_PROXY": f"http://{proxy.address}", "NO_PROXY": exceptions, "HOME": str(tmp_path)}
        command = [KUBECTL, "get", "--raw", "/version", "--server", server, "--token", "t", "--request-timeout", "1s"]
        subprocess.run(command, env=environment, capture_output=True, check=False)

    assert bool(proxy.asked) is is_proxied
