"""Who holds what, as numbers: exactly, not from samples.

Counting knows what a hand cannot have had (`engine.hidden.deal_counting`). That a hand did have a
tile which fits, or the best tile to open with, is brought in here by inclusion and exclusion: of
all deals those are taken away in which it had none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from math import exp, inf, lgamma, log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.belief.sampling import Belief
from domino_env.engine.hidden.cases import ALL_LISTED, INTERRUPTED
from domino_env.engine.hidden.holders import add_shares, count_cases, read_lane
from domino_env.engine.hidden.information_set import (
    ANYBODY,
    CHECK,
    DEALT,
    HAS,
    LACKS,
    NOBODYS_SEAT,
    STILL_THERE,
)
from domino_env.engine.rule_table import HIGHEST_DOUBLE, LOWEST_DOUBLE, NO_OPENER
from domino_env.errors import BadOption, GameOver, TooUncertain

MOST_COUNTS = 4096
Shares = npt.NDArray[np.float64]  # [tile, seat; the last: the boneyard]


def marginals(batch: Batch, lane: int, seat: int) -> Shares:
    """For each tile how likely it is in whose hand, by all that a seat has seen.

    Args:
        batch: a multiplayer game.
        lane: a lane whose game is not over.
        seat: whose information set; it need not be the seat to move.

    Returns:
        float64[tiles, seats + 1]: the columns are the seats, and at last the boneyard. A row is all
        zero for a tile that is on the table or that was never dealt. Deals that agree are equally
        likely: others' choices are not weighed.
    """
    must_go_on(batch, lane, seat)
    return shares_of(batch, lane, seat)


def log_likelihood(batch: Batch, lane: int, seat: int) -> float:
    """The logarithm of how likely all hands are as they are, by all that a seat has seen: 0 if it
    could know them, and for a seat that guesses them the score of a perfect counter."""
    must_go_on(batch, lane, seat)
    if batch.rules.rows:
        return _log_likelihood_of_rows(batch, lane)
    all_deals, these = _Count(batch, lane, seat), _Count(batch, lane, seat)
    all_deals.count()
    boneyard = these.hold_as_it_is()
    these.count()
    if these.total <= 0:
        raise TooUncertain("the hands as they are do not agree with what the seat has seen")
    return log(these.total) - log(all_deals.total) + these.scale - all_deals.scale + boneyard


def shares_of(batch: Batch, lane: int, viewer: int) -> Shares:
    """The marginals of a seat, or of an onlooker."""
    if batch.rules.rows:
        return _shares_of_rows(batch, lane)
    count = _Count(batch, lane, viewer)
    count.count(shares=True)
    shares: Shares = np.clip(count.shares / count.total, 0.0, 1.0)
    if viewer != NOBODYS_SEAT:
        shares[_tiles_in(batch.games["hands"][lane, viewer]), viewer] = 1.0
    return shares


def must_go_on(batch: Batch, lane: int, seat: int) -> None:
    """Refuses a game that is over, and what is no lane or seat."""
    batch.must_be_reset("a belief")
    (some,) = batch.some_lanes([lane])
    batch.some_seats([seat], 1)
    if not batch.rules.has_opponents:
        raise BadOption(f"beliefs are about what others hold: {batch.rules.id} has one player")
    if batch._num_legal[some] == 0:
        raise GameOver(f"lane {some} is over: there is nothing left to believe")


class _Term(NamedTuple):
    """Some deals of a sum: those in which hands lack more, and tiles were dealt to a seat."""

    weight: float
    lacks: tuple[Any, ...] = ()
    dealt: tuple[int, ...] = ()
    opener: int = -1


class _Count:
    """Counts the deals that agree with what a seat has seen.

    Attributes:
        total: how many there are, times exp(-scale).
        scale: so that the numbers can be written down.
        shares: how many of them have each tile where.
    """

    def __init__(self, batch: Batch, lane: int, viewer: int) -> None:
        self._batch, self._lane, self._viewer = batch, lane, viewer
        self._notes = _notes_of(batch)
        self._table, self._game = batch._rule_table, batch.games[lane]
        read = (self._table, batch._games, batch._logs, lane, viewer, self._notes)
        with batch._held:
            if not read_lane(*read):
                raise TooUncertain("too much went unseen from hand to hand")
        self._evidence = self._notes.evidence[0]
        checks = self._notes.checks[: self._evidence.checks].copy()
        self._lacks = checks[checks["shown"] == LACKS]
        self._has = [check for check in checks if check["shown"] == HAS]
        self._pieces = self._notes.pieces[: self._evidence.pieces].copy()
        self._opener = int(self._evidence.opener)
        opened = self._evidence.first if self._opener >= 0 else self._game["starter"]
        self._first = int(opened)
        self.total, self.scale, self._counts = 0.0, -inf, 0
        self.shares = np.zeros((batch.rules.num_tiles, batch.num_players + 1))
        self._reached = np.zeros(0)

    def count(self, shares: bool = False) -> None:
        """Adds up all terms."""
        if shares:
            self._reached = np.zeros(len(self._notes.ways) // 2)
        for term in self._openings():
            self._exclude(term, self._has)
        if self.total <= 0:
            raise TooUncertain("no deal agrees with what the seat has seen")

    def hold_as_it_is(self) -> float:
        """From now on only deals count after which every hand is as it is; those differ in the
        order of the boneyard. Answers with the logarithm of how many orders it has."""
        kept = []
        for piece in self._pieces:
            if piece["left"] == STILL_THERE:
                seat = self._holder_of(int(piece["tile"]))
                if seat < 0:
                    continue
                piece["left"], piece["seat"] = STILL_THERE - 1, seat
            kept.append(piece)
        left_out = len(self._pieces) - len(kept)
        self._pieces = np.array(kept, self._pieces.dtype)
        return lgamma(left_out + 1)

    def _holder_of(self, tile: int) -> int:
        hands = self._batch.games["hands"][self._lane]
        held = [s for s, hand in enumerate(hands) if int(hand[tile >> 6]) >> (tile & 63) & 1]
        return held[0] if held else -1

    # Inclusion and exclusion ----------------------------------------------------------------------

    def _exclude(self, term: _Term, has: list[Any]) -> None:
        """Adds a term, and takes away the deals in which a hand lacks what it has shown to have."""
        if not self._add(term):
            return  # if no deal agrees, none does that must agree with more
        for place, check in enumerate(has):
            lacks = (*term.lacks, *self._lacking(check))
            self._exclude(term._replace(weight=-term.weight, lacks=lacks), has[place + 1 :])

    def _lacking(self, check: Any) -> Iterator[Any]:
        """The opposite of a check: nobody of those it is about had such a tile."""
        seats = range(self._batch.num_players) if check["seat"] == ANYBODY else [check["seat"]]
        for seat in seats:
            if seat != self._viewer:
                yield _lack(seat, check["time"], check["wanted"])

    def _openings(self) -> Iterator[_Term]:
        """What the opening shows, as a sum of terms: which seat had the best tile to open with."""
        by_double = self._table["starter"][0] in (HIGHEST_DOUBLE, LOWEST_DOUBLE)
        if not by_double or self._game["free_lead"]:
            yield _Term(1.0, opener=self._opener)
        elif self._opener >= 0:
            yield from self._first_of_its_hand(self._opener)
        else:
            yield from self._best_of_all(self._first)

    def _first_of_its_hand(self, opener: int) -> Iterator[_Term]:
        """Of tiles in a hand that are as good to open with the one dealt first opens: a deal with
        so many counts as one of so many."""
        ranks = self._table["opener_rank"][0]
        hidden = [] if self._first == self._viewer else self._pieces["tile"].tolist()
        alike = [t for t in hidden if ranks[t] == ranks[opener] and t != opener]
        for some in chain(*(combinations(alike, number) for number in range(len(alike) + 1))):
            lacks = [_lack(self._first, 0, _words([t])) for t in alike if t not in some]
            yield _Term(1 / (1 + len(some)), tuple(lacks), some, opener)

    def _best_of_all(self, starter: int) -> Iterator[_Term]:
        """The starter's best tile is better than everybody's: for each tile that it can be."""
        ranks = self._table["opener_rank"][0]
        own = self._batch.events[self._lane] if self._viewer >= 0 else []
        size = int(self._table["hand_size"][0])
        mine = [ranks[t] for t in own[self._viewer * size : (self._viewer + 1) * size]]
        mine_best = min(mine, default=NO_OPENER)
        tiles = [mine_best] if starter == self._viewer else ranks[self._pieces["tile"]].tolist()
        for rank in sorted({rank for rank in tiles if rank < NO_OPENER}):
            if (mine_best, self._viewer) < (rank, starter):
                continue
            opener = int(np.flatnonzero(ranks == rank)[0])
            yield _Term(1.0, opener=opener)
            if starter != self._viewer:
                none = _lack(starter, 0, _words(np.flatnonzero(ranks == rank)))
                yield _Term(-1.0, (none,), opener=opener)

    # One term -------------------------------------------------------------------------------------

    def _add(self, term: _Term) -> bool:
        """Counts the deals of a term; False if there are none."""
        self._counts += 1
        if self._counts > MOST_COUNTS:
            raise TooUncertain("hands have shown too often that they had a tile, to be counted")
        self._write(term)
        went = count_cases(self._table, self._notes, True)
        while went == INTERRUPTED:
            went = count_cases(self._table, self._notes, False)
        if went != ALL_LISTED:
            raise TooUncertain("too much went unseen from hand to hand")
        listed = int(self._evidence.listed)
        for case in range(listed):
            self._add_case(case, term.weight)
        return listed > 0

    def _add_case(self, case: int, weight: float) -> None:
        number = self._notes.log_counts[case]
        if self.scale == -inf:
            self.scale = float(number)
        weight *= exp(number - self.scale)
        self.total += weight
        if len(self._reached):
            added = (self._table, self._notes, case, weight, self._reached, self.shares)
            if not add_shares(*added):
                raise TooUncertain("too many tiles are hidden to be counted exactly: draw worlds")

    def _write(self, term: _Term) -> None:
        """Writes the evidence of a term where kernels read it."""
        notes, evidence = self._notes, self._evidence
        lacks = np.concatenate([self._lacks, *term.lacks])
        notes.checks[: len(lacks)] = lacks
        notes.pieces[: len(self._pieces)] = self._pieces
        evidence.checks, evidence.pieces = len(lacks), len(self._pieces)
        evidence.opener, evidence.first = term.opener, self._first
        slots = notes.slots[: evidence.slots]
        for tile in term.dealt:
            hand = (slots["kind"] == DEALT) & (slots["seat"] == self._first)
            place = np.flatnonzero(self._pieces["tile"] == tile)
            notes.pieces["slot"][place] = np.flatnonzero(hand)[0]


def _notes_of(batch: Batch) -> Any:
    """Memory for reading and counting, of which more is written here than kernels' types tell."""
    return Belief(batch)._notes


