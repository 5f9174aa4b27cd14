"""`Batch`: many games of one variant, stepped together. Everything else is built on this class.

    import domino_env

    batch = domino_env.batch("block_draw", 4096, seed=0)
    batch.reset()
    for _ in range(1000):
        batch.step(batch.sample())

Its arrays are updated in place, so keep references to them and read them after each step:
`observation`, `mask`, `seat`, `reward`, `done`; and `legal` and `num_legal`, the legal actions of
each lane as a list, for agents that need no mask. Writing to an array changes no game and makes no
action legal; `legal`, `num_legal`, `games`, `events` and `rule_table` are read-only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from copy import copy
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import deals
from domino_env.actions import decode
from domino_env.arrays import Hold, bytes_of, must_fit, read_only, shared
from domino_env.engine import lanes as loops
from domino_env.engine.features import Field
from domino_env.engine.game_setup import Setup
from domino_env.engine.rounds import MOST_DEALS, NOBODY_OPENS
from domino_env.engines import Engine, engine_of
from domino_env.errors import (
    BadAction,
    BadDeal,
    BadOption,
    BadSave,
    GameOver,
    IllegalMove,
    NotReset,
    did_you_mean,
    is_whole,
)
from domino_env.games import Game, rules_of
from domino_env.position import Position
from domino_env.puzzles.puzzle_state import TURNED

EPISODES = ("round", "match")
REWARDS = ("margin", "points", "win")
CALLS = ("automatic", "explicit")

_WHOLE = (int, np.integer)
_SIGNED = 16
MOST_THREADS = 256

_SHARED = ("observation", "mask", "seat", "reward", "done")
_READ_ONLY = {"legal": "_legal", "num_legal": "_num_legal", "games": "_games", "events": "_logs"}
_ARRAYS = (*(f"_{name}" for name in _SHARED), *_READ_ONLY.values(), "_samplers")
# What a copy makes anew.
_OWN = {
    *_SHARED,
    *_READ_ONLY,
    "rule_table",
    "_held",
    "_take",
    "_give",
    "_pool",
    "_action",
    "_step_checked",
    "_step_arguments",
}


class Batch:
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

    Attributes:
        observation: float32[N, F], what the seat to move sees; `fields` names its numbers.
        mask: int8[N, A], 1 for each legal action of the seat to move.
        seat: int16[N], the seat to move; -1 where a game is over (only without autoreset).
        reward: float32[N, P], what each seat earned in the last step.
        done: bool[N], did the episode end in the last step? With autoreset the lane has already
            been dealt again, and shows the first decision of its next episode; without, it stays.
        legal, num_legal: int16[N, A] and int32[N], the legal actions as a list for each lane.
        games, events: the full state of all lanes, hidden tiles too (`engine.state.GAME`, or
            `puzzles.puzzle_state.PUZZLE`); and the log of each lane's round, the deal first, see
            `engine.log`. Like `legal`, `num_legal` and `rule_table` they are read-only.
        rule_table: the rules as numbers (`engine.rule_table.RULE_TABLE`), as kernels take them.

    A batch is used by one thread at a time (`InUse` otherwise); see "Thread safety" in
    docs/concepts.md.
    """

    observation: npt.NDArray[np.float32]
    mask: npt.NDArray[np.int8]
    seat: npt.NDArray[np.int16]
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    legal: npt.NDArray[np.int16]
    num_legal: npt.NDArray[np.int32]
    games: npt.NDArray[Any]
    events: npt.NDArray[np.uint32]
    rule_table: npt.NDArray[Any]

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
    ) -> None:
        self.rules: Any = rules_of(game)
        self.num_games = _whole("num_games", num_games, 1)
        self.num_players = _seats(self.rules, num_players)
        self.threads = _whole("threads", threads, 1, MOST_THREADS)
        check_choice("episode", episode, EPISODES)
        check_choice("reward", reward, REWARDS)
        check_choice("calls", calls, CALLS)
        if episode == "match" and self.num_players == 1:
            raise BadOption(f"{self.rules.id} is not played in matches: leave episode at 'round'")
        if calls == "explicit" and not self.rules.has_calls:
            raise BadOption(f"{self.rules.id} has nothing to call: leave calls at 'automatic'")
        self.episode, self.reward_kind, self.calls = str(episode), str(reward), str(calls)
        self.autoreset = _switch("autoreset", autoreset)
        self.setup = Setup(self.rules, self.num_players, self.episode, self.reward_kind, self.calls)
        self.fields: tuple[Field, ...] = self._engine.fields(self.setup)
        self._rule_table = self._engine.write_rule_table(self.setup)
        self.num_actions = int(self._rule_table["actions"][0])
        self.num_features = int(self._rule_table["features"][0])
        self._seed = _seed(seed)
        kind = (self.rules, self.num_players, self.episode, self.calls)
        self._kind = blake2b(repr(kind).encode(), digest_size=_SIGNED).digest()
        self._ready = False
        self._make_arrays()

    def _make_arrays(self) -> None:
        lanes, actions, record = self.num_games, self.num_actions, self._engine.record
        words = self._engine.log_length(self.setup)
        shown = 4 * self.num_features + 3 * actions + 4 * self.num_players
        must_fit(lanes, lanes * (shown + record.itemsize + 4 * words))
        self._observation: Any = np.zeros((lanes, self.num_features), np.float32)
        self._mask: Any = np.zeros((lanes, actions), np.int8)
        self._legal: Any = np.zeros((lanes, actions + 1), np.int16)
        self._num_legal: Any = np.zeros(lanes, np.int32)
        self._seat: Any = np.full(lanes, -1, np.int16)
        self._reward: Any = np.zeros((lanes, self.num_players), np.float32)
        self._done: Any = np.zeros(lanes, np.bool_)
        self._games: Any = np.zeros(lanes, record)
        self._logs: Any = np.zeros((lanes, words), np.uint32)
        self._samplers: Any = np.zeros(lanes, np.uint64)
        for name in _SHARED:
            setattr(self, name, shared(getattr(self, f"_{name}")))
        for name, own in _READ_ONLY.items():
            setattr(self, name, read_only(getattr(self, own)))
        self.rule_table = read_only(self._rule_table)
        self._held = Hold()
        self._take, self._give = self._held.acquire, self._held.release
        self._pool: tuple[int, ThreadPoolExecutor] | None = None
        self._action = np.zeros(1, np.int64)
        self._step_checked: Callable[..., int] = self._engine.lanes.step_checked
        self._actions_of_one = actions if lanes == 1 else 0
        self._step_arguments = (*self._arrays_of_step(self._action), False, 0, 1)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and name in self.__dict__:
            raise AttributeError(
                f"a batch keeps its {name}: write into the array, or make another batch"
            )
        object.__setattr__(self, name, value)

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

    def _begin(self, seed: Any, given: Any) -> None:
        if seed is None and not self._ready:
            seed = self._seed
        seeds = None if seed is None else self._lane_seeds(seed)
        if given is None:
            self._seed_some(seeds)
            every = np.arange(self.num_games)
            self._must_be_dealt(
                self._spread(self._engine.lanes.restart_lanes, *self._arrays(), every)
            )
            return
        trial = self.clone()  # a deal may be refused, and then nothing shall have changed
        trial._seed_some(seeds)
        if max(trial._spread(self._engine.lanes.deal_lanes, *trial._arrays(), *given)) >= 0:
            raise BadDeal(
                f"the rules of {self.rules.id} would deal this again: nobody holds the double that "
                "opens (G3), or nobody would have any decision (G5). Give another deal"
            )
        self._become(trial)

    def _seed_some(self, seeds: Any) -> None:
        if seeds is not None:
            loops.seed_lanes(self._games, self._samplers, *seeds)
        self._ready = True

    def step(self, actions: npt.ArrayLike, lanes: npt.NDArray[np.int64] | None = None) -> None:
        """Takes one action in every lane. If one is refused, nothing has changed anywhere.

        Without autoreset a finished lane takes only -1, and stays as it is. With `lanes` there is
        one action for each of those; the others stay as they are, and earn nothing.
        """
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
        arguments = self._arrays_of_step(taken)
        if self.threads == 1:
            return self._step_checked(*arguments, may_hold, 0, self.num_games)
        looked = self._spread(loops.first_refused, self._legal, self._num_legal, taken, may_hold)
        refused = next((lane for lane in looked if lane >= 0), -1)
        if refused >= 0:
            return refused
        undealt = self._spread(self._engine.lanes.step_lanes, *arguments)
        return loops.UNDEALT - next((lane for lane in undealt if lane >= 0), -1)

    def step_one(self, action: Any) -> None:
        """`step` for a batch of one, without making an array of the action."""
        whole = isinstance(action, _WHOLE) and action.__class__ is not bool  # to Python True is 1
        # As `with self._held` would, at half the cost; step says what is wrong.
        if whole and 0 <= action < self._actions_of_one and self._take(False):
            try:
                self._action[0] = action
                went = self._step_checked(*self._step_arguments)
                if went < 0:
                    if went < -1:
                        raise self._not_dealt(0)
                    return
            finally:
                self._give()
        self.step([action])

    def is_illegal(self, lane: int, action: Any) -> bool:
        """Is this an action of the action space that is not legal now?"""
        lane = self._lane(lane)
        known = is_whole(action) and 0 <= action < self.num_actions
        return known and action not in self._legal_of(lane)

    def _legal_of(self, lane: int) -> list[int]:
        return self._legal[lane, : self._num_legal[lane]].tolist()

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for each lane, uniformly; -1 where the game is over."""
        self.must_be_reset("sample")
        actions = np.empty(self.num_games, np.int64)
        with self._held:
            self._spread(loops.sample_lanes, self._num_legal, self._legal, self._samplers, actions)
        return actions

    def sample_some(self, lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """A legal action for each of some lanes that are not over, each as likely."""
        with self._held:
            some = self._lanes_to_decide(lanes)
            actions = np.empty(len(some), np.int64)
            loops.sample_some(self._num_legal, self._legal, self._samplers, some, actions)
        return actions

    def _lanes_to_decide(self, lanes: Any) -> npt.NDArray[np.int64]:
        """Lanes as an array; refused if they are none of this batch, or over."""
        self.must_be_reset("a decision")
        some = self.some_lanes(lanes)
        over = loops.first_over(self._num_legal, some)
        if over >= 0:
            raise GameOver(f"lane {some[over]} is over: nobody decides there until reset()")
        return some

    def _play_others(self, learner: npt.NDArray[np.int64], owed: npt.NDArray[np.float64]) -> None:
        """Plays at random in every lane until it is the learner's turn, or the game is over; adds
        what the learner of each lane earns meanwhile to `owed`. For batches without autoreset."""
        self.must_be_reset("play_others")
        if self.num_players > 1:
            with self._held:
                self._must_be_dealt(
                    self._spread(loops.play_others, *self._arrays(), self._samplers, learner, owed)
                )

    def restart(self, lanes: int | npt.NDArray[np.int64]) -> None:
        """Begins a new episode in one lane or some; their generators go on."""
        self.must_be_reset("restart")
        some = self.some_lanes(lanes)
        with self._held:
            undealt = self._engine.lanes.restart_lanes(*self._arrays(), some, 0, len(some))
            self._must_be_dealt([undealt])

    # Copies -------------------------------------------------------------------------------------

    def clone(self) -> Batch:
        """A batch of its own with the same games, and the same future for the same actions."""
        with self._held:
            return copy(self)

    def __deepcopy__(self, memo: Any) -> Batch:
        return self.clone()  # NumPy would copy records by their fields

    def __getstate__(self) -> dict[str, Any]:
        """All but what a copy makes anew: the arrays' second selves, the lock and the threads."""
        return {name: value for name, value in self.__dict__.items() if name not in _OWN}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_arrays()
        self._take_over(state)

    def _become(self, other: Batch) -> None:
        self._take_over(other.__dict__)
        self._ready = other._ready

    def _take_over(self, arrays: Mapping[str, Any]) -> None:
        for name in _ARRAYS:
            bytes_of(getattr(self, name))[:] = bytes_of(arrays[name])

    def save(self, lane: int) -> bytes:
        """One game as bytes. Equal bytes have an equal future for equal actions."""
        self.must_be_reset("save")
        lane = self._lane(lane)
        game = self._games[lane : lane + 1].tobytes()
        if "cut_off" in self._games.dtype.names and not self._games["over"][lane]:
            start = self._games.dtype.fields["cut_off"][1]  # it tells of the episode before
            game = game[:start] + bytes(2) + game[start + 2 :]
        body = game + self._logs[lane, : int(self._games["log_size"][lane])].tobytes()
        return self._signature(body) + body

    def restore(self, lane: int, saved: bytes) -> None:
        """Puts a saved game of the same rules and seats into a lane."""
        self.must_be_reset("restore")
        lane = self._lane(lane)
        if not isinstance(saved, (bytes, bytearray, memoryview)):
            raise BadSave(f"restore takes the bytes that save gave, not {type(saved).__name__}")
        signature, body = bytes(saved[:_SIGNED]), bytes(saved[_SIGNED:])
        size = self._games.itemsize
        if len(body) < size or signature != self._signature(body):
            raise BadSave(
                f"these {len(saved)} bytes are damaged, or were saved by a batch of other rules, "
                f"seats, episode or calls than {self!r}"
            )
        events = np.frombuffer(body[size:], np.uint32)
        with self._held:
            bytes_of(self._games[lane : lane + 1])[:] = np.frombuffer(body[:size], np.uint8)
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

    def _signature(self, body: bytes) -> bytes:
        """What tells a save of this kind of batch from damage and from saves of others."""
        return blake2b(body, digest_size=_SIGNED, key=self._kind).digest()

    # Looking ------------------------------------------------------------------------------------

    def position(self, lane: int = 0) -> Position:
        """A readable snapshot of one game, with everything in it, hidden tiles too."""
        self.must_be_reset("position")
        return self._engine.read_position(self, self._lane(lane))

    def observe(self, lane: int, seat: int) -> npt.NDArray[np.float32]:
        """What any seat of a game sees now, whether or not it is to move."""
        self.must_be_reset("observe")
        lane = self._lane(lane)
        if not is_whole(seat) or not 0 <= seat < self.num_players:
            raise BadOption(f"seats are 0 to {self.num_players - 1}, not {seat!r}")
        return self.observe_some([lane], [int(seat)])[0]

    def observe_some(self, lanes: npt.ArrayLike, seats: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """What a seat of each of some lanes sees now: a row for each."""
        self.must_be_reset("observe_some")
        some = self.some_lanes(lanes)
        viewers = self.some_seats(seats, len(some))
        out = np.zeros((len(some), self.num_features), np.float32)
        with self._held:
            self._engine.lanes.observe_lanes(self._rule_table, self._games, some, viewers, out)
        return out

    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The least and the greatest value of each number of an observation."""
        low = [np.full(field.size, field.low, np.float32) for field in self.fields]
        high = [np.full(field.size, field.high, np.float32) for field in self.fields]
        return np.concatenate(low), np.concatenate(high)

    def boneyard_order(self, lane: int) -> npt.NDArray[np.float32]:
        """For each tile its place in the boneyard, counted from 1, over the size of the set; of a
        one-player game its place in the deal, and how it lies: negative if turned."""
        self.must_be_reset("boneyard_order")
        game = self._games[self._lane(lane)]
        out = np.zeros(self.rules.num_tiles, np.float32)
        if self.num_players == 1:
            dealt = self._logs[lane, : len(out)]
            turned = np.where(dealt & TURNED, -1, 1)
            places = np.arange(1, len(out) + 1) / len(out)
            out[dealt & (TURNED - 1)] = turned * places
            doubles = [first == second for first, second in self.rules.tile_set.tiles]
            return np.where(doubles, np.abs(out), out)
        left = game["deck"][int(game["next"]) : self.rules.num_tiles]
        out[left] = np.arange(1, len(left) + 1) / self.rules.num_tiles
        return out

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """bool[N], was the episode that ended in the last step cut off, and not played to its end?
        Only one-player games can be."""
        if "cut_off" not in (self._games.dtype.names or ()):
            return np.zeros(self.num_games, np.bool_)
        cut_off: npt.NDArray[np.bool_] = self._done & (self._games["cut_off"] > 0)
        return cut_off

    def state(self) -> npt.NDArray[Any]:
        """A copy of the records of all lanes: everything, hidden tiles too."""
        self.must_be_reset("state")
        records = np.empty_like(self._games)
        bytes_of(records)[:] = bytes_of(self._games)
        return records

    def __len__(self) -> int:
        """How many games."""
        return self.num_games

    def __repr__(self) -> str:
        return (
            f"<Batch of {self.num_games} games of {self.rules.id}, {self.num_players} players, "
            f"{self.num_actions} actions, {self.num_features} features>"
        )

    # Inside -------------------------------------------------------------------------------------

    @property
    def _engine(self) -> Engine:
        return engine_of(self.rules)

    def _arrays(self) -> tuple[Any, ...]:
        return (
            self._rule_table,
            self._games,
            self._logs,
            self._mask,
            self._legal,
            self._num_legal,
            self._observation,
            self._seat,
            self._reward,
            self._done,
        )

    def _arrays_of_step(self, actions: npt.NDArray[np.int64]) -> tuple[Any, ...]:
        return (
            self._rule_table,
            self._games,
            self._logs,
            actions,
            self._mask,
            self._legal,
            self._num_legal,
            self._observation,
            self._seat,
            self._reward,
            self._done,
            self.autoreset,
        )

    def _spread(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Runs a kernel over all lanes, split over the threads.

        Quick ones too: a lane's memory stays with the core that works on it, and moving it to and
        fro costs twice what a step does.
        """
        if self.threads == 1:
            return [kernel(*arguments, 0, self.num_games)]
        process = os.getpid()
        if self._pool is None or self._pool[0] != process:  # threads do not come along with a fork
            self._pool = process, ThreadPoolExecutor(self.threads - 1, "domino")
        edges = [self.num_games * t // self.threads for t in range(self.threads + 1)]
        others: list[Future[Any]] = []
        try:
            for t in range(1, self.threads):
                others.append(self._pool[1].submit(kernel, *arguments, edges[t], edges[t + 1]))
            first = kernel(*arguments, 0, edges[1])
        finally:
            wait(others)  # whatever has come between: nobody else may touch the lanes before
        return [first, *(other.result() for other in others)]

    def _must_be_dealt(self, undealt: list[int]) -> None:
        """Refuses what has left a lane without a deal; `undealt`: each thread's first, or -1."""
        if max(undealt) >= 0:
            raise self._not_dealt(next(lane for lane in undealt if lane >= 0))

    def _not_dealt(self, lane: int) -> BadDeal:
        rules, why = self.rules, "nobody had any decision (G5)"
        if not rules.alone and self._games["starter"][lane] == NOBODY_OPENS:
            why = "nobody held a tile that opens (G3)"
        return BadDeal(
            f"lane {lane}: dealing {rules.id} for {self.num_players} players was given up: in "
            f"{MOST_DEALS} deals {why}. Change its rules (tiles, hand_size, opening or draw); "
            "lanes that were not dealt are over"
        )

    def _show(self, lane: int | None = None) -> None:
        start, stop = (0, self.num_games) if lane is None else (lane, lane + 1)
        self._engine.lanes.show_lanes(
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

    def _placed(self, actions: npt.ArrayLike, some: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """An action for every lane, from those of some lanes: the others hold."""
        given = self.whole_numbers(actions, len(some))
        taken = np.empty(self.num_games, np.int64)
        place = loops.place_actions(some, given, taken)
        if place >= 0 and given[place] == loops.HOLD:
            raise BadAction(f"actions are 0 to {self.num_actions - 1}, not {loops.HOLD}")
        if place >= 0:
            raise BadOption(f"lane {some[place]} comes twice: it takes one action in a step")
        return taken

    def whole_numbers(self, actions: npt.ArrayLike, wanted: int) -> npt.NDArray[np.int64]:
        """A copy of actions as an array; refused if they are not one whole number for each game."""
        try:
            taken = np.asarray(actions)
        except (ValueError, TypeError) as error:
            raise BadAction(f"actions are one whole number for each game: {error}") from error
        if taken.shape != (wanted,):
            raise BadAction(
                f"step takes one action for each of {wanted} games, shape "
                f"({wanted},), not shape {taken.shape}"
            )
        kind = taken.dtype.kind
        if kind not in "iu":
            raise BadAction(f"actions are whole numbers, not {taken.dtype}")
        if kind == "u" and (taken > _MOST).any():  # they would come out negative
            lane = int((taken > _MOST).argmax())
            known = f"actions are 0 to {self.num_actions - 1}"
            raise BadAction(f"lane {lane}: {known}, not {taken[lane]}")
        return taken.astype(np.int64)

    def _refusal(self, lane: int, action: int) -> Exception:
        if self._num_legal[lane] == 0:
            return GameOver(f"lane {lane} is over: it takes -1 until reset(), not {action}")
        if not 0 <= action < self.num_actions:
            return BadAction(f"lane {lane}: actions are 0 to {self.num_actions - 1}, not {action}")
        move = decode(self.rules, action, self.calls)
        position = self.position(lane)
        ends = f"open ends: {', '.join(map(str, position.ends)) or 'none'}; "
        return IllegalMove(
            f"lane {lane}: {move} (action {action}) is not legal for seat {position.to_move}; "
            f"{ends if self.num_players > 1 else ''}"
            f"legal: {', '.join(map(str, position.legal))}"
        )

    def _explicit_deals(self, options: Mapping[str, Any] | None) -> tuple[Any, Any] | None:
        if options is None:
            return None
        if not isinstance(options, Mapping):
            raise BadOption(f"options is a dict like {{'deal': ...}}, not {options!r}")
        for key in options:
            if key not in ("deal", "deals"):
                raise BadOption(f"unknown option {key!r}{did_you_mean(key, ('deal', 'deals'))}")
        if not options:
            return None
        if len(options) > 1:
            raise BadOption("give 'deal' (the same for all lanes) or 'deals', not both")
        if "deal" in options:
            read = [self._engine.read_deal(self.setup, options["deal"])] * self.num_games
        else:
            several = options["deals"]
            if not deals.is_list(several):
                raise BadDeal(f"'deals' is a list of deals, one for each lane; not {several!r}")
            read = [self._engine.read_deal(self.setup, deal) for deal in several]
        if len(read) != self.num_games:
            raise BadDeal(
                f"'deals' needs one deal for each of {self.num_games} lanes, not {len(read)}"
            )
        return np.stack([deck for deck, _ in read]), np.array([s for _, s in read], np.int64)

    def _lane_seeds(self, seed: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """The lanes to seed, and their seeds."""
        every = np.arange(self.num_games)
        if not deals.is_list(seed):
            first = np.uint64(_whole("seed", seed, 0) % 2**64)
            return every, first + every.astype(np.uint64)
        if len(seed) != self.num_games:
            raise BadOption(
                f"seed must be one number, or one for each of {self.num_games} lanes; not {seed!r}"
            )
        given = {lane: each for lane, each in enumerate(seed) if each is not None}
        if not self._ready:
            given = {lane: given.get(lane, self._seed + lane) for lane in range(self.num_games)}
        seeds = [_whole("seed", each, 0) % 2**64 for each in given.values()]
        return np.array([*given], np.int64), np.array(seeds, np.uint64)

    def must_be_reset(self, what: str) -> None:
        """Refuses what comes after the first reset."""
        if not self._ready:
            raise NotReset(f"{what} comes after the first reset: call reset() before it")

    def some_lanes(self, lanes: Any) -> npt.NDArray[np.int64]:
        """A copy of lanes as an array; refused if they are none of this batch."""
        some = _numbers("lanes", lanes)
        if loops.first_foreign(some, self.num_games) >= 0:
            raise BadOption(f"lanes are 0 to {self.num_games - 1}, not {_short(lanes)}")
        return some

    def some_seats(self, seats: Any, wanted: int) -> npt.NDArray[np.int64]:
        """A copy of seats as an array; refused if they are not one for each of so many lanes."""
        some = _numbers("seats", seats)
        if len(some) != wanted or loops.first_foreign(some, self.num_players) >= 0:
            raise BadOption(
                f"seats are one for each of {wanted} lanes, from 0 to {self.num_players - 1}; "
                f"not {_short(seats)}"
            )
        return some

    def _lane(self, lane: int) -> int:
        if not is_whole(lane):
            raise BadOption(f"a lane is a whole number, not {lane!r}")
        if not 0 <= lane < self.num_games:
            raise BadOption(f"lanes are 0 to {self.num_games - 1}, not {lane}")
        return int(lane)


_FIXED = frozenset(
    {*("rules", "num_games", "num_players", "threads", "episode", "reward_kind", "calls")}
    | {*("autoreset", "setup", "fields", "num_actions", "num_features", "rule_table")}
    | {*_SHARED, *_READ_ONLY}
)
_MOST = np.uint64(2**63 - 1)


def _numbers(what: str, given: Any) -> npt.NDArray[np.int64]:
    """A copy of whole numbers as an array such as kernels take."""
    try:
        some: npt.NDArray[Any] = np.atleast_1d(np.asarray(given))
    except (ValueError, TypeError) as error:
        raise BadOption(f"{what} are whole numbers, not {_short(given)}") from error
    if some.ndim != 1 or (len(some) and some.dtype.kind not in "iu"):
        raise BadOption(f"{what} are whole numbers, not {_short(given)}")
    return np.array(some, np.int64)


def _short(value: Any) -> str:
    """A value as an error quotes it."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    if not is_whole(value) or value < least:
        raise BadOption(f"{name} must be a whole number of {least} or more, not {value!r}")
    if most is not None and value > most:
        raise BadOption(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise BadOption(f"{name} must be True or False, not {value!r}")
    return bool(value)


def check_choice(name: str, value: Any, allowed: Sequence[str]) -> None:
    """Refuses a value of an option that is none of the allowed ones."""
    if not isinstance(value, str) or value not in allowed:
        raise BadOption(
            f"{name} must be one of {', '.join(allowed)}, not {value!r}"
            f"{did_you_mean(value, allowed)}"
        )


def _seats(rules: Any, players: Any) -> int:
    if players is None:
        return rules.players[0]
    if not is_whole(players) or players not in rules.players:
        raise BadOption(
            f"{rules.id} is for {' or '.join(map(str, rules.players))} players, not {players!r}"
        )
    return int(players)


def _seed(seed: Any) -> int:
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return _whole("seed", seed, 0)
