"""What the engine protocol costs: the time of a decision of an engine that does not think."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import domino_env
from domino_env import agents

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
    """Milliseconds of a decision, by the clock on the wall, for groups of so many games: writing
    the states, both ways through the pipe, the engine's own time, reading the moves."""
    batch = domino_env.batch(game, group, seed=0)
    batch.reset()
    agent: Any = agents.make("engine", command=engine or command(), seconds=None, group=group)
    lanes = np.arange(group)

    def measure(seconds: float) -> float:
        agent.act(batch, lanes)
        spent, decisions, end = 0.0, 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            began = time.perf_counter()
            actions = agent.act(batch, lanes)
            spent += time.perf_counter() - began
            decisions += group
            batch.step(actions)
        return 1000 * spent / decisions

    return measure
