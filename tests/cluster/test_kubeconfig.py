"""Which cluster, as whom: kubectl's rules for kubeconfigs, and what arrives at the server."""

import base64
import io
import json
import os
import ssl
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme
import yaml
from tests.cluster.fake_api import FakeApi

from kubegap.cluster import credentials
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import access
from kubegap.cluster.kubeconfig import BadKubeconfig, NoContext, NoKubeconfig, chosen
from kubegap.cluster.objects import Pod
from kubegap.cluster.transport import Limits, Unreachable

QUICK = Limits(first_wait=0.01, attempts=2, request_seconds=3)


def config(server="https://a:6443", user=None, cluster=None, name="a"):
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [{"name": name, "cluster": {"server": server, **(cluster or {})}}],
        "users": [{"name": name, "user": user or {}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
    }


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return str(path)


def reached(tmp_path, **parts):
    return access(write(tmp_path / "config", config(**parts)), None, {})


def asked(api, way):
    """The headers that a server sees."""
    collect(way, [Pod.resource.path], QUICK)
    return api.asked[-1][2]


@pytest.fixture
def api():
    with FakeApi().running() as running:
        yield running


def test_the_first_file_that_names_something_wins(tmp_path):
    first, second = config("https://one", name="a"), config("https://two", name="a")
    second["clusters"].append({"name": "b", "cluster": {"server": "https://b"}})
    second["contexts"].append({"name": "b", "context": {"cluster": "b", "user": "a"}})
    del first["current-context"]
    second["current-context"] = "b"
    files = [write(tmp_path / "1", first), str(tmp_path / "missing"), write(tmp_path / "2", second)]
    environment = {"KUBECONFIG": os.pathsep.join(files)}

    assert chosen(None, None, environment).cluster.server == "https://b"
    assert chosen(None, "a", environment).cluster.server == "https://one"


def test_the_current_context_of_the_first_file_stays(tmp_path):
    files = [write(tmp_path / "1", config(name="a")), write(tmp_path / "2", config(name="b"))]

    assert chosen(None, None, {"KUBECONFIG": os.pathsep.join(files)}).context == "a"


def test_a_path_is_relative_to_its_file(tmp_path):
    user = {"tokenFile": "token", "client-certificate": "c.pem", "exec": {"command": "./bin/login", "args": []}}
    path = write(tmp_path / "deep" / "config", config(user=user, cluster={"certificate-authority": "ca.pem"}))

    choice = chosen(path, None, {})

    assert choice.user.token_file == str(tmp_path / "deep" / "token")
    assert choice.user.exec.command == str(tmp_path / "deep" / "bin" / "login")
    assert choice.cluster.certificate_authority == str(tmp_path / "deep" / "ca.pem")


@pytest.mark.parametrize("scheme", ["https://", ""])
def test_a_password_in_the_address_is_sent_and_never_shown(tmp_path, scheme):
    way = reached(tmp_path, server=f"{scheme}me:hunt%40er2@127.0.0.1:1/k8s", cluster={"insecure-skip-tls-verify": True})

    assert way.server == "https://127.0.0.1:1/k8s"
    assert way.headers == (("Authorization", "Basic " + base64.b64encode(b"me:hunt@er2").decode()),)
    assert "hunt" not in str(way.notes)
    with pytest.raises(Unreachable) as raised:
        collect(way, [Pod.resource.path], QUICK)
    assert "hunt" not in raised.value.sentence("en")


def test_a_token_stands_before_a_password_in_the_address(tmp_path):
    way = reached(tmp_path, server="http://me:hunter2@a", user={"token": "t"})

    assert (way.server, way.headers) == ("http://a", (("Authorization", "Bearer t"),))


def test_a_server_that_is_no_address_is_told(tmp_path):
    with pytest.raises(BadKubeconfig, match="no address"):
        reached(tmp_path, server="https://[me:hunter2@::1")


def test_the_home_folder_is_the_default(tmp_path):
    write(tmp_path / ".kube" / "config", config())

    assert chosen(None, None, {"HOME": str(tmp_path), "KUBECONFIG": ""}).context == "a"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a: [", "not valid YAML"),
        ("clusters: 3", "does not fit"),
        ("", "No kubeconfig"),
        ({**config(), "current-context": ""}, "no current-context"),
        ({**config(), "clusters": []}, "The cluster `a`"),
        ({**config(), "users": []}, "The user `a`"),
        ({**config(), "current-context": "aa"}, "no context `aa`"),
        ({**config(), "users": config()["users"] * 2}, "twice"),
    ],
)
def test_a_kubeconfig_that_does_not_fit_is_one_line(tmp_path, content, words):
    with pytest.raises(BadKubeconfig, match=words):
        access(write(tmp_path / "config", content), None, {})


