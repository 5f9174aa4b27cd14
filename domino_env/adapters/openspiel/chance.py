"""How likely each tile is while hands are dealt, given that the deal will be played.

All deals that the rules do not deal again are as likely. Those that they do are sets of hands that
can be named: hands without any tile that opens (G3); and, where nothing is drawn, hands with a
certain opening tile and nothing that fits it (G5). So such a deal has a tile that is held, or none,
and tiles that nobody holds, and the ways to complete hands without certain tiles are binomials.

Sets of tiles are whole numbers here, a bit for each tile.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

from domino_env.batches import Batch
from domino_env.engine.game_setup import ONE_ARM
from domino_env.engine.rule_table import NO_OPENER

Outcomes = list[tuple[int, float]]


class Dead(NamedTuple):
    """Deals that are dealt again: these tiles (one or none) are held, and none of those."""

    held: int
    absent: int


class Chances:
    """The chances of a start tile that is taken before hands are dealt (YT1), and of the tiles that
    are dealt to hands, one after the other. The double of a round lies in the middle without any
    chance (TR1).

    Attributes:
        before_play: how many tiles these are, all together.
    """

    def __init__(self, batch: Batch) -> None:
        rules, players = batch.rules, batch.num_players
        self._rules, self._rule_table = rules, batch.rule_table[0]
        self._tiles: int = rules.num_tiles
        self._each: int = rules.hand_size_for(players)
        self._hand_tiles = self._each * players
        self._start = 1 if rules.opening.tile in ("from_boneyard", "middle") else 0
        self.before_play = self._start + self._hand_tiles
        self._left_out = sum(1 << tile for tile in rules.left_out_with(players))
        self._group = 1 if rules.rows else self._each  # so many are dealt in ascending order
        self._dead = lru_cache(64)(self._dead_deals)
        self.of_hands = lru_cache(1 << 16)(self._of_hands)

    def deck(self, starter: int, dealt: tuple[int, ...]) -> list[int]:
        """A deck that begins as it has been dealt; what is not known yet is in ascending order."""
        known = {*dealt}
        rest = [tile for tile in range(self._tiles) if tile not in known]
        rest.sort(key=lambda tile: self._left_out >> tile & 1)  # those behind all others
        deck = [*dealt, *rest]
        if self._rules.rows:
            deck.insert(starter * self._each, deck.pop(0))
        if self._start:
            deck.insert(self._hand_tiles, deck.pop(0))
        return deck

    def dealing_order(self, starter: int, deck: list[int]) -> list[int]:
        """The tiles of a deck in the order in which chance deals them."""
        if self._rules.rows:
            opener = deck[starter * self._each]
            return [opener, *(tile for tile in deck if tile != opener)]
        firsts = range(0, self._hand_tiles, self._each)
        hands = [tile for first in firsts for tile in sorted(deck[first : first + self._each])]
        boneyard = deck[self._hand_tiles :]
        if not self._start:
            return hands + boneyard
        taken = self._rules.opening.tile == "middle"
        start = next(tile for tile in boneyard if taken or not self._is_double(tile))
        return [start, *hands, *(tile for tile in boneyard if tile != start)]

    def middle_of(self, number: int) -> tuple[int, ...]:
        """What lies on the table before the deal of a round, without any chance."""
        if self._rules.opening.tile != "middle":
            return ()
        return (self._rules.tile_set.round_doubles[number - 1],)

    def of_boneyard(self, dealt: tuple[int, ...]) -> Outcomes:
        """The chances of the next tile of the boneyard."""
        known = {*dealt}
        left = [
            tile
            for tile in range(self._tiles)
            if tile not in known and not self._left_out >> tile & 1
        ]
        return [(tile, 1 / len(left)) for tile in left]

    def _is_double(self, tile: int) -> bool:
        return bool(self._rules.tile_set.is_double(tile))

    def _of_start(self) -> Outcomes:
        """The chances of the start tile: any that is no double. Hands that are dealt again lack
        doubles, so that it is as likely after each of these."""
        singles = [tile for tile in range(self._tiles) if not self._is_double(tile)]
        return [(tile, 1 / len(singles)) for tile in singles]

    def _of_hands(self, known: tuple[int, ...], number: int) -> Outcomes:
        """The chances of the next tile that is dealt to a hand in a round of this number, or of the
        start tile."""
        if len(known) < self._start:
            return self._of_start()
        # Or out of the game for hands, as the start tile is.
        held = sum(1 << tile for tile in known) | self._left_out
        dealt = known[self._start :]
        done = len(dealt) % self._group
        more = self._group - done - 1  # for the same hand, after this one
        later = self._hand_tiles - len(dealt) - 1 - more
        least = dealt[-1] + 1 if done else 0
        ways = {
            tile: self._ways(
                *(held | 1 << tile, tile, more, later),
                self._dead_after(dealt[0] if dealt else tile, number),
            )
            for tile in range(least, self._tiles)
            if not held >> tile & 1
        }
        every = sum(ways.values())
        return [(tile, some / every) for tile, some in ways.items() if some]

    def _ways(self, held: int, last: int, more: int, later: int, dealt_again: list[Dead]) -> int:
        """In how many ways hands can be completed after a tile so that the deal is played."""
        left = (1 << self._tiles) - 1 & ~held
        above = (left >> (last + 1)) << (last + 1)
        ways = _choose(above, left, more, later)
        for dead in dealt_again:
            if not held & dead.absent:
                ways -= _choose(above & ~dead.absent, left & ~dead.absent, more, later)
                if dead.held & ~held:  # not those in which it is not held
                    absent = dead.absent | dead.held
                    ways += _choose(above & ~absent, left & ~absent, more, later)
        return ways

    def _dead_after(self, first: int, number: int) -> list[Dead]:
        """The deals that are dealt again; in a game of rows the first tile opens."""
        return [Dead(0, self._follow(first))] if self._rules.rows else self._dead(number)

    # Which deals are dealt again -----------------------------------------------------------------

    def _dead_deals(self, number: int) -> list[Dead]:
        opening = self._rules.opening
        if opening.starter not in ("highest_double", "lowest_double", "round_double"):
            return []
        ranks = self._opener_ranks(number)
        openers = sum(1 << tile for tile, rank in enumerate(ranks) if rank != NO_OPENER)
        dead = [Dead(0, openers)]
        told_apart = len({*ranks} - {NO_OPENER}) == openers.bit_count()
        if opening.tile == "that_double" and told_apart and self._hands_alone_count():
            for tile, rank in enumerate(ranks):
                if openers >> tile & 1:
                    better = sum(1 << other for other, its in enumerate(ranks) if its < rank)
                    dead.append(Dead(1 << tile, better | self._follow(tile)))
        enough = self._hand_tiles + self._start
        return [
            each
            for each in dead
            if self._tiles - (each.absent | self._left_out).bit_count() >= enough
        ]

    def _opener_ranks(self, number: int) -> list[int]:
        """How good each tile is to open a round of this number with."""
        if self._rules.opening.starter != "round_double":
            ranks: list[int] = self._rule_table["opener_rank"][: self._tiles].tolist()
            return ranks
        opener = self._rules.tile_set.round_doubles[number - 1]
        return [0 if tile == opener else NO_OPENER for tile in range(self._tiles)]

    def _hands_alone_count(self) -> bool:
        """Does who cannot follow the opening tile draw nothing?"""
        draw = self._rules.draw
        forced = draw.forced if draw.while_crossing == "as_forced" else draw.while_crossing
        return forced == "none" or self._tiles - self._hand_tiles <= draw.reserve

    def _follow(self, tile: int) -> int:
        """The tiles that can follow an opening tile."""
        halves = self._rule_table["half"][: 1 if self._rule_table["arms"] == ONE_ARM else 2, tile]
        words: Any = self._rule_table["joins"][halves[0]] | self._rule_table["joins"][halves[-1]]
        return sum(int(word) << 64 * w for w, word in enumerate(words)) & ~(1 << tile)


def _choose(above: int, left: int, more: int, later: int) -> int:
    """Ways to choose so many tiles of those above, and so many of all that are left after that."""
    spare = left.bit_count() - more
    return comb(above.bit_count(), more) * comb(spare, later) if spare >= 0 else 0
