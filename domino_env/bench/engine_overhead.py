"""What the engine protocol costs: the CPU time of a decision of an engine that does not think."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import domino_env
from domino_env import agents
from domino_env.batches import Batch

THOUGHTLESS = """
import re, sys
games = re.compile(rb'[{]"game":([0-9]+),.*?"moves":[[][{]"id":([0-9]+)')
out = sys.stdout.buffer
for line in sys.stdin.buffer:
    if line.startswith(b'{"type":"hello"'):
        out.write(b'{"type":"hello","protocol":1,"name":"Thoughtless"}\\n')
    elif line.startswith(b'{"type":"setup"'):
        out.write(b'{"type":"ready"}\\n')
    elif line.startswith(b'{"type":"move"'):
        request = re.search(rb'"request":([0-9]+)', line)[1]
        moves = b",".join(b'{"game":%b,"id":%b}' % each for each in games.findall(line))
        out.write(b'{"type":"move","request":%b,"moves":[%b]}\\n' % (request, moves))
    elif line.startswith(b'{"type":"quit"'):
        break
    out.flush()
"""


def command() -> list[str]:
    """An engine that plays the first legal move, and does as little as Python can."""
    return [sys.executable, "-I", "-S", "-c", THOUGHTLESS]


def milliseconds(
    game: Any, group: int, engine: list[str] | None = None
) -> Callable[[float], float]:
    """Milliseconds of CPU time of a decision, in groups of so many games: writing the states, both
    ways through the pipe, reading the moves; and all that the engine does, which runs beside us."""
    batch = domino_env.batch(game, group, seed=0)
    batch.reset()
    words, lanes = engine or command(), np.arange(group)

    def measure(seconds: float) -> float:
        idle = _play(batch, lanes, words, 0.0)
        played = _play(batch, lanes, words, seconds)
        engine_alone = played.engine - idle.engine  # without what it takes to start
        return 1000 * (played.host + max(0.0, engine_alone)) / played.decisions

    return measure


class _Spent(NamedTuple):
    """What some decisions have taken, in seconds of CPU time."""

    decisions: int
    host: float
    engine: float
    """With its keeper, and all that they take to start and to end."""


def _play(batch: Batch, lanes: Any, words: list[str], seconds: float) -> _Spent:
    """Has an engine of its own play on for so long, and at least once."""
    agent: Any = agents.make("engine", command=words, seconds=None, group=len(lanes))
    before = _children()
    agent.act(batch, lanes)  # it starts
    host, decisions, end = 0.0, 0, time.perf_counter() + seconds
    while not decisions or time.perf_counter() < end:
        began = time.process_time()
        actions = agent.act(batch, lanes)
        host += time.process_time() - began
        decisions += len(lanes)
        batch.step(actions)
    agent.close()
    return _Spent(decisions, host, _children() - before)


def _children() -> float:
    """The CPU time of all processes that we have started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system
