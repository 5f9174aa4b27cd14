"""TorchRL: an `EnvBase` of one batch of games, each with one learner, with masks.

    from domino_env.adapters.torchrl import TorchRLEnv

    env = TorchRLEnv("block_draw", 1024, opponents="greedy_pip", seed=0)
    games = env.rollout(100, break_when_any_done=False)

A tensordict has `observation`, `action_mask` (the action spec has the mask too, so `rand_step` and
rollouts without a policy play legal moves), `seat`, the learner's seat, and with `opponents="self"`
also `rewards`, what every seat has earned. Games are reset individually, as `_reset` says. In a
finished game the mask is all true: with no action at all, a distribution would be NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, OneHot, Unbounded
from torchrl.envs import EnvBase

from domino_env.adapters.learner_seat import new_table
from domino_env.errors import NotReset
from domino_env.games import Game


class TorchRLEnv(EnvBase):
    """Many games, each with one learner.

    Args:
        game: the id of a variant, or its rules.
        num_envs: number of games; the batch size is `[num_envs]`.
        opponents, seat: see `adapters.learner_seat`.
        seed: game i has seed + i.
        categorical_actions: are actions integers? Otherwise they are one-hot.
        device: of the tensors; the games themselves are on the CPU.
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
        categorical_actions: bool = True,
        device: Any = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        super().__init__(device=device, batch_size=[num_envs])
        self.table = new_table(
            game, num_envs, opponents, seat, seed=seed, illegal=illegal, **options
        )
        self.batch = self.table.batch
        self.categorical_actions = categorical_actions
        self._begun = False
        self._seed_to_come: int | None = None
        self._make_specs()

    def _make_specs(self) -> None:
        games, actions, seats = self.batch.num_games, self.batch.num_actions, self.batch.num_players
        low, high = (torch.from_numpy(bound).expand(games, -1) for bound in self.batch.bounds())
        seen = {
            "observation": Bounded(low, high, low.shape, dtype=low.dtype),
            "action_mask": Binary(actions, (games, actions), dtype=torch.bool),
            "seat": Categorical(seats, (games,)),
        }
        if self.table.is_self_play:
            seen["rewards"] = Unbounded((games, seats), dtype=torch.float32)
        flag = Categorical(2, (games, 1), dtype=torch.bool)
        ends = {name: flag.clone() for name in ("done", "terminated", "truncated")}
        number, one_hot = Categorical(actions, (games,)), OneHot(actions, (games, actions))
        self.observation_spec = Composite(seen, shape=(games,)).to(self.device)
        self.action_spec = (number if self.categorical_actions else one_hot).to(self.device)
        self.reward_spec = Unbounded((games, 1), dtype=torch.float32).to(self.device)
        self.done_spec = Composite(ends, shape=(games,)).to(self.device)

    def _set_seed(self, seed: int | None) -> None:
        """Game i of the next reset is that of seed + i."""
        self._seed_to_come = seed

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        """Begins every game anew, or those that `_reset` names."""
        asked = None if tensordict is None else tensordict.get("_reset", None)
        if asked is None or asked.all():
            self.table.reset(self._seed_to_come)
            self._seed_to_come = None
            self._begun = True
        elif self._begun:
            self.table.restart(_lanes(asked))
        else:
            raise NotReset("no game can be reset alone before the first reset of all: call reset()")
        return self._tensors(self._seen())

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        """Takes an action in every game, or in those that `_step` names; the others stand still."""
        asked = tensordict.get("_step", None)
        lanes = self.table.every if asked is None else _lanes(asked)
        action = tensordict.get("action")
        numbers = action if self.categorical_actions else action.long().argmax(-1)
        self.table.step(numbers.cpu().numpy()[lanes], lanes)
        over, cut_off = self.table.over, self.batch.truncated
        told = {
            "reward": self.table.earned.astype(np.float32)[:, None],
            "done": over[:, None],
            "terminated": (over & ~cut_off)[:, None],
            "truncated": cut_off[:, None],
        }
        return self._tensors({**self._seen(), **told})

    def _seen(self) -> dict[str, Any]:
        """What the learner sees in every game. Its mask goes to the action spec as well."""
        mask = self.table.choices()
        self.action_spec.update_mask(torch.from_numpy(mask))
        seen = {
            "observation": self.table.seen(),
            "action_mask": mask,
            "seat": self.table.learner.copy(),
        }
        return {**seen, "rewards": self.table.rewards.copy()} if self.table.is_self_play else seen

    def _tensors(self, arrays: dict[str, Any]) -> TensorDictBase:
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        return TensorDict(tensors, batch_size=self.batch_size, device=self.device)


def _lanes(asked: torch.Tensor) -> Any:
    """The games that a column of marks names."""
    return np.flatnonzero(asked.cpu().numpy())
