"""A learner in one seat of each game, and opponents in the others.

`Table` steps a batch until it is the learner's turn again, lane by lane, and adds up all that the
learner has earned meanwhile: also what others' moves cost it, and what the end of the game brings.

Opponents are given in the order in which they sit, clockwise from the learner's left; or one for
all:

    opponents="greedy_pip"                                  # an agent by its name
    opponents={"agent": "determinised", "worlds": 2}        # with options
    opponents=["random", "greedy_pip", my_agent]            # seat by seat; in teams the second is
                                                            # the learner's partner
    opponents="bots/my_agent.py:MyAgent"                    # a class of a file, or of a module:
                                                            # see `domino_env.agents`
    opponents="self"                                        # the learner itself: each step is the
                                                            # decision of whoever is to move
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import deals
from domino_env.batches import Batch
from domino_env.engine import lanes as loops
from domino_env.errors import BadOption, is_whole
from domino_env.games import Game

Whole = npt.NDArray[np.int64]
SEATS = ("random", "in_turn")
_OTHER_LUCK = np.uint64(0x5EA7)  # seats are not drawn by what deals


class Table:
    """Games in which one seat each is the learner's.

    Args:
        batch: the games, without autoreset.
        opponents: who sits in the other seats, see above.
        seat: the learner's, the same in every game; "random" for each episode anew, or "in_turn".

    Attributes:
        learner: where the learner sits in each game; against itself, who is to move, and in a game
            that is over, who moved last.
        earned: what the learner has earned by the last step; against itself, what the mover has.
        every: all the games.
        rewards: against itself, what every seat has earned by the last step.
    """

    def __init__(self, batch: Batch, opponents: Any, seat: int | str) -> None:
        self.batch = batch
        self.learner = np.zeros(batch.num_games, np.int64)
        self.earned = np.zeros(batch.num_games, np.float64)  # by the last step
        self._owed = np.zeros(batch.num_games, np.float64)  # since the learner last acted
        self._seat = _checked_seat(seat, batch)
        self._luck = np.zeros(batch.num_games, np.uint64)
        self.rewards = np.zeros((batch.num_games, batch.num_players), np.float32)
        self.alone = isinstance(opponents, str) and opponents == "self"
        if self.alone and seat != "random":
            raise BadOption("with opponents='self' the learner sits in every seat: leave seat out")
        self._agents = [] if self.alone else _read_opponents(opponents, batch)
        self._same = len({*map(id, self._agents)}) == 1
        self.every = np.arange(batch.num_games)

    def reset(self, seed: Any = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins every game anew, up to the learner's first decision."""
        self.batch.reset(seed, options)
        seeded = self._luck == 0  # in a first reset all are, by the batch's own seed
        if seed is not None:
            seeded |= np.array([each is not None for each in seed]) if deals.is_list(seed) else True
        self._luck[seeded] = self.batch.games["rng"][seeded] ^ _OTHER_LUCK
        self.learner[seeded] = self.batch.num_players - 1  # so that the first turn is seat 0's
        self._begin(self.every)

    def restart(self, lanes: Whole) -> None:
        """Begins some games anew."""
        self.batch.restart(lanes)
        self._begin(lanes)

    def step(self, actions: Whole, lanes: Whole) -> None:
        """Takes the learner's action in some games, and plays on until it is its turn again."""
        if len(lanes):
            self.batch.step(actions, lanes)
            self._collect(lanes)
        if self.alone:
            self.rewards[:] = self.batch.reward if len(lanes) else 0
        self.play_on()
        self.earned[:] = 0
        self.earned[lanes], self._owed[lanes] = self._owed[lanes], 0

    def play_on(self) -> None:
        """Lets the opponents play in every game until it is the learner's turn, or over."""
        if self.alone:
            np.copyto(self.learner, self.batch.seat, where=self.batch.seat >= 0)
            return
        if self._same and isinstance(self._agents[0], _Uniform):
            self.batch.play_others(self.learner, self._owed)
            return
        seat = self.batch.seat
        waiting = np.flatnonzero((seat >= 0) & (seat != self.learner))
        while len(waiting):
            self.batch.step(self._chosen(waiting), waiting)
            self._collect(waiting)
            still = seat[waiting]
            waiting = waiting[(still >= 0) & (still != self.learner[waiting])]

    def seen(self) -> npt.NDArray[np.float32]:
        """A copy of what the learner sees in every game, in those that are over too."""
        observation = self.batch.observation.copy()
        over = np.flatnonzero(self.batch.seat < 0)
        if len(over):
            observation[over] = self.batch.observe_some(over, self.learner[over])
        return observation

    def choices(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every game, and all where it is over: trainers that make chances of
        them cannot do with none."""
        mask = self.batch.mask.astype(np.bool_)
        mask[self.batch.seat < 0] = True
        return mask

    def _begin(self, lanes: Whole) -> None:
        """Seats the learner, and deals again where a game ends before it has decided anything."""
        while len(lanes):
            self._seat_learner(lanes)
            self._owed[lanes] = 0
            self.play_on()
            lanes = lanes[self.batch.seat[lanes] < 0]
            self.batch.restart(lanes)

    def _seat_learner(self, lanes: Whole) -> None:
        players = self.batch.num_players
        if self._seat == "random":
            loops.pick_some(self._luck, lanes, players, self.learner)
        elif self._seat == "in_turn":
            self.learner[lanes] = (self.learner[lanes] + 1) % players
        else:
            self.learner[lanes] = self._seat

    def _collect(self, lanes: Whole) -> None:
        self._owed[lanes] += self.batch.reward[lanes, self.learner[lanes]]

    def _chosen(self, waiting: Whole) -> Whole:
        """What the opponents do where they are to move."""
        if self._same:
            return np.asarray(self._agents[0].act(self.batch, waiting))
        actions = np.empty(len(waiting), np.int64)
        places = (self.batch.seat[waiting] - self.learner[waiting]) % self.batch.num_players
        for agent in dict.fromkeys(self._agents):
            mine = [place for place, other in enumerate(self._agents, 1) if other is agent]
            asked = np.flatnonzero(np.isin(places, mine))
            actions[asked] = agent.act(self.batch, waiting[asked])
        return actions


def new_table(game: Game, num_games: int, opponents: Any, seat: int | str, **options: Any) -> Table:
    """New games of one variant with a learner in each; `options` are those of `Batch`."""
    return Table(Batch(game, num_games, **options, autoreset=False), opponents, seat)


class _Uniform:
    """`random` as an opponent: it draws from the generator that each lane has for that, so a game
    is the same whatever others are played beside it."""

    name = "random"

    def act(self, batch: Batch, lanes: Whole) -> Whole:
        return batch.sample_some(lanes)


def _read_opponents(opponents: Any, batch: Batch) -> list[Any]:
    others = batch.num_players - 1
    if deals.is_list(opponents):
        if len(opponents) != others:
            raise BadOption(
                f"opponents is one for all, or a list of {others}, clockwise from the learner's "
                f"left; not {len(opponents)} of them"
            )
        return [_read_agent(each, batch) for each in opponents]
    return [_read_agent(opponents, batch)] * others


def _read_agent(given: Any, batch: Batch) -> Any:
    if isinstance(given, str) and given == "random":
        return _Uniform()
    agents = import_module("domino_env.agents")  # a layer above: asked for only by its name
    if isinstance(given, Mapping):
        options = dict(given)
        if "agent" not in options:
            raise BadOption(f"an opponent's settings name its 'agent'; {given!r} do not")
        found = agents.make(options.pop("agent"), **options)
    else:
        found = agents.make(given)
    agents.must_play(found, batch)
    return found


def _checked_seat(seat: Any, batch: Batch) -> Any:
    if isinstance(seat, str) and seat in SEATS:
        return seat
    if not is_whole(seat) or not 0 <= seat < batch.num_players:
        raise BadOption(
            f"seat is 'random', 'in_turn' or one of 0 to {batch.num_players - 1}, not {seat!r}"
        )
    return int(seat)
