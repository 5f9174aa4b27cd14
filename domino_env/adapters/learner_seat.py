"""A learner in one seat of each game, and opponents in the others.

`LearnerTable` steps a batch until it is the learner's turn again, lane by lane, and adds up
everything the learner earns meanwhile, including the effect of others' moves and of the end of the
game.

Opponents are given in seat order, clockwise from the learner's left, or one for all seats:

    opponents="greedy_pip"                                  # an agent by its name
    opponents={"agent": "determinised", "worlds": 2}        # with options
    opponents=["random", "greedy_pip", my_agent]            # seat by seat; in teams the second is
                                                            # the learner's partner
    opponents="bots/my_agent.py:MyAgent"                    # a class of a file, or of a module:
                                                            # see `domino_env.agents`
    opponents="self"                                        # self-play: each step is the decision
                                                            # of whichever seat is to move

An error of an opponent is reported as such, never as an error in the learner's action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from domino_env import deals
from domino_env import learner_lanes as loops
from domino_env.adapters.common import ILLEGAL, PENALTY, explained, warn_once
from domino_env.adapters.opponents import Uniform, actions_of, name_of_opponent, read_opponents
from domino_env.arrays import read_only, shared
from domino_env.batches import Batch, check_choice
from domino_env.errors import BadAction, BadDeal, BadOption, GameOver, IllegalMove, is_whole
from domino_env.games import Game

Whole = npt.NDArray[np.int64]
SEATS = ("random", "in_turn")
MOST_DEALS = 1000  # games in a row without a decision of the learner's, before that is given up
_OTHER_STREAM = np.uint64(0x5EA7)  # seats are not drawn by what deals


class LearnerTable:
    """Games with one learner each.

    Args:
        batch: the games, without autoreset.
        opponents: the agents in the other seats, see above.
        seat: the learner's seat: the same in every game, "random" for each episode, or "in_turn".
        illegal: what an illegal action of the learner does, see `adapters.common`.

    Attributes:
        learner: the learner's seat in each game; in self-play the seat to move, and in a finished
            game the seat that moved last.
        earned: what the learner earned by the last step; in self-play, what the seat that moved
            did.
        every: all the games.
        stopped, any_stopped: the games that an illegal action of the learner has ended, and whether
            there are any. In the batch these are unchanged and not over.
        rewards: in self-play, what every seat earned by the last step.
    """

    def __init__(
        self, batch: Batch, opponents: Any, seat: int | str, illegal: str = "raise"
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        self.batch = batch
        self._terminates = illegal == "terminate"
        self._learner = np.zeros(batch.num_games, np.int64)
        self._earned = np.zeros(batch.num_games, np.float64)  # by the last step
        self._owed = np.zeros(batch.num_games, np.float64)  # since the learner last acted
        self._seat = _checked_seat(seat, batch)
        self._seat_rng = np.zeros(batch.num_games, np.uint64)
        self.rewards = np.zeros((batch.num_games, batch.num_players), np.float32)
        self.is_self_play = isinstance(opponents, str) and opponents == "self"
        if self.is_self_play and seat != "random":
            raise BadOption("with opponents='self' the learner sits in every seat: leave seat out")
        self._agents = [] if self.is_self_play else read_opponents(opponents, batch)
        self._same = len({*map(id, self._agents)}) == 1
        self._at_random = self._same and isinstance(self._agents[0], Uniform)
        self._shown_learner = read_only(self._learner)
        self._every = np.arange(batch.num_games)
        self._shown_every = read_only(self._every)
        self.stopped = np.zeros(batch.num_games, np.bool_)
        self.any_stopped = False
        self._failure: BaseException | None = None  # of an opponent

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copy's arrays are its own: what it shows of them is not what the first showed."""
        self.__dict__.update(state)
        self._shown_learner = read_only(self._learner)
        self._shown_every = read_only(self._every)

    @property
    def learner(self) -> Whole:
        """Where the learner sits; to be read alone, for kernels go by it."""
        return self._shown_learner

    @property
    def earned(self) -> npt.NDArray[np.float64]:
        """What came of the last step: whoever reshapes it does not reshape what kernels write."""
        return shared(self._earned)

    @property
    def every(self) -> Whole:
        """All the games."""
        return self._shown_every

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """bool[N], the games that are over: played to their end, cut off, or stopped."""
        return (self.batch.seat < 0) | self.stopped

    def reset(self, seed: Any = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a new game in every lane, up to the learner's first decision."""
        self.batch.reset(seed, options)
        self._failure = None
        seeded = self._seat_rng == 0  # in a first reset all are, by the batch's own seed
        if seed is not None:
            seeded |= np.array([each is not None for each in seed]) if deals.is_list(seed) else True
        self._seat_rng[seeded] = self.batch.games["rng"][seeded] ^ _OTHER_STREAM
        self._learner[seeded] = self.batch.num_players - 1  # so that the first turn is seat 0's
        self._begin(self._every)

    def restart(self, lanes: Whole) -> None:
        """Starts a new game in some lanes."""
        self.batch.restart(lanes)
        self._begin(lanes)

    def step(self, actions: npt.ArrayLike, lanes: Whole, anew: Whole | None = None) -> None:
        """Takes the learner's action in some games, and plays on until it is its turn again; starts
        new games in some others, if there are any."""
        if lanes is self._shown_every:  # then the batch need not ask which
            lanes = self._every
        self._must_go_on(lanes)
        going = self._move(actions, lanes) if len(lanes) else lanes
        if len(going):
            self._collect(going)
        if self.is_self_play:
            self.rewards[:] = self.batch.reward if len(going) else 0
        if len(going) < len(lanes):
            self._pay_penalty(lanes[self.stopped[lanes]])
        try:
            if anew is not None and len(anew):
                self.batch._restart_some(anew)
                self._seat_learner(anew)
        finally:  # also where one of them cannot be dealt
            self.play_on()
            loops.settle(self._owed, lanes, self._earned)
        if anew is not None and len(anew):
            self._deal_on(anew)

    def play_on(self) -> None:
        """Lets the opponents play in every game until it is the learner's turn, or over."""
        if self.is_self_play:
            np.copyto(self._learner, self.batch.seat, where=self.batch.seat >= 0)
            return
        if self._at_random:
            self.batch._play_others(self._learner, self._owed)
            return
        try:
            self._let_opponents_play()
        except BaseException as error:  # also Ctrl-C: the games stand between two decisions
            self._failure = error
            raise

    def seen(self) -> npt.NDArray[Any]:
        """A copy of what the learner sees in every game, in those that are over too."""
        observation = self.batch.observation.copy()
        if not self._at_random:  # then the batch shows finished games to the learner
            over = np.flatnonzero(self.batch.seat < 0)
            observation[over] = self.seen_in(over)
        return observation

    def seen_in(self, over: Whole) -> npt.NDArray[Any]:
        """A copy of what the learner sees in some games that have ended, stopped ones too."""
        if self._at_random:
            seen: npt.NDArray[Any] = self.batch.observation[over]
            return seen
        return self.batch.observe_some(over, self._learner[over])

    def choices(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every game, and all where it is over: trainers that make
        probabilities of them cannot work with none."""
        mask = self.batch.mask.astype(np.bool_)
        mask[self.over] = True
        return mask

    def masks(self) -> npt.NDArray[np.int8]:
        """A copy of the legal actions of every game: none where it is over."""
        mask = self.batch.mask.copy()
        if self.any_stopped:
            mask[self.stopped] = 0
        return mask

    def _begin(self, lanes: Whole) -> None:
        """Seats the learner in new games, and plays up to its first decision."""
        self._seat_learner(lanes)
        self.play_on()
        self._deal_on(lanes)

    def _deal_on(self, lanes: Whole) -> None:
        """Deals again where a new game has ended before the learner has decided anything."""
        for _ in range(MOST_DEALS):
            lanes = lanes[self.batch.seat[lanes] < 0]
            if not len(lanes):
                return
            self.batch._restart_some(lanes)
            self._seat_learner(lanes)
            self.play_on()
        rules, players = self.batch.rules, self.batch.num_players
        raise BadDeal(
            f"lane {lanes[0]}: dealing {rules.id} for {players} players was given up: in "
            f"{MOST_DEALS} games the learner had no decision. Give it another seat, or change the "
            "rules"
        )

    def _seat_learner(self, lanes: Whole) -> None:
        """Seats the learner in new games: nothing is owed in them, and none is stopped."""
        if self.any_stopped:
            self.stopped[lanes] = False
            self.any_stopped = bool(self.stopped.any())
        self._owed[lanes] = 0
        players = self.batch.num_players
        if self._seat == "random":
            loops.pick_some(self._seat_rng, lanes, players, self._learner)
        elif self._seat == "in_turn":
            self._learner[lanes] = (self._learner[lanes] + 1) % players
        else:
            self._learner[lanes] = self._seat

    def _collect(self, lanes: Whole) -> None:
        loops.collect(self.batch._reward, lanes, self._learner, self._owed)

    # The learner's action -------------------------------------------------------------------------

    def _must_go_on(self, lanes: Whole) -> None:
        """Refuses games in which the learner is not to move."""
        if self._failure is not None:
            raise GameOver(
                "these games stopped where an opponent failed, so it is not the learner's move: "
                f"call reset(); the opponent's error was {self._failure!r}"
            )
        if self.any_stopped and self.stopped[lanes].any():
            lane = int(lanes[self.stopped[lanes]][0])
            raise GameOver(f"lane {lane}: an illegal action has ended this game: call reset()")

    def _move(self, actions: npt.ArrayLike, lanes: Whole) -> Whole:
        """Takes the learner's actions, and returns the games that none of them has ended."""
        try:
            self.batch.step(actions, None if lanes is self._every else lanes)
        except IllegalMove as error:
            if not self._terminates:
                raise explained(error) from None
            return self._stop_some(self.batch.whole_numbers(actions, len(lanes)), lanes)
        return lanes

    def _stop_some(self, actions: Whole, lanes: Whole) -> Whole:
        """Ends the games in which an action is illegal, and takes the others; if one of those is
        refused, nothing has changed."""
        illegal = (self.batch.seat[lanes] >= 0) & _not_legal(self.batch, actions, lanes)
        illegal &= (actions >= 0) & (actions < self.batch.num_actions)
        going = lanes[~illegal]
        if len(going):
            self.batch.step(actions[~illegal], going)
        self.stopped[lanes[illegal]] = self.any_stopped = True
        warn_once()
        return going

    def _pay_penalty(self, lanes: Whole) -> None:
        self._owed[lanes] += PENALTY
        if self.is_self_play:
            self.rewards[lanes, self._learner[lanes]] = PENALTY

    # The opponents' -------------------------------------------------------------------------------

    def _let_opponents_play(self) -> None:
        seat = self.batch.seat
        waiting = np.flatnonzero((seat >= 0) & (seat != self._learner))
        while len(waiting):
            actions = self._chosen(waiting)
            try:
                self.batch.step(actions, waiting)
            except (BadAction, IllegalMove) as error:
                self._blame(error, actions, waiting)
            self._collect(waiting)
            still = seat[waiting]
            waiting = waiting[(still >= 0) & (still != self._learner[waiting])]

    def _chosen(self, waiting: Whole) -> Whole:
        """What the opponents do where they are to move."""
        if self._same:
            return actions_of(self._agents[0], self.batch, waiting)
        actions = np.empty(len(waiting), np.int64)
        places = self._places(waiting)
        for agent in {id(each): each for each in self._agents}.values():  # some cannot be hashed
            mine = [place for place, other in enumerate(self._agents, 1) if other is agent]
            asked = np.flatnonzero(np.isin(places, mine))
            if len(asked):
                actions[asked] = actions_of(agent, self.batch, waiting[asked])
        return actions

    def _places(self, lanes: Whole) -> Whole:
        """How far to the learner's left who is to move sits: 1 for the next."""
        return (self.batch.seat[lanes] - self._learner[lanes]) % self.batch.num_players

    def _blame(self, error: Exception, actions: Whole, waiting: Whole) -> NoReturn:
        """The same error, of the opponent that has made it."""
        at = int(np.flatnonzero(_not_legal(self.batch, actions, waiting))[0])
        place = int(self._places(waiting[at : at + 1])[0])
        name = name_of_opponent(self._agents[place - 1])
        raise type(error)(f"opponent {name!r} moved wrongly: {error}") from None


class OneLearnerTable(LearnerTable):
    """A single game with a learner, stepped without making arrays."""

    def seat_of_learner(self) -> int:
        """Where the learner sits; see `learner`."""
        return self._learner.item()

    def step_one(self, action: Any) -> None:
        """Takes the learner's action, and plays on until it is its turn again."""
        self._must_go_on(self._every)
        going = len(self._move([action], self._every)) > 0
        if self.is_self_play:
            self.rewards[:] = self.batch.reward if going else 0
        if going:
            self._owed[0] += self.batch.reward[0, self._learner.item()]
        else:
            self._pay_penalty(self._every)
        self.play_on()
        self._earned[0] = self._owed[0]
        self._owed[0] = 0

    def play_on(self) -> None:
        """Lets the opponents play until it is the learner's turn, or over."""
        seat = self.batch.seat.item()
        if self.is_self_play and seat >= 0:
            self._learner[0] = seat
        elif seat >= 0 and seat != self._learner.item():
            super().play_on()


def new_table(
    game: Game,
    num_games: int,
    opponents: Any,
    seat: int | str,
    *,
    illegal: str = "raise",
    **options: Any,
) -> LearnerTable:
    """New games of one variant with a learner in each; `options` are those of `Batch`."""
    return LearnerTable(
        Batch(game, num_games, **options, autoreset=False), opponents, seat, illegal
    )


def _not_legal(batch: Batch, actions: Whole, lanes: Whole) -> npt.NDArray[np.bool_]:
    """By the lists of legal moves: a mask is the caller's to write into."""
    counts = batch.num_legal[lanes]
    most = int(counts.max(initial=0))
    listed = (batch.legal[lanes, :most] == actions[:, None]) & (np.arange(most) < counts[:, None])
    return ~listed.any(1)


def _checked_seat(seat: Any, batch: Batch) -> Any:
    if isinstance(seat, str) and seat in SEATS:
        return seat
    if not is_whole(seat) or not 0 <= seat < batch.num_players:
        raise BadOption(
            f"seat is 'random', 'in_turn' or one of 0 to {batch.num_players - 1}, not {seat!r}"
        )
    return int(seat)
