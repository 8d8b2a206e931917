"""Proxies of a kubeconfig and of the environment: Go's rules, and what arrives behind them."""

import socket
import ssl
import sys
from urllib.parse import urlsplit

import pytest
import trustme
import yaml
from tests.cluster.fake_api import FakeApi
from tests.cluster.proxy import EXCEPTIONS, HttpProxy, SocksProxy

from kubegap.cluster.collect import collect
from kubegap.cluster.connections import BadProxy
from kubegap.cluster.credentials import access
from kubegap.cluster.objects import Pod
from kubegap.cluster.proxies import proxy_before
from kubegap.cluster.transport import Limits, Unreachable

QUICK = Limits(first_wait=0.01, attempts=2, request_seconds=3)
PODS = [Pod.resource.path]


@pytest.mark.parametrize(("server", "exceptions", "is_proxied"), EXCEPTIONS)
def test_no_proxy(server, exceptions, is_proxied):
    environment = {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": exceptions}

    assert proxy_before(server, environment) == ("http://proxy:3128" if is_proxied else None)


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        ({}, None),
        ({"https_proxy": "http://small"}, "http://small"),
        ({"HTTPS_PROXY": "http://large", "https_proxy": "http://small"}, "http://large"),
        ({"HTTP_PROXY": "http://other", "ALL_PROXY": "http://all"}, None),
        ({"HTTPS_PROXY": "proxy:3128"}, "http://proxy:3128"),
        ({"HTTPS_PROXY": "socks5://proxy:1080"}, "socks5://proxy:1080"),
        ({"HTTPS_PROXY": "http://proxy", "no_proxy": "api.example"}, None),
    ],
)
def test_which_variable_counts(environment, proxy):
    assert proxy_before("https://api.example:6443", environment) == proxy


@pytest.fixture(scope="module")
def ca():
    return trustme.CA()


@pytest.fixture
def api(ca):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("api.example").configure_cert(context)
    with FakeApi(context).running() as running:
        running.add(Pod, {"metadata": {"name": "p", "namespace": "shop"}})
        yield running


@pytest.fixture
def way(tmp_path, ca):
    """How to reach `api.example`, a name that only a proxy knows."""
    ca.cert_pem.write_to_path(tmp_path / "ca.pem")

    def make(environment=None, **cluster):
        cluster = {"server": "https://api.example:6443", "certificate-authority": "ca.pem", **cluster}
        config = {
            "current-context": "a",
            "clusters": [{"name": "a", "cluster": cluster}],
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": ""}}],
        }
        (tmp_path / "config").write_text(yaml.safe_dump(config))
        return access(str(tmp_path / "config"), None, environment or {})

    return make


@pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5"), (SocksProxy, "socks5h")])
@pytest.mark.parametrize("login", ["", "me:p%40ss@"])
@pytest.mark.parametrize("how", ["kubeconfig", "environment"])
def test_the_server_is_reached_through_the_proxy(api, way, kind, scheme, login, how):
    with kind(urlsplit(api.url).port).running() as proxy:
        url = f"{scheme}://{login}{proxy.address}"
        reached = way(**{"proxy-url": url}) if how == "kubeconfig" else way({"HTTPS_PROXY": url})

        snapshot = collect(reached, PODS, QUICK)

    assert len(snapshot.of(Pod)) == 1
    assert set(proxy.asked) == {"api.example:6443"}
    assert proxy.login == ("me:p@ss" if login else "")
    assert snapshot.source.certificate is not None


def test_the_kubeconfig_knows_better_than_the_environment(way):
    environment = {"HTTPS_PROXY": "http://proxy", "NO_PROXY": "*"}

    assert way(environment, **{"proxy-url": "http://other:1"}).proxy == "http://other:1"


def test_plain_http_goes_to_the_proxy_whole(way):
    with FakeApi().running() as api:
        collect(way(server="http://api.example", **{"proxy-url": api.url}), PODS, QUICK)

        assert api.asked[0][1] == "http://api.example/version"


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_that_is_not_there_is_one_line_without_its_password(way, scheme):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        gone = taken.getsockname()[1]

    with pytest.raises(Unreachable) as caught:
        collect(way(**{"proxy-url": f"{scheme}://me:p4ss@127.0.0.1:{gone}"}), PODS, QUICK)

    assert "p4ss" not in caught.value.message.en
    assert "\n" not in caught.value.message.en


@pytest.mark.parametrize("proxy", ["socks4://x:1", "ftp://x", "x"])
def test_a_proxy_of_another_kind_is_refused(way, proxy):
    with pytest.raises(BadProxy, match="http, https or socks5"):
        collect(way(**{"proxy-url": proxy}), PODS, QUICK)


def test_without_the_extra_a_socks_proxy_is_refused_with_what_to_install(way, monkeypatch):
    monkeypatch.delitem(sys.modules, "urllib3.contrib.socks", raising=False)
    monkeypatch.setitem(sys.modules, "socks", None)

    with pytest.raises(BadProxy) as caught:
        collect(way(**{"proxy-url": "socks5://x:1"}), PODS, QUICK)

    assert "kubegap[socks]" in caught.value.hint.en
