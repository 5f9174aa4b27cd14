"""The learner of a local run: sb3-contrib's MaskablePPO, trained on rollouts of batched self-play.

The network, the PPO loss and the optimizer are MaskablePPO's. The environment loop is not: rollouts
come from `SelfPlay`, where every seat's decisions are collected and no game waits for another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger, configure
from torch.distributions import Distribution

from domino_env.adapters.sb3 import SB3VecEnv
from domino_env.agents.networks.policy import Layer
from domino_env.games import Game
from domino_env.train.backend import UpdateSettings
from domino_env.train.losses import (
    MASKED_LOGIT,
    Objective,
    entropy,
    expected_gain,
    imitation_log_prob,
)
from domino_env.train.rng_state import restore_rng, rng_state
from domino_env.train.self_play import Numbers, Rollout


class LocalLearner:
    """A policy and value network with its optimizer.

    Args:
        game, num_players: as for `Batch`.
        hidden_sizes: of the policy network; the value network has one hidden layer, of the first
            of these sizes.
        clip_range, vf_coef, max_grad_norm: as in Stable-Baselines3.
        with_prior: does each observation row end with prior logits, which are added to the
            network's own?
    """

    def __init__(
        self,
        game: Game,
        num_players: int | None,
        hidden_sizes: Sequence[int],
        *,
        clip_range: float,
        vf_coef: float,
        max_grad_norm: float,
        seed: int,
        with_prior: bool = False,
    ) -> None:
        Distribution.set_default_validate_args(False)  # a fifth of the time, for nothing found
        options: dict[str, Any] = {} if num_players is None else {"num_players": num_players}
        self._ppo = MaskablePPO(
            _PriorPolicy if with_prior else MaskableActorCriticPolicy,
            SB3VecEnv(game, 1, opponents="self", seed=seed, **options),
            n_steps=2,
            clip_range=clip_range,
            vf_coef=vf_coef,
            max_grad_norm=max_grad_norm,
            policy_kwargs={
                "net_arch": {"pi": list(hidden_sizes), "vf": [hidden_sizes[0]]},
                "activation_fn": torch.nn.ReLU,
            },
            seed=seed,
            device="cpu",
        )
        self._ppo.set_logger(configure(None, []))
        self._rng = np.random.default_rng(seed)
        self._vf_coef, self._max_grad_norm = vf_coef, max_grad_norm

    @property
    def logger(self) -> Logger:
        """Where MaskablePPO logs its losses."""
        return self._ppo.logger

    def log_to(self, folder: str) -> None:
        """Writes TensorBoard logs into a folder."""
        self._ppo.set_logger(configure(folder, ["tensorboard"]))

    def policy_value(self, observations: Numbers) -> tuple[Numbers, Numbers]:
        """Logits of all actions, and the value of each observation."""
        policy: Any = self._ppo.policy
        with torch.no_grad():
            latent, latent_value = policy.mlp_extractor(torch.as_tensor(observations))
            values = policy.value_net(latent_value).numpy()[:, 0]
            return policy.action_net(latent).numpy(), values

    def layers(self) -> list[Layer]:
        """Weights and biases of the policy network."""
        policy: Any = self._ppo.policy
        modules = [*policy.mlp_extractor.policy_net, *policy.action_net.modules()]
        return [
            (module.weight.detach().numpy().T.copy(), module.bias.detach().numpy().copy())
            for module in modules
            if isinstance(module, torch.nn.Linear)
        ]

    # Learning -----------------------------------------------------------------------------------

    def imitate(self, rollout: Rollout, update: UpdateSettings) -> float:
        """Behaviour cloning; returns the mean log-probability of the teacher's actions."""
        return self._supervise(rollout, update, imitation_log_prob)

    def distill(self, rollout: Rollout, update: UpdateSettings) -> float:
        """Maximises the gain that the teacher assigns to the policy's moves; returns its mean."""
        return self._supervise(rollout, update, expected_gain)

    def _supervise(self, rollout: Rollout, update: UpdateSettings, objective: Objective) -> float:
        """Trains on a teacher's targets, and the value network on returns."""
        policy: Any = self._ppo.policy
        policy.set_training_mode(True)
        self._set_learning_rate(update.learning_rate)
        objectives = []
        for _ in range(update.n_epochs):
            for observations, masks, targets, returns in _minibatches(
                (rollout.observations, rollout.masks, rollout.targets, rollout.returns),
                update.batch_size,
                self._rng,
            ):
                latent, latent_value = policy.mlp_extractor(observations)
                logits = policy.action_net(latent).masked_fill(~masks, MASKED_LOGIT)
                log_probs = torch.log_softmax(logits, 1)
                gained = objective(log_probs, targets)
                values = policy.value_net(latent_value)[:, 0]
                value_loss = torch.nn.functional.mse_loss(values, returns)
                bonus = update.ent_coef * entropy(log_probs)
                self._optimize(self._vf_coef * value_loss - gained - bonus)
                objectives.append(gained.item())
        policy.set_training_mode(False)
        return float(np.mean(objectives))

    def _optimize(self, loss: torch.Tensor) -> None:
        """One gradient step."""
        policy = self._ppo.policy
        policy.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(policy.parameters(), self._max_grad_norm)
        policy.optimizer.step()

    def ppo_update(self, rollout: Rollout, update: UpdateSettings) -> None:
        """MaskablePPO's own update on a rollout."""
        ppo: Any = self._ppo
        self._set_learning_rate(update.learning_rate)
        ppo.ent_coef, ppo.batch_size = update.ent_coef, update.batch_size
        ppo.n_epochs = update.n_epochs
        ppo.rollout_buffer = _MaskableBuffer(rollout, self._rng)
        ppo.train()
        ppo.policy.set_training_mode(False)

    def _set_learning_rate(self, learning_rate: float) -> None:
        self._ppo.lr_schedule = lambda _: learning_rate
        for group in self._ppo.policy.optimizer.param_groups:
            group["lr"] = learning_rate

    # Checkpoints --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything needed to continue."""
        return {
            "policy": self._ppo.policy.state_dict(),
            "optimizer": self._ppo.policy.optimizer.state_dict(),
            "updates": self._ppo._n_updates,
            "rng": rng_state(self._rng),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state."""
        self._ppo.policy.load_state_dict(state["policy"])
        self._ppo.policy.optimizer.load_state_dict(state["optimizer"])
        self._ppo._n_updates = state["updates"]
        restore_rng(self._rng, state["rng"])


# Prior logits ------------------------------------------------------------------------------------


class _PriorPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's network; the prior logits at the end of each observation row are added to its
    own logits."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        body: Any = self.mlp_extractor
        self.mlp_extractor: Any = _Body(body, self.features_dim)
        self.action_net: Any = _Head(self.action_net, body.latent_dim_pi)


class _Body(torch.nn.Module):
    """The hidden layers, which pass the prior logits through unchanged."""

    def __init__(self, body: Any, features: int) -> None:
        super().__init__()
        self.body, self.features = body, features
        self.policy_net = body.policy_net

    def forward(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        latent, latent_value = self.body(rows[:, : self.features])
        return torch.cat([latent, rows[:, self.features :]], 1), latent_value


class _Head(torch.nn.Module):
    """The output layer; adds the prior logits."""

    def __init__(self, head: Any, width: int) -> None:
        super().__init__()
        self.head, self.width = head, width

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.head(latent[:, : self.width])
        return logits + latent[:, self.width :]


# Minibatches -------------------------------------------------------------------------------------


def _minibatches(
    arrays: Sequence[Any], size: int, rng: np.random.Generator
) -> Iterator[list[torch.Tensor]]:
    """Shuffled minibatches of equal size; a remainder that is smaller is dropped."""
    tensors = [torch.as_tensor(array) for array in arrays]
    order = rng.permutation(len(tensors[0]))
    for first in range(0, max(1, len(order) - size + 1), size):
        rows = torch.as_tensor(order[first : first + size])
        yield [tensor[rows] for tensor in tensors]


class _MaskableBuffer:
    """A rollout with the interface of MaskablePPO's rollout buffer."""

    def __init__(self, rollout: Rollout, rng: np.random.Generator) -> None:
        self._rollout, self._rng = rollout, rng
        self.values, self.returns = rollout.values, rollout.returns

    def get(self, batch_size: int) -> Iterator[MaskableRolloutBufferSamples]:
        """Minibatches for one epoch."""
        rollout = self._rollout
        columns = (
            rollout.observations,
            rollout.actions,
            rollout.values,
            rollout.log_probs,
            rollout.advantages,
            rollout.returns,
            rollout.masks,
        )
        for minibatch in _minibatches(columns, batch_size, self._rng):
            yield MaskableRolloutBufferSamples(*minibatch)
