"""How fast games are drawn, for the benchmark: while a game of each kind of table is played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import numpy as np

import domino_env
from domino_env.batches import Batch

GAMES = ("block_draw", "five_up", "fundomino", "solitaire")  # a line, a tree, arcs and columns
WARM = 40  # pictures before the clock runs: a tile is drawn once, and then kept


def _tables() -> Iterator[Any]:
    """Environments of the games in turn, each a decision further on than when it last came."""
    envs = []
    for game in GAMES:
        env = domino_env.raw_aec(game, render_mode="rgb_array")
        env.reset(seed=0)
        envs.append(env)
    chance = np.random.default_rng(0)
    for number, env in enumerate(cycle(envs)):
        legal = np.flatnonzero(env.batch.mask[0])
        env.step(int(chance.choice(legal)))
        if env.batch.done[0]:
            env.reset(seed=number)
        yield env


def _each_second(seconds: float, draw: Callable[[Any], object]) -> float:
    tables, drawn = _tables(), 0
    for _ in range(WARM):
        draw(next(tables))
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        draw(next(tables))
        drawn += 1
    return drawn / (time.perf_counter() - began)


def pixels(seconds: float) -> float:
    """Pictures of 600 by 400 pixels a second, each of another position."""
    return _each_second(seconds, lambda env: env.render())


def drawings(seconds: float) -> float:
    """SVGs a second, from the state of the engine to the text, each of another position."""
    return _each_second(seconds, lambda env: _drawing(env.batch))


def _drawing(batch: Batch) -> str:
    return batch.position(0)._repr_svg_()
