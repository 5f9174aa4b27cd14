"""Reads the log of a round as one seat saw it, into what it knows of the hidden tiles.

The result is an information set (see `information_set`): every public event is a constraint on the
deal, and so are the tiles that the viewer has been dealt, has drawn and has taken.
"""

from __future__ import annotations

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, holds, meet, put
from domino_env.engine.drawing import forced_draw_now
from domino_env.engine.events import end_of, half_of, kind_of, seat_of, tile_of
from domino_env.engine.hidden.information_set import (
    ANYBODY,
    DEALT,
    DEALT_AT,
    DRAWN,
    GIFT,
    HAS,
    LACKS,
    MOST_TAKES,
    NOBODYS_SEAT,
    NOT_GIVEN,
    STILL_THERE,
    Notes,
    word_at,
)
from domino_env.engine.layout.table import clear_table, lay, lay_first, lay_second
from domino_env.engine.layout.trains import put_marker, turn_to
from domino_env.engine.moves import can_draw
from domino_env.engine.playing import earns_another
from domino_env.engine.rule_table import NO_TILE, ONE_TILE, ROUND_DOUBLE, THAT_DOUBLE
from domino_env.engine.state import (
    BY_CHOICE,
    DIRECTION,
    DREW,
    GIVEN,
    LAID_OUT,
    LEADING,
    PASSED,
    PLAY,
    PLAYED,
    STOPPED,
    TOOK,
    UNPLAYED,
    WORDS,
    Game,
    Log,
    RuleTable,
)
from domino_env.engine.turn import note_turn

NOTHING_SHOWN = -1


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
    begin_reading(rules, game, log, viewer, notes)
    for w in range(len(table.spun)):
        table.spun[w] = 0
        for seat in range(len(table.played)):
            table.played[seat, w] = 0
    clear_table(rules, table)
    table.may_stop = 0
    for at in range(rules.tiles, game.log_size):
        word = word_at(log, at)
        kind, seat, tile = kind_of(word), seat_of(word), tile_of(word)
        end, half, time = end_of(word), half_of(word), at - rules.tiles
        if kind == PLAYED:
            read_turn(rules, kind, seat, time, notes)
            if seat != viewer:
                leaves(seat, tile, time, notes)
            put(table.played[seat], tile)
            table.last_tile = tile
            lay(rules, table, tile, end, half)
            evidence.draws = 0
            if earns_another(rules, table, tile):
                evidence.earned = seat
                table.may_stop = 1
                turn_to(rules, table, seat)
        elif kind == DREW:
            if end != GIVEN:
                read_turn(rules, kind, seat, time, notes)
                shown = shown_by_draw(rules, game, log, at, table, evidence.draws, seat, end)
                evidence.draws += 1
                if shown != NOTHING_SHOWN:
                    note(notes, shown, seat, time)
            read_draw(rules, seat, tile, time, notes)
        elif kind == PASSED:
            read_turn(rules, kind, seat, time, notes)
            if not (rules.draw_may_pass and evidence.draws > 0):
                note(notes, LACKS, seat, time)
            put_marker(rules, table, seat)
            table.passed[seat] = 1
        elif kind == STOPPED:
            read_turn(rules, kind, seat, time, notes)
        elif kind == LAID_OUT:
            put(evidence.settled, tile)
            put(table.played[UNPLAYED], tile)
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
def begin_reading(rules: RuleTable, game: Game, log: Log, viewer: int, notes: Notes) -> None:
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
        evidence.settled[w] = rules.left_out[w]
    for seat in range(rules.seats):
        first = seat * rules.hand_size
        if seat == viewer:
            for place in range(first, first + rules.hand_size):
                put(evidence.settled, word_at(log, place))
        else:
            add_slots(notes, DEALT, seat, DEALT_AT, int(rules.hand_size), first)
    # The seat that opens holds the best tile to open with, and everyone knows which it is; but a
    # lead that follows from the round before shows nothing.
    evidence.opener = -1
    if rules.opening == THAT_DOUBLE and rules.starter != ROUND_DOUBLE and not game.free_lead:
        word = word_at(log, int(rules.tiles))
        evidence.opener = tile_of(word)
        evidence.first = seat_of(word)


@small
def add_slots(notes: Notes, kind: int, seat: int, since: int, places: int, place: int) -> int:
    """Adds some slots that are alike."""
    slots = notes.slots
    number = notes.evidence[0].slots
    slots[number].kind = kind
    slots[number].seat = seat
    slots[number].since = since
    slots[number].places = places
    slots[number].place = place
    slots[number].origin = number
    slots[number].takes = NONE
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
def read_turn(rules: RuleTable, kind: int, seat: int, time: int, notes: Notes) -> None:
    """Somebody plays, draws, passes or stops: does the turn go on, or has another begun?"""
    evidence, table = notes.evidence[0], notes.table[0]
    if evidence.earned >= 0:  # it goes on only if a tile fits
        if evidence.earned != seat:
            note(notes, LACKS, evidence.earned, time)
        elif kind != PLAYED:
            note(notes, HAS, seat, time)
        evidence.earned = -1
    if evidence.at_turn != seat:
        turn_table(rules, table, int(evidence.at_turn), seat)
        evidence.at_turn = seat
        evidence.draws = 0


@kernel
def turn_table(rules: RuleTable, table: Game, before: int, seat: int) -> None:
    """The turn comes to another seat, and with it what is offered."""
    if before >= 0 and rules.own_line:
        note_turn(table, before)
    table.passed[seat] = 0
    table.may_stop = 0
    turn_to(rules, table, seat)


@kernel
def note(notes: Notes, shown: int, seat: int, time: int) -> None:
    """Notes what a hand has shown. Of the viewer's it is no news."""
    evidence, checks, wanted = notes.evidence[0], notes.checks, notes.table[0].wanted
    if seat == evidence.viewer:
        return
    number = evidence.checks
    checks[number].shown = shown
    checks[number].seat = seat
    checks[number].time = time
    for w in range(len(wanted)):
        checks[number].wanted[w] = wanted[w]
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
        if seat_of(word) != seat:
            return False
        if kind_of(word) != DREW:
            return bool(kind_of(word) == PASSED)
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
    if game.stage == LEADING:
        return
    if game.stage == PLAY:
        if evidence.earned >= 0 and evidence.earned != game.turn:
            note(notes, LACKS, evidence.earned, now)
        if evidence.at_turn != game.turn:
            turn_table(rules, table, int(evidence.at_turn), int(game.turn))
        if table.opener >= 0:  # who is to move can play
            note(notes, HAS, int(game.to_move), now)
    elif game.stage >= DIRECTION and not can_draw(game):  # or the round would be blocked
        onlooker = evidence.viewer == NOBODYS_SEAT
        if onlooker or not meet(game.hands[evidence.viewer], table.wanted, rules.words):
            note(notes, HAS, ANYBODY, now)