def test_a_kubeconfig_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(BadKubeconfig, match="Cannot read"):
        access(str(tmp_path / "no"), None, {})
    with pytest.raises(NoKubeconfig):
        access(None, None, {"HOME": str(tmp_path)})


def test_no_credential_stands_in_an_error(tmp_path):
    broken = "users:\n- name: a\n  user: {token: canary-token\n"

    with pytest.raises(BadKubeconfig) as caught:
        access(write(tmp_path / "config", broken), None, {})

    assert "canary" not in caught.value.message.en + caught.value.message.ko


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_token_file_may_end_with_a_newline(tmp_path, api, end):
    (tmp_path / "token").write_bytes(b"abc" + end.encode())

    assert asked(api, reached(tmp_path, server=api.url, user={"tokenFile": "token"}))["Authorization"] == "Bearer abc"


def test_a_token_and_a_password(tmp_path, api):
    plain = reached(tmp_path, server=api.url, user={"token": "abc"})
    basic = reached(tmp_path, server=api.url, user={"username": "me", "password": "pw"})

    assert asked(api, plain)["Authorization"] == "Bearer abc"
    assert asked(api, basic)["Authorization"] == "Basic " + base64.b64encode(b"me:pw").decode()


def test_a_server_behind_a_path_keeps_it(tmp_path, api):
    way = reached(tmp_path, server=f"{api.url}/k8s/clusters/c-1/")

    with pytest.raises(Unreachable):
        collect(way, [Pod.resource.path], QUICK)
    assert way.server == f"{api.url}/k8s/clusters/c-1"
    assert api.asked[0][1] == "/k8s/clusters/c-1/version"


def test_impersonation_is_honoured(tmp_path, api):
    user = {"token": "t", "as": "ana", "as-uid": "7", "as-groups": ["dev"], "as-user-extra": {"Scopes/x": ["view"]}}

    headers = asked(api, reached(tmp_path, server=api.url, user=user))

    assert headers["Impersonate-User"] == "ana"
    assert headers["Impersonate-Group"] == "dev"
    assert headers["Impersonate-Uid"] == "7"
    assert headers["Impersonate-Extra-scopes%2Fx"] == "view"


def test_impersonating_nobody_is_refused(tmp_path):
    with pytest.raises(BadKubeconfig, match="without `as`"):
        reached(tmp_path, user={"as-groups": ["dev"]})


