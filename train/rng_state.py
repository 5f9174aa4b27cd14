"""Where a generator of random numbers is, so that a run can go on from there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def state_of(chance: np.random.Generator) -> list[str]:
    """The state of a generator as texts: its numbers are too large for a tensor."""
    state = chance.bit_generator.state
    inner = state["state"]
    return [str(n) for n in (inner["state"], inner["inc"], state["has_uint32"], state["uinteger"])]


def restore_chance(chance: np.random.Generator, state: Sequence[str]) -> None:
    """Puts a generator back to where it was."""
    number, step, has, rest = map(int, state)
    chance.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": number, "inc": step},
        "has_uint32": has,
        "uinteger": rest,
    }
