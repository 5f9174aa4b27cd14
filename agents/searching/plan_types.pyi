"""Made by `python -m tools.stubs` from the dtypes; not to be edited.

Whole numbers are `int`, as Numba widens them all alike. Sets of bits are `np.uint64`: with an `int`
they would make a float in compiled code, and here an error.
"""

from domino_env.puzzles.puzzle_types import Puzzle

class Plan:
    game: Puzzle
    opening: int
    steps: int

class Way:
    plan: int
    action: int
    gained: float
    of: int
