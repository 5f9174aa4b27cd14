"""Plays the dominoes of the package `dominoes`, one game of four players at a time."""

import random
from collections.abc import Callable

import dominoes

PACKAGES = ("dominoes",)


def prepare(name: str, games: int) -> Callable[[], int]:
    """Whole games. Who cannot play passes without a decision."""

    def play() -> int:
        decisions, game = 0, dominoes.Game.new()
        while game.result is None:
            game.make_move(*random.choice(game.valid_moves))
            decisions += 1
        return decisions

    return play
