"""Growing a game tree: every history of a round, depth first, by the engine's own decisions.

Chance is enumerated where it decides: a deal is who holds what, and the order of the boneyard is
open until a tile is drawn. A decision that draws is taken again with every tile that can come, and
one by which a tile is taken out of a hand with every tile of that hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine import moves, rounds, table_game
from domino_env.engine.bits import holds
from domino_env.engine.deal import dealt
from domino_env.engine.rng import following
from domino_env.engine.rule_table import FROM_BONEYARD, LOT, MIDDLE, TWO_FROM_BONEYARD
from domino_env.solve.lots import as_word, generator_for, hand_with, taken
from domino_env.solve.records import SIDES
from domino_env.solve.witnessed import as_seen, follow

DONE, PAUSED, FULL, AT_RANDOM, TOO_MANY = 0, 1, 2, 3, 4
"""Why `grow` stops: there is no more; to look up; an array is full; chance decided something other
than which tile is drawn or taken; one decision drew more tiles than `MOST_DRAWS`."""

ROOM = 512  # what one history can add to each array
_REFUSED, _UNKNOWN = -1, -2  # instead of how many tiles chance has chosen
_HALF_WORD, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)


@kernel
def grow(
    rule_tables: Any,
    games: Any,
    logs: Any,
    mask: Any,
    legal: Any,
    num_legal: Any,
    frames: Any,
    progress_of: Any,
    deals: Any,
    deal: Any,
    sides: Any,
    keys: Any,
    nodes: Any,
    infostate_of: Any,
    infostates: Any,
    decks: Any,
    paths: Any,
    leaves: Any,
    told: Any,
    histories: int,
) -> int:
    """Goes on until all is grown, or something stops it; called again it goes on from there. If
    `told` has any room, every history is noted in it."""
    rules, progress = rule_tables[0], progress_of[0]
    limit = progress.histories + histories
    while True:
        if progress.level < 0 and not next_deal(rules, frames, progress, len(deals)):
            return DONE
        if progress.histories >= limit:
            return PAUSED
        if is_full(progress, keys, infostate_of, infostates, paths, leaves, told):
            return FULL
        level = int(progress.level)
        frame = frames[level]
        chosen = take(rules, games, logs, legal, frames, deals, deal, progress, level)
        if chosen == _UNKNOWN:
            return AT_RANDOM
        if chosen > frame.fixed:
            if chosen > len(frame.choice):
                return TOO_MANY
            begin_choice(rules, games, logs, frame, level)
            continue
        if chosen != _REFUSED:
            arrive(rules, games, logs, frames, progress, sides, keys, nodes, infostates, level)
            if games[level + 1].over or games[level + 1].to_move < 0:
                add_leaf(games[level + 1], frames[level + 1], sides, leaves, progress)
            else:
                moves.list_moves(rules, games[level + 1], mask, legal, num_legal, level + 1)
                frames[level + 1].infostate = infostate_at(
                    games, frames, legal, num_legal, progress, sides, infostate_of, infostates,
                    decks, paths, level + 1,
                )  # fmt: skip
                frames[level + 1].action = 0
                frames[level + 1].fixed = 0
                progress.level += 1
                note(frames, progress, told, level, int(frames[level + 1].infostate))
                continue
            note(frames, progress, told, level, -1)
        go_on(frames, num_legal, progress)


@small
def is_full(
    progress: Any,
    keys: Any,
    infostate_of: Any,
    infostates: Any,
    paths: Any,
    leaves: Any,
    told: Any,
) -> bool:
    """Might the next history find no room?"""
    return bool(
        2 * (progress.nodes + ROOM) > len(keys)
        or progress.nodes + ROOM > len(infostate_of)
        or progress.infostates + 1 > len(infostates)
        or progress.path_words + ROOM > len(paths)
        or progress.leaves + 1 > len(leaves)
        or 0 < len(told) <= progress.histories
    )


# Chance -------------------------------------------------------------------------------------------


@small
def next_deal(rules: Any, frames: Any, progress: Any, deals: int) -> bool:
    """Turns to the next deal, or to the next who may lead it; False after the last."""
    progress.starter += 1
    starters = int(rules.seats) if rules.starter == LOT else 1
    if progress.starter >= starters:
        progress.starter = 0
        progress.deal += 1
    if progress.deal >= deals:
        return False
    frames[0].fixed = 0
    frames[0].action = 0
    progress.level = 0
    return True


@small
def laid_out(rules: Any) -> int:
    """How many tiles of the boneyard lie on the table before anybody has played."""
    if rules.opening == TWO_FROM_BONEYARD:
        return 2
    return 1 if rules.opening == FROM_BONEYARD or rules.opening == MIDDLE else 0


@small
def begin_choice(rules: Any, games: Any, logs: Any, frame: Any, level: int) -> None:
    """Turns to the first of the tiles that can come next."""
    place = int(frame.fixed)
    if place < frame.drawn:
        frame.among[place] = choices(rules, games, level, place)
    else:
        first, lot = int(games[level].log_size), place - int(frame.drawn)
        frame.among[place] = hand_with(games[level + 1], logs[level + 1], first, lot)
    frame.choice[place] = 0
    frame.fixed += 1


@small
def choices(rules: Any, games: Any, level: int, draw: int) -> int:
    """How many tiles can come at a draw, the first of a frame being 0."""
    if level == 0:
        if draw == 0 and rules.opening == MIDDLE:
            return 1  # it is that double
        return int(rules.dealt) - int(rules.seats) * int(rules.hand_size) - draw
    return int(rules.dealt) - int(games[level].next) - draw


@small
def go_on(frames: Any, num_legal: Any, progress: Any) -> None:
    """Turns to what has not been tried yet: other tiles that the action can bring, then the next
    action, then those of the decision before."""
    while progress.level >= 0:
        level = int(progress.level)
        frame = frames[level]
        while frame.fixed > 0:
            last = frame.fixed - 1
            frame.choice[last] += 1
            if frame.choice[last] < frame.among[last]:
                return
            frame.fixed -= 1
        frame.action += 1
        if level > 0 and frame.action < num_legal[level]:
            return
        progress.level -= 1


@small
def bring_forward(deck: Any, first: int, frame: Any) -> None:
    """Puts the tiles that are drawn where they are drawn from; the others change places."""
    for draw in range(min(int(frame.fixed), int(frame.drawn))):
        place = first + draw
        other = place + frame.choice[draw]
        deck[place], deck[other] = deck[other], deck[place]


# Decisions ----------------------------------------------------------------------------------------


@kernel
def take(
    rules: Any,
    games: Any,
    logs: Any,
    legal: Any,
    frames: Any,
    deals: Any,
    deal: Any,
    progress: Any,
    level: int,
) -> int:
    """Takes the decision of a frame on the next level; answers with how many tiles came out of the
    boneyard and out of hands by lot, `_REFUSED` if the rules would deal that again, `_UNKNOWN` if a
    lot decided something else."""
    frame, after, log = frames[level], games[level + 1], logs[level + 1]
    if level == 0:
        return take_deal(rules, after, log, frame, deals, deal, progress)
    before = games[level]
    games[level + 1] = before
    for word in range(before.log_size):
        log[word] = logs[level, word]
    bring_forward(after.deck, int(before.next), frame)
    after.rng = generator_for(frame, int(frame.drawn))
    state = after.rng
    rounds.take_decision(rules, after, log, int(legal[level, frame.action]))
    frame.drawn = int(after.next) - int(before.next)
    lots = taken(log, int(before.log_size), int(after.log_size))
    for _ in range(lots):
        state = following(state)
    return int(frame.drawn) + lots if after.rng == state else _UNKNOWN


@kernel
def take_deal(
    rules: Any, game: Any, log: Any, frame: Any, deals: Any, deal: Any, progress: Any
) -> int:
    """The same for the deal."""
    hands = int(rules.seats) * int(rules.hand_size)
    for place in range(rules.tiles):
        deal[place] = deals[progress.deal, place]
    frame.drawn = frame.fixed
    bring_forward(deal, hands, frame)
    if rules.opening == FROM_BONEYARD and frame.fixed > 0 and holds(rules.double, int(deal[hands])):
        return _REFUSED  # a double does not open (YT1), so this is another deal's
    starter = int(progress.starter) if rules.starter == LOT else -1
    begun = table_game.dealt_episode(rules, game, log, deal, starter)
    frame.drawn = int(game.next) - hands
    return int(frame.drawn) if begun or frame.drawn > frame.fixed else _REFUSED


@small
def arrive(
    rules: Any,
    games: Any,
    logs: Any,
    frames: Any,
    progress: Any,
    sides: Any,
    keys: Any,
    nodes: Any,
    infostates: Any,
    level: int,
) -> None:
    """Notes on the next level what chance, the sides' decisions and what they see have become."""
    frame, after = frames[level], frames[level + 1]
    old, game, log = games[level], games[level + 1], logs[level + 1]
    certain = laid_out(rules) if level == 0 else 0
    after.chance = frame.chance if level > 0 else 1.0
    for choice in range(certain, frame.fixed):
        after.chance /= frame.among[choice]
    seen = int(old.log_size) if level > 0 else int(rules.tiles)
    for side in range(SIDES):
        after.sequence[side] = frame.sequence[side] if level > 0 else side
        node = int(frame.node[side])
        if level == 0:
            node = hands_of(rules, game, sides, side, keys, nodes, progress)
        for word in range(seen, int(game.log_size)):
            node = follow(keys, nodes, progress, node, as_seen(int(log[word]), side, sides))
        after.node[side] = node
    if level > 0:
        mover = infostates[frame.infostate]
        after.sequence[mover.side] = mover.first + frame.action
    else:
        progress.weight += after.chance
    progress.histories += 1


