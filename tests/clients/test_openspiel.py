"""CFR+ in Block & Draw with double three; ISMCTS in Block & Draw and Fundomino

tests/test_openspiel.py says more of the games.
"""

from __future__ import annotations

import os
from typing import Any

import pyspiel
import pytest

from domino_env.adapters.openspiel import load
from tests.clients.searching import margin_of_search

SEED = int(os.environ.get("DOMINO_SEED", "0"))  # to see that other seeds win too


def test_regrets_go_down_with_drawing_from_a_boneyard(record_figure: Any) -> None:
    """Four tiles each of ten, two in the boneyard: 231 thousand information states."""
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game("domino(max_pip=3,hand_size=4)"))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    gained = pyspiel.nash_conv(game, solver.average_policy()) / 2
    record_figure("exploitability, double three, points", f"{gained:.3f}")
    assert gained < 0.02


@pytest.mark.parametrize(
    ("name", "games", "simulations"), [("block_draw", 500, 50), ("fundomino", 200, 20)]
)
def test_a_search_beats_random_play(
    name: str, games: int, simulations: int, record_figure: Any
) -> None:
    margin = margin_of_search(load(name), games, simulations, 20.0, SEED)
    record_figure(f"ISMCTS margin against random, {name}", str(margin))
    assert margin.mean > 4 * margin.error
