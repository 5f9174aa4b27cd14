"""Tianshou: a vector environment of one batch, each game with one learner, with masks.

    from tianshou.data import Collector, VectorReplayBuffer
    from domino_env.adapters.tianshou import TianshouVecEnv

    envs = TianshouVecEnv("block_draw", 256, opponents="greedy_pip", seed=0)
    collector = Collector(policy, envs, VectorReplayBuffer(200_000, 256))

Observations are batches of `obs` and `mask`, which Tianshou's DQN family respects; actors of other
algorithms have to apply the mask themselves. In a finished game the mask is all true, since a
distribution over no actions would be undefined. Infos contain `seat`, the learner's seat, and with
`opponents="self"` also `rewards`, what every seat has earned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from tianshou.data import Batch as Fields
from tianshou.env import BaseVectorEnv

from domino_env.adapters.common import observation_box
from domino_env.adapters.learner_seat import new_table
from domino_env.errors import BadOption
from domino_env.games import Game

Whole = npt.NDArray[np.int64]


class TianshouVecEnv(BaseVectorEnv):
    """Many games, each with one learner.

    Args:
        game: the id of a variant, or its rules.
        num_envs: number of games.
        opponents, seat: see `adapters.learner_seat`.
        seed: game i has seed + i.
        illegal: what an illegal action does: "raise" an `IllegalMove`, or "terminate" its game
            with -1.
        options: `num_players`, `episode`, `reward`, `calls`, `threads` and `observation_dtype`, as
            for `Batch`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 64,
        *,
        opponents: Any = "random",
        seat: int | str = "random",
        seed: int | None = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        # What BaseVectorEnv would make are workers, one for each game: here there are none.
        self.table = new_table(
            game, num_envs, opponents, seat, seed=seed, illegal=illegal, **options
        )
        self.batch = self.table.batch
        self.env_num = num_envs
        self.is_async = self.is_closed = False
        self._seed_to_come: int | None = None
        self._of_each = {
            "action_space": spaces.Discrete(self.batch.num_actions),
            "observation_space": spaces.Dict(
                obs=observation_box(self.batch), mask=spaces.MultiBinary(self.batch.num_actions)
            ),
            "metadata": {"render_modes": []},
            "spec": None,
            "reward_range": (-np.inf, np.inf),
        }

    def reset(self, env_id: Any = None, *, seed: int | None = None) -> tuple[Any, Any]:
        """Starts new games in all lanes or some. A seed is for all: game i gets seed + i."""
        if env_id is None:
            self.table.reset(self._seed_to_come if seed is None else seed)
            self._seed_to_come = None
        elif seed is None:
            self.table.restart(self._lanes(env_id))
        else:
            raise BadOption("a seed is for all games: reset them all, or leave seed out")
        lanes = self._lanes(env_id)
        return self._seen(lanes), self._infos(lanes)

    def step(self, action: Any, id: Any = None) -> tuple[Any, Any, Any, Any, Any]:
        """Takes an action in every game, or in some; one that ends waits for its `reset`."""
        lanes = self._lanes(id)
        self.table.step(self.batch.whole_numbers(np.asarray(action), len(lanes)), lanes)
        rewards = self.table.earned[lanes]
        over, cut_off = self.table.over[lanes], self.batch.truncated[lanes]
        return self._seen(lanes), rewards, over & ~cut_off, cut_off, self._infos(lanes)

    def seed(self, seed: Any = None) -> list[Any]:
        """Seeds the next reset of all games: game i gets seed + i."""
        self._seed_to_come = seed
        return [None if seed is None else seed + lane for lane in range(self.env_num)]

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """An attribute of the games, repeated for each game that is asked for."""
        if key not in self._of_each:
            raise AttributeError(f"games have {', '.join(self._of_each)}; not {key!r}")
        return [self._of_each[key] for _ in self._lanes(id)]

    def set_env_attr(self, key: str, value: Any, id: Any = None) -> None:
        """Refused: the games of a batch share all their attributes."""
        raise BadOption(f"{key} cannot be set: all games of a batch share it")

    def render(self, **_: Any) -> list[str]:
        """All games as text."""
        return [str(self.batch.position(lane)) for lane in range(self.env_num)]

    def close(self) -> None:
        """Nothing to close."""
        self.is_closed = True

    def _lanes(self, chosen: Sequence[int] | int | None) -> Whole:
        return self.table.every if chosen is None else np.atleast_1d(np.asarray(chosen, np.int64))

    def _seen(self, lanes: Whole) -> Any:
        """What the learner sees in some games."""
        return Fields(obs=self.table.seen()[lanes], mask=self.table.choices()[lanes])

    def _infos(self, lanes: Whole) -> Any:
        told = zip(lanes.tolist(), self.table.learner[lanes].tolist(), strict=True)
        infos: list[dict[str, Any]] = [{"env_id": lane, "seat": seat} for lane, seat in told]
        if self.table.is_self_play:
            for info, rewards in zip(infos, self.table.rewards[lanes].copy(), strict=True):
                info["rewards"] = rewards
        return np.array(infos)
