"""A pairing: two entrants on duplicate deals, and the paired differences of their scores.

Luck decides most single rounds, so every deal is a *duplicate* as in bridge: it is played once for
each way to seat the two sides. Each sits alone among copies of the other, in every seat in turn;
where teams play, each makes up one team, and then the other. With two players all this comes to two
games, the seats exchanged. A deal gives one sample, the mean over its games of the points of one
side less those of the other (a side's points are the mean over its seats, as G14 has it); all
confidence intervals are of these paired differences.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.agents.language.usage import Usage
from domino_env.batches import Batch
from domino_env.evaluate.aivat import STAND_IN, LuckOf, takes_long
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.forfeits import (
    TIME_LIMIT,
    Forfeit,
    default_forfeit_cost,
    play_seated,
    seated_players,
    usage_of,
)
from domino_env.evaluate.rollout import margin_per_game
from domino_env.evaluate.statistics import (
    ci95_half_width,
    equivalent_independent_games,
    less_luck,
)
from domino_env.record import Record, Recorder

Floats = npt.NDArray[np.float64]
Variance = Literal["duplicates", "aivat"]


@dataclass(frozen=True)
class Standing:
    """The result of a pairing: the first side's mean margin over the second in points a round, with
    its confidence interval."""

    game: str
    title: str
    num_players: int
    first: str
    second: str
    deals: int
    games: int
    """All games: several of each deal."""
    margin: float
    within: float
    """Half the width of the 95 % confidence interval of the margin."""
    won: int
    """Deals on which the first had more points than the second; others are tied or lost."""
    tied: int
    lost: int
    worth: float | None
    """The effective sample size: how many independent games, each with a deal of its own, would
    give as narrow an interval as these duplicates; None if every deal came out the same."""
    forfeits: tuple[int, int] = (0, 0)
    """How many of the games the first side forfeited, and how many the second. They count in all
    figures, at their cost."""
    faults: tuple[str, str] = ("", "")
    """The reason for the first forfeit of each side."""
    usage: tuple[Usage, Usage] = (Usage(), Usage())
    """What each side has spent on a language model."""

    @property
    def verdict(self) -> str:
        """Is the first side better, if the confidence interval leaves no doubt?"""
        if abs(self.margin) <= self.within:
            return "even"
        return "ahead" if self.margin > 0 else "behind"

    @property
    def reversed(self) -> Standing:
        """The same, seen from the second side."""
        changes = {
            "first": self.second,
            "second": self.first,
            "margin": 0.0 - self.margin,
            "won": self.lost,
            "lost": self.won,
            "forfeits": self.forfeits[::-1],
            "faults": self.faults[::-1],
            "usage": self.usage[::-1],
        }
        return Standing(**{**asdict(self), **changes})


def seatings(rules: Any, players: int) -> npt.NDArray[np.int64]:
    """The ways to seat two sides, int[S, P]: 0 where the first sits, 1 where the second does."""
    if rules.teams:
        alone = [tuple(seat % 2 for seat in range(players))]
    else:
        alone = [tuple(int(seat != one) for seat in range(players)) for one in range(players)]
    exchanged = [tuple(1 - side for side in seats) for seats in alone]
    return np.array([*dict.fromkeys([*alone, *exchanged])])


class ChunkResult(NamedTuple):
    """The outcome of some deals: `margins`, float[deals, games of each], records of games,
    forfeits, what each side has spent on a language model, and what luck gave the first side in
    each game, if that was measured."""

    margins: Floats
    records: list[Record]
    forfeits: tuple[Forfeit, ...] = ()
    usage: tuple[Usage, ...] = (Usage(), Usage())
    luck: Floats | None = None


class Pairing:
    """Plays the duplicate deals of two entrants, some at a time, and keeps the score.

    Results depend on the seed and, for stochastic agents, on how many deals are played at a time:
    such an agent is made anew each time, with a seed of its own. `time_limit` and `forfeit_cost`
    are for agents from outside this package, see `forfeits`. With the variance "aivat" the luck of
    draws is taken off the margins, see `aivat`. `calls` is as for `Batch`.
    """

    def __init__(
        self,
        rules: Any,
        num_players: int | None,
        first: Entrant,
        second: Entrant,
        seed: int = 0,
        time_limit: float | None = TIME_LIMIT,
        forfeit_cost: float | None = None,
        variance: Variance = "duplicates",
        calls: str = "automatic",
    ) -> None:
        self.rules, self.sides, self.seed, self.calls = rules, (first, second), seed, calls
        self.num_players = num_players or rules.players[0]
        self.seatings = seatings(rules, self.num_players)
        self.margins: Floats = np.zeros((0, len(self.seatings)))
        self.luck: Floats = np.zeros((0, len(self.seatings)))
        self.variance = variance
        self.records: list[Record] = []
        self.forfeits: list[Forfeit] = []
        self.usage = (Usage(), Usage())
        self.time_limit = time_limit
        self.forfeit_cost = (
            default_forfeit_cost(rules, self.num_players) if forfeit_cost is None else forfeit_cost
        )

    @property
    def deals(self) -> int:
        """How many deals have been played."""
        return len(self.margins)

    def play(self, deals: int, recorded: int = 0) -> None:
        """Plays and counts so many more deals, with all their games as one batch; records the games
        of the first `recorded` of them."""
        self.add(self.play_deals(self.deals, deals, recorded))

    def add(self, chunk: ChunkResult) -> None:
        """Counts the next deals, wherever they were played."""
        luck = np.zeros_like(chunk.margins) if chunk.luck is None else chunk.luck
        self.margins = np.concatenate([self.margins, chunk.margins])
        self.luck = np.concatenate([self.luck, luck])
        self.records += chunk.records
        self.forfeits += chunk.forfeits
        self.usage = (self.usage[0] + chunk.usage[0], self.usage[1] + chunk.usage[1])

    def play_deals(self, start: int, deals: int, recorded: int = 0) -> ChunkResult:
        """Plays deals from number `start` on, and counts nothing: the outcome does not depend on
        what was played before, or where."""
        ways = len(self.seatings)
        seeds = np.repeat(self.seed + start + np.arange(deals), ways)
        seating = np.tile(self.seatings, (deals, 1))
        how: dict[str, Any] = {"calls": self.calls, "autoreset": False, "reward": "points"}
        batch = Batch(self.rules, len(seeds), self.num_players, **how)
        batch.reset(seed=seeds)
        recorders = self._recorders(batch, seating[: min(recorded, deals) * ways])
        names = [side.name for side in self.sides]
        players = seated_players(
            self.sides, self.time_limit, self.seed, self.rules.id, *names, start
        )
        luck = self._luck_of(batch, players, seating, start) if self.variance == "aivat" else None

        def note(actions: npt.NDArray[np.int64]) -> None:
            if luck:
                luck.note(actions)
            for lane, recorder in enumerate(recorders):
                if actions[lane] >= 0 and not recorder.over:
                    recorder.note(int(actions[lane]))

        played = play_seated(batch, players, seating, note)
        margins = margin_per_game(played.returns, seating)
        for lane, (side, _) in played.faults.items():
            margins[lane] = self.forfeit_cost if side else -self.forfeit_cost
        return ChunkResult(
            margins.reshape(deals, ways),
            [recorder.record for recorder in recorders],
            played.forfeits(start, ways),
            tuple(map(usage_of, players)),
            luck.total.reshape(deals, ways) if luck else None,
        )

    def _recorders(self, batch: Batch, seating: npt.NDArray[np.int64]) -> list[Recorder]:
        names = np.array([side.name for side in self.sides])
        return [Recorder(batch, lane, names[who].tolist()) for lane, who in enumerate(seating)]

    def _luck_of(
        self, batch: Batch, players: list[Any], seating: npt.NDArray[np.int64], start: int
    ) -> LuckOf:
        """Follows the luck of games that are about to be played."""
        stand_ins = [
            agents.make(STAND_IN) if not side.built_in or takes_long(player) else side.make(0)
            for side, player in zip(self.sides, players, strict=True)
        ]
        deals = self.seed + start + np.arange(len(seating) // len(self.seatings))
        return LuckOf(batch, players, stand_ins, seating, deals)

    def _forfeits_of(self, side: int) -> list[Forfeit]:
        return [each for each in self.forfeits if each.side == side]

    @property
    def by_deal(self) -> Floats:
        """The first side's margin on each deal, without the luck that was measured."""
        played, luck = _mean_of_games(self.margins), self.luck.mean(1)
        return less_luck(played, luck) if luck.any() else played

    @property
    def standing(self) -> Standing:
        """The score so far."""
        by_deal, played = self.by_deal, _mean_of_games(self.margins)
        won, lost = int((played > 0).sum()), int((played < 0).sum())
        forfeited = self._forfeits_of(0), self._forfeits_of(1)
        return Standing(
            game=self.rules.id,
            title=self.rules.title,
            num_players=self.num_players,
            first=self.sides[0].name,
            second=self.sides[1].name,
            deals=self.deals,
            games=self.margins.size,
            margin=float(by_deal.mean()),
            within=ci95_half_width(by_deal),
            won=won,
            tied=self.deals - won - lost,
            lost=lost,
            worth=equivalent_independent_games(self.margins, by_deal),
            forfeits=(len(forfeited[0]), len(forfeited[1])),
            faults=(
                forfeited[0][0].why if forfeited[0] else "",
                forfeited[1][0].why if forfeited[1] else "",
            ),
            usage=self.usage,
        )


def _mean_of_games(margins: Floats) -> Floats:
    found: Floats = margins.mean(1).round(9)  # so that what evens out is 0 and not nearly so
    return found
