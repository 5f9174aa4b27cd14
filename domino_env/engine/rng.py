"""Each game's own generator (G16): splitmix64, one word of state, the same on every machine."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.state import Generators, Index, Seeded

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = map(np.uint64, (11, 27, 30, 31, 32))


@small
def scramble(word: np.uint64) -> np.uint64:
    """A bijection of 64-bit words that leaves no pattern of its input."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@small
def pick(game: Seeded, choices: int) -> int:
    """A number from 0 to `choices` - 1, each as likely (to within 2**-32)."""
    game.rng = following(game.rng)
    return number_below(game.rng, choices)


@small
def following(state: np.uint64) -> np.uint64:
    """The state of a generator after one more number."""
    return state + _STEP


@small
def number_below(state: np.uint64, choices: int) -> int:
    """The number, from 0 to `choices` - 1, that a state stands for: `pick` where a kernel draws
    many in a row, and keeps the state to itself meanwhile."""
    return int((scramble(state) >> _S32) * np.uint64(choices) >> _S32)


@small
def pick_from(states: Generators, lane: Index, choices: int) -> int:
    """The same from a column of generators: `sample` has its own, apart from the games'."""
    states[lane] = following(states[lane])
    return number_below(states[lane], choices)


@small
def portion_from(states: Generators, lane: Index) -> float:
    """A number from 0 up to 1, each as likely, from a column of generators."""
    states[lane] += _STEP
    return float(scramble(states[lane]) >> _S11) * 2.0**-53


@kernel
def seeded(seed: np.uint64) -> np.uint64:
    """The first state of the generator with that seed; near seeds give states that are not."""
    return scramble(seed + _STEP)
