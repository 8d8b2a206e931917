"""Proves to an API server who is asking: from a kubeconfig's choice, or from the service account of the pod around us.

The `kubernetes` package reads tokens, keys and certificates, and runs plugins. What it would pass over in silence is done
here: token files that end with a newline, impersonation, plugins that fail, old providers. It takes 0.2 seconds to import,
so only a run against a live cluster does.
"""

from __future__ import annotations

import base64
import binascii
import json
import ssl
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from msgspec import Struct, structs, to_builtins

from kubegap.cluster.kubeconfig import BadKubeconfig, Choice, Cluster, NoKubeconfig, Plugin, User, chosen
from kubegap.text import Text

_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")


class Access(Struct, frozen=True):
    """Everything that a request needs: where to, as whom, and how to trust the other side."""

    server: str
    headers: tuple[tuple[str, str], ...]
    tls: ssl.SSLContext | None
    server_name: str | None = None
    proxy: str | None = None
    name: str | None = None
    context: str | None = None
    notes: tuple[Text, ...] = ()


def access(path: str | None, context: str | None, environment: Mapping[str, str], *, may_run: bool = True) -> Access:
    """How to reach the cluster of a kubeconfig's context; `may_run` allows plugins that the kubeconfig names.

    Without any kubeconfig, the cluster that this pod runs in. Raises `BadKubeconfig` for what cannot work.
    """
    try:
        choice = chosen(path, context, environment)
    except NoKubeconfig:
        if path is not None or not environment.get("KUBERNETES_SERVICE_HOST"):
            raise
        return _in_cluster(environment)
    return _access(choice, may_run=may_run)


def _access(choice: Choice, *, may_run: bool) -> Access:
    user = _resolved(choice, may_run=may_run)
    cluster = structs.replace(choice.cluster, server=_server(choice.cluster, user))
    with tempfile.TemporaryDirectory(prefix="kubegap-") as folder:
        loaded = _loaded(cluster, user, folder)
        tls = _tls(cluster, loaded) if cluster.server.startswith("https://") else None
    token = loaded.api_key.get("BearerToken")
    return Access(
        server=cluster.server.rstrip("/"),
        headers=(*([("Authorization", token)] if token else ()), *_impersonation(user)),
        tls=tls,
        server_name=cluster.tls_server_name or None,
        proxy=cluster.proxy_url or _proxy_around(cluster.server, loaded),
        name=choice.cluster_name,
        context=choice.context,
        notes=(_INSECURE.fill(server=cluster.server),) if cluster.insecure_skip_tls_verify and tls else (),
    )


def _server(cluster: Cluster, user: User) -> str:
    """The address with its scheme, as kubectl completes it."""
    if "://" in cluster.server:
        return cluster.server
    speaks_tls = cluster.certificate_authority or cluster.certificate_authority_data or user.client_certificate_data
    return f"{'https' if speaks_tls or cluster.insecure_skip_tls_verify else 'http'}://{cluster.server}"


def _resolved(choice: Choice, *, may_run: bool) -> User:
    """The user with credentials in hand: files read, plugins run."""
    user = choice.user
    if user.token_file:
        user = structs.replace(user, token=_token_in(Path(user.token_file)), token_file="")
    if user.auth_provider and not user.token:
        user = structs.replace(user, token=_provided(user), auth_provider=None)
    if user.exec and not user.token:
        user = _from_plugin(choice, user, user.exec, may_run=may_run)
    return user


def _token_in(path: Path) -> str:
    try:
        # Most tools end a file with a newline, which no header may hold.
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise BadKubeconfig(_NO_TOKEN_FILE.fill(path=path)) from error


def _provided(user: User) -> str:
    provider = user.auth_provider
    token = ((provider.config if provider else None) or {}).get("id-token", "")
    if not provider or provider.name != "oidc":
        raise BadKubeconfig(_OLD_PROVIDER.fill(name=provider.name if provider else ""))
    if not token or _is_expired(token):
        # A new one would have to be asked for and written into the kubeconfig, and kubegap only reads.
        raise BadKubeconfig(_OIDC_EXPIRED)
    return token


def _is_expired(token: str) -> bool:
    try:
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        return float(claims["exp"]) <= datetime.now(UTC).timestamp()
    except (IndexError, KeyError, TypeError, ValueError):
        return False