def _lack(seat: int, time: int, wanted: Any) -> Any:
    """A check that shows that a hand had none of these tiles."""
    check = np.zeros(1, CHECK)
    check["shown"], check["seat"], check["time"], check["wanted"] = LACKS, seat, time, wanted
    return check


def _words(tiles: Any) -> npt.NDArray[np.uint64]:
    """Tiles as bits."""
    words = np.zeros(CHECK["wanted"].shape, np.uint64)
    for tile in tiles:
        words[tile >> 6] |= np.uint64(1 << (tile & 63))
    return words


def _tiles_in(words: Any) -> list[int]:
    """The tiles of bits."""
    return [64 * w + b for w, word in enumerate(words) for b in range(64) if int(word) >> b & 1]


# Games of rows: nobody has seen a tile before it was flipped, so all others are alike -------------


def _unseen(batch: Batch, lane: int) -> tuple[list[int], list[list[int]]]:
    """The tiles that nobody has seen, and the tiles of each hand."""
    game = batch.games[lane]
    seen = {*_tiles_in(game["seen"]), int(game["flipped"])}
    seen.update(*(_tiles_in(played) for played in game["played"]))
    hands = [_tiles_in(game["hands"][seat]) for seat in range(batch.num_players)]
    return [tile for tile in range(batch.rules.num_tiles) if tile not in seen], hands


def _shares_of_rows(batch: Batch, lane: int) -> Shares:
    unseen, hands = _unseen(batch, lane)
    shares = np.zeros((batch.rules.num_tiles, batch.num_players + 1))
    numbers = [len({*hand} & {*unseen}) for hand in hands]
    for seat, hand in enumerate(hands):
        shares[hand, seat] = 1.0
    shares[unseen] = np.array([*numbers, len(unseen) - sum(numbers)]) / max(len(unseen), 1)
    return shares


def _log_likelihood_of_rows(batch: Batch, lane: int) -> float:
    unseen, hands = _unseen(batch, lane)
    numbers = [len({*hand} & {*unseen}) for hand in hands]
    ways = sum(lgamma(n + 1) for n in (*numbers, len(unseen) - sum(numbers)))
    return ways - lgamma(len(unseen) + 1)
