"""The columns of a row, as kernels need them: `move_fields` names them."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.compiling import small
from domino_env.engine.move_features.move_fields import (
    ACTION_FLAGS,
    END_FLAGS,
    NUM_ACTION,
    NUM_END,
)

(
    PIPS,
    POINTS,
    OUT,
    FITTING,
    STUCK,
    VARIED,
    DOUBLES,
    HEAVY,
    ALONE,
    NEXT_STUCK,
    MATE_STUCK,
    OTHERS_STUCK,
    NEXT_DRAWS,
    OWN_DRAWS,
    NEXT_TILES,
    FEWEST,
) = (np.uint64(at) for at in range(len(ACTION_FLAGS), NUM_ACTION))
OWN, UNSEEN, PLAYED, COUNTS, TURNS = (np.uint64(at) for at in range(len(END_FLAGS), NUM_END))

F, U = np.float32, np.uint64
# 1 over a number of tiles; of none 0. A division would take longer.
ONE_OVER = np.array([0.0, *(1 / n for n in range(1, 256))], np.float32)


@small
def one_over(number: int) -> Any:
    """1 over a number of tiles; 0 of none."""
    return ONE_OVER[U(number)]


@small
def power(base: float | np.floating[Any], exponent: int) -> Any:
    """A power below the 64th; few are above the seventh. Without a branch to guess wrong: a factor
    is the base or 1, and as a sum of both, one of them times 0, it is exact."""
    found = F(1)
    for bit in range(3):
        taken = F((exponent >> bit) & 1)
        found *= taken * base + (F(1) - taken)
        base *= base
    if exponent > 7:
        for bit in range(3, 6):
            taken = F((exponent >> bit) & 1)
            found *= taken * base + (F(1) - taken)
            base *= base
    return found
