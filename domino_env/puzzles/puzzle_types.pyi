"""Made by `python -m tools.stubs` from the dtypes; not to be edited.

Whole numbers are `int`, as Numba widens them all alike. Sets of bits are `np.uint64`: with an `int`
they would make a float in compiled code, and here an error.
"""

import numpy as np
import numpy.typing as npt

class Puzzle:
    rng: np.uint64
    to_move: int
    over: int
    won: int
    cut_off: int
    moves: int
    gained: int
    scores: npt.NDArray[np.int32]  # [1]
    log_size: int
    first: npt.NDArray[np.uint8]  # [28]
    second: npt.NDArray[np.uint8]  # [28]
    row: npt.NDArray[np.uint8]  # [28]
    length: int
    kept: int
    finger: int
    number: int
    idle: int
    column: npt.NDArray[np.uint8]  # [7, 28]
    height: npt.NDArray[np.int16]  # [7]
    face_up: npt.NDArray[np.int16]  # [7]
    column_of: npt.NDArray[np.uint8]  # [28]
    depth_of: npt.NDArray[np.uint8]  # [28]

class PuzzleTable:
    play: int
    tiles: int
    actions: int
    features: int
    most_moves: int
    pays_win: int
    half: npt.NDArray[np.uint8]  # [2, 28]
    share: npt.NDArray[np.float32]  # [29]
