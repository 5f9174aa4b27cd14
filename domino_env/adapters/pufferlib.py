"""A native PufferLib environment: a batch of games, each with one learner and its opponents.

    import pufferlib.vector
    from domino_env.adapters.pufferlib import DominoPufferEnv

    settings = {"game": "block_draw", "num_envs": 1024, "reward_unit": 100}
    envs = pufferlib.vector.make(DominoPufferEnv, env_kwargs=settings, backend=pufferlib.PufferEnv)

PufferLib 3.0 has no action masks, so the mask is part of the observation: its last `num_actions`
numbers are 1 where an action is legal, and the policy has to apply them to its logits. Its trainer
clips rewards to ±1, hence `reward_unit`. A game that has ended is reset in the same step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pufferlib
from gymnasium import spaces

from domino_env.adapters.learner_seat import new_table
from domino_env.games import Game


class DominoPufferEnv(pufferlib.PufferEnv):
    """Many games, each with one learner.

    Args:
        game: the id of a variant, or its rules.
        num_envs: number of games; each is an agent to PufferLib.
        opponents, seat: see `adapters.learner_seat`.
        reward_unit: the number of points that make a reward of 1.
        seed: game i has seed + i.
        buf: PufferLib's buffers for observations and rewards.
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
        reward_unit: float = 1.0,
        seed: int | None = None,
        buf: Any = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        self.table = new_table(
            game, num_envs, opponents, seat, seed=seed, illegal=illegal, **options
        )
        self.batch = self.table.batch
        self.reward_unit = reward_unit
        self._returns = np.zeros(num_envs, np.float64)
        self._lengths = np.zeros(num_envs, np.int64)
        low, high = self.batch.bounds()
        marks = np.ones(self.batch.num_actions, low.dtype)
        self.single_observation_space = spaces.Box(
            np.concatenate([low, 0 * marks]), np.concatenate([high, marks]), dtype=low.dtype.type
        )
        self.single_action_space = spaces.Discrete(self.batch.num_actions)
        self.num_agents = num_envs
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[Any], list[Any]]:
        """Starts a new game in every lane: game i has seed + i."""
        self.table.reset(seed)
        self._returns[:], self._lengths[:] = 0, 0
        self.rewards[:], self.terminals[:], self.truncations[:] = 0, False, False
        self._see()
        return self.observations, []

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[Any]]:
        """Takes an action in every game, and resets those that have ended."""
        self.table.step(np.asarray(actions).reshape(self.num_agents), self.table.every)
        self._returns += self.table.earned
        self._lengths += 1
        self.rewards[:] = self.table.earned / self.reward_unit
        over = self.table.over
        self.terminals[:] = over & ~self.batch.truncated
        self.truncations[:] = self.batch.truncated
        infos = self._begin_anew(np.flatnonzero(over))
        self._see()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """Nothing to close."""

    def _begin_anew(self, over: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
        """Resets the games that have ended; returns infos with their results, in points."""
        if not len(over):
            return []
        told = {
            "episode_return": self._returns[over].tolist(),
            "episode_length": self._lengths[over].tolist(),
        }
        self._returns[over], self._lengths[over] = 0, 0
        self.table.restart(over)
        return [told]

    def _see(self) -> None:
        features = self.batch.num_features
        self.observations[:, :features] = self.table.seen()
        self.observations[:, features:] = self.batch.mask
