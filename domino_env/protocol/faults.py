"""What an engine can do wrong, as errors that say it in a way that fits behind "it"."""

from __future__ import annotations

import signal
from typing import Any

from domino_env.errors import DominoError

MOST_SHOWN = 120  # characters of a line that is wrong
MOST_WORDS = 160  # characters of the last words of an engine


class EngineFault(DominoError):
    """An engine broke the protocol or its limits: what it was asked for is forfeited, and it is
    started anew at the next request."""


class StartFailed(EngineFault):
    """An engine could not be started, or did not get through its first two answers."""


def ended(status: dict[str, Any], memory: int) -> EngineFault:
    """How an engine has ended, as its keeper tells it."""
    words = " ".join(str(status.get("stderr", "")).split())
    last = f"; its last words: {words[-MOST_WORDS:]}" if words else ""
    if "not_started" in status:
        return StartFailed(f"could not be started: {status['not_started']}")
    if "memory" in status:
        used = status["memory"] / 2**20
        return EngineFault(f"used {used:,.0f} MB of memory, more than {memory:,} MB")
    if "processes" in status:
        return EngineFault(f"started {status['processes']} processes, more than it may")
    if "signal" in status:
        return EngineFault(f"was killed by {_signal_name(status['signal'])}{last}")
    if "exit" in status:
        return EngineFault(f"exited with status {status['exit']}{last}")
    return EngineFault("closed its output")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def shown(line: bytes | str) -> str:
    """A line for a message about it."""
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
