"""`Batch`: how it is played, and looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import lanes as loops
from domino_env.arrays import bytes_of
from domino_env.batches.histories import BatchHistories
from domino_env.batches.memory import GIVEN_AT
from domino_env.batches.move_graphs import BatchMoveGraphs
from domino_env.batches.options import MOST_THREADS, check_choice, seats, switch, whole
from domino_env.batches.options import observation_dtype as dtype_of
from domino_env.batches.options import seed as given_seed
from domino_env.compiling import prepared
from domino_env.engine.game_setup import Setup
from domino_env.errors import BadDeal, BadOption, GameOver, NotReset, is_whole
from domino_env.games import Game, rules_of
from domino_env.position import Position

EPISODES = ("round", "match")
REWARDS = ("margin", "points", "win")
CALLS = ("automatic", "explicit")

_INT64 = np.dtype(np.int64)


def _number(action: Any) -> int:
    """A whole number as Python's own; -1 of anything else. To Python True is 1; here it is not."""
    if action.__class__ is np.int64:  # as spaces give it
        return int(action)
    whole = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
    return int(action) if whole else -1


def _only(given: Any) -> Any:
    """What is in a list or an array of just one number; None of anything else."""
    if given.__class__ is np.ndarray:
        return given.item() if given.dtype is _INT64 and given.shape == (1,) else None
    return given[0] if given.__class__ is list and len(given) == 1 else None


