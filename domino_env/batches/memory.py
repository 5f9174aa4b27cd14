"""The memory of a batch: its arrays, what it hands out of them, copies, and saved games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from domino_env import lanes as loops
from domino_env.arrays import Hold, bytes_of, must_fit, read_only, shared
from domino_env.batches.workers import Parts, Workers
from domino_env.compiling import machine_code, prepared, whose_code
from domino_env.compiling.fingerprint import in_words
from domino_env.engine.features import Field
from domino_env.engine.game_setup import Setup
from domino_env.engine.lane_checks import first_refused
from domino_env.engine.move_features.move_fields import MoveField
from domino_env.engine.state import BYTES
from domino_env.engines import Engine, engine_of
from domino_env.errors import BadSave

GIVEN_AT = 3  # the place of the actions among the arguments of a step, and of a sample
_SIGNED = 16
_SHARED = ("observation", "mask", "seat", "reward", "done")
_READ_ONLY = {"legal": "_legal", "num_legal": "_num_legal", "games": "_games", "events": "_logs"}
_ARRAYS = (*(f"_{name}" for name in _SHARED), *_READ_ONLY.values(), "_samplers")
# What a copy makes anew.
_OWN = {
    *_SHARED,
    *_READ_ONLY,
    "rule_table",
    "_record",
    "_held",
    "_take",
    "_give",
    "_workers",
    "_ranges",
    "_action",
    "_taken",
    "_step_checked",
    "_step_given",
    "_step_lanes",
    "_look",
    "_step_arguments",
    "_restart_arguments",
    "_byte_scale",
    "_codes",
    "_sample_into",
    "_describe_here",
    "_one_view",
    "_others",
    "_imagined",
    "_move_fields",
    "_graph_fields",
}
_FIXED = frozenset(
    {*("rules", "num_games", "num_players", "threads", "episode", "reward_kind", "calls")}
    | {*("autoreset", "specialize", "setup", "fields", "num_actions", "num_features", "rule_table")}
    | {"observation_dtype"}
    | {*_SHARED, *_READ_ONLY}
)


class BatchMemory:
    """What a batch keeps, with no games in it yet. Kernels look at no bounds: they are given these
    arrays, and never those that are handed out (see `arrays`)."""

    observation: npt.NDArray[Any]
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
        setup: Setup,
        num_games: int,
        threads: int,
        autoreset: bool,
        specialize: bool,
        observation_dtype: np.dtype[Any],
    ) -> None:
        self.setup, self.observation_dtype = setup, observation_dtype
        self.rules: Any = setup.rules
        self.num_games, self.num_players = num_games, setup.players
        self.threads, self.autoreset, self.specialize = threads, autoreset, specialize
        self.episode, self.reward_kind, self.calls = setup.episode, setup.reward, setup.calls
        self.fields: tuple[Field, ...] = self._engine.fields(setup)
        self._rule_table = self._engine.write_rule_table(setup)
        self.num_actions = int(self._rule_table["actions"][0])
        self.num_features = int(self._rule_table["features"][0])
        layout = in_words(self._engine.record_for(setup))
        kind = (self.rules, self.num_players, self.episode, self.calls, layout)
        self._kind = blake2b(repr(kind).encode(), digest_size=_SIGNED).digest()
        self._ready = False
        self._make_arrays()

    def _make_arrays(self) -> None:
        lanes, actions = self.num_games, self.num_actions
        self._record = record = self._engine.record_for(self.setup)
        listed = (self._engine.most_moves(self._rule_table) + 4) // 4 * 4  # see moves.clear_mask
        words = self._engine.log_length(self.setup)
        dtype = self.observation_dtype
        shown = dtype.itemsize * self.num_features + actions + 2 * listed + 4 * self.num_players
        must_fit(lanes, lanes * (shown + record.itemsize + 4 * words))
        self._observation: Any = np.zeros((lanes, self.num_features), dtype)
        self._mask: Any = np.zeros((lanes, actions), np.int8)
        self._legal: Any = np.zeros((lanes, listed), np.int16)
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
        self._workers: Workers | None = None
        edges = [lanes * t // self.threads for t in range(self.threads + 1)]
        self._ranges = tuple(pairwise(edges))  # of lanes, one for each thread
        self._action, self._taken = np.zeros(1, np.int64), np.zeros(lanes, np.int64)
        self._step_checked: Callable[..., int] = loops.step_checked
        self._step_given: Callable[..., int | None] | None = None
        self._step_lanes: Callable[..., int] = loops.step_lanes
        self._look: Callable[..., int] = first_refused
        self._actions_of_one = actions if lanes == 1 else 0
        given = taken = self._taken
        self._step_arguments = (*self._arrays_of_step(given, taken), False, 0, lanes)
        self._restart_arguments = (*self._arrays(), np.arange(lanes))
        self._codes: dict[Any, Callable[..., Any]] = {}  # by kernel
        self._sample_into: Callable[..., None] | None = None
        self._byte_scale: tuple[Any, Any] | None = None  # offset and scale, once they are used
        self._others: Any = None  # see `Batch._play_others`
        self._one_view: Any = None  # see `Batch.observe`
        self._describe_here: Callable[..., None] | None = None
        self._imagined: dict[int, tuple[Any, Any]] = {}  # by the first lane of each thread
        self._move_fields: tuple[MoveField, ...] | None = None
        self._graph_fields: tuple[MoveField, ...] | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and name in self.__dict__:
            raise AttributeError(
                f"a batch keeps its {name}: write into the array, or make another batch"
            )
        object.__setattr__(self, name, value)

    @property
    def _engine(self) -> Engine:
        return engine_of(self.rules)

    def _arrays(self) -> Any:
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

    def _arrays_of_step(self, *actions: npt.NDArray[np.int64]) -> Any:
        return (
            self._rule_table,
            self._games,
            self._logs,
            *actions,
            self._mask,
            self._legal,
            self._num_legal,
            self._observation,
            self._seat,
            self._reward,
            self._done,
            self.autoreset,
        )

    def _arrays_to_look(self, actions: npt.NDArray[np.int64]) -> Any:
        """For `first_refused`, which copies the actions that it has looked at."""
        return self._legal, self._num_legal, actions, self._taken

    # Copies -------------------------------------------------------------------------------------

    def clone(self) -> Self:
        """A batch of its own with the same games, and the same future for the same actions."""
        with self._held:
            return copy(self)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()  # NumPy would copy records by their fields

    def __getstate__(self) -> dict[str, Any]:
        """All but what a copy makes anew: the arrays' second selves, the lock and the threads."""
        return {name: value for name, value in self.__dict__.items() if name not in _OWN}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_arrays()
        self._take_over(state)
        if self._ready:
            self._compile_step()

    def _become(self, other: Self) -> None:
        self._take_over(other.__dict__)
        self._ready = other._ready

    def _take_over(self, arrays: Mapping[str, Any]) -> None:
        for name in _ARRAYS:
            bytes_of(getattr(self, name))[:] = bytes_of(arrays[name])

    # Saved games --------------------------------------------------------------------------------

    def _saved(self, lane: int) -> bytes:
        game = self._games[lane : lane + 1].tobytes()
        if not self._games["over"][lane]:
            for name in self._engine.of_last_episode:
                kind, start = self._games.dtype.fields[name][:2]
                game = game[:start] + bytes(kind.itemsize) + game[start + kind.itemsize :]
        body = game + self._logs[lane, : int(self._games["log_size"][lane])].tobytes()
        return self._signature(body) + body

    def _read_save(self, saved: Any) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
        """The record and the log of a saved game; refused if it is none of this kind of batch."""
        if not isinstance(saved, (bytes, bytearray, memoryview)):
            raise BadSave(f"restore takes the bytes that save gave, not {type(saved).__name__}")
        signature, body = bytes(saved[:_SIGNED]), bytes(saved[_SIGNED:])
        size = self._games.itemsize
        if len(body) < size or signature != self._signature(body):
            raise BadSave(
                f"these {len(saved)} bytes are damaged, or were saved by a batch of other rules, "
                f"seats, episode or calls than {self!r}"
            )
        return np.frombuffer(body[:size], np.uint8), np.frombuffer(body[size:], np.uint32)

    def _signature(self, body: bytes) -> bytes:
        """What tells a save of this kind of batch from damage and from saves of others."""
        return blake2b(body, digest_size=_SIGNED, key=self._kind).digest()

    def _compile_step(self) -> None:
        """Steps from now on by the machine code itself: what it is given is always of these
        types."""
        if self._step_checked is loops.step_checked:
            checked = self._step_arguments
            self._step_checked = self._machine_code(loops.step_checked, checked)
            if self.threads == 1:
                self._step_given = prepared(self._step_checked, checked, (GIVEN_AT,))
            else:
                arguments = (*self._arrays_of_step(self._taken), 0, self.num_games)
                self._step_lanes = self._machine_code(loops.step_lanes, arguments)
                looked_at = (*self._arrays_to_look(self._taken), False, 0, self.num_games)
                self._look = self._direct(first_refused, looked_at)

    def _machine_code(self, kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        return machine_code(kernel, arguments, self._rule_table, self.specialize)

    @property
    def _code(self) -> str:
        arguments = self._step_arguments
        return whose_code(loops.step_checked, arguments, self._rule_table, self.specialize)

    def _share(self, kernel: Callable[..., Any], parts: Parts) -> list[Any]:
        """Runs a kernel in threads, one for each part."""
        if self.threads == 1:
            return [kernel(*parts[0])]
        if self._workers is None:
            self._workers = Workers(self.threads)
        return self._workers.run(kernel, parts)

    def _direct(self, kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """The machine code of another kernel, likewise: what is put into it is of our own making,
        and of the same types for all batches of this kind."""
        found = self._codes.get(kernel)
        if found is None:
            found = self._codes[kernel] = machine_code(kernel, arguments, self._rule_table)
        return found

    def __len__(self) -> int:
        """How many games."""
        return self.num_games

    def __repr__(self) -> str:
        kind = " as bytes" if self.observation_dtype == BYTES else ""
        return (
            f"<Batch of {self.num_games} games of {self.rules.id}, {self.num_players} players, "
            f"{self.num_actions} actions, {self.num_features} features{kind}; step: {self._code}>"
        )