@small
def hands_of(
    rules: Any, game: Any, sides: Any, side: int, keys: Any, nodes: Any, progress: Any
) -> int:
    """The node of a side that has seen nothing but its tiles."""
    node = 1 + side
    for seat in range(rules.seats):
        if sides[seat] == side:
            for word in range(rules.words):
                hand = dealt(rules, game, seat, word)
                node = follow(keys, nodes, progress, node, int(hand & _LOW))
                node = follow(keys, nodes, progress, node, int(hand >> _HALF_WORD))
    return node


@small
def note(frames: Any, progress: Any, told: Any, level: int, infostate: int) -> None:
    """Notes the history on the next level."""
    if len(told) > 0:
        history = told[progress.histories - 1]
        history.level = level + 1
        history.action = frames[level].action
        history.chance = frames[level + 1].chance
        history.infostate = infostate


@small
def add_leaf(game: Any, frame: Any, sides: Any, leaves: Any, progress: Any) -> None:
    """The end of a history."""
    leaf = leaves[progress.leaves]
    for side in range(SIDES):
        leaf.sequence[side] = frame.sequence[side]
    leaf.value = frame.chance * (game.gained[0] - game.gained[1])
    leaf.leader = sides[game.starter]
    progress.leaves += 1


@small
def infostate_at(
    games: Any,
    frames: Any,
    legal: Any,
    num_legal: Any,
    progress: Any,
    sides: Any,
    infostate_of: Any,
    infostates: Any,
    decks: Any,
    paths: Any,
    level: int,
) -> int:
    """The information state of the seat to move; it is new if nobody has come there before."""
    game, frame = games[level], frames[level]
    side = int(sides[game.to_move])
    node = int(frame.node[side])
    if infostate_of[node] >= 0:
        return int(infostate_of[node])
    number = int(progress.infostates)
    infostate_of[node] = number
    infostate = infostates[number]
    infostate.side = side
    infostate.actions = num_legal[level]
    infostate.parent = frame.sequence[side]
    infostate.first = progress.sequences
    infostate.starter = game.starter
    infostate.path = progress.path_words
    for before in range(1, level):
        paths[progress.path_words] = legal[before, frames[before].action]
        progress.path_words += 1
        for lot in range(frames[before].drawn, frames[before].fixed):
            paths[progress.path_words] = as_word(frames[before], lot)
            progress.path_words += 1
    infostate.moves = progress.path_words - infostate.path
    for place in range(decks.shape[1]):
        decks[number, place] = game.deck[place]
    progress.sequences += num_legal[level]
    progress.infostates += 1
    return number
