"""What a learner's moves are worth, by what a teacher has said of its decisions."""

from __future__ import annotations

from collections.abc import Callable

import torch

UNLIKELY = -1e8  # the score of what is not legal
Worth = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Of the logarithms of how likely each action is, and what the teacher has said."""


def as_taught(logs: torch.Tensor, lessons: torch.Tensor) -> torch.Tensor:
    """How likely it does what the teacher would have done, as a logarithm."""
    return logs.gather(1, lessons[:, None]).mean()


def gained(logs: torch.Tensor, lessons: torch.Tensor) -> torch.Tensor:
    """What its moves gain over any, where the teacher has said what each would."""
    return (logs.exp() * lessons).sum(1).mean()


def variety(logs: torch.Tensor) -> torch.Tensor:
    """The entropy of its moves."""
    return -(logs.exp() * logs).sum(1).mean()
