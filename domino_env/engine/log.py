"""The log of a round: the deal, then every public event in its order, with the tiles drawn.

The first words are the deck as it was dealt, a tile number each. An event is one 32-bit word (see
`events`); of a draw the end says why, of a take whose tile it was. The log is what makes recall
perfect: the history of an observer is the log without the tiles others drew, and without the
reasons.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from domino_env.engine import state
from domino_env.engine.events import END, HALF, SEAT, TILE
from domino_env.engine.game_setup import Setup, can_end_turn
from domino_env.ruleset import Rules

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
        if words[no]
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
    seat, tile = word >> SEAT & 15, word >> TILE & 255
    return Packed(word & 31, seat, tile, word >> END & 255, word >> HALF & 15)


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
    plays, draws = tiles, most_draws(rules, seats)  # start tiles are among the plays
    calls = plays * seats if setup.calls == "explicit" and rules.scores_in_play else 0
    stops = plays if can_end_turn(rules) else 0
    takes = 2 * plays if rules.tile_set.has_effects else 0
    words = plays * seats if setup.calls == "explicit" and rules.turn.says_domino else 0
    turning = rules.turn.reversed_by != "nothing" or rules.opening.direction == "chosen"
    turns = plays if turning else 0
    stakes = seats if rules.turn.raised_by else 0
    passes = most_passes(rules, seats, plays, draws)
    leads = 1 if rules.opening.yields else 0
    return leads + tiles + plays + draws + takes + passes + stops + calls + words + turns + stakes


def most_draws(rules: Rules, seats: int) -> int:
    """The most tiles that can be drawn in a round: those that are not dealt, nor reserved."""
    if rules.hand_size == "all" or not rules.draws:
        return 0
    held_back = rules.draw.reserve + (rules.opening.tile == "middle")
    return rules.num_tiles - seats * rules.hand_size_for(seats) - held_back


def most_passes(rules: Rules, seats: int, plays: int, draws: int) -> int:
    """The most passes in a round of so many plays and draws at most.

    A pass in a turn without a draw comes where nothing is drawn: the boneyard is empty, or the
    rules forbid it. Somebody can then play, or the round would be blocked. So fewer such passes
    than seats come in a row, and then that player plays, or, if there is a boneyard, draws; where
    trains have owners every seat may have to put its marker down first (MT7). All other passes come
    after a draw of the same turn, where that is a single tile or may be kept.
    """
    forced = {rules.draw.forced}
    if rules.layout.opening_first and rules.draw.while_crossing != "as_forced":
        forced.add(rules.draw.while_crossing)
    in_rows = plays + draws if "none" in forced else plays
    ends_turn, may_pass = rules.draw.then == "end_turn", rules.draw.then == "may_pass"
    after_a_draw = may_pass or ("one" in forced and not ends_turn)
    in_a_row = 2 * seats - 1 if rules.layout.arms == "own" else seats - 1
    return in_rows * in_a_row + (draws if after_a_draw else 0)
