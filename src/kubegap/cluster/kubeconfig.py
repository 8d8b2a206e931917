"""Which cluster and which user a kubeconfig means, by kubectl's rules.

`chosen(path, context, environment)` merges the files of `KUBECONFIG` as `k8s.io/client-go/tools/clientcmd` does: the first
file that names a cluster, user, context or current context wins, missing files of the list are passed over, and a
relative path is relative to the file that it stands in. Nothing here reads a credential or opens a connection.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml
from msgspec import Struct, structs

from kubegap.problems import KubegapError, did_you_mean, nearest
from kubegap.text import Text


class BadKubeconfig(KubegapError):
    """A kubeconfig that cannot be used, or none at all."""


class NoKubeconfig(BadKubeconfig):
    """No file says which cluster; inside a pod that is the cluster around it."""


class NoContext(BadKubeconfig):
    """No context of that name, or none is named; `known` are those that there are, sorted."""

    def __init__(self, message: Text, hint: Text | None, known: Iterable[str]) -> None:
        super().__init__(message, hint)
        self.known = sorted(known)


class PluginFailed(BadKubeconfig):
    """A program that should have handed out credentials did not; its own words are in the message, its name in `command`."""

    def __init__(self, command: str, message: Text, hint: Text | None = None) -> None:
        super().__init__(message, hint)
        self.command = command


class Cluster(Struct, frozen=True, rename="kebab"):
    """How to reach an API server."""

    server: str = ""
    certificate_authority: str = ""
    certificate_authority_data: str = ""
    insecure_skip_tls_verify: bool = False
    tls_server_name: str = ""
    proxy_url: str = ""
    extensions: list[Any] | None = None


class Plugin(Struct, frozen=True, rename="camel"):
    """A program that hands out credentials."""

    command: str = ""
    api_version: str = ""
    args: list[str] | None = None
    env: list[dict[str, str]] | None = None
    install_hint: str | None = None
    provide_cluster_info: bool = False
    interactive_mode: str = ""


class Provider(Struct, frozen=True):
    """The older way to get credentials, of which kubectl still knows `oidc`."""

    name: str = ""
    config: dict[str, str] | None = None


class User(Struct, frozen=True, rename={"as_": "as", "as_uid": "as-uid", "as_groups": "as-groups",
    "as_user_extra": "as-user-extra", "token_file": "tokenFile", "client_certificate": "client-certificate",
    "client_certificate_data": "client-certificate-data", "client_key": "client-key",
    "client_key_data": "client-key-data", "auth_provider": "auth-provider"}):  # fmt: skip
    """How to prove who one is, and whom to act as."""

    token: str = ""
    token_file: str = ""
    client_certificate: str = ""
    client_certificate_data: str = ""
    client_key: str = ""
    client_key_data: str = ""
    username: str = ""
    password: str = ""
    exec: Plugin | None = None
    auth_provider: Provider | None = None
    as_: str = ""
    as_uid: str = ""
    as_groups: list[str] | None = None
    as_user_extra: dict[str, list[str]] | None = None


class Choice(Struct, frozen=True):
    """A context with its cluster and user, all paths absolute."""

    context: str
    cluster_name: str
    cluster: Cluster
    user: User


class _Context(Struct):
    cluster: str = ""
    user: str = ""


class _NamedCluster(Struct):
    name: str
    cluster: Cluster | None = None


class _NamedUser(Struct):
    name: str
    user: User | None = None


class _NamedContext(Struct):
    name: str
    context: _Context | None = None


class _File(Struct, rename="kebab"):
    clusters: list[_NamedCluster] | None = None
    users: list[_NamedUser] | None = None
    contexts: list[_NamedContext] | None = None
    current_context: str | None = None


class _Merged(Struct):
    clusters: dict[str, Cluster]
    users: dict[str, User]
    contexts: dict[str, _Context]
    current: str = ""


T = TypeVar("T")


def chosen(path: str | None, context: str | None, environment: Mapping[str, str]) -> Choice:
    """The context of that name, else the current one; `path` overrules `KUBECONFIG`, which overrules `~/.kube/config`.

    Raises `NoKubeconfig` where no file says anything, `NoContext`, and `BadKubeconfig` for files that do not fit.
    """
    merged = _merged(_files(path, environment))
    name = context or merged.current
    if not merged.contexts and not context:
        raise NoKubeconfig(_NONE, _POINT)
    if not name:
        raise NoContext(_NO_CURRENT, _others(merged), merged.contexts)
    if name not in merged.contexts:
        hint = did_you_mean(nearest(name, merged.contexts)) or _others(merged)
        raise NoContext(_NO_CONTEXT.fill(name=name), hint, merged.contexts)
    return _choice(merged, name)


def _others(merged: _Merged) -> Text:
    """Which contexts there are, or, where there is none at all, how to point at some."""
    return _PICK.fill(names=", ".join(sorted(merged.contexts))) if merged.contexts else _POINT


def contexts(path: str | None, environment: Mapping[str, str]) -> list[str]:
    """The names of all contexts, sorted; empty where there is no kubeconfig. Raises `BadKubeconfig`."""
    return sorted(_merged(_files(path, environment)).contexts)


def _choice(merged: _Merged, name: str) -> Choice:
    found = merged.contexts[name]
    cluster = merged.clusters.get(found.cluster)
    if cluster is None or not cluster.server:
        raise BadKubeconfig(_NO_CLUSTER.fill(context=name, name=found.cluster))
    if found.user and found.user not in merged.users:
        raise BadKubeconfig(_NO_USER.fill(context=name, name=found.user))
    return Choice(name, found.cluster, cluster, merged.users.get(found.user, User()))


def _files(path: str | None, environment: Mapping[str, str]) -> list[Path]:
    if path is not None:
        # kubectl's --kubeconfig is one file, and has to be there.
        return [Path(path)]
    listed = [part for part in environment.get("KUBECONFIG", "").split(os.pathsep) if part]
    found = [Path(part) for part in listed] or [Path(environment.get("HOME") or Path.home()) / ".kube" / "config"]
    return [file for file in found if file.exists()]


def _merged(files: Sequence[Path]) -> _Merged:
    merged = _Merged({}, {}, {})
    for path in files:
        file, folder = _read(path), path.absolute().parent
        for cluster in _named(file.clusters, path):
            merged.clusters.setdefault(cluster.name, _cluster_in(cluster.cluster or Cluster(), folder))
        for user in _named(file.users, path):
            merged.users.setdefault(user.name, _user_in(user.user or User(), folder))
        for context in _named(file.contexts, path):
            merged.contexts.setdefault(context.name, context.context or _Context())
        merged.current = merged.current or file.current_context or ""
    return merged


def _read(path: Path) -> _File:
    try:
        content = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    except OSError as error:
        raise BadKubeconfig(_UNREADABLE.fill(path=path, reason=error.strerror)) from error
    except (yaml.YAMLError, ValueError):
        # The problem's text would quote the file, which holds credentials.
        raise BadKubeconfig(_NO_YAML.fill(path=path)) from None
    try:
        return msgspec.convert(content or {}, _File, strict=False)
    except msgspec.ValidationError as error:
        raise BadKubeconfig(_MISFIT.fill(path=path, reason=error)) from None


N = TypeVar("N", _NamedCluster, _NamedUser, _NamedContext)


def _named(entries: list[N] | None, path: Path) -> list[N]:
    names = [entry.name for entry in entries or ()]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadKubeconfig(_TWICE.fill(path=path, name=twice))
    return entries or []


def _cluster_in(cluster: Cluster, folder: Path) -> Cluster:
    return structs.replace(cluster, certificate_authority=_placed(cluster.certificate_authority, folder))


def _user_in(user: User, folder: Path) -> User:
    plugin = user.exec
    # A bare name is looked for in PATH; anything with a slash is a path.
    if plugin and os.sep in plugin.command:
        plugin = structs.replace(plugin, command=_placed(plugin.command, folder))
    return structs.replace(
        user,
        token_file=_placed(user.token_file, folder),
        client_certificate=_placed(user.client_certificate, folder),
        client_key=_placed(user.client_key, folder),
        exec=plugin,
    )


def _placed(path: str, folder: Path) -> str:
    return str(folder / path) if path else ""


_NONE = Text(
    ko="어느 클러스터를 볼지 알려 주는 kubeconfig 가 없습니다.", en="No kubeconfig says which cluster to look at."
)
_POINT = Text(
    ko="`--kubeconfig` 나 KUBECONFIG 로 알려 주거나, 덤프를 `-f` 로 주세요.",
    en="Point at one with `--kubeconfig` or KUBECONFIG, or give a dump with `-f`.",
)
_NO_CURRENT = Text(ko="kubeconfig 에 current-context 가 없습니다.", en="The kubeconfig has no current-context.")
_PICK = Text(ko="`--context` 로 고르세요: {names}", en="Pick one with `--context`: {names}")
_NO_CONTEXT = Text(ko="kubeconfig 에 `{name}` 컨텍스트가 없습니다.", en="The kubeconfig has no context `{name}`.")
_NO_CLUSTER = Text(
    ko="`{context}` 컨텍스트의 클러스터 `{name}` 이 kubeconfig 에 없거나 서버 주소가 없습니다.",
    en="The cluster `{name}` of context `{context}` is not in the kubeconfig, or has no server.",
)
_NO_USER = Text(
    ko="`{context}` 컨텍스트의 사용자 `{name}` 이 kubeconfig 에 없습니다.",
    en="The user `{name}` of context `{context}` is not in the kubeconfig.",
)
_UNREADABLE = Text(
    ko="kubeconfig {path} 을 읽을 수 없습니다: {reason}.", en="Cannot read the kubeconfig {path}: {reason}."
)
_NO_YAML = Text(ko="kubeconfig {path} 이 올바른 YAML 이 아닙니다.", en="The kubeconfig {path} is not valid YAML.")
_MISFIT = Text(
    ko="kubeconfig {path} 의 형식이 맞지 않습니다: {reason}", en="The kubeconfig {path} does not fit: {reason}"
)
_TWICE = Text(ko="kubeconfig {path} 에 `{name}` 이 두 번 나옵니다.", en="The kubeconfig {path} names `{name}` twice.")
