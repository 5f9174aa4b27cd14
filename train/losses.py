"""Losses that all learners share. Log-probabilities and targets are those of all rows of some
decisions, in any shape: a row for each legal action, or a column for each action."""

from __future__ import annotations

from typing import NamedTuple

import torch

DIVERGED = "the training has diverged: start again with a lower learning_rate"
MASKED_LOGIT = -1e8  # of an action that is not legal, where there is a column for it
GAIN_LOGIT = 16.0  # the logit of a gain as large as the usual margin of a round


def log_softmax(logits: torch.Tensor, owners: torch.Tensor, decisions: int) -> torch.Tensor:
    """Log-probabilities of the rows of each decision; `owners` says of which each row is."""
    highest = torch.full((decisions,), -torch.inf)
    highest = highest.scatter_reduce(0, owners, logits.detach(), "amax")
    shifted = logits - highest[owners]
    totals = torch.zeros(decisions).index_add(0, owners, shifted.exp())
    return shifted - totals.log()[owners]


def imitation_log_prob(chosen_log_probs: torch.Tensor) -> torch.Tensor:
    """Mean log-probability of the teacher's actions (behaviour cloning), to be maximised."""
    return chosen_log_probs.mean()


def expected_gain(log_probs: torch.Tensor, gains: torch.Tensor, decisions: int) -> torch.Tensor:
    """Mean gain of the policy's moves, by the teacher's gains; to be maximised."""
    return (log_probs.exp() * gains).sum() / decisions


def gain_error(
    log_probs: torch.Tensor, gains: torch.Tensor, owners: torch.Tensor, decisions: int
) -> torch.Tensor:
    """Squared error of the gains that a policy's logits stand for (`GAIN_LOGIT`), mean over
    decisions; to be minimised. It learns from moves that the policy would not make, too."""
    counts = torch.zeros(decisions).index_add(0, owners, torch.ones_like(log_probs))
    totals = torch.zeros(decisions).index_add(0, owners, log_probs)
    estimated = (log_probs - (totals / counts)[owners]) / GAIN_LOGIT
    return ((estimated - gains) ** 2).sum() / decisions * GAIN_LOGIT


def entropy(log_probs: torch.Tensor, decisions: int) -> torch.Tensor:
    """Mean entropy of the policy."""
    return -(log_probs.exp() * log_probs).sum() / decisions


def divergence(
    log_probs: torch.Tensor, magnet_log_probs: torch.Tensor, decisions: int
) -> torch.Tensor:
    """Mean KL divergence of the policy from another, its magnet (magnetic mirror descent)."""
    return (log_probs.exp() * (log_probs - magnet_log_probs)).sum() / decisions


class PpoLoss(NamedTuple):
    """PPO's loss of the policy, and what is logged of it."""

    loss: torch.Tensor
    approx_kl: float
    clip_fraction: float


def ppo_loss(
    chosen_log_probs: torch.Tensor,
    old_log_probs: torch.Tensor,
    advantages: torch.Tensor,
    clip_range: float,
) -> PpoLoss:
    """The clipped surrogate loss, with advantages normalised over the minibatch."""
    normal = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    log_ratio = chosen_log_probs - old_log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
    loss = -torch.minimum(ratio * normal, clipped * normal).mean()
    with torch.no_grad():
        approx_kl = (ratio - 1 - log_ratio).mean().item()
        clip_fraction = ((ratio - 1).abs() > clip_range).float().mean().item()
    return PpoLoss(loss, approx_kl, clip_fraction)


def surrogate_loss(
    chosen_log_probs: torch.Tensor, old_log_probs: torch.Tensor, advantages: torch.Tensor
) -> torch.Tensor:
    """The policy-gradient surrogate as it is: no clipping, nothing normalised."""
    return -((chosen_log_probs - old_log_probs).exp() * advantages).mean()


def weighted_error(
    numbers: torch.Tensor, targets: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """Mean squared error of rows, each of which counts so much."""
    return (weights * (numbers - targets) ** 2).sum() / weights.sum()


def cross_entropy(
    log_probs: torch.Tensor, targets: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """Mean cross-entropy of the policy with the chances that rows should have; it is least where
    the policy is their weighted average."""
    counted = weights * targets
    return -(counted * log_probs).sum() / counted.sum()
