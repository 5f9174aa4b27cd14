"""An OpenAI-compatible chat endpoint, by the standard library alone.

A request goes to the host that is named and nowhere else: no proxy of the environment is used, and
no redirect is followed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from domino_env.errors import BadOption, DominoError

Message = Mapping[str, str]
MOST_BYTES = 10_000_000  # of a response
MOST_TOLD = 200  # characters of an error's text
PASSING = (408, 409, 425, 429)  # what may be different the next time; so may 500 and above
LONGEST_PAUSE = 8.0  # seconds


class EndpointFailed(DominoError):
    """An endpoint did not answer, or not as a chat endpoint does."""

    may_pass = False
    """Is it worth asking again?"""


class Reply(NamedTuple):
    """An answer of a model, and the tokens as the endpoint counts them."""

    text: str
    is_cut_off: bool
    prompt_tokens: int
    completion_tokens: int


class Endpoint:
    """Asks a model at an endpoint.

    Args:
        base_url: what stands before "/chat/completions".
        model: as the endpoint names it.
        api_key: is sent as a bearer token; empty: none is.
        temperature: of sampling; None: the endpoint's own.
        timeout: seconds to wait for the endpoint.
        max_tokens: of an answer.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str,
        temperature: float | None,
        timeout: float,
        max_tokens: int,
    ) -> None:
        self._connect, self._host, self._port, self._path = _address(base_url)
        self._timeout = timeout
        self._secret = api_key
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._body: dict[str, Any] = {"model": model, "max_tokens": max_tokens, "stream": False}
        if temperature is not None:
            self._body["temperature"] = temperature

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The model's answer to a conversation."""
        body = json.dumps({**self._body, "messages": [*map(dict, messages)]}).encode()
        connection = self._connect(self._host, self._port, timeout=self._timeout)
        try:
            connection.request("POST", self._path, body, self._headers)
            response = connection.getresponse()
            told = response.read(MOST_BYTES)
        except (OSError, HTTPException) as error:
            raise _failed(f"{type(error).__name__}: {error}", may_pass=True) from error
        finally:
            connection.close()
        if response.status != 200:
            short = self._without_key(told[:MOST_TOLD].decode(errors="replace"))
            may_pass = response.status in PASSING or response.status >= 500
            raise _failed(f"status {response.status}: {short}", may_pass)
        return _reply(told)

    def _without_key(self, text: str) -> str:
        """An error's text, which is shown, should it have the key in it."""
        return text.replace(self._secret, "(the key)") if self._secret else text


def pause_before(attempt: int) -> float:
    """Seconds to wait before a request is repeated, after so many failures."""
    return min(LONGEST_PAUSE, 0.5 * 2.0**attempt)


def wait(seconds: float) -> None:
    """Waits, before a request is repeated."""
    time.sleep(seconds)


def _address(base_url: str) -> tuple[type[HTTPConnection], str, int | None, str]:
    """The kind of connection, the host, the port and the path."""
    kinds: dict[str, type[HTTPConnection]] = {"http": HTTPConnection, "https": HTTPSConnection}
    try:
        parts = urlsplit(base_url)
        host, port, kind = parts.hostname, parts.port, kinds.get(parts.scheme)
    except (ValueError, AttributeError, TypeError):
        host = port = kind = None
    if kind is None or not host or parts.username or parts.query or parts.fragment:
        raise BadOption(
            "base_url is the address of a chat endpoint up to /chat/completions, like "
            f"http://127.0.0.1:8000/v1, without a key in it; not {base_url!r}"
        )
    return kind, host, port, f"{parts.path.rstrip('/')}/chat/completions"


def _reply(told: bytes) -> Reply:
    try:
        found = json.loads(told)
        choice = found["choices"][0]
        text = _text(choice["message"].get("content"))
        used = found.get("usage") or {}
        tokens = [int(used.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")]
        return Reply(text, choice.get("finish_reason") == "length", *tokens)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        short = told[:MOST_TOLD].decode(errors="replace")
        raise _failed(f"not the answer of a chat endpoint: {short}", may_pass=False) from error


def _text(content: Any) -> str:
    """The text of a message, which may come in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return "" if content is None else str(content)


def _failed(why: str, may_pass: bool) -> EndpointFailed:
    error = EndpointFailed(f"the endpoint failed: {why}")
    error.may_pass = may_pass
    return error
