"""The action space of an agent: Gymnasium's `Discrete`, with quick random legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

_MASK = np.dtype(np.int8)
_ONE = 1  # as a byte


class ActionSpace(spaces.Discrete):
    """Gymnasium's `Discrete`, of whole numbers below `n`, whose `sample` with a mask takes a tenth
    of the time. It takes the same arguments, and each legal action is as likely; its draws are
    others than a `Discrete` of the same seed would make."""

    def __init__(self, n: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(n, seed)
        self._shape_of_mask = (int(n),)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A random action: any, or one of those that are 1 in the int8 mask, or drawn by their
        probabilities."""
        usual = mask.__class__ is np.ndarray and mask.dtype is _MASK and probability is None
        if usual and mask.shape == self._shape_of_mask:
            legal = mask.nonzero()[0]
            number = len(legal)
            if number and mask.tobytes().count(_ONE) == number:
                return legal[int(self.np_random.random() * number)]
        return super().sample(mask, probability)  # which also says what is wrong with a mask
