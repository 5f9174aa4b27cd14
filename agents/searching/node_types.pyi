"""Made by `python -m tools.stubs` from the dtypes; not to be edited.

Whole numbers are `int`, as Numba widens them all alike. Sets of bits are `np.uint64`: with an `int`
they would make a float in compiled code, and here an error.
"""

import numpy as np

class Node:
    key: np.uint64
    alpha: float
    beta: float
    first_alpha: float
    first_beta: float
    before: float
    best: float
    best_move: int
    next: int
    maximizes: int

class Noted:
    key: np.uint64
    value: float
    bound: int
    move: int

class Place:
    depth: int
    value: float
