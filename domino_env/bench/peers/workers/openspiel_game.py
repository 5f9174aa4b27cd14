"""Plays a domino game of OpenSpiel's, one state at a time, as it has no batches."""

import random
from collections.abc import Callable

import pyspiel
from open_spiel.python.games import block_dominoes  # noqa: F401, registers the game

PACKAGES = ("open_spiel",)


def prepare(name: str, games: int) -> Callable[[], int]:
    """Whole games; legal actions, mask and observation tensor at each decision."""
    game = pyspiel.load_game(name)

    def play() -> int:
        decisions, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.chance_outcomes())[0])
                continue
            actions = state.legal_actions()
            state.legal_actions_mask()
            state.observation_tensor(state.current_player())
            state.apply_action(random.choice(actions))
            decisions += 1
        return decisions

    return play
