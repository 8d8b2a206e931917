"""What whoever runs the server decides."""

from __future__ import annotations

from msgspec import Struct


class Settings(Struct, frozen=True):
    """`root_path` is the path under which a proxy serves us, `public_url` the address that readers see.

    Without `public_url`, absolute addresses come from the socket, or from the Host header if `proxy_headers` says that a
    proxy vouches for it. `report_url` is where an error in a record is reported.
    """

    root_path: str = ""
    public_url: str | None = None
    proxy_headers: bool = False
    report_url: str | None = None
