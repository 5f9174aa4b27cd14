"""The log of a round: the deal, then every public event in its order, with the tiles drawn.

The first words are the deck as it was dealt, a tile number each. An event is one
32-bit word, `kind | seat << 5 | tile << 8 | end << 16 | half << 24`; of a draw the end says why, of
a take whose tile it was. The log is what makes recall perfect: the history
of an observer is the log without the tiles others drew, and without the reasons.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from domino_env.engine import state
from domino_env.engine.game_setup import Setup

NAMES = {
    state.PLAYED: "play",
    state.DREW: "draw",
    state.PASSED: "pass",
    state.FLIPPED: "flip",
    state.PUT_BACK: "back",
    state.STOPPED: "end_turn",
    state.LAID_OUT: "start",
    state.TOOK: "take",
    **{
        state.ANSWERED + 2 * (stage - 1) + no: words[no]
        for stage, words in enumerate(state.ANSWERS)
        for no in range(2)
        if stage != state.PLAY
    },
}


class Packed(NamedTuple):
    """An event, unpacked; or many, as arrays."""

    kind: Any
    seat: Any
    tile: Any
    end: Any
    half: Any


def unpack(word: Any) -> Packed:
    """The parts of an event, or of an array of events."""
    return Packed(word & 31, word >> 5 & 7, word >> 8 & 255, word >> 16 & 255, word >> 24 & 15)


def log_length(setup: Setup) -> int:
    """The most words that a round can need: the deal and the events."""
    rules, seats = setup.rules, setup.players
    tiles = rules.num_tiles
    if rules.rows:
        # Before each play, everyone flips at most once for each tile of the longest row: by then
        # every tile has been up. A flip is two events; the longest row has no more than all left.
        longest = rules.hand_size_for(seats)
        flips = sum(seats * min(longest, left) for left in range(1, seats * longest + 1))
        return 2 * tiles + 2 * flips
    plays, draws = tiles, tiles
    calls = plays * seats if setup.calls == "explicit" and rules.scores_in_play else 0
    stops = plays if rules.turn.again != "never" else 0
    takes = 2 * plays if rules.tile_set.has_effects else 0
    words = plays * seats if setup.calls == "explicit" and rules.turn.says_domino else 0
    turns = plays if rules.double_back or rules.opening.direction == "chosen" else 0
    stakes = seats if rules.double_stakes else 0
    # Fewer passes in a row than seats, then a play or a draw; and one after each draw.
    passes = (plays + draws + takes + 1) * (seats - 1) + draws
    return tiles + plays + draws + takes + passes + stops + calls + words + turns + stakes + 1
