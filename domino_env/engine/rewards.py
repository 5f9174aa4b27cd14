"""Rewards: how the points of a step become what each seat earns, as the option `reward` says (G14).

Points are scored in `scoring`. One-player games have a `pay` of their own, in
`domino_env.puzzles.one_player_game`.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import small
from domino_env.engine.bits import NONE, ONE
from domino_env.engine.rule_table import MARGIN, WIN
from domino_env.engine.state import Game, Index, Rewards, RuleTable


@small
def pay(rules: RuleTable, game: Game, reward: Rewards, lane: Index) -> None:
    """Turns the points gained since the last step into rewards (G14)."""
    everyone, changed = 0, 0
    for seat in range(rules.seats):
        everyone += game.gained[seat]
        changed |= game.gained[seat]
    if changed == 0 and rules.reward != WIN:  # most often
        rest(reward, lane)
        return
    mates = 1 + rules.teams  # partners have gained alike
    for seat in range(rules.seats):
        own = game.gained[seat]
        if rules.reward == MARGIN:
            others = everyone - mates * own
            mean = np.float32(others) / np.float32(rules.seats - mates) if others else np.float32(0)
            reward[lane, seat] = np.float32(own) - mean
        elif rules.reward == WIN:
            reward[lane, seat] = result(game, seat)
        else:
            reward[lane, seat] = own
        game.gained[seat] = 0


@small
def rest(reward: Rewards, lane: Index) -> None:
    """A lane in which nothing has been earned."""
    for seat in range(reward.shape[1]):
        reward[lane, seat] = 0


@small
def result(game: Game, seat: int) -> int:
    """+1 to the winner, -1 to the others, 0 to all for a draw, at the end and not before."""
    if not game.over or game.winners == NONE:
        return 0
    return 1 if (game.winners >> np.uint64(seat)) & ONE != NONE else -1
