"""Mixed tables: different agents at one table of three or more, on deals that everybody plays from
every seat.

A pairing seats one agent among copies of another. Who wins against two or three others who differ
is another question, and this is where it is asked. For each deal it is drawn by lot who sits down,
and in which order round the table: as many different agents as there are seats, or all of them, and
some more than once. The deal is played once from every seat, everybody moving on by one chair, so
that all have had the same tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.language.usage import Usage
from domino_env.batches import Batch
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.forfeits import (
    TIME_LIMIT,
    Forfeit,
    default_forfeit_cost,
    play_seated,
    seated_players,
    usage_of,
)
from domino_env.evaluate.pairing import ChunkResult
from domino_env.execution.executor import ExecutorFactory, InOrder, run_tasks

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

FEWEST_SEATS = 3


@dataclass(frozen=True)
class TableStanding:
    """How many deals have been played at the mixed tables of a game, and so how many games."""

    game: str
    title: str
    num_players: int
    deals: int
    games: int


class MixedTables:
    """Plays deals at mixed tables, some at a time, and keeps the score.

    Results depend on the seed and, for stochastic agents, on how many deals are played at a time.

    Attributes:
        margins: float[deals, places], points a game of each place at the table over its opponents,
            the mean over the games of a deal. A place moves round the table with its agent.
        lineups: int[deals, places], the numbers of the agents.
        usage: what each agent has spent on a language model.
    """

    def __init__(
        self,
        rules: Any,
        num_players: int | None,
        entrants: tuple[Entrant, ...],
        seed: int = 0,
        time_limit: float | None = TIME_LIMIT,
        forfeit_cost: float | None = None,
    ) -> None:
        self.rules, self.entrants, self.seed = rules, entrants, seed
        self.num_players = num_players or rules.players[0]
        self.margins: Floats = np.zeros((0, self.num_players))
        self.lineups: Whole = np.zeros((0, self.num_players), np.int64)
        self.forfeits: list[Forfeit] = []
        self.usage = [Usage() for _ in entrants]
        self.time_limit = time_limit
        self.forfeit_cost = (
            default_forfeit_cost(rules, self.num_players) if forfeit_cost is None else forfeit_cost
        )

    @property
    def deals(self) -> int:
        """How many deals have been played."""
        return len(self.margins)

    @property
    def standing(self) -> TableStanding:
        """How far it is."""
        name, title, seats = self.rules.id, self.rules.title, self.num_players
        return TableStanding(name, title, seats, self.deals, self.deals * seats)

    def lineup(self, deal: int) -> Whole:
        """Which of the entrants sit down to a deal, place by place, int[P]."""
        lots = np.random.default_rng([self.seed + deal, 0x7AB1E])
        number = len(self.entrants)
        rounds = -(-self.num_players // number)
        seated = np.concatenate([lots.permutation(number) for _ in range(rounds)])
        return lots.permutation(seated[: self.num_players])

    def partners(self) -> list[list[int]]:
        """The places that win and lose together."""
        places = range(self.num_players)
        return (
            [[*places[::2]], [*places[1::2]]] if self.rules.teams else [[place] for place in places]
        )

    def add(self, chunk: ChunkResult) -> None:
        """Counts the next deals, wherever they were played."""
        seated = [self.lineup(self.deals + deal) for deal in range(len(chunk.margins))]
        self.lineups = np.concatenate([self.lineups, seated])
        self.margins = np.concatenate([self.margins, chunk.margins])
        self.forfeits += chunk.forfeits
        for number, spent in enumerate(chunk.usage):
            self.usage[number] += spent

    def play_deals(self, start: int, deals: int) -> ChunkResult:
        """Plays deals from number `start` on, and counts nothing: the outcome does not depend on
        what was played before, or where."""
        seats = self.num_players
        seeds = np.repeat(self.seed + start + np.arange(deals), seats)
        batch = Batch(self.rules, len(seeds), seats, autoreset=False, reward="points")
        batch.reset(seed=seeds)
        seating = np.concatenate([_turned(self.lineup(start + deal)) for deal in range(deals)])
        names = [each.name for each in self.entrants]
        players = seated_players(
            self.entrants, self.time_limit, self.seed, self.rules.id, "mixed", *names, start
        )
        played = play_seated(batch, players, seating)
        for lane, (number, _) in played.faults.items():
            played.returns[lane] = self._forfeited(seating[lane] == number)
        return ChunkResult(
            self._over_opponents(played.returns.reshape(deals, seats, seats)),
            [],
            played.forfeits(start, seats),
            tuple(map(usage_of, players)),
        )

    def _forfeited(self, guilty: npt.NDArray[np.bool_]) -> Floats:
        """The points of a game that some seats have forfeited, and so their partners."""
        points = np.zeros(self.num_players)
        for side in self.partners():
            points[side] = -self.forfeit_cost * guilty[side].any()
        return points

    def _over_opponents(self, returns: Floats) -> Floats:
        """Points of each place over its opponents, from float[deals, games, seats]."""
        found = np.zeros_like(returns[:, 0])
        for turn in range(self.num_players):
            found += np.roll(returns[:, turn], -turn, axis=1)  # from seats to places
        found /= self.num_players
        total, sides = found.sum(1, keepdims=True), self.partners()
        margins = np.empty_like(found)
        for side in sides:
            own = found[:, side].sum(1, keepdims=True)
            others = self.num_players - len(side)
            margins[:, side] = own / len(side) - (total - own) / others
        return margins.round(9)  # so that what evens out is 0 and not nearly so


def _turned(lineup: Whole) -> Whole:
    """Who sits where in each game of a deal, int[games, seats]: all move on by a chair."""
    return np.stack([np.roll(lineup, turn) for turn in range(len(lineup))])


# All tables of a tournament -----------------------------------------------------------------------


class Part(NamedTuple):
    """Deals that are played as one batch: a task for an executor."""

    number: int
    """Of the game."""
    chunk: int
    first: int
    """The first of its deals, counted from 0."""
    deals: int


def parts(games: int, deals: int, chunk_size: int) -> list[Part]:
    """All parts of the mixed tables of so many games."""
    return [
        Part(number, chunk, first, min(chunk_size, deals - first))
        for number in range(games)
        for chunk, first in enumerate(range(0, deals, chunk_size))
    ]


def play_part(every: list[MixedTables], part: Part) -> ChunkResult:
    """The task function."""
    return every[part.number].play_deals(part.first, part.deals)


def play_mixed_tables(
    every: list[MixedTables],
    wanted: list[Part],
    executor: ExecutorFactory,
    known: Mapping[tuple[int, int], ChunkResult],
    keep: Callable[[int, int, ChunkResult], None],
    on_tables: Callable[[TableStanding], None],
) -> None:
    """Plays and counts all parts.

    Args:
        every: the tables of each game.
        wanted: the parts.
        executor: where they are played.
        known: outcomes of an earlier run, by the number of the game and of the chunk.
        keep: is called with every other outcome, and these numbers.
        on_tables: is called after each part with how far its game is.
    """

    def count(part: Part, result: ChunkResult) -> None:
        every[part.number].add(result)
        on_tables(every[part.number].standing)

    def count_and_keep(part: Part, result: ChunkResult) -> None:
        count(part, result)
        keep(part.number, part.chunk, result)

    while wanted and wanted[0][:2] in known:
        part, *wanted = wanted
        count(part, known[part.number, part.chunk])
    with executor(partial(play_part, every)) as running:
        run_tasks(InOrder(wanted, count_and_keep), running)