def _from_plugin(choice: Choice, user: User, plugin: Plugin, *, may_run: bool) -> User:
    if not may_run:
        raise BadKubeconfig(_NO_EXEC.fill(command=plugin.command), _NO_EXEC_HINT)
    if plugin.interactive_mode == "Always" and not sys.stdin.isatty():
        raise BadKubeconfig(_NEEDS_TERMINAL.fill(command=plugin.command))
    status = _run(choice.cluster, plugin)
    token, certificate, key = (
        str(status.get(name) or "") for name in ("token", "clientCertificateData", "clientKeyData")
    )
    if not token and not (certificate and key):
        raise BadKubeconfig(_PLUGIN_EMPTY.fill(command=plugin.command))
    user = structs.replace(user, exec=None, token=token.strip())
    if certificate and key and not user.client_certificate and not user.client_certificate_data:
        data = (base64.b64encode(part.encode()).decode() for part in (certificate, key))
        user = structs.replace(user, **dict(zip(("client_certificate_data", "client_key_data"), data, strict=True)))
    return user


def _run(cluster: Cluster, plugin: Plugin) -> Mapping[str, Any]:
    from kubernetes.config.config_exception import ConfigException  # noqa: PLC0415, slow to import
    from kubernetes.config.exec_provider import ExecProvider  # noqa: PLC0415
    from kubernetes.config.kube_config import ConfigNode  # noqa: PLC0415

    # kubectl names the extensions apart, and leaves out what is empty.
    about = {key: value for key, value in to_builtins(cluster).items() if value}
    wanted = {key: value for key, value in to_builtins(plugin).items() if value}
    try:
        status = ExecProvider(ConfigNode("exec", wanted), "", ConfigNode("cluster", about)).run()
    except OSError as error:
        hint = Text(ko=plugin.install_hint, en=plugin.install_hint) if plugin.install_hint else None
        raise BadKubeconfig(_NO_PLUGIN.fill(command=plugin.command, reason=error.strerror), hint) from error
    except (ConfigException, KeyError, TypeError, ValueError) as error:
        raise BadKubeconfig(_PLUGIN_FAILED.fill(command=plugin.command, reason=_one_line(error))) from error
    return status if isinstance(status, dict) else {}


def _loaded(cluster: Cluster, user: User, folder: str) -> Any:
    """The `kubernetes` package's reading of a single cluster and user; files that it writes go into `folder`."""
    from kubernetes.client import Configuration  # noqa: PLC0415, slow to import
    from kubernetes.config import ConfigException, load_kube_config_from_dict  # noqa: PLC0415

    parts = {"cluster": to_builtins(cluster), "user": to_builtins(structs.replace(user, exec=None))}
    given = {part: {key: value for key, value in fields.items() if value} for part, fields in parts.items()}
    document = {
        "current-context": "one",
        "contexts": [{"name": "one", "context": {"cluster": "one", "user": "one"}}],
        "clusters": [{"name": "one", "cluster": given["cluster"]}],
        "users": [{"name": "one", "user": given["user"]}],
    }
    configuration = Configuration()
    try:
        load_kube_config_from_dict(
            document, client_configuration=configuration, persist_config=False, temp_file_path=folder
        )
    except (ConfigException, binascii.Error, OSError, ValueError) as error:
        raise BadKubeconfig(_UNUSABLE.fill(reason=_one_line(error))) from None
    return configuration


def _tls(cluster: Cluster, loaded: Any) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=loaded.ssl_ca_cert)
        if loaded.cert_file:
            context.load_cert_chain(loaded.cert_file, loaded.key_file)
    except (OSError, ValueError) as error:
        raise BadKubeconfig(_BAD_CERTIFICATE.fill(reason=_one_line(error))) from None
    # Go trusts an authority whose certificate is no root, and knows nothing of OpenSSL's stricter reading of extensions.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if cluster.insecure_skip_tls_verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _impersonation(user: User) -> list[tuple[str, str]]:
    """The headers by which the API server is asked to treat the request as another's."""
    if not user.as_:
        if user.as_uid or user.as_groups or user.as_user_extra:
            raise BadKubeconfig(_AS_NOBODY)
        return []
    extra = [(name, value) for name, values in (user.as_user_extra or {}).items() for value in values]
    return [
        ("Impersonate-User", user.as_),
        *([("Impersonate-Uid", user.as_uid)] if user.as_uid else []),
        *(("Impersonate-Group", group) for group in user.as_groups or ()),
        *((f"Impersonate-Extra-{quote(name.lower(), safe='')}", value) for name, value in extra),
    ]


