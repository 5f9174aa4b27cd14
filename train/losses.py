"""Objectives and regularisers that both learners share."""

from __future__ import annotations

from collections.abc import Callable

import torch

MASKED_LOGIT = -1e8  # of an action that is not legal
Objective = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""To be maximised: of the policy's log-probabilities and the teacher's targets."""


def imitation_log_prob(log_probs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Mean log-probability of the teacher's actions (behaviour cloning)."""
    return log_probs.gather(1, targets[:, None]).mean()


def expected_gain(log_probs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Mean gain of the policy's moves, where the targets are the gain of each action."""
    return (log_probs.exp() * targets).sum(1).mean()


def entropy(log_probs: torch.Tensor) -> torch.Tensor:
    """Mean entropy of the policy."""
    return -(log_probs.exp() * log_probs).sum(1).mean()
