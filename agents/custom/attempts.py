"""Agents that may fail in some games and not in others: what came of asking them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Attempt(NamedTuple):
    """The answer of an agent that has `attempt(batch, lanes)` beside `act`: an action for each of
    the lanes, -1 where there is none; and why there is none, by the numbers of the lanes."""

    actions: npt.NDArray[np.int64]
    faults: Mapping[int, str]
