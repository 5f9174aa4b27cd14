"""How fast pictures are drawn, for the benchmark: each of another position, in four games that show
all kinds of layout."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import numpy as np

import domino_env
from domino_env.batches import Batch

GAMES = ("block_draw", "five_up", "fundomino", "solitaire")  # a line, a tree, arcs and columns
WARM_UP = 40  # pictures before the clock runs: a tile is drawn once, and then cached


def _positions() -> Iterator[Any]:
    """Environments of the games in turn, each one decision further on than the last time."""
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


def _rate(seconds: float, draw: Callable[[Any], object]) -> float:
    positions, drawn = _positions(), 0
    for _ in range(WARM_UP):
        draw(next(positions))
    began = time.process_time()
    while time.process_time() - began < seconds:
        draw(next(positions))
        drawn += 1
    return drawn / (time.process_time() - began)


def pixels(seconds: float) -> float:
    """Pictures of 600 by 400 pixels a second, each of another position."""
    return _rate(seconds, lambda env: env.render())


def drawings(seconds: float) -> float:
    """SVGs a second, from the state of the engine to the text, each of another position."""
    return _rate(seconds, lambda env: _drawing(env.batch))


def _drawing(batch: Batch) -> str:
    return batch.position(0)._repr_svg_()
