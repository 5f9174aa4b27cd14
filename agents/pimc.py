"""`pimc`: tries every move in worlds that agree with all it has seen, and takes the best of them.

Perfect-information Monte Carlo: worlds are drawn from its belief (`domino_env.belief`), and weighed
by how likely the others' moves are in them (`hindsight`). Each legal move is made in each of them,
and all seats play the round out by the weights of `heuristic`, in compiled code. Moves are compared
in the same worlds, and those that have fallen clearly behind are tried no further. It looks at no
tile that the seat to move has not seen.
"""

from __future__ import annotations

import time
from math import exp, inf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents import Actions, Lanes, Shown, at_decisions, must_play, parts
from domino_env.agents.heuristic import Weights, as_row, weights_of
from domino_env.agents.likelihood import hindsight
from domino_env.agents.playout import Table, gain_of, new_table
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.engine.compiling import kernel, small
from domino_env.engine.state import Book, Game
from domino_env.errors import BadOption, TooUncertain, is_whole

COMPILED = ("the agent pimc", 10)

AT_ONCE = 64  # worlds that are drawn and tried before the clock is looked at
MANY = 0.5  # the part of all worlds that must count, however unlikely the others' moves make most
CLEARLY = 3.0**2  # a move is behind if it is so by three times what chance does; squared


class Pimc(Shown):
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

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        if self._desk is None or not self._desk.serves(batch):
            at_once = AT_ONCE if self._seconds is not None else min(AT_ONCE, self._worlds)
            self._desk = self._new_desk(batch, at_once)
        chosen = batch._legal[lanes, 0].astype(np.int64)
        for place in np.flatnonzero(batch._num_legal[lanes] > 1):
            chosen[place] = self._choose(self._desk, int(lanes[place]))
        return chosen

    def weigh(self, batch: Batch, lane: int) -> list[tuple[int, float]]:
        """What each legal move gains, in points over the opponents' until the round is over, the
        best first. All are tried in the same worlds; where none can be had the list is empty."""
        must_play(self, batch)
        desk = self._new_desk(batch, self._worlds)
        desk.begin(lane)
        worths = desk.worths() if desk.try_moves(self._worlds) else []
        return sorted(worths, key=lambda worth: -worth[1])

    def _new_desk(self, batch: Batch, at_once: int) -> _Desk:
        row = weights_of(batch.rules.id) if self._weights is None else self._weights
        return _Desk(batch, row, at_once, self._seed)

    def _choose(self, desk: _Desk, lane: int) -> int:
        end = time.perf_counter() + (self._seconds or 0.0)
        desk.begin(lane)
        left, thinking = self._worlds, True
        while thinking and desk.undecided():
            if self._seconds is None:
                thinking = desk.try_moves(left)
                left -= AT_ONCE
                thinking &= left > 0
            else:
                thinking = desk.try_moves(AT_ONCE) and time.perf_counter() < end
        return desk.best()


class Account(NamedTuple):
    """What the moves of a decision have gained, in worlds that count more the likelier they are."""

    gained: Any  # float64[M]
    apart: Any  # float64[M, M]: the squares of how far two moves were apart
    tried: Any  # bool[M]: is it still?
    latest: Any  # float64[M]: what they gained in one world
    faith: Any  # float64[1]: how far hindsight is trusted, up to 1; 0: no world has been seen yet
    likeliest: Any  # float64[1]: the logarithm of how likely a world is that counts 1


def _new_account(moves: int) -> Account:
    return Account(
        gained=np.zeros(moves),
        apart=np.zeros((moves, moves)),
        tried=np.ones(moves, np.bool_),
        latest=np.zeros(moves),
        faith=np.zeros(1),
        likeliest=np.full(1, -inf),
    )


class _Desk:
    """Where it thinks: worlds, a table to play on, and what each move has gained."""

    def __init__(self, batch: Batch, weights: Weights, at_once: int, seed: int | None) -> None:
        self._batch, self._weights = batch, weights
        self._beliefs = Belief(batch, seed)
        self._worlds = self._beliefs.new_worlds(at_once)
        self._likely = np.zeros(at_once)
        self._table = new_table(batch)
        self._account = _new_account(0)
        self._moves: npt.NDArray[np.int16] = batch._legal[0, :0]
        self._lane, self._seat = 0, 0

    def serves(self, batch: Batch) -> bool:
        """Is it made for this batch?"""
        return self._batch is batch

    def begin(self, lane: int) -> None:
        """Begins to think about a lane's decision."""
        batch = self._batch
        self._lane, self._seat = lane, int(batch._seat[lane])
        self._moves = batch._legal[lane, : batch._num_legal[lane]]
        self._account = _new_account(len(self._moves))

    def undecided(self) -> bool:
        """Is more than one move still tried?"""
        return int(self._account.tried.sum()) > 1

    def try_moves(self, most: int) -> bool:
        """Tries the moves in some new worlds; False if there are none to be had."""
        try:
            self._beliefs._fill(self._worlds, [self._lane], [self._seat])
        except TooUncertain:  # it hardly ever is; then the best so far is as good as any
            return False
        worlds = min(most, self._worlds.num_games)
        try_worlds(
            self._batch._book,
            self._worlds._games[:worlds],
            self._worlds._logs,
            self._seat,
            self._moves,
            self._weights,
            self._table,
            self._likely,
            self._account,
        )
        return True

    def best(self) -> int:
        """The move that has gained the most, of those still tried."""
        account = self._account
        return int(self._moves[np.argmax(np.where(account.tried, account.gained, -inf))])

    def worths(self) -> list[tuple[int, float]]:
        """What each move has gained in a world, after one `try_moves`: then all of them have been
        tried in all worlds."""
        gains = self._account.gained / self._likely.sum()
        return [(int(move), float(gain)) for move, gain in zip(self._moves, gains, strict=True)]


