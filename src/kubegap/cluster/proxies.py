"""Which proxy stands before a server by the environment, as Go's programs read it.

Source: `golang.org/x/net/http/httpproxy`. Names in capitals come first; this machine itself is never reached through a proxy;
`example.com` in NO_PROXY excepts the name and all below it, `.example.com` only those below, and networks and ports count.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

_PORTS: Mapping[str, int] = {"http": 80, "https": 443}


def proxy_before(server: str, environment: Mapping[str, str]) -> str | None:
    """The address of the proxy with its scheme, or None."""
    parts = urlsplit(server)
    proxy = _either(environment, f"{parts.scheme}_proxy")
    if not proxy or not parts.hostname or _is_excepted(parts, _either(environment, "no_proxy")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _either(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name.upper()) or environment.get(name) or ""


def _is_excepted(server: SplitResult, exceptions: str) -> bool:
    host, port = (server.hostname or "").rstrip("."), str(server.port or _PORTS.get(server.scheme))
    if host == "localhost" or _is_loopback(host):
        return True
    return any(_excepts(part.strip().lower(), host, port) for part in exceptions.split(",") if part.strip())


def _excepts(exception: str, host: str, port: str) -> bool:
    if exception == "*" or _is_in(host, exception):
        return True
    name, at = _name_and_port(exception)
    if not name or (at and at != port):
        return False
    if _is_address(name) or _is_address(host):
        return _is_address(name) and _is_address(host) and ip_address(name) == ip_address(host)
    name = name.removeprefix("*") if name.startswith("*.") else name
    return host.endswith(name) if name.startswith(".") else host == name or host.endswith(f".{name}")


def _name_and_port(exception: str) -> tuple[str, str]:
    """The port is empty where none is named; an address of IPv6 with one stands in brackets."""
    if exception.startswith("["):
        name, _, port = exception[1:].partition("]")
        return name, port.removeprefix(":")
    name, colon, port = exception.partition(":")
    return (name, port) if colon and ":" not in port else (exception, "")


def _is_in(host: str, network: str) -> bool:
    try:
        return "/" in network and ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return _is_address(host) and ip_address(host).is_loopback
