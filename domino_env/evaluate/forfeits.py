"""Games that an agent of one's own has given up: what they cost, and how one plays on without them.

A game is forfeited by the side whose agent raises, does not answer in time, answers with something
that is no array of actions, moves illegally in it or changes it. It is over then, and counts for
the other side, whatever the score was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.evaluate.watchdog import Guard

Whole = npt.NDArray[np.int64]
LIMIT = 10.0  # seconds for a call


class Forfeit(NamedTuple):
    """A game that was given up."""

    deal: int
    game: int
    """Of those that are played of the deal."""
    side: int
    """0 for the first, 1 for the second."""
    why: str


class Outcome(NamedTuple):
    """Points, float[N, P], and for each lane that was given up by which of the players, and why."""

    returns: npt.NDArray[np.float64]
    faults: dict[int, tuple[int, str]]


def usual_cost(rules: Any, players: int) -> float:
    """The points that a forfeited game costs: what a round can bring, so that nobody gains by
    giving one up. That is what the end of the round can bring, the pips of all tiles in most games,
    and in games that score in play the most that a hand of tiles can."""
    scoring, tiles = rules.scoring, rules.tile_set
    pips = sum(map(tiles.pips, range(rules.num_tiles)))
    if scoring.left == "penalties":
        end = pips + scoring.out_bonus
    elif scoring.places:
        end = scoring.places[0] * (2 if rules.teams else 1)
    else:
        end = scoring.win or -(-pips // scoring.pips_a_point)
    stakes = 2 if rules.double_stakes else 1
    return float(end * stakes + rules.hand_size_for(players) * _of_a_tile(rules))


def _of_a_tile(rules: Any) -> int:
    """The most points that one tile can make in play."""
    if rules.scoring.plays == "same_ends":
        return 3
    if not rules.scores_in_play:
        return 0
    most = max(value.pips for value in rules.tile_set.values)
    return int(4 * 2 * most // rules.scoring.pips_a_point)


def play_on(
    batch: Batch,
    players: Sequence[Any],
    who: Whole,
    watch: Callable[[Whole], None],
) -> Outcome:
    """Like `play_out`, but some of the players are guards, and a game in which one of those does
    anything wrong is left where it is."""
    returns = np.zeros((batch.num_games, batch.num_players))
    faults: dict[int, tuple[int, str]] = {}
    live = batch.seat >= 0
    while live.any():
        actions = np.full(batch.num_games, -1, np.int64)
        to_move = np.where(live, who[np.arange(len(live)), batch.seat], -1)
        for number, player in enumerate(players):
            asked = np.flatnonzero(live & (to_move == number))
            if not len(asked):
                continue
            if not isinstance(player, Guard):
                actions[asked] = player.act(batch, asked)
                continue
            verdict = player.ask(batch, asked)
            actions[asked] = verdict.actions
            if verdict.hung:  # it sits in all games, and its thread may hold the batch
                why = verdict.faults[int(asked[0])]
                verdict.faults = dict.fromkeys(np.flatnonzero(live).tolist(), why)
            for lane, why in verdict.faults.items():
                if live[lane]:
                    faults[lane], live[lane] = (number, why), False
        going = np.flatnonzero(live)
        if len(going):
            actions[~live] = -1
            watch(actions)
            batch.step(actions[going], going)
            returns[going] += batch.reward[going]
            live &= batch.seat >= 0
    return Outcome(returns, faults)
