"""The state of a NumPy generator, in a form that checkpoints can hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def rng_state(rng: np.random.Generator) -> list[str]:
    """The state as strings: its integers are too large for a tensor."""
    state = rng.bit_generator.state
    inner = state["state"]
    return [str(n) for n in (inner["state"], inner["inc"], state["has_uint32"], state["uinteger"])]


def restore_rng(rng: np.random.Generator, state: Sequence[str]) -> None:
    """Puts a generator back into a saved state."""
    number, increment, has_uint32, uinteger = map(int, state)
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": number, "inc": increment},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }
