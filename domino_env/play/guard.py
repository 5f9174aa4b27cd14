"""Who may ask: this machine alone, by the right name, with the token that was printed.

The server listens on the loopback interface, and still every page of the web that is open in the
same browser can send it requests. So a request must name this host (a page whose own name has been
pointed at the loopback address names its own: DNS rebinding), must not come from another origin
(request forgery), and must carry the token in a header, which another origin can neither know nor
send without asking first; there is no answer to such asking (CORS).
"""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domino_env.plain import whole_of

MOST_BYTES = 64 * 1024  # of a request's body
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
    """Stands before an application and lets in only who may ask."""

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app, self._token = app, token
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or has it answered."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket: there are none here
            return
        refused = self._refused(scope)
        app = self._app if refused is None else _refusal(*refused)
        await app(scope, _limited(receive), _with_headers(send))

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is not answered, with a status."""
        headers = Headers(scope=scope)
        if headers.getlist("host")[1:] or headers.get("host") not in self._hosts:
            return 403, "this server is known by another name"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{headers['host']}":
            return 403, "pages of other sites may not ask"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "pages of other sites may not ask"
        if scope["path"].startswith("/api/"):
            return self._refused_data(scope["method"], headers)
        return None

    def _refused_data(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """The same of what is more than the page itself."""
        token = headers.get(TOKEN, "")
        if not compare_digest(token.encode(), self._token.encode()):
            return 403, "the token is wrong: open the address that `domino play` has printed"
        length = whole_of(headers.get("content-length", "0"))
        if length is None or length > MOST_BYTES:
            return 413, f"a request has {MOST_BYTES} bytes at the most"
        if method == "POST" and headers.get("content-type") != "application/json":
            return 415, "requests are written in JSON"
        return None


def _refusal(status: int, error: str) -> ASGIApp:
    return JSONResponse({"error": error}, status)


def _limited(receive: Receive) -> Receive:
    """The same, up to so many bytes, whatever length was announced."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BYTES:
            raise ClientDisconnect
        return message

    return limited


def _with_headers(send: Send) -> Send:
    """Says with every answer what a browser may do with it."""
    extra: Iterable[tuple[bytes, bytes]] = [
        (name.lower().encode(), value.encode()) for name, value in HEADERS.items()
    ]

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *extra]
        await send(message)

    return with_headers
