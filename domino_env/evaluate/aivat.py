"""Less luck in a margin: what chance gave to a side is taken off again (AIVAT).

Whenever a tile comes out of the boneyard, each tile that could have come was as likely. So the
value of the game as it went on, less the mean of its values with each of those tiles, is luck: zero
in expectation, whatever the value function is, and taking it off leaves the mean margin *exactly*
what it was. The same holds for an agent that tells how likely it was to play each action.

A value is the mean margin of some playouts by the players themselves; `heuristic` stands in for
those that search, or are not of this package. The tiles still to come lie in orders that were drawn
for the deal, without a look at the one that is played, and all values of a deal share them: so most
of what they add of their own cancels.

What the deal itself gave is not corrected: that is what duplicates are for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Agent
from domino_env.batches import Batch
from domino_env.evaluate.rollout import choose_actions, margin_per_game

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

PLAYOUTS = 16
"""For each value: with fewer, values add more luck than they take off; with more, little is
gained."""
STAND_IN = "heuristic"
LANES = 4096  # playouts that are played together


def takes_long(player: Any) -> bool:
    """Does a player take too long for playouts, or is it unknown how it plays?"""
    return bool(getattr(player, "searches", False))


class LuckOf:
    """Follows games that are played, and adds up what luck gave the first side in each.

    Args:
        batch: the games, before their first decision; those of a deal lie side by side.
        players: who plays them.
        stand_ins: who plays for each of them in playouts. They must not be the players themselves:
            who tosses coins would toss others.
        seating: which of the players is in each seat, int[N, P].
        deals: the seeds of the deals.
        playouts: of each value.
    """

    def __init__(
        self,
        batch: Batch,
        players: Sequence[Any],
        stand_ins: Sequence[Agent],
        seating: Whole,
        deals: Whole,
        playouts: int = PLAYOUTS,
    ) -> None:
        self._batch, self._players, self._seating = batch, players, seating
        self._field = _Field(batch, stand_ins)
        self._ways = batch.num_games // len(deals)
        self._deals = np.repeat(deals, self._ways)
        self._dealt = int(batch._rule_table[0]["dealt"])
        tiles = int(batch._rule_table[0]["tiles"])
        self._ranks = np.stack([_ranks(int(deal), playouts, tiles) for deal in deals])
        self._before: Any = None
        self._next: Whole = np.zeros(0, np.int64)  # of the boneyard, before the actions
        self._actions: Whole = np.zeros(0, np.int64)
        self._luck = np.zeros(batch.num_games)

    def note(self, actions: Whole) -> None:
        """Is told of all actions before they are taken; -1 where there is none."""
        self._settle()
        self._before = (self._batch._games.copy(), self._batch._logs.copy())
        self._next, self._actions = self._batch.games["next"].astype(np.int64), actions.copy()
        for number, player in enumerate(self._players):
            tells = getattr(player, "probabilities", None)
            if tells is not None:
                self._weigh_choices(number, tells)

    @property
    def total(self) -> Floats:
        """What luck has given the first side in each game by now."""
        self._settle()
        return self._luck

    # Draws ----------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Adds the luck of the tiles that the last actions have drawn."""
        if self._before is None:
            return
        drawn = np.where(self._actions >= 0, self._batch.games["next"] - self._next, 0)
        for back in range(int(drawn.max(initial=0))):
            lanes = np.flatnonzero(drawn > back)
            for place in np.unique(self._next[lanes] + back):
                self._weigh_draws(lanes[self._next[lanes] + back == place], int(place))
        self._before = None

    def _weigh_draws(self, lanes: Whole, place: int) -> None:
        """The luck of the tiles that lay in one place of the boneyard."""
        choices = self._dealt - place
        for some in _parts(lanes, self._ranks.shape[1] * choices):
            orders = self._orders(some, place)  # [lanes, playouts, choices]
            decks = orders[:, :, _each_first(choices)]  # ..., with each of them first
            came = decks[..., 0] == self._decks(some)[:, None, None, place]
            values = self._values(some, decks.reshape(-1, choices), place, self._actions[some])
            values = values.reshape(came.shape)
            self._luck[some] += ((came - 1.0 / choices) * values).sum(2).mean(1)

    # Choices --------------------------------------------------------------------------------------

    def _weigh_choices(self, number: int, tells: Any) -> None:
        """Adds the luck of the coins that a player has tossed, by the chances that it tells."""
        live = np.flatnonzero(self._actions >= 0)
        lanes = live[self._seating[live, self._batch.seat[live]] == number]
        if not len(lanes):
            return
        chances = np.asarray(tells(self._batch, lanes), np.float64)
        tossed = (chances > 0).sum(1) > 1
        lanes, chances = lanes[tossed], chances[tossed]
        for place in np.unique(self._next[lanes]):
            there = self._next[lanes] == place
            self._weigh_coins(lanes[there], int(place), chances[there])

    def _weigh_coins(self, lanes: Whole, place: int, chances: Floats) -> None:
        """The same, where so much of the boneyard is left."""
        at, actions = np.nonzero(chances > 0)
        of = lanes[at]
        playouts = self._ranks.shape[1]
        for some in _parts(np.arange(len(at)), playouts):
            decks = self._orders(of[some], place)
            rest = decks.reshape(len(some) * playouts, decks.shape[2])
            values = self._values(of[some], rest, place, actions[some])
            came = actions[some] == self._actions[of[some]]
            luck = (came - chances[at[some], actions[some]]) * values.reshape(-1, playouts).mean(1)
            np.add.at(self._luck, of[some], luck)

    # Values ---------------------------------------------------------------------------------------

    def _decks(self, lanes: Whole) -> Whole:
        games = self._before[0]
        found: Whole = games["deck"][lanes].astype(np.int64)
        return found

    def _orders(self, lanes: Whole, place: int) -> Whole:
        """The tiles from a place on in the orders of their deals, [lanes, playouts, tiles]."""
        rest = self._decks(lanes)[:, None, place : self._dealt]
        ranks = self._ranks[lanes // self._ways]
        rest = np.broadcast_to(rest, (*ranks.shape[:2], rest.shape[2]))
        return np.take_along_axis(rest, np.argsort(np.take_along_axis(ranks, rest, 2), 2), 2)

    def _values(self, lanes: Whole, rest: Whole, place: int, actions: Whole) -> Floats:
        """The margins of playouts after an action in each lane, with each of the decks: so many of
        the first lane, and so on."""
        each = len(rest) // len(lanes)
        found = np.empty(len(rest))
        most = self._field.lanes
        for first in range(0, len(rest), most):
            of = np.arange(first, min(first + most, len(rest)))
            at = of // each
            games = self._before[0][lanes[at]]
            games["deck"][:, place : self._dealt] = rest[of]
            games["rng"] = _fresh(self._deals[lanes[at]], of % each)
            logs = self._before[1][lanes[at]]
            found[of] = self._field.margins(games, logs, actions[at], self._seating[lanes[at]])
        return found


class _Field:
    """Where games are played on."""

    def __init__(self, batch: Batch, players: Sequence[Agent]) -> None:
        self.lanes = min(LANES, 64 * batch.num_games)
        how: dict[str, Any] = {"calls": batch.calls, "autoreset": False, "reward": "points"}
        self._batch = Batch(batch.rules, self.lanes, batch.num_players, 0, **how)
        self._batch.reset()
        self._players = players
        self._seating = np.zeros((self.lanes, batch.num_players), np.int64)

    def margins(self, games: Any, logs: Any, actions: Whole, seating: Whole) -> Floats:
        """What the first side gains over the second after an action, until the round is over."""
        batch, number = self._batch, len(games)
        with batch._held:
            batch._games[:number], batch._logs[:number] = games, logs
            batch._games["over"][number:] = 1
            batch._games["to_move"][number:] = -1
            batch._show_anew()
        self._seating[:number] = seating
        returns = np.zeros((number, batch.num_players))
        live = np.arange(number)
        while len(live):
            batch.step(actions, live)
            returns[live] += batch.reward[live]
            chosen = choose_actions(batch, self._players, self._seating)
            live = np.flatnonzero(chosen >= 0)
            actions = chosen[live]
        return margin_per_game(returns, seating)


def _ranks(deal: int, playouts: int, tiles: int) -> Whole:
    """In which order the tiles of a deal come in each playout: the same wherever it is played."""
    rng = np.random.default_rng([deal, 0xA17A7])
    return np.argsort(rng.random((playouts, tiles)), axis=1)


def _fresh(deals: Whole, playouts: Whole) -> npt.NDArray[np.uint64]:
    """States of games' generators that are not those of the games."""
    mixed = (deals.astype(np.uint64) << np.uint64(20)) + playouts.astype(np.uint64)
    return mixed * np.uint64(0x9E3779B97F4A7C15)


def _each_first(choices: int) -> Whole:
    """Orders of so many things: each of them first, and the others behind it as they are."""
    every = np.arange(choices)
    return np.array([[first, *every[every != first]] for first in every])


def _parts(lanes: Whole, playouts: int) -> Iterator[Whole]:
    """Lanes, so many at a time that their playouts fill the field."""
    most = max(1, LANES // playouts)
    for first in range(0, len(lanes), most):
        yield lanes[first : first + most]
