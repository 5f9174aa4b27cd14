"""The legal moves of the seat to move, as a mask, as a list and as a count.

An action is `(tile * ends + end) * 2 + half`, then the extras of the game. The list is what makes
sampling and clearing cheap: only what was set is cleared.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, lowest, meet
from domino_env.engine.layout.hexes import arcs_that_fit
from domino_env.engine.layout.table import lies_bent
from domino_env.engine.state import PLAY, Counts, Game, Index, Legal, Masks, RuleTable

FOUR = np.uint64(4)
HALF_WORD = 32  # tiles
UPPER = np.uint64(HALF_WORD)
LOWER = np.uint64(HALF_WORD - 1)


@small
def can_play(rules: RuleTable, game: Game, seat: int) -> bool:
    """Does the seat hold (or has it just flipped) a tile that fits an offered end?"""
    if rules.rows:
        return game.flipped >= 0
    return meet(game.hands[seat], game.wanted, rules.words)


@small
def can_draw(game: Game) -> bool:
    """Is there a tile in the boneyard that may be drawn?"""
    return bool(game.next < game.deck_end)


@small
def may_draw(rules: RuleTable, game: Game, seat: int) -> bool:
    """May a seat that can play draw first? (MA1, BN1)"""
    if not rules.voluntary or game.opener < 0 or not can_draw(game):
        return False
    return not rules.voluntary_ends_turn or game.drew[seat] == 0


@small
def list_moves(
    rules: RuleTable, game: Game, mask: Masks, legal: Legal, num_legal: Counts, lane: Index
) -> None:
    """Writes a lane's legal moves over the ones that stood there."""
    clear_mask(mask, legal, num_legal, lane)
    found = 0
    seat = int(game.to_move)
    if seat >= 0:
        if game.stage != PLAY:
            for word in range(2):
                found = add_move(rules.answers[game.stage, word], mask, legal, lane, found)
        else:
            if lies_bent(rules, game):
                found = list_curved_plays(rules, game, mask, legal, lane)
            elif rules.tiles <= HALF_WORD:
                found = list_plays_by_twos(rules, game, mask, legal, lane)
            else:
                found = list_plays(rules, game, mask, legal, lane)
            if may_draw(rules, game, seat):
                found = add_move(rules.draw, mask, legal, lane, found)
            if game.may_pass:
                found = add_move(rules.pass_turn, mask, legal, lane, found)
            if game.may_stop:
                found = add_move(rules.end_turn, mask, legal, lane, found)
    num_legal[lane] = found


@small
def clear_mask(mask: Masks, legal: Legal, num_legal: Counts, lane: Index) -> None:
    """Takes a lane's listed moves out of its mask. It goes by fours, so that there is seldom more
    than one round: what stands behind the list in its row are actions too, or 0."""
    for first in range(np.uint64(0), np.uint64(num_legal[lane]), FOUR):
        for step in range(FOUR):
            mask[lane, np.uint64(legal[lane, first + step])] = 0


@small
def add_move(action: int, mask: Masks, legal: Legal, lane: Index, found: int) -> int:
    """Adds one action to the list and the mask."""
    mask[lane, action] = 1
    legal[lane, found] = action
    return found + 1


@small
def list_plays(rules: RuleTable, game: Game, mask: Masks, legal: Legal, lane: Index) -> int:
    """Adds every tile that matches, on every offered end, by every half that joins."""
    seat = int(game.to_move)
    ends = game.offered
    found = 0
    while ends != NONE:
        end = lowest(ends)
        ends &= ends - ONE
        value = game.end_value[end]
        for w in range(rules.words):
            by_first, by_second = rules.fits[value, 0, w], rules.fits[value, 1, w]
            held = choice(rules, game, seat, w)
            found = add_plays(rules, held, by_first, by_second, w, end, mask, legal, lane, found)
    return found


