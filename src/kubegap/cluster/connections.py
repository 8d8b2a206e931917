"""Connections to an API server: straight, or through the proxy that stands before it."""

from __future__ import annotations

import ssl
import warnings
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import urllib3
from urllib3.exceptions import DependencyWarning, InsecureRequestWarning

from kubegap.cluster.credentials import Access
from kubegap.problems import KubegapError
from kubegap.text import Text


class BadProxy(KubegapError):
    """A proxy that kubegap cannot go through."""


def pool_for(access: Access) -> urllib3.PoolManager:
    """Connections to the API server, at most two; raises `BadProxy`."""
    if access.tls and access.tls.verify_mode is ssl.CERT_NONE:
        # The user asked for it, and is told once by a note of `access`.
        urllib3.disable_warnings(InsecureRequestWarning)
    more: dict[str, Any] = {"server_hostname": access.server_name} if access.server_name and access.tls else {}
    options: dict[str, Any] = {"maxsize": 2, "block": True, "ssl_context": access.tls, **more}
    return _proxied(access.proxy, options) if access.proxy else urllib3.PoolManager(**options)


def _proxied(proxy: str, options: Mapping[str, Any]) -> urllib3.PoolManager:
    """Through the three kinds of proxy that kubectl knows; of its two names for the third, both leave host names to the proxy."""
    parts = urlsplit(proxy)
    if parts.scheme in {"socks5", "socks5h"}:
        return _through_socks(parts, options)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadProxy(_BAD_PROXY.fill(proxy=parts.scheme or proxy))
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else None
    headers = urllib3.make_headers(proxy_basic_auth=pair) if pair else None
    return urllib3.ProxyManager(proxy, proxy_headers=headers, **options)


def _through_socks(proxy: SplitResult, options: Mapping[str, Any]) -> urllib3.PoolManager:
    try:
        with warnings.catch_warnings():
            # It warns about what the error says better.
            warnings.simplefilter("ignore", DependencyWarning)
            from urllib3.contrib.socks import SOCKSProxyManager  # noqa: PLC0415, an extra that few need
    except ImportError:
        raise BadProxy(_NO_SOCKS, _SOCKS_HINT) from None
    return SOCKSProxyManager(proxy._replace(scheme="socks5h").geturl(), **options)


def user_agent() -> str:
    """How kubegap introduces itself."""
    try:
        return f"kubegap/{version('kubegap')} (read-only)"
    except PackageNotFoundError:
        return "kubegap (read-only)"


_BAD_PROXY = Text(
    ko="`{proxy}` 프록시는 쓸 수 없습니다. http, https, socks5 프록시만 됩니다.",
    en="A proxy of the kind `{proxy}` cannot be used; it has to be http, https or socks5.",
)
_NO_SOCKS = Text(
    ko="SOCKS 프록시를 쓰려면 kubegap 의 `socks` 부가 설치가 필요합니다.",
    en="A SOCKS proxy needs the extra `socks` of kubegap.",
)
_SOCKS_HINT = Text(ko="설치: pip install 'kubegap[socks]'", en="Install it: pip install 'kubegap[socks]'")
