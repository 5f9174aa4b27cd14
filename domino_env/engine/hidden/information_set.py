"""What one seat knows of a round: its information set, as constraints on the tiles it cannot see.

Every tile whose origin the viewer has not seen is a *piece*, and came from a *slot*: a place in
another's hand as it was dealt, a draw of another's, or a place of the boneyard. Who drew, passed or
stopped has shown whether a tile of that hand could be played just then: a *check*. A tile that
left a hand by being played must have been in it, and so must not have failed a check before. A
*take* is a tile that went unseen from one hidden hand to another.

Times count the events of the log. A tile is in a hand after the event that brought it, up to and
with the one that takes it away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.compiling import small
from domino_env.engine.bits import Words
from domino_env.engine.state import WORDS, Games, Generators, Numbers

if TYPE_CHECKING:
    from domino_env.engine.record_types import (
        Check,
        Evidence,
        Piece,
        Records,
        SlotClass,
        Slots,
        Take,
        Unit,
    )

Reals: TypeAlias = npt.NDArray[np.float64]

STILL_THERE = 1 << 30  # the time at which a tile leaves that has not left
DEALT_AT = -1  # the time at which hands were dealt
NOT_GIVEN = -1
DEALT, DRAWN, GIFT = range(3)  # kinds of slots
LACKS, HAS = range(2)  # what a check has shown: no tile of the hand fitted, or one did
ANYBODY = -1
NOBODYS_SEAT = -2  # the viewer, if it is an onlooker who has seen nobody's tiles
LEFT_OUT = -1  # lies in no slots, but in the boneyard
MOST_TAKES = 12  # tiles that go from one hidden hand to another, in a round that can be read
MOST_UNITS = 62
PIECE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("tile", np.int64),
                ("left", np.int64),  # when it left its last hidden hand
                ("seat", np.int64),  # ... and whose that was
                ("slot", np.int64),  # the slots (of a gift) that it must lie in; else NOT_GIVEN
            ],
            align=True,
        ),
    )
)
SLOTS = np.dtype(  # some slots that are alike
    (
        np.record,
        np.dtype(
            [
                ("kind", np.int64),
                ("seat", np.int64),
                ("since", np.int64),
                ("places", np.int64),  # how many; a `size` numpy's records have already
                ("place", np.int64),  # in the deck, of the first; the others follow
                ("origin", np.int64),  # the slots that these were split off from, or themselves
                ("takes", np.uint64),  # the takes that moved what lies here, as bits
            ],
            align=True,
        ),
    )
)
CHECK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("shown", np.int64),
                ("seat", np.int64),  # or ANYBODY
                ("time", np.int64),
                ("wanted", np.uint64, WORDS),  # the tiles that fitted then
            ],
            align=True,
        ),
    )
)
TAKE = np.dtype(  # a tile goes unseen from hand to hand
    (
        np.record,
        np.dtype([("time", np.int64), ("giver", np.int64), ("taker", np.int64)], align=True),
    )
)
CLASS = np.dtype(  # slots that take the same pieces
    (
        np.record,
        np.dtype(
            [
                ("places", np.int64),
                ("free", np.int64),  # places for which nothing is settled
                ("first", np.int64),  # of its places among those of all classes
                ("unit", np.int64),
                ("fits", np.uint64, WORDS),  # the pieces that it takes; later, that it still may
            ],
            align=True,
        ),
    )
)
UNIT = np.dtype(  # classes that are counted as one
    (
        np.record,
        np.dtype(
            [
                ("places", np.int64),
                ("stride", np.int64),  # between remainders that differ by one place of it
                ("first", np.int64),  # of its places among those of all units
                ("loose", np.int64),  # not all of its classes take all of its pieces
                ("fits", np.uint64, WORDS),
            ],
            align=True,
        ),
    )
)
EVIDENCE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("viewer", np.int64),
                ("pieces", np.int64),  # how many there are of each
                ("slots", np.int64),
                ("checks", np.int64),
                ("takes", np.int64),
                ("laid", np.int64),  # tiles that the opening took from the boneyard
                ("drawn", np.int64),
                ("opener", np.int64),  # the tile that had to open, if one had to; else -1
                ("first", np.int64),  # who held it
                ("settled", np.uint64, WORDS),  # tiles whose origin the viewer has seen, or pieces
                # Of the case that has been counted last.
                ("case", np.int64),
                ("supposed", np.int64),  # slots
                ("choices", np.float64),  # ways in which the takes can have been
                ("classes", np.int64),
                ("units", np.int64),
                ("open", np.int64),  # pieces that may lie in a unit
                # While reading.
                ("at_turn", np.int64),  # whose turn it was, by the last event
                ("draws", np.int64),  # its draws since it began its turn, or last played
                ("earned", np.int64),  # who may play again, if a tile fits; else -1
                # While drawing, which may be interrupted: how far it has come.
                ("place", np.int64),  # the lane, by its place among those asked for
                ("step", np.int64),  # BEGIN, LIST or DRAW
                ("work", np.int64),  # about so many steps since the last interruption
                ("listed", np.int64),  # cases
                ("next_case", np.int64),  # the case from which deals are drawn after this one
                ("of_case", np.int64),  # deals that are still to be drawn for this one
                ("left", np.int64),  # ... and for those after it
                ("weight", np.float64),  # of those after it
                ("wanted", np.int64),  # worlds that are still to be filled
                ("tries", np.int64),
            ],
            align=True,
        ),
    )
)


class Notes(NamedTuple):
    """What is read and counted about one position: memory that is used again for the next."""

    evidence: Records[Evidence]  # [1]
    table: Games  # [1]: the table as it was at some time
    pieces: Records[Piece]
    slots: Records[Slots]
    checks: Records[Check]
    takes: Records[Take]
    supposed: Records[Slots]  # those of a case
    cases: Numbers  # [case, take]: the slots that each tile was taken from
    log_counts: Reals  # [case]: the logarithm of how many deals agree
    classes: Records[SlotClass]
    class_of: Numbers  # [slots]
    settled_in: Numbers  # [piece]: the class in which it must lie
    units: Records[Unit]
    order: Numbers  # the pieces that may lie in a unit
    open_to: Words  # ... and in which, as bits
    rooms: Words  # [remainder]: units with places left, as bits
    ways: Reals  # [piece, remainder]: see `deal_counting`
    members: Numbers  # pieces by unit
    filled: Numbers  # [unit]: how many it has
    filled_class: Numbers  # [class]
    laid: Numbers  # pieces by class
    lies_in: Numbers  # [piece]: the slots in which it lies
    rng: Generators  # [1]


@small
def word_at(words: npt.NDArray[np.integer[Any]], at: int) -> int:
    """A word of a log, or a tile of a deck: with a sign, as all numbers have here."""
    word: Any = np.int64(words[at])
    return word