@small
def list_plays_by_twos(rules: RuleTable, game: Game, mask: Masks, legal: Legal, lane: Index) -> int:
    """The same for a set that takes half a word: two ends at a time, with the tiles that fit the
    second in the upper half of the word. How often a loop goes round is then guessed but once."""
    held = choice(rules, game, int(game.to_move), 0)
    ends = game.offered
    found = 0
    while ends != NONE:
        near = far = lowest(ends)
        by_first, by_second = fitting(rules, game, near)
        ends &= ends - ONE
        if ends != NONE:
            far = lowest(ends)
            more_by_first, more_by_second = fitting(rules, game, far)
            by_first |= more_by_first << UPPER
            by_second |= more_by_second << UPPER
            ends &= ends - ONE
        tiles = (held | held << UPPER) & (by_first | by_second)
        if tiles & by_first & by_second == NONE:
            found = add_single_plays(rules, tiles, by_second, near, far, mask, legal, lane, found)
        else:
            found = add_plays(rules, held, by_first, by_second, 0, near, mask, legal, lane, found)
            by_first, by_second = by_first >> UPPER, by_second >> UPPER  # none if there is no other
            found = add_plays(rules, held, by_first, by_second, 0, far, mask, legal, lane, found)
    return found


@small
def fitting(rules: RuleTable, game: Game, end: int) -> tuple[np.uint64, np.uint64]:
    """The tiles of a small set that join an end, by their first half and by their second."""
    value = game.end_value[end]
    return rules.fits[value, 0, 0], rules.fits[value, 1, 0]


@small
def add_single_plays(
    rules: RuleTable,
    tiles: np.uint64,
    by_second: np.uint64,
    near: int,
    far: int,
    mask: Masks,
    legal: Legal,
    lane: Index,
    found: int,
) -> int:
    """Adds tiles that join by one half only, those in the upper half of the word to the far end. It
    goes by twos, for there are seldom more: where there is but one, it is written twice."""
    bit = UPPER
    while tiles != NONE:
        for _ in range(2):
            is_there = tiles != NONE
            bit = np.uint64(lowest(tiles)) if is_there else bit
            end = np.uint64(near) if bit < UPPER else np.uint64(far)
            place = (bit & LOWER) * np.uint64(rules.ends) + end
            action = place << ONE | (by_second >> bit) & ONE
            mask[lane, action] = 1
            legal[lane, np.uint64(found)] = action  # behind the last of all there is one place more
            found += is_there
            tiles &= tiles - ONE
    return found


@kernel
def list_curved_plays(rules: RuleTable, game: Game, mask: Masks, legal: Legal, lane: Index) -> int:
    """The same where a tile must also fit: by its first half it turns right, else left (B3)."""
    seat = int(game.to_move)
    found = 0
    held = choice(rules, game, seat, 0)  # curved sets are small: all their tiles are in one word
    for end in range(np.uint64(game.num_ends)):
        by_first = arcs_that_fit(rules, game, end, 0)
        by_second = arcs_that_fit(rules, game, end, 1)
        found = add_plays(rules, held, by_first, by_second, 0, end, mask, legal, lane, found)
    return found


@small
def add_plays(
    rules: RuleTable,
    held: np.uint64,
    by_first: np.uint64,
    by_second: np.uint64,
    w: int,
    end: int,
    mask: Masks,
    legal: Legal,
    lane: Index,
    found: int,
) -> int:
    """Adds the tiles held, one word of them, that may join an end by either half."""
    tiles = held & (by_first | by_second)
    while tiles != NONE:
        bit = np.uint64(lowest(tiles))
        tiles &= tiles - ONE
        action = np.uint64(((w * 64 + int(bit)) * rules.ends + end) * 2)
        # Both halves are written and only what fits is kept: no branch to guess wrong.
        first, second = (by_first >> bit) & ONE, (by_second >> bit) & ONE
        mask[lane, action] = first
        legal[lane, np.uint64(found)] = action
        found += int(first)
        mask[lane, action + ONE] = second
        legal[lane, np.uint64(found)] = action + ONE
        found += int(second)
    return found


@small
def choice(rules: RuleTable, game: Game, seat: int, w: int) -> np.uint64:
    """The tiles a seat chooses from, one word of them: its hand, or the tile just flipped."""
    if not rules.rows:
        return game.hands[seat, w]
    if game.flipped >> 6 != w:
        return NONE
    return ONE << np.uint64(game.flipped & 63)
