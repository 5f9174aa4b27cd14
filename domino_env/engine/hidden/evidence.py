"""The record of a round as one seat has seen it: what hidden tiles may lie where.

Every tile whose origin the viewer has not seen is a *piece*, and came from a *slot*: a place in
another's hand as it was dealt, a draw of another's, or a place of the boneyard. Who drew, passed or
stopped has shown whether a tile of that hand could be played just then: a *check*. A tile that
left a hand by being played must have been in it, and so must not have failed a check before.

Times count the events of the log. A tile is in a hand after the event that brought it, up to and
with the one that takes it away.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from domino_env.engine.bits import holds, meet, put
from domino_env.engine.compiling import kernel, small
from domino_env.engine.drawing import forced_draw_now
from domino_env.engine.layout.table import clear_table, lay, lay_first, lay_second
from domino_env.engine.moves import can_draw
from domino_env.engine.playing import earns_another
from domino_env.engine.rule_table import (
    NO_TILE,
    ONE_TILE,
    THAT_DOUBLE,
)
from domino_env.engine.state import (
    BY_CHOICE,
    DIRECTION,
    DREW,
    GIVEN,
    LAID_OUT,
    PASSED,
    PLAY,
    PLAYED,
    STOPPED,
    TOOK,
    WORDS,
    Game,
    Log,
    RuleTable,
)

STILL_THERE = 1 << 30  # the time at which a tile leaves that has not left
DEALT_AT = -1  # the time at which hands were dealt
NOT_GIVEN = -1
DEALT, DRAWN, GIFT = range(3)  # kinds of slots
LACKS, HAS = range(2)  # what a check has shown: no tile of the hand fitted, or one did
NOTHING_SHOWN = -1
ANYBODY = -1
MOST_TAKES = 12  # tiles that go from one hidden hand to another, in a round that can be read

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
                ("size", np.int64),
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


Evidence = Any  # a record of EVIDENCE


class Notes(NamedTuple):
    """What is read and counted about one position: memory that is used again for the next."""

    evidence: Any  # EVIDENCE[1]
    table: Any  # GAME[1]: the table as it was at some time
    pieces: Any  # PIECE[...]
    slots: Any  # SLOTS[...]
    checks: Any  # CHECK[...]
    takes: Any  # TAKE[...]
    supposed: Any  # SLOTS[...]: those of a case
    cases: Any  # int64[..., ...]: what each case supposes
    weights: Any  # float64[...]: how many deals agree with each
    classes: Any  # CLASS[...]
    class_of: Any  # int64[...]: of slots
    settled_in: Any  # int64[...]: the class in which a piece must lie
    units: Any  # UNIT[...]
    order: Any  # int64[...]: the pieces that may lie in a unit
    open_to: Any  # uint64[...]: ... and in which, as bits
    rooms: Any  # uint64[...]: units with places left, for each remainder
    ways: Any  # float64[...]: see `counting`
    members: Any  # int64[...]: pieces by unit
    filled: Any  # int64[...]: how many each has
    filled_class: Any  # int64[...]
    laid: Any  # int64[...]: pieces by class
    lies_in: Any  # int64[...]: the slots in which a piece lies
    rng: Any  # uint64[1]


@small
def word_at(words: Any, at: int) -> int:
    """A word of a log, or a tile of a deck: with a sign, as all numbers have here."""
    word: Any = np.int64(words[at])
    return word


@kernel
def read_record(
    rules: RuleTable,
    game: Game,
    log: Log,
    viewer: int,
    notes: Notes,
) -> bool:
    """Reads a round; False if more tiles went unseen from hand to hand than can be followed."""
    evidence, table = notes.evidence[0], notes.table[0]
    begin_reading(rules, log, viewer, notes)
    for w in range(WORDS):
        table.spun[w] = 0
    clear_table(rules, table)
    for at in range(rules.tiles, game.log_size):
        word = word_at(log, at)
        kind, seat, tile = word & 31, word >> 5 & 7, word >> 8 & 255
        end, half, time = word >> 16 & 255, word >> 24 & 15, at - rules.tiles
        if kind == PLAYED:
            read_turn(kind, seat, time, notes)
            if seat != viewer:
                leaves(seat, tile, time, notes)
            lay(rules, table, tile, end, half)
            evidence.draws = 0
            if earns_another(rules, tile):
                evidence.earned = seat
        elif kind == DREW:
            if end != GIVEN:
                read_turn(kind, seat, time, notes)
                shown = shown_by_draw(rules, game, log, at, table, evidence.draws, seat, end)
                evidence.draws += 1
                if shown != NOTHING_SHOWN:
                    note(notes, shown, seat, time)
            read_draw(rules, seat, tile, time, notes)
        elif kind == PASSED:
            read_turn(kind, seat, time, notes)
            if not (rules.draw_may_pass and evidence.draws > 0):
                note(notes, LACKS, seat, time)
        elif kind == STOPPED:
            read_turn(kind, seat, time, notes)
        elif kind == LAID_OUT:
            put(evidence.settled, tile)
            if evidence.laid == 0:
                lay_first(rules, table, tile)
            else:
                lay_second(rules, table, tile)
            evidence.laid += 1
        elif kind == TOOK:
            if not read_take(seat, end, tile, time, notes):
                return False
    read_what_is_asked(rules, game, notes)
    for tile in range(rules.tiles):
        if not holds(evidence.settled, tile):
            add_piece(notes, tile, STILL_THERE, -1, NOT_GIVEN)
    return True


@kernel
def begin_reading(rules: RuleTable, log: Log, viewer: int, notes: Notes) -> None:
    """The deal, as the viewer sees it: its own hand, and how many tiles others have."""
    evidence = notes.evidence[0]
    evidence.viewer = viewer
    evidence.pieces = 0
    evidence.slots = 0
    evidence.checks = 0
    evidence.takes = 0
    evidence.laid = 0
    evidence.drawn = 0
    evidence.at_turn = -1
    evidence.draws = 0
    evidence.earned = -1
    evidence.case = -1
    for w in range(WORDS):
        evidence.settled[w] = 0
    for seat in range(rules.seats):
        first = seat * rules.hand_size
        if seat == viewer:
            for place in range(first, first + rules.hand_size):
                put(evidence.settled, word_at(log, place))
        else:
            add_slots(notes, DEALT, seat, DEALT_AT, int(rules.hand_size), first)
    # The seat that opens holds the best tile to open with, and everyone knows which it is.
    evidence.opener = -1
    if rules.opening == THAT_DOUBLE:
        word = word_at(log, int(rules.tiles))
        evidence.opener = word >> 8 & 255
        evidence.first = word >> 5 & 7


@small
def add_slots(notes: Notes, kind: int, seat: int, since: int, size: int, place: int) -> int:
    """Adds some slots that are alike."""
    slots = notes.slots
    number = notes.evidence[0].slots
    slots[number].kind = kind
    slots[number].seat = seat
    slots[number].since = since
    slots[number].size = size
    slots[number].place = place
    slots[number].origin = number
    slots[number].takes = 0
    notes.evidence[0].slots += 1
    return number


@small
def add_piece(notes: Notes, tile: int, left: int, seat: int, slot: int) -> None:
    """Adds a tile whose origin the viewer has not seen."""
    evidence, pieces = notes.evidence[0], notes.pieces
    number = evidence.pieces
    pieces[number].tile = tile
    pieces[number].left = left
    pieces[number].seat = seat
    pieces[number].slot = slot
    put(evidence.settled, tile)
    evidence.pieces += 1


@kernel
def leaves(seat: int, tile: int, time: int, notes: Notes) -> None:
    """A tile leaves another's hand before the viewer's eyes."""
    pieces = notes.pieces
    for number in range(notes.evidence[0].pieces):
        if pieces[number].tile == tile and pieces[number].left == STILL_THERE:  # it was a gift
            pieces[number].left = time
            pieces[number].seat = seat
            return
    add_piece(notes, tile, time, seat, NOT_GIVEN)


@kernel
def read_turn(kind: int, seat: int, time: int, notes: Notes) -> None:
    """Somebody plays, draws, passes or stops: does the turn go on, or has another begun?"""
    evidence = notes.evidence[0]
    if evidence.earned >= 0:  # it goes on only if a tile fits
        if evidence.earned != seat:
            note(notes, LACKS, evidence.earned, time)
        elif kind != PLAYED:
            note(notes, HAS, seat, time)
        evidence.earned = -1
    if evidence.at_turn != seat:
        evidence.at_turn = seat
        evidence.draws = 0


@kernel
def note(notes: Notes, shown: int, seat: int, time: int) -> None:
    """Notes what a hand has shown. Of the viewer's it is no news."""
    evidence, checks = notes.evidence[0], notes.checks
    if seat == evidence.viewer:
        return
    number = evidence.checks
    checks[number].shown = shown
    checks[number].seat = seat
    checks[number].time = time
    for w in range(WORDS):
        checks[number].wanted[w] = notes.table[0].wanted[w]
    evidence.checks += 1