def plugin(tmp_path, body, **more):
    path = tmp_path / "login"
    path.write_text(f"#!{sys.executable}\n{body}\n")
    path.chmod(0o755)
    return {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./login", **more}}


def credential(**status):
    return json.dumps({"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status})


def test_a_plugin_gives_the_token(tmp_path, api):
    body = f"import os; print({credential(token='from-plugin')!r} if os.environ['WHO'] == 'me' else '')"
    user = plugin(tmp_path, body, env=[{"name": "WHO", "value": "me"}])

    assert asked(api, reached(tmp_path, server=api.url, user=user))["Authorization"] == "Bearer from-plugin"


def test_a_plugin_is_told_about_the_cluster_if_it_asks(tmp_path, api):
    body = (
        "import json, os\n"
        "told = json.loads(os.environ['KUBERNETES_EXEC_INFO'])['spec']['cluster']['server']\n"
        f"print({credential(token='T')!r}.replace('T', told.rpartition(':')[2]))"
    )
    user = plugin(tmp_path, body, provideClusterInfo=True)

    port = api.url.rpartition(":")[2]
    assert asked(api, reached(tmp_path, server=api.url, user=user))["Authorization"] == f"Bearer {port}"


def test_a_plugin_is_told_the_authority_as_data(tmp_path, api):
    (tmp_path / "ca.pem").write_bytes(b"an authority")
    body = (
        "import json, os\n"
        "told = json.loads(os.environ['KUBERNETES_EXEC_INFO'])['spec']['cluster']\n"
        f"print({credential(token='T')!r}.replace('T', told['certificate-authority-data']))"
    )
    user = plugin(tmp_path, body, provideClusterInfo=True)
    way = reached(tmp_path, server=api.url, user=user, cluster={"certificate-authority": "ca.pem"})

    assert asked(api, way)["Authorization"] == f"Bearer {base64.b64encode(b'an authority').decode()}"


@pytest.mark.parametrize(("mode", "stdin", "word"), [
    ("IfAvailable", True, "True"), ("IfAvailable", False, "False"), ("Never", True, "False"), ("Always", True, "True"),
])  # fmt: skip
def test_a_plugin_may_ask_on_a_terminal(tmp_path, api, monkeypatch, mode, stdin, word):
    """Also while the report goes into a file, as kubectl lets it."""
    body = (
        "import json, os\n"
        "told = json.loads(os.environ['KUBERNETES_EXEC_INFO'])['spec']['interactive']\n"
        f"print({credential(token='T')!r}.replace('T', str(told)))"
    )
    ours, theirs = os.openpty()
    terminal, keyboard, nothing = os.fdopen(theirs, "w"), os.fdopen(os.dup(theirs)), io.StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdin", keyboard if stdin else nothing)
    with terminal, keyboard:
        way = reached(tmp_path, server=api.url, user=plugin(tmp_path, body, interactiveMode=mode))
    os.close(ours)

    assert asked(api, way)["Authorization"] == f"Bearer {word}"


def test_no_exec_runs_nothing(tmp_path):
    user = plugin(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')")

    with pytest.raises(BadKubeconfig, match="--no-exec"):
        access(write(tmp_path / "config", config(user=user)), None, {}, may_run=False)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import sys; sys.exit('no such profile')", "no such profile"),
        ("print('hello')", "failed"),
        (f"print({credential()!r})", "neither a token"),
        ("print('[]')", "failed"),
    ],
)
def test_a_plugin_that_fails_is_one_line(tmp_path, body, words):
    with pytest.raises(BadKubeconfig, match=words) as caught:
        reached(tmp_path, user=plugin(tmp_path, body))
    assert "\n" not in caught.value.message.ko


def test_a_plugin_that_is_missing_shows_its_hint(tmp_path):
    user = plugin(tmp_path, "", installHint="brew install login")
    (tmp_path / "login").unlink()

    with pytest.raises(BadKubeconfig) as caught:
        reached(tmp_path, user=user)
    assert caught.value.hint.en == "brew install login"


def jwt(expires):
    claims = base64.urlsafe_b64encode(json.dumps({"exp": expires}).encode()).decode().rstrip("=")
    return f"h.{claims}.s"


def test_an_oidc_token_is_used_until_it_expires(tmp_path, api):
    def user(token):
        return {"auth-provider": {"name": "oidc", "config": {"id-token": token}}}

    good = jwt(time.time() + 60)
    assert asked(api, reached(tmp_path, server=api.url, user=user(good)))["Authorization"] == f"Bearer {good}"
    with pytest.raises(BadKubeconfig, match="expired"):
        reached(tmp_path, user=user(jwt(time.time() - 60)))


def test_a_provider_that_kubectl_dropped_is_refused(tmp_path):
    with pytest.raises(BadKubeconfig, match="went away"):
        reached(tmp_path, user={"auth-provider": {"name": "gcp", "config": {}}})


@pytest.fixture(scope="module")
def ca():
    return trustme.CA()


@pytest.fixture(scope="module")
def stranger():
    return trustme.CA()


@pytest.fixture
def secure(ca):
    """A server with TLS that asks for a client certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("127.0.0.1", "api.internal").configure_cert(context)
    ca.configure_trust(context)
    context.verify_mode = ssl.CERT_OPTIONAL
    with FakeApi(context).running() as running:
        yield running


def data(blob):
    return base64.b64encode(blob.bytes()).decode()


def trusting(ca, **more):
    return {"certificate-authority-data": data(ca.cert_pem), **more}


def test_tls_with_its_own_authority_and_what_its_certificate_says(tmp_path, secure, ca):
    way = reached(tmp_path, server=secure.url, cluster=trusting(ca))

    snapshot = collect(way, [Pod.resource.path], QUICK)

    assert snapshot.has(Pod)
    certificate = snapshot.source.certificate
    assert certificate.not_before < datetime.now(UTC) < certificate.not_after


def test_tls_with_a_strange_authority_is_one_line(tmp_path, secure, stranger):
    with pytest.raises(Unreachable, match="TLS failed"):
        collect(reached(tmp_path, server=secure.url, cluster=trusting(stranger)), [Pod.resource.path], QUICK)


def test_insecure_warns_and_still_knows_the_certificate(tmp_path, secure):
    way = reached(tmp_path, server=secure.url, cluster={"insecure-skip-tls-verify": True})

    source = collect(way, [Pod.resource.path], QUICK).source

    assert "not verified" in source.notes[0].en
    assert source.certificate is not None


def test_the_name_to_expect_of_the_server(tmp_path, secure, ca):
    good = reached(tmp_path, server=secure.url, cluster=trusting(ca, **{"tls-server-name": "api.internal"}))
    bad = reached(tmp_path, server=secure.url, cluster=trusting(ca, **{"tls-server-name": "other.internal"}))

    assert collect(good, [Pod.resource.path], QUICK).has(Pod)
    with pytest.raises(Unreachable, match="TLS failed"):
        collect(bad, [Pod.resource.path], QUICK)


@pytest.mark.parametrize("how", ["data", "files", "plugin"])
def test_a_client_certificate_is_shown(tmp_path, ca, how):
    seen = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("127.0.0.1").configure_cert(context)
    ca.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    own = ca.issue_cert("me@example.com", common_name="me")
    key, chain = own.private_key_pem, own.cert_chain_pems[0]
    if how == "data":
        user = {"client-certificate-data": data(chain), "client-key-data": data(key)}
    elif how == "files":
        key.write_to_path(tmp_path / "key.pem")
        chain.write_to_path(tmp_path / "cert.pem")
        user = {"client-certificate": "cert.pem", "client-key": "key.pem"}
    else:
        parts = {"clientCertificateData": chain.bytes().decode(), "clientKeyData": key.bytes().decode()}
        user = plugin(tmp_path, f"print({credential(**parts)!r})")
    with FakeApi(context).running() as api:
        api.on("/version", lambda h, _count: seen.append(h.connection.getpeercert()["subject"]))
        assert collect(
            reached(tmp_path, server=api.url, user=user, cluster=trusting(ca)), [Pod.resource.path], QUICK
        ).has(Pod)
    assert "me" in str(seen)


def test_no_key_stays_on_the_disk(tmp_path, ca, monkeypatch):
    monkeypatch.setattr(credentials.tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    own = ca.issue_cert("me@example.com")
    user = {"client-certificate-data": data(own.cert_chain_pems[0]), "client-key-data": data(own.private_key_pem)}

    reached(tmp_path, user=user, cluster=trusting(ca))

    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("bad", ["!!!", base64.b64encode(b"no certificate").decode()])
def test_a_certificate_that_is_none_is_one_line(tmp_path, bad):
    with pytest.raises(BadKubeconfig):
        reached(tmp_path, cluster={"certificate-authority-data": bad})


def test_in_a_pod_the_service_account_speaks(tmp_path, ca, monkeypatch):
    ca.cert_pem.write_to_path(tmp_path / "ca.crt")
    (tmp_path / "token").write_text("abc\n")
    monkeypatch.setattr(credentials, "_ACCOUNT", Path(tmp_path))
    environment = {"HOME": str(tmp_path), "KUBERNETES_SERVICE_HOST": "::1", "KUBERNETES_SERVICE_PORT": "443"}

    way = access(None, None, environment)

    assert way.server == "https://[::1]:443"
    assert way.headers == (("Authorization", "Bearer abc"),)


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_a_context_that_is_not_there_is_told_with_a_next_step(tmp_path, lang):
    file = tmp_path / "config"
    file.write_text("contexts: [{name: staging, context: {cluster: c}}, {name: prod, context: {cluster: c}}]\n")
    told = []
    for path in (file, None):
        with pytest.raises(NoContext) as caught:
            chosen(path and str(path), "zzz", {"HOME": str(tmp_path)})
        told.append(caught.value.sentence(lang))

    assert "prod, staging" in told[0]
    assert "KUBECONFIG" in told[1]
