"""What every answer carries, and what is done to every request before it is looked at."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Nothing of ours is inline, and nothing comes from elsewhere. Sources are links, not loads.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


class Safe:
    """Adds the headers, answers HEAD as GET without a body, and takes off the path that a proxy put before ours."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app = app
        self._root = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_head = scope["method"] == "HEAD"

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        path = _below(scope["path"], self._root)
        method = "GET" if is_head else scope["method"]
        await self._app({**scope, "path": path, "root_path": "", "method": method}, receive, safely)


def _below(path: str, root: str) -> str:
    """The path behind the root, whether or not a proxy has taken that off."""
    return path[len(root) :] or "/" if root and (path == root or path.startswith(root + "/")) else path
