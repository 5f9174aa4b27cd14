"""Beliefs the long way: every deal there is, played through, and kept if a seat would have seen the
same. It asks the engine what each deal would have looked like, and knows nothing of how beliefs are
drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from domino_env.batches import Batch
from domino_env.engine.log import unpack
from domino_env.engine.state import (
    ANSWERED,
    DREW,
    PASSED,
    PLAY,
    PLAYED,
    STOPPED,
    TOOK,
)
from domino_env.errors import BadDeal

Key = tuple[Any, ...]
Event = tuple[int, ...]
HIDDEN = -1
DRAWS_OF_LOTS = 40


def events_of(batch: Batch, lane: int, viewer: int | None = None) -> list[Event]:
    """The events of a round; without the tiles that a viewer has not seen, and without the reasons
    for draws, which nobody tells."""
    words = batch.events[lane, batch.rules.num_tiles : batch.games["log_size"][lane]]
    found = []
    for kind, seat, tile, end, half in zip(*map(list, unpack(words)), strict=True):
        if viewer is not None and kind in (DREW, TOOK) and seat != viewer:
            if kind == DREW or end != viewer:
                tile = HIDDEN
        found.append(tuple(map(int, (kind, seat, tile, 0 if kind == DREW else end, half))))
    return found


def key_of(batch: Batch, lane: int) -> Key:
    """A deal, with hands in no order, and the tiles that were taken out of hands at random."""
    deck = batch.events[lane, : batch.rules.num_tiles].tolist()
    taken = tuple(event[2] for event in events_of(batch, lane) if event[0] == TOOK)
    if batch.rules.rows:
        return (tuple(deck),)
    size = batch.rules.hand_size_for(batch.num_players)
    hands = [tuple(sorted(deck[s * size : (s + 1) * size])) for s in range(batch.num_players)]
    return (*hands, tuple(deck[size * batch.num_players :]), taken)


def deals(batch: Batch, lane: int, viewer: int, ordered: bool) -> Iterator[Any]:
    """Every deal in which the viewer has its own hand; hands in every order only if asked for."""
    deck = batch.events[lane, : batch.rules.num_tiles].tolist()
    size, seats = batch.rules.hand_size_for(batch.num_players), batch.num_players
    if batch.rules.rows:
        yield from map(list, permutations(deck))
        return
    own = deck[viewer * size : (viewer + 1) * size]
    tiles, opening = batch.rules.tile_set, batch.rules.opening.tile
    others = [seat for seat in range(seats) if seat != viewer]
    choose: Any = permutations if ordered else combinations

    def hand_out(left: list[int], hands: dict[int, Any]) -> Iterator[Any]:
        if len(hands) == seats:
            for boneyard in permutations(left):
                if opening == "from_boneyard" and tiles.is_double(boneyard[0]):
                    continue  # the start tile lies in front: it was taken first (YT1)
                if opening == "middle" and boneyard[0] != deck[seats * size]:
                    continue  # everybody sees the middle (TR1)
                yield [tile for seat in range(seats) for tile in hands[seat]] + [*boneyard]
            return
        for hand in choose(left, size):
            rest = [tile for tile in left if tile not in hand]
            yield from hand_out(rest, {**hands, others[len(hands) - 1]: hand})

    yield from hand_out([tile for tile in deck if tile not in own], {viewer: own})


class Witness:
    """What a seat has seen of a game, and whether another deal would have looked the same."""

    def __init__(self, batch: Batch, lane: int, viewer: int) -> None:
        self.batch, self.lane, self.viewer = batch, lane, viewer
        self.record = events_of(batch, lane, viewer)
        self.other = Batch(
            batch.rules,
            1,
            batch.num_players,
            0,
            episode=batch.episode,
            calls=batch.calls,
            autoreset=False,
        )

    def all_worlds(self, ordered: bool = False) -> Counter[Key]:
        """Every deal that agrees, with how many orders of the hands do."""
        found: Counter[Key] = Counter()
        for deck in deals(self.batch, self.lane, self.viewer, ordered):
            found.update(self.plays_of(deck))
        return found

    def plays_of(self, deck: list[Any]) -> Iterator[Key]:
        """The ways in which a deal can have led to the record."""
        size, seats = (
            self.batch.rules.hand_size_for(self.batch.num_players),
            range(self.batch.num_players),
        )
        deal: dict[str, Any] = {"hands": [deck[s * size : (s + 1) * size] for s in seats]}
        deal["boneyard"] = deck[size * len(seats) :]
        lots = self.batch.rules.opening.starter in ("lot", "in_turn")
        if lots or self.batch.games["free_lead"][self.lane]:
            deal["starter"] = int(self.batch.games["starter"][self.lane])
        try:
            self.other.reset(options={"deal": deal})
        except BadDeal:
            return
        yield from self.go_on()

    def go_on(self) -> Iterator[Key]:
        """Plays on as the record has it, in all ways in which tiles can be picked."""
        seen = events_of(self.other, 0, self.viewer)
        if seen != self.record[: len(seen)]:
            return
        if len(seen) == len(self.record):
            if self.waits_alike():
                yield key_of(self.other, 0)
            return
        action = self.action_of(self.record[len(seen)])
        if action is None:
            return
        before = self.other.save(0)
        for after in self.outcomes(action, before, len(seen)):
            self.other.restore(0, after)
            yield from self.go_on()

    def outcomes(self, action: int, before: bytes, heard: int) -> list[bytes]:
        """What the action can lead to: more than one thing if tiles are picked at random."""
        self.other.step_one(action)
        if not any(event[0] == TOOK for event in events_of(self.other, 0)[heard:]):
            return [self.other.save(0)]
        found = {}
        for state in range(DRAWS_OF_LOTS):
            self.other.restore(0, before)
            self.other._games["rng"][0] = state * 0x1234567
            self.other.step_one(action)
            found[tuple(events_of(self.other, 0))] = self.other.save(0)
        return [*found.values()]

    def waits_alike(self) -> bool:
        """Is the same asked of the same seat, and if it is the viewer, may it do the same?"""
        own, other, lane = self.batch, self.other, self.lane
        same = (
            own.seat[lane] == other.seat[0]
            and own.games["stage"][lane] == other.games["stage"][0]
            and bool(own.games["over"][lane]) == bool(other.games["over"][0])
        )
        if same and own.seat[lane] == self.viewer:
            return bool((own.mask[lane] == other.mask[0]).all())
        return bool(same)

    def action_of(self, event: Event) -> int | None:
        """The action that the record says was taken, if it is legal here."""
        other = self.other
        kind, seat, tile, end, half = event
        if other.seat[0] != seat:
            return None
        rule_table, stage = other.rule_table, int(other.games["stage"][0])
        if stage != PLAY:
            no = kind - ANSWERED - 2 * (stage - 1)
            action = int(rule_table["answers"][0, stage, no]) if no in (0, 1) else -1
        elif kind == PLAYED:
            action = (tile * int(rule_table["ends"][0]) + end) * 2 + half
        else:
            names = {DREW: "draw", PASSED: "pass_turn", STOPPED: "end_turn"}
            action = int(rule_table[names[kind]][0]) if kind in names else -1
        return action if action >= 0 and other.mask[0, action] else None


def replays(world: Batch, lane: int, viewer: int, batch: Batch, of: int) -> bool:
    """Does a world's own deal lead to what the viewer has seen, and to that world?"""
    witness = Witness(batch, of, viewer)
    deck = world.events[lane, : world.rules.num_tiles].tolist()
    for _ in witness.plays_of(deck):
        now, then = witness.other.position(0), world.position(lane)
        if now == then:
            return True
    return False


def play_some(batch: Batch, decisions: int) -> None:
    """Plays at random, and stops short of the end of a game."""
    for _ in range(decisions):
        saved = {lane: batch.save(lane) for lane in range(batch.num_games)}
        batch.step(batch.sample())
        for lane in range(batch.num_games):
            if batch.seat[lane] < 0:
                batch.restore(lane, saved[lane])
