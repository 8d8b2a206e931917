"""Proves to an API server who is asking: from a kubeconfig's choice, or from the service account of the pod around us.

Tokens, keys and certificates need no more than being read, and are read as kubectl does: token files may end with a newline,
impersonation is honoured, old providers are refused. A kubeconfig that names a plugin is served by `plugins`.
"""

from __future__ import annotations

import base64
import json
import ssl
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit

from msgspec import Struct, structs

from kubegap.cluster.kubeconfig import BadKubeconfig, Choice, Cluster, NoKubeconfig, User, chosen
from kubegap.cluster.plugins import logged_in, one_line
from kubegap.cluster.proxies import proxy_before
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
    return _access(choice, environment, may_run=may_run)


def server_of(choice: Choice) -> str:
    """The address of the API server, as it will be asked."""
    return _server(choice.cluster, choice.user).rstrip("/")


def _access(choice: Choice, environment: Mapping[str, str], *, may_run: bool) -> Access:
    user = _resolved(choice, may_run=may_run)
    cluster = choice.cluster
    server = _server(cluster, user)
    tls = _tls(cluster, user) if server.startswith("https://") else None
    return Access(
        server=server.rstrip("/"),
        headers=(*_authorization(user), *_impersonation(user)),
        tls=tls,
        server_name=cluster.tls_server_name or None,
        proxy=cluster.proxy_url or proxy_before(server, environment),
        name=choice.cluster_name,
        context=choice.context,
        notes=(_INSECURE.fill(server=server),) if cluster.insecure_skip_tls_verify and tls else (),
    )


def _server(cluster: Cluster, user: User) -> str:
    """The address with its scheme, as kubectl completes it, and without a name and password in it: addresses are shown."""
    speaks_tls = cluster.certificate_authority or cluster.certificate_authority_data or user.client_certificate_data
    otherwise = "https" if speaks_tls or cluster.insecure_skip_tls_verify else "http"
    parts = _parts(cluster)
    return parts._replace(scheme=parts.scheme or otherwise, netloc=parts.netloc.rpartition("@")[2]).geturl()


def _parts(cluster: Cluster) -> SplitResult:
    try:
        return urlsplit(cluster.server if "://" in cluster.server else f"//{cluster.server}")
    except ValueError:
        raise BadKubeconfig(_BAD_SERVER) from None


def _resolved(choice: Choice, *, may_run: bool) -> User:
    """The user with credentials in hand: files read, plugins run; of last resort are those in the server's address."""
    user = choice.user
    if user.token_file:
        user = structs.replace(user, token=_token_in(Path(user.token_file)), token_file="")
    if user.auth_provider and not user.token:
        user = structs.replace(user, token=_provided(user), auth_provider=None)
    if user.exec and not user.token:
        user = logged_in(choice, user, user.exec, may_run=may_run)
    parts = _parts(choice.cluster)
    if parts.username and not user.token and not user.username:
        user = structs.replace(user, username=unquote(parts.username), password=unquote(parts.password or ""))
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


def _tls(cluster: Cluster, user: User) -> ssl.SSLContext:
    try:
        context = _trusting(cluster)
        if user.client_certificate or user.client_certificate_data:
            _show_certificate(context, user)
    except (OSError, ValueError) as error:
        raise BadKubeconfig(_BAD_CERTIFICATE.fill(reason=one_line(error))) from None
    return context


def _trusting(cluster: Cluster) -> ssl.SSLContext:
    """Trusts the authority of the kubeconfig, else those of the system; data stands before a file, as in kubectl."""
    authority = base64.b64decode(cluster.certificate_authority_data, validate=True).decode()
    file = None if authority else cluster.certificate_authority or None
    context = ssl.create_default_context(cafile=file, cadata=authority or None)
    # Go trusts an authority whose certificate is no root, and knows nothing of OpenSSL's stricter reading of extensions.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if cluster.insecure_skip_tls_verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _show_certificate(context: ssl.SSLContext, user: User) -> None:
    """Python takes keys from files only, so those of data lie in a folder of their own for a moment."""
    with tempfile.TemporaryDirectory(prefix="kubegap-") as folder:
        files = [
            _file(Path(folder) / "certificate", user.client_certificate_data, user.client_certificate),
            _file(Path(folder) / "key", user.client_key_data, user.client_key),
        ]
        context.load_cert_chain(files[0], files[1] or None, password=_no_password)


def _file(path: Path, data: str, otherwise: str) -> str:
    if not data:
        return otherwise
    path.write_bytes(base64.b64decode(data, validate=True))
    return str(path)


def _no_password() -> str:
    """Keys with a password are refused, as kubectl does; OpenSSL would ask on the terminal."""
    raise ValueError("the key needs a password")


def _authorization(user: User) -> list[tuple[str, str]]:
    if user.token:
        return [("Authorization", f"Bearer {user.token}")]
    if user.username:
        pair = base64.b64encode(f"{user.username}:{user.password}".encode()).decode()
        return [("Authorization", f"Basic {pair}")]
    return []


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


def _in_cluster(environment: Mapping[str, str]) -> Access:
    host, port = environment["KUBERNETES_SERVICE_HOST"], environment.get("KUBERNETES_SERVICE_PORT", "443")
    server = f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
    user = User(token=_token_in(_ACCOUNT / "token"))
    tls = _tls(Cluster(certificate_authority=str(_ACCOUNT / "ca.crt")), user)
    proxy = proxy_before(server, environment)
    return Access(server, tuple(_authorization(user)), tls, proxy=proxy, name="in-cluster")


_INSECURE = Text(
    ko="{server} 의 인증서를 확인하지 않는다 (insecure-skip-tls-verify). 사이에 누가 있어도 알 수 없다.",
    en="The certificate of {server} is not verified (insecure-skip-tls-verify); anybody in between could answer.",
)
_BAD_SERVER = Text(ko="kubeconfig 의 `server` 가 주소가 아닙니다.", en="The `server` of the kubeconfig is no address.")
_NO_TOKEN_FILE = Text(ko="토큰 파일 {path} 을 읽을 수 없습니다.", en="Cannot read the token file {path}.")
_OLD_PROVIDER = Text(
    ko="auth-provider `{name}` 은 kubectl 1.26 부터 없어졌습니다. exec 플러그인으로 바꾸세요.",
    en="The auth-provider `{name}` went away with kubectl 1.26; use its exec plugin.",
)
_OIDC_EXPIRED = Text(
    ko="kubeconfig 의 OIDC 토큰이 만료됐습니다. kubectl 을 한 번 실행해 새로 받은 뒤 다시 시도하세요.",
    en="The OIDC token of the kubeconfig has expired; run kubectl once, which renews it, and try again.",
)
_BAD_CERTIFICATE = Text(
    ko="kubeconfig 의 인증서나 키를 쓸 수 없습니다: {reason}",
    en="A certificate or key of the kubeconfig cannot be used: {reason}",
)
_AS_NOBODY = Text(
    ko="kubeconfig 에 `as` 없이 `as-uid`·`as-groups`·`as-user-extra` 만 있습니다. kubectl 도 거절합니다.",
    en="The kubeconfig has `as-uid`, `as-groups` or `as-user-extra` without `as`, which kubectl refuses too.",
)
