"""Playing the benchmark: all its deals, or in the short form as many as there is time for.

The short form takes the deals of every game in the same order, the first two of each game, then as
many again of each, and so on. Once the time is short, a game goes on only if its next deals will be
over in time, going by how long its last ones took. So an agent that is fast plays all deals of the
short form, and one that is slow fewer, spread evenly over the games. Nothing else depends on time:
the same deals give the same scores.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.evaluate.benchmark import (
    LATEST,
    Benchmark,
    BenchmarkGame,
    benchmark,
    check_installed,
    some_of,
)
from domino_env.evaluate.entrants import Entrant, as_entrants
from domino_env.evaluate.pairing import ChunkResult, Pairing, Standing, Variance
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.evaluate.tournament import TournamentSettings, check_agents, pairing_of
from domino_env.execution.executor import ExecutorFactory, InOrder, run_tasks, thread_executor
from domino_env.ruleset import Rules

CHUNK = 250  # deals
FEWEST = 2  # deals of a game: one alone has no interval
QUICK_MINUTES = 2.0

Floats = npt.NDArray[np.float64]
Part = tuple[int, int, int]
"""Deals of a game that are played as one batch: the number of the pairing, the first deal, and how
many."""


@dataclass(frozen=True)
class GameScore:
    """What an agent has scored in a game.

    Attributes:
        name: of the game in the benchmark.
        score, within: 0 for random moves, 100 for the reference; and half the 95 % interval.
        margin, margin_within: points a round over the opponents, the mean over them.
        standings: against each of them.
        deals: that were played against each of them; 0 if the agent does not play the game, which
            then counts 0.
    """

    name: str
    score: float
    within: float
    margin: float
    margin_within: float
    standings: tuple[Standing, ...]
    deals: int

    @property
    def played(self) -> bool:
        """Does the agent play the game?"""
        return self.deals > 0


@dataclass(frozen=True)
class BenchmarkScore:
    """The score of an agent.

    Attributes:
        benchmark: the version that was played.
        agent: its name.
        quick: the short form?
        variance: see `aivat`.
        games: the score of each game.
    """

    benchmark: Benchmark
    agent: str
    quick: bool
    variance: str
    games: tuple[GameScore, ...]

    @property
    def score(self) -> float:
        """The mean over the games."""
        return sum(each.score for each in self.games) / len(self.games)

    @property
    def within(self) -> float:
        """Half its 95 % interval."""
        return float(sum(each.within**2 for each in self.games) ** 0.5) / len(self.games)

    @property
    def cut_short(self) -> bool:
        """Did some games get fewer deals than others, for want of time?"""
        most = self.benchmark.quick_deals if self.quick else self.benchmark.deals
        return any(0 < each.deals < most for each in self.games)


def run_benchmark(
    agent: Any,
    *,
    quick: bool = False,
    minutes: float | None = QUICK_MINUTES,
    version: int = LATEST,
    variance: Variance = "duplicates",
    threads: int = 1,
    executor: ExecutorFactory | None = None,
    watch: Callable[[str], None] = lambda what: None,
    only: tuple[str, ...] = (),
) -> BenchmarkScore:
    """Plays the benchmark.

    Args:
        agent: as tournaments take it.
        quick: the short form, with fewer deals.
        minutes: that the short form may take, if it can; None: as many as it needs for its deals.
        version: of the benchmark.
        variance: "aivat" takes the luck of draws off, see `aivat`.
        threads: on which games are played.
        executor: where else they are played.
        watch: told what is done.
        only: names of games, to look at some of them alone; that is no score to be cited.
    """
    if minutes is not None and not minutes > 0:
        raise BadOption(f"minutes is a number above 0, or None for no limit; not {minutes!r}")
    end = _now() + 60 * minutes if quick and minutes is not None else float("inf")
    chosen = some_of(benchmark(version), only) if only else benchmark(version)
    entrant = agent if isinstance(agent, Entrant) else Entrant.from_plain(agent)
    watch("comparing rules, deals and opponents with what they were")
    check_installed(chosen)
    run = executor or thread_executor(threads)
    deals = chosen.quick_deals if quick else chosen.deals
    matches: dict[str, Match] = {}
    for until in _doubling(deals) if quick else [deals]:
        for number, game in enumerate(chosen.games, 1):
            told = f"{number}/{len(chosen.games)} {game.name}"
            if game.name not in matches:
                watch(told)
                matches[game.name] = Match(game, entrant, variance)
            match = matches[game.name]
            if until == FEWEST or _now() + match.expected_seconds(until) <= end:
                watch(f"{told}, deals {match.deals + 1:,} to {until:,}")
                match.play(until, run)
    scores = tuple(matches[game.name].score for game in chosen.games)
    return BenchmarkScore(chosen, entrant.name, quick, variance, scores)


def _doubling(deals: int) -> Iterator[int]:
    """Up to which deal each round of the short form goes."""
    until = FEWEST
    while until < deals:
        yield until
        until *= 2
    yield deals


_now = time.monotonic


class Match:
    """A game of the benchmark, as far as an agent has played it.

    Args:
        game: of the benchmark.
        entrant: the agent.
        variance: see `aivat`.

    Attributes:
        pairings: with each opponent; none if the agent does not play the game.
    """

    def __init__(self, game: BenchmarkGame, entrant: Entrant, variance: Variance) -> None:
        self.game = game
        plays = sits_down(entrant, game.rules, game.num_players)
        self.pairings = _pairings(game, entrant, variance) if plays else []
        self._pace = 0.0  # seconds for a deal, the last time

    @property
    def deals(self) -> int:
        """How many have been played against each opponent."""
        return self.pairings[0].deals if self.pairings else 0

    def expected_seconds(self, until: int) -> float:
        """What the next deals will take, going by those before."""
        return self._pace * (until - self.deals)

    def play(self, until: int, run: ExecutorFactory) -> None:
        """Plays up to that deal."""
        began, before = _now(), self.deals
        with run(partial(_play_part, self.pairings)) as running:
            run_tasks(InOrder(self._parts(until), self._count), running)
        self._pace = (_now() - began) / max(1, until - before)

    def _parts(self, until: int) -> list[Part]:
        return [
            (number, first, min(CHUNK, until - first))
            for first in range(self.deals, until, CHUNK)
            for number in range(len(self.pairings))
        ]

    def _count(self, part: Part, result: ChunkResult) -> None:
        self.pairings[part[0]].add(result)

    @property
    def margins(self) -> Floats:
        """The margin on each deal, the mean over the opponents."""
        return np.asarray(np.mean([pairing.by_deal for pairing in self.pairings], axis=0))

    @property
    def score(self) -> GameScore:
        """The score so far."""
        game = self.game
        if not self.pairings:
            return GameScore(game.name, 0.0, 0.0, game.at_random, 0.0, (), 0)
        margin, within = float(self.margins.mean()), ci95_half_width(self.margins)
        return GameScore(
            name=game.name,
            score=game.score(margin),
            within=within * abs(game.per_point),
            margin=margin,
            margin_within=within,
            standings=tuple(pairing.standing for pairing in self.pairings),
            deals=self.deals,
        )


def sits_down(entrant: Entrant, game: Rules, num_players: int) -> bool:
    """Does an agent play a game with so many players? Some have policies for certain seats only."""
    player = entrant.make(0)
    if not agents.plays(player, game):
        return False
    if not entrant.built_in:
        return True  # if it does not, it forfeits
    batch = Batch(game, 1, num_players, 0, autoreset=False)
    batch.reset()
    try:
        player.act(batch, np.zeros(1, np.int64))
    except BadOption:
        return False
    return True


def _pairings(game: BenchmarkGame, entrant: Entrant, variance: Variance) -> list[Pairing]:
    """An agent with each opponent."""
    settings = TournamentSettings(
        games=(game.game,),
        rules=game.options,
        num_players=game.num_players,
        agents=as_entrants([_renamed(entrant, game.opponents), *game.opponents]),
        variance=variance,
    )
    packed = replace(settings, agents=tuple(each.packed for each in settings.agents))
    check_agents(packed)
    (rules_played,) = packed.all_rules
    first, *others = packed.agents
    return [pairing_of(packed, rules_played, first, each) for each in others]


def _renamed(entrant: Entrant, others: tuple[str, ...]) -> Entrant:
    """An opponent that is measured itself has another name than in its seat of the others."""
    return (
        replace(entrant, name=f"{entrant.name} (measured)") if entrant.name in others else entrant
    )


def _play_part(pairings: list[Pairing], part: Part) -> ChunkResult:
    """The task function of the benchmark."""
    number, first, deals = part
    return pairings[number].play_deals(first, deals)
