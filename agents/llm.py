"""`llm`: a language model behind an OpenAI-compatible chat endpoint.

It is asked with `text.prompt`, and its answers are read by `text.parse`. An answer that is no legal
move is refused with the reason, and the model is asked again; after the last of its retries the
game is forfeited, as games of agents from outside this package are. Nothing is sent to any address
but the one that is given.
"""

from __future__ import annotations

import os
from dataclasses import replace
from math import isfinite
from time import monotonic
from typing import Any

from domino_env.agents import Shown
from domino_env.agents.custom.per_decision import PerDecision
from domino_env.agents.language import endpoint
from domino_env.agents.language.endpoint import Endpoint, EndpointFailed, Reply
from domino_env.agents.language.usage import Usage
from domino_env.batches import Batch
from domino_env.errors import BadOption, DominoError, IllegalMove, NotAMove, is_whole
from domino_env.text.parsing import parse_action
from domino_env.text.prompting import prompt

Conversation = list[dict[str, str]]


class NoLegalMove(DominoError):
    """A model did not name a legal move, however often it was asked."""


class Llm(Shown, PerDecision):
    """Asks a language model for each move.

    Args:
        base_url: the address of the endpoint up to `/chat/completions`, like
            `http://127.0.0.1:8000/v1`.
        model: what the endpoint calls the model.
        api_key_env: the environment variable that holds the key; empty: no key is sent.
        temperature: of sampling; None: the endpoint's own.
        retries: how often a decision is asked for again, after an answer that is no legal move or a
            request that failed.
        timeout: seconds to wait for an answer.
        max_tokens: of an answer.
    """

    name = "llm"
    searches = True
    may_fail = True  # its games are forfeited where it fails, though it comes with this package

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key_env: str = "",
        temperature: float | None = None,
        retries: int = 2,
        timeout: float = 60.0,
        max_tokens: int = 1024,
    ) -> None:
        _check(model, temperature, retries, timeout, max_tokens)
        key = _key(api_key_env)
        self._endpoint = Endpoint(base_url, model, key, temperature, timeout, max_tokens)
        self._retries = retries
        self.usage = Usage()

    def choose(self, batch: Batch, lane: int) -> int:
        """The action in one lane."""
        messages = [{"role": "user", "content": prompt(batch, lane)}]
        why = ""
        for attempt in range(self._retries + 1):
            if attempt:
                self._count(retries=1)
            reply = self._ask(messages)
            try:
                return _read(batch, lane, reply)
            except (NotAMove, IllegalMove) as error:
                why = error.reason
            messages += _refused(reply.text, why)
        self._count(forfeits=1)
        raise NoLegalMove(f"no legal move in {self._retries + 1} answers; of the last: {why}")

    def _ask(self, messages: Conversation) -> Reply:
        """An answer; a request that fails is repeated, too."""
        for attempt in range(self._retries + 1):
            began = monotonic()
            try:
                reply = self._endpoint.ask(messages)
            except EndpointFailed as error:
                self._count(requests=1, failures=1, seconds=monotonic() - began)
                if attempt == self._retries or not error.may_pass:
                    raise
                endpoint.wait(endpoint.pause_before(attempt))
                continue
            spent = monotonic() - began
            tokens = {name: getattr(reply, name) for name in ("prompt_tokens", "completion_tokens")}
            self._count(requests=1, seconds=spent, **tokens)
            return reply
        raise AssertionError("a loop over no attempts")

    def _count(self, **counts: Any) -> None:
        self.usage += replace(Usage(), **counts)


def _read(batch: Batch, lane: int, reply: Reply) -> int:
    if reply.is_cut_off:  # what is missing might have changed what it says
        error = NotAMove("the answer was cut off at max_tokens")
        error.reason = str(error)
        raise error
    return parse_action(batch, reply.text, lane)


def _refused(answer: str, why: str) -> Conversation:
    """What is added to a conversation when an answer is refused."""
    told = f"Your answer was refused: {why}. Answer again, with one of the legal moves."
    return [
        {"role": "assistant", "content": answer or "(no answer)"},
        {"role": "user", "content": told},
    ]


def _key(variable: str) -> str:
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip() if isinstance(variable, str) else ""
    if not key or not key.isascii() or not key.isprintable():
        raise BadOption(f"api_key_env: there is no key in the environment variable {variable!r}")
    return key


def _check(model: Any, temperature: Any, retries: Any, timeout: Any, max_tokens: Any) -> None:
    if not isinstance(model, str) or not model:
        raise BadOption(f"model is what the endpoint calls it, not {model!r}")
    if temperature is not None and not _is_number(temperature, 0):
        raise BadOption(f"temperature is a number of 0 or more, or None, not {temperature!r}")
    if not is_whole(retries) or retries < 0:
        raise BadOption(f"retries must be a whole number of 0 or more, not {retries!r}")
    if not _is_number(timeout, 0) or not timeout:
        raise BadOption(f"timeout is a number of seconds above 0, not {timeout!r}")
    if not is_whole(max_tokens) or max_tokens < 1:
        raise BadOption(f"max_tokens must be a whole number above 0, not {max_tokens!r}")


def _is_number(value: Any, low: float) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and isfinite(value) and value >= low
