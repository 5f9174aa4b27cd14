"""Cross-play: how well do partners who were trained apart play together?

    from domino_env.evaluate import play_cross

    play_cross(game, ["net", "ppo"], deals=2000).ratio      # a game with teams

Partners trained together may have agreed on signals that nobody else understands: strong as a pair,
and lost with a stranger. So every ordered pair of some policies makes up a team, against a team of
one opponent, all on the same duplicate deals: each deal is played with the pair as either team. A
policy as its own partner stands for partners trained together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.config.game_settings import must_have_opponents
from domino_env.errors import BadOption, is_whole
from domino_env.evaluate.aivat import takes_long
from domino_env.evaluate.cross_score import CrossScore, score_of
from domino_env.evaluate.entrants import Entrant, as_entrants
from domino_env.evaluate.forfeits import (
    TIME_LIMIT,
    Forfeit,
    default_forfeit_cost,
    play_seated,
    seated_players,
    usage_of,
)
from domino_env.evaluate.mixed_tables import Part, parts
from domino_env.evaluate.pairing import ChunkResult
from domino_env.evaluate.rollout import margin_per_game
from domino_env.evaluate.tournament import check_entrants
from domino_env.execution.executor import InOrder, run_tasks, thread_executor
from domino_env.games import Game, rules_of

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

SEATS = 4  # two teams of two
OPPONENT = "heuristic"
GAMES_AT_ONCE, GAMES_OF_SLOW_ONES = 8192, 128


class CrossPlay:
    """Plays deals with every ordered pair of some policies as partners, and keeps the score.

    Results depend on the seed and, for stochastic agents, on how many deals are played at a time.

    Attributes:
        margins: float[deals, N, N], points of each pair over the opponents: the mean over both
            games of a deal. The first of a pair has the team's first seat.
    """

    def __init__(
        self,
        rules: Any,
        policies: tuple[Entrant, ...],
        against: Entrant,
        seed: int = 0,
    ) -> None:
        self.rules, self.policies, self.against, self.seed = rules, policies, against, seed
        self.seatings = seatings(len(policies))
        self.margins: Floats = np.zeros((0, len(policies), len(policies)))
        self.forfeits: list[Forfeit] = []
        self.forfeit_cost = default_forfeit_cost(rules, SEATS)

    @property
    def deals(self) -> int:
        """How many deals have been played."""
        return len(self.margins)

    @property
    def chunk_size(self) -> int:
        """How many deals are played as one batch: few if somebody may take long, so that it can be
        told how far it is."""
        everyone = (*self.policies, self.against)
        slow = any(not each.built_in or takes_long(each.make(0)) for each in everyone)
        return max(1, (GAMES_OF_SLOW_ONES if slow else GAMES_AT_ONCE) // len(self.seatings))

    def play_deals(self, start: int, deals: int) -> ChunkResult:
        """Plays deals from number `start` on, and counts nothing: the outcome does not depend on
        what was played before, or where."""
        ways = len(self.seatings)
        seeds = np.repeat(self.seed + start + np.arange(deals), ways)
        seating = np.tile(self.seatings, (deals, 1))
        batch = Batch(self.rules, len(seeds), SEATS, autoreset=False, reward="points")
        batch.reset(seed=seeds)
        everyone = (*self.policies, self.against)
        names = [each.name for each in everyone]
        players = seated_players(
            everyone, TIME_LIMIT, self.seed, self.rules.id, "cross-play", *names, start
        )
        played = play_seated(batch, players, seating)
        margins = margin_per_game(played.returns, (seating == len(self.policies)).astype(np.int64))
        for lane, (number, _) in played.faults.items():
            lost = number != len(self.policies)
            margins[lane] = -self.forfeit_cost if lost else self.forfeit_cost
        return ChunkResult(
            margins.reshape(deals, ways),
            [],
            played.forfeits(start, ways),
            tuple(map(usage_of, players)),
        )

    def add(self, chunk: ChunkResult) -> None:
        """Counts the next deals, wherever they were played."""
        number = len(self.policies)
        found = chunk.margins.reshape(-1, number, number, 2).mean(3).round(9)
        self.margins = np.concatenate([self.margins, found])
        self.forfeits += chunk.forfeits

    def score(self, chosen: Sequence[int] | None = None) -> CrossScore:
        """The score so far, of all policies or of some, by their numbers."""
        some = [*range(len(self.policies))] if chosen is None else [*chosen]
        names = [self.policies[number].name for number in some]
        margins = self.margins[:, some][:, :, some]
        return score_of(self.rules.id, self.against.name, names, margins, len(self.forfeits))


def seatings(policies: int) -> Whole:
    """Who sits where in the games of a deal, int[games, seats]: for each ordered pair both teams.
    The opponent has the number after those of the policies."""
    found = []
    for first in range(policies):
        for second in range(policies):
            found.append((first, policies, second, policies))
            found.append((policies, first, policies, second))
    return np.array(found)


def must_be_teams(rules: Any) -> None:
    """Refuses games without teams of two."""
    must_have_opponents(rules)
    if not rules.teams or SEATS not in rules.players:
        raise BadOption(f"{rules.id} has no teams of two: in cross-play partners play together")


def cross_play_of(game: Game, policies: Iterable[Any], against: Any, seed: int = 0) -> CrossPlay:
    """A cross-play that has not begun, with all that its agents read from files."""
    rules = rules_of(game)
    must_be_teams(rules)
    some, (opponent,) = as_entrants(policies), as_entrants([against])
    if len(some) < 2:
        raise BadOption("cross-play needs two policies or more, to be partners of one another")
    names = [entrant.name for entrant in some]
    for name in names:
        if names.count(name) > 1:
            raise BadOption(f"two policies are called {name!r}: give one another name")
    for entrant in (*some, opponent):
        entrant.must_play(rules)
    packed = [each.packed for each in (*some, opponent)]
    check_entrants(rules, SEATS, packed, seed, TIME_LIMIT)
    return CrossPlay(rules, tuple(packed[:-1]), packed[-1], seed)


def play_cross(
    game: Game,
    policies: Iterable[Any],
    deals: int = 2000,
    against: Any = OPPONENT,
    seed: int = 0,
    threads: int = 1,
    on_progress: Callable[[CrossPlay], None] = lambda played: None,
) -> CrossScore:
    """Plays every ordered pair of policies as partners, with the same result on any number of
    threads.

    Args:
        game: one with teams of two: its id, or its rules.
        policies: two or more agents, as for a tournament: names, mappings of options with `agent`,
            classes, objects or `Entrant`s.
        deals: duplicate deals for each pair.
        against: the agent that makes up the other team.
        seed: of the first deal, and of agents that toss coins.
        threads: that deals are played on.
        on_progress: is called with what has been played, after some deals each time.
    """
    played = cross_play_of(game, policies, against, seed)
    play(played, deals, threads, on_progress)
    return played.score()


def play(
    played: CrossPlay,
    deals: int,
    threads: int = 1,
    on_progress: Callable[[CrossPlay], None] = lambda played: None,
) -> None:
    """Plays all deals of a cross-play that has not begun."""
    if not is_whole(deals) or deals < 2:
        raise BadOption(f"deals must be a whole number of 2 or more, not {deals!r}")
    if not is_whole(threads) or threads < 1:
        raise BadOption(f"threads must be a whole number of 1 or more, not {threads!r}")

    def count(part: Part, chunk: ChunkResult) -> None:
        played.add(chunk)
        on_progress(played)

    wanted = parts(1, deals, played.chunk_size)
    with thread_executor(threads)(partial(_play_part, played)) as running:
        run_tasks(InOrder(wanted, count), running)


def _play_part(played: CrossPlay, part: Part) -> ChunkResult:
    """The task function."""
    return played.play_deals(part.first, part.deals)
