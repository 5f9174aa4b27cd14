"""Two entrants on the same deals.

Luck decides most single rounds, so every deal is a *duplicate*: it is played once for each way to
seat the two sides. Each sits alone among copies of the other, in every seat in turn; where teams
play, each makes up one team, and then the other. With two players all this comes to two games, the
seats exchanged. What is measured is one number for each deal, the mean over its games of the points
of one side less those of the other (a side's points are the mean over its seats, as G14 has it).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.evaluate.entrants import Entrant, seed_of
from domino_env.evaluate.forfeits import LIMIT, Forfeit, Outcome, play_on, usual_cost
from domino_env.evaluate.rollout import play_out, within
from domino_env.evaluate.watchdog import Guard
from domino_env.record import Record, Recorder

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Standing:
    """How one side did against another: points a round over it, and half the 95 % interval."""

    game: str
    title: str
    num_players: int
    first: str
    second: str
    deals: int
    games: int
    """That were played: several of each deal."""
    margin: float
    within: float
    won: int
    """Deals on which the first had more points than the second; others are tied or lost."""
    tied: int
    lost: int
    worth: float | None
    """How many plain games, each with a deal of its own, would say as much as these duplicates do;
    None if every deal came out the same."""
    forfeits: tuple[int, int] = (0, 0)
    """Of the games, how many the first gave up, and how many the second; they count in all the
    figures, as they cost."""
    faults: tuple[str, str] = ("", "")
    """Why, the first time."""

    @property
    def verdict(self) -> str:
        """Who is better, if the interval says."""
        if abs(self.margin) <= self.within:
            return "even"
        return "ahead" if self.margin > 0 else "behind"

    @property
    def turned(self) -> Standing:
        """The same, as the second sees it."""
        changes = {
            "first": self.second,
            "second": self.first,
            "margin": 0.0 - self.margin,
            "won": self.lost,
            "lost": self.won,
            "forfeits": self.forfeits[::-1],
            "faults": self.faults[::-1],
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


def margins_of(returns: Floats, seats: npt.NDArray[np.int64]) -> Floats:
    """Points of the first side less those of the second in each game: the means over their seats.
    `returns`: points, float[N, P]."""
    firsts = seats == 0
    first = (returns * firsts).sum(1) / firsts.sum(1)
    return first - (returns * ~firsts).sum(1) / (~firsts).sum(1)


def worth_in_plain_games(margins: Floats) -> float | None:
    """How many single games on deals of their own would have as narrow an interval as so many
    duplicates, float[deals, games of each]."""
    spread = float(margins.mean(1).var(ddof=1))
    if spread < 1e-12:
        return None
    return len(margins) * float(margins.var()) / spread


class Played(NamedTuple):
    """What came of some deals: `margins`, float[deals, games of each], records of games, and the
    games that were given up."""

    margins: Floats
    records: list[Record]
    forfeits: tuple[Forfeit, ...] = ()


class Meeting:
    """Plays duplicate deals, some at a time, and knows how it stands.

    Results depend on the seed and, for agents that toss coins, on how many deals are played at a
    time: such an agent is made anew each time, with a seed of its own. `limit` and `cost` are of
    games that an agent of one's own gives up, see `forfeits`.
    """

    def __init__(
        self,
        rules: Any,
        num_players: int | None,
        first: Entrant,
        second: Entrant,
        seed: int = 0,
        limit: float | None = LIMIT,
        cost: float | None = None,
    ) -> None:
        self.rules, self.sides, self.seed = rules, (first, second), seed
        self.num_players = num_players or rules.players[0]
        self.seatings = seatings(rules, self.num_players)
        self.margins: Floats = np.zeros((0, len(self.seatings)))
        self.records: list[Record] = []
        self.forfeits: list[Forfeit] = []
        self.limit = limit
        self.cost = usual_cost(rules, self.num_players) if cost is None else cost

    @property
    def deals(self) -> int:
        """How many have been played."""
        return len(self.margins)

    def play(self, deals: int, recorded: int = 0) -> None:
        """Plays so many more deals, all games of all of them side by side; keeps the moves of the
        first ones."""
        self.add(self.played(self.deals, deals, recorded))

    def add(self, played: Played) -> None:
        """Counts the deals that come next, wherever they were played."""
        self.margins = np.concatenate([self.margins, played.margins])
        self.records += played.records
        self.forfeits += played.forfeits

    def played(self, start: int, deals: int, recorded: int = 0) -> Played:
        """Plays some deals from a place on. It counts nothing, and what it finds does not depend on
        what was played before."""
        ways = len(self.seatings)
        seeds = np.repeat(self.seed + start + np.arange(deals), ways)
        seats = np.tile(self.seatings, (deals, 1))
        batch = Batch(self.rules, len(seeds), self.num_players, autoreset=False, reward="points")
        batch.reset(seed=seeds)
        recorders = self._recorders(batch, seats[: min(recorded, deals) * ways])

        def note(actions: npt.NDArray[np.int64]) -> None:
            for lane, recorder in enumerate(recorders):
                if actions[lane] >= 0 and not recorder.over:
                    recorder.note(int(actions[lane]))

        returns, faults = self._played_out(batch, self._agents(start), seats, note)
        margins = margins_of(returns, seats)
        for lane, (side, _) in faults.items():
            margins[lane] = self.cost if side else -self.cost
        return Played(
            margins.reshape(deals, ways),
            [recorder.record for recorder in recorders],
            tuple(
                Forfeit(start + lane // ways, lane % ways, side, why)
                for lane, (side, why) in sorted(faults.items())
            ),
        )

    def _played_out(self, batch: Batch, players: list[Any], seats: Any, note: Any) -> Outcome:
        """Our own agents are asked directly, all others with care."""
        guards = [player for player in players if isinstance(player, Guard)]
        if not guards:
            return Outcome(play_out(batch, players, seats, note), {})
        try:
            return play_on(batch, players, seats, note)
        finally:
            for guard in guards:
                guard.close()

    def _recorders(self, batch: Batch, seats: npt.NDArray[np.int64]) -> list[Recorder]:
        names = np.array([side.name for side in self.sides])
        return [Recorder(batch, lane, names[who].tolist()) for lane, who in enumerate(seats)]

    def _agents(self, start: int) -> list[Any]:
        names = [side.name for side in self.sides]
        makers = [
            partial(side.make, seed_of(self.seed, self.rules.id, *names, start, number))
            for number, side in enumerate(self.sides)
        ]
        return [
            make() if side.ours else Guard(make, self.limit)
            for side, make in zip(self.sides, makers, strict=True)
        ]

    def _given_up(self, side: int) -> list[Forfeit]:
        return [each for each in self.forfeits if each.side == side]

    @property
    def by_deal(self) -> Floats:
        """The first side's margin on each deal."""
        return self.margins.mean(1).round(9)  # so that what evens out is 0 and not nearly so

    @property
    def standing(self) -> Standing:
        """How it stands."""
        by_deal = self.by_deal
        won, lost = int((by_deal > 0).sum()), int((by_deal < 0).sum())
        given_up = self._given_up(0), self._given_up(1)
        return Standing(
            game=self.rules.id,
            title=self.rules.title,
            num_players=self.num_players,
            first=self.sides[0].name,
            second=self.sides[1].name,
            deals=self.deals,
            games=self.margins.size,
            margin=float(by_deal.mean()),
            within=within(by_deal),
            won=won,
            tied=self.deals - won - lost,
            lost=lost,
            worth=worth_in_plain_games(self.margins),
            forfeits=(len(given_up[0]), len(given_up[1])),
            faults=(
                given_up[0][0].why if given_up[0] else "",
                given_up[1][0].why if given_up[1] else "",
            ),
        )