def _proxy_around(server: str, loaded: Any) -> str | None:
    """The proxy of the environment, which as in Go never stands before this machine itself."""
    from kubernetes.client.rest import should_bypass_proxies  # noqa: PLC0415, slow to import

    host = urlsplit(server).hostname or ""
    is_here = host == "localhost" or host.startswith("127.") or host == "::1"
    proxy: str | None = loaded.proxy
    return None if is_here or should_bypass_proxies(server, loaded.no_proxy or "") else proxy


def _in_cluster(environment: Mapping[str, str]) -> Access:
    from kubernetes.client import Configuration  # noqa: PLC0415, slow to import
    from kubernetes.config import ConfigException  # noqa: PLC0415
    from kubernetes.config.incluster_config import InClusterConfigLoader  # noqa: PLC0415

    configuration = Configuration()
    try:
        InClusterConfigLoader(
            str(_ACCOUNT / "token"), str(_ACCOUNT / "ca.crt"), try_refresh_token=False, environ=environment
        ).load_and_set(configuration)
    except (ConfigException, OSError) as error:
        raise BadKubeconfig(_NOT_IN_CLUSTER.fill(reason=_one_line(error))) from error
    token = configuration.api_key["BearerToken"].split(maxsplit=1)[1].strip()
    headers = (("Authorization", f"Bearer {token}"),)
    return Access(configuration.host, headers, _tls(Cluster(), configuration), name="in-cluster")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]


_INSECURE = Text(
    ko="{server} 의 인증서를 확인하지 않는다 (insecure-skip-tls-verify). 사이에 누가 있어도 알 수 없다.",
    en="The certificate of {server} is not verified (insecure-skip-tls-verify); anybody in between could answer.",
)
_NO_TOKEN_FILE = Text(ko="토큰 파일 {path} 을 읽을 수 없습니다.", en="Cannot read the token file {path}.")
_OLD_PROVIDER = Text(
    ko="auth-provider `{name}` 은 kubectl 1.26 부터 없어졌습니다. exec 플러그인으로 바꾸세요.",
    en="The auth-provider `{name}` went away with kubectl 1.26; use its exec plugin.",
)
_OIDC_EXPIRED = Text(
    ko="kubeconfig 의 OIDC 토큰이 만료됐습니다. kubectl 을 한 번 실행해 새로 받은 뒤 다시 시도하세요.",
    en="The OIDC token of the kubeconfig has expired; run kubectl once, which renews it, and try again.",
)
_NO_EXEC = Text(
    ko="kubeconfig 가 인증을 위해 `{command}` 를 실행하라고 하는데, `--no-exec` 라서 실행하지 않았습니다.",
    en="The kubeconfig wants to run `{command}` to authenticate, and `--no-exec` forbids it.",
)
_NO_EXEC_HINT = Text(
    ko="토큰이나 인증서가 적힌 kubeconfig 를 쓰세요.", en="Use a kubeconfig that holds a token or a certificate."
)
_NEEDS_TERMINAL = Text(
    ko="인증 플러그인 `{command}` 는 터미널이 있어야 실행됩니다 (interactiveMode: Always).",
    en="The plugin `{command}` runs only on a terminal (interactiveMode: Always).",
)
_PLUGIN_EMPTY = Text(
    ko="인증 플러그인 `{command}` 가 토큰도 인증서도 주지 않았습니다.",
    en="The plugin `{command}` gave neither a token nor a certificate.",
)
_NO_PLUGIN = Text(
    ko="인증 플러그인 `{command}` 를 실행할 수 없습니다: {reason}.", en="Cannot run the plugin `{command}`: {reason}."
)
_PLUGIN_FAILED = Text(
    ko="인증 플러그인 `{command}` 가 실패했습니다: {reason}", en="The plugin `{command}` failed: {reason}"
)
_UNUSABLE = Text(ko="kubeconfig 를 쓸 수 없습니다: {reason}", en="The kubeconfig cannot be used: {reason}")
_BAD_CERTIFICATE = Text(
    ko="kubeconfig 의 인증서나 키를 쓸 수 없습니다: {reason}",
    en="A certificate or key of the kubeconfig cannot be used: {reason}",
)
_AS_NOBODY = Text(
    ko="kubeconfig 에 `as` 없이 `as-uid`·`as-groups`·`as-user-extra` 만 있습니다. kubectl 도 거절합니다.",
    en="The kubeconfig has `as-uid`, `as-groups` or `as-user-extra` without `as`, which kubectl refuses too.",
)
_NOT_IN_CLUSTER = Text(
    ko="이 파드의 서비스 어카운트를 쓸 수 없습니다: {reason}",
    en="The service account of this pod cannot be used: {reason}",
)