class Batch(BatchMoveGraphs, BatchHistories):
    """`num_games` games of one variant, stepped together.

    Args:
        game: the id of a variant, or a `Rules`.
        num_games: number of lanes.
        num_players: number of seats; the game's usual number by default.
        seed: lane i plays the game of seed + i; without one, a seed from the system.
        threads: how many threads share the lanes, up to 256. Results do not depend on it; it pays
            from some thousand games on.
        episode: "round", or "match" for rounds to the rulebook's end of game (G15).
        reward: "margin" (points over the mean of the opponents'), "points" or "win" (G14).
        calls: "automatic", or "explicit" where a game has something to call (G12).
        autoreset: deal again at once where an episode ends. Without it a finished lane has seat -1
            and takes only the action -1 until `reset`.
        specialize: compile the step for just these rules, as is shipped for each game with its
            usual rules and seats: some 1.4 times as fast, for some seconds at the first reset, once
            for a machine. `repr` says which code runs a step.
        observation_dtype: "float32", or "uint8" for a quarter of the memory: whole numbers, each
            field with a scale of its own; see `as_floats`.

    Attributes:
        observation: float32 or uint8[N, F], what the seat to move sees; `fields` names its numbers.
        observation_dtype: its dtype.
        mask: int8[N, A], 1 for each legal action of the seat to move.
        seat: int16[N], the seat to move; -1 where a game is over (only without autoreset).
        reward: float32[N, P], what each seat earned in the last step.
        done: bool[N], did the episode end in the last step? With autoreset the lane has already
            been dealt again, and shows the first decision of its next episode; without, it stays.
        legal, num_legal: int16[N, L] and int32[N], the legal actions as a list for each lane.
        games, events: the full state of all lanes, hidden tiles too (`engine.state.GAMES`, or
            `puzzles.puzzle_state.PUZZLE`); and the log of each lane's round, the deal first, see
            `engine.log`. Like `legal`, `num_legal` and `rule_table` they are read-only.
        rule_table: the rules as numbers (`engine.rule_table.RULE_TABLE`), as kernels take them.

    A batch is used by one thread at a time (`InUse` otherwise); see "Thread safety" in
    docs/concepts.md.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        num_players: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        episode: str = "round",
        reward: str = "margin",
        calls: str = "automatic",
        autoreset: bool = True,
        specialize: bool = False,
        observation_dtype: Any = "float32",
    ) -> None:
        rules: Any = rules_of(game)
        lanes = whole("num_games", num_games, 1)
        players = seats(rules, num_players)
        workers = whole("threads", threads, 1, MOST_THREADS)
        check_choice("episode", episode, EPISODES)
        check_choice("reward", reward, REWARDS)
        check_choice("calls", calls, CALLS)
        if episode == "match" and not rules.has_matches:
            raise BadOption(f"{rules.id} is not played in matches: leave episode at 'round'")
        if calls == "explicit" and not rules.has_calls:
            raise BadOption(f"{rules.id} has nothing to call: leave calls at 'automatic'")
        self._seed = given_seed(seed)
        setup = Setup(rules, players, str(episode), str(reward), str(calls))
        own, dtype = switch("specialize", specialize), dtype_of(observation_dtype)
        super().__init__(setup, lanes, workers, switch("autoreset", autoreset), own, dtype)

    # Playing ------------------------------------------------------------------------------------

    def reset(
        self,
        seed: int | Sequence[int | None] | npt.NDArray[Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Begins a new episode in every lane.

        Lane i plays the game of seed + i, or of the i-th seed if a sequence is given. Without a
        seed, or where the sequence has None, the first reset uses the batch's, and later ones let
        the lane's generator go on.
        `options={"deal": ...}` gives an explicit deal (see `domino_env.deals`), `{"deals": [...]}`
        one for each lane.

        Where the rules are such that no deal in thousands can be played, dealing is given up: a
        `BadDeal` says why, and lanes that were not dealt are over (seat -1) until they are. It is
        the same in a step that deals, which has been taken in every lane by then.
        """
        given = self._explicit_deals(options)
        with self._held:
            self._begin(seed, given)
            self._compile_step()

    def _begin(self, seed: Any, given: Any) -> None:
        if seed is None and not self._ready:
            seed = self._seed
        seeds = None if seed is None else self._lane_seeds(seed)
        if given is None:
            self._seed_some(seeds)
            arguments = self._restart_arguments
            self._must_be_dealt(self._spread(self._restart_lanes(arguments), *arguments))
            return
        trial = self.clone()  # a deal may be refused, and then nothing shall have changed
        trial._seed_some(seeds)
        arguments = (*trial._arrays(), *given)
        kernel = trial._direct(loops.deal_lanes, (*arguments, 0, self.num_games))
        if max(trial._spread(kernel, *arguments)) >= 0:
            raise BadDeal(
                f"the rules of {self.rules.id} would deal this again: nobody holds the double that "
                "opens (G3), or it does not lie in front of the boneyard (TR1), or nobody would "
                "have any decision (G5). Give another deal"
            )
        self._become(trial)

    def _seed_some(self, seeds: Any) -> None:
        if seeds is not None:
            loops.seed_lanes(self._games, self._samplers, *seeds)
        if not self._ready:
            self._ready = True

    def _restart_lanes(self, arguments: Any) -> Callable[..., int]:
        return self._direct(loops.restart_lanes, (*arguments, 0, self.num_games))

    def step(self, actions: npt.ArrayLike, lanes: npt.NDArray[np.int64] | None = None) -> None:
        """Takes one action in every lane. If one is refused, nothing has changed anywhere.

        Without autoreset a finished lane takes only -1, and stays as it is. With `lanes` there is
        one action for each of those; the others stay as they are, and earn nothing.
        """
        # As `with self._held` would, at half the cost. A method that is kept as an attribute is
        # called faster if it has been read before.
        take, give, kernel = self._take, self._give, self._step_given
        if lanes is None and kernel is not None and take(False):
            try:
                went = kernel(actions)
            finally:
                give()
            if went == -1:
                return
            if went is not None and went < -1:
                raise self._not_dealt(loops.UNDEALT - went)
        every = lanes is None or (lanes.__class__ is np.ndarray and _only(lanes) == 0)
        if not (every and self._actions_of_one and self._took(_only(actions))):
            self._step_some(actions, lanes)

    def _step_some(self, actions: npt.ArrayLike, lanes: npt.NDArray[np.int64] | None) -> None:
        if not self._ready:
            raise NotReset("step comes after the first reset: call reset() before it")
        if lanes is None:
            taken = self.whole_numbers(actions, self.num_games)
        else:
            taken = self._placed(actions, self.some_lanes(lanes))
        may_hold = lanes is not None
        with self._held:
            if not self.autoreset and not self._num_legal.any():
                raise GameOver("every game is over: call reset(), or make the batch with autoreset")
            went = self._step_all(taken, may_hold)
            if went >= 0:
                raise self._refusal(went, int(taken[went]))
            self._must_be_dealt([loops.UNDEALT - went])

    def _step_all(self, taken: npt.NDArray[np.int64], may_hold: bool) -> int:
        """Takes an action in every lane, or none if one is refused: see `step_checked`."""
        if self.threads == 1:
            arguments = self._arrays_of_step(taken, self._taken)
            return self._step_checked(*arguments, may_hold, 0, self.num_games)
        looked = self._spread(self._look, *self._arrays_to_look(taken), may_hold)
        refused = next((lane for lane in looked if lane >= 0), -1)
        if refused >= 0:
            return refused
        undealt = self._spread(self._step_lanes, *self._arrays_of_step(self._taken))
        return loops.UNDEALT - next((lane for lane in undealt if lane >= 0), -1)

    def step_one(self, action: Any) -> None:
        """`step` for a batch of one, without making an array of the action."""
        if not self._took(action):
            self._step_some([action], None)

    def _took(self, action: Any) -> bool:
        """Takes the action of a batch of one, if it is legal; `step` says what is wrong with it."""
        number = action if action.__class__ is int else _number(action)
        take, give, kernel = self._take, self._give, self._step_given
        if 0 <= number < self._actions_of_one and kernel is not None and take(False):
            try:
                self._action[0] = number
                went = kernel(self._action)
            finally:
                give()
            if went is not None and went < -1:
                raise self._not_dealt(0)
            return went == -1
        return False

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for each lane, uniformly; -1 where the game is over."""
        actions = np.empty(self.num_games, _INT64)
        take, give, kernel = self._take, self._give, self._sample_into
        if kernel is not None and take(False):
            try:
                kernel(actions)
            finally:
                give()
            return actions
        self.must_be_reset("sample")
        with self._held:
            arguments = (self._num_legal, self._legal, self._samplers, actions)
            ranged = (*arguments, 0, self.num_games)
            kernel = self._direct(loops.sample_lanes, ranged)
            self._spread(kernel, *arguments)
            if self.threads == 1:
                self._sample_into = prepared(kernel, ranged, (GIVEN_AT,))
        return actions

    def sample_some(self, lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """A legal action for each of some lanes that are not over, each as likely."""
        with self._held:
            some = self._lanes_to_decide(lanes)
            actions = np.empty(len(some), np.int64)
            loops.sample_some(self._num_legal, self._legal, self._samplers, some, actions)
        return actions

    def _play_others(self, learner: npt.NDArray[np.int64], owed: npt.NDArray[np.float64]) -> None:
        """Plays at random in every lane until it is the learner's turn, or the game is over; adds
        what the learner of each lane earns meanwhile to `owed`. For batches without autoreset."""
        self.must_be_reset("play_others")
        if self._others is None or self._others[0] is not learner or self._others[1] is not owed:
            arguments = (*self._arrays(), self._samplers, learner, owed)
            ranged = (*arguments, 0, self.num_games)
            kernel = self._direct(loops.play_others, ranged)
            alone = prepared(kernel, ranged, ()) if self.threads == 1 else None
            self._others = learner, owed, alone or partial(self._spread, kernel, *arguments)
        with self._held:
            undealt = self._others[2]()
            self._must_be_dealt([undealt] if self.threads == 1 else undealt)

    def restart(self, lanes: int | npt.NDArray[np.int64]) -> None:
        """Begins a new episode in one lane or some; their generators go on."""
        self.must_be_reset("restart")
        self._restart_some(self.some_lanes(lanes))

    def _restart_some(self, some: npt.NDArray[np.int64]) -> None:
        with self._held:
            arguments = (*self._arrays(), some)
            self._must_be_dealt([self._restart_lanes(arguments)(*arguments, 0, len(some))])

    # Looking ------------------------------------------------------------------------------------

    def position(self, lane: int = 0) -> Position:
        """A readable snapshot of one game, with everything in it, hidden tiles too."""
        self.must_be_reset("position")
        return self._engine.read_position(self, self._lane(lane))

    def observe(self, lane: int, seat: int) -> npt.NDArray[Any]:
        """What any seat of a game sees now, whether or not it is to move."""
        self.must_be_reset("observe")
        lane = self._lane(lane)
        if not is_whole(seat) or not 0 <= seat < self.num_players:
            raise BadOption(f"seats are 0 to {self.num_players - 1}, not {seat!r}")
        lanes, seats, view, kernel = self._one_view or self._new_view()
        with self._held:
            lanes[0], seats[0] = lane, seat
            kernel()
            seen: npt.NDArray[Any] = view[0].copy()
        return seen

    def observe_some(self, lanes: npt.ArrayLike, seats: npt.ArrayLike) -> npt.NDArray[Any]:
        """What a seat of each of some lanes sees now: a row for each."""
        self.must_be_reset("observe_some")
        some = self.some_lanes(lanes)
        return self._seen(some, self.some_seats(seats, len(some)))

    def _seen(self, lanes: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        out = np.zeros((len(lanes), self.num_features), self.observation_dtype)
        arguments = (self._rule_table, self._games, lanes, seats, out)
        with self._held:
            self._direct(loops.observe_lanes, arguments)(*arguments)
        return out

    def boneyard_order(self, lane: int) -> npt.NDArray[np.float32]:
        """For each tile its place in the boneyard, counted from 1, over the size of the set; of a
        one-player game its place in the deal, and how it lies: negative if turned."""
        self.must_be_reset("boneyard_order")
        lane = self._lane(lane)
        return self._engine.boneyard_order(self.rules, self._games[lane], self._logs[lane])

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """bool[N], was the episode that ended in the last step cut off, and not played to its end?
        Only one-player games can be."""
        return self._done & self._engine.truncated(self._games)

    def round_number(self, lane: int) -> int:
        """Which round of its episode a game is in, from 1."""
        self.must_be_reset("round_number")
        return self._engine.round_number(self._games[self._lane(lane)])

    def state(self) -> npt.NDArray[Any]:
        """A copy of the records of all lanes: everything, hidden tiles too."""
        self.must_be_reset("state")
        records = np.empty_like(self._games)
        bytes_of(records)[:] = bytes_of(self._games)
        return records

    # Saved games --------------------------------------------------------------------------------

    def save(self, lane: int) -> bytes:
        """One game as bytes. Equal bytes have an equal future for equal actions."""
        self.must_be_reset("save")
        return self._saved(self._lane(lane))

    def restore(self, lane: int, saved: bytes) -> None:
        """Puts a saved game of the same rules and seats into a lane."""
        self.must_be_reset("restore")
        lane = self._lane(lane)
        game, events = self._read_save(saved)
        with self._held:
            bytes_of(self._games[lane : lane + 1])[:] = game
            self._logs[lane, : len(events)] = events
            self._reward[lane] = 0
            self._done[lane] = bool(self._games["over"][lane])
            self._show(lane)

    def _show_anew(self) -> None:
        """Shows every lane as `_games` and `_logs` have it, after those have been written to."""
        self._reward[:] = 0
        self._done[:] = self._games["over"] > 0
        self._ready = True
        self._show()

    # Inside -------------------------------------------------------------------------------------

    def _spread(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Runs a kernel over all lanes, split over the threads.

        Quick ones too: a lane's memory stays with the core that works on it, and moving it to and
        fro costs twice what a step does.
        """
        if self.threads == 1:
            return [kernel(*arguments, 0, self.num_games)]
        return self._share(kernel, tuple((*arguments, *each) for each in self._ranges))

    def _show(self, lane: int | None = None) -> None:
        start, stop = (0, self.num_games) if lane is None else (lane, lane + 1)
        loops.show_lanes(
            self._rule_table,
            self._games,
            self._mask,
            self._legal,
            self._num_legal,
            self._observation,
            self._seat,
            start,
            stop,
        )
