"""Logs in by the program that a kubeconfig names, as most managed clusters want it: the only program that kubegap ever runs.

The `kubernetes` package runs it. That takes half a second and 30 MB to import, so only a kubeconfig that names a plugin pays
for it.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

from msgspec import structs, to_builtins

from kubegap.cluster.kubeconfig import BadKubeconfig, Choice, Cluster, Plugin, PluginFailed, User
from kubegap.text import Text


def logged_in(choice: Choice, user: User, plugin: Plugin, *, may_run: bool) -> User:
    """The user with what the plugin handed out; raises `BadKubeconfig` where it may not run, `PluginFailed` where it fails."""
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

    # kubectl hands over an authority as data, and leaves out what is empty.
    about = {key: value for key, value in to_builtins(_with_authority(cluster)).items() if value}
    wanted = {key: value for key, value in to_builtins(plugin).items() if value}
    try:
        with redirect_stdout(_where_it_may_ask(plugin)):
            status = ExecProvider(ConfigNode("exec", wanted), "", ConfigNode("cluster", about)).run()
    except OSError as error:
        hint = Text(ko=plugin.install_hint, en=plugin.install_hint) if plugin.install_hint else None
        told = _NO_PLUGIN.fill(command=plugin.command, reason=error.strerror)
        raise PluginFailed(plugin.command, told, hint) from error
    except (ConfigException, KeyError, TypeError, ValueError) as error:
        told = _PLUGIN_FAILED.fill(command=plugin.command, reason=one_line(error))
        raise PluginFailed(plugin.command, told) from error
    return status if isinstance(status, dict) else {}


def _where_it_may_ask(plugin: Plugin) -> TextIO:
    """A terminal if the plugin may ask something there: the package goes by the output, kubectl by the input."""
    is_interactive = plugin.interactive_mode != "Never" and sys.stdin is not None and sys.stdin.isatty()
    return sys.stderr if is_interactive else StringIO()


def _with_authority(cluster: Cluster) -> Cluster:
    path = Path(cluster.certificate_authority)
    # One that is missing is told of when the connection is made.
    if cluster.certificate_authority_data or not path.is_file():
        return cluster
    data = base64.b64encode(path.read_bytes()).decode()
    return structs.replace(cluster, certificate_authority_data=data, certificate_authority="")


def one_line(error: BaseException) -> str:
    """What an error says, short and in one line."""
    return " ".join(str(error).split())[:300]


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
