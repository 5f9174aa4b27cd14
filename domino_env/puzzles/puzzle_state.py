"""The state of a one-player game: one record of plain numbers for each lane, as `engine.state` has
for games at a table. A tile lies as the deal has laid it, with one half first: left, or on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from domino_env.engine.state import Log as Log

TILES = 28  # double six
HALVES = 7
COLUMNS = 7
NUMBERS = 13  # 0 to 12, then 0 again
TURNED = 128  # in a deal: the tile lies with its second half first

COUNTING, PAIRS, TURNING_UP = range(3)

# Events of the log, numbered apart from those of games at a table.
REMOVED, KNOCKED, MOVED, TURNED_UP, WON, STOPPED, STUCK, CUT_OFF = range(22, 30)

PUZZLE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),  # this game's own generator (G16)
                ("to_move", np.int16),  # 0; -1: the game is over
                ("over", np.int16),
                ("won", np.int16),  # everything is removed, or face up
                ("cut_off", np.int16),  # the episode that ended last had reached its last move
                ("moves", np.int16),  # made so far
                ("gained", np.int32),  # since the last reward
                ("scores", np.int32, 1),
                ("log_size", np.int32),  # words in the log: the deal, then the events
                ("first", np.uint8, TILES),  # the half that lies first: left, or on top
                ("second", np.uint8, TILES),
                # A row, from the left.
                ("row", np.uint8, TILES),
                ("length", np.int16),  # tiles in the row when the pass began
                ("kept", np.int16),  # tiles that the count has passed by and left there
                ("finger", np.int16),  # place of the tile that is touched next
                ("number", np.int16),  # that will be said there
                ("idle", np.int16),  # passes in a row that have removed nothing
                # Columns, from the innermost tile to the lowest.
                ("column", np.uint8, (COLUMNS, TILES)),
                ("height", np.int16, COLUMNS),
                ("face_up", np.int16, COLUMNS),  # so many of its lowest tiles
                ("column_of", np.uint8, TILES),
                ("depth_of", np.uint8, TILES),  # place in its column, 0 the innermost
            ],
            align=True,
        ),
    )
)

PUZZLE_TABLE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("play", np.int64),  # COUNTING, PAIRS or TURNING_UP
                ("tiles", np.int64),
                ("actions", np.int64),
                ("features", np.int64),
                ("most_moves", np.int64),  # 0: no limit
                ("pays_win", np.int64),  # +1 or -1 at the end instead of points
                ("half", np.uint8, (2, TILES)),
                ("share", np.float32, TILES + 1),  # what so many tiles are of the whole set
            ],
            align=True,
        ),
    )
)

if TYPE_CHECKING:
    from domino_env.engine.state import Records
    from domino_env.puzzles.puzzle_types import Puzzle as Puzzle
    from domino_env.puzzles.puzzle_types import PuzzleTable

    RuleTable: TypeAlias = PuzzleTable
    Puzzles: TypeAlias = Records[Puzzle]
    RuleTables: TypeAlias = Records[RuleTable]  # one: the rule table of a batch
else:
    Puzzle = RuleTable = Puzzles = RuleTables = np.record