@kernel
def shown_by_draw(
    rules: RuleTable, game: Game, log: Log, at: int, table: Game, before: int, seat: int, why: int
) -> int:
    """What a draw shows of the hand before it: who must draw has no tile that fits, who draws by
    choice has one, and often nobody can tell which it was."""
    how = forced_draw_now(rules, table)
    if not rules.voluntary:
        return LACKS
    if how == NO_TILE:
        return HAS
    if rules.voluntary_ends_turn:
        if rules.draw_ends_turn:
            return NOTHING_SHOWN
        return HAS if why == BY_CHOICE else LACKS
    if how != ONE_TILE:
        return NOTHING_SHOWN
    if rules.draw_ends_turn:
        return HAS if why == BY_CHOICE else LACKS
    if before > 0:  # only one is drawn by force
        return HAS
    # Who has drawn and may pass has drawn by force.
    return LACKS if rules.draw_may_pass and ends_in_pass(game, log, at, seat) else NOTHING_SHOWN


@kernel
def ends_in_pass(game: Game, log: Log, at: int, seat: int) -> bool:
    """Does a seat draw on, and then pass?"""
    for later in range(at + 1, game.log_size):
        word = word_at(log, later)
        if word >> 5 & 7 != seat:
            return False
        if word & 31 != DREW:
            return word & 31 == PASSED
    return False


