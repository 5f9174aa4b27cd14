"""Forfeits: games lost by an agent's fault, what they cost, and episodes that go on without them.

A game is forfeited by the side whose agent, one from outside this package, raises, does not answer
in time, answers with something that is no array of actions, moves illegally in it or changes it. It
is over then, and counts for the other side, whatever the score was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.language.usage import Usage
from domino_env.batches import Batch
from domino_env.evaluate.entrants import Entrant, derive_seed
from domino_env.evaluate.rollout import play_episodes
from domino_env.evaluate.watchdog import Watchdog

Whole = npt.NDArray[np.int64]
TIME_LIMIT = 10.0  # seconds for a call of an agent


class Forfeit(NamedTuple):
    """A forfeited game."""

    deal: int
    game: int
    """Its number among the games of the deal."""
    side: int
    """The number of the player who did so: of two sides 0 is the first, and 1 the second."""
    why: str


class EpisodeResults(NamedTuple):
    """Returns in points, float[N, P], and for each forfeited lane which of the players did so, and
    why."""

    returns: npt.NDArray[np.float64]
    faults: dict[int, tuple[int, str]]

    def forfeits(self, first: int, ways: int) -> tuple[Forfeit, ...]:
        """The forfeits, where each deal from number `first` on was played in so many ways, lane
        after lane."""
        return tuple(
            Forfeit(first + lane // ways, lane % ways, side, why)
            for lane, (side, why) in sorted(self.faults.items())
        )


def default_forfeit_cost(rules: Any, players: int) -> float:
    """The points that a forfeited game costs: the most that a round can bring, so that nobody gains
    by a forfeit. That is what the end of the round can bring, the pips of all tiles in most games,
    and in games that score in play the most that a hand of tiles can."""
    worth = rules.round
    pips = sum(map(rules.counted, range(rules.num_tiles)))
    if worth.penalties:
        end = pips + worth.out_bonus
    elif worth.worth == "places":
        end = worth.places[0] * (2 if rules.teams else 1)
    elif worth.counts_pips:
        end = -(-pips // worth.pips_a_point)
    else:
        end = worth.fixed
    stakes = 2 if rules.turn.raised_by else 1
    tiles = rules.hand_size_for(players)
    beside = rules.bonuses.most_of_a_round + rules.bonuses.most_of_passes(tiles) + rules.plays.out
    return float(end * stakes + beside + tiles * _of_a_tile(rules))


def _of_a_tile(rules: Any) -> int:
    """The most points that one tile can make in play."""
    if rules.plays.by == "same_ends":
        return 3
    if not rules.scores_in_play:
        return 0
    most = max(value.pips for value in rules.tile_set.values)
    return int(rules.plays.most_points(4 * 2 * most))


def seated_players(
    entrants: Sequence[Entrant], time_limit: float | None, *seeded_by: object
) -> list[Any]:
    """The agents of entrants for games to come, each with a seed of its own. Agents of this package
    are called directly, all others under a watchdog."""
    makers = [
        partial(each.make, derive_seed(*seeded_by, number)) for number, each in enumerate(entrants)
    ]
    return [
        make() if each.built_in else Watchdog(make, each.limit_of_calls(time_limit))
        for each, make in zip(entrants, makers, strict=True)
    ]


def usage_of(player: Any) -> Usage:
    """What one of them has spent on a language model."""
    return player.usage if isinstance(player, Watchdog) else Usage()


def play_seated(
    batch: Batch,
    players: Sequence[Any],
    seating: Whole,
    on_actions: Callable[[Whole], None] = lambda actions: None,
) -> EpisodeResults:
    """Plays an episode in every lane, with forfeits if some of the players may fail."""
    watchdogs = [player for player in players if isinstance(player, Watchdog)]
    if not watchdogs:
        return EpisodeResults(play_episodes(batch, players, seating, on_actions), {})
    try:
        return play_with_forfeits(batch, players, seating, on_actions)
    finally:
        for watchdog in watchdogs:
            watchdog.close()


def play_with_forfeits(
    batch: Batch,
    players: Sequence[Any],
    seating: Whole,
    on_actions: Callable[[Whole], None],
) -> EpisodeResults:
    """Like `play_episodes`, but some of the players are under a watchdog, and a game in which one
    of those makes a fault ends there."""
    returns = np.zeros((batch.num_games, batch.num_players))
    faults: dict[int, tuple[int, str]] = {}
    live = batch.seat >= 0
    while live.any():
        actions = np.full(batch.num_games, -1, np.int64)
        to_move = np.where(live, seating[np.arange(len(live)), batch.seat], -1)
        for number, player in enumerate(players):
            asked = np.flatnonzero(live & (to_move == number))
            if not len(asked):
                continue
            if not isinstance(player, Watchdog):
                actions[asked] = player.act(batch, asked)
                continue
            answer = player.ask(batch, asked)
            actions[asked] = answer.actions
            if answer.hung:  # it sits in all games, and its thread may hold the batch
                why = answer.faults[int(asked[0])]
                answer.faults = dict.fromkeys(np.flatnonzero(live).tolist(), why)
            for lane, why in answer.faults.items():
                if live[lane]:
                    faults[lane], live[lane] = (number, why), False
        going = np.flatnonzero(live)
        if len(going):
            actions[~live] = -1
            on_actions(actions)
            batch.step(actions[going], going)
            returns[going] += batch.reward[going]
            _tell_ends(batch, players, np.flatnonzero(live & (batch.seat < 0)))
            live &= batch.seat >= 0
    return EpisodeResults(returns, faults)


def _tell_ends(batch: Batch, players: Sequence[Any], over: Whole) -> None:
    for player in players:
        if len(over) and isinstance(player, Watchdog):
            player.tell_end(batch, over)
