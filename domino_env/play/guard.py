"""Who may send requests: pages of this server alone, with the token that was printed.

The server listens on the loopback interface, yet every web page that is open in the same browser
can send it requests. So a request must name this host (against DNS rebinding, where a page's own
name is pointed at the loopback address), must not come from another origin (against request
forgery), and must carry the token in a header, which another origin neither knows nor may send
without a CORS preflight, and preflights are refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domino_env.plain import whole_of

MAX_BODY_BYTES = 64 * 1024  # of a request's body
TOKEN = "x-domino-token"
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """An ASGI middleware that refuses every request that may not be answered."""

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app, self._token = app, token
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses a request, or hands it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket: there are none here
            return
        refused = self._refused(scope)
        app = self._app if refused is None else _refusal(*refused)
        await app(scope, _limited(receive), _with_headers(send))

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the reason if a request is refused."""
        headers = Headers(scope=scope)
        if headers.getlist("host")[1:] or headers.get("host") not in self._hosts:
            return 403, "wrong Host header: use the address that `domino play` printed"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{headers['host']}":
            return 403, "requests from other origins are refused"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "requests from other origins are refused"
        if scope["path"].startswith("/api/"):
            return self._refused_data(scope["method"], headers)
        return None

    def _refused_data(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """The same, for the API."""
        token = headers.get(TOKEN, "")
        if not compare_digest(token.encode(), self._token.encode()):
            return 403, "wrong token: open the address that `domino play` printed"
        length = whole_of(headers.get("content-length", "0"))
        if length is None or length > MAX_BODY_BYTES:
            return 413, f"a request may have at most {MAX_BODY_BYTES} bytes"
        if method == "POST" and headers.get("content-type") != "application/json":
            return 415, "the Content-Type must be application/json"
        return None


def _refusal(status: int, error: str) -> ASGIApp:
    return JSONResponse({"error": error}, status)


def _limited(receive: Receive) -> Receive:
    """The same, cut off after so many bytes, whatever length was announced."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY_BYTES:
            raise ClientDisconnect
        return message

    return limited


def _with_headers(send: Send) -> Send:
    """Adds the security headers to every answer."""
    extra: Iterable[tuple[bytes, bytes]] = [
        (name.lower().encode(), value.encode()) for name, value in HEADERS.items()
    ]

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *extra]
        await send(message)

    return with_headers