def try_worlds(
    books: Any,
    worlds: Any,
    logs: Any,
    seat: int,
    moves: Any,
    weights: Weights,
    table: Table,
    likely: Any,
    account: Account,
) -> None:
    """Tries moves in worlds. Of those less likely than most only some are played out, which stand
    for the others. After some worlds Ctrl-C takes effect."""
    for part in parts(len(worlds), AT_ONCE):
        look_back(books, worlds, logs, seat, weights, table, likely, part.start, part.stop)
    if account.faith[0] == 0.0:
        account.faith[0] = find_faith(likely, len(worlds))
    usual = weigh_worlds(len(worlds), likely, account)
    waiting = usual / 2.0
    for part in parts(len(worlds), AT_ONCE):
        waiting = try_some(
            *(books, worlds, seat, moves, weights, table, likely, account),
            *(usual, waiting, part.start, part.stop),
        )
    leave_out(account)


@kernel
def look_back(
    books: Any,
    worlds: Any,
    logs: Any,
    seat: int,
    weights: Weights,
    table: Table,
    likely: Any,
    first: int,
    last: int,
) -> None:
    """How likely some worlds are, by what the others did; as logarithms."""
    for world in range(first, last):
        likely[world] = hindsight(books[0], worlds[world], logs[world], seat, weights, table)


@kernel
def try_some(
    books: Any,
    worlds: Any,
    seat: int,
    moves: Any,
    weights: Weights,
    table: Table,
    likely: Any,
    account: Account,
    usual: float,
    waiting: float,
    first: int,
    last: int,
) -> float:
    """Tries moves in some worlds; `waiting` is the weight of those passed over, and answered so."""
    book = books[0]
    for world in range(first, last):
        weight = likely[world]
        if weight < usual:
            waiting += weight
            if waiting < usual:
                continue
            waiting -= usual
            weight = usual
        try_world(book, worlds[world], seat, moves, weight, weights, table, account)
    return waiting


@kernel
def find_faith(likely: Any, worlds: int) -> float:
    """The most that hindsight can be trusted without leaving too few worlds that count: after many
    decisions of others it would leave one or two, and those by luck."""
    faith = 1.0
    while faith > 0.01 and as_many_as(likely, worlds, faith) < MANY * worlds:
        faith *= 0.8
    return faith


@kernel
def as_many_as(likely: Any, worlds: int, faith: float) -> float:
    """To how many worlds that count alike these come."""
    likeliest, together, squares = -inf, 0.0, 0.0
    for world in range(worlds):
        likeliest = max(likeliest, likely[world])
    for world in range(worlds):
        weight = exp(faith * (likely[world] - likeliest))
        together += weight
        squares += weight * weight
    return together * together / squares


@kernel
def weigh_worlds(worlds: int, likely: Any, account: Account) -> float:
    """Turns logarithms into weights, of which the likeliest world so far has 1; their mean."""
    likeliest = account.likeliest[0]
    for world in range(worlds):
        likely[world] *= account.faith[0]
    for world in range(worlds):
        likeliest = max(likeliest, likely[world])
    count_less(account, exp(account.likeliest[0] - likeliest))
    account.likeliest[0] = likeliest
    together = 0.0
    for world in range(worlds):
        likely[world] = exp(likely[world] - likeliest)
        together += likely[world]
    return together / worlds


@small
def count_less(account: Account, part: float) -> None:
    """All that has been gained counts only in part."""
    for move in range(len(account.gained)):
        account.gained[move] *= part
        for other in range(len(account.gained)):
            account.apart[move, other] *= part * part


@kernel
def try_world(
    book: Book,
    world: Game,
    seat: int,
    moves: Any,
    weight: float,
    weights: Weights,
    table: Table,
    account: Account,
) -> None:
    """Plays one world out after each move."""
    for move in range(len(moves)):
        if not account.tried[move]:
            continue
        gain = weight * gain_of(book, world, seat, int(moves[move]), weights, table)
        account.gained[move] += gain
        account.latest[move] = gain
        for other in range(move):
            account.apart[move, other] += (gain - account.latest[other]) ** 2


@kernel
def leave_out(account: Account) -> None:
    """Moves that are clearly behind the best are tried no further, nor those that have gained just
    as much as it everywhere."""
    best = -1
    for move in range(len(account.gained)):
        if account.tried[move] and (best < 0 or account.gained[move] > account.gained[best]):
            best = move
    for move in range(len(account.gained)):
        behind = account.gained[best] - account.gained[move]
        apart = account.apart[max(move, best), min(move, best)]
        if move != best and behind * behind >= CLEARLY * apart:
            account.tried[move] = False
