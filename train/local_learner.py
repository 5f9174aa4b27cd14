"""A policy in training: sb3-contrib's MaskablePPO, fed with whole rounds of self-play.

MaskablePPO has its network, its loss and its optimizer here, but it plays nothing itself: rounds
come from `SelfPlay`, where a decision is that of any seat, and no lane waits for another.
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
from domino_env.agents.policy import Layer
from domino_env.games import Game
from domino_env.train.backend import Step
from domino_env.train.losses import UNLIKELY, Worth, as_taught, gained, variety
from domino_env.train.rng_state import restore_chance, state_of
from domino_env.train.self_play import Numbers, Rounds


class Learner:
    """A network that is taught, and then learns from what its decisions came to.

    Args:
        game, num_players: as of `Batch`.
        widths: of the layers between what a seat sees and the scores of the actions; what it
            expects to earn comes from one layer of its own.
        clip, value_weight, steepest: PPO's clip range, the weight of the value loss, and the most
            that a gradient may be long.
        leans: do rows of observations go on with what is to be added to the scores of the actions?
    """

    def __init__(
        self,
        game: Game,
        num_players: int | None,
        widths: Sequence[int],
        *,
        clip: float,
        value_weight: float,
        steepest: float,
        seed: int,
        leans: bool = False,
    ) -> None:
        Distribution.set_default_validate_args(False)  # a fifth of the time, for nothing found
        options: dict[str, Any] = {} if num_players is None else {"num_players": num_players}
        self._ppo = MaskablePPO(
            _LeaningPolicy if leans else MaskableActorCriticPolicy,
            SB3VecEnv(game, 1, opponents="self", seed=seed, **options),
            n_steps=2,
            clip_range=clip,
            vf_coef=value_weight,
            max_grad_norm=steepest,
            policy_kwargs={
                "net_arch": {"pi": list(widths), "vf": [widths[0]]},
                "activation_fn": torch.nn.ReLU,
            },
            seed=seed,
            device="cpu",
        )
        self._ppo.set_logger(configure(None, []))
        self._chance = np.random.default_rng(seed)
        self._value_weight, self._steepest = value_weight, steepest

    @property
    def logger(self) -> Logger:
        """Where MaskablePPO tells its losses."""
        return self._ppo.logger

    def write_to(self, folder: str) -> None:
        """Writes what is logged for TensorBoard."""
        self._ppo.set_logger(configure(folder, ["tensorboard"]))

    def judge(self, observations: Numbers) -> tuple[Numbers, Numbers]:
        """Scores of the actions, and what it expects to earn."""
        policy: Any = self._ppo.policy
        with torch.no_grad():
            ours, value = policy.mlp_extractor(torch.as_tensor(observations))
            return policy.action_net(ours).numpy(), policy.value_net(value).numpy()[:, 0]

    def layers(self) -> list[Layer]:
        """What it plays by: the weights and biases of its layers."""
        policy: Any = self._ppo.policy
        parts = [*policy.mlp_extractor.policy_net, *policy.action_net.modules()]
        return [
            (part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy())
            for part in parts
            if isinstance(part, torch.nn.Linear)
        ]

    # Learning -----------------------------------------------------------------------------------

    def imitate(self, rounds: Rounds, step: Step) -> float:
        """Learns to do what the teacher would have done; answers with how likely it does."""
        return self._follow(rounds, step, as_taught)

    def foresee(self, rounds: Rounds, step: Step) -> float:
        """Learns to do what gains the most; answers with what its moves gain over any."""
        return self._follow(rounds, step, gained)

    def _follow(self, rounds: Rounds, step: Step, worth_of: Worth) -> float:
        """Goes through rounds with lessons."""
        policy: Any = self._ppo.policy
        policy.set_training_mode(True)
        self._set_rate(step.rate)
        worths = []
        for _ in range(step.epochs):
            for seen, masks, lessons, returns in _minibatches(
                (rounds.observations, rounds.masks, rounds.lessons, rounds.returns),
                step.minibatch,
                self._chance,
            ):
                ours, value = policy.mlp_extractor(seen)
                scores = policy.action_net(ours).masked_fill(~masks, UNLIKELY)
                logs = torch.log_softmax(scores, 1)
                worth = worth_of(logs, lessons)
                missed = torch.nn.functional.mse_loss(policy.value_net(value)[:, 0], returns)
                self._descend(self._value_weight * missed - worth - step.entropy * variety(logs))
                worths.append(worth.item())
        policy.set_training_mode(False)
        return float(np.mean(worths))

    def _descend(self, loss: torch.Tensor) -> None:
        policy = self._ppo.policy
        policy.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(policy.parameters(), self._steepest)
        policy.optimizer.step()

    def reinforce(self, rounds: Rounds, step: Step) -> None:
        """Learns from how its own decisions turned out: an update of MaskablePPO."""
        ppo: Any = self._ppo
        self._set_rate(step.rate)
        ppo.ent_coef, ppo.batch_size, ppo.n_epochs = step.entropy, step.minibatch, step.epochs
        ppo.rollout_buffer = _Buffer(rounds, self._chance)
        ppo.train()
        ppo.policy.set_training_mode(False)

    def _set_rate(self, rate: float) -> None:
        self._ppo.lr_schedule = lambda left: rate
        for group in self._ppo.policy.optimizer.param_groups:
            group["lr"] = rate

    # Keeping ------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that it needs to go on."""
        return {
            "policy": self._ppo.policy.state_dict(),
            "optimizer": self._ppo.policy.optimizer.state_dict(),
            "updates": self._ppo._n_updates,
            "chance": state_of(self._chance),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state."""
        self._ppo.policy.load_state_dict(state["policy"])
        self._ppo.policy.optimizer.load_state_dict(state["optimizer"])
        self._ppo._n_updates = state["updates"]
        restore_chance(self._chance, state["chance"])


# What is leaned on -------------------------------------------------------------------------------


class _LeaningPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's network, whose scores begin with what a row of observations ends with."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        body: Any = self.mlp_extractor
        self.mlp_extractor: Any = _Body(body, self.features_dim)
        self.action_net: Any = _Head(self.action_net, body.latent_dim_pi)


class _Body(torch.nn.Module):
    """The layers below the scores; what is to be added to these is handed on beside."""

    def __init__(self, body: Any, features: int) -> None:
        super().__init__()
        self.body, self.features = body, features
        self.policy_net = body.policy_net

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        ours, value = self.body(seen[:, : self.features])
        return torch.cat([ours, seen[:, self.features :]], 1), value


class _Head(torch.nn.Module):
    """The layer that scores the actions; what has been handed on is added."""

    def __init__(self, head: Any, width: int) -> None:
        super().__init__()
        self.head, self.width = head, width

    def forward(self, ours: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self.head(ours[:, : self.width])
        return scores + ours[:, self.width :]


def _minibatches(
    arrays: Sequence[Any], size: int, chance: np.random.Generator
) -> Iterator[list[torch.Tensor]]:
    """The decisions of some rounds, shuffled; a rest that is too small is left out."""
    tensors = [torch.as_tensor(array) for array in arrays]
    order = chance.permutation(len(tensors[0]))
    for first in range(0, max(1, len(order) - size + 1), size):
        some = torch.as_tensor(order[first : first + size])
        yield [tensor[some] for tensor in tensors]


class _Buffer:
    """Rounds as MaskablePPO wants them."""

    def __init__(self, rounds: Rounds, chance: np.random.Generator) -> None:
        self._rounds, self._chance = rounds, chance
        self.values, self.returns = rounds.values, rounds.returns

    def get(self, minibatch: int) -> Iterator[MaskableRolloutBufferSamples]:
        """Minibatches for one epoch."""
        rounds = self._rounds
        parts = (
            rounds.observations,
            rounds.actions,
            rounds.values,
            rounds.log_chances,
            rounds.advantages,
            rounds.returns,
            rounds.masks,
        )
        for some in _minibatches(parts, minibatch, self._chance):
            yield MaskableRolloutBufferSamples(*some)
