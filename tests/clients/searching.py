"""OpenSpiel's information-set search, against random play."""

from __future__ import annotations

from typing import Any

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from tests.clients.measure import Margin


def margin_of_search(game: Any, games: int, simulations: int, uct_c: float, seed: int) -> Margin:
    """What a search earns against random play, in each seat in turn."""
    rng = np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        uct_c=uct_c,
        max_simulations=simulations,
        random_state=rng,
    )
    # Left to itself the bot resamples by luck of its own, another in each process.
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
    earned = []
    for number in range(games):
        seat, state = number % game.num_players(), game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                action = rng.choice(outcomes, p=chances)
            elif state.current_player() == seat:
                action = bot.step(state)
            else:
                action = rng.choice(state.legal_actions())
            state.apply_action(int(action))
        earned.append(state.returns()[seat])
    return Margin(float(np.mean(earned)), float(np.std(earned) / games**0.5))
