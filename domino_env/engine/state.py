"""The state of a game: one record of plain numbers for each lane, first axis the game.

`np.zeros(num_games, GAME)` is the whole state of a batch but for its log of events. A kernel takes
one record and reads like the rulebook (`game.hands[seat]`); NumPy reads a column of all lanes
(`games["hands"]`). A record is contiguous, so saving a lane is copying its bytes.

Records come in a few sizes with the same fields, for a double six of two players needs a third of
the memory of the largest game. Kernels serve them all, and are compiled once for each size that is
used; `sizes.record_for` says which a game takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.ruleset import MAX_BRANCHES, MAX_SEATS, MAX_TILES, MAX_VALUES

CURVED_ENDS = 4
CELLS = 64  # places for cells with curved tiles, more than MAX_CURVED_TILES; a power of two
NO_MEETING = 255
WORDS = 3  # 64-bit words that hold a set of so many tiles
SEATS = MAX_SEATS
NOBODY = 15  # who laid a start tile that no one played, in an event
UNPLAYED = -1  # ... and its row among the tiles played: the last
MAX_ENDS = 6 + 2 * MAX_BRANCHES  # six arms, and two more for each double
ANYTHING = MAX_VALUES  # what the empty table asks for, beside all that a half can show
VALUES = MAX_VALUES + 1

# Kinds of end: they decide what is alike (G19), what an end counts, and what covering it opens.
HALF = 0  # the open half of a tile that is no double
DOUBLE = 1  # the far side of a double that has a neighbour
LONE = 2  # one of the two sides of an opening double without a neighbour
SIDE = 3  # an untouched side of a double that offers several alike
GONE = 4  # it has met another end, and both are closed (B5)

# Stages: what the seat to move decides. All but PLAY are questions with two answers.
PLAY = 0
CLAIM = 1  # the points of a play: CALL or SILENT, by the mover and then by the others (G12)
LAST_TILE = 2  # "Domino!", likewise
DIRECTION = 3  # CLOCKWISE or COUNTER, by the owner of the opening tile (FN3)
TURNING = 4  # REVERSE or KEEP, after a double (FN9)
STAKES = 5  # RAISE or HOLD, after the double 2 (FN10)
RAISED = 6  # ACCEPT or REFUSE, by each opponent (FN10)
LEADING = 8  # LEAD or YIELD, by the winner of the round before (JP1); 7 is none, see history
STAGES = 9

# Events of the log, public but for the tile of a DREW or TOOK.
PLAYED, DREW, PASSED, FLIPPED, PUT_BACK, STOPPED, LAID_OUT, TOOK = range(1, 9)
ANSWERED = 9  # and the numbers that follow, two for each question: see ANSWERS
BY_FORCE, BY_CHOICE, GIVEN = range(3)  # why a tile was drawn, in the place of an end
# Both answers of each stage, as events; the first is the yes.
ANSWERS = (
    ("", ""),
    ("call", "silent"),
    ("call", "silent"),
    ("clockwise", "counter"),
    ("reverse", "keep"),
    ("raise", "hold"),
    ("accept", "refuse"),
    ("", ""),  # their events would have the number that a deal has in a history
    ("lead", "yield"),
)


class Size(NamedTuple):
    """How much a record has room for."""

    tiles: int
    seats: int
    ends: int
    curved: bool


def _game_of(size: Size) -> np.dtype[Any]:
    """The record of games of this size; where no tiles are curved, their fields have no length."""
    words, seats = (size.tiles + 63) // 64, size.seats
    curved_ends, cells = (CURVED_ENDS, CELLS) if size.curved else (0, 0)
    fields: list[Any] = [
        ("rng", np.uint64),  # this game's own generator (G16)
        # Whose turn it is, and how far it has come.
        ("to_move", np.int16),  # seat with the decision; -1: the game is over
        ("turn", np.int16),  # seat whose turn it is: differs from to_move in a CLAIM
        ("stage", np.int8),
        ("may_stop", np.int8),  # END_TURN is allowed
        ("may_pass", np.int8),  # PASS is allowed: a forced draw can be played
        ("flipped", np.int16),  # the tile turned up in a game of rows; -1: none
        ("claim", np.int16),  # points that wait to be called
        ("effect", np.int8),  # what the tile played last will do (FN4)
        ("direction", np.int8),  # places from a seat to the next in turn: see seats
        ("stakes", np.int8),  # the round's scores count so many times (FN10)
        ("last_tile", np.int16),  # the tile played last
        ("laid_by", np.int8),  # who played it; -1: nobody has played one
        ("passes", np.int8),  # in a row, since
        ("fitted", np.int8),  # how a tile fitted with which its player went out: see bonuses
        # The table.
        ("opener", np.int16),  # tile that opened the round; -1: the table is empty
        ("num_ends", np.int16),
        ("due", np.int16),  # the double that must have tiles before anything else; -1: none
        ("spinner", np.int16),  # the first double that was laid; -1: none yet
        ("due_left", np.uint8),  # ... and how many it still must have
        ("markers", np.uint8),  # seats on whose trains all may play, as bits (MT4)
        ("had_turn", np.uint8),  # seats that have had a turn in this round, as bits
        ("round_over", np.int8),
        ("over", np.int8),
        ("free_lead", np.int8),  # the lead follows from the round before: see openings
        ("winners", np.uint64),  # of the round, then of the episode, as bits
        ("offered", np.uint64),  # ends that may be played on, as bits
        ("wanted", np.uint64, (words,)),  # tiles that fit an offered end
        ("end_value", np.uint8, (size.ends,)),  # what it asks for
        ("end_kind", np.uint8, (size.ends,)),
        ("end_tile", np.uint8, (size.ends,)),  # the tile it is on
        ("spun", np.uint64, (words,)),  # doubles whose crosswise sides have opened
        # The tiles.
        ("hands", np.uint64, (seats, words)),
        ("played", np.uint64, (seats + 1, words)),  # by whom; the last: nobody
        ("hand_size", np.int16, (seats,)),
        ("num_out", np.int16),  # seats that have no tiles left
        ("out_place", np.int8, (seats,)),  # 1 for the first of them ...; 0: still in
        ("next", np.int16),  # place in the deck of the boneyard's first tile
        ("deck_end", np.int16),  # place past the last tile that may be drawn
        # What everybody has seen.
        ("lacks", np.uint64, (seats,)),  # values a seat showed to be without, as bits
        ("drawn_since", np.int16, (seats,)),  # unknown tiles drawn since it showed that
        ("drew", np.int16, (seats,)),  # drawn in its latest turn
        ("passed", np.int8, (seats,)),  # passed in its latest turn
        # Points.
        ("gained", np.int32, (seats,)),  # since the last reward
        ("scores", np.int32, (seats,)),
        ("banked", np.int32, (seats,)),  # scores when the round began
        ("round_number", np.int32),  # rounds begun in this episode
        ("starter", np.int16),
        ("last_starter", np.int8),  # of the round before
        ("round_winner", np.int8),  # who won a round, and may lead the next (W3); -1: nobody
        ("rounds_won", np.int16),  # by anybody, in this episode
        ("log_size", np.int32),  # words in the log: the deal, then the events
        ("row_head", np.int16, (seats,)),  # place of each row's top tile in its ring
        ("seen", np.uint64, (words,)),  # tiles flipped and put back (BL3)
        # Curved tiles: see layout/hexes.
        ("end_cell", np.uint16, (curved_ends,)),  # cell that the next tile comes into
        ("end_edge", np.uint8, (curved_ends,)),  # ... through this edge
        ("end_turns", np.uint8, (curved_ends,)),  # bit 0: a right turn fits, bit 1: a left
        ("end_meets", np.uint8, (curved_ends, 2)),  # value of the end it would meet there
        ("cells", np.uint16, (cells,)),  # a hash table of those with tiles in them; 0: free
        ("corners", np.uint8, (cells,)),  # their occupied corners, as bits
        ("deck", np.uint8, (size.tiles,)),  # rows or hands seat by seat, then the boneyard
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


# A game takes the first that has room for it. The last has room for all.
SIZES = (
    Size(tiles=32, seats=2, ends=16, curved=False),
    Size(tiles=64, seats=4, ends=24, curved=True),
    Size(tiles=MAX_TILES, seats=5, ends=34, curved=True),
    Size(tiles=MAX_TILES, seats=SEATS, ends=MAX_ENDS, curved=True),
)
SMALL_GAME = _game_of(SIZES[0])
MIDDLE_GAME = _game_of(SIZES[1])
LARGE_GAME = _game_of(SIZES[2])
GAME = _game_of(SIZES[3])
GAMES = (SMALL_GAME, MIDDLE_GAME, LARGE_GAME, GAME)

# What kernels take. A record's fields are known to type checkers by `record_types`, which is made
# from the dtypes (`python -m tools.stubs`); when the engine runs there are no such classes.
if TYPE_CHECKING:
    from domino_env.engine.record_types import Game as Game
    from domino_env.engine.record_types import Records as Records
    from domino_env.engine.record_types import RuleTable as RuleTable

    Games: TypeAlias = Records[Game]
    RuleTables: TypeAlias = Records[RuleTable]  # one: the rule table of a batch
else:
    Game = RuleTable = Games = RuleTables = np.record

Log: TypeAlias = npt.NDArray[np.uint32]  # [L]: the events of this round, packed
Logs: TypeAlias = npt.NDArray[np.uint32]  # [N, L]
Masks: TypeAlias = npt.NDArray[np.int8]  # [N, A]: 1 where an action is legal
Legal: TypeAlias = npt.NDArray[np.int16]  # [N, M]: the legal actions of each game, see sizes
Counts: TypeAlias = npt.NDArray[np.int32]  # [N]: how many of them there are
FLOATS, BYTES = np.dtype(np.float32), np.dtype(np.uint8)  # what an observation can be made of
Observations: TypeAlias = npt.NDArray[Any]  # [N, F]: of either
Generators: TypeAlias = npt.NDArray[np.uint64]  # [N]: states of generators, see rng
Numbers: TypeAlias = npt.NDArray[np.int64]  # lanes, seats, actions
Rewards: TypeAlias = npt.NDArray[np.float32]  # [N, P]
Earnings: TypeAlias = npt.NDArray[np.float64]  # [N]: of the learner of each lane
WholeNumbers: TypeAlias = npt.NDArray[np.integer[Any]]  # of any width
Index: TypeAlias = int | np.uint64  # without a sign Numba does not look for negative ones


class Logged(Protocol):
    """A record whose game has a log, at a table or alone."""

    log_size: int


class Seeded(Protocol):
    """A record whose game has a generator."""

    rng: np.uint64


def records(number: int, dtype: np.dtype[Any]) -> Any:
    """So many records, all zero; to a type checker they are `Records` of whichever class."""
    return np.zeros(number, dtype)
