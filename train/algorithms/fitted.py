"""A network that is fitted to targets: values of actions, regrets, or an average policy."""

from __future__ import annotations

from collections.abc import Callable

import torch

from domino_env.errors import BadOption
from domino_env.train.algorithms.reservoir import Samples
from domino_env.train.algorithms.sampled import logits_of
from domino_env.train.losses import DIVERGED, cross_entropy, log_softmax, weighted_error
from domino_env.train.networks import ActorCritic, as_inputs

Loss = Callable[[torch.Tensor, torch.Tensor, int, torch.Tensor, torch.Tensor], torch.Tensor]
"""Of logits, their owners, the number of decisions, targets and weights."""


class FittedNetwork:
    """A network with its optimizer.

    Args:
        network: its logits are what is fitted.
        max_grad_norm: gradients are clipped to this norm.
    """

    def __init__(self, network: ActorCritic, max_grad_norm: float) -> None:
        self.network, self._max_grad_norm = network, max_grad_norm
        self.logits = logits_of(network)
        named = network.named_parameters()
        self._parameters = [each for name, each in named if not name.startswith("critic")]
        self._optimizer = torch.optim.Adam(self._parameters, eps=1e-5, fused=True)

    def fit(self, some: Samples, loss: Loss, learning_rate: float) -> None:
        """A gradient step towards the targets of some decisions."""
        inputs = as_inputs(some.decisions)
        logits = self.network.policy_logits(inputs)
        targets, weights = torch.as_tensor(some.targets), torch.as_tensor(some.weights)
        lost = loss(logits, inputs.owners, len(some.decisions), targets, weights)
        self._optimizer.param_groups[0]["lr"] = learning_rate
        self._optimizer.zero_grad()
        lost.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self._parameters, self._max_grad_norm)
        if not torch.isfinite(norm):
            raise BadOption(DIVERGED)
        self._optimizer.step()


def as_values(
    logits: torch.Tensor,
    owners: torch.Tensor,
    decisions: int,
    targets: torch.Tensor,
    weights: torch.Tensor,
) -> torch.Tensor:
    """Logits are the numbers themselves: values, or regrets."""
    return weighted_error(logits, targets, weights)


def as_probabilities(
    logits: torch.Tensor,
    owners: torch.Tensor,
    decisions: int,
    targets: torch.Tensor,
    weights: torch.Tensor,
) -> torch.Tensor:
    """Logits are those of a policy, fitted to the average of those that were met."""
    return cross_entropy(log_softmax(logits, owners, decisions), targets, weights)
