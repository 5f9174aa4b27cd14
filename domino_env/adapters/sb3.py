"""Stable-Baselines3: a `VecEnv` of one batch, each game with one learner, with masks.

    from sb3_contrib import MaskablePPO
    from domino_env.adapters.sb3 import SB3VecEnv

    env = SB3VecEnv("block_draw", 256, opponents="greedy_pip")
    model = MaskablePPO("MlpPolicy", env, ent_coef=0.05).learn(1_000_000)

No wrappers are needed: masks, episode statistics and terminal observations are built in. A game
that has ended is reset in the same step, as Stable-Baselines3 expects. Algorithms without masking,
like `PPO` and `DQN`, run too: an illegal action ends the game with -1 (see `adapters.common`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from domino_env.adapters.common import observation_box
from domino_env.adapters.learner_seat import new_table
from domino_env.errors import BadOption, is_whole
from domino_env.games import Game


class SB3VecEnv(VecEnv):
    """Many games, each with one learner.

    Args:
        game: the id of a variant, or its rules.
        num_envs: number of games.
        opponents, seat: see `adapters.learner_seat`.
        seed: game i has seed + i.
        illegal: what an illegal action does: "terminate" its game with -1, or "raise" an
            `IllegalMove`.
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
        illegal: str = "terminate",
        **options: Any,
    ) -> None:
        self.table = new_table(
            game, num_envs, opponents, seat, seed=seed, illegal=illegal, **options
        )
        self.batch = self.table.batch
        self.render_mode = None
        self._actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs, np.float64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._may_be_cut_off = not self.batch.rules.has_opponents
        self._began = time.time()
        self._next_seed: int | None = None
        actions = spaces.Discrete(self.batch.num_actions)
        super().__init__(num_envs, observation_box(self.batch), actions)

    def reset(self) -> npt.NDArray[Any]:
        """Starts a new game in every lane."""
        self.table.reset(self._next_seed)
        self._next_seed = None
        self._returns[:], self._lengths[:] = 0, 0
        return self.table.seen()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Stores the actions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[Any], list[Any]]:
        """Takes the stored actions, and resets the games that have ended."""
        self.table.step(self._actions, self.table.every)
        rewards, dones = self.table.earned.astype(np.float32), self.table.over
        self._returns += self.table.earned
        self._lengths += 1
        infos = self._new_infos()
        over = np.flatnonzero(dones)
        if len(over):
            self._tell_ended(over, infos)
            self._returns[over], self._lengths[over] = 0, 0
            self.table.restart(over)
        return self.table.seen(), rewards, dones, infos

    def _new_infos(self) -> list[dict[str, Any]]:
        """An empty one for each game. To make a thousand takes as long as half of a step, so those
        that nobody has written into are given again."""
        if any(self._infos):
            self._infos = [{} if info else info for info in self._infos]
        return self._infos.copy()

    def _tell_ended(self, over: npt.NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        """Puts in the infos of the games that have ended."""
        since = time.time() - self._began
        told = zip(
            over.tolist(),
            self.table.seen_in(over),
            self._some(over, self.batch.truncated if self._may_be_cut_off else None),
            self._returns[over].tolist(),
            self._lengths[over].tolist(),
            self._some(over, self.table.stopped if self.table.any_stopped else None),
            strict=False,  # what is the same for all comes without an end
        )
        for lane, observation, cut_off, total, length, illegal in told:
            infos[lane] = {
                "terminal_observation": observation,
                "TimeLimit.truncated": cut_off,
                "episode": {"r": total, "l": length, "t": since},
                "illegal_action": illegal,
            }

    @staticmethod
    def _some(over: npt.NDArray[np.int64], marks: npt.NDArray[Any] | None) -> Iterable[bool]:
        return repeat(False) if marks is None else marks[over].tolist()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every game."""
        return self.batch.mask.astype(np.bool_)

    def close(self) -> None:
        """Nothing to close."""

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds the next reset: game i gets seed + i."""
        if seed is not None and not is_whole(seed):
            raise BadOption(f"seed is a whole number, not {seed!r}")
        self._next_seed = seed
        return [None if seed is None else seed + lane for lane in range(self.num_envs)]

    def has_attr(self, attr_name: str) -> bool:
        """Do the games have an attribute of this name?"""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the games, repeated for each game that is asked for."""
        return [getattr(self, attr_name)] * len([*self._get_indices(indices)])

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: the games of a batch share all their attributes."""
        raise BadOption(f"{attr_name} cannot be set: all games of a batch share it")

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """`action_masks` of the games that are asked for; there is no other."""
        if method_name != "action_masks":
            raise BadOption(f"games have the method action_masks, not {method_name!r}")
        masks = self.action_masks()
        return [masks[lane] for lane in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is wrapped. But the episode statistics of a `Monitor` are built in, so the answer
        for it is True (`evaluate_policy` asks, and warns otherwise)."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]