@kernel
def read_draw(rules: RuleTable, seat: int, tile: int, time: int, notes: Notes) -> None:
    """A tile comes out of the boneyard."""
    evidence = notes.evidence[0]
    if seat == evidence.viewer:
        put(evidence.settled, tile)
    else:
        place = rules.seats * rules.hand_size + evidence.laid + evidence.drawn
        add_slots(notes, DRAWN, seat, time, 1, place)
    evidence.drawn += 1


@kernel
def read_take(taker: int, giver: int, tile: int, time: int, notes: Notes) -> bool:
    """A tile goes from hand to hand; those two have seen which."""
    evidence, takes = notes.evidence[0], notes.takes
    if taker == evidence.viewer:
        leaves(giver, tile, time, notes)
    elif giver == evidence.viewer:
        gift = add_slots(notes, GIFT, taker, time, 1, -1)
        add_piece(notes, tile, STILL_THERE, -1, gift)
    elif evidence.takes == MOST_TAKES:
        return False
    else:
        takes[evidence.takes].time = time
        takes[evidence.takes].giver = giver
        takes[evidence.takes].taker = taker
        evidence.takes += 1
    return True


@kernel
def read_what_is_asked(rules: RuleTable, game: Game, notes: Notes) -> None:
    """What the game waits for shows something, too."""
    evidence, table = notes.evidence[0], notes.table[0]
    now = game.log_size - rules.tiles
    if game.stage == PLAY:
        if evidence.earned >= 0 and evidence.earned != game.turn:
            note(notes, LACKS, evidence.earned, now)
        if table.opener >= 0:  # who is to move can play
            note(notes, HAS, int(game.to_move), now)
    elif game.stage >= DIRECTION and not can_draw(game):  # or the round would be blocked
        if not meet(game.hands[evidence.viewer], table.wanted, rules.words):
            note(notes, HAS, ANYBODY, now)
