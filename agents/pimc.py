"""`pimc`: tries every move in worlds that agree with all it has seen, and takes the best of them.

Perfect-information Monte Carlo: worlds are drawn from its belief (`domino_env.belief`), each legal
move is made in each of them, and all seats play the round out by the weights of `heuristic`, in
compiled code. Moves are compared in the same worlds. It looks at no tile that the seat to move has
not seen.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Actions, Lanes, must_play
from domino_env.agents.heuristic import NUM_FEATURES, Weights, as_row, best_action, weights_of
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.engine.compiling import kernel, small
from domino_env.engine.moves import list_moves
from domino_env.engine.rounds import take_decision
from domino_env.engine.seats import opposed
from domino_env.engine.state import GAME
from domino_env.errors import BadOption, TooUncertain, is_whole

AT_ONCE = 16  # worlds that are drawn and tried before the clock is looked at


class Pimc:
    """Tries moves in imagined worlds.

    Args:
        worlds: how many for each decision, if `seconds` is not given.
        seconds: how long it may take for each decision: as many worlds as fit.
        weights: by which all seats play on, by name; those of `heuristic` if none are given.
        seed: of what it imagines.
    """

    name = "pimc"

    def __init__(
        self,
        worlds: int = 256,
        seconds: float | None = None,
        weights: dict[str, float] | None = None,
        seed: int | None = None,
    ) -> None:
        if not is_whole(worlds) or not 1 <= worlds <= 100_000:
            raise BadOption(f"worlds must be a whole number from 1 to 100000, not {worlds!r}")
        if seconds is not None and not (isinstance(seconds, (int, float)) and 0 < seconds <= 3600):
            raise BadOption(f"seconds must be a number above 0, up to 3600, not {seconds!r}")
        self._worlds, self._seconds = worlds, seconds
        self._weights = None if weights is None else as_row(weights)
        self._seed = seed
        self._desk: _Desk | None = None

    @staticmethod
    def plays(rules: Any) -> bool:
        """It plays at a table, with others."""
        return not rules.alone

    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        must_play(self, batch)
        if self._desk is None or not self._desk.serves(batch):
            row = weights_of(batch.rules.id) if self._weights is None else self._weights
            self._desk = _Desk(batch, row, self._seed)
        chosen = batch.legal[lanes, 0].astype(np.int64)
        for place in np.flatnonzero(batch.num_legal[lanes] > 1):
            chosen[place] = self._choose(batch, int(lanes[place]))
        return chosen

    def _choose(self, batch: Batch, lane: int) -> int:
        desk: Any = self._desk
        desk.begin(batch, lane)
        if self._seconds is None:
            for first in range(0, self._worlds, AT_ONCE):
                desk.try_moves(min(AT_ONCE, self._worlds - first))
        else:
            end = time.perf_counter() + self._seconds
            desk.try_moves(AT_ONCE)
            while time.perf_counter() < end:
                desk.try_moves(AT_ONCE)
        return int(desk.best())


class _Desk:
    """Where it thinks: worlds, a game to play on, and what each move has gained."""

    def __init__(self, batch: Batch, weights: Weights, seed: int | None) -> None:
        self._batch = batch
        self._beliefs = Belief(batch, seed)
        self._imagined = self._beliefs.new_worlds(AT_ONCE)
        self._weights = weights
        actions = batch.num_actions
        self._gained = np.zeros(actions + 1)
        self._games = np.zeros(1, GAME)
        self._logs = np.zeros_like(batch.events[:1])
        self._mask = np.zeros((1, actions), np.int8)
        self._legal = np.zeros((1, actions + 1), np.int16)
        self._num_legal = np.zeros(1, np.int32)
        self._table = np.zeros(1, GAME)
        self._features = np.zeros(NUM_FEATURES)
        self._lane, self._seat = 0, 0

    def serves(self, batch: Batch) -> bool:
        """Is it made for this batch?"""
        return self._batch is batch

    def begin(self, batch: Batch, lane: int) -> None:
        """Begins to think about a lane's decision."""
        self._lane, self._seat = lane, int(batch.seat[lane])
        self._gained[:] = 0

    def try_moves(self, worlds: int) -> None:
        """Tries each legal move in so many new worlds."""
        try:
            self._beliefs.fill(self._imagined, [self._lane], [self._seat], shown=False)
        except TooUncertain:  # it hardly ever is; then the first move is as good as any
            return
        play_out_moves(
            self._batch.book,
            self._imagined.games[:worlds],
            self._seat,
            self._batch.legal[self._lane],
            int(self._batch.num_legal[self._lane]),
            self._weights,
            self._games,
            self._logs,
            self._mask,
            self._legal,
            self._num_legal,
            self._table,
            self._features,
            self._gained,
        )

    def best(self) -> int:
        """The move that has gained the most."""
        moves: npt.NDArray[np.int16] = self._batch.legal[self._lane]
        moves = moves[: self._batch.num_legal[self._lane]]
        return int(moves[np.argmax(self._gained[: len(moves)])])


@kernel
def play_out_moves(
    books: Any,
    worlds: Any,
    seat: int,
    moves: Any,
    num_moves: int,
    weights: Any,
    games: Any,
    logs: Any,
    mask: Any,
    legal: Any,
    num_legal: Any,
    table: Any,
    features: Any,
    gained: Any,
) -> None:
    """Adds up what each move gains in each world, if all go on by the weights."""
    book = books[0]
    for world in range(len(worlds)):
        for move in range(num_moves):
            games[0] = worlds[world]
            game, log = games[0], logs[0]
            game.log_size = book.tiles  # what has happened is of no matter any more
            before = margin(book, game, seat)
            take_decision(book, game, log, int(moves[move]))
            while not game.round_over and not game.over:
                game.log_size = book.tiles
                list_moves(book, game, mask, legal, num_legal, 0)
                action = best_action(
                    book, game, legal[0], int(num_legal[0]), weights, table, features
                )
                take_decision(book, game, log, action)
            gained[move] += margin(book, game, seat) - before


@small
def margin(book: Any, game: Any, seat: int) -> float:
    """A seat's points over the mean of its opponents' (G14)."""
    others, opponents = 0.0, 0
    for other in range(book.seats):
        if opposed(book, seat, other):
            others += game.scores[other]
            opponents += 1
    return float(game.scores[seat]) - others / opponents
