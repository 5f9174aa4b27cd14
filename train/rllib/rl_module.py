"""The network of a policy in training, as a module of RLlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule

from domino_env.agents.policy import Layer
from domino_env.train.losses import UNLIKELY
from domino_env.train.self_play import SelfPlay

ROWS, MASK = "observations", "action_mask"  # as in RLlib's own masked module, and in `RLlibEnv`


class Network(TorchRLModule, ValueFunctionAPI):
    """Layers that score the actions, and one of its own for what is expected to be earned.

    A row of observations may go on with what is to be added to the scores: only `features` of its
    numbers are what a seat sees. `model_config` has that, the `widths` of the layers and a `seed`.
    """

    def setup(self) -> None:
        """Makes the layers, always the same from the same seed."""
        settings: Any = self.model_config
        widths, self.features = [*settings["widths"]], settings["features"]
        chance = torch.Generator().manual_seed(settings["seed"])
        self.scores = _layers([self.features, *widths, self.action_space.n], 0.01, chance)
        self.value = _layers([self.features, widths[0], 1], 1.0, chance)

    def _forward(self, batch: Mapping[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        seen = batch[Columns.OBS]
        scores = self.score(seen[ROWS]).masked_fill(seen[MASK] == 0, UNLIKELY)
        return {Columns.ACTION_DIST_INPUTS: scores}

    def score(self, rows: torch.Tensor) -> torch.Tensor:
        """Scores of the actions, legal or not."""
        scores: torch.Tensor = self.scores(rows[:, : self.features])
        leant = rows[:, self.features :]
        return scores + leant if leant.shape[1] else scores

    def expect(self, rows: torch.Tensor) -> torch.Tensor:
        """What it expects to earn."""
        values: torch.Tensor = self.value(rows[:, : self.features])
        return values[:, 0]

    def compute_values(
        self, batch: Mapping[str, Any], embeddings: Any | None = None
    ) -> torch.Tensor:
        """What it expects to earn, as RLlib asks for it."""
        return self.expect(batch[Columns.OBS][ROWS])


def network_at(table: SelfPlay, widths: Sequence[int], seed: int) -> RLModuleSpec:
    """A network for those who play at a table."""
    batch = table.batch
    width = batch.num_features + (0 if table.leans is None else batch.num_actions)
    return RLModuleSpec(
        module_class=Network,
        observation_space=spaces.Dict(
            {
                ROWS: spaces.Box(-np.inf, np.inf, (width,), np.float32),
                MASK: spaces.Box(0, 1, (batch.num_actions,), np.int8),
            }
        ),
        action_space=spaces.Discrete(batch.num_actions),
        model_config={"widths": [*widths], "features": batch.num_features, "seed": seed},
    )


def layers_of(state: Mapping[str, Any]) -> list[Layer]:
    """The layers that score the actions, from the state of a network."""
    names = [name for name in state if name.startswith("scores.") and name.endswith(".weight")]
    return [
        (
            np.array(state[name], np.float32).T.copy(),
            np.array(state[name.replace("weight", "bias")], np.float32),
        )
        for name in sorted(names, key=lambda name: int(name.split(".")[1]))
    ]


def _layers(widths: Sequence[int], last: float, chance: torch.Generator) -> torch.nn.Sequential:
    """Layers that begin as those of stable-baselines3 do: orthogonal, the last of them small."""
    parts: list[torch.nn.Module] = []
    for number, (before, after) in enumerate(pairwise(widths)):
        layer = torch.nn.Linear(before, after)
        gain = last if number == len(widths) - 2 else sqrt(2)
        torch.nn.init.orthogonal_(layer.weight, gain, chance)
        torch.nn.init.zeros_(layer.bias)
        parts += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*parts[:-1])
