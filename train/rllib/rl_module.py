"""The policy and value network, as RLlib's RLModule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule

from domino_env.agents.networks.policy import Layer
from domino_env.train.losses import MASKED_LOGIT
from domino_env.train.networks import layers_of_sizes
from domino_env.train.self_play import SelfPlay

ROWS, MASK = "observations", "action_mask"  # as in RLlib's own masked module, and in `RLlibEnv`


class PolicyValueModule(TorchRLModule, ValueFunctionAPI):
    """Two separate networks, for the policy and for the value.

    An observation row may end with prior logits, which are added to the policy's; only its first
    `features` numbers are what the seat sees. `model_config` has `features`, `hidden_sizes` and
    `seed`.
    """

    def setup(self) -> None:
        """Builds the layers; the same seed gives the same weights."""
        settings: Any = self.model_config
        hidden_sizes, self.features = [*settings["hidden_sizes"]], settings["features"]
        rng = torch.Generator().manual_seed(settings["seed"])
        self.policy_net = layers_of_sizes(
            [self.features, *hidden_sizes, self.action_space.n], 0.01, rng
        )
        self.value_net = layers_of_sizes([self.features, hidden_sizes[0], 1], 1.0, rng)

    def _forward(self, batch: Mapping[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        observations = batch[Columns.OBS]
        logits = self.logits(observations[ROWS]).masked_fill(observations[MASK] == 0, MASKED_LOGIT)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def logits(self, rows: torch.Tensor) -> torch.Tensor:
        """Logits of all actions, legal or not."""
        logits: torch.Tensor = self.policy_net(rows[:, : self.features])
        prior = rows[:, self.features :]
        return logits + prior if prior.shape[1] else logits

    def values(self, rows: torch.Tensor) -> torch.Tensor:
        """The value of each row."""
        values: torch.Tensor = self.value_net(rows[:, : self.features])
        return values[:, 0]

    def compute_values(
        self, batch: Mapping[str, Any], embeddings: Any | None = None
    ) -> torch.Tensor:
        """The values, as RLlib asks for them."""
        return self.values(batch[Columns.OBS][ROWS])


def module_spec(env: SelfPlay, hidden_sizes: Sequence[int], seed: int) -> RLModuleSpec:
    """The network for an environment."""
    batch = env.batch
    width = batch.num_features + (0 if env.prior is None else batch.num_actions)
    return RLModuleSpec(
        module_class=PolicyValueModule,
        observation_space=spaces.Dict(
            {
                ROWS: spaces.Box(-np.inf, np.inf, (width,), np.float32),
                MASK: spaces.Box(0, 1, (batch.num_actions,), np.int8),
            }
        ),
        action_space=spaces.Discrete(batch.num_actions),
        model_config={
            "hidden_sizes": [*hidden_sizes],
            "features": batch.num_features,
            "seed": seed,
        },
    )


def layers_of(state: Mapping[str, Any]) -> list[Layer]:
    """Weights and biases of the policy network, from the state of the module."""
    prefix, suffix = "policy_net.", ".weight"
    names = [name for name in state if name.startswith(prefix) and name.endswith(suffix)]
    return [
        (
            np.array(state[name], np.float32).T.copy(),
            np.array(state[name.replace("weight", "bias")], np.float32),
        )
        for name in sorted(names, key=lambda name: int(name.split(".")[1]))
    ]
