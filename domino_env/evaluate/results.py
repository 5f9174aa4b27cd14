"""The results of a tournament: points, ratings, forfeits, and what was spent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from domino_env.agents.language.usage import Usage
from domino_env.errors import BadOption
from domino_env.evaluate.alpha_rank import Mass, alpha_rank
from domino_env.evaluate.mixed_tables import MixedTables
from domino_env.evaluate.nash_averaging import NashRating, nash_averaging
from domino_env.evaluate.pairing import Standing
from domino_env.evaluate.ratings import Rating, ratings
from domino_env.evaluate.table_ratings import TableRating, table_ratings
from domino_env.record import Record

if TYPE_CHECKING:
    from domino_env.evaluate.tournament import TournamentSettings


class ForfeitCount(NamedTuple):
    """How many of its games of one kind an agent forfeited."""

    agent: str
    game: str
    forfeited: int
    games: int
    """All that it played, those included."""
    why: str
    """The reason of the first forfeit."""

    def and_then(self, later: ForfeitCount) -> ForfeitCount:
        """With those of later games."""
        return self._replace(
            forfeited=self.forfeited + later.forfeited,
            games=self.games + later.games,
            why=self.why or later.why,
        )

    def __str__(self) -> str:
        return (
            f"{self.agent} forfeited {self.forfeited:,} of {self.games:,} games of {self.game}; "
            f"the first time it {self.why}"
        )


class UsageCount(NamedTuple):
    """What an agent has spent on a language model in games of one kind."""

    agent: str
    game: str
    usage: Usage


@dataclass(frozen=True)
class Results:
    """The results of a tournament."""

    settings: TournamentSettings
    standings: list[Standing]
    """One for each game and pairing."""
    records: list[Record] = field(repr=False)
    stopped: bool = False
    """Interrupted before it was over: pairings may be short, or missing."""
    mixed_tables: list[MixedTables] = field(default_factory=list, repr=False)
    """Those of each game that has any."""
    _rated: dict[str | None, list[TableRating]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def names(self) -> list[str]:
        """The names of the entrants."""
        return [entrant.name for entrant in self.settings.agents]

    @property
    def games(self) -> list[str]:
        """The ids of the games."""
        return list(dict.fromkeys(standing.game for standing in self.standings))

    def of(self, game: str) -> list[Standing]:
        """The standings of one game."""
        return [standing for standing in self.standings if standing.game == game]

    def ratings(self, game: str | None = None) -> list[Rating]:
        """Ratings in one game or over all of them, the strongest first."""
        standings = self.standings if game is None else self.of(game)
        return ratings(self.names, standings, self.anchor)

    def alpha_rank(self, game: str | None = None) -> list[Mass]:
        """How much of the time each is played where what earns more displaces what earns less: see
        `evaluate.alpha_rank`."""
        return alpha_rank(self.names, self.standings if game is None else self.of(game))

    def nash_averaging(self, game: str | None = None) -> list[NashRating]:
        """What each earns over an equilibrium of all: see `evaluate.nash_averaging`."""
        return nash_averaging(self.names, self.standings if game is None else self.of(game))

    def table_ratings(self, game: str | None = None) -> list[TableRating]:
        """Ratings at the mixed tables of one game or of all, the highest first; none if there were
        no such tables."""
        if game not in self._rated:
            found = [each for each in self.mixed_tables if game in (None, each.rules.id)]
            self._rated[game] = table_ratings(found)
        return self._rated[game]

    @property
    def forfeits(self) -> list[ForfeitCount]:
        """All forfeits, by agent and game."""
        counts = [
            ForfeitCount(name, each.game, each.forfeits[side], each.games, each.faults[side])
            for each in self.standings
            for side, name in enumerate((each.first, each.second))
        ]
        counts += [count for each in self.mixed_tables for count in _forfeits_at_tables(each)]
        found: dict[tuple[str, str], ForfeitCount] = {}
        for count in counts:
            before = found.get((count.game, count.agent))
            found[count.game, count.agent] = before.and_then(count) if before else count
        return [each for each in found.values() if each.forfeited]

    @property
    def usage(self) -> list[UsageCount]:
        """What has been spent on language models, by agent and game."""
        counts = [
            UsageCount(name, each.game, usage)
            for each in self.standings
            for name, usage in zip((each.first, each.second), each.usage, strict=True)
        ]
        counts += [
            UsageCount(entrant.name, tables.rules.id, usage)
            for tables in self.mixed_tables
            for entrant, usage in zip(tables.entrants, tables.usage, strict=True)
        ]
        found: dict[tuple[str, str], Usage] = {}
        for name, game, usage in counts:
            found[game, name] = found.get((game, name), Usage()) + usage
        return [UsageCount(name, game, usage) for (game, name), usage in found.items() if usage]

    @property
    def anchor(self) -> str:
        """The entrant whose rating is 0: the random agent, or else the first."""
        entrants = self.settings.agents
        return next((each.name for each in entrants if each.agent == "random"), entrants[0].name)

    def between(self, game: str, first: str, second: str) -> Standing:
        """The standing of one entrant against another."""
        standing = self.find(game, first, second)
        if standing is None:
            raise BadOption(f"{first} and {second} did not meet at {game}")
        return standing

    def find(self, game: str, first: str, second: str) -> Standing | None:
        """The same, or None if they have not met: in a tournament that was interrupted."""
        for standing in self.of(game):
            if (standing.first, standing.second) == (first, second):
                return standing
            if (standing.first, standing.second) == (second, first):
                return standing.reversed
        return None


def _forfeits_at_tables(tables: MixedTables) -> list[ForfeitCount]:
    """How many games at mixed tables each agent sat in, and forfeited."""
    found = []
    for number, entrant in enumerate(tables.entrants):
        own = [each for each in tables.forfeits if each.side == number]
        games = int((tables.lineups == number).any(1).sum()) * tables.num_players
        why = own[0].why if own else ""
        found.append(ForfeitCount(entrant.name, tables.rules.id, len(own), games, why))
    return found
